// Makes elements, and redraws them only when what they show has changed.

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>} Attributes */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]  functions are event listeners, named `on…`
 * @param {any[]} children  elements, texts and lists of them; null and "" are left out
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {any[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

/**
 * The element with this id, which must exist.
 * @template {typeof HTMLElement} [K=typeof HTMLElement]
 * @param {string} id
 * @param {K} [_kind]  its class, for the type checker
 * @returns {InstanceType<K>}
 */
export function find(id, _kind) {
  return /** @type {InstanceType<K>} */ (document.getElementById(id));
}

/**
 * The first match inside an element, which must exist.
 * @template {typeof HTMLElement} [K=typeof HTMLElement]
 * @param {Element} element @param {string} selector @param {K} [_kind]
 * @returns {InstanceType<K>}
 */
export function findIn(element, selector, _kind) {
  return /** @type {InstanceType<K>} */ (element.querySelector(selector));
}

/** A form's fields as a URL query, without the empty ones. @param {HTMLFormElement} form */
export function formQuery(form) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields.filter(([, value]) => value !== ""));
}

/** @type {WeakMap<Element, string>} */
const drawnKeys = new WeakMap();

// An element is not replaced while it is being pressed: it would never get its click.
/** @type {Node | null} */
let pressed = null;
/** @type {Map<Element, () => void>} */
const postponed = new Map();
document.addEventListener("pointerdown", (event) => (pressed = /** @type {Node} */ (event.target)), true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => setTimeout(release), true); // after the click
}

function release() {
  pressed = null;
  const redraws = [...postponed.values()];
  postponed.clear();
  redraws.forEach((redraw) => redraw());
}

/**
 * Redraw an element with what `build` returns, unless it already shows the same `data`. Keyboard focus
 * inside it moves to the control with the same name, else to a [data-rest] element or a button.
 * @param {string} id @param {unknown} data @param {() => any} build
 */
export function fill(id, data, build) {
  const element = find(id);
  const key = JSON.stringify(data);
  postponed.delete(element);
  if (drawnKeys.get(element) === key) return;
  if (pressed !== null && element.contains(pressed)) {
    postponed.set(element, () => fill(id, data, build));
    return;
  }
  drawnKeys.set(element, key);
  const focused = element.contains(document.activeElement) && document.activeElement;
  const name = focused && focused.getAttribute("name");
  element.replaceChildren(...[build()].flat(Infinity).filter((child) => child !== null && child !== ""));
  if (!focused || (focused === element && element.role === "tabpanel")) return; // a panel keeps its own focus
  const sameName = name && element.querySelector(`[name="${name}"]`);
  // [data-rest] comes before buttons, so that a key pressed twice does not undo its first press.
  const target = sameName || element.querySelector("[data-rest]") || element.querySelector("button");
  /** @type {HTMLElement} */ (target ?? element).focus();
}

/** @param {string} id @param {boolean} shown */
export function setShown(id, shown) {
  find(id).hidden = !shown;
}
