// One's own log-in: its end, and another password for the next.

import { Declined, post } from "./connection.js";
import { el, within } from "./dom.js";

/** How the address says why one is out, when the page comes again. */
const OUT = "?out";
const CHANGED = "?changed";
const SAID = { [OUT]: "You have logged out.", [CHANGED]: "Your password is changed: log in with the new one." };

/** Why nobody is logged in, or "". */
export function outSaid() {
  return SAID[location.search] ?? "";
}

/** The address as if one had never been out, for who comes in again. */
export function forgetOut() {
  if (outSaid()) history.replaceState(null, "", `/${location.hash}`);
}

export async function logOut() {
  await post("/api/logout");
  location.replace(`/${OUT}`);
}

/** What the settings have of it. @param {{person: any, house: any}} now @param {any} doing */
export function accountShown(now, doing) {
  if (now.person === null) return "";
  const demo = now.house?.demo; // whose guests have no password
  const guest = demo && now.person.role === "player";
  return el(
    "fieldset",
    { class: "account" },
    el("legend", {}, "Your log-in"),
    el("p", {}, `You are ${now.person.name}, ${now.person.role}.${guest ? " A guest who logs out comes back as a new one." : ""}`),
    el(
      "p",
      { class: "rows" },
      now.person.role === "player" ? el("a", { class: "button quiet", href: "/rounds" }, "Your rounds") : "",
      el("button", { type: "button", name: "log out", onclick: doing.logOut }, "Log out"),
    ),
    demo ? "" : el("details", {}, el("summary", {}, "Change your password"), passwordForm()),
  );
}

function passwordForm() {
  const field = (name, text, autocomplete, least) =>
    el("label", {}, text, el("input", { name, type: "password", autocomplete, required: true, minlength: least, maxlength: 256 }));
  const form = el(
    "form",
    { name: "password" },
    field("old", "The one you have ", "current-password", 1),
    field("new", "A new one of at least eight characters ", "new-password", 8),
    field("again", "The new one again ", "new-password", 8),
    el("p", { class: "bad", role: "alert" }),
    el("p", {}, el("button", { class: "main pill" }, "Change it"), " ", el("small", {}, "You are logged out everywhere, and log in with the new one.")),
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
  const say = (text) => (within(form, "[role=alert]").textContent = text);
  if (typed.get("new") !== typed.get("again")) return say("The two new passwords are not the same.");
  try {
    await post("/api/password", { old: typed.get("old"), new: typed.get("new") });
    location.replace(`/${CHANGED}`);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    say(error.message);
  }
}
