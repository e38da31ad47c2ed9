// What the page knows, and how each thing it hears changes that. No DOM, no network, no rules:
// every number and every choice comes from the server, and whatever draws a table reads it here.
//
// A state is never changed; `received` and the other functions give the next one.

import { NOTHING } from "./bets.js";
import { inCents } from "./words.js";

/**
 * @typedef {"ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive"} Wager
 * @typedef {string} Dollars  such as "12.50"
 * @typedef {string} Cards  such as "AsKd"
 *
 * @typedef {object} Person
 * @property {string} name
 * @property {string} role
 * @property {Dollars | null} wallet  a player's money that is on no table
 *
 * @typedef {object} House
 * @property {boolean} demo
 * @property {"not_asked" | "warming_up" | "solved" | "plain" | null} automatic_players
 *
 * @typedef {object} TableShown  one table as the lobby lists it
 * @property {string} id
 * @property {string} rules
 * @property {string} title
 * @property {number} seats
 * @property {Object<string, string>} players  by seat
 * @property {number[]} automatic  seats of automatic players
 * @property {boolean} attended  whether they come by themselves
 * @property {number} round
 * @property {Dollars | null} ante_min
 * @property {Dollars | null} ante_max
 * @property {Dollars | null} meter
 * @property {string[]} notices  what must stand beside its figure
 * @property {Dollars} buy_in
 * @property {string} waits  why nothing is dealt there; empty while it plays
 * @property {boolean} your_turn  whether an own decision is due there
 *
 * @typedef {object} HandView
 * @property {string} name  as the dealer announces it
 * @property {Cards} best
 *
 * @typedef {object} SeatView
 * @property {Object<Wager, Dollars>} stakes
 * @property {Cards} hole  empty where it may not be seen
 * @property {string} decision  "", "owes", "check", "fold", "hidden" or "raise 3 pocket"
 * @property {string} void  why the hand is void, or ""
 * @property {{clause: string} | null} voided
 * @property {{street: string, multiple: number, amount: Dollars}[]} raises  what each would cost
 * @property {number} grace_seconds
 * @property {HandView | null} hand
 * @property {HandView | null} reads  what the own cards make with the open board so far
 * @property {string[]} draws  and what they are one card short of
 *
 * @typedef {object} LineView  how one wager settled
 * @property {Dollars} stake
 * @property {"win" | "lose" | "push" | "void"} result
 * @property {Dollars} net
 * @property {string} outcome  the row of the paytable
 * @property {string | null} table  the paytable that decides it
 * @property {string} why
 * @property {string} clause
 *
 * @typedef {object} RoundView
 * @property {number} number
 * @property {string} phase
 * @property {Cards} board
 * @property {number} board_down
 * @property {Cards} dealer
 * @property {Cards} all_6
 * @property {string} void
 * @property {{clause: string} | null} voided
 * @property {Object<string, SeatView>} seats
 * @property {Object<string, {net: Dollars, wagers: Object<Wager, LineView>}>} [results]
 * @property {boolean} [dealer_qualifies]
 * @property {HandView | null} dealer_hand
 *
 * @typedef {object} Legal
 * @property {"raise" | "check" | "fold"} action
 * @property {number} [multiple]
 * @property {Dollars} [amount]
 *
 * @typedef {object} TableView
 * @property {string} table
 * @property {string} rules
 * @property {Object<string, string>} players  by seat
 * @property {{shows: Dollars, frozen: string, prize: string, notices: string[]} | null} meter
 * @property {RoundView | null} round
 * @property {Wager[]} offered
 * @property {number} [you]
 * @property {Dollars} [chips]
 * @property {Legal[]} [legal]
 * @property {string | boolean} [paused]  why nothing is dealt
 * @property {string | null} [closed]  why nobody plays here any more
 * @property {any} [fair]  what the shuffle is sealed with
 * @property {number[]} [owing]  the dealer's: seats that have to decide
 * @property {{lights: Object<string, number[]>, counts: Object<string, number>, down: string} | null} [tabulator]
 * @property {any} [last]  the display's: the last result
 * @property {string[]} [notices]  the display's
 *
 * @typedef {object} Clock
 * @property {"bets" | "decision"} what
 * @property {number | null} seat  whose decision
 * @property {number} left  seconds
 * @property {number} of  seconds in all
 *
 * @typedef {object} State
 * @property {"connecting" | "open" | "lost" | "ended"} status  of the connection
 * @property {string} ended  why the server ended it for good, or ""
 * @property {Person | null} person
 * @property {House | null} house
 * @property {TableShown[]} tables
 * @property {string | null} table  the one looked at
 * @property {string} viewer  as whom: "rail" or "seat 3"
 * @property {number | null} index  of the last entry of its floor's log that was told
 * @property {any} posted  what is posted there, or null
 * @property {TableView | null} view
 * @property {RoundView | null} settled  the last round there that came to its results
 * @property {object[]} events  what the last message told
 * @property {import("./bets.js").Draft} draft  the bets before they are placed
 * @property {Object<string, number>} placed  cents of the own last bets
 * @property {Clock[]} clock  who or what is waited for
 * @property {number} heard  when the clock was told, in milliseconds of the page
 * @property {string} refused  the sentence of the last refusal, or ""
 * @property {any} corrected  the last correction of an own payout, until it is read, or null
 *
 * @typedef {State & {table: string, view: TableView}} AtTable  once there is something to see
 */

/** @type {State} */
export const INITIAL = Object.freeze({
  status: "connecting",
  ended: "",
  person: null,
  house: null,
  tables: [],
  table: null,
  viewer: "rail",
  index: null,
  posted: null,
  view: null,
  settled: null,
  events: [],
  draft: NOTHING,
  placed: {},
  clock: [],
  heard: 0,
  refused: "",
  corrected: null,
});

/**
 * A message of the socket, told in `docs/protocol.md`.
 * @param {State} state
 * @param {any} message
 * @returns {State}
 */
export function received(state, message) {
  switch (message.type) {
    case "welcome":
      return { ...state, status: "open", ended: "" };
    case "shown":
      return message.table === state.table ? looked(state, message, []) : state;
    case "happened":
      if (message.table !== state.table) return state;
      // What was told twice is known already.
      if (state.index !== null && message.index <= state.index) return state;
      return looked(state, message, message.events);
    case "declined":
      return { ...state, refused: message.message };
    case "answered":
      return { ...state, refused: "" };
    case "closing":
      return { ...state, ended: message.code };
    default:
      return state;
  }
}

function looked(state, message, events) {
  const { posted, ...view } = message.view;
  return {
    ...state,
    index: message.index,
    posted: posted ?? state.posted,
    view,
    settled: view.round?.results && !isEmpty(view.round.results) ? view.round : state.settled,
    events,
    corrected: correctedIn(view, events) ?? state.corrected,
    placed: placedIn(view) ?? state.placed,
    clock: message.clock ?? [],
    heard: performance.now(),
  };
}

/** A seat is told of none but its own player's. */
function correctedIn(view, events) {
  return view.you === undefined ? null : events.findLast((one) => one.event === "PayoutCorrected");
}

/** The own bets of the round, without what was raised later. */
function placedIn(view) {
  const stakes = view.round?.seats?.[view.you]?.stakes;
  if (!stakes) return null;
  const before = Object.entries(stakes).filter(([wager]) => wager !== "raise");
  return Object.fromEntries(before.map(([wager, stake]) => [wager, inCents(stake)]));
}

function isEmpty(object) {
  return Object.keys(object).length === 0;
}

/** Look at another table, or at none. @returns {State} */
export function at(state, table) {
  const { status, ended, person, house, tables } = state;
  return { ...INITIAL, status, ended, person, house, tables, table };
}

/** Look at the same table as somebody else: the whole view follows. @returns {State} */
export function as(state, viewer) {
  return { ...state, viewer, index: null };
}

/** The connection changed. @returns {State} */
export function connected(state, status) {
  return { ...state, status, events: [] };
}

/** An answer of `/api/here`. @returns {State} */
export function here(state, { person, ...house }) {
  return { ...state, person, house, events: [] };
}

/** An answer of `/api/tables`. @returns {State} */
export function listed(state, tables) {
  return { ...state, tables, events: [] };
}

/** The player knows of the correction. @returns {State} */
export function correctionRead(state) {
  return { ...state, corrected: null, events: [] };
}

/** Something was refused, or what was is read. @returns {State} */
export function refused(state, sentence) {
  return { ...state, refused: sentence, events: [] };
}

// What is asked of a state.

/** The seat of the person at the table looked at, or null. @param {State} state */
export function mySeat(state) {
  const name = state.person?.name;
  const players = Object.entries(state.view?.players ?? {});
  const seat = players.find(([, player]) => player === name)?.[0];
  return seat === undefined ? null : Number(seat);
}

/** The own hand in the round on the table. @param {State} state @returns {SeatView | null} */
export function myHand(state) {
  const seat = mySeat(state);
  return (seat !== null && state.view?.round?.seats[seat]) || null;
}

/** Whether bets are taken from the own seat. @param {State} state */
export function mayBet(state) {
  const own = mySeat(state) !== null && state.view?.chips !== undefined && state.status !== "ended"; // as seen from the seat
  return own && state.view?.round?.phase === "betting";
}

/** What may be decided now. @param {State} state @returns {Legal[]} */
export function choices(state) {
  return (state.status !== "ended" && state.view?.legal) || [];
}

/** The round whose results are on the page: this one's, and the last one's until the next cards.
 * @param {State} state @returns {RoundView | null} */
export function resultsOf(state) {
  const round = state.view?.round;
  if (!round || !state.settled) return null;
  if (round.number === state.settled.number) return state.settled;
  return ["betting", "no_more_bets"].includes(round.phase) ? state.settled : null;
}

/** The round whose cards lie on the felt: the last one's until the next has begun.
 * @param {State} state @returns {RoundView | null} */
export function roundShown(state) {
  const round = state.view?.round ?? null;
  const last = resultsOf(state);
  if (!round || !last || last.number === round.number) return round;
  return isEmpty(round.seats) && !state.draft.before.length ? last : round;
}

/** The own hand that lies on the felt. @param {State} state @returns {SeatView | null} */
export function handShown(state) {
  const seat = mySeat(state);
  return (seat !== null && roundShown(state)?.seats[seat]) || null;
}

/** What a hand has on the felt, its Raise included. @param {SeatView | null | undefined} hand
 * @returns {Object<string, Dollars>} */
export function onFelt(hand) {
  if (!hand) return {};
  const [word, multiple, street] = hand.decision.split(" ");
  const raise = word === "raise" && hand.raises.find((one) => one.street === street && one.multiple === Number(multiple));
  return raise ? { ...hand.stakes, raise: raise.amount } : hand.stakes;
}

/** How the hand of a seat settled, as the felt shows it. @param {State} state @param {number | null} seat */
export function resultShown(state, seat) {
  return (seat !== null && roundShown(state)?.results?.[seat]) || null;
}

/** The cards that decided for or against a seat: its own five, or the dealer's; "" before that.
 * @param {State} state @param {number | null} seat */
export function deciding(state, seat) {
  const round = roundShown(state);
  const wagers = resultShown(state, seat)?.wagers;
  if (!round?.dealer_hand || (seat !== null && round.seats[seat] && !wagers)) return "";
  const own = (seat !== null && round.seats[seat]?.hand?.best) || "";
  switch (wagers?.raise?.result) {
    case "win":
      return own;
    case "push":
      return own + round.dealer_hand.best;
    default:
      return round.dealer_hand.best;
  }
}

/** The time that a seat has for its decision. @param {State} state @param {number} seat
 * @returns {{left: number, of: number, until: number} | null} */
export function clockAt(state, seat) {
  const found = state.clock.find((one) => one.what === "decision" && one.seat === seat);
  return found ? { ...found, until: state.heard + found.left * 1000 } : null;
}

/** The time until bets close, once somebody has bet. @param {State} state */
export function betsClock(state) {
  const bets = state.clock.filter((one) => one.what === "bets");
  const found = bets.sort((one, other) => one.left - other.left)[0];
  return found ? { ...found, until: state.heard + found.left * 1000 } : null;
}

/** Other bets, not placed yet. @param {State} state @param {import("./bets.js").Draft} draft @returns {State} */
export function drafted(state, draft) {
  return { ...state, draft, events: [] };
}

/** The own seat at a table as the lobby lists it, or undefined. @param {State} state @param {TableShown} table */
export function seatAt(state, table) {
  const found = Object.entries(table.players).find(([, player]) => player === state.person?.name);
  return found && Number(found[0]);
}

/** Another table where a decision of one's own is due. @param {State} state */
export function turnElsewhere(state) {
  return state.tables.find((table) => table.your_turn && table.id !== state.table);
}

/** The table as the lobby listed it. @param {State} state @returns {TableShown | undefined} */
export function tableShown(state) {
  return state.tables.find((table) => table.id === state.table);
}
