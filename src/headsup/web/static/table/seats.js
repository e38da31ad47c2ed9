// The other seats on the arc, in their real order, and the player's own name plate with its clock.

/** @import { AtTable } from "../lib/state.js" */

import { row } from "../lib/cards.js";
import { el, fill, find, svg } from "../lib/dom.js";
import { formatBrief, formatSigned } from "../lib/money.js";
import * as state from "../lib/state.js";
import { drawClock } from "./clock.js";
import { isDealt } from "./felt.js";

/**
 * The circles of a small seat: x, y and radius in a box of 124 by 84. The upper ones form a row of those
 * that are offered.
 */
const UPPER = ["trips_plus", "pocket_bonus", "all_6", "progressive"];
const LOWER = { ante: [16, 38, 14], odds: [56, 38, 14], raise: [16, 69, 14] };

/** @param {state.AtTable} now @param {any} actions */
export function drawSeats(now, actions) {
  const order = seatsInOrder(now);
  const own = state.mySeat(now);
  const shown = order.map((seat) => seatState(seat, now));
  fill(
    "seats",
    [shown, own, now.posted?.labels, now.view.offered, now.tables.length],
    () => shown.map((other, index) => seatView(other, index, order.length, now, actions)),
  );
  const title = own === null ? "You’re watching" : `You, seat ${own}`;
  const status = ownStatus(now);
  fill("own-title", [title, status], () => [
    el("span", { class: "name" }, title),
    status ? el("span", { class: "status" }, status) : "",
  ]);
  find("own").classList.toggle("owes", state.choices(now).length > 0);
  find("own").classList.toggle("watching", own === null);
  drawClock(find("own-title"), own === null ? null : state.decisionClock(now, own));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (find("seats").querySelectorAll(".plate"))) {
    drawClock(element, state.decisionClock(now, Number(element.dataset.seat)));
  }
}

/**
 * The other seats, clockwise from the player's left as the dealer deals; all seats for a spectator.
 * @param {AtTable} now
 */
function seatsInOrder(now) {
  const shown = state.listedTable(now);
  const count = Math.max(shown?.seats ?? 0, ...Object.keys(now.view.players).map(Number));
  const own = state.mySeat(now);
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (own === null) return all.reverse();
  return [...all.slice(own), ...all.slice(0, own - 1)];
}

/** @param {number} seat @param {AtTable} now */
function seatState(seat, now) {
  const round = state.shownRound(now);
  const hand = round?.seats[seat];
  return {
    seat,
    player: now.view.players[seat],
    stakes: state.stakesOnFelt(hand),
    hole: hand?.hole ?? "",
    dealt: !!hand && isDealt(round),
    decision: hand?.decision.action ?? "",
    said: hand?.decision.text ?? "",
    void: hand?.void ?? "",
    hand: hand?.hand ?? null,
    best: hand?.hand ? state.decidingCards(now, seat) : "",
    net: round?.results?.[seat]?.net ?? null,
  };
}

/** @param {AtTable} now */
function ownStatus(now) {
  const hand = state.shownHand(now);
  if (!hand) return "";
  return hand.decision.action === "owes" ? "your turn" : hand.decision.text;
}

/** @param {any} other @param {number} index @param {number} count @param {AtTable} now @param {any} actions */
function seatView(other, index, count, now, actions) {
  const free = other.player === undefined && !Object.keys(other.stakes).length;
  const kind = `seat place-${index + 1} of-${count}${other.decision === "owes" ? " owes" : ""}${
    other.decision === "fold" ? " folded" : ""
  }`;
  if (free) {
    return el("li", { class: `${kind} free` }, layout({}, now.view.offered), freePlate(other.seat, now, actions));
  }
  return el("li", { class: kind }, layout(other.stakes, now.view.offered), cardsOf(other), plate(other));
}

/** @typedef {[string, [number, number, number]]} Spot  a wager, and its circle: x, y, radius */

/**
 * The circles of a seat and the chips on them. Decorative: the plate says the Ante in words.
 * @param {Record<string, string>} stakes @param {string[]} offered
 */
function layout(stakes, offered) {
  const upper = UPPER.filter((wager) => offered.includes(wager)).map((
    wager,
    index,
  ) => [wager, [16 + 22 * index, 9, 8]]);
  const shown = /** @type {Spot[]} */ ([...upper, ...Object.entries(LOWER)]);
  return svg(
    "svg",
    { class: "layout", viewBox: "0 0 124 84", "aria-hidden": "true" },
    shown.map(([wager, [x, y, r]]) => [
      svg("circle", { class: "place", cx: x, cy: y, r }),
      stakes[wager] ? svg("circle", { class: "disc", cx: x, cy: y, r: r - 3, pathLength: 64 }) : "",
      stakes[wager] && r > 10
        ? svg("text", { x, y: y + 4, "text-anchor": "middle" }, formatBrief(stakes[wager]).replace("$", ""))
        : "",
    ]),
    svg("text", { class: "equals", x: 36, y: 44, "text-anchor": "middle" }, "="),
  );
}

/** @param {any} other */
function cardsOf(other) {
  return other.dealt ? row(other.hole, 2, { down: true, best: other.best }) : "";
}

/** @param {any} other */
function plate(other) {
  const name = (other.player ?? "(left)").replace(" (automatic)", "");
  const robot = other.player?.endsWith("(automatic)");
  const decided = other.said.replace(/ \(.*\)$/, ""); // without its street
  const status = other.void ? `void: ${other.void}` : decided;
  return el(
    "div",
    { class: "plate", "data-seat": other.seat },
    el(
      "span",
      { class: "name", title: other.player },
      name,
      robot ? el("span", { class: "unseen" }, " (automatic)") : "",
    ),
    other.net === null
      ? el("span", { class: "unseen" }, `, seat ${other.seat}`)
      : el("strong", { class: netClass(other.net) }, formatSigned(other.net).replace(/\.00$/, "")),
    other.hand && !other.void
      ? handName(other.hand.name)
      : el("span", { class: "status" }, status || (other.stakes.ante ? `bets ${formatBrief(other.stakes.ante)}` : "")),
  );
}

/** The announced hand. The style sheet hides its ranks where a plate is too narrow. @param {string} name */
function handName(name) {
  const [kind, ...ranks] = name.split(", ");
  const rest = ranks.length ? el("span", { class: "ranks" }, `, ${ranks.join(", ")}`) : "";
  return el("span", { class: "status made", title: name }, el("span", {}, kind), rest);
}

/** @param {string} net */
function netClass(net) {
  return net.startsWith("-") ? "net lost" : net === "0.00" ? "net" : "net won";
}

/** @param {number} seat @param {AtTable} now @param {any} actions */
function freePlate(seat, now, actions) {
  if (state.mySeat(now) !== null) {
    return el(
      "div",
      { class: "plate" },
      el("span", { class: "name" }, "Free"),
      el("span", { class: "status" }, `seat ${seat}`),
    );
  }
  return el(
    "button",
    {
      type: "button",
      class: "plate",
      name: `sit ${seat}`,
      "aria-label": `Sit here: seat ${seat}`,
      onclick: () => actions.sit(now.table, seat),
    },
    el("span", { class: "name" }, "Sit", el("span", { class: "here" }, " here")),
    el("span", { class: "status" }, `seat ${seat}`),
  );
}
