// TableVision, the display at a table: what is played for, what is paid, limits, results, notices.
// `/display#T1/KEY` with the key of a link that staff made, or `/display#T1` for who is logged in.

import { Connection, Declined, get, post, untilReached } from "./connection.js";
import { el, fill, find, show } from "./dom.js";
import { drawFigure } from "./figure.js";
import * as state from "./state.js";
import * as words from "./words.js";
import "./settings.js";

const MOST_RESULTS = 3; // rounds whose results stay on the screen
const PAGE = 12_000; // milliseconds that each of the house's own pages is shown
const LOOK = 60_000; // and after which they are asked for again
const SMALLEST = 0.4; // of the size that is meant, where very much is posted

let now = state.as(state.INITIAL, "tablevision");
let results = [];
let pages = []; // of the house, shown in turn
let page = 0;

const { table, key } = asked();
const connection = new Connection({
  message: (message) => {
    change(state.received(now, message));
    if (message.type === "shown") recollect();
  },
  status: (status) => change(state.connected(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: now.viewer, after: now.index },
  ticket: key ? () => post("/api/displays/ticket", { key }) : undefined,
});

/** The table and the key that the address names. */
function asked() {
  const [table = "", key = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { table, key };
}

function change(next) {
  now = next;
  const last = now.view?.last;
  if (last && results[0]?.number !== last.number) results = [last, ...results].slice(0, MOST_RESULTS);
  draw();
}

/** The rounds before this screen was switched on, or was away: from the record. */
async function recollect() {
  try {
    const path = `/api/tables/${encodeURIComponent(table)}/lately?viewer=tablevision`;
    const { rounds } = key ? await post("/api/displays/lately", { key, table }) : await get(path);
    const others = results.filter((one) => rounds.every((other) => other.number !== one.number));
    results = [...others, ...rounds].sort((one, other) => other.number - one.number).slice(0, MOST_RESULTS);
    draw();
  } catch (error) {
    if (!(error instanceof Declined)) throw error; // then the next round's results are the first
  }
}

/** What the house says itself; what was said stays where it cannot be asked for. */
async function ask() {
  try {
    ({ pages } = key ? await post("/api/displays/pages/shown", { key }) : await get("/api/displays/pages"));
    draw();
  } catch (error) {
    if (!(error instanceof Declined || error instanceof TypeError)) throw error; // the network's own is the latter
  }
}

function turn() {
  page += 1;
  ownPages();
}

function ownPages() {
  fill("pages", pages, () => pages.map((one) => el("p", {}, one)));
  [...find("pages").children].forEach((one, at) => {
    one.className = at === page % pages.length ? "now" : "";
  });
}

function draw() {
  show("screen", now.view !== null);
  show("choose", now.view === null);
  if (now.refused) said(now.refused);
  else if (now.status === "ended") said(whyEnded());
  if (now.view === null || now.posted === null) return;
  const { view, posted } = now;
  document.title = `${view.table} · TableVision`;
  fill("name", view.table, () => `Heads Up Hold’em · ${view.table}`);
  fill("phase", [view.round, view.paused], () => (view.paused ? `Paused: ${view.paused}` : view.round ? `Round ${view.round.number} · ${words.phase(view.round.phase)}` : ""));
  connectionLine();
  hero(view, posted);
  fill("paytables", posted.paytables, () => posted.paytables.map((one) => paytable(one, posted)));
  fill("limits", [posted.limits, posted.raises, posted.cap], () => limits(posted));
  fill("results", results, () => lastResults());
  fill("notices", [view.notices, view.meter?.notices], () =>
    (view.notices ?? []).filter((one) => !view.meter?.notices.includes(one)).map((one) => el("p", {}, one)),
  );
  ownPages();
  fit();
}

/** The last word on the screen, and who may bring it back. */
function whyEnded() {
  if (now.ended !== "replaced") return "This display’s link has ended: make a new one at the console.";
  return "Another display took this one’s place: make a link of its own at the console, or reload to show the table here.";
}

function connectionLine() {
  const lost = now.status === "lost" || now.status === "ended";
  const why = now.status === "ended" ? whyEnded() : "No connection: what is shown may be old";
  fill("connection", [lost, why], () => (lost ? why : ""));
  find("connection").className = lost ? "lost" : "";
}

/** The meter; without one, what it takes to play. */
function hero(view, posted) {
  const meter = view.meter;
  if (!meter) {
    fill("hero", [posted.limits, view.prize], () => withoutMeter(view, posted));
    return;
  }
  const label = meter.prize === "bonus_jackpot" ? "Bonus Jackpot" : (posted.labels.progressive ?? "Progressive");
  fill("hero", [label, meter.frozen, meter.notices], () => [
    el("h2", {}, label),
    el("div", { class: meter.frozen ? "figure standing" : "figure", id: "figure", role: "img" }),
    meter.frozen ? el("p", { class: "standing" }, `The meter stands still: ${meter.frozen}`) : "",
    ...meter.notices.map((one) => el("p", { class: "notice" }, one)),
  ]);
  drawFigure(find("figure"), words.money(meter.shows));
}

function withoutMeter(view, posted) {
  const ante = posted.limits.find((one) => one.wager === "ante");
  const bounds = [ante?.min, ante?.max].filter(Boolean).map(whole).join(" – ");
  return [el("h2", {}, posted.labels.ante ?? "Ante"), el("p", { class: "plain" }, bounds || "Heads Up Hold’em")];
}

/** Dollars without cents where there are none: read from far away. */
function whole(amount) {
  return words.money(amount).replace(/\.00$/, "");
}

function label(posted, key) {
  return posted.labels[key] ?? words.capital(words.spaced(key)).replace(/ \w/g, (one) => one.toUpperCase());
}

function paytable(one, posted) {
  return el(
    "div",
    {},
    el("h2", {}, label(posted, one.key)),
    el(
      "table",
      { "aria-label": label(posted, one.key) },
      el("tbody", {}, one.rows.map((row) => payRow(row, one.basis))),
    ),
  );
}

function payRow(row, basis) {
  const pays = words.pays(row.pays, basis);
  return el("tr", {}, el("th", { scope: "row" }, row.label), el("td", {}, pays));
}

function limits(posted) {
  const lines = posted.limits.map((limit) => {
    const bounds = [limit.min, limit.max].filter(Boolean).map(whole).join(" – ");
    return `${label(posted, limit.wager)} ${bounds}`;
  });
  if (posted.progressive_stake) lines.push(`${label(posted, "progressive")} ${whole(posted.progressive_stake)}`);
  const raises = posted.raises.map((one) => `${one.street} ${one.multiples.map((many) => `${many}×`).join(" ")}`);
  return [
    el("h2", {}, "Limits"),
    el("p", {}, lines.join(" · ")),
    el("p", {}, `${label(posted, "raise")}: ${raises.join(", ")} the ${label(posted, "ante")}`),
    posted.single_wager_max ? el("p", {}, `No wager above ${whole(posted.single_wager_max)}`) : "",
    posted.cap ? el("p", {}, `A round pays at most ${whole(posted.cap.amount)} per ${posted.cap.scope}`) : "",
  ];
}

function lastResults() {
  return [
    el("h2", {}, "Last results"),
    results.length ? "" : el("p", {}, "The next round’s results come here."),
    el("ul", {}, results.map((one) => el("li", {}, resultLine(one)))),
  ];
}

const OUTCOMES = { win: "wins", lose: "loses", push: "pushes" };

/** A hand that was folded, or is void, was not played against the dealer's. */
function cameTo(hand) {
  if (hand.folded) return "folded";
  return hand.result === "void" ? "void" : `${words.spaced(hand.category)} ${OUTCOMES[hand.result]}`;
}

function resultLine(one) {
  const qualifies = one.qualifies ? "" : " (does not qualify)";
  return [
    `Round ${one.number}: dealer ${words.spaced(one.dealer)}${qualifies}`,
    ...one.hands.map((hand) => [
      " · ",
      el("span", { class: hand.result }, `seat ${hand.seat} ${cameTo(hand)}`),
      hand.award === "0.00" ? "" : el("span", { class: "award" }, ` ${words.money(hand.award)} of the meter`),
    ]),
  ].flat();
}

/** Smaller type until everything that is posted is on the screen: nothing of it may be cut off. */
function fit() {
  const screen = find("screen");
  const hero = find("hero");
  for (let size = 1; size > SMALLEST; size -= 0.04) {
    document.documentElement.style.setProperty("--fit", size.toFixed(2));
    const fits = screen.scrollWidth <= screen.clientWidth && screen.scrollHeight <= innerHeight && hero.scrollHeight <= hero.clientHeight + 1;
    const tables = find("paytables");
    if (fits && tables.scrollWidth <= tables.clientWidth) return;
  }
}

function said(text) {
  find("said").textContent = text;
}

/** Without a table in the address, one is chosen. */
async function choose() {
  const tables = await get("/api/tables");
  said("Which table does this display hang over?");
  fill("tables", tables, () =>
    tables.map((one) => el("li", {}, el("a", { href: `#${encodeURIComponent(one.id)}` }, `${one.id} (${one.title})`))),
  );
}

async function start() {
  if (!key) {
    const here = await get("/api/here");
    if (here.person === null && here.demo) await post("/api/demo");
    else if (here.person === null) return said("This display needs a link: make one at the console, or log in there.");
  }
  if (!table) return choose();
  now = state.as(state.at(now, table), "tablevision");
  await connection.open();
  await ask();
  setInterval(ask, LOOK);
  setInterval(turn, PAGE);
}

window.addEventListener("hashchange", () => location.reload());
window.addEventListener("resize", () => now.view && fit());

show("choose", true);
try {
  await untilReached(start, said);
} catch (error) {
  if (!(error instanceof Declined)) throw error;
  said(error.message);
}
