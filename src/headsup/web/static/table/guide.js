// The guide: one tip at each step of a newcomer's first round, about the real cards and in this table's
// own terms. The game never waits for it.

/** @import { AtTable, Decision, State } from "../lib/state.js" */

import { el, fill } from "../lib/dom.js";
import { formatBrief } from "../lib/money.js";
import { remember, setting } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { handWithArticle, withArticle } from "../lib/text.js";
import { isDealt } from "./felt.js";
import { isBroke } from "./moments.js";

/** The tips dismissed in this visit. @type {Set<string>} */
const dismissed = new Set();
let isRequested = false;
let lastRound = 0; // the round in which the last tip was shown: it is shown for one round only

/** @typedef {{id: string, title: string, text: string, last?: boolean}} Tip */

/** @param {import("../lib/state.js").State} now @param {() => void} changed */
export function drawGuide(now, changed) {
  if (lastRound && state.shownRound(now)?.number !== lastRound) endGuide();
  const tip = currentTip(now);
  if (tip?.last) lastRound = state.shownRound(now)?.number ?? 0;
  fill("guide", [tip, labels(now)], () => (tip ? tipCard(tip, changed) : ""));
}

/** Start over, on request. */
export function startGuide() {
  isRequested = true;
  dismissed.clear();
  remember("guide", "");
}

export function endGuide() {
  isRequested = false;
  lastRound = 0;
  remember("guide", "done");
}

function isGuiding() {
  return setting("guide") === "" || isRequested;
}

/** Whether a tip is on the screen. @param {State} now */
export function isTipShown(now) {
  return currentTip(now) !== null;
}

/** @returns {Tip | null} @param {State} now */
function currentTip(now) {
  if (!isGuiding() || now.view === null || now.posted === null || state.mySeat(now) === null) return null;
  const tip = tipOf(/** @type {AtTable} */ (now));
  return tip && !dismissed.has(tip.id) ? tip : null;
}

/** @param {State} now */
function labels(now) {
  return now.posted?.labels;
}

/** @returns {Tip | null} @param {AtTable} now */
function tipOf(now) {
  const { posted } = now;
  /** @param {string} wager */
  const label = (wager) => posted.labels[wager];
  const hand = state.myHand(now);
  const round = state.shownRound(now);
  if (state.shownResult(now, state.mySeat(now))) return settled(now, label);
  if (state.mayBet(now) && !hand) {
    if (isBroke(now)) return null;
    return {
      id: "bet",
      title: "1. Your bets",
      text: `${label("ante")} and ${
        label("odds")
      } are equal bets. Tap a spot to add the selected chip, hold it to remove its chips. The upper spots are optional side bets.`,
    };
  }
  const choices = state.choices(now);
  if (choices.length) return decision(now, choices, label);
  if (hand && isDealt(round) && hand.decision.action === "raise") {
    return {
      id: "raised",
      title: "You are in",
      text: "Your chips are down, and you have no more decisions. Watch the board and the dealer.",
    };
  }
  return null;
}

/** @param {AtTable} now @param {Decision[]} choices @param {(wager: string) => string} label */
function decision(now, choices, label) {
  const raises = choices.filter((/** @type {any} */ one) => one.action === "raise").map((/** @type {any} */ one) =>
    `${one.multiple}× for ${formatBrief(one.amount ?? "0.00")}`
  );
  const phase = now.view.round?.phase;
  const best = raises.length ? `${label("raise")} ${raises.join(", ")}` : "";
  const hand = state.myHand(now);
  const have = hand?.reads
    ? `You have ${[handWithArticle(hand.reads.name), ...hand.draws.map(withArticle)].join(" and ")}. `
    : "";
  return {
    pocket: {
      id: "pocket",
      title: "2. Your two cards",
      text: `Strong cards? ${best} now: later raises are smaller. Otherwise check and see the flop for free.`,
    },
    flop: {
      id: "flop",
      title: "3. The flop",
      text: `${have}Everyone shares these three cards. ${best}, or check again to see the last two.`,
    },
    river: {
      id: "river",
      title: "4. The last decision",
      text: `${have}All five cards are out. ${best} to play against the dealer, or fold and lose ${label("ante")} and ${
        label("odds")
      }.`,
    },
  }[phase ?? ""] ?? null;
}

/** @param {AtTable} now @param {(wager: string) => string} label */
function settled(now, label) {
  const qualifies = state.shownRound(now)?.dealer_qualifies;
  const early = state.shownHand(now)?.decision.street === "pocket"
    ? "You raised on two cards, so the rest were dealt at once. "
    : "";
  const why = qualifies === false ? `The dealer does not qualify, so the ${label("ante")} is returned. ` : "";
  return {
    id: "settled",
    title: "5. The result",
    text:
      `${early}${why}Each spot shows what it won or lost, and the list says why. “Rules & pays” shows all that is posted here. That’s the whole game!`,
    last: true,
  };
}

/** @param {Tip} tip @param {() => void} changed */
function tipCard(tip, changed) {
  const done = () => {
    dismissed.add(tip.id);
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
      tip.last ? "" : el("button", {
        type: "button",
        class: "quiet pill",
        name: "no guide",
        onclick: () => {
          endGuide();
          changed();
        },
      }, "No guide, thanks"),
    ),
  );
}
