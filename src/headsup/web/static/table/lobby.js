// The lobby: a greeting, the tables, and in a demonstration the way to the staff pages.

/** @import { LobbyTable, State } from "../lib/state.js" */

import { row } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { formatBrief, formatMoney } from "../lib/money.js";
import { becomeGuest, becomeStaff } from "../lib/session.js";
import { setting } from "../lib/settings.js";
import * as state from "../lib/state.js";

/** @param {State} now @param {any} actions */
export function drawLobby(now, actions) {
  const first = now.tables.find((/** @type {LobbyTable} */ table) => state.mySeatAt(now, table)) ??
    now.tables.find((/** @type {LobbyTable} */ table) => freeSeat(table) !== undefined && !table.real_cards);
  const newcomer = setting("guide") === "";
  fill(
    "greeting",
    [first?.id, newcomer, now.house, now.tables.length, now.person?.wallet, now.person?.role],
    () => greeting(first, newcomer, now, actions),
  );
  fill(
    "tables",
    [now.tables, now.person?.name, now.house],
    () => now.tables.map((/** @type {LobbyTable} */ table) => lobbyTable(table, now, actions)),
  );
  fill("behind", [now.house?.demo, now.person?.role], () => backstagePanel(now, actions));
  const warming = ["not_asked", "warming_up"].includes(now.house?.automatic_players ?? "");
  fill(
    "warming",
    warming,
    () => warming ? "Automatic players are warming up. They follow a simple rule until the game has been solved." : "",
  );
}

/** @param {LobbyTable | undefined} first @param {boolean} newcomer @param {State} now @param {any} actions */
function greeting(first, newcomer, now, actions) {
  const company = now.house?.automatic_players ? ", and automatic players to keep you company" : "";
  const play = now.house?.demo ? ` Play money, a dealer who never tires${company}.` : "";
  // Only with play money: otherwise nobody is seated without choosing a table.
  const seat = first && now.house?.demo && now.person?.role === "player"
    ? (state.mySeatAt(now, first) ?? freeSeat(first))
    : undefined;
  return [
    el("div", { class: "fan", "aria-hidden": "true" }, row("ThJhQhKhAh", 5)),
    el(
      "h1",
      { id: "lobby-title" },
      newcomer ? "Heads Up Hold’em: sit down and play" : "Heads Up Hold’em: choose a table",
    ),
    el("p", {}, `You against the dealer: two cards each, and five on the board.${play}`),
    now.house?.demo ? staffNotice(now, actions) : el("p", { class: "soft" }, hintToStart(now)),
    first && seat !== undefined && newcomer
      ? el(
        "p",
        { class: "rows" },
        el(
          "button",
          {
            type: "button",
            class: "main big",
            name: "start",
            onclick: () => actions.sit(first.id, seat),
          },
          el("strong", {}, "Show me a round"),
          el("span", {}, "two minutes, with play money"),
        ),
      )
      : "",
  ];
}

/** In a house that plays for money: what this person needs before playing. @param {State} now */
function hintToStart(now) {
  if (!now.tables.length) return "No tables are open yet.";
  if (now.person?.wallet === "0.00") return "Your wallet is empty. Bring cash to a supervisor to add money.";
  return "";
}

/** The lowest free seat of a table in the lobby, or undefined. @param {LobbyTable} table */
export function freeSeat(table) {
  const seats = Array.from({ length: table.seats }, (_, index) => index + 1);
  return seats.find((seat) => !(seat in table.players));
}

/** The players' names, automatic players last. @param {LobbyTable} table */
function playerNames(table) {
  /** @param {boolean} automatic */
  const named = (automatic) =>
    Object.entries(table.players)
      .filter(([seat]) => table.automatic.includes(Number(seat)) === automatic)
      .map(([, name]) => name.replace(" (automatic)", ""))
      .join(", ");
  const names = [named(false), named(true) && `${named(true)} (automatic)`].filter(Boolean).join("; ");
  return names || (table.attended ? "automatic players are on their way" : "nobody yet");
}

/** @param {LobbyTable} table @param {State} now @param {any} actions */
function lobbyTable(table, now, actions) {
  const mine = state.mySeatAt(now, table);
  const limits = [
    table.ante_min && formatBrief(table.ante_min),
    table.ante_max && formatBrief(table.ante_max),
  ].filter(Boolean);
  return el(
    "li",
    { class: "panel" },
    el(
      "div",
      { class: "swatch", "aria-hidden": "true" },
      Array.from(
        { length: table.seats },
        (_, index) => el("span", { class: index + 1 in table.players ? "taken" : "free" }),
      ),
    ),
    el("h2", {}, table.id),
    el("p", { class: "title" }, table.title),
    el(
      "dl",
      {},
      limits.length ? el("div", {}, el("dt", {}, "Ante"), el("dd", {}, limits.join(" to "))) : "",
      table.meter ? el("div", {}, el("dt", {}, "Meter"), el("dd", { class: "gold" }, formatMoney(table.meter))) : "",
      el("div", {}, el("dt", {}, "Players"), el("dd", {}, playerNames(table))),
    ),
    table.real_cards && (now.house?.demo || now.person?.role !== "player")
      ? el(
        "p",
        {},
        el("a", { class: "button main", href: `/deal#/${encodeURIComponent(table.id)}` }, "Deal with your own deck"),
      )
      : "",
    table.waits ? el("p", { class: "waits" }, `Waiting: ${table.waits}.`) : "",
    (table.notices ?? []).map((/** @type {any} */ notice) => el("p", {}, el("small", {}, notice))),
    el(
      "p",
      { class: "rows" },
      mine === undefined
        ? [
          sitButton(table, now, actions),
          el("a", { class: "button quiet", href: tableLink(table.id), "aria-label": `Watch ${table.id}` }, "Watch"),
        ]
        : backToSeat(table, mine),
    ),
    mine === undefined && now.house?.demo && now.person?.role === "player"
      ? el("p", { class: "offer" }, el("small", {}, `You sit down with ${formatBrief(table.buy_in)} in play money.`))
      : "",
  );
}

/** @param {LobbyTable} table @param {State} now @param {any} actions */
function sitButton(table, now, actions) {
  const free = freeSeat(table);
  if (now.house?.demo && now.person?.role !== "player") return "";
  if (free === undefined) return el("span", {}, "The table is full.");
  return el(
    "button",
    {
      type: "button",
      class: "main",
      name: `sit ${table.id}`,
      "aria-label": `Sit here: ${table.id}, seat ${free}`,
      onclick: () => actions.sit(table.id, free),
    },
    now.house?.demo ? "Sit here" : "Sit here…",
  );
}

/** @param {LobbyTable} table @param {number} seat */
function backToSeat(table, seat) {
  return [
    el("a", {
      class: "button main",
      href: tableLink(table.id),
      "aria-label": `Back to your seat: ${table.id}, seat ${seat}`,
    }, "Back to your seat"),
    table.your_turn ? el("strong", {}, "It is your turn.") : "",
  ];
}

/** @param {string} table */
export function tableLink(table) {
  return `#/table/${encodeURIComponent(table)}`;
}

// Behind the scenes of a demonstration.

/** @param {string} role @param {string} page @param {string} text @param {any} actions */
function staffButton(role, page, text, actions) {
  const go = () =>
    actions.attempt(async () => {
      await becomeStaff(role);
      location.assign(page);
    });
  return el("button", { type: "button", class: "quiet", name: `be ${role}`, onclick: go }, text);
}

/** For a visitor who is logged in as staff: the way back to being a guest. @param {State} now @param {any} actions */
function staffNotice(now, actions) {
  if (!now.house?.demo || !now.person || now.person.role === "player") return "";
  return el(
    "p",
    { class: "rows" },
    `You are logged in as the ${now.person.role}.`,
    el(
      "button",
      { type: "button", class: "main", name: "be guest", onclick: () => actions.attempt(becomeGuest) },
      "Play as a guest",
    ),
  );
}

/** In a demonstration: links to the staff pages. @param {{house: any, person: any}} now @param {any} actions */
function backstagePanel(now, actions) {
  if (!now.house?.demo || !now.person) return [];
  return [
    el("h2", {}, "Behind the scenes"),
    el(
      "p",
      { class: "soft" },
      "See what the house sees: deal a round, report a misdeal, set up a table, look up any round. Your seat will be waiting for you.",
    ),
    el(
      "p",
      { class: "rows" },
      staffButton("dealer", "/console", "The dealer’s console", actions),
      staffButton("supervisor", "/office", "The office", actions),
      el("a", { class: "button quiet", href: "/display" }, "The display above a table"),
    ),
  ];
}
