// What a person has chosen about the page, remembered in this browser: light or dark, two or four
// colours of suits, motion, sound, the coach, whether the first visit is over.

const KEY = "headsup";

/** @type {Object<string, string[]>} each setting's values; the first is the one without a choice */
export const CHOICES = {
  theme: ["system", "dark", "light"],
  suits: ["two", "four"],
  motion: ["full", "none"],
  sound: ["off", "on"],
};

/** @type {Object<string, string>} */
let held = kept();

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // storage is shut off, or holds what we did not write
  }
}

/** A setting as it was left, or its first value. @param {string} name */
export function setting(name) {
  const value = held[name];
  const known = CHOICES[name];
  return known && !known.includes(value) ? known[0] : (value ?? "");
}

/** Remember a setting, and let the page follow it. @param {string} name @param {string} value */
export function remember(name, value) {
  held = { ...kept(), ...held, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(held));
  } catch {
    // Without storage it holds until the page is left.
  }
  if (name in CHOICES) document.documentElement.dataset[name] = value;
}

/** Let the page look as it was left; every page does this first. */
export function apply() {
  for (const name of Object.keys(CHOICES)) document.documentElement.dataset[name] = setting(name);
}

/** Whether things may move: neither the system nor this page's user is against it. */
export function mayMove() {
  return setting("motion") === "full" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

apply();
