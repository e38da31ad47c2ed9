// A table from the dealer's side: the seats on the far side in their order from the dealer's left,
// the board, the dealer's own cards in front. Used by the console, and by replays of rounds.

import { row } from "./cards.js";
import { el } from "./dom.js";
import * as words from "./words.js";

const DEALT = ["betting", "no_more_bets", "closed"];

/**
 * @param {any} view a dealer's or another's view of a table
 * @param {any} posted what is posted there
 * @param {{seats?: number, due?: number[]}} [more] how many seats there are, and whose turn it is
 */
export function tableDrawn(view, posted, { seats = 6, due = [] } = {}) {
  const round = view.round;
  const last = Math.max(seats, ...Object.keys(view.players ?? {}).map(Number), ...Object.keys(round?.seats ?? {}).map(Number));
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  return [
    el("ol", { class: "positions" }, numbers.map((number) => seat(number, view, posted, due.includes(number)))),
    el(
      "div",
      { class: "middle" },
      meter(view.meter, posted),
      el("div", { class: "board" }, row(round?.board ?? "", 5, { down: (round?.board_down ?? 0) > 0, label: "Board" })),
      round?.all_6 ? el("div", { class: "six" }, el("span", { class: "tag" }, "All 6"), row(round.all_6, 4, { label: "All 6" })) : "",
    ),
    el(
      "div",
      { class: "dealer" },
      row(round?.dealer ?? "", 2, { down: isDealt(round), best: round?.dealer_hand?.best, label: "Dealer" }),
      el("p", {}, words.dealerHand(round) || el("strong", {}, "Dealer")),
    ),
    round?.void ? el("p", { class: "alarm" }, `The round is void: ${words.spaced(round.void)} (${round.voided?.clause ?? ""})`) : "",
  ];
}

export function isDealt(round) {
  return !!round && !DEALT.includes(round.phase);
}

function meter(shown, posted) {
  if (!shown) return "";
  return el(
    "div",
    { class: shown.frozen ? "meter standing" : "meter" },
    el("span", { class: "tag" }, posted?.labels.progressive ?? "Meter"),
    el("strong", {}, words.money(shown.shows)),
    shown.frozen ? el("span", {}, `stands still: ${shown.frozen}`) : "",
    ...shown.notices.map((one) => el("small", {}, one)),
  );
}

function seat(number, view, posted, due) {
  const player = view.players?.[number];
  const hand = view.round?.seats?.[number];
  const result = view.round?.results?.[number];
  const owes = hand?.decision === "owes" || view.owing?.includes(number);
  const kind = ["position", `at-${number}`, due || owes ? "waited" : "", player ? "" : "empty"].join(" ").trim();
  const lights = Object.entries(view.tabulator?.lights ?? {}).filter(([, seats]) => seats.includes(number));
  return el(
    "li",
    { class: kind, "aria-label": `Seat ${number}${player ? `: ${player}` : ", free"}` },
    el(
      "p",
      { class: "name" },
      el("span", { class: "number" }, String(number)),
      el("span", { class: "who", title: player }, player ? named(player) : hand ? "(left)" : "free"),
      ...lights.map(([wager]) => el("span", { class: "light", role: "img", "aria-label": `${label(posted, wager)} counted` })),
    ),
    hand ? el("div", { class: "hole" }, row(hand.hole, 2, { down: isDealt(view.round), best: hand.hand?.best })) : "",
    hand ? el("p", { class: "said" }, said(hand, posted, owes)) : "",
    hand ? stakes(hand, result, posted) : "",
    result ? el("p", { class: `net ${tone(result.net)}` }, words.signed(result.net)) : "",
  );
}

/** A name, and in smaller letters what is said of it in brackets. */
function named(player) {
  const [, name, note] = /** @type {RegExpExecArray} */ (/^(.*?)( \([^()]*\))?$/s.exec(player));
  return [name, note ? el("small", {}, note) : ""];
}

function said(hand, posted, owes) {
  if (hand.void) return `void: ${words.spaced(hand.void)}`;
  if (hand.hand) return hand.hand.name;
  if (owes) return "to decide";
  return words.decision(hand.decision, posted?.labels.raise ?? "Raise");
}

/** Every wager at the seat: its stake, and what became of it. */
function stakes(hand, result, posted) {
  const lines = result
    ? words.inOrder(result.wagers).map(([wager, line]) => [wager, line.stake, line])
    : words.inOrder({ ...hand.stakes, ...raised(hand) }).map(([wager, stake]) => [wager, stake, null]);
  return el(
    "dl",
    { class: "stakes" },
    lines.map(([wager, stake, line]) =>
      el(
        "div",
        {},
        el("dt", {}, label(posted, wager), hand.coupons?.includes(wager) ? el("small", {}, " coupon") : ""),
        el("dd", { class: line ? line.result : "" }, line ? outcome(line) : words.money(stake)),
      ),
    ),
  );
}

/** The Raise that the seat has decided on, as its view lists it. */
function raised(hand) {
  const [word, multiple, street] = hand.decision.split(" ");
  const found = word === "raise" && hand.raises?.find((one) => one.street === street && one.multiple === Number(multiple));
  return found ? { raise: found.amount } : {};
}

function outcome(line) {
  if (line.result === "push" || line.result === "void") return line.result;
  return words.signed(line.net);
}

export function tone(net) {
  return net.startsWith("-") ? "lose" : net === "0.00" ? "" : "win";
}

export function label(posted, wager) {
  return posted?.labels[wager] ?? words.titled(wager);
}
