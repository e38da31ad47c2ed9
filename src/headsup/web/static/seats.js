// The other seats, small, on the arc in their true order; and the name plate with its clock.

import { row, svg } from "./cards.js";
import { el, fill, find } from "./dom.js";
import { isDealt } from "./felt.js";
import { clockOf } from "./clock.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** Where the wagers lie on a small seat: x, y and radius in a box of 124 by 84; the upper ones in
 * a row, as far as they are offered. */
const UPPER = ["trips_plus", "pocket_bonus", "all_6", "progressive"];
const LOWER = { ante: [16, 38, 14], odds: [56, 38, 14], raise: [16, 69, 14] };

/** @param {state.AtTable} now @param {any} doing */
export function drawSeats(now, doing) {
  const order = around(now);
  const own = state.mySeat(now);
  const shown = order.map((seat) => seatState(seat, now));
  fill("seats", [shown, own, now.posted?.labels, now.view.offered, now.tables.length], () =>
    shown.map((one, place) => seatShown(one, place, order.length, now, doing)),
  );
  const title = own === null ? "You are looking on" : `You, seat ${own}`;
  const status = ownStatus(now);
  fill("own-title", [title, status], () => [
    el("span", { class: "name" }, title),
    status ? el("span", { class: "status" }, status) : "",
  ]);
  find("own").classList.toggle("owes", state.choices(now).length > 0);
  find("own").classList.toggle("watching", own === null);
  clockOf(find("own-title"), own === null ? null : state.clockAt(now, own));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (find("seats").querySelectorAll(".plate"))) {
    clockOf(element, state.clockAt(now, Number(element.dataset.seat)));
  }
}

/** The others from the own left hand on, clockwise as the dealer deals; without a seat, all. */
function around(now) {
  const shown = state.tableShown(now);
  const count = Math.max(shown?.seats ?? 0, ...Object.keys(now.view.players).map(Number));
  const own = state.mySeat(now);
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (own === null) return all.reverse();
  return [...all.slice(own), ...all.slice(0, own - 1)];
}

function seatState(seat, now) {
  const round = state.roundShown(now);
  const hand = round?.seats[seat];
  return {
    seat,
    player: now.view.players[seat],
    stakes: state.onFelt(hand),
    hole: hand?.hole ?? "",
    dealt: !!hand && isDealt(round),
    decision: hand?.decision ?? "",
    void: hand?.void ?? "",
    hand: hand?.hand ?? null,
    best: hand?.hand ? state.deciding(now, seat) : "",
    net: round?.results?.[seat]?.net ?? null,
  };
}

function ownStatus(now) {
  const hand = state.handShown(now);
  if (!hand) return "";
  const label = now.posted?.labels.raise ?? "Raise";
  return hand.decision === "owes" ? "your turn" : words.decision(hand.decision, label);
}

function seatShown(one, place, count, now, doing) {
  const free = one.player === undefined && !Object.keys(one.stakes).length;
  const kind = `seat place-${place + 1} of-${count}${one.decision === "owes" ? " owes" : ""}${one.decision === "fold" ? " folded" : ""}`;
  if (free) {
    return el("li", { class: `${kind} free` }, layout({}, now.view.offered), freePlate(one.seat, now, doing));
  }
  return el("li", { class: kind }, layout(one.stakes, now.view.offered), cardsOf(one), plate(one, now));
}

/** @typedef {[string, [number, number, number]]} Spot  a wager, and its circle: x, y, radius */

/** The circles of a seat and the chips on them; decorative, as the plate's words say the Ante. */
function layout(stakes, offered) {
  const upper = UPPER.filter((wager) => offered.includes(wager)).map((wager, index) => [wager, [16 + 22 * index, 9, 8]]);
  const shown = /** @type {Spot[]} */ ([...upper, ...Object.entries(LOWER)]);
  return svg(
    "svg",
    { class: "layout", viewBox: "0 0 124 84", "aria-hidden": "true" },
    shown.map(([wager, [x, y, r]]) => [
      svg("circle", { class: "place", cx: x, cy: y, r }),
      stakes[wager] ? svg("circle", { class: "disc", cx: x, cy: y, r: r - 3, pathLength: 64 }) : "",
      stakes[wager] && r > 10
        ? svg("text", { x, y: y + 4, "text-anchor": "middle" }, words.brief(stakes[wager]).replace("$", ""))
        : "",
    ]),
    svg("text", { class: "equals", x: 36, y: 44, "text-anchor": "middle" }, "="),
  );
}

function cardsOf(one) {
  return one.dealt ? row(one.hole, 2, { down: true, best: one.best }) : "";
}

function plate(one, now) {
  const label = now.posted?.labels.raise ?? "Raise";
  const name = (one.player ?? "(left)").replace(" (automatic)", "");
  const robot = one.player?.endsWith("(automatic)");
  const decided = words.decision(one.decision, label).replace(/ \(.*\)$/, ""); // without its street
  const said = one.void ? `void: ${words.spaced(one.void)}` : decided;
  return el(
    "div",
    { class: "plate", "data-seat": one.seat },
    el("span", { class: "name", title: one.player }, name, robot ? el("span", { class: "unseen" }, " (automatic)") : ""),
    one.net === null ? el("span", { class: "unseen" }, `, seat ${one.seat}`) : el("strong", { class: sign(one.net) }, words.signed(one.net).replace(/\.00$/, "")),
    one.hand && !one.void
      ? handNamed(one.hand.name)
      : el("span", { class: "status" }, said || (one.stakes.ante ? `bets ${words.brief(one.stakes.ante)}` : "")),
  );
}

/** A hand as it is announced; where a plate is too narrow, the style sheet leaves its ranks out. */
function handNamed(name) {
  const [kind, ...ranks] = name.split(", ");
  const rest = ranks.length ? el("span", { class: "ranks" }, `, ${ranks.join(", ")}`) : "";
  return el("span", { class: "status made", title: name }, el("span", {}, kind), rest);
}

function sign(net) {
  return net.startsWith("-") ? "net lost" : net === "0.00" ? "net" : "net won";
}

function freePlate(seat, now, doing) {
  if (state.mySeat(now) !== null) {
    return el("div", { class: "plate" }, el("span", { class: "name" }, "Free"), el("span", { class: "status" }, `seat ${seat}`));
  }
  return el(
    "button",
    { type: "button", class: "plate", name: `sit ${seat}`, "aria-label": `Sit here: seat ${seat}`, onclick: () => doing.sit(now.table, seat) },
    el("span", { class: "name" }, "Sit", el("span", { class: "here" }, " here")),
    el("span", { class: "status" }, `seat ${seat}`),
  );
}
