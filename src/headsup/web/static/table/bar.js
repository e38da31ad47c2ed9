// The bar, the log-in form, and the notices above the lobby and the table.

/** @import { State } from "../lib/state.js" */

import { el, fill, find, setShown } from "../lib/dom.js";
import { formatMoney } from "../lib/money.js";
import { setting } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { capitalize } from "../lib/text.js";
import { logoutNotice } from "./account.js";
import { tableLink } from "./lobby.js";

/**
 * Refusals, corrections, and the notice that the player is playing in another window.
 * @param {State} now @param {any} actions
 */
export function drawNotices(now, actions) {
  fill("refused", now.refusal, () => (now.refusal ? refusalNotice(now.refusal, actions) : ""));
  fill("corrected", now.correction, () => (now.correction ? correctionNotice(now, actions) : ""));
  const replaced = now.status === "ended" && now.ended === "replaced";
  fill("elsewhere", replaced, () => (replaced ? otherWindowNotice(actions) : ""));
  for (const id of ["lobby", "table"]) find(id).inert = replaced;
}

/**
 * The log-in form. A demonstration has none: it lets guests in, and only a guest who has just logged out
 * sees a link instead.
 * @param {State} now
 */
export function drawEntry(now) {
  const guest = !!now.house?.demo;
  const out = now.person === null ? logoutNotice() : "";
  setShown("entry", now.house !== null && now.person === null && (!guest || !!out));
  setShown("log-in", !guest);
  setShown("new-guest", guest);
  fill("entry-title", guest, () => (guest ? "Goodbye" : "Log in"));
  fill(
    "out",
    [out, guest],
    () => (out && guest ? `${out} If you come back, you will be a new guest with a new wallet.` : out),
  );
}

/** @param {string} sentence @param {any} actions */
function refusalNotice(sentence, actions) {
  const close = el("button", {
    type: "button",
    class: "pill",
    name: "close refusal",
    "aria-label": "Dismiss this message",
    onclick: actions.dismissRefusal,
  }, "✕");
  return el("p", { class: "alarm rows" }, el("span", {}, capitalize(sentence)), close);
}

/**
 * It stays until it is dismissed, so that no player misses a change to their chips.
 * @param {State} now @param {any} actions
 */
function correctionNotice(now, actions) {
  const close = el("button", {
    type: "button",
    class: "pill",
    name: "correction read",
    onclick: actions.dismissCorrection,
  }, "OK");
  return el("p", { class: "panel rows" }, el("span", {}, now.correction.say), close);
}

/** The only button that works in the older of two windows. @param {any} actions */
function otherWindowNotice(actions) {
  return el(
    "div",
    { class: "panel" },
    el("p", {}, "You are playing in another window."),
    el("button", { type: "button", class: "main", name: "play here", onclick: actions.playHere }, "Play here"),
  );
}

const STATUSES = {
  connecting: "Connecting…",
  open: "Connected",
  lost: "Connection lost; reconnecting…",
  ended: "Disconnected; reload the page to reconnect.",
};
/** @type {Record<string, string>} */
const ENDS = {
  replaced: "You are playing in another window.",
  logged_out: "You have logged out.",
};

/** The part after the semicolon is hidden where there is little room. @param {string} text */
function statusParts(text) {
  const [short, more] = text.split("; ");
  return [short, more ? el("span", { class: "more" }, `; ${more}`) : ""];
}

/** @param {State} now @param {any} actions */
export function drawBar(now, actions) {
  const { person } = now;
  const wallet = person?.wallet ? `wallet ${formatMoney(person.wallet)}` : "";
  fill(
    "who",
    [person],
    () => (person ? [el("span", {}, person.name), wallet ? el("span", { class: "wallet" }, `, ${wallet}`) : ""] : ""),
  );
  const text = (now.status === "ended" && ENDS[now.ended]) || STATUSES[now.status];
  fill("connection", [text, person === null], () => (person ? statusParts(text) : ""));
  find("connection").className = now.status;
  const turn = state.tableAwaitingMe(now)?.id;
  fill("turn", turn, () => (turn ? el("a", { href: tableLink(turn) }, `Your turn at ${turn}`) : ""));
  const number = now.view?.round ? ` · round ${now.view.round.number}` : "";
  fill("where", [now.table, number], () => (now.table === null ? "" : `${now.table}${number}`));
  fill("tools", [now.table === null, person?.role, !!now.view?.fair, setting("sound")], () => tools(now, actions));
}

/** @param {State} now @param {any} actions */
function tools(now, actions) {
  /** @param {string} text @param {string} name @param {() => unknown} act */
  const tool = (text, name, act, more = {}) =>
    el("button", { type: "button", class: "pill", name, onclick: act, ...more }, text);
  const sound = setting("sound") === "on";
  const always = [
    tool(sound ? "Sound on" : "Sound off", "sound", actions.toggleSound, { "aria-pressed": String(sound) }),
    tool("Settings", "settings", () => actions.open("settings")),
    el("a", { class: "button quiet pill", href: "/train" }, "Training"),
  ];
  if (now.table === null) {
    return [
      tool("Glossary", "glossary", () => actions.open("glossary")),
      ...always,
      now.person?.role === "player" ? el("a", { class: "button quiet pill", href: "/rounds" }, "Your rounds") : "",
      now.person ? tool("Log out", "log out", actions.logOut) : "",
    ];
  }
  return [
    tool("Rules & pays", "rules", () => actions.open("rules")),
    now.view?.fair ? tool("Fair deal", "fair", () => actions.open("fair")) : "",
    tool("Guide", "guide", actions.guide),
    ...always,
    el("a", { class: "button quiet pill", href: "#/" }, "All tables"),
  ];
}
