// How fast the house deals one table. Staff can see it; some roles can set it.

import { el } from "./dom.js";

/** The waiting times, in the order of a round. */
const STEPS = {
  open: "Before a round opens",
  betting: "Betting time, from the first bet",
  all_in: "After everyone has bet",
  deal: "Before the deal",
  card: "Before each street",
  resolve: "Per hand at settlement",
  close: "Showing the results",
};

/** Two decimals: a server's pace factor makes long ones. @param {number} value */
const rounded = (value) => Number(value.toFixed(2));

/**
 * @param {any} pace from the server
 * @param {(seconds: object | null) => any} set  sets new times; null sets the default ones
 */
export function pacePanel(pace, set) {
  const source = pace.by ? `Set for this table by ${pace.by}.` : "The house default.";
  const note = el("p", { class: "soft" }, `${source} In seconds. Decision time limits are part of the rules.`);
  return pace.may_set ? [note, form(pace, set)] : [note, list(pace)];
}

/**
 * A field for each waiting time, and a function that reads them all.
 * @param {{seconds: object, usual: object, longest: number}} pace
 * @param {(step: string) => any} below  makes what stands below a field
 */
export function paceFields(pace, below) {
  const inputs = Object.keys(STEPS).map((step) =>
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
    fields: inputs.map((input) => el("label", {}, el("span", {}, STEPS[input.name]), input, below(input.name))),
    read: () => Object.fromEntries(inputs.map((input) => [input.name, Number(input.value)])),
  };
}

function form(pace, set) {
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

function list(pace) {
  return el(
    "ul",
    {},
    Object.entries(STEPS).map(([step, text]) => el("li", {}, `${text}: ${rounded(pace.seconds[step])} s`)),
  );
}
