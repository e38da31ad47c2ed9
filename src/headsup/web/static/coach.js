// The coach at the table: off, before or after a decision; bars with exact values, one sentence.
// It shows what the server says about the own hand, and nothing else.

import { Declined } from "./connection.js";
import { el, within } from "./dom.js";
import { remember, setting } from "./settings.js";
import { choices, mySeat } from "./state.js";
import * as training from "./training.js";
import { antes, bars } from "./values.js";

const MODES = { off: "off", after: "after I decide", before: "before I decide" };

/** @type {{element: HTMLElement, hooks: {changed?: (mode: string) => void}} | null} */
let mounted = null;
let now = null; // the page's state
let asked = ""; // the situation that was last asked about
let waiting = new AbortController();

/** When the coach speaks: "off", "after" or "before". */
export function mode() {
  const kept = setting("coach");
  return kept in MODES ? kept : "off";
}

/**
 * Put the coach into an element; `hooks.changed` hears when it is switched.
 * @param {HTMLElement} element @param {{changed?: (mode: string) => void}} [hooks]
 */
export function mount(element, hooks = {}) {
  if (!document.querySelector('link[href="coach.css"]')) {
    document.head.append(el("link", { rel: "stylesheet", href: "coach.css" }));
  }
  mounted = { element, hooks };
  element.dataset.mode = mode();
  element.replaceChildren(head(), el("div", { class: "coach-body", role: "status" }));
}

/** The page's state has changed: ask what there is to say, if it is another situation. */
export function update(state) {
  now = state;
  if (mounted === null) return;
  const seated = state.table !== null && mySeat(state) !== null;
  mounted.element.hidden = !seated;
  if (!seated) {
    asked = "";
    waiting.abort();
    return;
  }
  const situation = JSON.stringify([state.table, mode(), decided(state)]);
  if (situation === asked) return;
  asked = situation;
  look();
}

/** What the coach's answer depends on: the round, the street and whether it was decided on. */
function decided(state) {
  const round = state.view?.round;
  if (!round) return null;
  const own = round.seats[mySeat(state) ?? 0];
  if (!own?.hole) return [round.number, ""];
  return [round.number, own.decision, round.board.length, choices(state).length];
}

async function look() {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const wanted = mode();
  const table = now.table;
  try {
    const said = await training.untilReady(
      () => training.coach(table, wanted),
      () => draw(null),
      signal,
    );
    if (said !== null && !signal.aborted) draw(said);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (!signal.aborted) say(error.message, "bad");
  }
}

/** After, before, off, and round again: what a key does. */
export function switchOn() {
  const names = ["off", "after", "before"];
  choose(names[(names.indexOf(mode()) + 1) % names.length]);
}

function choose(wanted) {
  if (mounted === null) return;
  remember("coach", wanted);
  mounted.element.dataset.mode = wanted;
  /** @type {HTMLSelectElement} */ (mounted.element.querySelector("select")).value = wanted;
  mounted.hooks.changed?.(wanted);
  asked = "";
  if (now !== null) update(now);
}

// Drawing.

function head() {
  const select = el(
    "select",
    { id: "coach-mode", "aria-keyshortcuts": "k", title: "k switches", onchange: (event) => choose(event.target.value) },
    Object.entries(MODES).map(([value, words]) => el("option", { value, selected: value === mode() }, words)),
  );
  return el(
    "div",
    { class: "coach-head" },
    el("label", { class: "label", for: "coach-mode" }, "Coach"),
    select,
    el("a", { class: "exactly", target: "_blank", rel: "noopener", hidden: true }, "exactly"),
    el("p", { class: "so-far" }),
  );
}

/**
 * A part of the panel, which is mounted by now.
 * @template {typeof HTMLElement} [K=typeof HTMLElement] @param {string} selector @param {K} [kind]
 */
function part(selector, kind) {
  return within(/** @type {{element: HTMLElement}} */ (mounted).element, selector, kind);
}

function body() {
  return part(".coach-body");
}

/** @param {any} said an answer of the server, or null while it is worked out */
function draw(said) {
  if (said === null) {
    say("Working out exact values …");
    return;
  }
  part(".so-far").textContent = soFar(said.score);
  const hand = said.open ?? said.made.at(-1);
  const exactly = part(".exactly", HTMLAnchorElement);
  exactly.hidden = !hand;
  if (hand) exactly.href = training.exploring(now.table, hand.hole, hand.board);
  if (said.mode === "off" || !hand) {
    body().replaceChildren();
    return;
  }
  const right = hand.chosen === hand.best;
  const sentence = said.open
    ? el("p", { class: "coach-said", title: hand.explanation }, hand.explanation)
    : el("p", { class: `coach-said ${right ? "good" : "bad"}` }, `${onStreet(hand)}: ${hand.verdict}`);
  body().replaceChildren(bars(hand), sentence);
}

function say(sentence, kind = "") {
  body().replaceChildren(el("p", { class: `coach-said ${kind}` }, sentence));
}

function onStreet(hand) {
  return { pocket: "Pocket", flop: "Flop", river: "River" }[hand.street];
}

function soFar(score) {
  if (!score.decisions) return "";
  const best = `${score.best} of ${score.decisions} best`;
  return score.best === score.decisions ? best : `${best}, −${antes(score.cost.decimal)}`;
}
