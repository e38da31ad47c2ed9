// A plain table: heads, and rows of texts or elements. Amounts stand at the right.

import { el } from "./dom.js";

const AMOUNT = /^[+−-]?\$?[\d,.]+%?$/;

/**
 * `stacked`: on a phone each row is read downwards, its last cell over the whole width.
 * @param {string[]} heads @param {any[][]} rows
 * @param {{caption?: string, none?: string, kind?: "" | "stacked"}} [more]
 */
export function listing(heads, rows, { caption = "", none = "Nothing was found.", kind: named = "" } = {}) {
  if (!rows.length) return el("p", { class: "none", role: "status" }, none);
  const right = heads.map((_, at) => rows.every((row) => isAmount(row[at])));
  const kind = (at) => (right[at] ? "amount" : "");
  return el(
    "table",
    { class: named || undefined },
    caption ? el("caption", {}, caption) : "",
    el("thead", {}, el("tr", {}, heads.map((head, at) => el("th", { scope: "col", class: kind(at) }, head || el("span", { class: "unseen" }, "More"))))),
    el(
      "tbody",
      {},
      rows.map((row) => el("tr", {}, row.map((cell, at) => (at ? el("td", { class: kind(at) }, cell) : el("th", { scope: "row", class: kind(at) }, cell))))),
    ),
  );
}

function isAmount(cell) {
  const text = typeof cell === "string" ? cell : (cell?.textContent ?? "");
  return text === "" || AMOUNT.test(text);
}

/** Cents as the server writes dollars: -1250 → "-12.50". */
export function dollarsOf(cents) {
  const held = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(held / 100)}.${String(held % 100).padStart(2, "0")}`;
}
