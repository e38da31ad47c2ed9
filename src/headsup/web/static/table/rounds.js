// A player's recent rounds, and the replay of each as seen from the player's seat.

import { dataTable } from "../lib/data-table.js";
import { el, find } from "../lib/dom.js";
import { Declined, get } from "../lib/http.js";
import { formatMoney, formatSigned, netTone } from "../lib/money.js";
import { pastResult } from "../lib/outcomes.js";
import { formatLocalTime, replayPanel, startReplay } from "../lib/replay.js";
import { readAddress, startPage, whoAmI } from "../lib/session.js";
import "../lib/settings.js"; // applies the stored settings
import { capitalize, withSpaces } from "../lib/text.js";

// The first columns are those that fit on a phone.
const HEADS = ["Round", "Net", "Result", "Your hand", "Wagered", "From the meter", "Closed"];

async function list() {
  const rounds = await get("/api/rounds/mine");
  const rows = rounds.map((/** @type {any} */ one) => [
    el("a", { href: link(one), "aria-label": `Replay: ${one.table} · ${one.round}` }, `${one.table} · ${one.round}`),
    el("span", { class: netTone(one.net) }, formatSigned(one.net)),
    el("span", {}, pastResult(one.result), one.corrections.map((/** @type {any} */ each) => [", ", correction(each)])),
    capitalize(withSpaces(one.category)),
    el("span", { class: "staked" }, formatMoney(one.staked)),
    one.award === "0.00" ? "" : el("span", { class: "award" }, formatMoney(one.award)),
    formatLocalTime(one.closed_at),
  ]);
  show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "Your recent rounds"),
      el(
        "p",
        { class: "soft" },
        "Replays of your last ten rounds, newest first. Choose one to see it again step by step. You cannot bet here.",
      ),
      dataTable(HEADS, rows, { kind: "stacked", none: "You have not played a round yet." }),
      rounds.length
        ? el(
          "p",
          { class: "soft" },
          "For every round with a sealed shuffle, not only these, you can ",
          el("a", { href: "/api/rounds/mine/fair", download: "fair-rounds.jsonl" }, "download the published data"),
          " and check it with headsup verify or verifier.py.",
        )
        : "",
    ),
  );
}

/** A later correction. It is not part of the net, which is what was paid at the table. @param {any} correction */
function correction({ amount, reason }) {
  return el("small", {}, `corrected by ${formatSigned(amount)}: ${reason}`);
}

/** @param {any} round */
function link(round) {
  return `#/${encodeURIComponent(round.table)}/${round.round}/${round.seat}`;
}

/** @param {string} table @param {string} number @param {string} seat */
async function replay(table, number, seat) {
  const round = await get(
    `/api/tables/${encodeURIComponent(table)}/rounds/${number}?viewer=${encodeURIComponent(`seat ${seat}`)}`,
  );
  const about = `Replay, as seen from seat ${seat}. ${formatLocalTime(round.opened_at)} – ${
    round.closed_at ? formatLocalTime(round.closed_at) : "in progress"
  }`;
  const corrections = round.hands.flatMap((/** @type {any} */ one) => one.corrections).map((/** @type {any} */ one) =>
    el("p", {}, correction(one))
  );
  show(el("p", {}, el("a", { href: "#/" }, "All your recent rounds")), replayPanel(round, about, corrections));
  startReplay(round, formatLocalTime);
}

/** @param {...any} content */
function show(...content) {
  find("page").replaceChildren(...content);
}

async function followAddress() {
  const [table, number, seat] = readAddress().parts;
  document.title = table ? `${table}, round ${number} · headsup` : "Your rounds · headsup";
  find("refused").replaceChildren();
  try {
    await (table ? replay(table, number, seat) : list());
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (error.code === "not_logged_in") return location.replace("/");
    find("refused").replaceChildren(error.message);
    show(el("p", {}, el("a", { href: "#/" }, "All your recent rounds")));
  }
}

/** Show who is logged in and the way back, then the page. */
async function enter() {
  const person = await whoAmI();
  if (!person) return location.replace("/");
  const tables = await get("/api/tables");
  const seated = tables.find((/** @type {any} */ one) => Object.values(one.players).includes(person.name));
  find("back").replaceChildren(
    seated
      ? el("a", { class: "button quiet", href: `/#/table/${encodeURIComponent(seated.id)}` }, "Back to your seat")
      : el("a", { class: "button quiet", href: "/" }, "Tables"),
  );
  find("who").textContent = person.name;
  await followAddress();
}

window.addEventListener("hashchange", followAddress);
await startPage(enter, (message) => find("refused").replaceChildren(message));
