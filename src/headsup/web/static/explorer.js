// The explorer: set any two cards and any board, by clicking or typing; every option's exact value.

import { face, place } from "./cards.js";
import { Declined } from "./connection.js";
import { el, fill, find } from "./dom.js";
import * as training from "./training.js";
import { bars, exactTable } from "./values.js";
import { cardName, split } from "./words.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const HOLE = 2;
const BOARD = 5;
const PAUSE = 250; // milliseconds after the last key before it is asked

let about = null;
/** @type {string[]} the cards set, hole first */
let hole = ["Js", "Ts"];
let board = ["9s", "2c", "3s"];
let asking = new AbortController();
let typing = 0;

export function drawExplorer(context) {
  about = context;
  const [, held, shown] = location.hash.split("/").map(decodeURIComponent);
  if (held) [hole, board] = [split(held), split(shown ?? "")];
  fill("explore-typed", [held, shown], typed);
  draw();
  ask();
}

function typed() {
  const field = (id, label, held, read) => {
    const input = el("input", { id, name: id, autocomplete: "off", spellcheck: "false", size: 12, value: held.join(" ") });
    input.addEventListener("input", () => {
      read(input.value);
      clearTimeout(typing);
      typing = setTimeout(() => {
        draw();
        ask();
      }, PAUSE);
    });
    return el("label", { for: id }, `${label} `, input);
  };
  return [
    field("explore-hole", "Your cards", hole, (text) => { hole = read(text); }),
    field("explore-board", "Board", board, (text) => { board = read(text); }),
    el("button", { type: "button", class: "quiet", name: "clear", onclick: () => set([], []) }, "Clear"),
  ];
}

/** Cards as a person types them; what is none is left as it is, and the server says so. */
function read(text) {
  const signs = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
  const plain = text.trim().replaceAll("10", "T").replace(/[♠♥♦♣]/g, (sign) => signs[sign]);
  const words = plain.match(/[^\s,]{1,2}/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}

function set(nextHole, nextBoard) {
  hole = nextHole;
  board = nextBoard;
  find("explore-hole", HTMLInputElement).value = hole.join(" ");
  find("explore-board", HTMLInputElement).value = board.join(" ");
  draw();
  ask();
}

/** Take a card back, or put it into the next free place. */
function toggle(card) {
  if (hole.includes(card)) set(hole.filter((one) => one !== card), board);
  else if (board.includes(card)) set(hole, board.filter((one) => one !== card));
  else if (hole.length < HOLE) set([...hole, card], board);
  else if (board.length < BOARD) set(hole, [...board, card]);
}

async function ask() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const cards = [hole.join(""), board.join("")];
  if (hole.length === 0) {
    drawValues(null, "Set your two cards, and the flop or the whole board if you like.");
    return;
  }
  const waiting = () => drawValues(null, "Working out exact values …");
  try {
    const found = await training.untilReady(() => training.values(about.game, ...cards), waiting, signal);
    if (found !== null && !signal.aborted) drawValues(found.hand, found.refused);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (!signal.aborted) drawValues(null, error.message);
  }
}

// Drawing.

function draw() {
  const known = (cards) => cards.filter((card) => isCard(card));
  fill("explore-hand", [hole, board], () =>
    el("div", { class: "hands" }, slots("You", known(hole), HOLE), slots("Board", known(board), BOARD)),
  );
  fill("explore-deck", [hole, board], deck);
}

function isCard(text) {
  return text.length === 2 && RANKS.includes(text[0]) && SUITS.includes(text[1]);
}

function slots(title, cards, count) {
  const empty = Array.from({ length: Math.max(count - cards.length, 0) }, place);
  const held = cards.map((card) =>
    el("button", { type: "button", class: "slot", name: `take ${card}`, "aria-label": `Take back the ${cardName(card)}`, onclick: () => toggle(card) }, face(card)),
  );
  return el("div", {}, el("h2", {}, title), el("ul", { class: "cards" }, [...held, ...empty].map((one) => el("li", {}, one))));
}

function deck() {
  const used = new Set([...hole, ...board]);
  const card = (rank, suit) =>
    el(
      "button",
      {
        type: "button",
        name: rank + suit,
        class: `pick suit-${suit}`,
        "aria-pressed": String(used.has(rank + suit)),
        "aria-label": cardName(rank + suit),
        onclick: () => toggle(rank + suit),
      },
      el("span", { "aria-hidden": "true" }, rank === "T" ? "10" : rank),
      el("span", { "aria-hidden": "true" }, { s: "♠", h: "♥", d: "♦", c: "♣" }[suit]),
    );
  return [...SUITS].map((suit) =>
    el("div", { class: "suit", role: "group", "aria-label": cardName(`A${suit}`).split(" of ")[1] }, [...RANKS].map((rank) => card(rank, suit))),
  );
}

function drawValues(hand, words) {
  fill("explore-values", [hand, words], () => {
    if (hand === null) return el("p", {}, words);
    return [
      el("h2", {}, `${hand.street.charAt(0).toUpperCase()}${hand.street.slice(1)}: ${hand.kind_words}`),
      bars(hand),
      el("p", {}, hand.explanation),
      exactTable(hand),
    ];
  });
}

