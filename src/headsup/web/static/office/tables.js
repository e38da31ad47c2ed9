// The house's tables and their players.

/** @import { Page } from "./main.js" */
/** @import { PaceSeconds, PersonResponse, TableResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el } from "../lib/dom.js";
import { Declined, get, post } from "../lib/http.js";
import { formatMoney } from "../lib/money.js";
import { pacePanel } from "../lib/pace-form.js";
import { capitalize } from "../lib/text.js";
import { displayPagesPanel } from "./display-pages.js";
import { serversPanel } from "./servers.js";

const DEALER_ROLES = ["dealer", "supervisor"];
const SETUP_ROLES = ["supervisor", "administrator"];

/** @param {Page} page */
export async function openTables(page) {
  /** @type {TableResponse[]} */
  const tables = await get("/api/tables");
  if (!tables.length) {
    return page.show(el("section", { class: "panel" }, el("h1", {}, "Tables"), await firstSteps(page)));
  }
  const [chosen] = page.path;
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Tables"),
      dataTable(
        ["Table", "Rule book", "Seats", "Players", "Round", "Ante", "Meter", ""],
        tables.map((table) => [
          table.waits ? [table.id, el("br"), el("strong", { class: "bad" }, `waiting: ${table.waits}`)] : table.id,
          table.title,
          el("span", { class: "seats" }, `${Object.keys(table.players).length} of ${table.seats}`),
          Object.entries(table.players).map(([seat, name]) => `${seat} ${name}`).join(", ") || "nobody",
          el("span", { class: "round" }, roundsLink(table)),
          [table.ante_min, table.ante_max].filter((one) => one !== null).map(formatMoney).join(" – "),
          table.meter ? [formatMoney(table.meter), ...table.notices.map((notice) => el("small", {}, " ", notice))] : "",
          [
            DEALER_ROLES.includes(page.person.role)
              ? [el("a", { href: `/console#/${encodeURIComponent(table.id)}` }, "Console"), " · "]
              : "",
            el("a", { href: `/display#${encodeURIComponent(table.id)}` }, "Display"),
            " · ",
            el("a", { href: `#/tables/${encodeURIComponent(table.id)}`, "aria-label": `Pace of ${table.id}` }, "Pace"),
          ],
        ]),
        { kind: "stacked" },
      ),
    ),
    await serversPanel(page),
    await displayPagesPanel(page),
    chosen ? el("section", { class: "panel" }, el("h2", {}, `Pace of ${chosen}`), await paceOf(page, chosen)) : "",
  );
}

/** @param {Page} page @param {string} table */
async function paceOf(page, table) {
  const path = `/api/tables/${encodeURIComponent(table)}/pace`;
  /** @param {PaceSeconds | null} seconds */
  const set = (seconds) =>
    page.attempt(() => post(path, { seconds })).then((done) => {
      if (done) page.reload();
    });
  try {
    return pacePanel(await get(path), set);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    return el("p", {}, `${capitalize(error.message)}.`);
  }
}

/** The number of rounds, as a link to them. @param {TableResponse} table */
function roundsLink(table) {
  return table.round ? el("a", { href: `#/rounds?table=${encodeURIComponent(table.id)}` }, String(table.round)) : "0";
}

/** The steps to set up a new house, marking those that are done. @param {Page} page */
async function firstSteps(page) {
  if (!SETUP_ROLES.includes(page.person.role)) {
    return el("p", { class: "none" }, "No tables are open yet. An administrator or a supervisor can set one up.");
  }
  /** @type {PersonResponse[]} */
  const people = await get("/api/people");
  /** @param {string} role */
  const has = (role) => people.some((one) => one.role === role);
  /** @param {string} to @param {string} text */
  const link = (to, text) => el("a", { href: `#/${to}` }, text);
  const steps = [
    [
      has("supervisor"),
      link("people", "Create a supervisor account"),
      ": supervisors approve tables and take cash. Pass on the link you are shown; it works once, within a day.",
    ],
    [false, link("setup", "Set up a table"), ": a name and a rule book are enough to start; a supervisor approves it."],
    [has("player"), link("people", "Create a player account"), " in the same way, and pass on the link."],
    [
      people.some((one) => one.wallet !== null && one.wallet !== "0.00"),
      link("people", "Take a deposit"),
      " under the player’s name. The player then buys chips at the table.",
    ],
  ];
  return [
    el("p", {}, "No tables are open yet. First steps:"),
    el(
      "ol",
      { class: "steps-first" },
      steps.map(([done, ...text]) => el("li", {}, text, done ? el("strong", { class: "good" }, " Done.") : "")),
    ),
  ];
}
