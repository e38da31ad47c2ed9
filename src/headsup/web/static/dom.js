// Making elements, and replacing them only when what they show has changed.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Object<string, any>} [attributes]  those that begin with `on` listen
 * @param {any[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

/**
 * An element of the page.
 * @template {typeof HTMLElement} [K=typeof HTMLElement]
 * @param {string} id
 * @param {K} [_kind]  what it is there
 * @returns {InstanceType<K>}
 */
export function find(id, _kind) {
  return /** @type {InstanceType<K>} */ (document.getElementById(id));
}

/**
 * What an element has inside, where it is known to be there.
 * @template {typeof HTMLElement} [K=typeof HTMLElement]
 * @param {Element} element @param {string} selector @param {K} [_kind]
 * @returns {InstanceType<K>}
 */
export function within(element, selector, _kind) {
  return /** @type {InstanceType<K>} */ (element.querySelector(selector));
}

/** What is filled in of a form, for an address. @param {HTMLFormElement} form */
export function chosenIn(form) {
  const said = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(said.filter(([, value]) => value !== ""));
}

const drawn = new WeakMap();

// What is being pressed is not taken away under the finger: it would never be clicked.
/** @type {Node | null} */
let pressed = null;
/** @type {Map<Element, () => void>} */
const later = new Map();
document.addEventListener("pointerdown", (event) => (pressed = /** @type {Node} */ (event.target)), true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => setTimeout(release), true); // after the click
}

function release() {
  pressed = null;
  const waiting = [...later.values()];
  later.clear();
  waiting.forEach((again) => again());
}

/**
 * Fill an element with what `build` makes, if `shows` is not what it shows already. Who was on a
 * control there stays on the one of the same name, or in the place where it was.
 */
export function fill(id, shows, build) {
  const element = find(id);
  const key = JSON.stringify(shows);
  later.delete(element);
  if (drawn.get(element) === key) return;
  if (pressed !== null && element.contains(pressed)) {
    later.set(element, () => fill(id, shows, build));
    return;
  }
  drawn.set(element, key);
  const focused = element.contains(document.activeElement) && document.activeElement;
  const name = focused && focused.getAttribute("name");
  element.replaceChildren(...[build()].flat(Infinity).filter((child) => child !== null && child !== ""));
  if (!focused) return;
  const same = name && element.querySelector(`[name="${name}"]`);
  // Where there is a place to rest, a key pressed twice does not undo what it did first.
  const again = same || element.querySelector("[data-rest]") || element.querySelector("button");
  /** @type {HTMLElement} */ (again ?? element).focus();
}

export function show(id, shown) {
  find(id).hidden = !shown;
}
