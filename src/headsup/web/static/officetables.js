// The tables of the house and who sits at them.

import { Declined, get, post } from "./connection.js";
import { el } from "./dom.js";
import { listing } from "./listing.js";
import { displayPages } from "./officepages.js";
import { servers } from "./officeservers.js";
import { paceShown } from "./pace.js";
import * as words from "./words.js";

const DEALS = ["dealer", "supervisor"];
const SETS_UP = ["supervisor", "administrator"];

export async function open(at) {
  const tables = await get("/api/tables");
  if (!tables.length) return at.show(el("section", { class: "panel" }, el("h1", {}, "Tables"), await firstSteps(at)));
  const [chosen] = at.path;
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Tables"),
      listing(
        ["Table", "Rule book", "Seats", "Players", "Round", "Ante", "Meter", ""],
        tables.map((table) => [
          table.waits ? [table.id, el("br"), el("strong", { class: "bad" }, `waits: ${table.waits}`)] : table.id,
          table.title,
          `${Object.keys(table.players).length} of ${table.seats}`,
          Object.entries(table.players).map(([seat, name]) => `${seat} ${name}`).join(", ") || "nobody",
          rounds(table),
          [table.ante_min, table.ante_max].filter(Boolean).map(words.money).join(" – "),
          table.meter ? [words.money(table.meter), ...table.notices.map((one) => el("small", {}, " ", one))] : "",
          [
            DEALS.includes(at.who.role) ? [el("a", { href: `/console#/${encodeURIComponent(table.id)}` }, "Console"), " · "] : "",
            el("a", { href: `/display#${encodeURIComponent(table.id)}` }, "Display"),
            " · ",
            el("a", { href: `#/tables/${encodeURIComponent(table.id)}`, "aria-label": `Pace of ${table.id}` }, "Pace"),
          ],
        ]),
      ),
    ),
    await servers(at),
    await displayPages(at),
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

/** What is to be done in a house without a table, in order; what is done already says so. */
async function firstSteps(at) {
  if (!SETS_UP.includes(at.who.role)) return el("p", { class: "none" }, "No table is open yet: an administrator or a supervisor sets one up.");
  const people = await get("/api/people");
  const has = (role) => people.some((one) => one.role === role);
  const link = (to, text) => el("a", { href: `#/${to}` }, text);
  const steps = [
    [has("supervisor"), link("people", "Make a supervisor’s account"), ": who approves tables and takes in cash. Hand over the link that is shown; it works once, within a day."],
    [false, link("setup", "Set a table up"), ": a name and a rule book are enough to begin; a supervisor approves."],
    [has("player"), link("people", "Make a player’s account"), " in the same way, and hand over the link."],
    [people.some((one) => one.wallet !== null && one.wallet !== "0.00"), link("people", "Take in a deposit"), ": under the player’s name; the player then buys chips at the table."],
  ];
  return [
    el("p", {}, "No table is open yet. What to do first:"),
    el("ol", { class: "steps-first" }, steps.map(([done, ...said]) => el("li", {}, said, done ? el("strong", { class: "good" }, " Done.") : ""))),
  ];
}
