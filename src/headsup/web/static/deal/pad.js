// The touch pad: cards where cards are due, raises on a street, and keys for bets. It types into the line.

import { el, fill, find } from "../lib/dom.js";

/** @import { DealerScreenResponse } from "../lib/wire.d.ts" */

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"];
const SUITS = [["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]];

/**
 * @typedef {{type: (text: string) => void, send: (text: string) => unknown, clear: () => void, report: () => unknown}} Hands
 * @param {DealerScreenResponse} screen @param {string} line  what is typed so far @param {Hands} hands
 */
export function drawPad(screen, line, hands) {
  const pad = find("pad");
  const takesCards = screen.place !== "" || screen.step === "resolve";
  pad.className = `pad ${takesCards ? "cards" : "keys"}`;
  if (takesCards) fill("pad", ["cards", screen.lying, line], () => cardKeys(screen, line, hands));
  else if (screen.step === "decisions") {
    fill("pad", ["raises", screen.seats, screen.raises, line], () => raiseKeys(screen, hands));
  } else fill("pad", ["bets", screen.step, screen.can_repeat], () => betKeys(hands));
  fill("column", [screen.space, line, screen.can_repeat], () => column(screen, line, hands));
}

/** @param {DealerScreenResponse} screen @param {string} line @param {Hands} hands */
function cardKeys({ lying }, line, hands) {
  const typed = line.toLowerCase();
  return SUITS.map(([suit, sign]) =>
    RANKS.map((rank) => {
      const card = rank + suit;
      const place = lying[card];
      const isTyped = typed.includes(card.toLowerCase());
      return el(
        "button",
        {
          type: "button",
          name: card,
          class: `${suit === "h" || suit === "d" ? "red" : ""}${isTyped ? " typed" : ""}`.trim(),
          disabled: place !== undefined || isTyped,
          "aria-label": `${card}${place ? `, lies at ${place}` : ""}`,
          onclick: () => hands.type(card.toLowerCase()),
        },
        `${rank === "T" ? "10" : rank}${sign}`,
        place ? el("small", {}, place) : "",
      );
    })
  );
}

/**
 * For each guest who decides, the raises that the street allows.
 * @param {DealerScreenResponse} screen @param {Hands} hands
 */
function raiseKeys({ seats, raises }, hands) {
  const keys = seats.filter((seat) => seat.owes && seat.guest).map((seat) =>
    raises.map((multiple) =>
      el(
        "button",
        {
          type: "button",
          class: "third",
          name: `raise ${seat.seat} ${multiple}`,
          onclick: () => hands.type(`${seat.seat}x${multiple} `),
        },
        `${seat.seat}: ${multiple}×`,
      )
    )
  );
  return [
    keys,
    el("button", { type: "button", class: "wide", name: "nobody", onclick: () => hands.send("0") }, "Nobody raises"),
    el(
      "button",
      { type: "button", class: "wide", name: "everybody", onclick: () => hands.send("*") },
      "Everybody raises",
    ),
  ];
}

const BET_KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const BET_WORDS = [
  [" t", "Trips Plus"],
  [" b", "Pocket Bonus"],
  [" a", "All 6"],
  [" p", "Progressive"],
  [":", "seat :"],
  ["; ", "next bet ;"],
  ["-", "sits out -"],
];

/** @param {Hands} hands */
function betKeys(hands) {
  return [
    BET_KEYS.map((key) => el("button", { type: "button", name: `key ${key}`, onclick: () => hands.type(key) }, key)),
    BET_WORDS.map(([text, name]) =>
      el("button", { type: "button", class: "wide", name: `key ${text.trim()}`, onclick: () => hands.type(text) }, name)
    ),
  ];
}

/** @param {DealerScreenResponse} screen @param {string} line @param {Hands} hands */
function column({ space, can_repeat }, line, hands) {
  return [
    line.trim()
      ? el("button", { type: "button", class: "main", name: "take", onclick: () => hands.send(line) }, "Take the line")
      : el(
        "button",
        { type: "button", class: "main", name: "due", disabled: !space, onclick: () => hands.send("") },
        space || "Type or touch",
      ),
    can_repeat
      ? el("button", { type: "button", name: "repeat", onclick: () => hands.send("=") }, "Everybody bets as before")
      : "",
    line ? el("button", { type: "button", name: "clear", onclick: hands.clear }, "Clear") : "",
    el("button", { type: "button", name: "report", onclick: hands.report }, "Report an irregularity…"),
    el(
      "p",
      {},
      "Enter takes the line, and marks the hand before as paid. Space does what is due. fix 5h=5d corrects a card.",
    ),
  ];
}
