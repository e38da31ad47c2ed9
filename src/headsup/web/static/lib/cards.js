// Cards as pictures: faces with large indices, backs, and empty slots. Each has its name for screen
// readers. The style sheet sets the colors: red and black, or one for each suit.

import { el, svg } from "./dom.js";
import { cardName, rankText, splitCards } from "./text.js";

/** The outlines of the suits, in a box of 100 by 100. @type {Record<string, string>} */
const SUITS = {
  h: "M50 92C22 66 7 50 7 31C7 17 17 8 29 8C38 8 46 13 50 22C54 13 62 8 71 8C83 8 93 17 93 31C93 50 78 66 50 92Z",
  d: "M50 4C58 20 70 36 86 50C70 64 58 80 50 96C42 80 30 64 14 50C30 36 42 20 50 4Z",
  s: "M50 5C58 26 91 41 91 63C91 76 82 83 72 83C64 83 57 79 53 72C54 83 58 90 66 95L34 95C42 90 46 83 47 72C43 79 36 83 28 83C18 83 9 76 9 63C9 41 42 26 50 5Z",
  c: "M50 5A20 20 0 0 1 67 36A20 20 0 1 1 54 66C55 80 59 90 67 95L33 95C41 90 45 80 46 66A20 20 0 1 1 33 36A20 20 0 0 1 50 5Z",
};

/** @param {string} kind @param {string} name @param {...any} children */
function picture(kind, name, ...children) {
  return svg(
    "svg",
    { class: `card ${kind}`, viewBox: "0 0 100 140", role: "img", "aria-label": name },
    children,
  );
}

/**
 * A card face up. `state` is "used" if it is one of the five that count, "unused" if it is not.
 * @param {string} card such as "Qh" @param {"" | "used" | "unused"} state @returns {SVGElement}
 */
export function face(card, state = "") {
  const suit = card[1];
  const ten = card[0] === "T";
  return picture(
    `face suit-${suit} ${state}`.trim(),
    cardName(card),
    svg("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    svg(
      "text",
      {
        class: "index",
        x: 29,
        y: 52,
        textLength: ten ? 50 : undefined,
        lengthAdjust: ten ? "spacingAndGlyphs" : undefined,
      },
      rankText(card),
    ),
    svg("path", { d: SUITS[suit], transform: "translate(13 62) scale(.29)" }),
    svg("path", { d: SUITS[suit], transform: "translate(45 84) scale(.47)" }),
  );
}

/** A card face down. @returns {SVGElement} */
function back() {
  return picture(
    "back",
    "a card face down",
    svg("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    svg("rect", { class: "ground", x: 6, y: 6, width: 88, height: 128, rx: 6 }),
    svg("path", { class: "lattice", d: LATTICE }),
    svg("rect", { class: "frame", x: 12, y: 12, width: 76, height: 116, rx: 4 }),
  );
}

/** An empty slot for a card. @returns {SVGElement} */
export function emptySlot() {
  return picture(
    "place",
    "no card yet",
    svg("rect", { class: "outline", x: 2, y: 2, width: 96, height: 136, rx: 9 }),
  );
}

/** The pattern of the back: both diagonals, every 11 units, clipped to the frame. */
const LATTICE = lattice(12, 12, 88, 128, 11);

/** @param {number} left @param {number} top @param {number} right @param {number} bottom @param {number} step */
function lattice(left, top, right, bottom, step) {
  const lines = [];
  for (let x = left - (bottom - top) + step; x < right; x += step) {
    const [from, to] = [Math.max(left, x), Math.min(right, x + bottom - top)];
    lines.push(`M${from} ${top + from - x}L${to} ${top + to - x}`);
    lines.push(`M${left + right - from} ${top + from - x}L${left + right - to} ${top + to - x}`);
  }
  return lines.join("");
}

/**
 * A row of cards: those that are known, then backs or empty slots.
 * @param {string} cards such as "QhJh" @param {number} count of cards and slots
 * @param {object} [options]
 * @param {boolean} [options.down] whether the others lie face down
 * @param {string} [options.best] the cards that count, once known: the others are dimmed
 * @param {string} [options.label] for screen readers
 */
export function row(cards, count, { down = false, best = "", label } = {}) {
  const known = splitCards(cards);
  const counted = splitCards(best);
  /** @param {string} card */
  const state = (card) => (!best ? "" : counted.includes(card) ? "used" : "unused");
  const rest = Array.from({ length: Math.max(count - known.length, 0) }, down ? back : emptySlot);
  return el(
    "ul",
    { class: "cards", "aria-label": label },
    [...known.map((card) => face(card, state(card))), ...rest].map((card) => el("li", {}, card)),
  );
}
