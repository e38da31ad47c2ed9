// The value of every option as bars, the same at the table, in the drill and in the explorer.

import { el } from "./dom.js";

/** "0.8921" → "+0.892": as many places as a person compares. @param {string} decimal */
export function signedValue(decimal, places = 3) {
  const number = Number(decimal);
  const shown = Math.abs(number).toFixed(places);
  if (Number(shown) === 0) return shown;
  return `${number < 0 ? "−" : "+"}${shown}`;
}

/** What was given away: "0.297 Antes", or that it is next to nothing. */
export function antes(decimal) {
  const number = Number(decimal);
  if (number > 0 && number < 0.001) return "less than 0.001 Antes";
  return `${number.toFixed(3)} Antes`;
}

/** "0.644" → "64.4 %" */
export function percent(decimal) {
  return `${(Number(decimal) * 100).toFixed(1)} %`;
}

/**
 * A bar for each option, the best one marked, and the chosen one where there is one. The exact
 * fraction stands in the value's title.
 * @param {import("./training.js").Hand} hand
 */
export function bars(hand) {
  const evs = hand.options.map((option) => Number(option.ev.decimal));
  const low = Math.min(-2, ...evs);
  const high = Math.max(...evs);
  return el(
    "ul",
    { class: "values", "aria-label": "Value of each option in Antes" },
    hand.options.map((option, place) => bar(option, share(evs[place], low, high), {
      best: place === hand.best,
      chosen: place === hand.chosen,
    })),
  );
}

/** From 4 % for the worst that can be to 100 % for the best option. */
function share(ev, low, high) {
  return high === low ? 1 : 0.04 + 0.96 * ((ev - low) / (high - low));
}

function bar(option, width, { best, chosen }) {
  const fill = el("span", { class: "fill" });
  fill.style.setProperty("width", `${(width * 100).toFixed(1)}%`);
  const marks = [best ? "best" : "", chosen ? "chosen" : ""].filter(Boolean);
  return el(
    "li",
    { class: marks.join(" ") },
    el("span", { class: "name" }, option.name),
    el("span", { class: "track", "aria-hidden": "true" }, fill),
    el("data", { class: "ev", value: option.ev.exact, title: `exactly ${option.ev.exact} Antes` }, signedValue(option.ev.decimal)),
    el("span", { class: "mark" }, mark(best, chosen)),
  );
}

function mark(best, chosen) {
  if (best && chosen) return "✓ yours, best";
  if (best) return "best";
  return chosen ? "✗ yours" : "";
}

function number({ decimal, exact }) {
  const shown = (text) => text.replace("-", "−");
  const [above, below] = shown(exact).split("/");
  return el("td", { class: "amount" }, shown(decimal), el("small", { class: "fraction" }, `${above}/`, el("wbr"), below));
}

/** The same as a table with every digit: the fraction, ten decimals, what each gives away. */
export function exactTable(hand) {
  const row = (option, place) =>
    el(
      "tr",
      { class: place === hand.best ? "best" : "" },
      el("th", { scope: "row" }, option.name),
      number(option.ev),
      place === hand.best ? el("td", { class: "amount" }, "–") : number(option.cost),
    );
  return el(
    "table",
    { class: "exact" },
    el("caption", {}, "Expected net of the whole round on Ante, Odds and Raise, in Antes"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Option"), ["Value", "Gives away"].map((text) => el("th", { scope: "col", class: "amount" }, text)))),
    el("tbody", {}, hand.options.map(row)),
  );
}
