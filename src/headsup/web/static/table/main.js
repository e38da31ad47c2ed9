// The table page: receives the server's messages, keeps the state, draws it and sends commands.

/** @import { State } from "../lib/state.js" */
/** @import { Draft } from "../lib/bets.js" */

import * as bets from "../lib/bets.js";
import { Connection } from "../lib/connection.js";
import { el, find } from "../lib/dom.js";
import { Declined, get, post, retryUntilReached } from "../lib/http.js";
import { centsOf } from "../lib/money.js";
import { remember, setting } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { clearLogoutNotice, logOut, logoutNotice } from "./account.js";
import { cycleMode, mountCoach, updateCoach } from "./coach.js";
import { trayChips } from "./dock.js";
import { draw } from "./draw.js";
import { SPOT_KEYS as SPOTS } from "./felt.js";
import { drawGuide, endGuide, isTipShown, startGuide } from "./guide.js";
import { freeSeat, tableLink } from "./lobby.js";
import * as motion from "./motion.js";
import { closePanel, drawPanel, isOpen, openPanel } from "./panels.js";
import * as sound from "./sound.js";

const REFRESH_MILLISECONDS = 1500; // how often the list of tables is loaded
const MAX_LOG_LINES = 60;
const REFUSAL_MILLISECONDS = 12_000; // how long a refusal lies over the felt

let now = state.INITIAL;
let chosen = 500; // the selected chip, in cents
/** @type {{table: string, seat: number | null, amount: number | null}} where chips are bought; with a seat to take first, or null; and how many cents are needed, if that is known */
let buying = { table: "", seat: null, amount: null };
let refusalTimer = 0;
let suggestedFor = ""; // the table and round for which bets were last suggested

const connection = new Connection({
  message: (message) => {
    change(state.receive(now, message));
    if (message.type !== "refusal") return;
    if (message.code === "not_your_view") watchAs("rail");
    if (message.code === "no_such_table" && now.view === null) leave(message.say);
  },
  status: (status) => change(state.setStatus(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: now.viewer },
});

/**
 * Take the next state: draw it, show its events, and switch to the player's own view once seated.
 * @param {State} next
 */
function change(next) {
  const before = now;
  now = withSuggestedBets(next);
  if (now.refusal !== before.refusal) hideRefusalLater();
  draw(now, actions, chosen);
  drawGuide(now, redraw);
  updateCoach(now);
  if (isOpen("fair") && now.view?.fair !== before.view?.fair && !find("panel").contains(document.activeElement)) {
    drawPanel(now, actions);
  }
  if (now.events !== before.events) now.events.forEach(showEvent);
  const turn = state.choices(now).length > 0 && state.choices(before).length === 0;
  if (turn) sound.playTurn();
  if (now.view !== before.view) watchOwnSeat();
}

/** A refusal disappears by itself, unless there is nothing else on the page. */
function hideRefusalLater() {
  clearTimeout(refusalTimer);
  if (now.refusal && (now.table === null || now.view !== null)) {
    refusalTimer = setTimeout(() => actions.dismissRefusal(), REFUSAL_MILLISECONDS);
  }
}

function redraw() {
  change({ ...now, events: [] });
}

/** @param {any} event */
function showEvent(event) {
  appendLog(event.say);
  motion.animate(event, now);
  sound.playEvent(event, now);
}

/** When betting opens, the bets of the last round are suggested. @param {any} next */
function withSuggestedBets(next) {
  const open = state.mayBet(next) && state.myHand(next) === null && next.posted && next.view.chips !== undefined;
  const moment = open ? `${next.table} ${next.view.round.number}` : "";
  if (moment === suggestedFor || !open) {
    if (state.myHand(next) !== null) suggestedFor = ""; // placed: if withdrawn, they are suggested again
    return next;
  }
  if (next.view.chips === "0.00") return next.view.coupons?.length ? next : { ...next, draft: bets.NO_BETS };
  suggestedFor = moment;
  const chips = centsOf(next.view.chips);
  const tray = trayChips(next.posted);
  if (!tray.includes(chosen)) chosen = tray[tray.length > 1 ? 1 : 0];
  return { ...next, draft: bets.suggestBets(next.lastBets, next.posted, next.view.offered, chips) };
}

function watchOwnSeat() {
  const seat = state.mySeat(now);
  watchAs(seat === null ? "rail" : `seat ${seat}`);
}

/** @param {string} viewer */
function watchAs(viewer) {
  if (viewer === now.viewer) return;
  now = state.watchAs(now, viewer);
  connection.watch();
}

/** @param {string} line */
function appendLog(line) {
  if (!line) return;
  const log = find("log");
  log.append(el("p", {}, line.replaceAll("−$", "−\u2060$"))); // no line break between the two
  while (log.children.length > MAX_LOG_LINES) log.firstChild?.remove();
  log.scrollTop = log.scrollHeight;
}

// What the user can do.

/** @param {Draft} draft */
function setDraft(draft) {
  if (draft !== now.draft && !draft.note) sound.playChips();
  change(state.setDraft(now, draft));
}

function chips() {
  return centsOf(now.view?.chips ?? "0");
}

const actions = {
  sit: (/** @type {string} */ table, /** @type {any} */ seat) =>
    attempt(async () => {
      const listed = now.tables.find((one) => one.id === table);
      if (now.table !== table && listed && state.mySeatAt(now, listed)) return go(table);
      if (now.house?.demo) await sitDown(table, seat, null);
      else askAmount(table, seat);
    }),
  buyIn: () => askAmount(now.table ?? "", null),
  buyInTable: () => buying.table,
  buy: (/** @type {number | null} */ amount) => {
    closePanel();
    const { table, seat } = buying;
    attempt(() => (seat === null ? buyIn(table, state.mySeat(now), amount) : sitDown(table, seat, amount)));
  },
  buyInToRaise: (
    /** @type {number} */ shortfall,
  ) => (now.house?.demo && now.person?.wallet === "0.00"
    ? actions.getPlayMoney()
    : askAmount(now.table ?? "", null, shortfall)),
  buyInAmount: () => buying.amount,
  getPlayMoney: () => attempt(() => buyIn(now.table ?? "", state.mySeat(now), null)),
  standUp: () => send({ command: "Leave", seat: state.mySeat(now) }).then(refresh),
  choose: (/** @type {number} */ value) => {
    chosen = value;
    redraw();
  },
  bet: (/** @type {string} */ wager) => setDraft(bets.add(now.draft, wager, chosen, now.posted, chips())),
  toggleCoupon: (/** @type {any} */ coupon) => setDraft(bets.toggleCoupon(now.draft, coupon, now.posted, chips())),
  removeBet: (/** @type {string} */ wager) => setDraft(bets.remove(now.draft, wager)),
  undo: () => setDraft(bets.undo(now.draft)),
  clear: () => setDraft(bets.clear(now.draft)),
  rebet: () => setDraft(bets.rebet(now.draft, now.lastBets, now.view?.offered ?? [], chips())),
  double: () => setDraft(bets.double(now.draft, now.posted, chips())),
  place: () =>
    state.isConnected(now) &&
    send({
      command: "PlaceBets",
      seat: state.mySeat(now),
      stakes: now.draft.stakes,
      coupons: bets.couponNumbers(now.draft),
    }),
  withdraw: () => state.isConnected(now) && send({ command: "WithdrawBets", seat: state.mySeat(now) }),
  decide: (/** @type {state.Decision} */ choice) => {
    if (state.mayDecide(now)) return send(/** @type {state.Sent} */ (choice.command));
  },
  addSeed: (/** @type {string} */ text) =>
    send({ command: "AddSeed", seat: state.mySeat(now), text }).then(() => drawPanel(now, actions)),
  open: (/** @type {string} */ name) => openPanel(name, now, actions),
  guide: () => {
    startGuide();
    redraw();
  },
  toggleSound: () => {
    remember("sound", setting("sound") === "on" ? "off" : "on");
    redraw();
    sound.playChips();
  },
  logOut: () => (isGuest() ? openPanel("leave", now, actions) : actions.logOutNow()),
  logOutNow: () => attempt(logOut),
  closePanel,
  attempt,
  cancelSending: () => connection.forgetUnanswered(),
  dismissRefusal: () => change(state.setRefusal(now, "")),
  dismissCorrection: () => change(state.dismissCorrection(now)),
  playHere: () => attempt(() => connection.reopen()),
  redraw,
};

/** Whether logging out is for good. */
function isGuest() {
  return !!now.house?.demo && now.person?.role === "player";
}

/** @param {string} table @param {any} seat @param {number | null} [amount] */
function askAmount(table, seat, amount = null) {
  buying = { table, seat, amount };
  openPanel("buy", now, actions);
}

/** @param {string} table @param {any} seat @param {number | null} amount */
async function sitDown(table, seat, amount) {
  const atTable = now.table === table; // then this very seat was chosen, not just the table
  if (atTable) find("own-title").focus();
  else go(table);
  const taken = atTable ? await sitAt(table, seat) : await sitAnywhere(table, seat);
  await buyIn(table, taken, amount);
}

/** @param {string} table @param {any} seat */
async function sitAt(table, seat) {
  await connection.ask(table, { command: "Sit", seat, player: now.person?.name });
  return seat;
}

/** If somebody else was quicker, take the next free seat. @param {string} table @param {any} seat */
async function sitAnywhere(table, seat) {
  try {
    return await sitAt(table, seat);
  } catch (error) {
    if (!(error instanceof Declined) || error.code !== "seat_taken") throw error;
    await refresh();
    const listed = now.tables.find((one) => one.id === table);
    const free = listed && freeSeat(listed);
    if (!free) throw error;
    return sitAt(table, free);
  }
}

/**
 * Buy chips. Without an amount, as for guests, it is what the table suggests or all that the wallet
 * holds; a guest with an empty wallet gets more play money first.
 * @param {string} table @param {any} seat @param {number | null} requested
 */
async function buyIn(table, seat, requested) {
  const suggested = centsOf(now.tables.find((one) => one.id === table)?.buy_in ?? "0");
  let wallet = centsOf(now.person?.wallet ?? "0");
  if (wallet === 0 && now.house?.demo) wallet = centsOf((await post("/api/demo/money")).wallet);
  const amount = requested ?? Math.min(suggested, wallet);
  await connection.ask(table, { command: "BuyIn", seat, amount });
  await refresh();
}

/** @param {any} command */
async function send(command) {
  change(state.setSending(now, command));
  await attempt(() => connection.ask(now.table ?? "", command));
  if (now.sending === command) change(state.setSending(now, null));
}

/** @param {() => unknown} act */
async function attempt(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    change(state.setRefusal(now, error.message));
  }
}

// Navigation: the address names the lobby or a table.

/** @param {string} table */
function go(table) {
  history.pushState(null, "", table === null ? "#/" : tableLink(table));
  followAddress();
  find("table-title").focus();
}

/** Back to the lobby, which shows why. @param {string} sentence */
function leave(sentence) {
  history.replaceState(null, "", "#/");
  followAddress();
  change(state.setRefusal(now, sentence));
}

function tableInAddress() {
  const match = /^#\/table\/(.+)$/.exec(location.hash);
  try {
    return match ? decodeURIComponent(match[1]) : null;
  } catch {
    return null; // not a valid address
  }
}

function followAddress() {
  const table = tableInAddress();
  if (table === now.table) return;
  if (now.table !== null) connection.unwatch(now.table);
  find("log").replaceChildren();
  suggestedFor = "";
  change(state.goTo(now, table));
  connection.watch();
}

/** Load who is logged in, and the tables. */
async function refresh() {
  const visitor = await get("/api/here");
  change(state.setVisitor(now, visitor)); // messages may have changed `now` meanwhile
  if (now.person === null) return;
  const tables = await get("/api/tables");
  change(state.setTables(now, tables));
}

async function enter() {
  await refresh();
  if (now.person !== null) clearLogoutNotice();
  if (now.person === null && now.house?.demo && !logoutNotice()) {
    await post("/api/demo");
    await refresh();
  }
  if (now.person !== null) await connection.open();
}

find("log-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const fields = new FormData(form);
  attempt(async () => {
    await post("/api/login", { name: fields.get("name"), password: fields.get("password") });
    form.reset();
    change(state.setRefusal(now, ""));
    await enter();
  });
});

/** @param {boolean} open */
function openMenu(open) {
  find("tools").classList.toggle("open", open);
  find("menu").setAttribute("aria-expanded", String(open));
}
find("menu").addEventListener("click", () => openMenu(!find("tools").classList.contains("open")));
find("tools").addEventListener("click", () => openMenu(false));
find("main").addEventListener("pointerdown", () => openMenu(false));

find("panel-close").addEventListener("click", closePanel);

// Keys. What a key does depends on the moment of the game.

/** @type {Record<string, "undo" | "clear" | "rebet" | "double">} */
const BET_KEYS = { z: "undo", x: "clear", b: "rebet", d: "double" };

/** What a key does now, if anything. @returns {(() => void) | null} @param {string} key @param {boolean} onControl */
function actionOfKey(key, onControl) {
  const choices = state.choices(now);
  const choice = choices.find((each) => each.keys?.includes(key));
  if (choice) return () => actions.decide(choice);
  if (key === "k" && state.mySeat(now) !== null) return cycleMode;
  if (!state.mayBet(now) || state.myHand(now) !== null || !now.posted) return null;
  const chip = trayChips(now.posted)[Number(key) - 1];
  if (chip && key !== "6") return () => actions.choose(chip);
  const spot = Object.keys(SPOTS).find((wager) =>
    SPOTS[wager] === key && now.view?.offered.includes(/** @type {state.Wager} */ (wager))
  );
  if (spot) return () => actions.bet(spot);
  if (key === "Enter" && !onControl && now.draft.stakes.ante) return actions.place;
  return BET_KEYS[key] ? actions[BET_KEYS[key]] : null;
}

document.addEventListener("keydown", (event) => {
  motion.skip();
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (find("panel").hasAttribute("open")) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, textarea, select")) return;
  if (event.key === "Escape" && find("tools").classList.contains("open")) {
    openMenu(false);
    find("menu").focus();
    return;
  }
  if (event.key === "Escape" && isTipShown(now)) {
    endGuide();
    redraw();
    return;
  }
  const act = actionOfKey(event.key, target.matches("button, a, summary"));
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("pointerdown", () => motion.skip());

window.addEventListener("hashchange", followAddress);
window.addEventListener("popstate", followAddress);
window.addEventListener("online", () => connection.open());

/** Refresh while the lobby is open, the automatic players warm up, or the player also sits elsewhere. */
setInterval(() => {
  const warming = ["not_asked", "warming_up"].includes(now.house?.automatic_players ?? "");
  if (document.hidden || now.person === null || now.status !== "open") return;
  const elsewhere = now.tables.some((one) => one.id !== now.table && state.mySeatAt(now, one));
  if (now.table === null || warming || elsewhere) refresh().catch(() => {});
}, REFRESH_MILLISECONDS);

mountCoach(find("coach"), { changed: redraw, advises: (advice) => change(state.setAdvice(now, advice)) });
await attempt(() => retryUntilReached(enter, (message) => change(state.setRefusal(now, message))));
if (now.person !== null && now.refusal) actions.dismissRefusal();
followAddress();
