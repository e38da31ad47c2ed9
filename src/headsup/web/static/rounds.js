// A player's own last rounds, and each of them once more as it was seen from the own seat.

import { Declined, get, untilReached } from "./connection.js";
import { el, find } from "./dom.js";
import { listing } from "./listing.js";
import { beginReplay, cameOut, replayed, time } from "./replay.js";
import "./settings.js"; // the page looks as it was left
import { tone } from "./table.js";
import * as words from "./words.js";

// What a phone has room for comes first.
const HEADS = ["Round", "Net", "Came out", "Your hand", "Staked", "From the meter", "Closed"];

async function list() {
  const rounds = await get("/api/rounds/mine");
  const rows = rounds.map((one) => [
    el("a", { href: link(one), "aria-label": `Replay: ${one.table} · ${one.round}` }, `${one.table} · ${one.round}`),
    el("span", { class: tone(one.net) }, words.signed(one.net)),
    el("span", {}, one.result === "fold" ? "folded" : cameOut(one), one.corrections.map((made) => [", ", correction(made)])),
    words.capital(words.spaced(one.category)),
    el("span", { class: "staked" }, words.money(one.staked)),
    one.award === "0.00" ? "" : el("span", { class: "award" }, words.money(one.award)),
    time(one.closed_at),
  ]);
  show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Your last rounds"),
      el("p", { class: "soft" }, "Replays of the last ten that you played, the newest first: choose one to see it again step by step. Nothing here can be bet on."),
      listing(HEADS, rows, { kind: "stacked", none: "You have not played a round yet." }),
      rounds.length ? el("p", { class: "soft" }, "Of every round whose shuffle was sealed, not only these: ", el("a", { href: "/api/rounds/mine/fair", download: "fair-rounds.jsonl" }, "download what was published"), ", and check it with headsup verify or verifier.py.") : "",
    ),
  );
}

/** The net is what was paid at the table; this came after it. */
function correction({ amount, reason }) {
  return el("small", {}, `corrected by ${words.signed(amount)}: ${reason}`);
}

function link(one) {
  return `#/${encodeURIComponent(one.table)}/${one.round}/${one.seat}`;
}

async function replay(table, number, seat) {
  const shown = await get(`/api/tables/${encodeURIComponent(table)}/rounds/${number}?viewer=${encodeURIComponent(`seat ${seat}`)}`);
  const about = `A replay, as you saw it from seat ${seat}. ${time(shown.opened_at)} – ${shown.closed_at ? time(shown.closed_at) : "still played"}`;
  const corrections = shown.hands.flatMap((one) => one.corrections).map((one) => el("p", {}, correction(one)));
  show(el("p", {}, el("a", { href: "#/" }, "All of your last rounds")), replayed(shown, about, corrections));
  beginReplay(shown);
}

function show(...content) {
  find("page").replaceChildren(...content);
}

async function arrive() {
  const [table, number, seat] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  document.title = table ? `${table}, round ${number} · headsup` : "Your rounds · headsup";
  find("refused").replaceChildren();
  try {
    await (table ? replay(table, number, seat) : list());
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (error.code === "not_logged_in") return location.replace("/");
    find("refused").replaceChildren(error.message);
    show(el("p", {}, el("a", { href: "#/" }, "All of your last rounds")));
  }
}

/** Who looks, and the way back. */
async function enter() {
  const { person } = await get("/api/here");
  if (!person) return location.replace("/");
  const tables = await get("/api/tables");
  const seated = tables.find((one) => Object.values(one.players).includes(person.name));
  find("back").replaceChildren(
    seated ? el("a", { class: "button quiet", href: `/#/table/${encodeURIComponent(seated.id)}` }, "Back to your seat") : el("a", { class: "button quiet", href: "/" }, "Tables"),
  );
  find("who").textContent = person.name;
  await arrive();
}

window.addEventListener("hashchange", arrive);
await untilReached(enter, (said) => find("refused").replaceChildren(said));
