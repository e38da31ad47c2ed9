// Chips as pictures: single chips, and stacks worth an amount.

import { svg } from "../lib/dom.js";
import { formatCents, formatMoney } from "../lib/money.js";

/** The values of the chips, in cents. */
const CHIPS = [100, 500, 2500, 10_000, 50_000];
const MAX_DRAWN = 5; // chips of one stack; its amount is shown anyway

/**
 * The chips that fit a table: none above its highest limit, but always at least one.
 * @param {number} maximum the highest limit in cents, or 0 for none
 */
export function fittingChips(maximum) {
  const fit = CHIPS.filter((chip) => !maximum || chip <= maximum);
  return fit.length ? fit : CHIPS.slice(0, 1);
}

/** A decorative picture of one chip. @param {number} value in cents */
export function chip(value) {
  return svg(
    "svg",
    { class: "chip", viewBox: "0 0 100 100", "aria-hidden": "true" },
    chipGroup(value, 50, 50, true),
  );
}

/** @param {number} value @param {number} x @param {number} y @param {boolean} hasLabel */
function chipGroup(value, x, y, hasLabel) {
  const known = CHIPS.includes(value) ? value / 100 : "odd";
  return svg(
    "g",
    { class: `chip-${known}`, transform: `translate(${x} ${y})` },
    svg("circle", { class: "rim", r: 46 }),
    svg("circle", { class: "spots", r: 40, pathLength: 96 }),
    svg("circle", { class: "ring", r: 30 }),
    svg("circle", { class: "middle", r: 27 }),
    hasLabel ? svg("text", { class: "worth", y: 11, "text-anchor": "middle" }, chipText(value)) : "",
  );
}

/** @param {number} value */
function chipText(value) {
  return value % 100 ? formatCents(value) : String(value / 100);
}

/** The fewest chips that make up an amount, largest first. @param {number} amount in cents */
function makeChange(amount) {
  const pieces = [];
  let rest = amount;
  for (const value of [...CHIPS].reverse()) {
    for (; rest >= value; rest -= value) pieces.push(value);
  }
  if (rest) pieces.push(rest);
  return pieces;
}

/** A decorative stack worth `amount` cents; the spot says the amount in words. @param {number} amount */
export function stack(amount) {
  const drawn = makeChange(amount).slice(0, MAX_DRAWN);
  const height = 100 + (drawn.length - 1) * 12;
  return svg(
    "svg",
    {
      class: "stack",
      viewBox: `0 ${100 - height} 100 ${height}`,
      "aria-hidden": "true",
      "data-worth": formatMoney(formatCents(amount)),
    },
    drawn.map((value, index) => chipGroup(value, 50, 50 - index * 12, index === drawn.length - 1)),
  );
}
