// Chips as pictures: one chip, and a stack that is worth an amount.

import { svg } from "./cards.js";
import { money, plain } from "./words.js";

/** What chips there are, in cents. */
export const CHIPS = [100, 500, 2500, 10_000, 50_000];
const MOST_DRAWN = 5; // of one stack; a higher one is told by its amount

/** The chips that fit a table: none above the largest wager, and always one that can be placed.
 * @param {number} most the highest limit in cents, or 0 where there is none */
export function fitting(most) {
  const fit = CHIPS.filter((chip) => !most || chip <= most);
  return fit.length ? fit : CHIPS.slice(0, 1);
}

/** One chip, decorative. @param {number} value in cents */
export function chip(value) {
  return svg(
    "svg",
    { class: "chip", viewBox: "0 0 100 100", "aria-hidden": "true" },
    chipAt(value, 50, 50, true),
  );
}

function chipAt(value, x, y, named) {
  const known = CHIPS.includes(value) ? value / 100 : "odd";
  return svg(
    "g",
    { class: `chip-${known}`, transform: `translate(${x} ${y})` },
    svg("circle", { class: "rim", r: 46 }),
    svg("circle", { class: "spots", r: 40, pathLength: 96 }),
    svg("circle", { class: "ring", r: 30 }),
    svg("circle", { class: "middle", r: 27 }),
    named ? svg("text", { class: "worth", y: 11, "text-anchor": "middle" }, short(value)) : "",
  );
}

function short(value) {
  return value % 100 ? plain(value) : String(value / 100);
}

/** The largest chips that make up an amount, the largest first. @param {number} amount in cents */
export function changed(amount) {
  const pieces = [];
  let rest = amount;
  for (const value of [...CHIPS].reverse()) {
    for (; rest >= value; rest -= value) pieces.push(value);
  }
  if (rest) pieces.push(rest);
  return pieces;
}

/** A stack worth `amount` cents; decorative, as its place says the amount. */
export function stack(amount) {
  const drawn = changed(amount).slice(0, MOST_DRAWN);
  const height = 100 + (drawn.length - 1) * 12;
  return svg(
    "svg",
    { class: "stack", viewBox: `0 ${100 - height} 100 ${height}`, "aria-hidden": "true", "data-worth": money(plain(amount)) },
    drawn.map((value, index) => chipAt(value, 50, 50 - index * 12, index === drawn.length - 1)),
  );
}
