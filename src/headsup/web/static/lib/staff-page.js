// What the staff pages share: the log-in form, the bar, and the approval dialog.

/** @import { Person } from "./session.js" */

import { el, fill, find, findIn } from "./dom.js";
import { Declined, get, post } from "./http.js";
import { attempt, becomeGuest, becomeStaff, isDemo, logInForm, STAFF } from "./session.js";
import { remember, setting } from "./settings.js";
import { capitalize, withArticle } from "./text.js";

export const LOGGED_OUT = "You have been logged out. Log in to continue.";

/**
 * Tells a player that the page is for staff; "" for staff, and in a demonstration, where anyone can become staff.
 * @param {Person | null} person @param {string} page
 */
export function staffOnlyNotice(person, page) {
  return person?.role === "player" && !isDemo() ? `The ${page} is for staff only. Log in with a staff account.` : "";
}

/** The log-in form, in the section `entry`. `then` is called after a log-in. @param {() => Promise<unknown>} then */
export function drawEntry(then) {
  fill("entry", ["form", isDemo()], () => [
    isDemo() ? demoLogIn(then) : "",
    logInForm("Staff login", then, isDemo() ? "h2" : "h1"),
  ]);
}

/** In a demonstration: buttons to log in as staff without an account. @param {() => Promise<unknown>} then */
function demoLogIn(then) {
  /** @param {string} role */
  const become = (role) => () =>
    attempt(async () => {
      await becomeStaff(role);
      await then();
    }, drawRefused);
  return el(
    "section",
    { class: "trial", "aria-label": "The demonstration" },
    el("h1", {}, "Try it"),
    el(
      "p",
      {},
      "This is the demonstration. Log in as any member of staff; your seat and your play money will be waiting.",
    ),
    el(
      "div",
      { class: "actions" },
      STAFF.map((role, index) =>
        el(
          "button",
          { type: "button", class: index ? "" : "main", name: `be ${role}`, onclick: become(role) },
          `As ${withArticle(role)}`,
        )
      ),
    ),
  );
}

/**
 * Who is logged in, and links to other pages.
 * @param {Person | null} person @param {string[][]} links  addresses and texts
 */
export function drawBar(person, links) {
  fill("who", person, () => (person ? nameAndRole(person) : ""));
  fill("links", [person, isDemo(), links.map(([, text]) => text), setting("theme")], () => [
    ...(person ? links.map(([address, text]) => el("a", { class: "button quiet", href: address }, text)) : []),
    themeButton(),
    person && isDemo()
      ? el("button", { type: "button", class: "pill", name: "be guest", onclick: playAsGuest }, "Play as a guest")
      : "",
    person ? el("button", { type: "button", class: "pill", name: "log out", onclick: logOut }, "Log out") : "",
  ]);
}

/** The role is left out if the name says it, as in a demonstration. @param {Person} person */
function nameAndRole({ name, role }) {
  return name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;
}

function themeButton() {
  const light = setting("theme") === "light" ||
    (setting("theme") === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  const change = () => {
    remember("theme", light ? "dark" : "light");
    findIn(find("links"), '[name="theme"]').replaceWith(themeButton());
    findIn(find("links"), '[name="theme"]').focus();
  };
  return el("button", { type: "button", class: "pill", name: "theme", onclick: change }, light ? "Dark" : "Light");
}

const playAsGuest = () => attempt(becomeGuest, drawRefused);

const logOut = () =>
  attempt(async () => {
    await post("/api/logout");
    location.reload();
  }, drawRefused);

const STATUSES = {
  connecting: "Connecting…",
  open: "",
  lost: "Connection lost; reconnecting…",
  ended: "Disconnected; reload the page to reconnect.",
};

/** @param {{person: Person | null, status: keyof typeof STATUSES}} now */
export function drawConnection(now) {
  const text = now.person ? STATUSES[now.status] : "";
  fill("connection", text, () => text);
  find("connection").className = now.status;
}

/** Shows why something was refused; "" clears it. @param {string} sentence */
export function drawRefused(sentence) {
  fill("refused", sentence, () => capitalize(sentence));
}

/** A link to pass on, with a button to copy it. @param {string} href @param {string} label */
export function linkField(href, label) {
  /** @type {HTMLTextAreaElement} */
  const field = el("textarea", {
    class: "address",
    readonly: true,
    rows: "2",
    "aria-label": label,
    onfocus: () => field.select(),
  }, href);
  const copy = () => {
    field.select();
    // Not the clipboard API: browsers only offer it to pages served over TLS.
    status.textContent = document.execCommand("copy") ? "Copied." : "Selected. Copy it with your keyboard.";
  };
  const status = el("span", { role: "status" });
  return el(
    "span",
    { class: "handed" },
    field,
    el("button", { type: "button", class: "pill", name: "copy", onclick: copy }, "Copy"),
    status,
  );
}

/**
 * In a demonstration: a button that fills in the second person's log-in.
 * @param {HTMLFormElement} form @param {HTMLElement} error
 */
function demoApproval(form, error) {
  const approve = async () => {
    try {
      const second = await get("/api/demo/second");
      findIn(form, "[name=approver]", HTMLInputElement).value = second.name;
      findIn(form, "[name=code]", HTMLInputElement).value = second.password;
      form.requestSubmit();
    } catch (problem) {
      if (!(problem instanceof Declined)) throw problem;
      error.textContent = problem.message;
    }
  };
  return el(
    "button",
    { type: "button", class: "main", name: "lend", onclick: approve },
    "Approve as second supervisor (demonstration)",
  );
}

const SUPERVISOR = { title: "Supervisor approval", whose: "Supervisor’s" };

/**
 * Ask a second person for their name and password, and call `act` with them until it succeeds or the
 * dialog is closed. Resolves to whether it was done.
 * @param {string} description of what is to be approved
 * @param {(approval: {name: string, password: string}) => Promise<unknown>} act
 * @param {{title: string, whose: string}} [approver]  the dialog's words for who may approve
 * @returns {Promise<boolean>}
 */
export function askApproval(description, act, approver = SUPERVISOR) {
  const dialog = /** @type {HTMLDialogElement} */ (find("approval"));
  return new Promise((resolve) => {
    const message = el("p", { role: "alert", class: "bad" });
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
            message.textContent = error.message;
            findIn(form, "[name=code]", HTMLInputElement).value = "";
            findIn(form, error.code === "bad_approval" ? "[name=code]" : "[name=approver]").focus();
          }
        },
      },
      el("header", {}, el("h2", { id: "approval-title" }, approver.title)),
      el("p", {}, description),
      el(
        "label",
        {},
        `${approver.whose} name `,
        el("input", { name: "approver", autocomplete: "off", required: true, maxlength: 40 }),
      ),
      el(
        "label",
        {},
        `${approver.whose} password `,
        el("input", { name: "code", type: "password", autocomplete: "off", required: true, maxlength: 256 }),
      ),
      message,
      el(
        "div",
        { class: "actions" },
        el("button", { class: "main" }, "Approve"),
        el("button", { type: "button", name: "not", onclick: () => dialog.close() }, "Cancel"),
      ),
    );
    let done = false;
    if (isDemo()) findIn(form, ".actions").prepend(demoApproval(form, message));
    dialog.replaceChildren(form);
    dialog.addEventListener("close", () => {
      dialog.replaceChildren();
      resolve(done);
    }, { once: true });
    dialog.showModal();
  });
}
