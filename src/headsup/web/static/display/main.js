// TableVision, the display at a table: jackpot, paytables, limits, results, notices. Its address is
// `/display#T1/KEY`, with the key of a link that staff created, or `/display#T1` for logged-in users.

/** @import { State } from "../lib/state.js" */
/** @import { DisplayPages } from "../lib/wire.d.ts" */

import { Connection } from "../lib/connection.js";
import { el, fill, find, setShown } from "../lib/dom.js";
import { Declined, get, post } from "../lib/http.js";
import { formatMoney, formatPay } from "../lib/money.js";
import { readAddress, startPage, whoAmIOrGuest } from "../lib/session.js";
import "../lib/settings.js";
import * as state from "../lib/state.js";
import { capitalize, withSpaces } from "../lib/text.js";
import { drawRollingFigure } from "./rolling-figure.js";

const MAX_RESULTS = 3; // rounds whose results stay on the screen
const MESSAGE_MILLISECONDS = 12_000; // how long each of the house's messages is shown
const RELOAD_MILLISECONDS = 60_000; // how often those messages are loaded
const MIN_FIT = 0.4; // the smallest type, relative to the normal size

let now = state.watchAs(state.INITIAL, "tablevision");
/** @type {any[]} */
let results = [];
/** @type {string[]} */
let pages = []; // the house's messages, shown in turn
let page = 0;

const [table = "", key = ""] = readAddress().parts; // the table, and the key of a link
const connection = new Connection({
  message: (message) => {
    change(state.receive(now, message));
    if (message.type === "view") loadResults();
  },
  status: (status) => change(state.setStatus(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: now.viewer },
  ticket: key ? () => post("/api/displays/ticket", { key, table }) : undefined,
});

/** @param {State} next */
function change(next) {
  now = next;
  const last = now.view?.last;
  if (last && results[0]?.number !== last.number) results = [last, ...results].slice(0, MAX_RESULTS);
  draw();
}

/** Load the results of rounds from before this screen was switched on, or while it was offline. */
async function loadResults() {
  try {
    const path = `/api/tables/${encodeURIComponent(table)}/lately?viewer=tablevision`;
    const { rounds } = key ? await post("/api/displays/lately", { key, table }) : await get(path);
    const others = results.filter((result) =>
      rounds.every((/** @type {any} */ round) => round.number !== result.number)
    );
    results = [...others, ...rounds].sort((left, right) => right.number - left.number).slice(0, MAX_RESULTS);
    draw();
  } catch (error) {
    if (!(error instanceof Declined)) throw error; // the next round's results will then be the first
  }
}

/** Load the house's messages. If that fails, the old ones stay. */
async function loadMessages() {
  try {
    ({ pages } = key ? await post("/api/displays/pages/shown", { key }) : await get("/api/displays/pages"));
    draw();
  } catch (error) {
    if (!(error instanceof Declined || error instanceof TypeError)) throw error; // fetch throws TypeError when the network fails
  }
}

function showNextMessage() {
  page += 1;
  drawMessages();
}

function drawMessages() {
  fill("pages", pages, () => pages.map((message) => el("p", {}, message)));
  [...find("pages").children].forEach((message, index) => {
    message.className = index === page % pages.length ? "now" : "";
  });
}

function draw() {
  setShown("screen", now.view !== null);
  setShown("choose", now.view === null);
  if (now.refusal) showMessage(now.refusal);
  else if (now.status === "ended") showMessage(whyEnded());
  if (now.view === null || now.posted === null) return;
  const { view, posted } = now;
  document.title = `${view.table} · TableVision`;
  fill("name", view.table, () => `Heads Up Hold’em · ${view.table}`);
  fill(
    "phase",
    [view.round, view.paused],
    () => (view.paused
      ? `Paused: ${view.paused}`
      : view.round
      ? `Round ${view.round.number} · ${view.round.text}`
      : ""),
  );
  drawConnection();
  drawHero(view, posted);
  fill(
    "paytables",
    posted.paytables,
    () => posted.paytables.map((/** @type {any} */ table) => paytable(table, posted)),
  );
  fill("limits", [posted.limits, posted.raises, posted.cap], () => limits(posted));
  fill("results", results, () => lastResults());
  fill(
    "notices",
    [view.notices, view.meter?.notices],
    () =>
      (view.notices ?? []).filter((notice) => !view.meter?.notices.includes(notice)).map((notice) =>
        el("p", {}, notice)
      ),
  );
  drawMessages();
  fit();
}

/** Why the connection ended, and what to do. */
function whyEnded() {
  if (now.ended !== "replaced") return "This display’s link has expired. Create a new one at the console.";
  return "Another display is using this link. Create a separate link at the console, or reload to show the table here.";
}

function drawConnection() {
  const lost = now.status === "lost" || now.status === "ended";
  const why = now.status === "ended" ? whyEnded() : "No connection: this information may be out of date";
  fill("connection", [lost, why], () => (lost ? why : ""));
  find("connection").className = lost ? "lost" : "";
}

/** The meter, or the Ante's limits if there is none. @param {any} view @param {any} posted */
function drawHero(view, posted) {
  const meter = view.meter;
  if (!meter) {
    fill("hero", [posted.limits, view.prize], () => withoutMeter(posted));
    return;
  }
  const label = meter.prize === "bonus_jackpot" ? "Bonus Jackpot" : (posted.labels.progressive ?? "Progressive");
  fill("hero", [label, meter.frozen, meter.notices], () => [
    el("h2", {}, label),
    el("div", { class: meter.frozen ? "figure standing" : "figure", id: "figure", role: "img" }),
    meter.frozen ? el("p", { class: "standing" }, `Display frozen: ${meter.frozen}. The jackpot keeps growing.`) : "",
    ...meter.notices.map((/** @type {string} */ notice) => el("p", { class: "notice" }, notice)),
  ]);
  drawRollingFigure(find("figure"), formatMoney(meter.shows));
}

/** @param {any} posted */
function withoutMeter(posted) {
  const ante = posted.limits.find((/** @type {any} */ one) => one.wager === "ante");
  const bounds = [ante?.min, ante?.max].filter(Boolean).map(whole).join(" – ");
  return [el("h2", {}, posted.labels.ante ?? "Ante"), el("p", { class: "plain" }, bounds || "Heads Up Hold’em")];
}

/** Dollars, without cents if there are none: easier to read from far away. @param {string} amount */
function whole(amount) {
  return formatMoney(amount).replace(/\.00$/, "");
}

/** @param {any} posted @param {string} key */
function label(posted, key) {
  return posted.labels[key] ?? capitalize(withSpaces(key)).replace(/ \w/g, (one) => one.toUpperCase());
}

/** @param {any} table @param {any} posted */
function paytable(table, posted) {
  return el(
    "div",
    {},
    el("h2", {}, label(posted, table.key)),
    el(
      "table",
      { "aria-label": label(posted, table.key) },
      el("tbody", {}, table.rows.map((/** @type {{label: string, pays: string}} */ row) => payRow(row, table.basis))),
    ),
  );
}

/** @param {{label: string, pays: string}} row @param {string} basis */
function payRow(row, basis) {
  const pays = formatPay(row.pays, basis);
  return el("tr", {}, el("th", { scope: "row" }, row.label), el("td", {}, pays));
}

/** @param {any} posted */
function limits(posted) {
  const lines = posted.limits.map((/** @type {any} */ limit) => {
    const bounds = [limit.min, limit.max].filter(Boolean).map(whole).join(" – ");
    return `${label(posted, limit.wager)} ${bounds}`;
  });
  if (posted.progressive_stake) lines.push(`${label(posted, "progressive")} ${whole(posted.progressive_stake)}`);
  const raises = posted.raises.map((/** @type {any} */ one) =>
    `${one.street} ${one.multiples.map((/** @type {number} */ many) => `${many}×`).join(" ")}`
  );
  return [
    el("h2", {}, "Limits"),
    posted.limits.length || posted.single_wager_max ? "" : el("p", {}, "No limits are posted."),
    el("p", {}, lines.join(" · ")),
    el("p", {}, `${label(posted, "raise")}: ${raises.join(", ")} the ${label(posted, "ante")}`),
    posted.single_wager_max ? el("p", {}, `No single wager above ${whole(posted.single_wager_max)}`) : "",
    posted.cap ? el("p", { class: "cap" }, posted.cap.text) : "",
  ];
}

function lastResults() {
  return [
    el("h2", {}, "Last results"),
    results.length ? "" : el("p", {}, "The next round’s results will appear here."),
    el("ul", {}, results.map((result) => el("li", {}, resultLine(result)))),
  ];
}

/** @type {Record<string, string>} */
const OUTCOMES = { win: "wins", lose: "loses", push: "pushes", fold: "folded", void: "void" };

/** Folded and void hands were not played against the dealer's. @param {any} hand */
function outcomeText(hand) {
  const played = hand.result !== "fold" && hand.result !== "void";
  return `${played ? `${withSpaces(hand.category)} ` : ""}${OUTCOMES[hand.result]}`;
}

/** @param {any} result */
function resultLine(result) {
  const qualifies = result.qualifies === false ? " (does not qualify)" : "";
  return [
    `Round ${result.number}: dealer ${withSpaces(result.dealer)}${qualifies}`,
    ...result.hands.map((/** @type {any} */ hand) => [
      " · ",
      el("span", { class: hand.result }, `seat ${hand.seat} ${outcomeText(hand)}`),
      hand.award === "0.00" ? "" : el("span", { class: "award" }, ` ${formatMoney(hand.award)} from the meter`),
    ]),
  ].flat();
}

/** Reduce the type until everything that is posted fits: none of it may be cut off. */
function fit() {
  const screen = find("screen");
  const hero = find("hero");
  for (let size = 1; size > MIN_FIT; size -= 0.04) {
    document.documentElement.style.setProperty("--fit", size.toFixed(2));
    const fits = screen.scrollWidth <= screen.clientWidth && screen.scrollHeight <= innerHeight &&
      hero.scrollHeight <= hero.clientHeight + 1;
    const tables = find("paytables");
    if (fits && tables.scrollWidth <= tables.clientWidth) return;
  }
}

/** @param {string} text */
function showMessage(text) {
  find("said").textContent = text;
}

/** Choose a table, if the address names none. */
async function choose() {
  const tables = await get("/api/tables");
  showMessage("Which table is this display for?");
  fill(
    "tables",
    tables,
    () =>
      tables.map((/** @type {any} */ one) =>
        el("li", {}, el("a", { href: `#${encodeURIComponent(one.id)}` }, `${one.id} (${one.title})`))
      ),
  );
}

async function start() {
  if (!key && (await whoAmIOrGuest()) === null) {
    return showMessage("This display needs a link. Create one at the console, or log in there.");
  }
  if (!table) return choose();
  now = state.watchAs(state.goTo(now, table), "tablevision");
  await connection.open();
  await loadMessages();
  setInterval(loadMessages, RELOAD_MILLISECONDS);
  setInterval(showNextMessage, MESSAGE_MILLISECONDS);
}

window.addEventListener("hashchange", () => location.reload());
window.addEventListener("resize", () => now.view && fit());

setShown("choose", true);
await startPage(start, showMessage);
