// What every page does: find out who the visitor is, let them in, read the address, and show what the
// server refuses.

import { el } from "./dom.js";
import { Declined, get, post, retryUntilReached } from "./http.js";
import { capitalize } from "./text.js";

/**
 * @typedef {import("./wire.d.ts").PersonResponse} Person
 * @typedef {(sentence: string) => unknown} Show  shows a sentence to the user; "" clears it
 */

let isDemoHouse = false;

/** Who is logged in, or null. @returns {Promise<Person | null>} */
export async function whoAmI() {
  const here = await get("/api/here");
  isDemoHouse = here.demo;
  return here.person;
}

/** The same; in a demonstration, somebody who is not logged in becomes a guest. */
export async function whoAmIOrGuest() {
  const person = await whoAmI();
  if (person !== null || !isDemoHouse) return person;
  await post("/api/demo");
  return whoAmI();
}

/** Whether this is the demonstration; known after `whoAmI`. */
export function isDemo() {
  return isDemoHouse;
}

/** The staff roles. */
export const STAFF = ["dealer", "supervisor", "administrator", "auditor"];

/** Log in as a member of the demonstration's staff. The guest can be resumed later. @param {string} role */
export async function becomeStaff(role) {
  await post("/api/demo/staff", { role });
}

/** Log in as the same guest again, or as a new one. */
export async function becomeGuest() {
  await post("/api/demo");
  location.assign("/");
  if (location.pathname === "/") location.reload();
}

/**
 * Do it, and show what the server refuses. Resolves to what `act` returns, or to null after a refusal.
 * @template T
 * @param {() => Promise<T> | T} act @param {Show} show
 * @param {(refusal: Declined) => unknown} [onRefusal]  called first
 * @returns {Promise<T | null>}
 */
export async function attempt(act, show, onRefusal = () => {}) {
  try {
    const result = await act();
    show("");
    return result;
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    await onRefusal(error);
    show(error.message || error.code);
    return null;
  }
}

/**
 * Start a page, as soon as the server can be reached. A refusal that nothing else handles is shown too, so
 * that no button fails without a word.
 * @param {() => Promise<unknown>} enter @param {Show} show
 */
export async function startPage(enter, show) {
  addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof Declined)) return;
    event.preventDefault();
    show(event.reason.message || event.reason.code);
  });
  try {
    await retryUntilReached(enter, show);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    show(error.message || error.code);
  }
}

/**
 * What the address has after its #, such as `#/round/T%201/7?viewer=rail`. A part that is not encoded
 * correctly stays as it is.
 */
export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").map(decode), query: new URLSearchParams(query) };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The log-in form. `then` is called after a log-in.
 * @param {string} title @param {() => Promise<unknown>} then @param {"h1" | "h2"} [heading]
 */
export function logInForm(title, then, heading = "h1") {
  const message = el("p", { role: "alert", class: "bad" });
  /** @param {string} sentence */
  const show = (sentence) => {
    message.textContent = capitalize(sentence);
  };
  /** @param {SubmitEvent} event */
  const logIn = (event) => {
    event.preventDefault();
    const typed = new FormData(form);
    return attempt(async () => {
      await post("/api/login", { name: typed.get("name"), password: typed.get("password") });
      form.reset();
      await then();
    }, show);
  };
  const form = el(
    "form",
    { onsubmit: logIn },
    el(heading, {}, title),
    el("label", {}, "Name ", el("input", { name: "name", autocomplete: "username", required: true, maxlength: 40 })),
    el(
      "label",
      {},
      "Password ",
      el("input", {
        name: "password",
        type: "password",
        autocomplete: "current-password",
        required: true,
        maxlength: 256,
      }),
    ),
    message,
    el("div", { class: "actions" }, el("button", { class: "main" }, "Log in")),
  );
  return form;
}
