// What the pages of the staff share: coming in, the bar, and the second person's approval.

import { Declined, get, post } from "./connection.js";
import { el, fill, find } from "./dom.js";
import { remember, setting } from "./settings.js";

/** Who has come in, or null. */
export async function person() {
  return (await get("/api/here")).person;
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
          said.textContent = error.message;
        }
      },
    },
    el("h1", {}, "Staff: log in"),
    el("label", {}, "Name ", el("input", { name: "name", autocomplete: "username", required: true, maxlength: 40 })),
    el("label", {}, "Password ", el("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 256 })),
    said,
    el("div", { class: "actions" }, el("button", { class: "main" }, "Log in")),
  );
  fill("entry", "form", () => form);
}

/** Who is here, and the other pages. @param {{name: string, role: string} | null} who */
export function drawBar(who, links) {
  fill("who", who, () => (who ? `${who.name}, ${who.role}` : ""));
  fill("links", [who, links.map(([, text]) => text), setting("theme")], () => [
    ...(who ? links.map(([address, text]) => el("a", { class: "button quiet", href: address }, text)) : []),
    themeButton(),
    who ? el("button", { type: "button", class: "pill", name: "log out", onclick: leave }, "Log out") : "",
  ]);
}

function themeButton() {
  const light = setting("theme") === "light" || (setting("theme") === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  const change = () => {
    remember("theme", light ? "dark" : "light");
    const button = find("links").querySelector('[name="theme"]');
    button.replaceWith(themeButton());
    find("links").querySelector('[name="theme"]').focus();
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
  fill("refused", sentence, () => sentence);
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
            form.elements.namedItem("code").value = "";
            form.elements.namedItem(error.code === "bad_approval" ? "code" : "approver").focus();
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
    dialog.replaceChildren(form);
    dialog.addEventListener("close", () => { dialog.replaceChildren(); resolve(done); }, { once: true });
    dialog.showModal();
  });
}
