// The dealer's console: shows the table and the next step, and sends the dealer's commands.

/** @import { State } from "../lib/state.js" */

import { Connection } from "../lib/connection.js";
import { dealerView } from "../lib/dealer-view.js";
import { el, fill, find, setShown } from "../lib/dom.js";
import { Declined, get, post, retryUntilReached } from "../lib/http.js";
import { formatMoney } from "../lib/money.js";
import { readAddress, whoAmI } from "../lib/session.js";
import {
  askApproval,
  drawBar,
  drawConnection,
  drawEntry,
  drawRefused,
  LOGGED_OUT,
  staffOnlyNotice,
} from "../lib/staff-page.js";
import * as state from "../lib/state.js";
import { capitalize, withSpaces } from "../lib/text.js";
import { drawDue, dueOf } from "./due-bar.js";
import { drawSheet, pressDigit, SHEET_NAMES } from "./sheets.js";

const LIST_MILLISECONDS = 3000; // how often the list of tables is loaded
const MAX_LOG_LINES = 80;
const LINKS = [["/office", "Office"], ["#/", "Tables"]];

let now = state.INITIAL;
/** @type {import("./due-bar.js").Due | null} */
let due = null; // the next step
let sheet = "pay";
let typing = { text: "", places: null, wrong: null, complete: false };
let isPausing = false; // the dealer is typing the reason
/** @type {any} */
let chosen = null; // the irregularity that is being reported
let displayLink = "";
/** @type {any} */
let pace = null; // of automatic dealing, if any

const connection = new Connection({
  message: (message) => {
    change(state.receive(now, message));
    if (message.type === "view") loadHistory(message.table, message.index);
  },
  status: (status) => change(state.setStatus(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: "dealer", with: requestedParts() },
});

/** What would be the result of each irregularity is sent only while its sheet is open. */
function requestedParts() {
  return sheet === "irregularity" ? ["irregularities"] : undefined;
}

/** @param {State} next */
function change(next) {
  const before = now;
  now = next;
  if (now.view !== before.view) takeDue();
  draw();
  if (now.events !== before.events) now.events.forEach((/** @type {any} */ event) => appendLog(event.say));
}

function draw() {
  drawBar(now.person, LINKS);
  drawConnection(now);
  drawRefused(now.refusal);
  setShown("entry", now.person === null && now.house !== null);
  setShown("choose", now.person !== null && now.table === null);
  setShown("desk", now.person !== null && now.view !== null);
  fill(
    "where",
    [now.table, now.view?.round?.number, now.view?.round?.phase, now.view?.round?.void],
    () => locationText(),
  );
  document.title = now.table ? `${now.table} · console` : "Console · headsup";
  if (now.person && now.table === null) drawTables();
  if (now.view === null) return;
  fill("title", now.table, () => `Table ${now.table}`);
  fill(
    "felt",
    [now.view, now.posted?.labels, due?.seats],
    () => now.view && dealerView(now.view, now.posted, { due: now.view.next ? [now.view.next.seat] : [] }),
  );
  drawDue(due, typing, isPausing, actions);
  drawSheet({ now, sheet, chosen, displayLink, pace }, actions);
}

function locationText() {
  if (!now.table) return "Console";
  const round = now.view?.round;
  return `${now.table}${round ? ` · round ${round.number} · ${round.void ? "void" : round.text}` : ""}`;
}

function drawTables() {
  fill(
    "tables",
    now.tables,
    () =>
      now.tables.length === 0
        ? el("li", { class: "panel" }, "No tables are open yet. Open one in the office.")
        : now.tables.map((table) =>
          el(
            "li",
            { class: "panel" },
            el("h2", {}, el("a", { href: `#/${encodeURIComponent(table.id)}` }, table.id)),
            el("p", {}, table.title),
            el(
              "p",
              { class: "soft" },
              `${Object.keys(table.players).length} of ${table.seats} seats taken · round ${table.round}`,
            ),
            table.waits ? el("p", { class: "bad" }, `Waiting: ${table.waits}.`) : "",
            table.meter ? el("p", {}, `Meter ${formatMoney(table.meter)}`) : "",
            ...table.notices.map((notice) => el("p", { class: "soft" }, notice)),
          )
        ),
  );
}

/** @param {any} line */
function appendLog(line) {
  if (!line) return;
  const log = find("log");
  log.prepend(el("p", {}, line));
  while (log.children.length > MAX_LOG_LINES) log.lastChild?.remove();
}

/** @type {string | null} */
let loadingHistory = null; // the table; it may be shown again before its history has arrived

/**
 * Fill the log with what happened before this console was opened, up to that entry.
 * @param {string} table @param {number} index
 */
async function loadHistory(table, index) {
  if (loadingHistory === table || find("log").childElementCount) return;
  loadingHistory = table;
  try {
    const history = await get(`/api/tables/${encodeURIComponent(table)}/lately?viewer=dealer`);
    if (now.table !== table || now.view === null) return;
    const lines = history.told.filter((/** @type {any} */ entry) => entry.index <= index).map((
      /** @type {any} */ entry,
    ) => entry.say);
    const room = MAX_LOG_LINES - find("log").childElementCount;
    find("log").append(
      ...lines.reverse().slice(0, Math.max(room, 0)).map((/** @type {any} */ line) => el("p", {}, line)),
    );
  } catch (error) {
    if (!(error instanceof Declined)) throw error; // the log then starts with the next event
  } finally {
    if (loadingHistory === table) loadingHistory = null;
  }
}

/** The next step is part of the view. */
function takeDue() {
  const wasEntering = !!due?.places;
  due = now.view === null ? null : dueOf(now.view);
  const isEntering = !!due?.places;
  if (isEntering && !wasEntering) {
    typing = { text: "", places: null, wrong: null, complete: false };
    queueMicrotask(() => find("cards")?.focus());
  }
  if (!isEntering) typing = { ...typing, text: "" };
}

/** Load the pace of the automatic dealer, which its sheet shows. */
async function loadPace() {
  if (now.view?.desk?.deals === "entered") return;
  pace = await get(path("pace")).catch(showRefusal) ?? null;
  draw();
}

/** @param {unknown} error */
function showRefusal(error) {
  if (!(error instanceof Declined)) throw error;
  if (error.code === "not_logged_in") logInAgain();
  else change(state.setRefusal(now, error.message));
}

/** @param {() => unknown} act */
async function attempt(act) {
  try {
    await act();
    change(state.setRefusal(now, ""));
    return true;
  } catch (error) {
    showRefusal(error);
    return false;
  }
}

// What the dealer can do.

const actions = {
  doDue: () => attempt(() => connection.askDue(tableName(), due?.key)).then((done) => done && rest()),
  previewCards: async (/** @type {string} */ text) => {
    typing = { ...typing, text };
    const preview = await post(path("cards/preview"), { text }).catch(showRefusal);
    if (!preview) return;
    if (typing.text !== text) return; // more was typed meanwhile
    typing = { text, ...preview };
    draw();
  },
  dealCards: (/** @type {string} */ text) =>
    attempt(() => connection.askDue(tableName(), due?.key, text)).then((done) => done && rest()),
  openSheet: (/** @type {string} */ name) => {
    const before = requestedParts();
    sheet = name;
    chosen = null;
    if (before !== requestedParts()) connection.watch();
    draw();
    find("panel").focus({ preventScroll: true });
    scrollIntoSight("tabs", "start");
    if (name === "pace") loadPace();
  },
  choose: (/** @type {any} */ irregularity) => {
    chosen = irregularity;
    draw();
  },
  report: async (/** @type {any} */ irregularity, /** @type {string} */ note) => {
    const command = {
      command: "ReportIrregularity",
      cause: irregularity.cause,
      dealer: "",
      supervisor: "",
      seat: irregularity.seat ?? null,
      resolution: irregularity.resolution,
      note,
    };
    const description = `${capitalize(withSpaces(irregularity.cause))}: ${withSpaces(irregularity.resolution)}${
      irregularity.seat === undefined ? "" : `, seat ${irregularity.seat}`
    }.`;
    const done = await askApproval(description, (approval) => connection.ask(tableName(), command, approval));
    if (!done) return;
    chosen = null;
    change(state.setRefusal(now, ""));
    find("due").focus({ preventScroll: true });
  },
  send: (/** @type {any} */ form, /** @type {any} */ command) => {
    if (!form.two_persons) return attempt(() => connection.ask(tableName(), command));
    return askApproval(form.label, (approval) => connection.ask(tableName(), command, approval)).then((done) => {
      if (done) change(state.setRefusal(now, ""));
      return done;
    });
  },
  setDealingMode: (/** @type {any} */ mode) => attempt(() => post(path("attendance"), mode)),
  setPace: (/** @type {any} */ seconds) =>
    attempt(() => post(path("pace"), { seconds })).then((done) => {
      if (done) loadPace();
    }),
  pause: (/** @type {string} */ reason) => {
    isPausing = false;
    return actions.setDealingMode({ paused: reason, by_hand: !!due?.byHand });
  },
  askReason: () => {
    isPausing = true;
    draw();
    /** @type {HTMLElement | null} */ (find("due").querySelector("[data-rest]"))?.focus();
  },
  cancelPause: () => {
    isPausing = false;
    draw();
    find("due").focus({ preventScroll: true });
  },
  makeDisplayLink: () =>
    attempt(async () => {
      const { key } = await post("/api/displays", { table: tableName() });
      displayLink = `${location.origin}/display#${encodeURIComponent(tableName())}/${key}`;
    }),
};

/** Put the focus on the next step, unless its cards are being typed. */
function rest() {
  if (!due?.places) find("due").focus({ preventScroll: true });
}

/** The table that the console shows. */
function tableName() {
  return now.table ?? "";
}

/** @param {string} rest */
function path(rest) {
  return `/api/tables/${encodeURIComponent(tableName())}/${rest}`;
}

/**
 * Scroll to an element only if it is out of sight: sheets may be beside or below the felt.
 * @param {string} id @param {ScrollLogicalPosition} block
 */
function scrollIntoSight(id, block) {
  const isHidden = () => {
    const { top, bottom } = find(id).getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
  };
  if (isHidden()) scrollTo({ top: 0 });
  if (isHidden()) find(id).scrollIntoView({ block });
}

const TYPING = "input, textarea, select, dialog[open]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || now.view === null) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (find("approval", HTMLDialogElement).open) return;
  if (event.key === "Escape") {
    if (isPausing) return actions.cancelPause();
    find("due").focus({ preventScroll: true });
    return scrollIntoSight("due", "nearest");
  }
  if (target.closest(TYPING)) return;
  if (event.key === " ") {
    if (target.closest("button, a, summary") && !target.closest("#due")) return;
    event.preventDefault();
    if (!event.repeat && due?.can && !due.paused) actions.doDue();
    return;
  }
  if (event.key.toLowerCase() === "b" && due) {
    event.preventDefault();
    return due.paused ? actions.setDealingMode({ paused: "", by_hand: !!due?.byHand }) : actions.askReason();
  }
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return pressDigit(event.key);
  }
  const chosenSheet = SHEET_NAMES.find(({ key }) => key === event.key.toLowerCase());
  if (chosenSheet) {
    event.preventDefault();
    actions.openSheet(chosenSheet.id);
  }
});

// Logging in, and choosing a table.

async function enter() {
  const person = await whoAmI();
  change(state.setVisitor(now, { person: person && person.role !== "player" ? person : null, demo: false }));
  drawRefused(staffOnlyNotice(person, "console"));
  if (now.person === null) return drawEntry(enter);
  await loadTables();
  followAddress();
  await (connection.hasEnded ? connection.reopen() : connection.open());
}

/** After the session has ended. */
async function logInAgain() {
  await enter().catch(() => {});
  change(state.setRefusal(now, LOGGED_OUT));
  drawRefused(LOGGED_OUT);
}

async function loadTables() {
  const tables = await get("/api/tables");
  change(state.setTables(now, tables));
}

function followAddress() {
  const table = readAddress().parts.join("/") || null;
  if (table === now.table) return;
  if (now.table !== null) connection.unwatch(now.table);
  find("log").replaceChildren();
  due = pace = null;
  displayLink = "";
  isPausing = false;
  change(state.watchAs(state.goTo(now, table), "dealer"));
  connection.watch();
  if (table === null) loadTables();
}

/** New tables may open while the list is on the page. */
setInterval(() => {
  if (!document.hidden && now.person !== null && now.table === null) loadTables().catch(() => {});
}, LIST_MILLISECONDS);

window.addEventListener("hashchange", followAddress);
await retryUntilReached(enter, drawRefused);
