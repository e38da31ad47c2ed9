// What the dealer pays and takes, seat by seat, in the order the hands are resolved; the hand that is
// due stands first.

import { el } from "./dom.js";
import { label, tone } from "./table.js";
import * as words from "./words.js";

const OPEN = 2; // hands whose lines are all shown: the one that is due, and the one before it

/** @param {any[]} paid as the server lists it @param {any} round */
export function payouts(paid, round, posted) {
  if (!paid.length) return [el("p", { class: "soft" }, "Nothing to pay yet: hands are paid and taken one after the other, from the dealer’s right.")];
  const newest = [...paid].reverse();
  return [
    el("p", {}, words.dealerHand(round)),
    ...newest.map((one, at) => folded(one, at >= OPEN, payout(one, round?.seats[one.seat], posted))),
  ];
}

/** Hands that were paid a while ago take one line each. */
function folded(one, closed, table) {
  if (!closed) return table;
  return el("details", {}, el("summary", {}, `Seat ${one.seat}${one.player ? ` · ${one.player}` : ""}: ${words.signed(one.net)}`), table);
}

function payout(one, hand, posted) {
  const lines = one.lines.map((line) =>
    el(
      "tr",
      { class: line.result },
      el("th", { scope: "row" }, label(posted, line.wager), el("small", {}, ` ${line.why} (${line.clause})`)),
      el("td", { class: "amount" }, words.money(line.stake)),
      el("td", { class: `amount ${line.result}` }, move(line)),
    ),
  );
  return el(
    "table",
    { class: one.resolved ? "pay" : "pay next" },
    el("caption", {}, el("strong", {}, `Seat ${one.seat}${one.player ? ` · ${one.player}` : ""}`), hand?.hand ? ` · ${hand.hand.name}` : "", one.resolved ? " · done" : " · now"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Wager"), el("th", { scope: "col", class: "amount" }, "Stake"), el("th", { scope: "col", class: "amount" }, "Pay or take"))),
    el(
      "tbody",
      {},
      lines,
      el("tr", { class: "total" }, el("th", { scope: "row", colspan: 2 }, "In all"), el("td", { class: `amount ${tone(one.net)}` }, words.signed(one.net))),
    ),
  );
}

/** What the dealer's hand does with one wager. */
function move(line) {
  if (line.pays !== "0.00") return `pay ${words.money(line.pays)}`;
  if (line.result === "lose") return `take ${words.money(line.stake)}`;
  return line.result === "push" ? "push" : "give back";
}
