// The page's state, and how messages and actions change it. No DOM, no network, no rules: every number
// and every choice comes from the server.
//
// A state is never modified; `receive` and the other functions return the next one. Pages call the
// current one `now`.

import { NO_BETS } from "./bets.js";
import { centsOf, formatCents } from "./money.js";
import { postedOf, viewOf } from "./parts.js";

/**
 * @typedef {"ante" | "odds" | "raise" | "trips_plus" | "pocket_bonus" | "all_6" | "progressive"} Wager
 * @typedef {string} Dollars  such as "12.50"
 * @typedef {string} Cards  such as "AsKd"
 *
 * @typedef {import("./wire.d.ts").PersonResponse} Person
 *
 * @typedef {object} House
 * @property {boolean} demo
 * @property {"not_asked" | "warming_up" | "solved" | "plain" | null} [automatic_players]
 *
 * @typedef {object} LobbyTable  a table as the lobby lists it
 * @property {string} id
 * @property {string} rules
 * @property {string} title
 * @property {number} seats
 * @property {Object<string, string>} players  by seat
 * @property {number[]} automatic  seats of automatic players
 * @property {boolean} attended  whether automatic players take free seats
 * @property {number} round
 * @property {Dollars | null} ante_min
 * @property {Dollars | null} ante_max
 * @property {Dollars | null} meter
 * @property {string[]} notices  must be shown beside the meter
 * @property {Dollars} buy_in
 * @property {boolean} real_cards  a dealer deals a real deck there
 * @property {string} waits  why nothing is dealt there; empty while it is dealt
 * @property {boolean} your_turn  whether this person must decide there
 *
 * @typedef {object} HandView
 * @property {string} name  as the dealer announces it
 * @property {Cards} best
 *
 * @typedef {object} SeatView
 * @property {Object<Wager, Dollars>} stakes
 * @property {Object<Wager, number>} coupons  the numbers of coupons, by the wager they are staked on
 * @property {Cards} hole  empty if the viewer may not see it
 * @property {{action: string, text: string, street?: string, multiple?: number, amount?: Dollars}} decision  action: "", "owes", "hidden", "check", "fold" or "raise"
 * @property {string} void  why the hand is void, or ""
 * @property {{clause: string, settles: Wager[]} | null} voided  `settles`: wagers not returned
 * @property {HandView | null} hand
 * @property {HandView | null} reads  this player's hand with the board so far
 * @property {string[]} draws  hands that are one card away
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
 * @typedef {object} ResultView
 * @property {"win" | "lose" | "push" | "fold" | "void"} result  of the hand against the dealer's
 * @property {Dollars} net  of all wagers
 * @property {Object<Wager, LineView>} wagers
 * @property {"jackpot" | "bad_beat" | ""} [special]  the special payment that the hand has won
 *
 * @typedef {object} RoundView
 * @property {number} number
 * @property {string} phase
 * @property {string} text  the phase in words
 * @property {boolean} [open]  bets are taken
 * @property {boolean} [dealt]
 * @property {boolean} [over]
 * @property {Cards} board
 * @property {number} board_down
 * @property {Cards} dealer
 * @property {Cards} all_6
 * @property {string} void
 * @property {{clause: string, settles: Wager[]} | null} voided  `settles`: wagers not returned
 * @property {Object<string, SeatView>} seats
 * @property {Object<string, ResultView>} [results]
 * @property {boolean} [dealer_qualifies]
 * @property {HandView | null} dealer_hand
 *
 * @typedef {object} Decision  one that a player may take
 * @property {"raise" | "check" | "fold"} action
 * @property {number} [multiple]
 * @property {Dollars} [amount]
 * @property {string} [label]
 * @property {string} [hint]
 * @property {string[]} [keys]
 * @property {object} [command]  what is sent
 *
 * @typedef {object} TableView
 * @property {string} table
 * @property {string} rules
 * @property {number} seats  how many there are
 * @property {Object<string, string>} players  by seat
 * @property {{shows: Dollars, frozen: string, prize: string, notices: string[]} | null} meter
 * @property {RoundView | null} round
 * @property {string[]} offered
 * @property {number} [you]
 * @property {Dollars} [chips]
 * @property {Decision[]} [legal]
 * @property {Decision[]} [beyond]  Raises that cost more than the chips
 * @property {any[]} [may]  commands that may be sent as they are
 * @property {Object<string, any>} [forms]  commands with fields to fill in
 * @property {any} [desk]  for the dealer: the next step, and how the table is dealt
 * @property {any} [next]  for the dealer: the hand that is resolved next
 * @property {any[]} [irregularities]  for the dealer, on request
 * @property {(import("./bets.js").Coupon & {player: string})[]} [coupons]  unspent: a player's own, everybody's for the dealer
 * @property {string | boolean} [paused]  the reason
 * @property {string | null} [closed]  why the table was closed
 * @property {Object<number, string>} [guests]  seats whose players have no account, and their labels
 * @property {any} [fair]  the sealed shuffle: its commitment and seeds
 * @property {number[]} [owing]  for the dealer: seats that must decide
 * @property {{lights: Object<string, number[]>, counts: Object<string, number>, down: string} | null} [tabulator]
 * @property {any} [last]  for the display: the last result
 * @property {string[]} [notices]  for the display
 *
 * @typedef {object} State
 * @property {"connecting" | "open" | "lost" | "ended"} status  of the connection
 * @property {string} ended  the code with which the server ended it for good, or ""
 * @property {Person | null} person
 * @property {House | null} house
 * @property {LobbyTable[]} tables
 * @property {string | null} table  the one on the page
 * @property {string} viewer  "rail" or "seat 3"
 * @property {number | null} index  of the last log entry of the floor that was received
 * @property {any} posted  its posted rules, or null
 * @property {TableView | null} view
 * @property {RoundView | null} settled  the last round there that has results
 * @property {object[]} events  those of the last message
 * @property {import("./bets.js").Draft} draft  bets that are not placed yet
 * @property {Object<string, number>} lastBets  this player's last bets, in cents
 * @property {import("./parts.js").Parts | null} parts  of the view, as the server sent them
 * @property {number} clockOffset  the page's milliseconds minus the server's
 * @property {string} refusal  why the last command was refused, or ""
 * @property {any} correction  the last correction of this player's payout until it is dismissed, or null
 * @property {Sent | null} sending  the last command until the server has answered it
 * @property {Advice | null} advice  the coach's, for one decision
 *
 * @typedef {{command: string, multiple?: number}} Sent  a command on its way to the server
 * @typedef {{round: number, phase: string, action: string, multiple: number | null}} Advice
 *
 * @typedef {State & {table: string, view: TableView}} AtTable  a state with a table on the page
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
  draft: NO_BETS,
  lastBets: {},
  parts: null,
  clockOffset: 0,
  refusal: "",
  correction: null,
  sending: null,
  advice: null,
});

/**
 * Apply a message of the connection; docs/protocol.md describes them. Views and changes come with all parts.
 * @param {State} state
 * @param {any} message
 * @returns {State}
 */
export function receive(state, message) {
  switch (message.type) {
    case "welcome":
      return { ...state, status: "open", ended: "" };
    case "view":
    case "change":
      return message.table === state.table ? withParts(state, message) : state;
    case "refusal":
      return { ...state, refusal: message.say };
    case "reply":
      return withWallet({ ...state, refusal: "" }, message.wallet);
    case "closing":
      return { ...state, ended: message.code };
    default:
      return state;
  }
}

/** @param {State} state @param {number | undefined} cents */
function withWallet(state, cents) {
  if (cents === undefined || state.person === null) return state;
  return { ...state, person: { ...state.person, wallet: formatCents(cents) } };
}

/** @param {State} state @param {any} message @returns {State} */
function withParts(state, { parts, events, index, at }) {
  const view = viewOf(parts);
  const isPosted = parts.posted === state.parts?.posted && parts.wagers === state.parts?.wagers;
  return {
    ...state,
    index,
    parts,
    posted: isPosted ? state.posted : postedOf(parts),
    view,
    settled: view.round?.results && !isEmpty(view.round.results) ? view.round : state.settled,
    events,
    correction: findCorrection(view, events) ?? state.correction,
    lastBets: betsIn(view) ?? state.lastBets,
    clockOffset: performance.now() - at,
  };
}

/**
 * The server sends a seat only corrections of its own player's payouts.
 * @param {TableView} view @param {any[]} events
 */
function findCorrection(view, events) {
  return view.you === undefined
    ? null
    : events.findLast((/** @type {any} */ event) => event.event === "PayoutCorrected");
}

/** This player's bets of the round, without the Raise. @param {TableView} view */
function betsIn(view) {
  const stakes = view.round?.seats?.[view.you ?? 0]?.stakes;
  if (!stakes) return null;
  const bets = Object.entries(stakes).filter(([wager]) => wager !== "raise");
  return Object.fromEntries(bets.map(([wager, stake]) => [wager, centsOf(stake)]));
}

/** @param {object} object */
function isEmpty(object) {
  return Object.keys(object).length === 0;
}

/** Go to another table, or to the lobby (null). @returns {State} @param {State} state @param {string | null} table */
export function goTo(state, table) {
  const { status, ended, person, house, tables } = state;
  return { ...INITIAL, status, ended, person, house, tables, table };
}

/**
 * Watch the same table as another viewer. The server then sends a whole view. @returns {State}
 * @param {State} state @param {string} viewer
 */
export function watchAs(state, viewer) {
  return { ...state, viewer, index: null };
}

/** The status of the connection. @returns {State} @param {State} state @param {State["status"]} status */
export function setStatus(state, status) {
  return { ...state, status, events: [] };
}

/**
 * The answer of `/api/here`. @returns {State}
 * @param {State} state @param {{person: Person | null} & House} visitor
 */
export function setVisitor(state, { person, ...house }) {
  return { ...state, person, house, events: [] };
}

/** The answer of `/api/tables`. @returns {State} @param {State} state @param {LobbyTable[]} tables */
export function setTables(state, tables) {
  return { ...state, tables, events: [] };
}

/** The player has read the correction. @returns {State} @param {State} state */
export function dismissCorrection(state) {
  return { ...state, correction: null, events: [] };
}

/** A command is on its way to the server; null once it is answered. @param {State} state @param {Sent | null} command @returns {State} */
export function setSending(state, command) {
  return { ...state, sending: command, events: [] };
}

/** The coach's advice on a decision. @param {State} state @param {Advice | null} advice @returns {State} */
export function setAdvice(state, advice) {
  return { ...state, advice, events: [] };
}

/** Show why something was refused; "" clears it. @returns {State} @param {State} state @param {string} sentence */
export function setRefusal(state, sentence) {
  return { ...state, refusal: sentence, events: [] };
}

// Questions about a state.

/** The person's seat at this table, or null. @param {State} state */
export function mySeat(state) {
  const name = state.person?.name;
  const players = Object.entries(state.view?.players ?? {});
  const seat = players.find(([, player]) => player === name)?.[0];
  return seat === undefined ? null : Number(seat);
}

/** The person's hand in the current round. @param {State} state @returns {SeatView | null} */
export function myHand(state) {
  const seat = mySeat(state);
  return (seat !== null && state.view?.round?.seats[seat]) || null;
}

/** Whether this person's seat may bet now. @param {State} state */
export function mayBet(state) {
  const seated = mySeat(state) !== null && state.view?.chips !== undefined && state.status !== "ended"; // only a seat's view has chips
  return seated && !!state.view?.round?.open;
}

/** The decisions that are open to this person now. @param {State} state @returns {Decision[]} */
export function choices(state) {
  return (state.status !== "ended" && state.view?.legal) || [];
}

/** Whether the table can hear this person: not while the connection is lost. @param {State} state */
export function isConnected(state) {
  return state.status === "open";
}

/** Whether decisions can be made now: not while the connection is lost or the table is paused. @param {State} state */
export function mayDecide(state) {
  return isConnected(state) && !state.view?.paused;
}

/** The Raises of this street that cost more chips than this person has. @param {State} state @returns {Decision[]} */
export function raisesOutOfReach(state) {
  return choices(state).length ? state.view?.beyond ?? [] : [];
}

/** What the coach advises for the decision that is open now, or null. @param {State} state */
export function currentAdvice(state) {
  const { advice } = state;
  const round = state.view?.round;
  return advice && round && advice.round === round.number && advice.phase === round.phase ? advice : null;
}

/**
 * The round whose results are on the page: the last one's stay until the next cards.
 * @param {State} state @returns {RoundView | null}
 */
export function shownResults(state) {
  const round = state.view?.round;
  if (!round || !state.settled) return null;
  if (round.number === state.settled.number) return state.settled;
  return round.dealt ? null : state.settled;
}

/**
 * The round on the felt: the last one's cards stay until somebody bets again.
 * @param {State} state @returns {RoundView | null}
 */
export function shownRound(state) {
  const round = state.view?.round ?? null;
  const last = shownResults(state);
  if (!round || !last || last.number === round.number) return round;
  return isEmpty(round.seats) && !state.draft.before.length ? last : round;
}

/** This person's hand on the felt. @param {State} state @returns {SeatView | null} */
export function shownHand(state) {
  const seat = mySeat(state);
  return (seat !== null && shownRound(state)?.seats[seat]) || null;
}

/**
 * A hand's stakes, including its Raise. @param {SeatView | null | undefined} hand
 * @returns {Object<string, Dollars>}
 */
export function stakesOnFelt(hand) {
  if (!hand) return {};
  return hand.decision.amount ? { ...hand.stakes, raise: hand.decision.amount } : hand.stakes;
}

/** A seat's result on the felt. @param {State} state @param {number | null} seat */
export function shownResult(state, seat) {
  return (seat !== null && shownRound(state)?.results?.[seat]) || null;
}

/**
 * The cards that decided the hand: the seat's five if it won, else the dealer's; "" before settlement.
 * @param {State} state @param {number | null} seat
 */
export function decidingCards(state, seat) {
  const round = shownRound(state);
  const result = shownResult(state, seat)?.result;
  if (!round?.dealer_hand || (seat !== null && round.seats[seat] && !result)) return "";
  const best = (seat !== null && round.seats[seat]?.hand?.best) || "";
  switch (result) {
    case "win":
      return best;
    case "push":
      return best + round.dealer_hand.best;
    default:
      return round.dealer_hand.best;
  }
}

/**
 * The time left for a seat's decision, in milliseconds of the page. @param {State} state @param {number} seat
 * @returns {{until: number, of: number} | null}
 */
export function decisionClock(state, seat) {
  const you = state.parts?.you;
  const clocks = state.parts?.clocks;
  return pageClock(state, (you?.seat === seat && you.clock) || clocks?.seats?.[seat]);
}

/** The time until betting closes. It starts with the first bet. @param {State} state */
export function betsClock(state) {
  return pageClock(state, state.parts?.clocks?.bets);
}

/** @param {State} state @param {{until: number, of: number} | undefined} clock */
function pageClock(state, clock) {
  return clock ? { of: clock.of, until: clock.until + state.clockOffset } : null;
}

/** Change the bets that are not placed yet. @param {State} state @param {import("./bets.js").Draft} draft @returns {State} */
export function setDraft(state, draft) {
  return { ...state, draft, events: [] };
}

/** The person's seat at a table of the lobby, or undefined. @param {State} state @param {LobbyTable} table */
export function mySeatAt(state, table) {
  const entry = Object.entries(table.players).find(([, player]) => player === state.person?.name);
  return entry && Number(entry[0]);
}

/** Another table where this person must decide. @param {State} state */
export function tableAwaitingMe(state) {
  return state.tables.find((table) => table.your_turn && table.id !== state.table);
}

/** This table, as the lobby lists it. @param {State} state @returns {LobbyTable | undefined} */
export function listedTable(state) {
  return state.tables.find((table) => table.id === state.table);
}
