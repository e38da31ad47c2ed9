// A figure whose digits roll to their new values, like the reels of a counter.

import { el } from "./dom.js";
import { mayMove } from "./settings.js";

const DIGITS = Array.from("0123456789");

/**
 * @param {HTMLElement} element with the class `figure` and the role of a picture
 * @param {string} text such as "$25,012.25"
 */
export function drawFigure(element, text) {
  if (element.getAttribute("aria-label") === text) return;
  const before = element.getAttribute("aria-label");
  element.setAttribute("aria-label", text);
  element.style.setProperty("--chars", String(text.length));
  if (before === null || before.length !== text.length) {
    element.replaceChildren(...Array.from(text, place));
    element.classList.remove("rolling");
  } else {
    element.classList.toggle("rolling", mayMove());
  }
  Array.from(text).forEach((sign, at) => turn(element.children[at], sign));
}

function place(sign) {
  if (!DIGITS.includes(sign)) return el("span", { "aria-hidden": "true" }, sign);
  const reel = el("span", {}, DIGITS.map((digit) => el("i", {}, digit)));
  return el("span", { class: "reel", "aria-hidden": "true" }, reel);
}

function turn(element, sign) {
  if (DIGITS.includes(sign)) element.firstChild.style.setProperty("--digit", sign);
}
