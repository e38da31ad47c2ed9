// The explorer: the exact value of every option, for any two cards and any board, clicked or typed.

/** @import { Context } from "../lib/training.js" */
/** @import { ValuedHand } from "../lib/wire.d.ts" */

import { emptySlot, face } from "../lib/cards.js";
import { el, fill, find } from "../lib/dom.js";
import { Declined } from "../lib/http.js";
import { capitalize, cardName, splitCards } from "../lib/text.js";
import { readAddress } from "../lib/session.js";
import * as training from "../lib/training.js";
import { bars, exactTable } from "../lib/values.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const HOLE_CARDS = 2;
const BOARD_CARDS = 5;
const TYPING_MILLISECONDS = 250; // after the last key, until the request is sent

const SUIT_SIGNS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });
const SUIT_LETTERS = /** @type {Record<string, string>} */ ({ "♠": "s", "♥": "h", "♦": "d", "♣": "c" });

const state = {
  game: "",
  hole: ["Js", "Ts"],
  board: ["9s", "2c", "3s"],
  pending: new AbortController(),
  typing: 0, // the timer since the last key
};

/** @param {Context} context */
export function drawExplorer({ game }) {
  state.game = game;
  const [, holeText, boardText] = readAddress().parts;
  if (holeText) [state.hole, state.board] = [splitCards(holeText), splitCards(boardText ?? "")];
  fill("explore-typed", [holeText, boardText], cardInputs);
  draw();
  requestValues();
}

function cardInputs() {
  /** @param {string} id @param {string} label @param {"hole" | "board"} name */
  const field = (id, label, name) => {
    const input = el("input", {
      id,
      name: id,
      autocomplete: "off",
      spellcheck: "false",
      size: 12,
      value: state[name].join(" "),
    });
    input.addEventListener("input", () => {
      state[name] = parseTyped(input.value);
      clearTimeout(state.typing);
      state.typing = setTimeout(() => {
        draw();
        requestValues();
      }, TYPING_MILLISECONDS);
    });
    return el("label", { for: id }, `${label} `, input);
  };
  return [
    field("explore-hole", "Your cards", "hole"),
    field("explore-board", "Board", "board"),
    el("button", { type: "button", class: "quiet", name: "clear", onclick: () => setCards([], []) }, "Clear"),
  ];
}

/** Parse typed cards. Invalid ones are kept, and the server refuses them. @param {string} text */
function parseTyped(text) {
  const plain = text.trim().replaceAll("10", "T").replace(/[♠♥♦♣]/g, (sign) => SUIT_LETTERS[sign]);
  const words = plain.match(/[^\s,]{1,2}/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}

/** @param {string[]} hole @param {string[]} board */
function setCards(hole, board) {
  Object.assign(state, { hole, board });
  find("explore-hole", HTMLInputElement).value = hole.join(" ");
  find("explore-board", HTMLInputElement).value = board.join(" ");
  draw();
  requestValues();
}

/** Remove a card, or put it into the next empty slot. @param {string} card */
function toggle(card) {
  const { hole, board } = state;
  if (hole.includes(card)) setCards(hole.filter((one) => one !== card), board);
  else if (board.includes(card)) setCards(hole, board.filter((one) => one !== card));
  else if (hole.length < HOLE_CARDS) setCards([...hole, card], board);
  else if (board.length < BOARD_CARDS) setCards(hole, [...board, card]);
}

async function requestValues() {
  state.pending.abort();
  state.pending = new AbortController();
  const { signal } = state.pending;
  const { game, hole, board } = state;
  if (hole.length === 0) {
    drawValues(null, "Choose your two cards, and the flop or the full board if you like.");
    return;
  }
  const onWait = () => drawValues(null, "Calculating exact values…");
  try {
    const ask = () => training.values(game, hole.join(""), board.join(""));
    const answer = await training.pollUntilReady(ask, onWait, signal);
    if (answer !== null && !signal.aborted) drawValues(answer.hand, answer.refused ?? "");
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (!signal.aborted) drawValues(null, error.message);
  }
}

// Drawing.

function draw() {
  const { hole, board } = state;
  /** @param {string[]} cards */
  const known = (cards) => cards.filter((card) => isCard(card));
  fill(
    "explore-hand",
    [hole, board],
    () =>
      el("div", { class: "hands" }, slots("You", known(hole), HOLE_CARDS), slots("Board", known(board), BOARD_CARDS)),
  );
  fill("explore-deck", [hole, board], deck);
}

/** @param {string} text */
function isCard(text) {
  return text.length === 2 && RANKS.includes(text[0]) && SUITS.includes(text[1]);
}

/** @param {string} title @param {string[]} cards @param {number} count */
function slots(title, cards, count) {
  const empty = Array.from({ length: Math.max(count - cards.length, 0) }, emptySlot);
  const filled = cards.map((card) =>
    el("button", {
      type: "button",
      class: "slot",
      name: `take ${card}`,
      "aria-label": `Remove the ${cardName(card)}`,
      onclick: () => toggle(card),
    }, face(card))
  );
  return el(
    "div",
    {},
    el("h2", {}, title),
    el("ul", { class: "cards" }, [...filled, ...empty].map((one) => el("li", {}, one))),
  );
}

function deck() {
  const used = new Set([...state.hole, ...state.board]);
  /** @param {string} rank @param {string} suit */
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
      el("span", { "aria-hidden": "true" }, SUIT_SIGNS[suit]),
    );
  return [...SUITS].map((suit) =>
    el(
      "div",
      { class: "suit", role: "group", "aria-label": cardName(`A${suit}`).split(" of ")[1] },
      [...RANKS].map((rank) => card(rank, suit)),
    )
  );
}

/** @param {ValuedHand | null} hand @param {string} message  shown without a hand */
function drawValues(hand, message) {
  fill("explore-values", [hand, message], () => {
    if (hand === null) return el("p", {}, message);
    return [
      el("h2", {}, `${capitalize(hand.street)}: ${hand.kind_words}`),
      bars(hand),
      el("p", {}, hand.explanation),
      exactTable(hand),
    ];
  });
}
