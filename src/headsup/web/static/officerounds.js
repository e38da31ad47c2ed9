// Rounds that were played: found by what is known of them, and shown again step by step.

import { get, newId, post } from "./connection.js";
import { chosenIn, el } from "./dom.js";
import { dollarsOf, listing } from "./listing.js";
import { beginReplay, cameOut, replayed, time } from "./replay.js";
import { tone } from "./table.js";
import * as words from "./words.js";

const CATEGORIES = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "one_pair", "high_card"];
const RESULTS = ["win", "lose", "push", "fold", "void"];
const DISPUTES = ["supervisor", "administrator", "auditor"];

export async function search(at) {
  const form = searchForm(at.query);
  const found = await get(`/api/rounds?${at.query}`);
  const rows = found.map((one) => [
    el("a", { href: link(one.table, one.round) }, `${one.table} · ${one.round}`),
    time(one.closed_at),
    String(one.hands),
    words.money(one.staked),
    el("span", { class: tone(one.net) }, words.signed(one.net)),
    one.award === "0.00" ? "" : words.money(one.award),
    words.spaced(one.void),
  ]);
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Rounds"),
      form,
      listing(["Round", "Closed", "Hands", "Staked", "Players’ net", "From the meter", "Void"], rows, {
        none: "No round was found.",
      }),
    ),
  );
}

export function link(table, round) {
  return `#/round/${encodeURIComponent(table)}/${round}`;
}

function searchForm(query) {
  const field = (name, text, attributes = {}) => el("label", {}, el("span", {}, text), el("input", { name, value: query.get(name) ?? "", ...attributes }));
  const choice = (name, text, values) =>
    el(
      "label",
      {},
      el("span", {}, text),
      el("select", { name }, el("option", { value: "" }, "any"), values.map((one) => el("option", { value: one, selected: query.get(name) === one }, words.spaced(one)))),
    );
  const check = (name, text) => el("label", {}, el("input", { type: "checkbox", name, value: "true", checked: query.get(name) === "true" }), text);
  const form = el(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/rounds?${chosenIn(form)}`;
      },
    },
    field("table", "Table"),
    field("number", "Round", { inputmode: "numeric", pattern: "[0-9]*" }),
    field("player", "Player"),
    field("since", "Closed since", { placeholder: "2026-01-31T12:00:00Z" }),
    field("before", "Closed before", { placeholder: "2026-01-31T12:00:00Z" }),
    choice("category", "A hand of", CATEGORIES),
    choice("result", "Whose Ante did", RESULTS),
    check("jackpot", "Jackpot"),
    check("irregular", "Irregular"),
    el("button", { class: "main" }, "Find"),
  );
  return form;
}

// Replay.

export async function replay(at) {
  const [table, number] = at.path;
  const viewer = at.query.get("viewer");
  const shown = await get(`/api/tables/${encodeURIComponent(table)}/rounds/${number}${viewer ? `?viewer=${encodeURIComponent(viewer)}` : ""}`);
  const about = `A replay of entries ${shown.first} to ${shown.last ?? "…"} of the log of ${shown.floor}, as seen by: ${shown.viewer}. ${time(shown.opened_at)} – ${shown.closed_at ? time(shown.closed_at) : "still played"}`;
  at.show(
    replayed(shown, about, viewers(at, shown, viewer ?? "dealer")),
    el("section", { class: "panel" }, el("h2", {}, "Hands"), hands(shown)),
    correction(at, shown),
    exportsOf(at, shown),
  );
  beginReplay(shown);
}

/** From where the round is looked at. */
function viewers(at, shown, current) {
  const seats = DISPUTES.includes(at.who.role) ? shown.hands.map((hand) => `seat ${hand.seat}`) : [];
  const choose = (event) => {
    location.hash = `${link(shown.table, shown.round)}?viewer=${encodeURIComponent(event.target.value)}`;
  };
  return el(
    "label",
    {},
    "Seen by ",
    el("select", { onchange: choose }, ["dealer", "rail", "tablevision", ...seats].map((one) => el("option", { value: one, selected: one === current }, one))),
  );
}

function hands(shown) {
  return listing(
    ["Seat", "Player", "Hand", "Ante", "All wagers", "Staked", "Net", "From the meter"],
    shown.hands.map((hand) => [
      String(hand.seat),
      el("a", { href: `#/rounds?player=${encodeURIComponent(hand.player)}` }, hand.player),
      words.spaced(hand.category),
      hand.result,
      cameOut(hand),
      words.money(hand.staked),
      el("span", { class: tone(hand.net) }, words.signed(hand.net)),
      hand.award === "0.00" ? "" : words.money(hand.award),
    ]),
    { none: "No hand was settled." },
  );
}

/** A wrong payout of this round, put right by a further entry with two persons' names (R95). */
function correction(at, shown) {
  if (!["dealer", "supervisor"].includes(at.who.role) || !shown.hands.length) return "";
  const path = `/api/tables/${encodeURIComponent(shown.table)}`;
  const form = el(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const hand = shown.hands.find((one) => one.seat === Number(typed.get("seat")));
        const text = String(typed.get("amount"));
        const amount = (text.startsWith("-") ? -1 : 1) * (words.cents(text.replace("-", "")) ?? 0);
        await at.trying(async () => {
          const recalled = await get(`${path}/rounds/${shown.round}/recalled`);
          const command = { command: "CorrectPayout", seat: hand.seat, amount, reason: typed.get("reason"), dealer: "", supervisor: "", player: hand.player, recalled };
          const what = `${hand.player}, round ${shown.round} of ${shown.table}: ${words.signed(dollarsOf(amount))}.`;
          const id = newId();
          if (await at.approved(what, (approval) => post(`${path}/commands`, { id, command, approval }))) form.reset();
        });
      },
    },
    el(
      "div",
      { class: "fields" },
      el("label", {}, el("span", {}, "Seat"), el("select", { name: "seat" }, shown.hands.map((hand) => el("option", { value: hand.seat }, `${hand.seat} · ${hand.player}`)))),
      el("label", {}, el("span", {}, "To the player ($, - takes back)"), el("input", { name: "amount", required: true, pattern: "-?[0-9]{1,9}([.][0-9]{1,2})?" })),
      el("label", { class: "wide" }, el("span", {}, "Reason"), el("input", { name: "reason", required: true, maxlength: 200 })),
    ),
    el("div", { class: "actions" }, el("button", {}, "Put right"), el("small", {}, "with a supervisor’s approval")),
  );
  return el("section", { class: "panel" }, el("details", {}, el("summary", {}, "A payout of this round was wrong"), form));
}

function exportsOf(at, shown) {
  if (!DISPUTES.includes(at.who.role)) return "";
  const path = `/api/tables/${encodeURIComponent(shown.table)}/rounds/${shown.round}`;
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "To take away"),
    el("p", { class: "rows" }, el("a", { class: "button", href: `${path}/notation`, download: `${shown.table}-${shown.round}.toml` }, "All cards, for headsup settle"), el("a", { class: "button", href: `${path}?viewer=dealer`, download: `${shown.table}-${shown.round}.json` }, "Every step, as JSON")),
    shown.fair ? el("details", {}, el("summary", {}, "What was opened of the sealed shuffle, for headsup verify"), el("pre", { tabindex: 0 }, JSON.stringify(shown.fair, null, 2))) : "",
  );
}
