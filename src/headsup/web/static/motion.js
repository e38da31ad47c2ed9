// Short movements: cards slide and turn, chips go where they were won. The page is already in its
// end state when they start, so that any key may skip them and who wants none sees none.

import { stack } from "./chips.js";
import { find } from "./dom.js";
import { mayMove } from "./settings.js";
import * as state from "./state.js";
import { inCents } from "./words.js";

const SLIDE = 220; // milliseconds
const TURN = 180;
const STAGGER = 70;

/** @type {Set<Animation>} */
const running = new Set();

/** End every movement at once. */
export function skip() {
  for (const one of running) one.finish();
}

/** Whether something moves now. */
export function isMoving() {
  return running.size > 0;
}

function move(element, frames, options) {
  const animation = element.animate(frames, { fill: "backwards", easing: "cubic-bezier(.2,.7,.3,1)", ...options });
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => running.delete(animation));
  return animation;
}

/** Show what an event did; the state is the one after it. @param {any} event @param {import("./state.js").State} now */
export function animate(event, now) {
  if (!mayMove() || document.hidden) return;
  switch (event.event) {
    case "CardsDealt":
      dealt();
      break;
    case "FlopRevealed":
      turned("#board-cards > .cards .card", 0, 3);
      break;
    case "TurnAndRiverRevealed":
      turned("#board-cards > .cards .card", 3, 5);
      break;
    case "BoardCompleted":
      turned("#board-cards > .cards .card.face", 0, 5);
      break;
    case "DealerRevealed":
      turned("#dealer-cards .card", 0, 2);
      break;
    case "HandResolved":
      if (event.seat === state.mySeat(now)) paid(now, event.seat);
      break;
  }
}

/** Cards come from the dealer's left, one after the other: the own first, since they are to be read
 * before they can be decided on. */
function dealt() {
  const from = find("dealer").getBoundingClientRect();
  const others = document.querySelectorAll("#seats .card, #dealer-cards .card");
  const cards = [...document.querySelectorAll("#own-hand .card"), ...others];
  cards.forEach((card, index) => {
    const to = card.getBoundingClientRect();
    if (!to.width) return;
    const [x, y] = [from.right + 40 - to.left, from.top - to.top];
    move(
      card,
      [{ transform: `translate(${x}px, ${y}px) rotate(20deg)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none", opacity: 1 }],
      { duration: SLIDE, delay: index * STAGGER },
    );
  });
}

function turned(selector, from, to) {
  [...document.querySelectorAll(selector)].slice(from, to).forEach((card, index) => {
    move(
      card,
      [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }],
      { duration: TURN, delay: index * 2 * STAGGER },
    );
  });
}

/** Chips that were won come from the dealer's tray, those that were lost go there. */
function paid(now, seat) {
  const lines = Object.entries(state.resultShown(now, seat)?.wagers ?? {});
  const tray = find("dealer").getBoundingClientRect();
  const felt = find("flying").getBoundingClientRect();
  lines.forEach(([wager, line], index) => {
    const spot = document.querySelector(`#spots .${wager}`)?.getBoundingClientRect();
    if (!spot || !["win", "lose"].includes(line.result)) return;
    const chips = stack(inCents(line.net.replace("-", "")) || inCents(line.stake));
    chips.classList.add("flies");
    find("flying").append(chips);
    const at = (box) => `translate(${box.left + box.width / 2 - felt.left}px, ${box.top + box.height / 2 - felt.top}px) translate(-50%, -50%)`;
    const [first, last] = line.result === "win" ? [tray, spot] : [spot, tray];
    const flight = move(
      chips,
      [{ transform: at(first), opacity: 1 }, { transform: at(last), opacity: 1, offset: 0.85 }, { transform: at(last), opacity: 0 }],
      { duration: 700, delay: index * STAGGER, fill: "both" },
    );
    flight.finished.catch(() => {}).finally(() => chips.remove());
  });
}
