// The user's settings, stored in this browser: light or dark theme, two or four suit colors, motion,
// sound, the coach, and whether the first-visit guide is done.

const KEY = "headsup";

/** @type {Object<string, string[]>} each setting's values; the first is the default */
export const CHOICES = {
  theme: ["system", "dark", "light"],
  suits: ["two", "four"],
  motion: ["full", "none"],
  sound: ["off", "on"],
};

/** @type {Object<string, string>} */
let settings = load();

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // storage is turned off, or holds something else
  }
}

/** The value of a setting, or its default. @param {string} name */
export function setting(name) {
  const value = settings[name];
  const known = CHOICES[name];
  return known && !known.includes(value) ? known[0] : (value ?? "");
}

/** Store a setting and apply it to the page. @param {string} name @param {string} value */
export function remember(name, value) {
  settings = { ...settings, ...load(), [name]: value }; // another tab may have changed the rest
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
  if (name in CHOICES) document.documentElement.dataset[name] = value;
}

/** Apply the stored settings. Every page does this first. */
function applySettings() {
  for (const name of Object.keys(CHOICES)) document.documentElement.dataset[name] = setting(name);
}

/** Whether animations are allowed, by the system and by the user. */
export function mayMove() {
  return setting("motion") === "full" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

applySettings();

// Another tab has changed a setting.
window.addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  settings = { ...settings, ...load() };
  applySettings();
});
