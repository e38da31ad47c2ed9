// Short animations: cards slide and turn over, chips move to the winner. The page is already in its final
// state when they start, so any key can skip them and they can be turned off.

/** @import { State } from "../lib/state.js" */

import { find } from "../lib/dom.js";
import { centsOf } from "../lib/money.js";
import { mayMove } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { stack } from "./chips.js";

const SLIDE_MILLISECONDS = 220;
const TURN_MILLISECONDS = 180;
const STAGGER_MILLISECONDS = 70;

/** @type {Set<Animation>} */
const running = new Set();

/** End all animations at once. */
export function skip() {
  for (const animation of running) animation.finish();
}

/** Whether an animation is running. */
export function isMoving() {
  return running.size > 0;
}

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
function move(element, frames, options) {
  const animation = element.animate(frames, { fill: "backwards", easing: "cubic-bezier(.2,.7,.3,1)", ...options });
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => running.delete(animation));
  return animation;
}

/** Animate an event; the state is the one after it. @param {any} event @param {import("../lib/state.js").State} now */
export function animate(event, now) {
  if (!mayMove() || document.hidden) return;
  switch (event.event) {
    case "CardsDealt":
    case "CardsLaid":
      dealCards();
      break;
    case "FlopRevealed":
      turnCards("#board-cards > .cards .card", 0, 3);
      break;
    case "TurnAndRiverRevealed":
      turnCards("#board-cards > .cards .card", 3, 5);
      break;
    case "BoardCompleted":
      turnCards("#board-cards > .cards .card.face", 0, 5);
      break;
    case "DealerRevealed":
      turnCards("#dealer-cards .card", 0, 2);
      break;
    case "HandResolved":
      if (event.seat === state.mySeat(now)) moveChips(now, event.seat);
      break;
  }
}

/**
 * Cards slide in from beside the dealer, one by one. The player's own come first: they are needed to
 * decide.
 */
function dealCards() {
  const from = find("dealer").getBoundingClientRect();
  const others = document.querySelectorAll("#seats .card, #dealer-cards .card");
  const cards = [...document.querySelectorAll("#own-hand .card"), ...others];
  cards.forEach((card, index) => {
    const to = card.getBoundingClientRect();
    if (!to.width) return;
    const [x, y] = [from.right + 40 - to.left, from.top - to.top];
    move(
      card,
      [{ transform: `translate(${x}px, ${y}px) rotate(20deg)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, {
        transform: "none",
        opacity: 1,
      }],
      { duration: SLIDE_MILLISECONDS, delay: index * STAGGER_MILLISECONDS },
    );
  });
}

/** @param {string} selector @param {any} from @param {any} to */
function turnCards(selector, from, to) {
  [...document.querySelectorAll(selector)].slice(from, to).forEach((card, index) => {
    move(
      card,
      [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }],
      { duration: TURN_MILLISECONDS, delay: index * 2 * STAGGER_MILLISECONDS },
    );
  });
}

/** Winnings come from the dealer's tray; lost chips go there. @param {State} now @param {number} seat */
function moveChips(now, seat) {
  const lines = Object.entries(state.shownResult(now, seat)?.wagers ?? {});
  const tray = find("dealer").getBoundingClientRect();
  const felt = find("flying").getBoundingClientRect();
  lines.forEach(([wager, line], index) => {
    const spot = document.querySelector(`#spots .${wager}`)?.getBoundingClientRect();
    if (!spot || !["win", "lose"].includes(line.result)) return;
    const chips = stack(centsOf(line.net.replace("-", "")) || centsOf(line.stake));
    chips.classList.add("flies");
    find("flying").append(chips);
    /** @param {DOMRect} box */
    const moveTo = (box) =>
      `translate(${box.left + box.width / 2 - felt.left}px, ${
        box.top + box.height / 2 - felt.top
      }px) translate(-50%, -50%)`;
    const [first, last] = line.result === "win" ? [tray, spot] : [spot, tray];
    const flight = move(
      chips,
      [{ transform: moveTo(first), opacity: 1 }, { transform: moveTo(last), opacity: 1, offset: 0.85 }, {
        transform: moveTo(last),
        opacity: 0,
      }],
      { duration: 700, delay: index * STAGGER_MILLISECONDS, fill: "both" },
    );
    flight.finished.catch(() => {}).finally(() => chips.remove());
  });
}
