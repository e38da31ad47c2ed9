// A table from the dealer's side: the seats opposite, in order from the dealer's left, then the board,
// then the dealer's cards in front. Used by the console and by replays.

/** @import { LineView, ResultView, RoundView, SeatView, TableView } from "./state.js" */

import { row } from "./cards.js";
import { el } from "./dom.js";
import { formatMoney, formatSigned, netTone } from "./money.js";
import { stakesOnFelt } from "./state.js";
import { dealerHandText, sortByWager, wagerLabel } from "./text.js";

/**
 * @param {TableView} view of the table, the dealer's or another viewer's
 * @param {any} posted what is posted there
 * @param {{seats?: number, due?: number[]}} [options] how many seats there are, and whose turn it is
 */
export function dealerView(view, posted, { seats = 6, due = [] } = {}) {
  const round = view.round;
  const last = Math.max(
    seats,
    ...Object.keys(view.players ?? {}).map(Number),
    ...Object.keys(round?.seats ?? {}).map(Number),
  );
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  return [
    el("ol", { class: "positions" }, numbers.map((number) => seatView(number, view, posted, due.includes(number)))),
    el(
      "div",
      { class: "middle" },
      meterView(view.meter, posted),
      el("div", { class: "board" }, row(round?.board ?? "", 5, { down: (round?.board_down ?? 0) > 0, label: "Board" })),
      round?.all_6
        ? el("div", { class: "six" }, el("span", { class: "tag" }, "All 6"), row(round.all_6, 4, { label: "All 6" }))
        : "",
    ),
    el(
      "div",
      { class: "dealer" },
      row(round?.dealer ?? "", 2, { down: isDealt(round), best: round?.dealer_hand?.best, label: "Dealer" }),
      el("p", {}, dealerHandText(round) || el("strong", {}, "Dealer")),
    ),
    round?.void ? el("p", { class: "alarm" }, `The round is void: ${round.void} (${round.voided?.clause ?? ""})`) : "",
  ];
}

/** @param {RoundView | null | undefined} round */
function isDealt(round) {
  return !!round?.dealt && !round.over;
}

/** @param {TableView["meter"]} meter @param {any} posted */
function meterView(meter, posted) {
  if (!meter) return "";
  return el(
    "div",
    { class: meter.frozen ? "meter standing" : "meter" },
    el("span", { class: "tag" }, posted?.labels.progressive ?? "Meter"),
    el("strong", {}, formatMoney(meter.shows)),
    meter.frozen ? el("span", {}, `Display frozen: ${meter.frozen}`) : "",
    ...meter.notices.map((/** @type {string} */ notice) => el("small", {}, notice)),
  );
}

/** @param {number} number @param {TableView} view @param {any} posted @param {boolean} due */
function seatView(number, view, posted, due) {
  const player = view.players?.[number];
  const hand = view.round?.seats?.[number];
  const result = view.round?.results?.[number];
  const owes = hand?.decision.action === "owes" || view.owing?.includes(number);
  const kind = ["position", `at-${number}`, due || owes ? "waited" : "", player ? "" : "empty"].join(" ").trim();
  const lights = Object.entries(view.tabulator?.lights ?? {}).filter(([, seats]) => seats.includes(number));
  return el(
    "li",
    { class: kind, "aria-label": `Seat ${number}${player ? `: ${player}` : ", free"}` },
    el(
      "p",
      { class: "name" },
      el("span", { class: "number" }, String(number)),
      el("span", { class: "who", title: player }, player ? nameParts(player) : hand ? "(left)" : "free"),
      ...lights.map(([wager]) =>
        el("span", { class: "light", role: "img", "aria-label": `${wagerLabel(posted, wager)} counted` })
      ),
    ),
    hand ? el("div", { class: "hole" }, row(hand.hole, 2, { down: isDealt(view.round), best: hand.hand?.best })) : "",
    hand ? el("p", { class: "said" }, handText(hand, owes)) : "",
    hand ? wagerList(hand, result, posted) : "",
    result ? el("p", { class: `net ${netTone(result.net)}` }, formatSigned(result.net)) : "",
  );
}

/** The name, with anything in brackets after it in small letters. @param {string} player */
function nameParts(player) {
  const [, name, note] = /** @type {RegExpExecArray} */ (/^(.*?)( \([^()]*\))?$/s.exec(player));
  return [name, note ? el("small", {}, note) : ""];
}

/** @param {SeatView} hand @param {boolean | undefined} owes */
function handText(hand, owes) {
  if (hand.void) return `void: ${hand.void}`;
  if (hand.hand) return hand.hand.name;
  if (owes) return "to act";
  return hand.decision.text;
}

/**
 * Every wager at the seat: its stake, or its result.
 * @param {SeatView} hand @param {ResultView | undefined} result @param {any} posted
 */
function wagerList(hand, result, posted) {
  const lines = result
    ? sortByWager(result.wagers).map(([wager, line]) => [wager, line.stake, line])
    : sortByWager(stakesOnFelt(hand)).map(([wager, stake]) => [wager, stake, null]);
  return el(
    "dl",
    { class: "stakes" },
    lines.map(([wager, stake, line]) =>
      el(
        "div",
        {},
        el("dt", {}, wagerLabel(posted, wager), wager in (hand.coupons ?? {}) ? el("small", {}, " coupon") : ""),
        el("dd", { class: line ? line.result : "" }, line ? outcomeText(line) : formatMoney(stake)),
      )
    ),
  );
}

/** @param {LineView} line */
function outcomeText(line) {
  if (line.result === "push" || line.result === "void") return line.result;
  return formatSigned(line.net);
}
