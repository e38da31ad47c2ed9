// What the dealer pays and takes, seat by seat. The latest hand comes first.

/** @import { RoundView } from "../lib/state.js" */

import { el } from "../lib/dom.js";
import { formatMoney, formatSigned, netTone } from "../lib/money.js";
import { dealerHandText, wagerLabel } from "../lib/text.js";

const MAX_UNFOLDED = 2; // hands shown in full: the current one and the one before it

/**
 * What the dealer pays and takes: of the hands resolved in this round, in order, and of the next one.
 * @param {any} view
 */
function payoutsOf({ round, next, players }) {
  /** @param {any} result @param {number} seat @param {boolean} resolved */
  const payout = (result, seat, resolved) => ({ ...result, seat, resolved, player: players[seat] ?? "" });
  /** @param {RoundView} round */
  const resolved = (round?.resolved ?? []).map((/** @type {number} */ seat) => payout(round.results[seat], seat, true));
  return next ? [...resolved, payout(next, next.seat, false)] : resolved;
}

/** @param {import("../lib/state.js").TableView} view @param {any} posted */
export function payoutSheet(view, posted) {
  const { round } = view;
  const payouts = payoutsOf(view);
  if (!payouts.length) {
    return [
      el("p", { class: "soft" }, "Nothing to pay yet. Hands are settled one by one, starting from the dealer’s right."),
    ];
  }
  const newest = [...payouts].reverse();
  return [
    el("p", {}, dealerHandText(round)),
    ...newest.map((hand, index) =>
      foldable(hand, index >= MAX_UNFOLDED, payoutTable(hand, round?.seats[hand.seat], posted))
    ),
  ];
}

/**
 * Earlier hands take one line each until opened.
 * @param {any} payout @param {boolean} isFolded @param {HTMLElement} table
 */
function foldable(payout, isFolded, table) {
  if (!isFolded) return table;
  return el(
    "details",
    {},
    el("summary", {}, `Seat ${payout.seat}${payout.player ? ` · ${payout.player}` : ""}: ${formatSigned(payout.net)}`),
    table,
  );
}

/** @param {any} payout @param {any} hand @param {any} posted */
function payoutTable(payout, hand, posted) {
  const lines = payout.lines.map((/** @type {any} */ line) =>
    el(
      "tr",
      { class: line.result },
      el("th", { scope: "row" }, wagerLabel(posted, line.wager), el("small", {}, ` ${line.why} (${line.clause})`)),
      el("td", { class: "amount" }, formatMoney(line.stake)),
      el("td", { class: `amount ${line.result}` }, moveText(line)),
    )
  );
  return el(
    "table",
    { class: payout.resolved ? "pay" : "pay next" },
    el(
      "caption",
      {},
      el("strong", {}, `Seat ${payout.seat}${payout.player ? ` · ${payout.player}` : ""}`),
      hand?.hand ? ` · ${hand.hand.name}` : "",
      payout.resolved ? " · done" : " · now",
    ),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "Wager"),
        el("th", { scope: "col", class: "amount" }, "Stake"),
        el("th", { scope: "col", class: "amount" }, "Pay or take"),
      ),
    ),
    el(
      "tbody",
      {},
      lines,
      el(
        "tr",
        { class: "total" },
        el("th", { scope: "row", colspan: 2 }, "Total"),
        el("td", { class: `amount ${netTone(payout.net)}` }, formatSigned(payout.net)),
      ),
    ),
  );
}

/** What the dealer does with one wager. @param {any} line */
function moveText(line) {
  if (line.pays !== "0.00") return `pay ${formatMoney(line.pays)}`;
  if (line.result === "lose") return `take ${formatMoney(line.stake)}`;
  return line.result === "push" ? "push" : "return";
}
