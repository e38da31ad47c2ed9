// Significant events, the thresholds that make one, and the program that the server runs.

/** @import { Page } from "./main.js" */
/** @import { IncidentKindResponse, IncidentResponse, ProgramResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el, formQuery } from "../lib/dom.js";
import { get } from "../lib/http.js";
import { formatTime } from "../lib/replay.js";
import { capitalize } from "../lib/text.js";
import { replayLink } from "./rounds.js";
import { thresholdsPanel } from "./thresholds.js";

const MAX_EVENTS = 200; // that the server lists at once

/** @param {Page} page */
export async function openIncidents(page) {
  /** @type {IncidentResponse[]} */
  const incidents = await get(`/api/incidents?${page.query}`);
  /** @type {IncidentKindResponse[]} */
  const kinds = await get("/api/incidents/kinds");
  const only = kinds.find((one) => one.kind === page.query.get("kind"));
  const [who, table] = ["who", "table"].map((name) => page.query.get(name));
  const chosen = [only?.said, who ? `by ${who}` : "", table ? `at ${table}` : ""].filter(Boolean).join(", ");
  const thresholds = await get("/api/thresholds");
  const exports = ["auditor", "administrator"].includes(page.person.role);
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Significant events"),
      eventSearch(page.query, kinds),
      chosen ? el("p", {}, `Showing only: ${chosen}. `, el("a", { href: "#/events" }, "Show all")) : "",
      dataTable(
        ["When", "What", "Who", "Where", "More"],
        incidents.map((one) => [
          formatTime(one.at),
          el("a", { href: `#/events?kind=${one.kind}` }, capitalize(one.said)),
          one.who,
          one.round
            ? el("a", { href: replayLink(one.table, one.round) }, `${one.table} · ${one.round}`)
            : one.table || one.place,
          capitalize(one.details),
        ]),
        { none: chosen ? "No such events." : "No significant events yet.", kind: "stacked" },
      ),
      incidents.length < MAX_EVENTS
        ? ""
        : el("p", {}, el("a", { href: `#/events?${olderQuery(page.query, incidents)}` }, "Older events")),
      exports
        ? el(
          "p",
          { class: "rows" },
          ["json", "csv"].map((format) =>
            el(
              "a",
              { class: "button", href: `/api/incidents/export?format=${format}`, download: `events.${format}` },
              `Export all (${format.toUpperCase()})`,
            )
          ),
        )
        : "",
    ),
    thresholdsPanel(page, thresholds),
    programPanel(await get("/api/program")),
  );
}

/** @param {ProgramResponse} program  the program files of this server */
function programPanel(program) {
  const unchanged = `All ${program.files} files are unchanged since ${
    program.approved ? "they were approved" : "the server started"
  }.`;
  const changed = `Changed since ${program.approved ? "they were approved" : "the server started"}: ${
    program.changed.join(", ")
  }. No table or round can be opened until the files are restored${
    program.approved ? "" : " or the server is restarted"
  }.`;
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Program"),
    el("p", {}, `headsup ${program.version}, SHA-256 `, el("code", {}, program.digest)),
    program.changed.length ? el("p", { class: "alarm" }, changed) : el("p", { class: "good" }, unchanged),
    el(
      "p",
      { class: "soft" },
      `Last checked ${formatTime(program.at)}. Every server checks daily, and before a table is opened.`,
    ),
  );
}

/** @param {URLSearchParams} query @param {IncidentResponse[]} incidents  newest first */
function olderQuery(query, incidents) {
  const next = new URLSearchParams(query);
  next.set("before", String(incidents[incidents.length - 1].number));
  return next;
}

/** @param {URLSearchParams} query @param {{kind: string, said: string}[]} kinds */
function eventSearch(query, kinds) {
  const choice = el(
    "select",
    { name: "kind" },
    el("option", { value: "" }, "All"),
    kinds.map(({ kind, said }) =>
      el("option", { value: kind, selected: kind === query.get("kind") }, capitalize(said))
    ),
  );
  /** @param {string} name @param {string} text */
  const field = (name, text) =>
    el("label", {}, el("span", {}, text), el("input", { name, value: query.get(name) ?? "" }));
  const form = el(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/events?${formQuery(form)}`;
      },
    },
    el("label", {}, el("span", {}, "What"), choice),
    field("who", "Who"),
    field("table", "Table"),
    el("button", { class: "main" }, "Find"),
  );
  return form;
}
