// Draws a state: the bar, the lobby, and the table from its parts.

import { outSaid } from "./account.js";
import { asStaff, behind } from "./behind.js";
import { row } from "./cards.js";
import { drawDock } from "./dock.js";
import { el, fill, find, show } from "./dom.js";
import { drawFelt } from "./felt.js";
import { moment } from "./moments.js";
import { drawResults } from "./results.js";
import { drawSeats } from "./seats.js";
import { setting } from "./settings.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** @param {import("./state.js").State} now @param {any} doing @param {number} chosen the chip in hand */
export function draw(now, doing, chosen) {
  bar(now, doing);
  fill("refused", now.refused, () => (now.refused ? refusal(now.refused, doing) : ""));
  fill("corrected", now.corrected, () => (now.corrected ? correction(now, doing) : ""));
  const replaced = now.status === "ended" && now.ended === "replaced";
  fill("elsewhere", replaced, () => (replaced ? elsewhere(doing) : ""));
  for (const id of ["lobby", "table"]) find(id).inert = replaced;
  const atTable = now.person !== null && now.table !== null;
  show("loading", now.house === null || (atTable && now.view === null && !now.refused));
  entry(now);
  show("lobby", now.person !== null && now.table === null);
  show("table", atTable && now.view !== null);
  document.body.classList.toggle("at-table", atTable);
  document.title = now.table === null ? "headsup" : `${now.table} · headsup`;
  if (now.person === null) return;
  if (now.table === null) lobby(now, doing);
  else if (now.view !== null) table(now, doing, chosen);
}

/** Who is out logs in; the demonstration has guests, and lets one in who has not just gone. */
function entry(now) {
  const guest = !!now.house?.demo;
  const out = now.person === null ? outSaid() : "";
  show("entry", now.house !== null && now.person === null && (!guest || !!out));
  show("log-in", !guest);
  show("new-guest", guest);
  fill("entry-title", guest, () => (guest ? "Good-bye" : "Log in"));
  fill("out", [out, guest], () => (out && guest ? `${out} A guest comes back as a new one, with a wallet of its own.` : out));
}

function refusal(sentence, doing) {
  const close = el("button", { type: "button", class: "pill", name: "close refusal", "aria-label": "Put this message away", onclick: doing.read }, "✕");
  return el("p", { class: "alarm rows" }, el("span", {}, words.capital(sentence)), close);
}

/** It stays until it is put away: nobody's chips change unseen. */
function correction(now, doing) {
  const close = el("button", { type: "button", class: "pill", name: "correction read", onclick: doing.correctionRead }, "OK");
  return el("p", { class: "panel rows" }, el("span", {}, words.sentence(now.corrected, now)), close);
}

/** In the older of two windows nothing can be pressed but this. */
function elsewhere(doing) {
  return el(
    "div",
    { class: "panel" },
    el("p", {}, "You play in another window."),
    el("button", { type: "button", class: "main", name: "play here", onclick: doing.playHere }, "Play here"),
  );
}

const STATUSES = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "Connection lost; trying again …",
  ended: "The connection was ended; reload the page to come back.",
};
const ENDS = {
  replaced: "You play in another window.",
  logged_out: "You have logged out.",
};

/** Where there is little room the style sheet leaves out what follows from the rest. */
function status(said) {
  const [short, more] = said.split("; ");
  return [short, more ? el("span", { class: "more" }, `; ${more}`) : ""];
}

function bar(now, doing) {
  const { person } = now;
  const wallet = person?.wallet ? `wallet ${words.money(person.wallet)}` : "";
  fill("who", [person], () => (person ? [el("span", {}, person.name), wallet ? el("span", { class: "wallet" }, `, ${wallet}`) : ""] : ""));
  const said = (now.status === "ended" && ENDS[now.ended]) || STATUSES[now.status];
  fill("connection", [said, person === null], () => (person ? status(said) : ""));
  find("connection").className = now.status;
  const turn = state.turnElsewhere(now)?.id;
  fill("turn", turn, () => (turn ? el("a", { href: link(turn) }, `Your turn at ${turn}`) : ""));
  const number = now.view?.round ? ` · round ${now.view.round.number}` : "";
  fill("where", [now.table, number], () => (now.table === null ? "" : `${now.table}${number}`));
  fill("tools", [now.table === null, person?.role, !!now.view?.fair, setting("sound")], () => tools(now, doing));
}

function tools(now, doing) {
  const tool = (text, name, act, more = {}) =>
    el("button", { type: "button", class: "pill", name, onclick: act, ...more }, text);
  const sound = setting("sound") === "on";
  const always = [
    tool(sound ? "Sound on" : "Sound off", "sound", doing.toggleSound, { "aria-pressed": String(sound) }),
    tool("Settings", "settings", () => doing.open("settings")),
    el("a", { class: "button quiet pill", href: "/train" }, "Training"),
  ];
  if (now.table === null) {
    return [
      tool("Words", "glossary", () => doing.open("glossary")),
      ...always,
      now.person?.role === "player" ? el("a", { class: "button quiet pill", href: "/rounds" }, "Your rounds") : "",
      now.person ? tool("Log out", "log out", doing.logOut) : "",
    ];
  }
  return [
    tool("Rules & pays", "rules", () => doing.open("rules")),
    now.view?.fair ? tool("Fair deal", "fair", () => doing.open("fair")) : "",
    tool("Guide", "guide", doing.guide),
    ...always,
    el("a", { class: "button quiet pill", href: "#/" }, "All tables"),
  ];
}

// The lobby.

function lobby(now, doing) {
  const first = now.tables.find((one) => state.seatAt(now, one)) ?? now.tables.find((one) => freeSeat(one) !== undefined);
  const newcomer = setting("guide") === "";
  fill("greeting", [first?.id, newcomer, now.house, now.tables.length, now.person?.wallet, now.person?.role], () => greeting(first, newcomer, now, doing));
  fill("tables", [now.tables, now.person?.name, now.house], () => now.tables.map((one) => lobbyTable(one, now, doing)));
  fill("behind", [now.house?.demo, now.person?.role], () => behind(now));
  const warming = ["not_asked", "warming_up"].includes(now.house?.automatic_players ?? "");
  fill("warming", warming, () =>
    warming ? "Automatic players are warming up: they play by a plain rule until the game is solved." : "",
  );
}

function greeting(first, newcomer, now, doing) {
  const company = now.house?.automatic_players ? ", and automatic players who keep you company" : "";
  const play = now.house?.demo ? ` Play money, a dealer who never tires${company}.` : "";
  // A round that is shown is one with play money: elsewhere a seat is taken on purpose.
  const seat = first && now.house?.demo && now.person?.role === "player" ? (state.seatAt(now, first) ?? freeSeat(first)) : undefined;
  return [
    el("div", { class: "fan", "aria-hidden": "true" }, row("ThJhQhKhAh", 5)),
    el("h1", { id: "lobby-title" }, newcomer ? "Heads Up Hold’em: sit down and play" : "Heads Up Hold’em: choose a table"),
    el("p", {}, `You against the dealer, two cards each and five in the middle.${play}`),
    now.house?.demo ? asStaff(now) : el("p", { class: "soft" }, toBegin(now)),
    first && seat !== undefined && newcomer
      ? el(
          "p",
          { class: "rows" },
          el("button", { type: "button", class: "main big", name: "start", onclick: () => doing.sit(first.id, seat) }, el("strong", {}, "Show me a round"), el("span", {}, "two minutes, with play money")),
        )
      : "",
  ];
}

/** In a house that plays for money: what this person needs before a round. */
function toBegin(now) {
  if (!now.tables.length) return "No table is open yet.";
  if (now.person?.wallet === "0.00") return "Your wallet is empty: bring cash to a supervisor, who takes it in for you.";
  return "";
}

/** The lowest seat that nobody has, of a table as the lobby lists it. */
export function freeSeat(one) {
  const seats = Array.from({ length: one.seats }, (_, index) => index + 1);
  return seats.find((seat) => !(seat in one.players));
}

/** Who sits there, and who of them is automatic. */
function company(one) {
  const named = (automatic) =>
    Object.entries(one.players)
      .filter(([seat]) => one.automatic.includes(Number(seat)) === automatic)
      .map(([, name]) => name.replace(" (automatic)", ""))
      .join(", ");
  const said = [named(false), named(true) && `${named(true)} (automatic)`].filter(Boolean).join("; ");
  return said || (one.attended ? "automatic players are on their way" : "nobody yet");
}

function lobbyTable(one, now, doing) {
  const mine = state.seatAt(now, one);
  const limits = [
    one.ante_min && words.brief(one.ante_min),
    one.ante_max && words.brief(one.ante_max),
  ].filter(Boolean);
  return el(
    "li",
    { class: "panel" },
    el("div", { class: "swatch", "aria-hidden": "true" }, Array.from({ length: one.seats }, (_, index) => el("span", { class: index + 1 in one.players ? "taken" : "free" }))),
    el("h2", {}, one.id),
    el("p", { class: "title" }, one.title),
    el(
      "dl",
      {},
      limits.length ? el("div", {}, el("dt", {}, "Ante"), el("dd", {}, limits.join(" to "))) : "",
      one.meter ? el("div", {}, el("dt", {}, "Meter"), el("dd", { class: "gold" }, words.money(one.meter))) : "",
      el("div", {}, el("dt", {}, "Players"), el("dd", {}, company(one))),
    ),
    one.waits ? el("p", { class: "waits" }, `The table waits: ${one.waits}.`) : "",
    (one.notices ?? []).map((notice) => el("p", {}, el("small", {}, notice))),
    el(
      "p",
      { class: "rows" },
      mine === undefined ? [toSit(one, now, doing), el("a", { class: "button quiet", href: link(one.id), "aria-label": `Watch ${one.id}` }, "Watch")] : back(one, mine),
    ),
    mine === undefined && now.house?.demo && now.person?.role === "player" ? el("p", { class: "offer" }, el("small", {}, `You sit down with ${words.brief(one.buy_in)} of play money.`)) : "",
  );
}

function toSit(one, now, doing) {
  const free = freeSeat(one);
  if (now.house?.demo && now.person?.role !== "player") return "";
  if (free === undefined) return el("span", {}, "The table is full.");
  return el(
    "button",
    { type: "button", class: "main", name: `sit ${one.id}`, "aria-label": `Sit here: ${one.id}, seat ${free}`, onclick: () => doing.sit(one.id, free) },
    now.house?.demo ? "Sit here" : "Sit here …",
  );
}

function back(one, seat) {
  return [
    el("a", { class: "button main", href: link(one.id), "aria-label": `Back to your seat: ${one.id}, seat ${seat}` }, "Back to your seat"),
    one.your_turn ? el("strong", {}, "It is your turn.") : "",
  ];
}

export function link(table) {
  return `#/table/${encodeURIComponent(table)}`;
}

// A table.

function table(now, doing, chosen) {
  const { view, posted } = now;
  const number = view.round ? `, round ${view.round.number}` : "";
  fill("table-title", [now.table, number], () => `${now.table}${number}`);
  const said = moment(now);
  find("table").dataset.moment = said.kind;
  fill("phase", [said.text], () => said.text);
  fill("banner", [said.more], () => (said.more ? el("p", {}, said.more) : ""));
  drawFelt(now, doing);
  drawSeats(now, doing);
  drawDock(now, doing, chosen);
  drawResults(now);
  // What must stand beside a figure is on the screen as long as the figure is (R83).
  const notices = new Set([...(posted?.notices ?? []).map((one) => one.text), ...(view.meter?.notices ?? [])]);
  fill("notices", [...notices], () => [...notices].map((text) => el("p", {}, text)));
}
