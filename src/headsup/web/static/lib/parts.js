// A table's view as the server sends it: named parts. A change replaces parts, and a checksum shows
// whether this page holds what the server sent.

/**
 * @import {
 *   ClocksPart, DecisionPart, DeskPart, LastPart, MayItem, MeterPart, NextHandPart, ResultPart, RoundPart, SeatPart, TablePart,
 *   TabulatorPart, WagerPart, WhyPart, YouPart
 * } from "./wire.d.ts"
 */

import { formatCents } from "./money.js";

/**
 * @typedef {object} NamedParts  docs/protocol.md describes them
 * @property {TablePart} table
 * @property {WagerPart[]} wagers
 * @property {any} posted
 * @property {Record<string, string>} [players]  by seat
 * @property {Record<number, string>} [guests]  by seat
 * @property {MeterPart} [meter]
 * @property {TabulatorPart} [tabulator]
 * @property {RoundPart} [round]
 * @property {NextHandPart} [next_hand]
 * @property {YouPart} [you]
 * @property {MayItem[]} [may]
 * @property {DeskPart} [desk]
 * @property {WhyPart} [closed]
 * @property {WhyPart} [paused]
 * @property {LastPart} [last]
 * @property {ClocksPart} [clocks]
 * @property {any} [fair]
 * @property {any[]} [irregularities]
 * @typedef {NamedParts & {[seat: `seat.${number}`]: SeatPart} & {[result: `result.${number}`]: ResultPart}} Parts
 * @typedef {object} Held  a table's parts, and how far they are
 * @property {string} table
 * @property {string} viewer  as which this page asked to watch
 * @property {number} version
 * @property {number} index  of the last log entry
 * @property {Parts} parts
 * @property {Object<string, number>} sums  of each part
 */

/** The parts of a `view` message. @param {any} message @param {string} viewer @returns {Held} */
export function holdView(message, viewer) {
  const { table, version, index, parts } = message;
  return { table, viewer, version, index, parts, sums: sumsOf(parts) };
}

/**
 * The parts after a `change` message; null if it does not fit, so that a view is needed. @param {Held} held
 * @param {any} message @returns {Held | null}
 */
export function applyChange(held, message) {
  if (message.version !== held.version + 1) return null;
  const parts = /** @type {any} */ ({ ...held.parts });
  const sums = { ...held.sums };
  for (const [name, value] of Object.entries(message.set ?? {})) {
    if (value === null) {
      delete parts[name];
      delete sums[name];
    } else {
      parts[name] = value;
      sums[name] = sumOf(name, value);
    }
  }
  const sum = Object.values(sums).reduce((all, one) => (all ^ one) >>> 0, 0);
  return sum === message.sum ? { ...held, version: message.version, index: message.index, parts, sums } : null;
}

/** @param {Parts} parts */
function sumsOf(parts) {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, sumOf(name, value)]));
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});
const utf8 = new TextEncoder();

/** The CRC-32 of `name:text`. @param {string} name @param {any} value */
function sumOf(name, value) {
  let rest = 0xffffffff;
  for (const byte of utf8.encode(`${name}:${JSON.stringify(value)}`)) {
    rest = (rest >>> 8) ^ CRC_TABLE[(rest ^ byte) & 0xff];
  }
  return (rest ^ 0xffffffff) >>> 0;
}

// The view as pages read it. Pages show dollars, as HTTP sends them; parts have cents.

/** @type {Pick<DecisionPart, "text" | "amount"> & {action: string}} */
const NO_DECISION = { action: "", text: "" };

/** @param {Parts} parts @returns {import("./state.js").TableView} */
export function viewOf(parts) {
  const { table, players, you, desk, last } = parts;
  return {
    table: table.id,
    rules: table.rules,
    seats: table.seats,
    players: players ?? {},
    guests: parts.guests,
    meter: parts.meter ? { frozen: "", ...parts.meter, shows: formatCents(parts.meter.shows) } : null,
    tabulator: parts.tabulator ? { down: "", ...parts.tabulator } : null,
    fair: parts.fair,
    closed: parts.closed?.why ?? null,
    paused: parts.paused?.why,
    offered: parts.wagers.filter((one) => !one.later).map((one) => one.key),
    round: parts.round ? /** @type {any} */ (roundOf(parts, parts.round)) : null,
    ...(you ? { you: you.seat, chips: formatCents(you.chips) } : {}),
    legal: /** @type {any[]} */ (decisionsOf(parts.may ?? [])),
    beyond: (you?.beyond ?? []).map((one) => ({
      action: "raise",
      ...one,
      amount: formatCents(one.amount),
    })),
    may: parts.may ?? [],
    coupons: (you ?? desk)?.coupons?.map((one) => ({ ...one, amount: formatCents(one.amount) })),
    owing: desk?.owing,
    desk,
    next: parts.next_hand ? resultOf(parts.next_hand) : null,
    forms: formsOf(parts),
    irregularities: parts.irregularities,
    notices: parts.posted.notices.map((/** @type {any} */ one) => one.text),
    last: last
      ? {
        ...last,
        qualifies: last.unqualified ? false : null,
        hands: last.hands.map((one) => ({ ...one, award: formatCents(one.award ?? 0) })),
      }
      : undefined,
  };
}

/** What is posted at the table. @param {Parts} parts */
export function postedOf({ posted, wagers }) {
  const dollars = (/** @type {number | undefined} */ cents) => (cents ? formatCents(cents) : null);
  return {
    ...posted,
    wagers,
    labels: Object.fromEntries(wagers.map((one) => [one.key, one.label])),
    limits: posted.limits.map((/** @type {any} */ one) => ({
      ...one,
      min: dollars(one.min),
      max: dollars(one.max),
      step: dollars(one.step),
    })),
    single_wager_max: dollars(posted.single_wager_max),
    progressive_stake: dollars(wagers.find((one) => one.price)?.price),
  };
}

/** @param {Parts} parts @param {string} prefix @returns {[string, any][]} by what follows the prefix */
function named(parts, prefix) {
  return Object.entries(parts)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
}

/** @param {Parts} parts @param {RoundPart} round */
function roundOf(parts, round) {
  const { you } = parts;
  const seats = Object.fromEntries(
    named(parts, "seat.").map(([number, seat]) => [number, seatOf(seat, you?.seat === Number(number) ? you : null)]),
  );
  const results = Object.fromEntries(named(parts, "result.").map(([number, result]) => [number, resultOf(result)]));
  return {
    board: "",
    board_down: 0,
    dealer: "",
    all_6: "",
    dealer_hand: null,
    voided: null,
    ...round,
    void: round.void_text ?? "",
    dealer_qualifies: round.unqualified ? false : round.dealer_hand ? true : undefined,
    seats,
    results,
  };
}

/** @param {SeatPart} seat @param {YouPart | null | undefined} own  what its player sees beside it */
function seatOf(seat, own) {
  const decision = own?.decision ?? seat.decision ?? NO_DECISION;
  return {
    coupons: {},
    hand: null,
    voided: null,
    ...seat,
    hole: own?.hole ?? seat.hole ?? "",
    stakes: inDollars(seat.stakes),
    decision: decision.amount ? { ...decision, amount: formatCents(decision.amount) } : decision,
    void: seat.void_text ?? "",
    reads: own?.reads ?? null,
    draws: own?.draws ?? [],
  };
}

/** @param {Object<string, number>} stakes */
function inDollars(stakes) {
  return Object.fromEntries(Object.entries(stakes).map(([wager, cents]) => [wager, formatCents(cents)]));
}

/** @param {ResultPart} result */
function resultOf(result) {
  const lines = result.lines.map((line) => ({
    ...line,
    table: line.table ?? null,
    stake: formatCents(line.stake),
    net: formatCents(line.net),
    pays: formatCents(line.pays),
    returns: formatCents(line.returns),
    award: formatCents(line.award ?? 0),
  }));
  const wagers = Object.fromEntries(lines.map((line) => [line.wager, line]));
  return { special: "", ...result, net: formatCents(result.net), lines, wagers };
}

/** The decisions among what this seat may do. @param {MayItem[]} items */
function decisionsOf(items) {
  return items.filter((one) => one.command.command in ACTIONS).map((one) => ({
    ...one,
    action: ACTIONS[one.command.command],
    multiple: one.command.multiple,
    ...(one.amount === undefined ? {} : { amount: formatCents(one.amount) }),
  }));
}

/** @type {Object<string, "raise" | "check" | "fold">} */
const ACTIONS = { Raise: "raise", Check: "check", Fold: "fold" };

/** The forms that may be filled in, by name. @param {Parts} parts */
function formsOf(parts) {
  return Object.fromEntries(named(parts, "form."));
}
