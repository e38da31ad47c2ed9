// The time left, as a ring around a name plate that runs out, and in seconds near the end.

import { svg } from "../lib/dom.js";
import { mayMove } from "../lib/settings.js";

const COUNTDOWN_SECONDS = 20; // from here on the seconds are shown

/** @type {WeakMap<Element, string>} */
const running = new WeakMap();

/**
 * Show the time left on a plate, or nothing.
 * @param {HTMLElement} plate
 * @param {{of: number, until: number} | null} clock  in milliseconds; `until` in those of the page
 */
export function drawClock(plate, clock) {
  const key = clock === null ? "" : `${Math.round(clock.until / 500)}`;
  if (running.get(plate) === key && (key === "" || plate.querySelector(".ring"))) return;
  running.set(plate, key);
  plate.querySelector(".ring")?.remove();
  plate.querySelector(".seconds")?.remove();
  if (clock === null) return;
  plate.append(ring(clock), seconds(clock));
}

/** @param {{until: number, of: number}} clock */
function ring(clock) {
  const line = svg("rect", { rx: 9, pathLength: 100 });
  const drawn = svg("svg", { class: "ring", "aria-hidden": "true" }, line);
  const left = Math.max(clock.until - performance.now(), 0);
  const share = Math.min(left / (clock.of), 1);
  if (mayMove()) {
    line.animate(
      [{ strokeDashoffset: 100 - 100 * share }, { strokeDashoffset: 100 }],
      { duration: left, fill: "forwards" },
    );
  }
  return drawn;
}

/**
 * The last seconds. Not for screen readers: the game log has said whose turn it is.
 * @param {{until: number, of: number}} clock
 */
function seconds(clock) {
  const element = document.createElement("span");
  element.className = "seconds";
  element.setAttribute("aria-hidden", "true");
  const tick = () => {
    if (!element.isConnected && element.dataset.begun) return;
    element.dataset.begun = "yes";
    const left = Math.ceil((clock.until - performance.now()) / 1000);
    element.textContent = left > 0 && left <= COUNTDOWN_SECONDS ? `${left} s` : "";
    if (left > 0) setTimeout(tick, 1000);
  };
  queueMicrotask(tick);
  return element;
}
