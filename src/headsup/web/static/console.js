// The dealer's console: hears the table, shows what is due, and asks what the dealer wants.

import { Connection, Declined, get, newId, post, untilReached } from "./connection.js";
import { el, fill, find, show } from "./dom.js";
import { drawDue, houseDeals, isDoable } from "./duebar.js";
import { drawSheet, pressDigit, SHEET_NAMES } from "./sheets.js";
import { NO_METERS, takesTwo } from "./orders.js";
import { approved, drawBar, drawConnection, drawEntry, drawRefused, LOGGED_OUT, person, staffOnly } from "./staff.js";
import * as state from "./state.js";
import { tableDrawn } from "./table.js";
import * as words from "./words.js";

const LIST_EVERY = 3000; // milliseconds between two looks at the list of tables
const MOST_TOLD = 80;
const LINKS = [["/office", "Office"], ["#/", "Tables"]];

let now = state.INITIAL;
/** @type {any} */
let due = null; // what the server says is due
/** @type {any[]} */
let allowed = []; // what this person may ask
let sheet = "pay";
let typing = { text: "", places: null, wrong: null, complete: false };
let found = []; // irregularities that may be reported
let chosen = null;
let displayLink = "";
let paid = []; // what the dealer pays and takes in this round
let meters = NO_METERS;
let pace = null; // at which the house deals, where it does

const connection = new Connection({
  message: (message) => {
    const before = now.view;
    change(state.received(now, message));
    if (now.view !== before) look();
    if (message.type === "shown") recollect(message.table, message.index);
  },
  status: (status) => change(state.connected(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: "dealer", after: now.index },
});

function change(next) {
  const before = now;
  now = next;
  draw();
  if (now.events !== before.events) now.events.forEach((event) => tell(words.sentence(event, now)));
}

function draw() {
  drawBar(now.person, LINKS);
  drawConnection(now);
  drawRefused(now.refused);
  show("entry", now.person === null && now.house !== null);
  show("choose", now.person !== null && now.table === null);
  show("desk", now.person !== null && now.view !== null);
  fill("where", [now.table, now.view?.round?.number, now.view?.round?.phase, now.view?.round?.void], () => where());
  document.title = now.table ? `${now.table} · console` : "Console · headsup";
  if (now.person && now.table === null) drawTables();
  if (now.view === null) return;
  fill("title", now.table, () => `Table ${now.table}`);
  fill("felt", [now.view, now.posted?.labels, due?.seats], () => tableDrawn(now.view, now.posted, { due: due?.step === "resolve" ? due.seats : [] }));
  drawDue(due, now.view, typing, doing);
  drawSheet({ now, sheet, allowed, found, chosen, displayLink, paid, pace, meters, house: houseDeals(due) }, doing);
}

function where() {
  if (!now.table) return "Console";
  const round = now.view?.round;
  return `${now.table}${round ? ` · round ${round.number} · ${round.void ? "void" : words.phase(round.phase)}` : ""}`;
}

function drawTables() {
  fill("tables", now.tables, () =>
    now.tables.length === 0 ? el("li", { class: "panel" }, "No table is open yet: they are opened in the office.") : now.tables.map((table) =>
      el(
        "li",
        { class: "panel" },
        el("h2", {}, el("a", { href: `#/${encodeURIComponent(table.id)}` }, table.id)),
        el("p", {}, table.title),
        el("p", { class: "soft" }, `${Object.keys(table.players).length} of ${table.seats} seats taken · round ${table.round}`),
        table.waits ? el("p", { class: "bad" }, `Waits: ${table.waits}.`) : "",
        table.meter ? el("p", {}, `Meter ${words.money(table.meter)}`) : "",
        ...table.notices.map((one) => el("p", { class: "soft" }, one)),
      ),
    ),
  );
}

function tell(line) {
  if (!line) return;
  const told = find("told");
  told.prepend(el("p", {}, line));
  while (told.children.length > MOST_TOLD) told.lastChild?.remove();
}

/** @type {string | null} */
let recollecting = null; // a table may be shown again before its record has come

/** What happened before this console was switched on, from the record; up to that entry. */
async function recollect(table, index) {
  if (recollecting === table || find("told").childElementCount) return;
  recollecting = table;
  try {
    const found = await get(`/api/tables/${encodeURIComponent(table)}/lately?viewer=dealer`);
    const view = now.view;
    if (now.table !== table || view === null) return;
    const then = (one) => ({ ...now, view: { ...view, players: one.players, round: one.round } });
    const lines = found.told.filter((one) => one.index <= index).map((one) => words.sentence(one.event, then(one)));
    const room = MOST_TOLD - find("told").childElementCount;
    find("told").append(...lines.filter(Boolean).reverse().slice(0, Math.max(room, 0)).map((line) => el("p", {}, line)));
  } catch (error) {
    if (!(error instanceof Declined)) throw error; // it begins with what happens next
  } finally {
    if (recollecting === table) recollecting = null;
  }
}

// What the server says besides the view.

let looking = 0;

/** What is due at the table as it is now, and what may be reported. */
async function look() {
  const mine = ++looking;
  if (now.view === null || now.table === null) return;
  const table = encodeURIComponent(now.table);
  const settling = ["resolving", "settled", "closed"].includes(now.view.round?.phase ?? "");
  const [nextDue, nextFound, nextPaid, nextPace, nextMeters] = await Promise.all([
    get(`/api/tables/${table}/due`),
    sheet === "irregularity" ? get(`/api/tables/${table}/irregularities`) : found,
    settling ? get(`/api/tables/${table}/payouts`) : [],
    sheet === "pace" && houseDeals(due) ? get(`/api/tables/${table}/pace`) : pace,
    sheet === "meter" ? get(`/api/tables/${table}/meters`) : meters,
  ]).catch((error) => refused(error) ?? [null, [], [], null, NO_METERS]);
  if (mine !== looking) return;
  const begins = nextDue?.step === "enter_cards" && due?.step !== "enter_cards";
  due = nextDue;
  found = nextFound;
  paid = nextPaid;
  pace = nextPace;
  meters = nextMeters;
  if (begins) typing = { text: "", places: null, wrong: null, complete: false };
  if (nextDue?.step !== "enter_cards") typing = { ...typing, text: "" };
  draw();
  if (begins) find("cards").focus();
}

function refused(error) {
  if (!(error instanceof Declined)) throw error;
  if (error.code === "not_due_any_more") look();
  if (error.code === "not_logged_in") comeIn();
  else change(state.refused(now, error.message));
}

async function trying(act) {
  try {
    await act();
    change(state.refused(now, ""));
    return true;
  } catch (error) {
    refused(error);
    return false;
  }
}

// What the dealer wants.

const doing = {
  due: () => trying(() => post(path("due"), { id: newId(), key: due.key })).then((done) => done && find("due").focus({ preventScroll: true })),
  typed: async (text) => {
    typing = { ...typing, text };
    const said = await post(path("cards/preview"), { text });
    if (typing.text !== text) return; // more was typed meanwhile
    typing = { text, ...said };
    draw();
  },
  deal: (text) => trying(() => post(path("cards"), { id: newId(), text })).then((done) => done && find("due").focus({ preventScroll: true })),
  sheet: (name) => {
    sheet = name;
    chosen = null;
    draw();
    find("panel").focus({ preventScroll: true });
    bringUp("tabs", "start");
    if (["irregularity", "pace", "meter"].includes(name)) look();
  },
  choose: (one) => {
    chosen = one;
    draw();
  },
  report: async (one, note) => {
    const command = { command: "ReportIrregularity", cause: one.cause, dealer: "", supervisor: "", seat: one.seat, resolution: one.resolution, note };
    const what = `${words.capital(words.spaced(one.cause))}: ${words.spaced(one.resolution)}${one.seat === null ? "" : `, seat ${one.seat}`}.`;
    const done = await approved(what, (approval) => connection.ask(at(), command, approval));
    if (!done) return;
    chosen = null;
    change(state.refused(now, ""));
    find("due").focus({ preventScroll: true });
  },
  give: (order, command) => {
    if (!takesTwo(order, allowed)) return trying(() => connection.ask(at(), command));
    return approved(order.title, (approval) => connection.ask(at(), command, approval)).then((done) => {
      if (done) change(state.refused(now, ""));
      return done;
    });
  },
  stand: (standing) => trying(() => post(path("attendance"), standing)).then(look),
  pace: (seconds) => trying(() => post(path("pace"), { seconds })).then((done) => { if (done) look(); }),
  pause: (reason = "a short break") => doing.stand({ paused: reason, by_hand: due.by_hand }),
  display: () =>
    trying(async () => {
      const { key } = await post("/api/displays", { table: at() });
      displayLink = `${location.origin}/display#${encodeURIComponent(at())}/${key}`;
    }),
};

/** The table that the console is at. */
function at() {
  return now.table ?? "";
}

function path(rest) {
  return `/api/tables/${encodeURIComponent(at())}/${rest}`;
}

/** Scrolls only to what is out of sight: beside the felt a sheet is in sight, below it it is not. */
function bringUp(id, block) {
  const away = () => {
    const { top, bottom } = find(id).getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
  };
  if (away()) scrollTo({ top: 0 });
  if (away()) find(id).scrollIntoView({ block });
}

const TYPING = "input, textarea, select, dialog[open]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || now.view === null) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (find("approval", HTMLDialogElement).open) return;
  if (event.key === "Escape") {
    find("due").focus({ preventScroll: true });
    return bringUp("due", "nearest");
  }
  if (target.closest(TYPING)) return;
  if (event.key === " ") {
    if (target.closest("button, a, summary") && !target.closest("#due")) return;
    event.preventDefault();
    if (!event.repeat && isDoable(due) && !due.paused) doing.due();
    return;
  }
  if (event.key.toLowerCase() === "b" && due) {
    event.preventDefault();
    return due.paused ? doing.stand({ paused: "", by_hand: due.by_hand }) : doing.pause();
  }
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return pressDigit(event.key);
  }
  const named = SHEET_NAMES.find((one) => one.key === event.key.toLowerCase());
  if (named) {
    event.preventDefault();
    doing.sheet(named.id);
  }
});

// Coming in, and which table.

async function enter() {
  const who = await person();
  change(state.here(now, { person: who && who.role !== "player" ? who : null, demo: false }));
  drawRefused(staffOnly(who, "console"));
  if (now.person === null) return drawEntry(enter);
  allowed = await get("/api/orders");
  await list();
  arrive();
  await (connection.ended ? connection.again() : connection.open());
}

/** For who was logged out meanwhile. */
async function comeIn() {
  await enter().catch(() => {});
  change(state.refused(now, LOGGED_OUT));
  drawRefused(LOGGED_OUT);
}

async function list() {
  change(state.listed(now, await get("/api/tables")));
}

function arrive() {
  const match = /^#\/(.+)$/.exec(location.hash);
  const table = match ? decodeURIComponent(match[1]) : null;
  if (table === now.table) return;
  if (now.table !== null) connection.unwatch(now.table);
  find("told").replaceChildren();
  due = pace = null;
  meters = NO_METERS;
  displayLink = "";
  change(state.as(state.at(now, table), "dealer"));
  connection.watch();
  if (table === null) list();
}

/** While one chooses a table, others may be opened. */
setInterval(() => {
  if (!document.hidden && now.person !== null && now.table === null) list().catch(() => {});
}, LIST_EVERY);

window.addEventListener("hashchange", arrive);
await untilReached(enter, drawRefused);
