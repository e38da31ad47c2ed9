// The dealer's page for a table with real cards: one line to type, or a pad to touch. The server reads the
// line and says what it means; this page only shows what the server knows.

import { face } from "../lib/cards.js";
import { el, fill, find, setShown } from "../lib/dom.js";
import { Declined, get, newId, post, retryUntilReached } from "../lib/http.js";
import { formatMoney } from "../lib/money.js";
import { becomeStaff, isDemo, startPage, whoAmI } from "../lib/session.js";
import { drawBar, drawEntry, drawRefused } from "../lib/staff-page.js";
import { capitalize, withSpaces } from "../lib/text.js";
import { drawPad } from "./pad.js";
import { reportIrregularity } from "./report.js";

/** @import { DealerScreenResponse, DealersMove, SeatOnFelt, TableResponse } from "../lib/wire.d.ts" */

const POLL_MILLISECONDS = 1500; // players with accounts decide on their own screens
const PREVIEW_MILLISECONDS = 120; // after the last key
const LINKS = [["/console", "Console"], ["/office", "Office"]];

/** @type {string} */
let table = "";
/** @type {DealerScreenResponse | null} */
let screen = null;
let meaning = { meaning: "", wrong: "" };
let isSending = false;
let previewTimer = 0;

const line = () => find("line", HTMLInputElement);
const address = (rest = "") => `/api/tables/${encodeURIComponent(table)}/deal${rest}`;

startPage(enter, drawRefused);

async function enter() {
  let person = await retryUntilReached(whoAmI, drawRefused);
  if (isDemo() && !mayDeal(person)) {
    await becomeStaff("dealer"); // the guest's seat and play money wait
    person = await whoAmI();
  }
  drawBar(person, LINKS);
  table = tableInAddress();
  setShown("entry", !mayDeal(person));
  if (!mayDeal(person)) return drawEntry(enter);
  if (table === "") return chooseTable();
  setShown("choose", false);
  await refresh();
  setShown("desk", screen !== null);
  line().focus();
}

/** The table that the address names; "" for none, or for one that cannot be read. */
function tableInAddress() {
  try {
    return decodeURIComponent(location.hash.replace(/^#\//, ""));
  } catch {
    return "";
  }
}

/** @param {{role: string} | null} person */
function mayDeal(person) {
  return person !== null && ["dealer", "supervisor"].includes(person.role);
}

/** Tables with real cards that are turned over. */
async function chooseTable() {
  /** @type {TableResponse[]} */
  const all = await get("/api/tables");
  const tables = all.filter((one) => one.real_cards);
  setShown("desk", false);
  setShown("choose", true);
  fill("choose", tables, () => [
    el("h1", {}, "Which table are you dealing?"),
    el(
      "ul",
      { class: "tables" },
      tables.map(({ id, title }) =>
        el("li", {}, el("a", { href: `#/${encodeURIComponent(id)}` }, id), ` ${title ?? ""}`)
      ),
    ),
    tables.length ? "" : el("p", {}, "No table has real cards that are turned over. Open one in the office."),
  ]);
}

addEventListener("hashchange", () => enter());

async function refresh() {
  if (table === "" || isSending) return;
  try {
    show(await get(address()));
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    drawRefused(error.message || withSpaces(error.code));
  }
}

setInterval(() => {
  if (screen !== null && !document.hidden) refresh();
}, POLL_MILLISECONDS);

/** @param {DealerScreenResponse} next */
function show(next) {
  if (isSending) return;
  const changed = screen === null || screen.key !== next.key;
  screen = next;
  draw();
  if (changed) preview();
}

/** Send the line, or the empty line for the step that is due. @param {string} text */
async function send(text) {
  if (isSending || screen === null) return;
  isSending = true;
  drawRefused("");
  try {
    const next = await post(address(), { id: newId(), key: screen.key, text });
    isSending = false;
    line().value = "";
    show(next);
  } catch (error) {
    isSending = false;
    if (!(error instanceof Declined)) throw error;
    await refresh();
    drawRefused(error.message || withSpaces(error.code));
  } finally {
    line().focus();
  }
}

/** Ask the server what the line means so far. */
function preview() {
  clearTimeout(previewTimer);
  const text = line().value;
  if (text.trim() === "") {
    meaning = { meaning: "", wrong: "" };
    drawMeaning();
    return;
  }
  previewTimer = setTimeout(async () => {
    const read = await post(address("/preview"), { text });
    if (line().value !== text) return;
    meaning = read;
    drawMeaning();
  }, PREVIEW_MILLISECONDS);
}

/** Put text at the end of the line, as a key of the pad does. @param {string} text */
function type(text) {
  line().value += text;
  typed();
}

function typed() {
  if (line().value === "=" && screen?.can_repeat) {
    send("=");
    return;
  }
  preview();
  draw();
}

document.addEventListener("DOMContentLoaded", listen);
if (document.readyState !== "loading") listen();

function listen() {
  const input = line();
  if (input.dataset.listens) return;
  input.dataset.listens = "yes";
  input.addEventListener("input", typed);
  input.addEventListener("keydown", (event) => {
    const empty = input.value === "";
    if (event.key === " " && empty) {
      event.preventDefault();
      if (screen?.space) send("");
    } else if (event.key === "Enter" && !empty) {
      event.preventDefault();
      send(input.value);
    } else if (event.key === "Escape") {
      input.value = "";
      typed();
    }
  });
}

// Drawing.

function draw() {
  const now = screen;
  if (now === null) return;
  setShown("desk", true);
  fill("title", now.table, () => `Table ${now.table}`);
  document.title = `${now.table} · deal`;
  const round = now.round ? ` · round ${now.round}` : "";
  const meter = now.meter ? ` · ${formatMoney(now.meter)}` : "";
  fill("where", [now.table, round, meter], () => `${now.table} · ${now.rules}${round}${meter}`);
  fill("prompt", [now.prompt, now.paused], () => now.paused ? `Paused: ${now.paused}` : now.prompt);
  fill("seats", [now.seats, now.free_seats, now.place, now.step], () => drawSeats(now));
  fill("shared", [now.board, now.dealer, now.all_6, now.dealer_hand], () => drawShared(now));
  fill("hand", [now.hands, now.step], () => drawHand(now));
  drawPad(now, line().value, { type, send, clear, report });
  drawMeaning();
}

async function report() {
  await reportIrregularity(table);
  await refresh();
  line().focus();
}

function clear() {
  line().value = "";
  typed();
}

function drawMeaning() {
  const text = meaning.wrong || meaning.meaning || (screen?.space ? `Space: ${screen.space}` : "");
  find("meaning").classList.toggle("wrong", meaning.wrong !== "");
  fill("meaning", text, () => capitalize(text));
}

/** @param {DealerScreenResponse} now */
function drawSeats(now) {
  const numbers = [...now.seats.map(({ seat }) => seat), ...now.free_seats].sort((one, other) => one - other);
  return numbers.map((number) => {
    const seat = now.seats.find((one) => one.seat === number);
    return seat ? drawSeat(seat, now.place) : drawFreeSeat(number, now.step);
  });
}

/** @param {number} seat @param {string} step */
function drawFreeSeat(seat, step) {
  return el(
    "article",
    { class: "seat" },
    el("h2", {}, el("b", {}, seat)),
    ["players", "open_round", "bets", "close_bets"].includes(step)
      ? el("button", { type: "button", name: `sit ${seat}`, onclick: () => send(`+${seat}`) }, "Seat a guest")
      : "",
  );
}

/** $25.00 as $25, because there is little room. @param {string} amount */
function brief(amount) {
  return formatMoney(amount).replace(/\.00$/, "");
}

/** @param {SeatOnFelt} seat */
function decisionText({ decision, stakes }) {
  const raised = stakes.find(({ wager }) => wager === "raise");
  return raised ? `${decision}: ${brief(raised.amount)}` : decision;
}

/** @param {SeatOnFelt} seat @param {string} place */
function drawSeat(seat, place) {
  const due = place === `seat ${seat.seat}`;
  return el(
    "article",
    { class: `seat${seat.owes ? " owes" : ""}${due ? " due" : ""}${seat.paid ? " paid" : ""}` },
    el("h2", {}, el("b", {}, seat.seat), seat.player),
    seat.stakes.filter(({ wager }) => wager !== "odds" && wager !== "raise").map(({ wager, label, amount }) =>
      el("p", {}, `${wager === "ante" ? "Ante, Odds" : label} ${brief(amount)}`)
    ),
    seat.decision ? el("p", { class: "decision" }, capitalize(decisionText(seat))) : "",
    seat.owes ? el("p", { class: "decision" }, "decides") : "",
    seat.waits.length ? el("p", {}, `Waits: ${seat.waits.join(", ")}`) : "",
    seat.cards.length ? el("div", { class: "cards" }, seat.cards.map((card) => face(card))) : "",
    seat.paid ? el("p", {}, "Paid") : "",
  );
}

/** @param {DealerScreenResponse} now */
function drawShared(now) {
  /** @param {string} name @param {string[]} cards */
  const place = (name, cards) =>
    cards.length
      ? el("div", {}, el("h2", {}, name), el("div", { class: "cards" }, cards.map((card) => face(card))))
      : "";
  return [
    place("Board", now.board),
    place(`Dealer${now.dealer_hand ? `: ${now.dealer_hand}` : ""}`, now.dealer),
    place("All 6", now.all_6),
    now.board.length + now.dealer.length ? "" : el("p", {}, "No card is face up."),
  ];
}

const MOVES = {
  pay: "PAY",
  take: "TAKE",
  push_back: "push back",
  tap: "push: tap",
  return: "GIVE BACK",
  waits: "waits",
  leave: "lost",
};

/**
 * The hand to pay; if there is none, those that needed no more, such as void ones.
 * @param {DealerScreenResponse} now
 */
function drawHand(now) {
  const open = now.hands.filter((hand) => !hand.paid);
  const shown = open.length ? open : now.step === "close" ? now.hands : [];
  if (shown.length === 0) return el("p", { class: "soft" }, "The hand to announce and pay is shown here.");
  return shown.map((hand) => [
    el("h2", {}, `Seat ${hand.seat}${hand.hand ? `: ${hand.hand}` : ""}`),
    el("ul", { class: "moves" }, hand.moves.map(drawMove)),
  ]);
}

/** @param {DealersMove} move */
function drawMove({ wager, label, move, amount, why, clause }) {
  const hasAmount = ["pay", "take", "return"].includes(move);
  const kind = move === "pay" || move === "return" ? "pay" : move === "take" ? "take" : "other";
  return el(
    "li",
    { "data-wager": wager, "data-move": move },
    el("span", { class: "wager" }, label),
    el(
      "span",
      { class: `move ${kind}` },
      hasAmount ? `${MOVES[move]} ${brief(amount)}` : MOVES[move],
    ),
    el("small", {}, `${why} (${clause})`),
  );
}
