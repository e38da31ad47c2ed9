// The current moment of the game for this viewer: one word for the style sheet, and the line of text on
// the felt. Every moment has its own look.

/** @import { AtTable, RoundView } from "../lib/state.js" */

import * as bets from "../lib/bets.js";
import { centsOf, formatBrief } from "../lib/money.js";
import { HEADLINES, voidOutlook, voidText } from "../lib/outcomes.js";
import * as state from "../lib/state.js";
import { capitalize } from "../lib/text.js";

/**
 * @typedef {object} Moment
 * @property {string} kind  for the style sheet
 * @property {string} text
 * @property {string} [more]  a second line
 * @property {import("../lib/state.js").Dollars} [net]  what the round came to
 */

/** @param {state.AtTable} now @returns {Moment} */
export function currentMoment(now) {
  if (now.status === "ended") {
    return {
      kind: "ended",
      ...(now.ended === "replaced"
        ? { text: "You are playing in another window" }
        : { text: "Disconnected", more: "Reload the page to reconnect." }),
    };
  }
  if (now.status !== "open") {
    return { kind: "reconnecting", text: "Reconnecting…", more: "Your bets and cards are safe." };
  }
  const { view } = now;
  if (view.closed) return { kind: "paused", text: "The table is closed", more: view.closed };
  if (view.paused) {
    return {
      kind: "paused",
      text: "The table is paused",
      more: typeof view.paused === "string" ? `Reason: ${view.paused}.` : "Waiting for the dealer.",
    };
  }
  const shown = state.shownRound(now);
  if (shown?.void) {
    return voidRound(now, shown);
  }
  const seat = state.mySeat(now);
  if (seat === null) return spectator(now);
  const result = state.shownResult(now, seat);
  if (result) return settled(now, result);
  return playing(now, seat);
}

/** @param {AtTable} now @param {RoundView} round */
function voidRound(now, round) {
  const seat = state.mySeat(now);
  const result = seat !== null && state.shownResult(now, seat);
  const labels = now.posted?.labels ?? {};
  const stakes = seat !== null ? round.seats[seat]?.stakes : undefined;
  const what = result ? voidText(result.wagers, labels) : voidOutlook(round.voided?.settles ?? [], stakes, labels);
  const clause = round.voided?.clause ? ` (${round.voided.clause})` : "";
  return {
    kind: "void",
    text: `Void: ${round.void}`,
    more: `${what}${clause}`,
    ...(result ? { net: result.net } : {}),
  };
}

/** @param {AtTable} now */
function spectator(now) {
  const { view } = now;
  const seats = state.listedTable(now)?.seats ?? 0;
  const text = view.round?.open ? "Betting is open" : phaseText(view.round);
  const full = seats > 0 && Object.keys(view.players).length >= seats;
  if (full) return { kind: "full", text, more: "The table is full. You can watch until a seat is free." };
  return { kind: "spectator", text, more: `You’re watching. Take any free seat${playMoneyOffer(now)}.` };
}

/** The chips that a guest sits down with. @param {AtTable} now */
function playMoneyOffer(now) {
  const amount = now.house?.demo && state.listedTable(now)?.buy_in;
  return amount ? ` and play with ${formatBrief(amount)} in play money` : "";
}

/** @type {Record<string, string>} */
const SETTLED = { win: "won", lose: "lost", push: "push", fold: "folded" };

/** @param {AtTable} now @param {any} result */
function settled(now, result) {
  const wagers = result.wagers;
  const round = state.shownRound(now);
  const betting = isBroke(now)
    ? "You are out of chips."
    : state.mayBet(now)
    ? "Place your bets for the next round."
    : "";
  const text = HEADLINES[result.result];
  const { net } = result;
  switch (result.special) {
    case "jackpot":
      return { kind: "jackpot", text: `Jackpot! ${text}`, net, more: capitalize(wagers.progressive.why) };
    case "bad_beat":
      return { kind: "bad-beat", text: "Bad Beat pays!", net, more: capitalize(wagers.odds.why) };
  }
  if (result.result === "void") {
    return { kind: "void", text, net, more: voidText(wagers, now.posted?.labels ?? {}) };
  }
  const qualifies = result.result === "fold" || round?.dealer_qualifies !== false;
  const why = [
    result.result === "push" ? "Copy hands." : "",
    qualifies ? "" : `The dealer does not qualify: the ${now.posted?.labels.ante ?? "Ante"} pushes.`,
  ];
  return { kind: SETTLED[result.result], text, net, more: [...why, betting].filter(Boolean).join(" ") };
}

/** @param {AtTable} now @param {number} seat */
function playing(now, seat) {
  const { view } = now;
  const round = view.round;
  const hand = state.myHand(now);
  if (state.choices(now).length) return { kind: "my-turn", text: phaseText(round) };
  if (round?.open) {
    if (hand) return { kind: "waiting", text: "Your bets are down", more: waitingForBets(now) };
    if (isBroke(now)) return { kind: "broke", text: "You are out of chips" };
    return { kind: "betting", text: phaseText(round) };
  }
  if (hand?.decision.action === "fold") return { kind: "folded", text: "You folded", more: phaseText(round) };
  if (hand?.decision.action === "raise") {
    return {
      kind: "raised",
      text: `You: ${hand.decision.text}`,
      more: waitingLine(now),
    };
  }
  const waited = waitingForDecisions(now, seat);
  if (waited) return { kind: "not-my-turn", text: phaseText(round), more: waited };
  if (!hand && round && !round.over) {
    return { kind: "sitting-out", text: phaseText(round), more: "You will be dealt in next round." };
  }
  return { kind: "dealing", text: phaseText(round) };
}

/** @param {AtTable} now */
function waitingForBets(now) {
  const bet = now.view.round?.seats ?? {};
  const names = Object.entries(now.view.players).filter(([seat]) => !(seat in bet)).map(([, name]) => shortName(name));
  return names.length ? `Waiting for ${names.join(", ")}` : "Dealing…";
}

/** @param {AtTable} now */
function waitingLine(now) {
  return waitingForDecisions(now, state.mySeat(now)) || phaseText(now.view.round);
}

/**
 * The players who still have to decide, or "". Among several hidden decisions it is not known who has
 * decided (R34); a single one is still open, or the street would be over.
 * @param {AtTable} now @param {number | null} mySeat
 */
function waitingForDecisions(now, mySeat) {
  const others = Object.entries(now.view.round?.seats ?? {}).filter(([seat, hand]) =>
    Number(seat) !== mySeat && !hand.void
  );
  const hidden = others.filter(([, hand]) => hand.decision.action === "hidden");
  if (hidden.length > 1) return "Waiting for everyone to decide";
  const owing = hidden.length ? hidden : others.filter(([, hand]) => hand.decision.action === "owes");
  const names = owing.map(([seat]) => shortName(now.view.players[seat] ?? `seat ${seat}`));
  return names.length ? `Waiting for ${names.join(", ")}` : "";
}

/** Where the round stands, in words. @param {import("../lib/state.js").RoundView | null} round */
function phaseText(round) {
  return round?.text ?? "Waiting for the first round";
}

/** @param {string} name */
function shortName(name) {
  return name.replace(" (automatic)", "");
}

/** Whether the player cannot afford the minimum bet. @param {import("../lib/state.js").State} now */
export function isBroke(now) {
  if (!now.posted || now.view?.chips === undefined || now.view.coupons?.length) return false;
  const minimum = bets.limitsOf(now.posted, "ante").min ?? 1;
  return centsOf(now.view.chips ?? "0") < 2 * minimum;
}
