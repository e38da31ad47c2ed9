// The settings panel, with the account: log out, change the password.

/** @import { State } from "../lib/state.js" */

import { el, findIn } from "../lib/dom.js";
import { Declined, post } from "../lib/http.js";
import { formatMoney } from "../lib/money.js";
import { CHOICES, remember, setting } from "../lib/settings.js";

/** After logging out, the address says why. */
const OUT = "?out";
const CHANGED = "?changed";
/** @type {Record<string, string>} */
const NOTICES = {
  [OUT]: "You have logged out.",
  [CHANGED]: "Your password has been changed. Log in with the new one.",
};

/** Why nobody is logged in, or "". */
export function logoutNotice() {
  return NOTICES[location.search] ?? "";
}

/** Remove the notice from the address, after a log-in. */
export function clearLogoutNotice() {
  if (logoutNotice()) history.replaceState(null, "", `/${location.hash}`);
}

/** What a guest gives up by logging out. @param {{person: any}} now @param {any} actions */
export function leavePanel(now, actions) {
  return [
    el(
      "p",
      {},
      `A guest has no password, so you cannot come back as ${now.person?.name ?? "this guest"}. Your wallet (${
        formatMoney(now.person?.wallet ?? "0.00")
      }), your rounds and your training history are lost, and your seat becomes free.`,
    ),
    el(
      "p",
      { class: "rows" },
      el("button", { type: "button", class: "gold", name: "log out for good", onclick: actions.logOutNow }, "Log out"),
      el("button", { type: "button", class: "main", name: "stay", onclick: actions.closePanel }, "Stay"),
    ),
  ];
}

export async function logOut() {
  await post("/api/logout");
  location.replace(`/${OUT}`);
}

/** The account's part of the settings. @param {{person: any, house: any}} now @param {any} actions */
function accountFields(now, actions) {
  if (now.person === null) return "";
  const demo = now.house?.demo; // whose guests have no password
  const guest = demo && now.person.role === "player";
  return el(
    "fieldset",
    { class: "account" },
    el("legend", {}, "Your account"),
    el(
      "p",
      {},
      `You are logged in as ${now.person.name}, ${now.person.role}.${
        guest ? " If you log out, you will come back as a new guest." : ""
      }`,
    ),
    el(
      "p",
      { class: "rows" },
      now.person.role === "player" ? el("a", { class: "button quiet", href: "/rounds" }, "Your rounds") : "",
      el("button", { type: "button", name: "log out", onclick: actions.logOut }, "Log out"),
    ),
    demo ? "" : el("details", {}, el("summary", {}, "Change your password"), passwordForm()),
  );
}

function passwordForm() {
  /** @param {string} name @param {string} text @param {string} autocomplete @param {number} minlength */
  const field = (name, text, autocomplete, minlength) =>
    el(
      "label",
      {},
      text,
      el("input", { name, type: "password", autocomplete, required: true, minlength, maxlength: 256 }),
    );
  const form = el(
    "form",
    { name: "password" },
    field("old", "Current password ", "current-password", 1),
    field("new", "New password (at least 8 characters) ", "new-password", 8),
    field("again", "Repeat the new password ", "new-password", 8),
    el("p", { class: "bad", role: "alert" }),
    el(
      "p",
      {},
      el("button", { class: "main pill" }, "Change password"),
      " ",
      el("small", {}, "This logs you out everywhere. Log in again with the new password."),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    changePassword(form);
  });
  return form;
}

/** @param {HTMLFormElement} form */
async function changePassword(form) {
  const typed = new FormData(form);
  /** @param {string} text */
  const say = (text) => (findIn(form, "[role=alert]").textContent = text);
  if (typed.get("new") !== typed.get("again")) return say("The new passwords do not match.");
  try {
    await post("/api/password", { old: typed.get("old"), new: typed.get("new") });
    location.replace(`/${CHANGED}`);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    say(error.message);
  }
}

/** @type {Record<string, [string, Record<string, string>]>} */
const NAMES = {
  theme: ["Theme", { system: "system", dark: "dark", light: "light" }],
  suits: ["Suits", { two: "red and black", four: "four colors" }],
  motion: ["Motion", { full: "short animations", none: "none" }],
  sound: ["Sound", { off: "off", on: "on" }],
};

/** @param {State} now @param {any} actions */
export function settingsPanel(now, actions) {
  return [
    ...Object.entries(NAMES).map(([name, [title, values]]) =>
      el(
        "fieldset",
        { class: "rows" },
        el("legend", {}, title),
        CHOICES[name].map((value) =>
          el(
            "label",
            {},
            el("input", {
              type: "radio",
              name,
              value,
              checked: setting(name) === value,
              onchange: () => {
                remember(name, value);
                actions.redraw();
              },
            }),
            values[value],
          )
        ),
      )
    ),
    accountFields(now, actions),
    el(
      "p",
      {},
      el(
        "small",
        {},
        "Keyboard: a o t p 6 g bet on a spot, 1 to 5 select a chip, z undoes, x clears, b rebets, d doubles, Enter places your bets. r, 1, 2, 3 raise, c checks, f folds. Any key skips an animation.",
      ),
    ),
  ];
}
