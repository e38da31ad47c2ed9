// A plain table: headings, and rows of texts or elements. Amounts are aligned right.

import { el } from "./dom.js";

const AMOUNT = /^[+−-]?\$?[\d,.]+%?$/;

/**
 * `stacked`: on a phone each row is laid out vertically, with its last cell over the whole width.
 * @param {string[]} heads @param {any[][]} rows
 * @param {{caption?: string, none?: string, kind?: "" | "stacked"}} [more]
 */
export function dataTable(heads, rows, { caption = "", none = "Nothing found.", kind: layout = "" } = {}) {
  if (!rows.length) return el("p", { class: "none", role: "status" }, none);
  const right = heads.map((_, column) => rows.every((row) => isAmount(row[column])));
  /** @param {number} column */
  const kind = (column) => (right[column] ? "amount" : "");
  return el(
    "table",
    { class: layout || undefined },
    caption ? el("caption", {}, caption) : "",
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((head, column) =>
          el("th", { scope: "col", class: kind(column) }, head || el("span", { class: "unseen" }, "More"))
        ),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((row) =>
        el(
          "tr",
          {},
          row.map((cell, column) => (column
            ? el("td", { class: kind(column) }, cell)
            : el("th", { scope: "row", class: kind(column) }, cell))
          ),
        )
      ),
    ),
  );
}

/** @param {any} cell */
function isAmount(cell) {
  const text = typeof cell === "string" ? cell : (cell?.textContent ?? "");
  return text === "" || AMOUNT.test(text);
}
