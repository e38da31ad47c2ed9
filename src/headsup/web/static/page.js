// The page: hears the server, keeps the state, draws it, and asks what its user wants.

import { forgetOut, logOut, outSaid } from "./account.js";
import * as bets from "./bets.js";
import * as coach from "./coach.js";
import { Connection, Declined, get, post, untilReached } from "./connection.js";
import { keysOf, trayChips } from "./dock.js";
import { el, find } from "./dom.js";
import { draw, freeSeat, link } from "./draw.js";
import { KEYS as SPOTS } from "./felt.js";
import { beginGuide, drawGuide, endGuide, isTipShown } from "./guide.js";
import * as motion from "./motion.js";
import { closePanel, drawPanel, isOpen, openPanel } from "./panels.js";
import { remember, setting } from "./settings.js";
import * as sound from "./sound.js";
import * as state from "./state.js";
import { inCents, sentence } from "./words.js";

const LOBBY_EVERY = 1500; // milliseconds between two looks at the list of tables
const MOST_TOLD = 60; // lines of what happened
const REFUSAL_STAYS = 12_000; // milliseconds that a refusal lies over the felt

let now = state.INITIAL;
let chosen = 500; // the chip in hand, in cents
/** @type {{table: string, seat: number | null}} where chips are bought, and the seat wanted for them */
let buying = { table: "", seat: null };
let fading = 0; // the timer of the refusal shown
let readied = ""; // for which moment bets were laid ready

const connection = new Connection({
  message: (message) => {
    change(state.received(now, message));
    if (message.type !== "declined") return;
    if (message.code === "not_your_view") lookFrom("rail");
    if (message.code === "no_such_table" && now.view === null) leave(message.message);
  },
  status: (status) => change(state.connected(now, status)),
  watched: () => now.table === null ? null : { table: now.table, viewer: now.viewer, after: now.index },
});

/** The next state: draw it, tell what happened, and look from the own seat once there is one. */
function change(next) {
  const before = now;
  now = readyToBet(next);
  if (now.refused !== before.refused) fade();
  draw(now, doing, chosen);
  drawGuide(now, redraw);
  coach.update(now);
  if (isOpen("fair") && now.view?.fair !== before.view?.fair && !find("panel").contains(document.activeElement)) drawPanel(now, doing);
  if (now.events !== before.events) now.events.forEach(happened);
  const turn = state.choices(now).length > 0 && state.choices(before).length === 0;
  if (turn) sound.turn();
  if (now.view !== before.view) lookFromTheOwnSeat();
}

/** A refusal goes by itself, but where there is nothing else to look at. */
function fade() {
  clearTimeout(fading);
  if (now.refused && (now.table === null || now.view !== null)) fading = setTimeout(() => doing.read(), REFUSAL_STAYS);
}

function redraw() {
  change({ ...now, events: [] });
}

function happened(event) {
  tell(sentence(event, now));
  motion.animate(event, now);
  sound.hear(event, now);
}

/** When bets may be placed again, those of the last round lie ready. */
function readyToBet(next) {
  const open = state.mayBet(next) && state.myHand(next) === null && next.posted && next.view.chips !== undefined;
  const moment = open ? `${next.table} ${next.view.round.number}` : "";
  if (moment === readied || !open) {
    if (state.myHand(next) !== null) readied = ""; // placed: should they be taken back, they lie ready
    return next;
  }
  if (next.view.chips === "0.00") return next;
  readied = moment;
  const chips = inCents(next.view.chips);
  const fit = trayChips(next.posted);
  if (!fit.includes(chosen)) chosen = fit[fit.length > 1 ? 1 : 0];
  return { ...next, draft: bets.ready(next.placed, next.posted, next.view.offered, chips) };
}

function lookFromTheOwnSeat() {
  const seat = state.mySeat(now);
  lookFrom(seat === null ? "rail" : `seat ${seat}`);
}

function lookFrom(viewer) {
  if (viewer === now.viewer) return;
  now = state.as(now, viewer);
  connection.watch();
}

function tell(line) {
  if (!line) return;
  const told = find("told");
  told.append(el("p", {}, line.replaceAll("−$", "−\u2060$"))); // no line ends between the two
  while (told.children.length > MOST_TOLD) told.firstChild?.remove();
  told.scrollTop = told.scrollHeight;
}

// What its user wants.

function drafted(draft) {
  if (draft !== now.draft && !draft.note) sound.chips();
  change(state.drafted(now, draft));
}

function chips() {
  return inCents(now.view?.chips ?? "0");
}

const doing = {
  sit: (table, seat) =>
    trying(async () => {
      const shown = now.tables.find((one) => one.id === table);
      if (now.table !== table && shown && state.seatAt(now, shown)) return go(table);
      if (now.house?.demo) await sitDown(table, seat, null);
      else askAmount(table, seat);
    }),
  buyIn: () => askAmount(now.table, null),
  buyingAt: () => buying.table,
  buy: (amount) => {
    closePanel();
    const { table, seat } = buying;
    trying(() => (seat === null ? buyIn(table, state.mySeat(now), amount) : sitDown(table, seat, amount)));
  },
  morePlayMoney: () => trying(() => buyIn(now.table, state.mySeat(now), null)),
  standUp: () => ask({ command: "Leave", seat: state.mySeat(now) }).then(look),
  choose: (value) => {
    chosen = value;
    redraw();
  },
  bet: (wager) => drafted(bets.add(now.draft, wager, chosen, now.posted, chips())),
  takeBack: (wager) => drafted(bets.remove(now.draft, wager)),
  undo: () => drafted(bets.undo(now.draft)),
  clear: () => drafted(bets.clear(now.draft)),
  rebet: () => drafted(bets.rebet(now.draft, now.placed, now.view?.offered ?? [], chips())),
  double: () => drafted(bets.double(now.draft, now.posted, chips())),
  place: () => ask({ command: "PlaceBets", seat: state.mySeat(now), stakes: now.draft.stakes, coupons: [] }),
  withdraw: () => ask({ command: "WithdrawBets", seat: state.mySeat(now) }),
  decide: (/** @type {state.Legal} */ { action, multiple }) => {
    const seat = state.mySeat(now);
    if (action === "raise") return ask({ command: "Raise", seat, multiple });
    return ask({ command: action === "check" ? "Check" : "Fold", seat });
  },
  addSeed: (text) => ask({ command: "AddSeed", seat: state.mySeat(now), text }).then(() => drawPanel(now, doing)),
  open: (name) => openPanel(name, now, doing),
  guide: () => {
    beginGuide();
    redraw();
  },
  toggleSound: () => {
    remember("sound", setting("sound") === "on" ? "off" : "on");
    redraw();
    sound.chips();
  },
  logOut: () => trying(logOut),
  read: () => change(state.refused(now, "")),
  correctionRead: () => change(state.correctionRead(now)),
  playHere: () => trying(() => connection.again()),
  changed: redraw,
};

function askAmount(table, seat) {
  buying = { table, seat };
  openPanel("buy", now, doing);
}

async function sitDown(table, seat, amount) {
  const chose = now.table === table; // this very seat, and not just the table
  if (chose) find("own-title").focus();
  else go(table);
  const taken = chose ? await sitAt(table, seat) : await sitAnywhere(table, seat);
  await buyIn(table, taken, amount);
}

async function sitAt(table, seat) {
  await connection.ask(table, { command: "Sit", seat, player: now.person?.name });
  return seat;
}

/** Who chose a table is given the next free seat where somebody else was quicker. */
async function sitAnywhere(table, seat) {
  try {
    return await sitAt(table, seat);
  } catch (error) {
    if (!(error instanceof Declined) || error.code !== "seat_taken") throw error;
    await look();
    const shown = now.tables.find((one) => one.id === table);
    const free = shown && freeSeat(shown);
    if (!free) throw error;
    return sitAt(table, free);
  }
}

/** Chips for this amount. A guest who plays for nothing has named none and gets what the table
 * suggests, or all there is; one who has nothing left is given more. */
async function buyIn(table, seat, named) {
  const suggested = inCents(now.tables.find((one) => one.id === table)?.buy_in ?? "0");
  let wallet = inCents(now.person?.wallet ?? "0");
  if (wallet === 0 && now.house?.demo) wallet = inCents((await post("/api/demo/money")).wallet);
  const amount = named ?? Math.min(suggested, wallet);
  await connection.ask(table, { command: "BuyIn", seat, amount });
  await look();
}

function ask(command) {
  return trying(() => connection.ask(now.table ?? "", command));
}

async function trying(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    change(state.refused(now, error.message));
  }
}

// Where the page is: the lobby, or a table, as the address says.

function go(table) {
  history.pushState(null, "", table === null ? "#/" : link(table));
  arrive();
  find("table-title").focus();
}

/** There is nothing to look at: the lobby says why. */
function leave(sentence) {
  history.replaceState(null, "", "#/");
  arrive();
  change(state.refused(now, sentence));
}

function addressed() {
  const match = /^#\/table\/(.+)$/.exec(location.hash);
  try {
    return match ? decodeURIComponent(match[1]) : null;
  } catch {
    return null; // no name is written so
  }
}

function arrive() {
  const table = addressed();
  if (table === now.table) return;
  if (now.table !== null) connection.unwatch(now.table);
  find("told").replaceChildren();
  readied = "";
  change(state.at(now, table));
  connection.watch();
}

/** Who am I here, and which tables are there? */
async function look() {
  const found = await get("/api/here");
  change(state.here(now, found));
  if (now.person === null) return;
  const tables = await get("/api/tables");
  change(state.listed(now, tables));
}

async function enter() {
  await look();
  if (now.person !== null) forgetOut();
  if (now.person === null && now.house?.demo && !outSaid()) {
    await post("/api/demo");
    await look();
  }
  if (now.person !== null) await connection.open();
}

find("log-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const said = new FormData(form);
  trying(async () => {
    await post("/api/login", { name: said.get("name"), password: said.get("password") });
    form.reset();
    change(state.refused(now, ""));
    await enter();
  });
});

function openMenu(open) {
  find("tools").classList.toggle("open", open);
  find("menu").setAttribute("aria-expanded", String(open));
}
find("menu").addEventListener("click", () => openMenu(!find("tools").classList.contains("open")));
find("tools").addEventListener("click", () => openMenu(false));
find("main").addEventListener("pointerdown", () => openMenu(false));

find("panel-close").addEventListener("click", closePanel);

// Keys: what a key does depends on what there is to do.

const CHANGES = { z: "undo", x: "clear", b: "rebet", d: "double" };

/** @returns {(() => void) | null} */
function keyed(key, onControl) {
  const choices = state.choices(now);
  const choice = choices.find((one) => keysOf(one, choices).includes(key));
  if (choice) return () => doing.decide(choice);
  if (key === "k" && state.mySeat(now) !== null) return coach.switchOn;
  if (!state.mayBet(now) || state.myHand(now) !== null || !now.posted) return null;
  const chip = trayChips(now.posted)[Number(key) - 1];
  if (chip && key !== "6") return () => doing.choose(chip);
  const spot = Object.keys(SPOTS).find((wager) => SPOTS[wager] === key && now.view?.offered.includes(/** @type {state.Wager} */ (wager)));
  if (spot) return () => doing.bet(spot);
  if (key === "Enter" && !onControl && now.draft.stakes.ante) return doing.place;
  return CHANGES[key] ? doing[CHANGES[key]] : null;
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
  const act = keyed(event.key, target.matches("button, a, summary"));
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("pointerdown", () => motion.skip());

window.addEventListener("hashchange", arrive);
window.addEventListener("popstate", arrive);
window.addEventListener("online", () => connection.open());

/** While the lobby is looked at, the automatic players warm up, or one sits at another table too,
 * look again now and then. */
setInterval(() => {
  const warming = ["not_asked", "warming_up"].includes(now.house?.automatic_players ?? "");
  if (document.hidden || now.person === null || now.status !== "open") return;
  const elsewhere = now.tables.some((one) => one.id !== now.table && state.seatAt(now, one));
  if (now.table === null || warming || elsewhere) look().catch(() => {});
}, LOBBY_EVERY);

coach.mount(find("coach"));
await trying(() => untilReached(enter, (said) => change(state.refused(now, said))));
if (now.person !== null && now.refused) doing.read();
arrive();
