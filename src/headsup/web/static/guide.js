// The guided round: at each moment of a newcomer's first hand, one tip, about the real cards and with
// the table's own words. It waits for the game and never the game for it.

import { el, fill } from "./dom.js";
import { isDealt } from "./felt.js";
import { isBroke } from "./moments.js";
import { remember, setting } from "./settings.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** Tips that were read and put away in this visit. @type {Set<string>} */
const read = new Set();
let asked = false;

/** @typedef {{id: string, title: string, text: string, last?: boolean}} Tip */

/** @param {import("./state.js").State} now @param {() => void} changed */
export function drawGuide(now, changed) {
  const tip = current(now);
  fill("guide", [tip, steps(now)], () => (tip ? card(tip, changed) : ""));
}

/** Begin again, for who asks. */
export function beginGuide() {
  asked = true;
  read.clear();
  remember("guide", "");
}

export function endGuide() {
  asked = false;
  remember("guide", "done");
}

function isGuiding() {
  return setting("guide") === "" || asked;
}

/** Whether a tip is on the screen. */
export function isTipShown(now) {
  return current(now) !== null;
}

/** @returns {Tip | null} */
function current(now) {
  if (!isGuiding() || now.view === null || now.posted === null || state.mySeat(now) === null) return null;
  const tip = tipOf(now);
  return tip && !read.has(tip.id) ? tip : null;
}

function steps(now) {
  return now.posted?.labels;
}

/** @returns {Tip | null} */
function tipOf(now) {
  const { posted } = now;
  const label = (wager) => posted.labels[wager];
  const hand = state.myHand(now);
  const round = state.roundShown(now);
  if (state.resultShown(now, state.mySeat(now))) return settled(now, label);
  if (state.mayBet(now) && !hand) {
    if (isBroke(now)) return null;
    return {
      id: "bet",
      title: "1. Your bets",
      text: `The ${label("ante")} is your bet, and the ${label("odds")} always match it. Tap a spot to add the chosen chip; hold it to take its chips back. The upper spots are side wagers, as you like. Then place your bets.`,
    };
  }
  const choices = state.choices(now);
  if (choices.length) return decision(now, choices, label);
  if (hand && isDealt(round) && hand.decision.startsWith("raise")) {
    return { id: "raised", title: "You are in", text: "Your chips are behind the bet, and nothing is left to decide. Watch the board and the dealer." };
  }
  return null;
}

function decision(now, choices, label) {
  const raises = choices.filter((one) => one.action === "raise").map((one) => `${one.multiple}× for ${words.brief(one.amount ?? "0.00")}`);
  const phase = now.view.round.phase;
  const best = raises.length ? `${label("raise")} ${raises.join(", ")}` : "";
  const hand = state.myHand(now);
  const have = hand?.reads ? `You have ${[words.aHand(hand.reads.name), ...hand.draws.map(words.withArticle)].join(" and ")}. ` : "";
  return {
    pocket: {
      id: "pocket",
      title: "2. Your two cards",
      text: `Strong cards? ${best} now: no raise will be larger. Otherwise check, and see the flop for nothing.`,
    },
    flop: {
      id: "flop",
      title: "3. The flop",
      text: `${have}Three cards are for everyone. ${best}, or check once more and see the last two.`,
    },
    river: {
      id: "river",
      title: "4. The last decision",
      text: `${have}All five cards are there. ${best} to play against the dealer, or fold and give up ${label("ante")} and ${label("odds")}.`,
    },
  }[phase] ?? null;
}

function settled(now, label) {
  const qualifies = state.roundShown(now)?.dealer_qualifies;
  const early = state.handShown(now)?.decision.endsWith("pocket") ? "You raised on two cards, so all the others came unasked. " : "";
  const why = qualifies === false ? `The dealer does not qualify, so the ${label("ante")} comes back. ` : "";
  return {
    id: "settled",
    title: "5. How it came out",
    text: `${early}${why}Each spot shows what it won or lost, and the list says why. “Rules & pays” has all that is posted here. That is the whole game!`,
    last: true,
  };
}

function card(tip, changed) {
  const done = () => {
    read.add(tip.id);
    if (tip.last) endGuide();
    changed();
  };
  return el(
    "aside",
    { class: `tip panel at-${tip.id}`, "aria-label": "Guide" },
    el("h2", {}, tip.title),
    el("p", {}, tip.text),
    el(
      "p",
      { class: "rows" },
      el("button", { type: "button", class: "main pill", name: "tip", onclick: done }, "Got it"),
      tip.last ? "" : el("button", { type: "button", class: "quiet pill", name: "no guide", onclick: () => { endGuide(); changed(); } }, "No guide, thanks"),
    ),
  );
}
