// Setting a table up: rule book, paytables with the house's edge beside each, limits, jackpot,
// options. The server checks every choice and says what it is worth; a supervisor approves.

import { Declined, get, newId, post } from "./connection.js";
import { el, fill, find, show, within } from "./dom.js";
import { bonusFields, bonusOf, withCells } from "./officebonus.js";
import { OWN, ownBook, showOwn } from "./officebook.js";
import { secondsFields } from "./pace.js";
import * as words from "./words.js";

const AGAIN = 1000; // milliseconds until a figure that is being computed is asked for again
const PAUSE = 250; // after the last change, before the server is asked
const NONE = "none"; // the paytable of a wager that is not offered
const SHUFFLES = { sealed: "from the shoe, sealed before the bets", operating_system: "from the shoe", entered: "real cards, typed by the dealer" };
const JACKPOT = ["jackpot_regime", "meter_seed", "meter_contribution", "meter_max", "progressive_stake", "percentage_awards", "reseed_floor"];
const LINKED = ["meter_seed", "meter_contribution"];
const BOUNDS = { min: "from", max: "to", step: "in steps of" };

export async function open(at) {
  const books = await get("/api/rulebooks");
  const whole = await get(`/api/rulebooks/${encodeURIComponent(books[0].id)}`);
  if (!at.alive()) return;
  const table = { at, books, floor: "", floorTyped: false, table: "", book: books[0].id, rules: books[0].id, used: 0, unread: false, shuffle: "sealed", clockwise: false, meter: "", pace: null, paytables: {}, bonus: {}, limits: {}, options: {}, whole, chosen: books[0].id, edges: [], computing: false, wrong: [], unlimited: [] };
  at.show(
    el(
      "form",
      { class: "setup", onsubmit: (event) => { event.preventDefault(); openIt(table); } },
      el("section", { class: "panel" }, el("h1", {}, "Set a table up"), el("p", { class: "soft" }, "* is required. All else is filled in and may be changed."), el("div", { class: "fields" }, first(table)), el("div", { id: "own", hidden: true }, ownBook((found) => owned(table, found)))),
      el("section", { class: "panel" }, el("h2", {}, "Paytables, and the house’s edge"), el("p", { class: "soft" }, "Of the Odds and Bad Beat: the main game’s edge per Ante, with the other paytables as chosen. A progressive’s is at its seed. What each pays stands below it."), el("div", { id: "choices" }), el("div", { id: "bonus" })),
      el("section", { class: "panel" }, el("h2", {}, "Limits ($)"), el("div", { id: "limits" })),
      el("section", { class: "panel" }, el("h2", {}, "Jackpot"), el("div", { id: "jackpot", class: "fields" })),
      el("section", { class: "panel", id: "pace-panel", hidden: true }, el("h2", {}, "Pace (seconds)"), el("p", { class: "soft" }, "At which the house deals. How long a decision is waited for is among the further options."), el("div", { id: "pace", class: "fields" })),
      el("section", { class: "panel" }, el("details", {}, el("summary", {}, "Further options, each with its clause"), el("div", { id: "options", class: "fields" }))),
      el("section", { class: "panel" }, el("div", { id: "checked", role: "status" }), el("div", { class: "actions" }, el("button", { class: "main", id: "open", disabled: true }, "Open the table"), el("small", {}, "with a supervisor’s approval"))),
    ),
  );
  use(table, whole, table.book);
}

/** What every table has: where it is, by which book, and whose cards. */
function first(table) {
  const text = (name, label, typed) =>
    el("label", {}, el("span", {}, `${label} *`), el("input", { name, required: true, maxlength: 60, "data-field": name, oninput: (event) => { typed(event.target.value); changed(table); } }), beside(name));
  const choice = (name, label, options, then) =>
    el("label", {}, el("span", {}, label), el("select", { name, onchange: (event) => then(event.target.value) }, options.map(([value, said]) => el("option", { value, selected: table[name] === value }, said))));
  return [
    text("table", "Name of the table", (typed) => named(table, typed.trim())),
    text("floor", "Floor (tables that share a meter)", (typed) => Object.assign(table, { floor: typed.trim(), floorTyped: typed !== "" })),
    choice("book", "Rule book", [...table.books.map((book) => [book.id, `${book.id}: ${book.title}`]), [OWN, "one’s own: a TOML file …"]], (id) => choose(table, id)),
    choice("shuffle", "Cards", Object.entries(SHUFFLES), (value) => { table.shuffle = value; changed(table); }),
    choice("clockwise", "Players act", [["", "all at once"], ["yes", "in turn"]], (value) => { table.clockwise = value === "yes"; changed(table); }),
    el("label", {}, el("span", {}, "Linked to the meter"), el("select", { name: "meter", id: "meters", onchange: (event) => { table.meter = event.target.value; changed(table); } }, el("option", { value: "" }, "none: its own"))),
  ];
}

/** The floor is called as the table, as far as a floor may be, until somebody types another. */
function named(table, name) {
  table.table = name;
  if (table.floorTyped) return;
  table.floor = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  within(find("page"), "input[name=floor]", HTMLInputElement).value = table.floor;
}

/** Where it is said what is wrong with a field. */
function beside(field) {
  return el("small", { class: "bad wrong", id: `wrong ${field}`.replaceAll(" ", "-"), "data-wrong": field });
}

/** A book of the list; one's own is used once its text is read and right. */
async function choose(table, id) {
  table.chosen = id;
  showOwn(id === OWN);
  if (id === OWN) return unread(table);
  const whole = await get(`/api/rulebooks/${encodeURIComponent(id)}`);
  if (table.at.alive() && table.chosen === id) use(table, whole, id); // a book that came late does not replace a later choice
}

/** What came of one's own text, unless a book of the list was chosen meanwhile. */
function owned(table, found) {
  if (table.chosen !== OWN) return;
  if (found.book) use(table, found.book, found.rules);
  else unread(table);
}

/** Nothing is opened by the book that was chosen before, while one's own is not read or not right. */
function unread(table) {
  table.unread = true;
  changed(table);
}

/** @param {any} whole the book @param {string} rules its id, or the text of one's own */
function use(table, whole, rules) {
  const used = table.used + 1; // so that every field is drawn anew
  Object.assign(table, { book: whole.id, rules, whole, used, unread: false });
  const { limits: suggested, ...options } = table.whole.suggested;
  Object.assign(table, { paytables: {}, bonus: {}, limits: structuredClone(suggested), options, edges: [] });
  fill("limits", used, () => limits(table));
  const open = Object.entries(table.whole.options).filter(([, option]) => option.open);
  fill("jackpot", used, () => open.filter(([key]) => JACKPOT.includes(key)).map(([key, option]) => optionField(key, option, table)));
  fill("options", used, () => open.filter(([key]) => !JACKPOT.includes(key)).map(([key, option]) => optionField(key, option, table)));
  changed(table);
}

function drawChoices(table) {
  const { paytables, labels, in_use, offers } = table.whole;
  fill("choices", [table.used, table.edges, table.computing, table.paytables], () =>
    Object.entries(paytables).map(([key, tables]) =>
      el(
        "fieldset",
        {},
        el("legend", {}, labels[key] ?? words.titled(key)),
        el(
          "div",
          { class: "choice" },
          tables.map((one) => el("div", {}, paytable(table, key, one.id, table.paytables[key] ?? in_use[key]), pays(one))),
          offers.includes(key) ? el("div", {}, paytable(table, key, NONE, table.paytables[key] ?? in_use[key])) : "",
        ),
        beside(`paytables.${key}`),
      ),
    ),
  );
  // Drawn anew only for other cells, so that nobody is disturbed who types.
  fill("bonus", [table.used, withCells(table)], () => bonusFields(table, beside, () => changed(table)));
  drawWrong(table.wrong);
}

function paytable(table, key, id, current) {
  const choose = () => {
    table.paytables = { ...table.paytables, [key]: id };
    changed(table);
  };
  return el(
    "label",
    {},
    el("input", { type: "radio", name: `paytable ${key} ${id}`, checked: id === current, onchange: choose }),
    id === NONE ? "not offered" : id,
    id === NONE ? "" : edge(table, key, id),
  );
}

function pays(one) {
  return el("ul", { class: "pays" }, one.rows.filter((row) => !row.never_paid).map((row) => el("li", {}, el("span", {}, row.label), el("span", {}, row.printed ? words.pays(row.printed, one.basis) : "–"))));
}

function edge(table, key, id) {
  const found = table.edges.find((one) => one.key === key && one.id === id);
  if (found?.edge?.startsWith("-")) return el("strong", { class: "edge bad" }, `${found.edge.replace("-", "−")}: the players’ edge`);
  if (found?.edge) return el("span", { class: "edge" }, found.edge);
  if (found && key === "progressive" && !seeded(table)) return el("span", { class: "edge computing" }, table.meter ? "as its meter stands" : "needs a seed");
  if (found) return el("span", { class: "edge computing" }, "cells are open");
  return el("span", { class: "edge computing" }, table.computing ? "computing …" : "");
}

function seeded(table) {
  return "meter_seed" in command(table).options || Number(table.whole.options.meter_seed?.value) > 0;
}

function limits(table) {
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Wager"), Object.values(BOUNDS).map((head) => el("th", { scope: "col" }, head)), el("td", {}))),
    el(
      "tbody",
      {},
      ["ante", ...table.whole.offers.filter((wager) => wager !== "progressive")].map((wager) =>
        el("tr", {}, el("th", { scope: "row" }, table.whole.labels[wager] ?? wager), Object.entries(BOUNDS).map(([bound, said]) => el("td", {}, limitField(table, wager, bound, said), beside(`limits.${wager}.${bound}`))), el("td", {}, beside(`limits.${wager}`))),
      ),
    ),
  );
}

function limitField(table, wager, bound, said) {
  const typed = (event) => {
    const { [bound]: _, ...rest } = table.limits[wager] ?? {};
    table.limits[wager] = event.target.value ? { ...rest, [bound]: event.target.value } : rest;
    changed(table);
  };
  const given = table.whole.limits[wager]?.[bound];
  return el("input", { inputmode: "decimal", value: table.limits[wager]?.[bound] ?? "", "data-field": `limits.${wager}.${bound}`, placeholder: given ?? "none", "aria-label": `${table.whole.labels[wager] ?? wager} ${said}`, oninput: typed });
}

/** An option in the form its book gives it: a choice, or a text of the same kind. */
function optionField(key, option, table) {
  const set = (value) => {
    const { [key]: _, ...rest } = table.options;
    table.options = value === undefined ? rest : { ...rest, [key]: value };
    changed(table);
  };
  const closed = (table.whole.choices[key] ?? []).filter((one) => one !== option.value);
  const others = option.may_be.length ? option.may_be : closed;
  const choices = others.length ? [option.value, ...others] : null;
  const input = choices
    ? el("select", { name: key, "data-field": `options.${key}`, onchange: (event) => set(event.target.value === "0" ? undefined : choices[Number(event.target.value)]) }, choices.map((one, at) => el("option", { value: at }, shown(one))))
    : el("input", { name: key, "data-field": `options.${key}`, value: table.options[key] ?? "", placeholder: shown(option.value), oninput: (event) => set(event.target.value ? like(option.value, event.target.value) : undefined) });
  const about = table.whole.about[key];
  return el("label", {}, el("span", {}, `${words.capital(words.spaced(key))} (${option.clause})`), input, about ? el("small", { class: "soft" }, about) : "", beside(`options.${key}`));
}

function shown(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : words.spaced(String(value));
}

/** What was typed, as the kind of value that the book has there. */
function like(value, text) {
  if (Array.isArray(value)) return text.split(/[ ,]+/).filter(Boolean).map(Number);
  return typeof value === "number" ? Number(text) : text;
}

// What the server says of it.

let waiting = 0;

function changed(table) {
  drawChoices(table);
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    if (await check(table)) await value(table);
  }, PAUSE);
}

function command(table) {
  const limits = Object.fromEntries(Object.entries(table.limits).filter(([, bounds]) => Object.keys(bounds).length));
  const options = { ...table.options, ...(Object.keys(limits).length ? { limits } : {}) };
  const bonus = bonusOf(table);
  if (Object.keys(bonus).length) options.bonus = bonus;
  if (table.meter) LINKED.forEach((key) => delete options[key]); // the meter has its own
  return { command: "OpenTable", rules: table.rules, paytables: Object.entries(table.paytables), options, clockwise: table.clockwise, meter: table.meter, shuffle: table.shuffle };
}

/** Say what the server thinks of the choice; whether it has edges. */
async function check(table) {
  if (!table.at.alive()) return false;
  const named = table.table && table.floor;
  const tried = { floor: table.floor || "a-floor", table: table.table || "a table", command: command(table), pace: paceOf(table) };
  const said = await post("/api/tables/check", tried).catch(sentence);
  if (!table.at.alive()) return false;
  drawPace(table, said);
  const fit = !said.refused;
  table.wrong = said.wrong;
  const elsewhere = drawWrong(said.wrong);
  table.unlimited = said.unlimited;
  fill("checked", [elsewhere, fit, named, said.unlimited, table.unread], () => table.unread ? el("p", {}, "Choose your own rule book’s file, or paste its text and read it.") : [
    fit ? el("p", { class: "good" }, named ? "The table can be opened so." : "The choice is right; name the table and its floor.") : "",
    !fit && !elsewhere.length ? el("p", { class: "bad" }, "Not yet: see what is said beside the fields.") : "",
    ...elsewhere.map((one) => el("p", { class: "bad" }, one)),
    said.unlimited.length ? el("p", { class: "bad" }, el("strong", {}, "Warning: "), unlimited(table)) : "",
  ]);
  find("open").toggleAttribute("disabled", !fit || !named || table.unread);
  const meters = said.meters ?? [];
  fill("meters", meters, () => [el("option", { value: "" }, "none: its own"), ...meters.map((one) => el("option", { value: one, selected: one === table.meter }, one))]);
  if (!said.has_edges) {
    Object.assign(table, { asked: "", edges: [], computing: false });
    drawChoices(table);
  }
  return said.has_edges;
}

/** Seconds that somebody has typed; real cards are dealt at their dealer's own pace. */
function paceOf(table) {
  return table.shuffle === "entered" ? null : table.pace;
}

function drawPace(table, { usual_pace: usual, longest }) {
  show("pace-panel", table.shuffle !== "entered");
  if (!usual) return;
  fill("pace", usual, () => {
    const { shown, typed } = secondsFields({ seconds: table.pace ?? usual, usual, longest }, (step) => beside(`pace.${step}`));
    for (const field of shown) field.addEventListener("input", () => { table.pace = typed(); changed(table); });
    return shown;
  });
}

function sentence(error) {
  if (!(error instanceof Declined)) throw error;
  return { refused: error.message, meters: [], wrong: [{ field: "", message: error.message }], unlimited: [], has_edges: false };
}

/** Beside each field what is wrong with it; the sentences that have no field here. */
function drawWrong(wrong) {
  const page = find("page");
  const at = new Map(wrong.map((one) => [one.field, words.capital(one.message)]));
  const places = [...page.querySelectorAll("[data-wrong]")];
  for (const place of places) {
    const field = place.getAttribute("data-wrong") ?? "";
    const said = at.get(field) ?? "";
    if (place.textContent !== said) place.textContent = said;
    const input = page.querySelector(`[data-field="${field}"]`);
    for (const [name, value] of [["aria-invalid", "true"], ["aria-describedby", place.id]]) {
      if (said) input?.setAttribute(name, value);
      else input?.removeAttribute(name);
    }
  }
  const known = new Set(places.map((place) => place.getAttribute("data-wrong")));
  return wrong.filter((one) => !known.has(one.field)).map((one) => words.capital(one.message));
}

function unlimited(table) {
  const wagers = table.unlimited.map((wager) => table.whole.labels[wager] ?? wager);
  return `no highest stake on ${wagers.join(", ")}. Anybody may bet any amount there.`;
}

/** Ask for the edges until all are computed, as long as the choice is the same. */
async function value(table) {
  const { rules, paytables, options } = command(table);
  const asked = JSON.stringify([rules, paytables, options]);
  table.asked = asked;
  table.computing = true;
  while (table.at.alive() && table.asked === asked && table.computing) {
    const found = await post("/api/edges", { rules, paytables: Object.fromEntries(paytables), options }).catch(() => ({ computing: false, edges: table.edges }));
    if (table.asked !== asked || !table.at.alive()) return;
    table.edges = found.edges;
    table.computing = found.computing;
    drawChoices(table);
    if (found.computing) await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

async function openIt(table) {
  const opening = { id: newId(), floor: table.floor, table: table.table, command: command(table), pace: paceOf(table) };
  const done = await table.at.approved(`Open table ${table.table} by the rule book ${table.book}.${table.unlimited.length ? ` Warning: ${unlimited(table)}` : ""}`, (approval) => post("/api/tables", { ...opening, approval }));
  if (done) location.hash = "#/tables";
}
