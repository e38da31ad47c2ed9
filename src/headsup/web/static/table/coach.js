// The coach at the table: off, or before or after each decision. It shows bars with exact values and one
// sentence, all from the server and only about the player's own hand.

/** @import { State } from "../lib/state.js" */
/** @import { ValuedHand } from "../lib/wire.d.ts" */

import { el, findIn } from "../lib/dom.js";
import { Declined } from "../lib/http.js";
import { remember, setting } from "../lib/settings.js";
import { choices, mySeat } from "../lib/state.js";
import * as training from "../lib/training.js";
import { bars, formatAntes } from "../lib/values.js";

const MODES = { off: "off", after: "after I decide", before: "before I decide" };

/**
 * @typedef {object} Hooks
 * @property {(mode: string) => void} [changed]  called when its mode changes
 * @property {(advice: import("../lib/state.js").Advice) => void} [advises]  called with its advice on an open decision
 */

/** @type {{element: HTMLElement, hooks: Hooks} | null} */
let mounted = null;
/** @type {any} */
let now = null; // the page's state
let situation = ""; // the one that advice was last requested for
let pending = new AbortController();

/** "off", "after" or "before". */
function coachMode() {
  const mode = setting("coach");
  return mode in MODES ? mode : "off";
}

/** Put the coach into an element. @param {HTMLElement} element @param {Hooks} [hooks] */
export function mountCoach(element, hooks = {}) {
  mounted = { element, hooks };
  element.dataset.mode = coachMode();
  element.replaceChildren(head(), el("div", { class: "coach-body", role: "status" }));
}

/** Request new advice if the page's state is another situation. @param {State} state */
export function updateCoach(state) {
  now = state;
  if (mounted === null) return;
  const seated = state.table !== null && mySeat(state) !== null;
  mounted.element.hidden = !seated;
  if (!seated) {
    situation = "";
    pending.abort();
    return;
  }
  const next = JSON.stringify([state.table, coachMode(), situationOf(state)]);
  if (next === situation) return;
  situation = next;
  requestAdvice();
}

/** What the advice depends on: the round, the street, and whether the player has decided. @param {State} state */
function situationOf(state) {
  const round = state.view?.round;
  if (!round) return null;
  const hand = round.seats[mySeat(state) ?? 0];
  if (!hand?.hole) return [round.number, ""];
  return [round.number, hand.decision, round.board.length, choices(state).length];
}

async function requestAdvice() {
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  const mode = coachMode();
  const table = now.table;
  try {
    const advice = await training.pollUntilReady(
      () => training.coach(table, mode),
      () => draw(null),
      signal,
    );
    if (advice !== null && !signal.aborted) draw(advice);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (!signal.aborted) say(error.message, "bad");
  }
}

/** Switch to the next mode. */
export function cycleMode() {
  const names = ["off", "after", "before"];
  setMode(names[(names.indexOf(coachMode()) + 1) % names.length]);
}

/** @param {string} mode */
function setMode(mode) {
  if (mounted === null) return;
  remember("coach", mode);
  mounted.element.dataset.mode = mode;
  /** @type {HTMLSelectElement} */ (mounted.element.querySelector("select")).value = mode;
  situation = "";
  if (now !== null) updateCoach(now);
  mounted.hooks.changed?.(mode);
}

// Drawing.

function head() {
  const select = el(
    "select",
    {
      id: "coach-mode",
      "aria-keyshortcuts": "k",
      title: "Press k to switch",
      onchange: (event) => setMode(event.target.value),
    },
    Object.entries(MODES).map(([value, text]) => el("option", { value, selected: value === coachMode() }, text)),
  );
  return el(
    "div",
    { class: "coach-head" },
    el("label", { class: "label", for: "coach-mode" }, "Coach"),
    select,
    el("a", { class: "exact-values", target: "_blank", rel: "noopener", hidden: true }, "Exact values"),
    el("p", { class: "so-far" }),
  );
}

/**
 * A part of the panel, which must be mounted.
 * @template {typeof HTMLElement} [K=typeof HTMLElement] @param {string} selector @param {K} [kind]
 */
function part(selector, kind) {
  return findIn(/** @type {{element: HTMLElement}} */ (mounted).element, selector, kind);
}

function body() {
  return part(".coach-body");
}

/** @param {any} advice from the server, or null while it is calculated */
function draw(advice) {
  if (advice === null) {
    say("Calculating exact values…");
    return;
  }
  part(".so-far").textContent = scoreText(advice.score);
  const hand = advice.open ?? advice.made.at(-1);
  const link = part(".exact-values", HTMLAnchorElement);
  link.hidden = !hand;
  if (hand) link.href = training.explorerLink(now.table, hand.hole, hand.board);
  if (advice.mode === "off" || !hand) {
    body().replaceChildren();
    return;
  }
  const isRight = hand.chosen === hand.best;
  const sentence = advice.open
    ? el("p", { class: "coach-said", title: hand.explanation }, hand.explanation)
    : el("p", { class: `coach-said ${isRight ? "good" : "bad"}` }, `${streetName(hand)}: ${hand.verdict}`);
  body().replaceChildren(bars(hand), sentence);
  if (advice.open) giveAdvice(hand);
}

/** Tell the page, so that its buttons say the same as the coach. @param {ValuedHand} hand */
function giveAdvice(hand) {
  const { action, multiple } = hand.options[hand.best];
  const { number, phase } = now.view.round;
  mounted?.hooks.advises?.({ round: number, phase, action, multiple });
}

/** @param {string} sentence */
function say(sentence, kind = "") {
  body().replaceChildren(el("p", { class: `coach-said ${kind}` }, sentence));
}

/** @param {ValuedHand} hand */
function streetName(hand) {
  return { pocket: "Pocket", flop: "Flop", river: "River" }[hand.street];
}

/** @param {any} score */
function scoreText(score) {
  if (!score.decisions) return "";
  const best = `${score.best} of ${score.decisions} best`;
  return score.best === score.decisions ? best : `${best}, −${formatAntes(score.cost.decimal)}`;
}
