// What the pages of the staff share: coming in, the bar, and the second person's approval.

import { beGuest, beStaff, STAFF } from "./behind.js";
import { Declined, get, post } from "./connection.js";
import { el, fill, find, within } from "./dom.js";
import { remember, setting } from "./settings.js";
import { capital } from "./words.js";

let demo = false;

export const LOGGED_OUT = "You are no longer logged in: log in to go on.";

/** Who has come in, or null. */
export async function person() {
  const here = await get("/api/here");
  demo = here.demo;
  return here.person;
}

/** Why somebody who plays is not let in; "" where one may as well come in as one of the staff. */
export function staffOnly(who, page) {
  return who?.role === "player" && !demo ? `The ${page} is for the staff: log in with a staff account.` : "";
}

/** The log-in form in the section `entry`; `then` once somebody has come in. */
export function drawEntry(then) {
  const said = el("p", { role: "alert", class: "bad" });
  const form = el(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        try {
          await post("/api/login", { name: typed.get("name"), password: typed.get("password") });
          form.reset();
          await then();
        } catch (error) {
          if (!(error instanceof Declined)) throw error;
          said.textContent = capital(error.message);
        }
      },
    },
    el(demo ? "h2" : "h1", {}, "Staff: log in"),
    el("label", {}, "Name ", el("input", { name: "name", autocomplete: "username", required: true, maxlength: 40 })),
    el("label", {}, "Password ", el("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 256 })),
    said,
    el("div", { class: "actions" }, el("button", { class: "main" }, "Log in")),
  );
  fill("entry", ["form", demo], () => [demo ? trial(then) : "", form]);
}

/** In the demonstration: come in without an account. */
function trial(then) {
  const be = (role) => async () => {
    await beStaff(role);
    await then();
  };
  return el(
    "section",
    { class: "trial", "aria-label": "The demonstration" },
    el("h1", {}, "Try it"),
    el("p", {}, "This is the demonstration: come in as one of its staff. Your seat and your play money wait for you."),
    el("div", { class: "actions" }, STAFF.map((role, at) => el("button", { type: "button", class: at ? "" : "main", name: `be ${role}`, onclick: be(role) }, `As the ${role}`))),
  );
}

/** Who is here, and the other pages. @param {{name: string, role: string} | null} who */
export function drawBar(who, links) {
  fill("who", who, () => (who ? named(who) : ""));
  fill("links", [who, demo, links.map(([, text]) => text), setting("theme")], () => [
    ...(who ? links.map(([address, text]) => el("a", { class: "button quiet", href: address }, text)) : []),
    themeButton(),
    who && demo ? el("button", { type: "button", class: "pill", name: "be guest", onclick: beGuest }, "Play as a guest") : "",
    who ? el("button", { type: "button", class: "pill", name: "log out", onclick: leave }, "Log out") : "",
  ]);
}

/** With the role, unless the name says it, as those of the demonstration do. */
function named({ name, role }) {
  return name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;
}

function themeButton() {
  const light = setting("theme") === "light" || (setting("theme") === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  const change = () => {
    remember("theme", light ? "dark" : "light");
    within(find("links"), '[name="theme"]').replaceWith(themeButton());
    within(find("links"), '[name="theme"]').focus();
  };
  return el("button", { type: "button", class: "pill", name: "theme", onclick: change }, light ? "Dark" : "Light");
}

async function leave() {
  await post("/api/logout");
  location.reload();
}

const STATUSES = { connecting: "Connecting …", open: "", lost: "Connection lost; trying again …", ended: "Ended; reload the page to come back." };

export function drawConnection(now) {
  const said = now.person ? STATUSES[now.status] : "";
  fill("connection", said, () => said);
  find("connection").className = now.status;
}

/** A sentence that somebody must read, or "". */
export function drawRefused(sentence) {
  fill("refused", sentence, () => capital(sentence));
}

/** An address for another machine or person: it selects itself, and is copied. @param {string} href @param {string} called */
export function address(href, called) {
  const field = el("textarea", { class: "address", readonly: true, rows: "2", "aria-label": called, onfocus: () => field.select() }, href);
  const copy = () => {
    field.select();
    // As before there was a clipboard to ask for: a page that came without TLS has none.
    said.textContent = document.execCommand("copy") ? "Copied." : "Selected: copy it with the keys.";
  };
  const said = el("span", { role: "status" });
  return el("span", { class: "handed" }, field, el("button", { type: "button", class: "pill", name: "copy", onclick: copy }, "Copy"), said);
}

/** The demonstration lends its staff a second person. */
function inDemo(form, said) {
  const lend = async () => {
    try {
      const second = await get("/api/demo/second");
      form.elements.namedItem("approver").value = second.name;
      form.elements.namedItem("code").value = second.password;
      form.requestSubmit();
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      said.textContent = error.message;
    }
  };
  return el("button", { type: "button", class: "main", name: "lend", onclick: lend }, "Let a second supervisor approve (demonstration)");
}

const SUPERVISOR = { who: "A supervisor", whose: "Supervisor’s" };

/**
 * Ask a second person for the own name and password; `act` is called with them, and again when it
 * declines. Whether it was done.
 * @param {string} what is approved, in words
 * @param {(approval: {name: string, password: string}) => Promise<void>} act
 * @param {{who: string, whose: string}} [second] who may approve it, in words
 * @returns {Promise<boolean>}
 */
export function approved(what, act, second = SUPERVISOR) {
  const dialog = /** @type {HTMLDialogElement} */ (find("approval"));
  return new Promise((resolve) => {
    const said = el("p", { role: "alert", class: "bad" });
    const form = el(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          const typed = new FormData(form);
          try {
            await act({ name: String(typed.get("approver")), password: String(typed.get("code")) });
            done = true;
            dialog.close();
          } catch (error) {
            if (!(error instanceof Declined)) throw error;
            said.textContent = error.message;
            within(form, "[name=code]", HTMLInputElement).value = "";
            within(form, error.code === "bad_approval" ? "[name=code]" : "[name=approver]").focus();
          }
        },
      },
      el("header", {}, el("h2", { id: "approval-title" }, `${second.who} approves`)),
      el("p", {}, what),
      el("label", {}, `${second.whose} name `, el("input", { name: "approver", autocomplete: "off", required: true, maxlength: 40 })),
      el("label", {}, `${second.whose} password `, el("input", { name: "code", type: "password", autocomplete: "off", required: true, maxlength: 256 })),
      said,
      el(
        "div",
        { class: "actions" },
        el("button", { class: "main" }, "Approve"),
        el("button", { type: "button", name: "not", onclick: () => dialog.close() }, "Do not"),
      ),
    );
    let done = false;
    if (demo) within(form, ".actions").prepend(inDemo(form, said));
    dialog.replaceChildren(form);
    dialog.addEventListener("close", () => { dialog.replaceChildren(); resolve(done); }, { once: true });
    dialog.showModal();
  });
}
