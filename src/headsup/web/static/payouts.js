// What the dealer pays and takes, seat by seat, in the order the hands are resolved.

import { el } from "./dom.js";
import { label, tone } from "./table.js";
import * as words from "./words.js";

/** @param {any} round the round whose hands are resolved @param {any} players by seat */
export function payouts(round, players, posted) {
  const results = round?.results ?? {};
  const seats = Object.keys(results).map(Number);
  if (!seats.length) return [el("p", { class: "soft" }, "Nothing to pay yet: hands are paid and taken one after the other, from the dealer’s right.")];
  return [
    el("p", {}, words.dealerHand(round)),
    ...seats.reverse().map((seat) => payout(seat, results[seat], round.seats[seat], players[seat], posted)),
  ];
}

function payout(seat, result, hand, player, posted) {
  const lines = Object.entries(result.wagers).map(([wager, line]) =>
    el(
      "tr",
      { class: line.result },
      el("th", { scope: "row" }, label(posted, wager), el("small", {}, ` ${line.why} (${line.clause})`)),
      el("td", { class: "amount" }, words.money(line.stake)),
      el("td", { class: `amount ${line.result}` }, move(line)),
    ),
  );
  return el(
    "table",
    { class: "pay" },
    el("caption", {}, el("strong", {}, `Seat ${seat}${player ? ` · ${player}` : ""}`), hand?.hand ? ` · ${hand.hand.name}` : ""),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Wager"), el("th", { scope: "col", class: "amount" }, "Stake"), el("th", { scope: "col", class: "amount" }, "Pay or take"))),
    el(
      "tbody",
      {},
      lines,
      el("tr", { class: "total" }, el("th", { scope: "row", colspan: 2 }, "In all"), el("td", { class: `amount ${tone(result.net)}` }, words.signed(result.net))),
    ),
  );
}

/** What the dealer's hand does with one wager. */
function move(line) {
  switch (line.result) {
    case "win":
      return `pay ${words.money(line.net)}`;
    case "lose":
      return `take ${words.money(line.stake)}`;
    case "push":
      return line.gesture ? words.spaced(line.gesture) : "push";
    default:
      return "give back";
  }
}
