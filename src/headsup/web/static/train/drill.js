// The drill: one close decision after another. Missed ones come back.

/** @import { Context } from "../lib/training.js" */
/** @import { DrillAnswerResponse, DrillOption, QuestionView } from "../lib/wire.d.ts" */

import { row } from "../lib/cards.js";
import { decisionKeys } from "./decision-keys.js";
import { el, fill, find, findIn } from "../lib/dom.js";
import { capitalize } from "../lib/text.js";
import * as training from "../lib/training.js";
import { bars, exactTable, formatAntes } from "../lib/values.js";

const STREETS = { "": "any", pocket: "pocket", flop: "flop", river: "river" };

const state = {
  /** @type {Context} */
  context: { game: "", kinds: [], attempt: (act) => act() },
  /** @type {QuestionView | null} */
  question: null,
  /** @type {DrillAnswerResponse | null} the verdict on the answer */
  verdict: null,
  pending: new AbortController(),
};

/** Start, or start over under other rules. @param {Context} context */
export function startDrill(context) {
  state.context = context;
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
  const fit = state.context.kinds.filter((kind) => street === "" || kind.streets.includes(street));
  find("drill-kind").replaceChildren(
    el("option", { value: "" }, "any"),
    ...fit.map((kind) => el("option", { value: kind.id }, kind.words)),
  );
}

async function next() {
  const focused = find("drill-question").contains(document.activeElement);
  state.pending.abort();
  state.pending = new AbortController();
  const { signal } = state.pending;
  state.question = state.verdict = null;
  draw("…");
  const [street, kind] = [find("drill-street", HTMLSelectElement).value, find("drill-kind", HTMLSelectElement).value];
  const { game, attempt } = state.context;
  const response = await attempt(() =>
    training.pollUntilReady(
      () => training.question(game, street, kind),
      () => draw("Solving the game for these rules. The first time, this can take up to a minute…"),
      signal,
    )
  );
  if (signal.aborted) return;
  state.question = response?.question ?? null;
  draw("");
  if (focused) /** @type {HTMLElement | null} */ (find("drill-question").querySelector(".about"))?.focus();
}

/** @param {DrillOption} option */
async function choose(option) {
  if (state.question === null || state.verdict !== null) return;
  const { id } = state.question;
  const result = await state.context.attempt(() => training.answer(id, option));
  if (result === null || state.question?.id !== id) return;
  state.verdict = result;
  draw("");
  findIn(find("drill-question"), ".next")?.focus();
}

/** Act on a key. Returns whether it did anything. @param {string} key */
export function drillKey(key) {
  if (state.verdict !== null && (key === "n" || key === " ")) {
    next();
    return true;
  }
  const options = state.question?.options ?? [];
  const option = options.find((one) => decisionKeys(one, options).includes(key.toLowerCase()));
  if (!option || state.verdict !== null) return false;
  choose(option);
  return true;
}

// Drawing.

/** @param {string} waiting  shown instead of a question */
function draw(waiting) {
  const { question, verdict } = state;
  fill("drill-question", [waiting, question, verdict], () => {
    if (waiting) return el("p", { class: "waiting", role: "status" }, waiting);
    return question === null
      ? ""
      : [cards(question, verdict), verdict === null ? decisions(question) : verdictPanel(verdict)];
  });
  if (verdict !== null) {
    find("drill-score").textContent = `${verdict.correct} of ${verdict.answered} correct.`;
  }
}

/** @param {QuestionView} question @param {DrillAnswerResponse | null} verdict */
function cards(question, verdict) {
  // What kind of hand it is would be half of the answer.
  const parts = [
    capitalize(question.street),
    verdict?.hand.kind_words,
    question.repeated && "missed before",
    question.rules,
  ];
  return [
    el("p", { class: "about", tabindex: -1 }, parts.filter(Boolean).join(" · ")),
    el(
      "div",
      { class: "hands" },
      el("div", {}, el("h2", {}, "You"), row(question.hole, 2, { label: "Your cards" })),
      el("div", {}, el("h2", {}, "Board"), row(question.board, 5, { label: "Board" })),
    ),
  ];
}

/** @param {QuestionView} question */
function decisions({ options }) {
  return el(
    "p",
    { class: "rows decide" },
    options.map((option, index) =>
      el(
        "button",
        {
          type: "button",
          class: index === 0 ? "main" : "",
          name: option.name,
          "aria-keyshortcuts": decisionKeys(option, options).join(" "),
          onclick: () => choose(option),
        },
        option.name,
        el("kbd", { "aria-hidden": "true" }, decisionKeys(option, options).at(-1)),
      )
    ),
  );
}

/** @param {DrillAnswerResponse} verdict */
function verdictPanel({ hand, right, comes_back: back }) {
  const chosen = hand.options[hand.chosen ?? hand.best];
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
