// The replay of a round, step by step, as one viewer saw it. Used by the office and by players.

/** @import { ReplayResponse } from "./wire.d.ts" */

import { dealerView } from "./dealer-view.js";
import { el, find } from "./dom.js";
import { postedOf, viewOf } from "./parts.js";

/** @param {string} text */
export function formatTime(text) {
  return text.replace("T", " ").replace(/\.\d+Z$/, " Z");
}

/** A time of day as people say it where they are, for players. @param {string} text in UTC */
export function formatLocalTime(text) {
  return new Date(text).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/**
 * The steps and the table. Call `startReplay` once the panel is on the page.
 * @param {ReplayResponse} replay @param {string} about @param {any} [more]
 */
export function replayPanel(replay, about, more = "") {
  const last = Math.max(replay.steps.length - 1, 0);
  return el(
    "section",
    { class: "panel replay" },
    el("h1", {}, `${replay.table}, round ${replay.round}`),
    el("p", { class: "soft" }, about),
    more,
    el(
      "div",
      { class: "steps" },
      stepButtons(),
      el("input", {
        type: "range",
        id: "step",
        min: 0,
        max: last,
        value: last,
        "aria-label": "Step of the round",
        oninput: (event) => current?.go(Number(event.target.value)),
      }),
    ),
    el("p", { class: "now", id: "now", "aria-live": "polite" }),
    el("div", { class: "felt", id: "replayed" }),
    el("details", {}, el("summary", {}, "All steps"), el("ol", { class: "all", id: "all" })),
  );
}

/** Start at the last step. @param {ReplayResponse} replay @param {(at: string) => string} [timeText]  how times are written */
export function startReplay(replay, timeText = formatTime) {
  const moments = momentsOf(replay.steps);
  const state = { step: 0 };
  /** @param {number} step */
  const go = (step) => {
    state.step = Math.min(Math.max(step, 0), replay.steps.length - 1);
    draw(replay, moments, state.step, go, timeText);
  };
  current = { go, state };
  go(Infinity);
}

/** @type {{go: (step: number) => void, state: {step: number}} | null} */
let current = null; // the replay on the page

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!document.getElementById("replayed") || target.closest("input, select, textarea, dialog[open]")) return;
  const move = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
  if (move === undefined) return;
  event.preventDefault();
  current?.go(Number.isFinite(move) ? current.state.step + move : move < 0 ? 0 : Infinity);
});

/** The parts of the view at each step: a step has those that changed. @param {any[]} steps @returns {import("./parts.js").Parts[]} */
function momentsOf(steps) {
  /** @type {any} */
  let parts = {};
  return steps.map(({ set }) => {
    parts = Object.fromEntries(Object.entries({ ...parts, ...set }).filter(([, value]) => value !== null));
    return parts;
  });
}

/** @param {ReplayResponse} replay @param {import("./parts.js").Parts[]} moments @param {number} step @param {(step: number) => void} go @param {(at: string) => string} timeText */
function draw(replay, moments, step, go, timeText) {
  const { say, at } = replay.steps[step];
  const parts = moments[step];
  find("step", HTMLInputElement).value = String(step);
  find("now").textContent = `${step + 1} of ${replay.steps.length} · ${timeText(at)} · ${say}`;
  find("replayed").replaceChildren(...dealerView(viewOf(parts), postedOf(parts)).filter((child) => child !== ""));
  find("all").replaceChildren(
    ...replay.steps.map((each, /** @type {number} */ number) =>
      el(
        "li",
        { "aria-current": number === step ? "step" : undefined },
        el("button", { type: "button", onclick: () => go(number) }, each.say),
      )
    ),
  );
}

function stepButtons() {
  /** @param {string} text @param {string} label @param {string} key @param {(step: number) => number} next */
  const button = (text, label, key, next) =>
    el("button", {
      type: "button",
      "aria-label": label,
      "aria-keyshortcuts": key,
      onclick: () => current?.go(next(current.state.step)),
    }, text);
  return [
    button("First", "To the first step", "Home", () => 0),
    button("Back", "One step back", "ArrowLeft", (/** @type {number} */ step) => step - 1),
    button("Next", "One step forward", "ArrowRight", (/** @type {number} */ step) => step + 1),
    button("Last", "To the last step", "End", () => Infinity),
  ];
}
