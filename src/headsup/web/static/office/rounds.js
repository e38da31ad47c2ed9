// Search for rounds that were played, and their replays.

/** @import { Page } from "./main.js" */
/** @import { HandResponse, ReplayResponse, RoundResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el, formQuery } from "../lib/dom.js";
import { get, newId, post } from "../lib/http.js";
import { formatCents, formatMoney, formatSigned, netTone, parseCents } from "../lib/money.js";
import { pastResult, RESULTS } from "../lib/outcomes.js";
import { formatTime, replayPanel, startReplay } from "../lib/replay.js";
import { withSpaces } from "../lib/text.js";

const CATEGORIES = [
  "royal_flush",
  "straight_flush",
  "four_of_a_kind",
  "full_house",
  "flush",
  "straight",
  "three_of_a_kind",
  "two_pair",
  "one_pair",
  "high_card",
];
const DISPUTE_ROLES = ["supervisor", "administrator", "auditor"];

/** @param {Page} page */
export async function openRounds(page) {
  const form = searchForm(page.query);
  /** @type {RoundResponse[]} */
  const rounds = await get(`/api/rounds?${page.query}`);
  const rows = rounds.map((/** @type {any} */ one) => [
    el("a", { href: replayLink(one.table, one.round) }, `${one.table} · ${one.round}`),
    formatTime(one.closed_at),
    String(one.hands),
    formatMoney(one.staked),
    el("span", { class: netTone(one.net) }, formatSigned(one.net)),
    one.award === "0.00" ? "" : formatMoney(one.award),
    withSpaces(one.void),
  ]);
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Rounds"),
      form,
      dataTable(["Round", "Closed", "Hands", "Wagered", "Players’ net", "From the meter", "Void"], rows, {
        none: "No rounds found.",
      }),
    ),
  );
}

/** A link to all rounds of a table. @param {string} table @param {string} text */
export function roundsLink(table, text) {
  return el("a", { href: `#/rounds?table=${encodeURIComponent(table)}` }, text);
}

/** @param {string} table @param {number} round */
export function replayLink(table, round) {
  return `#/round/${encodeURIComponent(table)}/${round}`;
}

/** @param {URLSearchParams} query */
function searchForm(query) {
  /** @param {string} name @param {string} text */
  const field = (name, text, attributes = {}) =>
    el("label", {}, el("span", {}, text), el("input", { name, value: query.get(name) ?? "", ...attributes }));
  /** @param {string} name @param {string} text @param {string[]} values */
  const choice = (name, text, values) =>
    el(
      "label",
      {},
      el("span", {}, text),
      el(
        "select",
        { name },
        el("option", { value: "" }, "any"),
        values.map((/** @type {any} */ one) =>
          el("option", { value: one, selected: query.get(name) === one }, withSpaces(one))
        ),
      ),
    );
  /** @param {string} name @param {string} text */
  const check = (name, text) =>
    el("label", {}, el("input", { type: "checkbox", name, value: "true", checked: query.get(name) === "true" }), text);
  const form = el(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `#/rounds?${formQuery(form)}`;
      },
    },
    field("table", "Table"),
    field("number", "Round", { inputmode: "numeric", pattern: "[0-9]*" }),
    field("player", "Player"),
    field("since", "Closed after", { placeholder: "2026-01-31T12:00:00Z" }),
    field("before", "Closed before", { placeholder: "2026-01-31T12:00:00Z" }),
    choice("category", "Hand", CATEGORIES),
    choice("result", "Result", RESULTS),
    check("jackpot", "Jackpot"),
    check("irregular", "Irregular"),
    el("button", { class: "main" }, "Find"),
  );
  return form;
}

// Replay.

/** @param {Page} page */
export async function openReplay(page) {
  const [table, number] = page.path;
  const viewer = page.query.get("viewer");
  /** @type {ReplayResponse} */
  const round = await get(
    `/api/tables/${encodeURIComponent(table)}/rounds/${number}${viewer ? `?viewer=${encodeURIComponent(viewer)}` : ""}`,
  );
  const about = `Replay of log entries ${round.first} to ${
    round.last ?? "…"
  } of floor ${round.floor}, as seen by: ${round.viewer}. ${formatTime(round.opened_at)} – ${
    round.closed_at ? formatTime(round.closed_at) : "in progress"
  }`;
  page.show(
    replayPanel(round, about, viewerSelect(page, round, viewer ?? "dealer")),
    el("section", { class: "panel" }, el("h2", {}, "Hands"), hands(round)),
    correctionForm(page, round),
    exportPanel(page, round),
  );
  startReplay(round);
}

/** Selects the viewer of the replay. @param {Page} page @param {ReplayResponse} round @param {string} current */
function viewerSelect(page, round, current) {
  const seats = DISPUTE_ROLES.includes(page.person.role) ? round.hands.map((hand) => `seat ${hand.seat}`) : [];
  /** @param {Event & {target: HTMLSelectElement}} event */
  const choose = (event) => {
    location.hash = `${replayLink(round.table, round.round)}?viewer=${encodeURIComponent(event.target.value)}`;
  };
  return el(
    "label",
    {},
    "Viewed by ",
    el(
      "select",
      { onchange: choose },
      ["dealer", "rail", "tablevision", ...seats].map((one) =>
        el("option", { value: one, selected: one === current }, one)
      ),
    ),
  );
}

/** @param {ReplayResponse} round */
function hands(round) {
  return dataTable(
    ["Seat", "Player", "Hand", "Result", "Wagered", "Net", "From the meter"],
    round.hands.map((hand) => [
      String(hand.seat),
      el("a", { href: `#/rounds?player=${encodeURIComponent(hand.player)}` }, hand.player),
      withSpaces(hand.category),
      pastResult(hand.result),
      formatMoney(hand.staked),
      el("span", { class: netTone(hand.net) }, formatSigned(hand.net)),
      hand.award === "0.00" ? "" : formatMoney(hand.award),
    ]),
    { none: "No hands were settled." },
  );
}

/**
 * Corrects a payout of this round with a further entry under two people's names (R95).
 * @param {Page} page @param {ReplayResponse} round
 */
function correctionForm(page, round) {
  if (!["dealer", "supervisor"].includes(page.person.role) || !round.hands.length) return "";
  const path = `/api/tables/${encodeURIComponent(round.table)}`;
  const form = el(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const hand = round.hands.find((one) => one.seat === Number(typed.get("seat"))) ?? round.hands[0];
        const text = String(typed.get("amount"));
        const amount = (text.startsWith("-") ? -1 : 1) * (parseCents(text.replace("-", "")) ?? 0);
        await page.attempt(async () => {
          const command = {
            command: "CorrectPayout",
            seat: hand.seat,
            amount,
            reason: typed.get("reason"),
            dealer: "",
            supervisor: "",
            player: hand.player,
            round: round.round,
          };
          const description = `${hand.player}, round ${round.round} of ${round.table}: ${
            formatSigned(formatCents(amount))
          }.`;
          const id = newId();
          if (await page.askApproval(description, (approval) => post(`${path}/commands`, { id, command, approval }))) {
            form.reset();
          }
        });
      },
    },
    el(
      "div",
      { class: "fields" },
      el(
        "label",
        {},
        el("span", {}, "Seat"),
        el(
          "select",
          { name: "seat" },
          round.hands.map((hand) => el("option", { value: hand.seat }, `${hand.seat} · ${hand.player}`)),
        ),
      ),
      el(
        "label",
        {},
        el("span", {}, "Pay the player ($, - to take back)"),
        el("input", { name: "amount", required: true, pattern: "-?[0-9]{1,9}([.][0-9]{1,2})?" }),
      ),
      el(
        "label",
        { class: "wide" },
        el("span", {}, "Reason"),
        el("input", { name: "reason", required: true, maxlength: 200 }),
      ),
    ),
    el("div", { class: "actions" }, el("button", {}, "Correct payout"), el("small", {}, "needs supervisor approval")),
  );
  return el(
    "section",
    { class: "panel" },
    el("details", {}, el("summary", {}, "Correct a payout of this round"), form),
  );
}

/** @param {Page} page @param {ReplayResponse} round */
function exportPanel(page, round) {
  if (!DISPUTE_ROLES.includes(page.person.role)) return "";
  const path = `/api/tables/${encodeURIComponent(round.table)}/rounds/${round.round}`;
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "Export"),
    el(
      "p",
      { class: "rows" },
      el(
        "a",
        { class: "button", href: `${path}/notation`, download: `${round.table}-${round.round}.toml` },
        "All cards (for headsup settle)",
      ),
      el(
        "a",
        { class: "button", href: `${path}?viewer=dealer`, download: `${round.table}-${round.round}.json` },
        "Every step (JSON)",
      ),
    ),
    round.fair
      ? el(
        "details",
        {},
        el("summary", {}, "Published data of the sealed shuffle (for headsup verify)"),
        el("pre", { tabindex: 0 }, JSON.stringify(round.fair, null, 2)),
      )
      : "",
  );
}
