// The drill: one close decision after the other; what was missed comes back.

import { row } from "./cards.js";
import { el, fill, find, within } from "./dom.js";
import * as training from "./training.js";
import { antes, bars, exactTable } from "./values.js";

const STREETS = { "": "any", pocket: "pocket", flop: "flop", river: "river" };

let about = null; // whose rules, kinds of hand, where to say what went wrong
let open = null; // the question
let judged = null; // its answer
let asking = new AbortController();

/** Begin, or begin anew under other rules. */
export function beginDrill(context) {
  about = context;
  choices();
  next();
}

function choices() {
  const street = find("drill-street");
  if (street.childElementCount > 0) return;
  street.append(...Object.entries(STREETS).map(([value, words]) => el("option", { value }, words)));
  street.addEventListener("change", () => {
    drawKinds();
    next();
  });
  find("drill-kind").addEventListener("change", next);
  drawKinds();
}

/** The kinds of hand that there are on the street. */
function drawKinds() {
  const street = find("drill-street", HTMLSelectElement).value;
  const fit = about.kinds.filter((kind) => street === "" || kind.streets.includes(street));
  find("drill-kind").replaceChildren(
    el("option", { value: "" }, "any"),
    ...fit.map((kind) => el("option", { value: kind.id }, kind.words)),
  );
}

async function next() {
  const focused = find("drill-question").contains(document.activeElement);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  open = judged = null;
  draw("…");
  const [street, kind] = [find("drill-street", HTMLSelectElement).value, find("drill-kind", HTMLSelectElement).value];
  const { game } = about;
  const asked = await about.trying(() =>
    training.untilReady(
      () => training.question(game, street, kind),
      () => draw("Solving the game for these rules: a moment, the first time up to a minute …"),
      signal,
    ),
  );
  if (signal.aborted) return;
  open = asked?.question ?? null;
  draw("");
  if (focused) /** @type {HTMLElement | null} */ (find("drill-question").querySelector(".about"))?.focus();
}

async function choose(option) {
  if (open === null || judged !== null) return;
  const { id } = open;
  const answered = await about.trying(() => training.answer(id, option));
  if (answered === null || open?.id !== id) return;
  judged = answered;
  draw("");
  within(find("drill-question"), ".next")?.focus();
}

/** What a key means now; whether it meant anything. */
export function drillKey(key) {
  if (judged !== null && (key === "n" || key === " ")) {
    next();
    return true;
  }
  const option = open?.options.find((one) => keyOf(one) === key.toLowerCase());
  if (!option || judged !== null) return false;
  choose(option);
  return true;
}

/** The first letter, or the multiple where there are several raises. */
function keyOf(option) {
  const raises = open.options.filter((one) => one.action === "raise");
  if (option.action === "raise" && raises.length > 1) return String(option.multiple);
  return option.action[0];
}

// Drawing.

function draw(waiting) {
  fill("drill-question", [waiting, open, judged], () => {
    if (waiting) return el("p", { class: "waiting", role: "status" }, waiting);
    return open === null ? "" : [cards(), judged === null ? decisions() : verdict()];
  });
  if (judged !== null) {
    find("drill-score").textContent = `${judged.correct} of ${judged.answered} answers right.`;
  }
}

function cards() {
  const words = open.repeated ? `${open.kind_words} · missed before` : open.kind_words;
  return [
    el("p", { class: "about", tabindex: -1 }, `${capital(open.street)}: ${words} · ${open.rules}`),
    el(
      "div",
      { class: "hands" },
      el("div", {}, el("h2", {}, "You"), row(open.hole, 2, { label: "Your cards" })),
      el("div", {}, el("h2", {}, "Board"), row(open.board, 5, { label: "Board" })),
    ),
  ];
}

function decisions() {
  return el(
    "p",
    { class: "rows decide" },
    open.options.map((option, place) =>
      el(
        "button",
        { type: "button", class: place === 0 ? "main" : "", name: option.name, "aria-keyshortcuts": keyOf(option), onclick: () => choose(option) },
        option.name,
        el("kbd", { "aria-hidden": "true" }, keyOf(option)),
      ),
    ),
  );
}

function verdict() {
  const { hand, right, comes_back: back } = judged;
  const chosen = hand.options[hand.chosen];
  const said = right ? "Right." : `That gives away ${antes(chosen.cost.decimal)}.`;
  return el(
    "div",
    { class: "verdict panel" },
    el("p", { role: "status" }, el("strong", { class: right ? "good" : "bad" }, said), " ", hand.explanation),
    bars(hand),
    back === null ? "" : el("p", { class: "soft" }, `It comes back after ${back} more questions.`),
    el("details", {}, el("summary", {}, "Exact values"), exactTable(hand)),
    el("p", {}, el("button", { type: "button", class: "main next", onclick: next }, "Next ", el("kbd", { "aria-hidden": "true" }, "n"))),
  );
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
