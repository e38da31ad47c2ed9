// The tables of the house and who sits at them.

import { Declined, get, post } from "./connection.js";
import { el } from "./dom.js";
import { listing } from "./listing.js";
import { paceShown } from "./pace.js";
import * as words from "./words.js";

export async function open(at) {
  const tables = await get("/api/tables");
  const [chosen] = at.path;
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Tables"),
      listing(
        ["Table", "Rule book", "Seats", "Players", "Round", "Ante", "Meter", ""],
        tables.map((table) => [
          table.id,
          table.title,
          `${Object.keys(table.players).length} of ${table.seats}`,
          Object.entries(table.players).map(([seat, name]) => `${seat} ${name}`).join(", ") || "nobody",
          rounds(table),
          [table.ante_min, table.ante_max].filter(Boolean).map(words.money).join(" – "),
          table.meter ? words.money(table.meter) : "",
          [
            el("a", { href: `/console#/${encodeURIComponent(table.id)}` }, "Console"),
            " · ",
            el("a", { href: `/display#${encodeURIComponent(table.id)}` }, "Display"),
            " · ",
            el("a", { href: `#/tables/${encodeURIComponent(table.id)}`, "aria-label": `Pace of ${table.id}` }, "Pace"),
          ],
        ]),
      ),
    ),
    chosen ? el("section", { class: "panel" }, el("h2", {}, `The pace of ${chosen}`), await pace(at, chosen)) : "",
  );
}

async function pace(at, table) {
  const path = `/api/tables/${encodeURIComponent(table)}/pace`;
  const set = (seconds) => at.trying(() => post(path, { seconds })).then((done) => done && at.again());
  try {
    return paceShown(await get(path), set);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    return el("p", {}, `${words.capital(error.message)}.`);
  }
}

/** Every number leads to the rounds behind it. */
function rounds(table) {
  return table.round ? el("a", { href: `#/rounds?table=${encodeURIComponent(table.id)}` }, String(table.round)) : "0";
}
