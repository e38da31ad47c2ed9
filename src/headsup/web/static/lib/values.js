// Shows the value of every option as bars: at the table, in the drill and in the explorer.

/** @import { ExactNumber, OptionValue, ValuedHand } from "./wire.d.ts" */

import { el } from "./dom.js";

/** "0.8921" → "+0.892": enough places to compare. @param {string} decimal */
export function formatValue(decimal, places = 3) {
  const number = Number(decimal);
  const shown = Math.abs(number).toFixed(places);
  if (Number(shown) === 0) return shown;
  return `${number < 0 ? "−" : "+"}${shown}`;
}

/** A cost in Antes: "0.297 Antes". @param {string} decimal */
export function formatAntes(decimal) {
  const number = Number(decimal);
  if (number > 0 && number < 0.001) return "less than 0.001 Antes";
  return `${number.toFixed(3)} Antes`;
}

/** "0.644" → "64.4%" @param {string} decimal */
export function formatPercent(decimal) {
  return `${(Number(decimal) * 100).toFixed(1)}%`;
}

/**
 * A bar for each option, with the best one and the chosen one marked. The exact fraction is in the
 * value's title.
 * @param {Pick<ValuedHand, "options" | "best" | "chosen">} hand
 */
export function bars(hand) {
  const evs = hand.options.map((option) => Number(option.ev.decimal));
  const low = Math.min(-2, ...evs);
  const high = Math.max(...evs);
  return el(
    "ul",
    { class: "values", "aria-label": "Value of each option in Antes" },
    hand.options.map((option, index) =>
      bar(option, barWidth(evs[index], low, high), {
        best: index === hand.best,
        chosen: index === hand.chosen,
      })
    ),
  );
}

/**
 * From 4% for the worst possible value to 100% for the best option.
 * @param {number} ev @param {number} low @param {number} high
 */
function barWidth(ev, low, high) {
  return high === low ? 1 : 0.04 + 0.96 * ((ev - low) / (high - low));
}

/** @param {OptionValue} option @param {number} width @param {{best: boolean, chosen: boolean}} marks */
function bar(option, width, { best, chosen }) {
  const fill = el("span", { class: "fill" });
  fill.style.setProperty("width", `${(width * 100).toFixed(1)}%`);
  const marks = [best ? "best" : "", chosen ? "chosen" : ""].filter(Boolean);
  return el(
    "li",
    { class: marks.join(" ") },
    el("span", { class: "name" }, option.name),
    el("span", { class: "track", "aria-hidden": "true" }, fill),
    el(
      "data",
      { class: "ev", value: option.ev.exact, title: `Exact value: ${option.ev.exact} Antes` },
      formatValue(option.ev.decimal),
    ),
    el("span", { class: "mark" }, markText(best, chosen)),
  );
}

/** @param {boolean} best @param {boolean} chosen */
function markText(best, chosen) {
  if (best && chosen) return "✓ yours, best";
  if (best) return "best";
  return chosen ? "✗ yours" : "";
}

/** @param {ExactNumber} number */
function numberCell({ decimal, exact }) {
  /** @param {string} text */
  const withMinus = (text) => text.replace("-", "−");
  const [above, below] = withMinus(exact).split("/");
  return el(
    "td",
    { class: "amount" },
    withMinus(decimal),
    el("small", { class: "fraction" }, `${above}/`, el("wbr"), below),
  );
}

/**
 * The same as a table with exact values: fractions, ten decimals, and what each option costs.
 * @param {Pick<ValuedHand, "options" | "best">} hand
 */
export function exactTable(hand) {
  /** @param {OptionValue} option @param {number} index */
  const row = (option, index) =>
    el(
      "tr",
      { class: index === hand.best ? "best" : "" },
      el("th", { scope: "row" }, option.name),
      numberCell(option.ev),
      index === hand.best ? el("td", { class: "amount" }, "–") : numberCell(option.cost),
    );
  return el(
    "table",
    { class: "exact" },
    el("caption", {}, "Expected net result of the round (Ante, Odds and Raise), in Antes"),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "Option"),
        ["Value", "Cost"].map((text) => el("th", { scope: "col", class: "amount" }, text)),
      ),
    ),
    el("tbody", {}, hand.options.map(row)),
  );
}
