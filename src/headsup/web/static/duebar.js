// What is due at a table, on one key; and the cards of a real deck, as a dealer types them.

import { face, place } from "./cards.js";
import { el, fill, find } from "./dom.js";
import * as words from "./words.js";

const DOES = {
  open_round: "Open the next round",
  close_bets: "No more bets",
  deal: "Deal from the shoe",
  flop: "Turn up the flop",
  turn_and_river: "Turn up turn and river",
  reveal: "Turn over the dealer’s cards",
  settle: "Read the hands",
  close: "Close the round",
};
const WAITS = {
  players: "Nobody sits here yet.",
  bets: "Waiting for bets.",
  count_by_hand: "The tabulator is down: count the wagers by hand.",
  correct_flag: "Lights and chips differ: a supervisor settles it first.",
};
/** The sheets on which it is done, where one key is not enough. */
export const SHEETS = { count_by_hand: "tabulator", correct_flag: "tabulator" };

/** @param {{step: string, seats: number[]} | null} due @param {boolean} [isVoid] the whole round */
export function dueWords(due, players, isVoid = false) {
  if (!due) return "";
  const names = due.seats.map((seat) => `seat ${seat}${players[seat] ? ` (${inBrackets(players[seat])})` : ""}`);
  if (due.step === "resolve") return `Pay and take: ${names[0]}`;
  if (due.step === "decisions") return `Waiting for ${names.join(", ")}`;
  if (due.step === "enter_cards") return "Type the cards as they were dealt";
  if (due.step === "settle" && isVoid) return "Settle the void round";
  return DOES[due.step] ?? WAITS[due.step];
}

/** "Robin (automatic)" stands in brackets as "Robin, automatic". */
function inBrackets(name) {
  return name.replace(/ \(([^()]*)\)$/, ", $1");
}

export function isDoable(due) {
  return !!due && (due.step in DOES || due.step === "resolve");
}

/** Whether the house deals this table, or would if no dealer had taken over. */
export function houseDeals(due) {
  return !!due && (due.automatic || due.by_hand);
}

/**
 * @param {any} due what the server says is due
 * @param {any} view the dealer's
 * @param {object} typing the text typed so far, and what the server says of it
 * @param {object} doing what the controls do
 */
export function drawDue(due, { players, round }, typing, doing) {
  const isVoid = !!round?.void;
  const entering = due?.step === "enter_cards";
  fill("due", [due?.step, due?.seats, due?.key, due?.paused, due?.known, due?.automatic, players, isVoid], () => {
    if (!due) return "";
    if (due.paused) return el("div", { class: "now" }, el("p", { class: "waits alarm", role: "status" }, `Paused: ${due.paused}`), standing(due, doing));
    if (entering) return cardForm(due, doing);
    return el(
      "div",
      { class: "now" },
      due.known ? el("p", { class: "waits alarm", role: "status" }, `${words.capital(due.known)}.`) : "",
      isDoable(due)
        ? el("button", { type: "button", class: "main", name: "due", "aria-keyshortcuts": "Space", onclick: doing.due }, dueWords(due, players, isVoid), el("kbd", {}, "Space"))
        : el("p", { class: "waits", role: "status" }, dueWords(due, players)),
      due.step === "bets" ? el("button", { type: "button", class: "quiet", name: "empty", onclick: doing.due }, "Close the empty round") : "",
      due.step in SHEETS ? el("button", { type: "button", class: "gold", name: "sheet", onclick: () => doing.sheet(SHEETS[due.step]) }, "Do it now") : "",
      standing(due, doing),
    );
  });
  if (entering) drawTyped(due, typing);
}

/** Pausing, and who deals. */
function standing(due, doing) {
  const put = (paused, byHand) => () => doing.stand({ paused, by_hand: byHand });
  const button = (name, text, act, key) => el("button", { type: "button", class: "quiet", name, onclick: act, "aria-keyshortcuts": key }, text, key ? el("kbd", {}, key) : "");
  return el(
    "span",
    { class: "rows standing" },
    due.paused ? button("go on", "Go on", put("", due.by_hand), "b") : button("pause", "Pause", () => doing.pause(), "b"),
    due.paused ? "" : due.automatic ? button("take over", "The house deals: take over", put("", true)) : "",
    due.by_hand && !due.paused ? button("hand back", "Let the house deal again", put("", false)) : "",
  );
}

function cardForm(due, doing) {
  const input = el("input", {
    id: "cards",
    name: "cards",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 400,
    "aria-describedby": "typed",
    oninput: () => doing.typed(input.value),
  });
  return [
    el(
      "form",
      { class: "now", onsubmit: (event) => { event.preventDefault(); doing.deal(input.value); } },
      el("label", { class: "typed" }, `Cards in the order of the deal (${due.places.length})`, input),
      el("button", { class: "main", name: "deal", id: "deal" }, "Deal these cards", el("kbd", {}, "Enter")),
    ),
    el("p", { id: "typed", role: "status" }),
    el("ul", { id: "spots", class: "spots" }),
  ];
}

/** Each place with its cards: the next one to be typed stands out. */
function drawTyped(due, typing) {
  const places = typing.places ?? due.places.map((one) => ({ place: one, card: null }));
  const next = places.find((one) => one.card === null)?.place;
  const said = typing.wrong ?? (typing.complete ? "All cards are there." : next ? `Next: ${words.spaced(next)}` : "");
  fill("typed", [said, !!typing.wrong], () => el("span", { class: typing.wrong ? "bad" : "" }, said));
  fill("spots", places, () => {
    const names = [...new Set(places.map((one) => one.place))];
    return names.map((name) =>
      el(
        "li",
        { class: name === next ? "next" : "" },
        el("small", {}, words.capital(words.spaced(name))),
        el("ul", { class: "cards" }, places.filter((one) => one.place === name).map((one) => el("li", {}, one.card ? face(one.card) : place()))),
      ),
    );
  });
  find("deal").toggleAttribute("disabled", !typing.complete);
}
