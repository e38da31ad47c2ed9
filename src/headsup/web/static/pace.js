// How fast the house deals one table: shown to the staff, and set by those who may.

import { el } from "./dom.js";

/** What the dealer waits for, in the order of a round. */
const STEPS = {
  open: "Before a round opens",
  betting: "For bets, from the first",
  all_in: "Once all have bet",
  deal: "Before the deal",
  card: "Before each street",
  resolve: "Each hand at settlement",
  close: "To look at the results",
};

/** @param {number} value as people write it: a server's pace is a factor */
const rounded = (value) => Number(value.toFixed(2));

/**
 * @param {any} pace as the server says it is
 * @param {(seconds: object | null) => any} set to these seconds, or to the usual ones
 */
export function paceShown(pace, set) {
  const whose = pace.by ? `Set for this table by ${pace.by}.` : "The usual pace of the house.";
  const said = el("p", { class: "soft" }, `${whose} Seconds; how long a decision is waited for is in the rules.`);
  return pace.may_set ? [said, form(pace, set)] : [said, list(pace)];
}

/**
 * A field for each step, and what is typed in them.
 * @param {{seconds: object, usual: object, longest: number}} pace
 * @param {(step: string) => any} beside what stands below a field
 */
export function secondsFields(pace, beside) {
  const inputs = Object.keys(STEPS).map((step) =>
    el("input", { name: step, "data-field": `pace.${step}`, type: "number", required: true, min: 0, max: pace.longest, step: "any", inputmode: "decimal", value: rounded(pace.seconds[step]) }),
  );
  return {
    shown: inputs.map((input) => el("label", {}, el("span", {}, STEPS[input.name]), input, beside(input.name))),
    typed: () => Object.fromEntries(inputs.map((input) => [input.name, Number(input.value)])),
  };
}

function form(pace, set) {
  const usually = (step) => el("small", { class: "soft" }, `usually ${rounded(pace.usual[step])}`);
  const { shown, typed } = secondsFields(pace, usually);
  return el(
    "form",
    { onsubmit: (event) => { event.preventDefault(); set(typed()); } },
    el("div", { class: "fields" }, shown),
    el(
      "div",
      { class: "actions" },
      el("button", { name: "set pace" }, "Deal at this pace"),
      pace.by ? el("button", { type: "button", class: "quiet", name: "usual pace", onclick: () => set(null) }, "The usual pace again") : "",
    ),
  );
}

function list(pace) {
  return el("ul", {}, Object.entries(STEPS).map(([step, text]) => el("li", {}, `${text}: ${rounded(pace.seconds[step])} s`)));
}
