// An amount whose digits roll to their new values, like the reels of a counter.

import { el } from "../lib/dom.js";
import { mayMove } from "../lib/settings.js";

const DIGITS = Array.from("0123456789");

/**
 * @param {HTMLElement} element  with the class `figure` and role `img`
 * @param {string} text such as "$25,012.25"
 */
export function drawRollingFigure(element, text) {
  if (element.getAttribute("aria-label") === text) return;
  const before = element.getAttribute("aria-label");
  element.setAttribute("aria-label", text);
  element.style.setProperty("--chars", String(text.length));
  if (before === null || before.length !== text.length) {
    element.replaceChildren(...Array.from(text, makeReel));
    element.classList.remove("rolling");
  } else {
    element.classList.toggle("rolling", mayMove());
  }
  Array.from(text).forEach((character, index) => turn(element.children[index], character));
}

/** @param {string} character */
function makeReel(character) {
  if (!DIGITS.includes(character)) return el("span", { "aria-hidden": "true" }, character);
  const reel = el("span", {}, DIGITS.map((digit) => el("i", {}, digit)));
  return el("span", { class: "reel", "aria-hidden": "true" }, reel);
}

/** @param {Element} element @param {string} character */
function turn(element, character) {
  if (DIGITS.includes(character)) {
    /** @type {HTMLElement} */ (element.firstChild).style.setProperty("--digit", character);
  }
}
