// The drill: one close decision after another. Missed ones come back.

import { row } from "../lib/cards.js";
import { decisionKeys } from "../lib/decision-keys.js";
import { el, fill, find, findIn } from "../lib/dom.js";
import { capitalize } from "../lib/text.js";
import * as training from "../lib/training.js";
import { bars, exactTable, formatAntes } from "../lib/values.js";

const STREETS = { "": "any", pocket: "pocket", flop: "flop", river: "river" };

let context = null; // the rules, the kinds of hand, and how to show refusals
let open = null; // the question
let verdict = null; // on the answer
let pending = new AbortController();

/** Start, or start over under other rules. */
export function startDrill(nextContext) {
  context = nextContext;
  drawFilters();
  next();
}

function drawFilters() {
  const street = find("drill-street");
  if (street.childElementCount > 0) return;
  street.append(...Object.entries(STREETS).map(([value, text]) => el("option", { value }, text)));
  street.addEventListener("change", () => {
    drawKinds();
    next();
  });
  find("drill-kind").addEventListener("change", next);
  drawKinds();
}

/** The kinds of hand that occur on the street. */
function drawKinds() {
  const street = find("drill-street", HTMLSelectElement).value;
  const fit = context.kinds.filter((kind) => street === "" || kind.streets.includes(street));
  find("drill-kind").replaceChildren(
    el("option", { value: "" }, "any"),
    ...fit.map((kind) => el("option", { value: kind.id }, kind.words)),
  );
}

async function next() {
  const focused = find("drill-question").contains(document.activeElement);
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  open = verdict = null;
  draw("…");
  const [street, kind] = [find("drill-street", HTMLSelectElement).value, find("drill-kind", HTMLSelectElement).value];
  const { game } = context;
  const response = await context.attempt(() =>
    training.pollUntilReady(
      () => training.question(game, street, kind),
      () => draw("Solving the game for these rules. The first time, this can take up to a minute…"),
      signal,
    )
  );
  if (signal.aborted) return;
  open = response?.question ?? null;
  draw("");
  if (focused) /** @type {HTMLElement | null} */ (find("drill-question").querySelector(".about"))?.focus();
}

async function choose(option) {
  if (open === null || verdict !== null) return;
  const { id } = open;
  const result = await context.attempt(() => training.answer(id, option));
  if (result === null || open?.id !== id) return;
  verdict = result;
  draw("");
  findIn(find("drill-question"), ".next")?.focus();
}

/** Act on a key. Returns whether it did anything. */
export function drillKey(key) {
  if (verdict !== null && (key === "n" || key === " ")) {
    next();
    return true;
  }
  const option = open?.options.find((one) => keysOf(one).includes(key.toLowerCase()));
  if (!option || verdict !== null) return false;
  choose(option);
  return true;
}

/** As at the table: c, f, r for the largest Raise, and for every Raise its multiple. */
function keysOf({ action, multiple }) {
  return decisionKeys({ action, multiple }, open.options);
}

// Drawing.

function draw(waiting) {
  fill("drill-question", [waiting, open, verdict], () => {
    if (waiting) return el("p", { class: "waiting", role: "status" }, waiting);
    return open === null ? "" : [cards(), verdict === null ? decisions() : verdictPanel()];
  });
  if (verdict !== null) {
    find("drill-score").textContent = `${verdict.correct} of ${verdict.answered} correct.`;
  }
}

function cards() {
  // What kind of hand it is would be half of the answer.
  const parts = [capitalize(open.street), verdict?.hand.kind_words, open.repeated && "missed before", open.rules];
  return [
    el("p", { class: "about", tabindex: -1 }, parts.filter(Boolean).join(" · ")),
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
    open.options.map((option, index) =>
      el(
        "button",
        {
          type: "button",
          class: index === 0 ? "main" : "",
          name: option.name,
          "aria-keyshortcuts": keysOf(option).join(" "),
          onclick: () => choose(option),
        },
        option.name,
        el("kbd", { "aria-hidden": "true" }, keysOf(option).at(-1)),
      )
    ),
  );
}

function verdictPanel() {
  const { hand, right, comes_back: back } = verdict;
  const chosen = hand.options[hand.chosen];
  const sentence = right ? "Correct." : `That costs ${formatAntes(chosen.cost.decimal)}.`;
  return el(
    "div",
    { class: "verdict panel" },
    el("p", { role: "status" }, el("strong", { class: right ? "good" : "bad" }, sentence), " ", hand.explanation),
    bars(hand),
    back === null ? "" : el("p", { class: "soft" }, `You will see this hand again after ${back} more questions.`),
    el("details", {}, el("summary", {}, "Exact values"), exactTable(hand)),
    el(
      "p",
      {},
      el(
        "button",
        { type: "button", class: "main next", onclick: next },
        "Next ",
        el("kbd", { "aria-hidden": "true" }, "n"),
      ),
    ),
  );
}
