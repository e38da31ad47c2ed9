// How fast the house deals one table. Staff can see it; some roles can set it.

/** @import { PaceResponse, PaceSeconds } from "./wire.d.ts" */

import { el } from "./dom.js";

/** The waiting times, in the order of a round. @type {Record<keyof PaceSeconds, string>} */
const STEPS = {
  open: "Before a round opens",
  betting: "Betting time, from the first bet",
  all_in: "After everyone has bet",
  deal: "Before the deal",
  card: "Before each street",
  resolve: "Per hand at settlement",
  close: "Showing the results",
};

/** @typedef {(seconds: PaceSeconds | null) => unknown} SetPace  sets new times; null sets the default ones */

const STEP_NAMES = /** @type {(keyof PaceSeconds)[]} */ (Object.keys(STEPS));

/** Two decimals: a server's pace factor makes long ones. @param {number} value */
const rounded = (value) => Number(value.toFixed(2));

/**
 * @param {PaceResponse} pace
 * @param {SetPace} set
 */
export function pacePanel(pace, set) {
  const source = pace.by ? `Set for this table by ${pace.by}.` : "The house default.";
  const note = el("p", { class: "soft" }, `${source} In seconds. Decision time limits are part of the rules.`);
  return pace.may_set ? [note, form(pace, set)] : [note, list(pace)];
}

/**
 * A field for each waiting time, and a function that reads them all.
 * @param {Pick<PaceResponse, "seconds" | "usual" | "longest">} pace
 * @param {(step: keyof PaceSeconds) => any} below  makes what stands below a field
 */
export function paceFields(pace, below) {
  const inputs = STEP_NAMES.map((step) =>
    el("input", {
      name: step,
      "data-field": `pace.${step}`,
      type: "number",
      required: true,
      min: 0,
      max: pace.longest,
      step: "any",
      inputmode: "decimal",
      value: rounded(pace.seconds[step]),
    })
  );
  return {
    fields: inputs.map((input, index) =>
      el("label", {}, el("span", {}, STEPS[STEP_NAMES[index]]), input, below(STEP_NAMES[index]))
    ),
    /** @returns {PaceSeconds} */
    read: () => /** @type {any} */ (Object.fromEntries(inputs.map((input) => [input.name, Number(input.value)]))),
  };
}

/** @param {PaceResponse} pace @param {SetPace} set */
function form(pace, set) {
  /** @param {keyof PaceSeconds} step */
  const showDefault = (step) => el("small", { class: "soft" }, `default ${rounded(pace.usual[step])}`);
  const { fields, read } = paceFields(pace, showDefault);
  return el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        set(read());
      },
    },
    el("div", { class: "fields" }, fields),
    el(
      "div",
      { class: "actions" },
      el("button", { name: "set pace" }, "Use this pace"),
      pace.by
        ? el(
          "button",
          { type: "button", class: "quiet", name: "usual pace", onclick: () => set(null) },
          "Back to the default",
        )
        : "",
    ),
  );
}

/** @param {PaceResponse} pace */
function list(pace) {
  return el(
    "ul",
    {},
    STEP_NAMES.map((step) => el("li", {}, `${STEPS[step]}: ${rounded(pace.seconds[step])} s`)),
  );
}
