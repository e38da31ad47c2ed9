// The form of bets: built from what is offered and posted, and left alone while somebody types.

import { el, fill, find } from "./dom.js";
import * as words from "./words.js";

/** Ante and Odds are one field: both are placed with the same amount. */
const TOGETHER = ["ante", "odds"];

/** @param {import("./state.js").State} now @param {(stakes: Object<string, number>) => void} place */
export function drawBets(now, place) {
  const { view, posted } = now;
  if (!view || !posted) return;
  const form = /** @type {HTMLFormElement} */ (find("bets"));
  const held = new Map([...form.querySelectorAll("input")].map((input) => [input.name, input]));
  fill("bets", [now.table, view.offered, posted.limits, posted.labels, posted.progressive_stake], () => {
    const fields = view.offered.filter((wager) => wager !== "odds").map((wager) => field(wager, posted));
    for (const input of fields.map((one) => one.querySelector("input"))) {
      const before = held.get(input.name);
      if (before && before.dataset.table === now.table) restore(input, before);
      input.dataset.table = now.table;
    }
    return [
      el("fieldset", {}, el("legend", {}, "Your bets"), fields),
      el("button", { name: "place" }, "Place bets"),
    ];
  });
  form.onsubmit = (event) => {
    event.preventDefault();
    place(stakesOf(form));
  };
}

function restore(input, before) {
  if (input.type === "checkbox") input.checked = before.checked;
  else input.value = before.value;
}

function field(wager, posted) {
  const label = posted.labels[wager];
  if (wager === "progressive") {
    const stake = posted.progressive_stake;
    const input = el("input", { type: "checkbox", name: wager, value: stake });
    return el("label", { class: "check" }, input, `${label} ${words.money(stake)}`);
  }
  const limit = posted.limits.find((one) => one.wager === wager) ?? {};
  const together = wager === "ante";
  const bounds = [
    limit.min && `from ${words.money(limit.min)}`,
    limit.max && `to ${words.money(limit.max)}`,
  ].filter(Boolean).join(" ");
  const input = el("input", {
    type: "number",
    name: wager,
    inputmode: "decimal",
    // A side wager is left out with nothing or 0 in its field.
    min: together ? (limit.min ?? "0.01") : "0",
    max: limit.max,
    step: limit.step ?? "0.01",
    value: together ? limit.min : undefined,
    required: together,
  });
  const name = together ? `${posted.labels.ante} and ${posted.labels.odds}, each` : label;
  return el("label", {}, el("span", {}, `${name} ($)`), input, bounds ? el("small", {}, bounds) : "");
}

/** Cents by wager, as the command has them. */
function stakesOf(form) {
  const stakes = {};
  for (const input of form.querySelectorAll("input")) {
    const amount = input.type === "checkbox" && !input.checked ? 0 : words.cents(input.value || "0");
    if (!amount) continue;
    for (const wager of input.name === "ante" ? TOGETHER : [input.name]) stakes[wager] = amount;
  }
  return stakes;
}
