// Money as the house sees it: what tables win beside what they should, the books, what happened.

import { Declined, get } from "./connection.js";
import { chosenIn, el } from "./dom.js";
import { holdChart } from "./holdchart.js";
import { listing } from "./listing.js";
import { link } from "./officerounds.js";
import { thresholds } from "./officelarge.js";
import { time } from "./replay.js";
import { tone } from "./table.js";
import * as words from "./words.js";

const AGAIN = 3000; // milliseconds until rules that are being solved are asked for again

/** Dollars with two places, whatever the server rounded away. */
function money(text) {
  const [whole, cents = ""] = text.split(".");
  return words.money(`${whole}.${cents.slice(0, 2).padEnd(2, "0")}`);
}

function percent(exact) {
  return exact ? `${(Number(exact.decimal) * 100).toFixed(2)}%`.replace("-", "−") : "";
}

// Win and hold.

export async function win(at) {
  const query = new URLSearchParams([...at.query].filter(([, value]) => value));
  const taken = await get(`/api/takings?${query}`);
  const played = taken.filter((one) => one.rounds);
  const theories = new Map();
  const draw = () =>
    at.show(
      el(
        "section",
        { class: "panel" },
        el("h1", {}, "Win and hold"),
        days(at.query),
        played.length ? holdChart(played.map((one) => chartRow(one, theories.get(one.table)))) : "",
        el("p", { class: "soft" }, "The band holds a table’s win about nineteen times in twenty, if every hand is played perfectly; what players do otherwise is the house’s gain. It is by a normal distribution, which means little after a few rounds: a table is judged only after enough of them."),
        summary(taken, theories),
      ),
      ...played.map((one) => byWager(one, theories.get(one.table))),
    );
  draw();
  await Promise.all(played.map(async (one) => {
    await theory(at, one.table, query, (found) => {
      theories.set(one.table, found);
      draw();
    });
  }));
}

/** What is expected of a table; its rules may have to be solved first. */
async function theory(at, table, query, then) {
  while (at.alive()) {
    try {
      return then(await get(`/api/tables/${encodeURIComponent(table)}/theory?${query}`));
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      if (error.code !== "being_solved") return then({ refused: error.message });
      then({ computing: true });
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

function chartRow(one, found) {
  const number = (text) => Number(text);
  const known = found && !found.refused && !found.computing;
  return {
    name: one.table,
    win: number(one.win),
    shown: money(one.win),
    ...(known ? { low: number(found.low), high: number(found.high), expected: number(found.expected), within: found.judged ? found.within : undefined, band: [money(found.low), money(found.high)] } : {}),
  };
}

function summary(taken, theories) {
  return listing(
    ["Table", "Rounds", "Drop", "Handle", "Win", "Hold", "Expected", "Nineteen in twenty", ""],
    taken.map((one) => {
      const found = theories.get(one.table);
      const known = found && !found.refused && !found.computing;
      return [
        one.table,
        rounds(one.table, String(one.rounds)),
        money(one.drop),
        money(one.handle),
        el("span", { class: tone(one.win) }, money(one.win)),
        one.rounds ? percent(one.hold) : "",
        known ? money(found.expected) : one.rounds ? waits(found) : "",
        known ? `≈ ${money(found.low)} … ${money(found.high)}` : "",
        one.rounds ? verdict(known ? found : null) : el("span", { class: "soft" }, "no rounds yet"),
      ];
    }),
    { none: "Nothing was played in these days." },
  );
}

function verdict(theory) {
  if (!theory) return "";
  if (!theory.judged) return el("span", { class: "soft" }, `judged from ${theory.judged_from} rounds on`);
  return theory.within ? el("span", { class: "good" }, "within") : el("strong", { class: "bad" }, "outside");
}

function waits(found) {
  return found?.refused ?? el("span", { class: "soft" }, "computing …");
}

function byWager(one, found) {
  const theory = found?.wagers ?? {};
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, `${one.table}, by wager`),
    listing(
      ["Wager", "Hands", "Handle", "Win", "Paid by the meter", "Edge", "Expected"],
      [...Object.entries(one.wagers).map(([wager, line]) => [
        words.titled(wager),
        rounds(one.table, String(line.hands)),
        money(line.handle),
        el("span", { class: tone(line.win) }, money(line.win)),
        line.award === "0.00" ? "" : money(line.award),
        percent(theory[wager]?.house_edge),
        theory[wager] ? money(theory[wager].expected) : "",
      ]), ...besides(one, found)],
    ),
    theory.ante ? el("p", { class: "soft" }, "The Ante’s edge is of Ante, Odds and Raise together.") : "",
    theory.progressive ? el("p", { class: "soft" }, "The Progressive’s edge is of its fixed pays alone, without what goes onto the meter or is paid by it.") : "",
    el("p", { class: "soft" }, "Wagers count when their round is closed, what they put onto a meter from “no more bets” on: while a round is played its contributions are here already, in the win and in what is expected."),
    el("p", {}, `Cashed out ${money(one.cashed_out)}.`),
  );
}

/** What is no wager and part of the win; then the win, to which the rows add up. */
function besides(one, found) {
  const row = (text, win, expected) => [text, "", "", el("span", { class: tone(win) }, money(win)), "", "", expected];
  const known = found?.expected !== undefined;
  return [
    ...[["Onto meters", one.contributed, true], ["Payouts corrected", one.corrected, false]]
      .filter(([, amount]) => Number(amount))
      .map(([text, amount, expected]) => row(text, negated(amount), known && expected ? money(negated(amount)) : "")),
    row(el("strong", {}, "Together, the win"), one.win, known ? money(found.expected) : ""),
  ];
}

function negated(amount) {
  return amount.startsWith("-") ? amount.slice(1) : `-${amount}`;
}

function rounds(table, text) {
  return el("a", { href: `#/rounds?table=${encodeURIComponent(table)}` }, text);
}

function days(query) {
  const day = (name, text) => el("label", {}, el("span", {}, text), el("input", { type: "date", name, value: query.get(name) ?? "" }));
  const form = el(
    "form",
    {
      class: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/win?${chosenIn(form)}`;
      },
    },
    day("since", "From"),
    day("until", "To before"),
    el("button", { class: "main" }, "Show"),
  );
  return form;
}

// The books.

export async function books(at) {
  const found = await get("/api/books");
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Books"),
      found.agree ? el("p", { class: "good" }, "Wallets, floors, trays and meters agree.") : el("div", { class: "alarm" }, found.differences.map((one) => el("p", {}, one))),
      el("p", {}, `${money(found.paid_in)} were paid in: ${money(found.in_wallets)} are in wallets, ${money(found.on_floors)} on floors.`),
      found.remarks.map((one) => el("p", { class: "soft" }, one)),
      el("p", { class: "soft" }, `At ${time(found.at)}`),
    ),
    ...found.floors.map((floor) => floorBooks(at, floor)),
  );
}

function floorBooks(at, floor) {
  const path = `/api/floors/${encodeURIComponent(floor.floor)}/export`;
  const kinds = { log: "Log, for headsup audit", csv: "CSV", json: "Lines of JSON", notation: "Rounds as text" };
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, `Floor ${floor.floor}`),
    el("p", { class: "soft" }, `${floor.entries} entries, chain ${floor.hash.slice(0, 16)}…, all accounts together ${money(floor.total)}`),
    listing(["Account", "Holds"], Object.entries(floor.accounts).map(([kind, held]) => [words.capital(words.spaced(kind)), money(held)])),
    meters(floor.meters),
    listing(
      ["Table", "Rounds", "Accounts"],
      floor.tables.map((table) => [table.table, rounds(table.table, String(table.rounds)), Object.entries(table.accounts).map(([kind, held]) => `${words.spaced(kind)} ${money(held)}`).join(", ")]),
    ),
    ["auditor", "administrator"].includes(at.who.role)
      ? el("p", { class: "rows" }, Object.entries(kinds).map(([kind, text]) => el("a", { class: "button", href: `${path}?format=${kind}`, download: `${floor.floor}.${kind}` }, text)))
      : "",
  );
}

function meters(found) {
  const names = Object.keys(found);
  if (!names.length) return "";
  const fields = ["pool", "reserve", "seeded", "contributed", "awarded", "adjusted"];
  return listing(
    ["Meter", ...fields.map(words.capital), ""],
    names.map((name) => [name, ...fields.map((field) => money(found[name][field])), found[name].frozen ? `frozen: ${found[name].frozen}` : found[name].ended ? "ended" : ""]),
    { caption: "pool + reserve = seeded + contributed − awarded + adjusted" },
  );
}

// Significant events.

const MOST_EVENTS = 200; // that the server lists at once

export async function events(at) {
  const found = await get(`/api/incidents?${at.query}`);
  const kinds = await get("/api/incidents/kinds");
  const only = kinds.find((one) => one.kind === at.query.get("kind"));
  const [who, table] = ["who", "table"].map((name) => at.query.get(name));
  const chosen = [only?.said, who ? `by ${who}` : "", table ? `at ${table}` : ""].filter(Boolean).join(", ");
  const large = await get("/api/thresholds");
  const exports = ["auditor", "administrator"].includes(at.who.role);
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Significant events"),
      eventSearch(at.query, kinds),
      chosen ? el("p", {}, `Only: ${chosen}. `, el("a", { href: "#/events" }, "All")) : "",
      listing(
        ["When", "What", "Who", "Where", "More"],
        found.map((one) => [
          time(one.at),
          el("a", { href: `#/events?kind=${one.kind}` }, words.capital(one.said)),
          one.who,
          one.round ? el("a", { href: link(one.table, one.round) }, `${one.table} · ${one.round}`) : one.table || one.place,
          words.capital(one.details),
        ]),
        { none: chosen ? "Nothing of that kind was found." : "Nothing of note has happened.", kind: "stacked" },
      ),
      found.length < MOST_EVENTS ? "" : el("p", {}, el("a", { href: `#/events?${older(at.query, found)}` }, "Older ones")),
      exports ? el("p", { class: "rows" }, ["json", "csv"].map((format) => el("a", { class: "button", href: `/api/incidents/export?format=${format}`, download: `events.${format}` }, `All, as ${format.toUpperCase()}`))) : "",
    ),
    thresholds(at, large),
    program(await get("/api/program")),
  );
}

/** @param {any} found what the server that answers is made of */
function program(found) {
  const same = `Its ${found.files} files are as they were ${found.approved ? "approved and signed" : "when it started"}.`;
  const not = `Not as ${found.approved ? "it was approved" : "when it was started"}: ${found.changed.join(", ")}. No table and no round is opened until it is put back${found.approved ? "" : " or started again"}.`;
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Program"),
    el("p", {}, `headsup ${found.version}, SHA-256 `, el("code", {}, found.digest)),
    found.changed.length ? el("p", { class: "alarm" }, not) : el("p", { class: "good" }, same),
    el("p", { class: "soft" }, `Read again at ${time(found.at)}; a server does so daily and before a table is opened.`),
  );
}

/** @param {URLSearchParams} query @param {any[]} found the newest first */
function older(query, found) {
  const next = new URLSearchParams(query);
  next.set("before", String(found[found.length - 1].number));
  return next;
}

/** @param {URLSearchParams} query @param {{kind: string, said: string}[]} kinds */
function eventSearch(query, kinds) {
  const choice = el(
    "select",
    { name: "kind" },
    el("option", { value: "" }, "All"),
    kinds.map(({ kind, said }) => el("option", { value: kind, selected: kind === query.get("kind") }, words.capital(said))),
  );
  const field = (name, text) => el("label", {}, el("span", {}, text), el("input", { name, value: query.get(name) ?? "" }));
  const form = el(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/events?${chosenIn(form)}`;
      },
    },
    el("label", {}, el("span", {}, "What"), choice),
    field("who", "Who"),
    field("table", "Table"),
    el("button", { class: "main" }, "Find"),
  );
  return form;
}
