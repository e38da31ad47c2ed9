// Which moment of the game it is for who looks, as one word, and what to say of it in one line. Every
// state that the page can be in has its own look; this is where they are told apart.

import * as bets from "./bets.js";
import * as state from "./state.js";
import * as words from "./words.js";

/**
 * @typedef {object} Moment
 * @property {string} kind  for the style sheet
 * @property {string} text
 * @property {string} [more]  a second line
 */

/** @param {state.AtTable} now @returns {Moment} */
export function moment(now) {
  if (now.status === "ended") return { kind: "ended", ...(now.ended === "replaced" ? { text: "You play in another window" } : { text: "The connection was ended", more: "Reload the page to come back." }) };
  if (now.status !== "open") return { kind: "reconnecting", text: "Reconnecting …", more: "Your bets and your cards are kept." };
  const { view } = now;
  if (view.closed) return { kind: "paused", text: "The table is closed", more: view.closed };
  if (view.paused) return { kind: "paused", text: "The table is paused", more: typeof view.paused === "string" ? `Why: ${view.paused}.` : "It waits for its dealer." };
  const shown = state.roundShown(now);
  if (shown?.void) {
    const clause = shown.voided?.clause ? ` (${shown.voided.clause})` : "";
    return { kind: "void", text: `Void: ${words.spaced(shown.void)}`, more: `The round is void and stakes are returned${clause}.` };
  }
  const seat = state.mySeat(now);
  if (seat === null) return spectator(now);
  const result = state.resultShown(now, seat);
  if (result) return settled(now, result);
  return playing(now, seat);
}

function spectator(now) {
  const { view } = now;
  const seats = state.tableShown(now)?.seats ?? 0;
  const phase = view.round?.phase ?? "none";
  const text = phase === "betting" ? "Bets are being placed" : words.phase(phase);
  const full = seats > 0 && Object.keys(view.players).length >= seats;
  if (full) return { kind: "full", text, more: "The table is full: look on until a seat is free." };
  return { kind: "spectator", text, more: `You are looking on: any free seat is yours${offered(now)}.` };
}

/** What a guest sits down with, who is not asked for an amount. */
function offered(now) {
  const amount = now.house?.demo && state.tableShown(now)?.buy_in;
  return amount ? `, with ${words.brief(amount)} of play money` : "";
}

function settled(now, result) {
  const wagers = result.wagers;
  const round = state.roundShown(now);
  const net = words.signed(result.net).replace(/\.00$/, "");
  const betting = state.mayBet(now) ? "Place your bets for the next round." : "";
  if (wagers.progressive?.result === "win" && wagers.progressive.award !== "0.00") {
    return { kind: "jackpot", text: `Jackpot! ${net}`, more: words.capital(wagers.progressive.why) };
  }
  if (wagers.odds?.table === "bad_beat" && wagers.odds.result === "win") {
    return { kind: "bad-beat", text: `Bad Beat pays! ${net}`, more: words.capital(wagers.odds.why) };
  }
  if (Object.values(wagers).every((line) => line.result === "void")) {
    return { kind: "void", text: "Your hand is void", more: "Your stakes are returned." };
  }
  if (round?.seats[state.mySeat(now) ?? 0]?.decision === "fold") return { kind: "folded", text: `You folded: ${net}`, more: betting };
  if (round?.dealer_qualifies === false) return { kind: "unqualified", text: `The dealer does not qualify: ${net}`, more: betting };
  if (wagers.raise?.result === "push") return { kind: "push", text: `A copy: push ${net}`, more: betting };
  return result.net.startsWith("-") ? { kind: "lost", text: `The dealer wins: ${net}`, more: betting } : { kind: "won", text: `You win: ${net}`, more: betting };
}

function playing(now, seat) {
  const { view } = now;
  const round = view.round;
  const phase = round?.phase ?? "none";
  const hand = state.myHand(now);
  if (state.choices(now).length) return { kind: "my-turn", text: words.phase(phase) };
  if (phase === "betting") {
    if (hand) return { kind: "waiting", text: "Your bets are down", more: waitingForBets(now) };
    if (isBroke(now)) return { kind: "broke", text: "You are out of chips" };
    return { kind: "betting", text: words.phase(phase) };
  }
  if (hand?.decision === "fold") return { kind: "folded", text: "You have folded", more: words.phase(phase) };
  if (hand?.decision.startsWith("raise")) {
    return { kind: "raised", text: `You: ${words.decision(hand.decision, now.posted?.labels.raise ?? "Raise")}`, more: waiting(now) };
  }
  const waited = waitingForDecisions(now, seat);
  if (waited) return { kind: "not-my-turn", text: words.phase(phase), more: waited };
  if (!hand && round && phase !== "closed") return { kind: "sitting-out", text: words.phase(phase), more: "You are in the next round." };
  return { kind: "dealing", text: words.phase(phase) };
}

function waitingForBets(now) {
  const bet = now.view.round?.seats ?? {};
  const names = Object.entries(now.view.players).filter(([seat]) => !(seat in bet)).map(([, name]) => short(name));
  return names.length ? `Waiting for ${names.join(", ")}` : "The cards come.";
}

function waiting(now) {
  return waitingForDecisions(now, state.mySeat(now)) || words.phase(now.view.round?.phase ?? "none");
}

/** Who is to decide, or "". Where decisions are hidden, who of several has decided is not known (R34);
 * a single one has not, or the street would be closed. */
function waitingForDecisions(now, own) {
  const others = Object.entries(now.view.round?.seats ?? {}).filter(([seat, hand]) => Number(seat) !== own && !hand.void);
  const hidden = others.filter(([, hand]) => hand.decision === "hidden");
  if (hidden.length > 1) return "Waiting until everyone has decided";
  const owing = hidden.length ? hidden : others.filter(([, hand]) => hand.decision === "owes");
  const names = owing.map(([seat]) => short(now.view.players[seat] ?? `seat ${seat}`));
  return names.length ? `Waiting for ${names.join(", ")}` : "";
}

function short(name) {
  return name.replace(" (automatic)", "");
}

/** Whether the chips do not reach for the least bet. @param {import("./state.js").State} now */
export function isBroke(now) {
  if (!now.posted || now.view?.chips === undefined) return false;
  const least = bets.limitsOf(now.posted, "ante").min ?? 1;
  return words.inCents(now.view.chips ?? "0") < 2 * least;
}
