// Draws a state. Nothing is decided here: what may be done is what the server lists.

import { row } from "./cards.js";
import { el, fill, find, show } from "./dom.js";
import * as state from "./state.js";
import * as words from "./words.js";

/**
 * @typedef {object} Doing  what the controls do
 * @property {(table: string, seat: number) => void} sit
 * @property {() => void} buyIn
 * @property {() => void} standUp
 * @property {(choice: import("./state.js").Legal) => void} decide
 * @property {() => void} withdraw
 */

/** @param {import("./state.js").State} now @param {Doing} doing */
export function draw(now, doing) {
  header(now);
  fill("refused", now.refused, () => now.refused);
  show("entry", now.house !== null && now.person === null && !now.house.demo);
  show("lobby", now.person !== null && now.table === null);
  show("table", now.person !== null && now.table !== null);
  if (now.person === null) return;
  if (now.table === null) lobby(now, doing);
  else if (now.view !== null) table(now, doing);
  document.title = now.table === null ? "headsup" : `${now.table} · headsup`;
}

const STATUSES = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "Connection lost; trying again …",
  ended: "The connection was ended; reload the page to come back.",
};
const ENDS = {
  replaced: "You play in another window; reload the page to play in this one.",
  logged_out: "You have logged out.",
};

function header(now) {
  const { person, house } = now;
  const wallet = person?.wallet ? `, wallet ${words.money(person.wallet)}` : "";
  fill("who", [person], () => (person ? `${person.name}${wallet}` : ""));
  const said = (now.status === "ended" && ENDS[now.ended]) || STATUSES[now.status];
  fill("connection", [said, person === null], () => (person ? said : ""));
  find("connection").className = now.status;
  const warming = ["not_asked", "warming_up"].includes(house?.automatic_players ?? "");
  fill("warming", warming, () =>
    warming
      ? "Automatic players are warming up: they play by a plain rule until the game is solved."
      : "",
  );
}

// The lobby.

function lobby(now, doing) {
  fill("tables", now.tables, () => now.tables.map((table) => lobbyTable(table, doing)));
}

function lobbyTable(table, doing) {
  const seats = Array.from({ length: table.seats }, (_, index) => index + 1);
  const free = seats.find((seat) => !(seat in table.players));
  const people = Object.entries(table.players).map(([, name]) => name);
  const limits = [
    table.ante_min && `from ${words.money(table.ante_min)}`,
    table.ante_max && `to ${words.money(table.ante_max)}`,
  ].filter(Boolean);
  return el(
    "li",
    { class: "panel" },
    el("h2", {}, table.id),
    el("p", {}, table.title),
    limits.length ? el("p", {}, `Ante ${limits.join(" ")}`) : "",
    table.meter ? el("p", {}, `Progressive meter ${words.money(table.meter)}`) : "",
    el("p", {}, people.length ? `At the table: ${people.join(", ")}` : "Nobody sits here yet."),
    el(
      "p",
      { class: "row" },
      free === undefined
        ? "The table is full."
        : el(
            "button",
            {
              type: "button",
              name: `sit ${table.id}`,
              "aria-label": `Sit here: ${table.id}, seat ${free}`,
              onclick: () => doing.sit(table.id, free),
            },
            "Sit here",
          ),
      el("a", { href: link(table.id), "aria-label": `Watch ${table.id}` }, "Watch"),
    ),
  );
}

export function link(table) {
  return `#/table/${encodeURIComponent(table)}`;
}

// A table.

function table(now, doing) {
  const { view, posted } = now;
  const shown = state.tableShown(now);
  const number = view.round ? `, round ${view.round.number}` : "";
  fill("table-title", [now.table, number], () => `${now.table}${number}`);
  meter(view, posted);
  fill("phase", [view.round?.phase], () => words.phase(view.round?.phase ?? "closed"));
  dealer(view.round);
  board(view.round);
  own(now, doing);
  results(now);
  fill("seats", [view, shown?.seats, now.person], () => seats(now, shown, doing));
  fill("notices", posted?.notices, () => (posted?.notices ?? []).map((one) => el("p", {}, one.text)));
  fill("posted", posted, () => (posted ? everythingPosted(posted) : ""));
}

function meter(view, posted) {
  fill("meter", [view.meter, posted?.labels], () =>
    view.meter === null
      ? ""
      : [
          el(
            "p",
            { class: "meter" },
            `${posted?.labels.progressive ?? ""} `,
            el("strong", {}, words.money(view.meter.shows)),
          ),
          view.meter.frozen ? el("p", {}, `Frozen: ${view.meter.frozen}`) : "",
          ...view.meter.notices.map((notice) => el("p", {}, notice)),
        ],
  );
}

function dealer(round) {
  fill("dealer-cards", [round?.dealer, round?.dealer_hand, round?.phase], () => [
    row(round?.dealer ?? "", 2, { down: isDealt(round), best: round?.dealer_hand?.best }),
    el("p", {}, words.dealerHand(round)),
  ]);
}

function board(round) {
  fill("board-cards", [round?.board, round?.board_down, round?.all_6, round?.void], () => [
    row(round?.board ?? "", 5, { down: (round?.board_down ?? 0) > 0 }),
    round?.all_6
      ? el("div", {}, el("h3", {}, "All 6"), row(round.all_6, 4))
      : "",
    round?.void
      ? el("p", { class: "void" }, `Void: ${words.spaced(round.void)} (${round.voided?.clause ?? ""})`)
      : "",
  ]);
}

function isDealt(round) {
  return !!round && !["betting", "no_more_bets"].includes(round.phase);
}

// The own seat.

function own(now, doing) {
  const { view, posted } = now;
  const seat = state.mySeat(now);
  const hand = state.myHand(now);
  const betting = state.mayBet(now);
  find("own-title").textContent = seat === null ? "You are looking on" : `You, seat ${seat}`;
  fill("own-hand", [seat, hand, isDealt(view.round), posted?.labels], () =>
    hand ? ownHand(hand, isDealt(view.round), posted) : "",
  );
  const choices = state.choices(now);
  fill("decisions", [choices, posted?.labels], () => decisions(choices, hand, posted, doing));
  show("bets", betting);
  fill("own-chips", [seat, view.chips, betting && hand !== null], () =>
    seat === null ? "" : ownChips(view.chips, betting && hand !== null, doing),
  );
}

function ownHand(hand, dealt, posted) {
  const stakes = Object.entries(hand.stakes).map(
    ([wager, stake]) => `${posted?.labels[wager] ?? wager} ${words.money(stake)}`,
  );
  return [
    dealt ? row(hand.hole, 2, { down: true, best: hand.hand?.best }) : "",
    hand.hand ? el("p", {}, `Your hand: ${hand.hand.name}.`) : "",
    el("p", {}, `Your bets: ${stakes.join(", ")}`),
    said(hand, posted) ? el("p", {}, said(hand, posted)) : "",
    hand.void ? el("p", { class: "void" }, `Your hand is void: ${words.spaced(hand.void)} (${hand.voided?.clause ?? ""})`) : "",
  ];
}

function said(hand, posted) {
  const text = words.decision(hand.decision, posted?.labels.raise ?? "Raise");
  return hand.decision === "owes" || !text ? "" : `You: ${text}`;
}

const KEYS = { check: "c", fold: "f" };

/** The key of a choice: the largest Raise is r, each one its own number. */
export function keysOf(choice, choices) {
  if (choice.action !== "raise") return [KEYS[choice.action]];
  const raises = choices.filter((one) => one.action === "raise");
  const most = Math.max(...raises.map((one) => one.multiple));
  return [...(choice.multiple === most ? ["r"] : []), String(choice.multiple)];
}

function decisions(choices, hand, posted, doing) {
  if (!choices.length) return [];
  return [
    el(
      "div",
      { class: "row", role: "group", "aria-label": "Your decision" },
      choices.map((choice) => decisionButton(choice, keysOf(choice, choices)[0], posted, doing)),
    ),
    hand ? el("p", {}, `You are waited for ${hand.grace_seconds} seconds.`) : "",
  ];
}

function decisionButton(choice, key, posted, doing) {
  const label = posted?.labels.raise ?? "Raise";
  const text = {
    raise: `${label} ${choice.multiple}×`,
    check: "Check",
    fold: "Fold",
  }[choice.action];
  return el(
    "button",
    {
      type: "button",
      class: choice.action,
      name: `${choice.action} ${choice.multiple ?? ""}`.trim(),
      "aria-keyshortcuts": key,
      onclick: () => doing.decide(choice),
    },
    el("span", {}, choice.amount ? `${text}: ${words.money(choice.amount)}` : text),
    " ",
    el("kbd", { "aria-hidden": "true" }, key),
  );
}

function ownChips(chips, placed, doing) {
  return [
    el("p", {}, "Your chips: ", el("strong", {}, words.money(chips ?? "0.00"))),
    el(
      "p",
      { class: "row" },
      placed
        ? el("button", { type: "button", class: "quiet", name: "withdraw", onclick: doing.withdraw }, "Take the bets back")
        : "",
      el("button", { type: "button", class: "quiet", name: "buy in", onclick: doing.buyIn }, "Buy in"),
      el("button", { type: "button", class: "quiet", name: "stand up", onclick: doing.standUp }, "Stand up"),
    ),
  ];
}

// Results.

function results(now) {
  const round = state.resultsOf(now);
  const seat = state.mySeat(now);
  const mine = seat === null ? null : (round?.results?.[seat] ?? null);
  show("results", mine !== null);
  fill("results-table", [round?.number, mine, now.posted?.labels], () =>
    mine === null ? "" : resultTable(round.number, mine, now.posted?.labels ?? {}),
  );
}

function resultTable(number, mine, labels) {
  const lines = Object.entries(mine.wagers).map(([wager, line]) =>
    el(
      "tr",
      { class: line.result },
      el(
        "th",
        { scope: "row" },
        labels[wager] ?? words.spaced(wager),
        el("small", {}, `${line.why} (${line.clause})`),
      ),
      el("td", { class: "amount" }, words.money(line.stake)),
      el("td", {}, line.result),
      el("td", { class: "amount" }, words.signed(line.net)),
    ),
  );
  const heads = { Wager: "", Stake: "amount", Result: "", Net: "amount" };
  const head = Object.entries(heads).map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
  return el(
    "table",
    {},
    el("caption", {}, `Round ${number}: `, el("strong", {}, words.signed(mine.net))),
    el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, lines),
  );
}

// The seats.

function seats(now, shown, doing) {
  const last = Math.max(shown?.seats ?? 0, ...Object.keys(now.view.players).map(Number));
  const seated = state.mySeat(now) !== null;
  return Array.from({ length: last }, (_, index) => seatShown(index + 1, now, seated, doing));
}

function seatShown(seat, now, seated, doing) {
  const { view, posted } = now;
  const player = view.players[seat];
  const hand = view.round?.seats[seat];
  const result = view.round?.results?.[seat];
  if (player === undefined && hand === undefined) {
    return el("li", { class: "empty" }, `Seat ${seat} `, seated ? "is free" : sitButton(seat, now, doing));
  }
  const label = posted?.labels.raise ?? "Raise";
  return el(
    "li",
    { class: hand?.decision === "owes" ? "owes" : undefined },
    el("strong", {}, `${seat}. ${player ?? "(left)"}${player === now.person.name ? " (you)" : ""}`),
    hand ? el("span", {}, ` Ante ${words.money(hand.stakes.ante)} `) : "",
    hand ? el("em", {}, words.decision(hand.decision, label)) : "",
    hand?.hole && seat !== state.mySeat(now) ? row(hand.hole, 2, { down: true, best: hand.hand?.best }) : "",
    hand?.hand ? el("span", {}, ` ${hand.hand.name}`) : "",
    result ? el("strong", { class: "net" }, ` ${words.signed(result.net)}`) : "",
    hand?.void ? el("span", {}, ` void: ${words.spaced(hand.void)}`) : "",
  );
}

function sitButton(seat, now, doing) {
  return el(
    "button",
    { type: "button", name: `sit ${seat}`, "aria-label": `Sit here: seat ${seat}`, onclick: () => doing.sit(now.table, seat) },
    "Sit here",
  );
}

// What is posted.

const ROOMY = matchMedia("(min-width: 60rem)"); // as in the style sheet

function everythingPosted(posted) {
  const label = (wager) => posted.labels[wager] ?? words.capital(words.spaced(wager));
  return [
    el("h3", {}, "Limits"),
    el("ul", {}, limits(posted, label)),
    el("h3", {}, `Permitted: ${label("raise")}`),
    el("ul", {}, posted.raises.map((one) => el("li", {}, `${one.street}: ${one.multiples.map((multiple) => `${multiple}×`).join(", ")} the ${label("ante")} (${one.clause})`))),
    posted.layout.length ? el("h3", {}, "On the layout") : "",
    posted.layout.length ? el("ul", {}, posted.layout.map((one) => el("li", {}, `${one.text} (${one.clause})`))) : "",
    el("h3", {}, "Paytables"),
    ...posted.paytables.map((table) => paytable(table, label)),
  ];
}

function limits(posted, label) {
  const lines = posted.limits.map((limit) => {
    const parts = [
      limit.min && `from ${words.money(limit.min)}`,
      limit.max && `to ${words.money(limit.max)}`,
      limit.step && `in steps of ${words.money(limit.step)}`,
    ];
    return `${label(limit.wager)}: ${parts.filter(Boolean).join(" ")}`;
  });
  if (posted.progressive_stake) lines.push(`${label("progressive")}: ${words.money(posted.progressive_stake)}`);
  if (posted.single_wager_max) lines.push(`No wager above ${words.money(posted.single_wager_max)}`);
  if (posted.cap) {
    const wagers = posted.cap.wagers.map(label).join(", ");
    lines.push(`A round pays at most ${words.money(posted.cap.amount)} per ${posted.cap.scope} on ${wagers}`);
  }
  if (!lines.length) lines.push("None is posted.");
  return lines.map((line) => el("li", {}, line));
}

function paytable(table, label) {
  return el(
    "details",
    { open: ROOMY.matches },
    el("summary", {}, `${label(table.key)}, paytable ${table.id}`),
    el(
      "table",
      {},
      el("caption", {}, table.clause),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Outcome"), el("th", { scope: "col" }, "Pays"))),
      el("tbody", {}, table.rows.map((one) => el("tr", {}, el("th", { scope: "row" }, one.label), el("td", { class: "amount" }, words.pays(one.pays, table.basis))))),
    ),
  );
}
