// A round once more, step by step as one viewer saw it: for the office, and for a player's own.

import { el, find } from "./dom.js";
import { tableDrawn, tone } from "./table.js";
import * as words from "./words.js";

export function time(text) {
  return text.replace("T", " ").replace(/\.\d+Z$/, " Z");
}

/** What came of all wagers of a hand together: an Ante may push where the Raise wins. */
export function cameOut(hand) {
  if (hand.result === "void") return "returned";
  return { win: "won", lose: "lost", "": "even" }[tone(hand.net)];
}

/**
 * The steps and the table as it stood; `beginReplay` draws it once it is on the page.
 * @param {any} shown a round as the server replays it @param {string} about @param {any} [more]
 */
export function replayed(shown, about, more = "") {
  const last = Math.max(shown.steps.length - 1, 0);
  return el(
    "section",
    { class: "panel replay" },
    el("h1", {}, `${shown.table}, round ${shown.round}`),
    el("p", { class: "soft" }, about),
    more,
    el("div", { class: "steps" }, stepButtons(), el("input", { type: "range", id: "step", min: 0, max: last, value: last, "aria-label": "Step of the round", oninput: (event) => shownNow?.go(Number(event.target.value)) })),
    el("p", { class: "now", id: "now", "aria-live": "polite" }),
    el("div", { class: "felt", id: "replayed" }),
    el("details", {}, el("summary", {}, "All steps"), el("ol", { class: "all", id: "all" })),
  );
}

/** Stand at the last step. */
export function beginReplay(shown) {
  const posted = shown.steps[0]?.view.posted ?? null;
  const state = { step: 0 };
  const go = (step) => {
    state.step = Math.min(Math.max(step, 0), shown.steps.length - 1);
    draw(shown, posted, state.step, go);
  };
  shownNow = { go, state };
  go(Infinity);
}

/** @type {{go: (step: number) => void, state: {step: number}} | null} */
let shownNow = null;

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!document.getElementById("replayed") || target.closest("input, select, textarea, dialog[open]")) return;
  const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  shownNow?.go(Number.isFinite(by) ? shownNow.state.step + by : by < 0 ? 0 : Infinity);
});

function draw(shown, posted, step, go) {
  const { view, event, at } = shown.steps[step];
  find("step", HTMLInputElement).value = String(step);
  find("now").textContent = `${step + 1} of ${shown.steps.length} · ${time(at)} · ${told(event, view, posted)}`;
  find("replayed").replaceChildren(...tableDrawn(view, posted).filter((one) => one !== ""));
  find("all").replaceChildren(
    ...shown.steps.map((one, number) =>
      el("li", { "aria-current": number === step ? "step" : undefined }, el("button", { type: "button", onclick: () => go(number) }, told(one.event, one.view, posted))),
    ),
  );
}

function told(event, view, posted) {
  const name = event.event.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.sentence(event, /** @type {any} */ ({ view, posted })) || words.capital(name);
}

function stepButtons() {
  const button = (text, label, key, by) => el("button", { type: "button", "aria-label": label, "aria-keyshortcuts": key, onclick: () => shownNow?.go(by(shownNow.state.step)) }, text);
  return [
    button("First", "To the first step", "Home", () => 0),
    button("Back", "One step back", "ArrowLeft", (step) => step - 1),
    button("Next", "One step on", "ArrowRight", (step) => step + 1),
    button("Last", "To the last step", "End", () => Infinity),
  ];
}
