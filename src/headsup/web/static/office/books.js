// The books: the balances of the house's accounts, and whether they agree.

/** @import { Page } from "./main.js" */
/** @import { BooksResponse, FloorBooksView, MeterBooks } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el } from "../lib/dom.js";
import { get } from "../lib/http.js";
import { formatExact } from "../lib/money.js";
import { formatTime } from "../lib/replay.js";
import { capitalize, withSpaces } from "../lib/text.js";
import { roundsLink } from "./rounds.js";

/** @param {Page} page */
export async function openBooks(page) {
  /** @type {BooksResponse} */
  const books = await get("/api/books");
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Books"),
      books.agree
        ? el("p", { class: "good" }, "Wallets, floors, trays and meters agree.")
        : el("div", { class: "alarm" }, books.differences.map((/** @type {string} */ one) => el("p", {}, one))),
      el(
        "p",
        {},
        `${formatExact(books.paid_in)} paid in: ${formatExact(books.in_wallets)} in wallets, ${
          formatExact(books.on_floors)
        } on floors.`,
      ),
      books.remarks.map((/** @type {string} */ one) => el("p", { class: "soft" }, one)),
      el("p", { class: "soft" }, `As of ${formatTime(books.at)}`),
    ),
    ...books.floors.map((floor) => floorBooks(page, floor)),
  );
}

/** @param {Page} page @param {FloorBooksView} floor */
function floorBooks(page, floor) {
  const path = `/api/floors/${encodeURIComponent(floor.floor)}/export`;
  const kinds = { log: "Log (for headsup audit)", csv: "CSV", json: "JSON Lines", notation: "Rounds as text" };
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, `Floor ${floor.floor}`),
    el(
      "p",
      { class: "soft" },
      `${floor.entries} entries, chain ${floor.hash.slice(0, 16)}…, sum of all accounts ${formatExact(floor.total)}`,
    ),
    dataTable(
      ["Account", "Balance"],
      Object.entries(floor.accounts).map(([kind, balance]) => [capitalize(withSpaces(kind)), formatExact(balance)]),
      { none: "No money has moved here yet." },
    ),
    meterTable(floor.meters),
    dataTable(
      ["Table", "Rounds", "Accounts"],
      floor.tables.map((
        table,
      ) => [
        table.table,
        roundsLink(table.table, String(table.rounds)),
        Object.entries(table.accounts).map(([kind, balance]) => `${withSpaces(kind)} ${formatExact(balance)}`).join(
          ", ",
        ),
      ]),
    ),
    ["auditor", "administrator"].includes(page.person.role)
      ? el(
        "p",
        { class: "rows" },
        Object.entries(kinds).map(([kind, text]) =>
          el("a", { class: "button", href: `${path}?format=${kind}`, download: `${floor.floor}.${kind}` }, text)
        ),
      )
      : "",
  );
}

/** @param {Record<string, MeterBooks>} meters */
function meterTable(meters) {
  const names = Object.keys(meters);
  if (!names.length) return "";
  const fields = /** @type {const} */ (["pool", "reserve", "seeded", "contributed", "awarded", "adjusted"]);
  return dataTable(
    ["Meter", ...fields.map(capitalize), ""],
    names.map((
      name,
    ) => [
      el("span", {}, name, meters[name].notices.map((notice) => el("small", { class: "soft" }, ` ${notice}`))),
      ...fields.map((field) => formatExact(meters[name][field])),
      meters[name].frozen ? `frozen: ${meters[name].frozen}` : meters[name].ended ? "ended" : "",
    ]),
    { caption: "pool + reserve = seeded + contributed − awarded + adjusted" },
  );
}
