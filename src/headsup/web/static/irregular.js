// Irregularities: what may be reported now, and what each would return or settle, before it is.

import { el } from "./dom.js";
import { label } from "./table.js";
import * as words from "./words.js";

const RESOLUTIONS = { void: "Void", correct: "Put right", play_on: "Play on" };

/**
 * @param {any[]} found what the server says may be reported
 * @param {{cause: string, at: number} | null} chosen
 * @param {{choose: (chosen: object | null) => void, report: (one: any, note: string) => void}} doing
 */
export function irregularities(found, chosen, posted, players, doing) {
  if (!found.length) return [el("p", { class: "soft" }, "Nothing can be reported at this moment.")];
  const causes = [...new Set(found.map((one) => one.cause))];
  if (!chosen) {
    return [
      el("h3", {}, "What went wrong?"),
      el("div", { class: "choices" }, causes.map((cause) => causeButton(cause, found, doing))),
    ];
  }
  const ways = found.filter((one) => one.cause === chosen.cause);
  const one = ways[chosen.at] ?? ways[0];
  if (!one) return [el("p", {}, "That can no longer be reported."), back(doing)];
  return [
    el("h3", {}, words.capital(words.spaced(chosen.cause))),
    el(
      "label",
      {},
      "What is done about it ",
      el(
        "select",
        { name: "way", onchange: (event) => doing.choose({ ...chosen, at: Number(event.target.value) }) },
        ways.map((way, at) => el("option", { value: at, selected: way === one }, wayWords(way, players))),
      ),
    ),
    outlook(one, posted, players),
    form(one, doing),
  ];
}

function causeButton(cause, found, doing) {
  const ways = found.filter((one) => one.cause === cause);
  const seats = [...new Set(ways.map((one) => one.seat).filter((seat) => seat !== null))];
  const of = seats.length ? `seat ${seats.join(", ")}` : "the table";
  return el(
    "button",
    { type: "button", name: `cause ${cause}`, onclick: () => doing.choose({ cause, at: 0 }) },
    words.capital(words.spaced(cause)),
    el("small", {}, of),
  );
}

function wayWords(one, players) {
  const who = one.seat === null ? "" : `seat ${one.seat}${players[one.seat] ? ` (${players[one.seat]})` : ""}: `;
  return `${who}${RESOLUTIONS[one.resolution]}`;
}

/** What would happen, in full. */
function outlook(one, posted, players) {
  const list = (stakes) => Object.entries(stakes).map(([wager, stake]) => `${label(posted, wager)} ${words.money(stake)}`).join(", ");
  const rows = one.stakes.map((seat) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `${seat.seat}${players[seat.seat] ? ` · ${players[seat.seat]}` : ""}`),
      el("td", {}, list(seat.returned) || "nothing"),
      el("td", {}, list(seat.settled) || "nothing"),
    ),
  );
  return el(
    "div",
    { class: "outlook", id: "outlook" },
    el("p", {}, `${one.clause}${one.house_rule ? ", a house rule" : ""}`),
    one.reopened ? el("p", {}, `Seat ${one.seat} decides again.`) : "",
    rows.length
      ? el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ["Seat", "Goes back", "Is settled all the same"].map((head) => el("th", { scope: "col" }, head)))),
          el("tbody", {}, rows),
        )
      : el("p", {}, "No stake is returned and none is settled: the round goes on."),
  );
}

function form(one, doing) {
  const note = el("input", { name: "note", maxlength: 200 });
  return el(
    "form",
    { onsubmit: (event) => { event.preventDefault(); doing.report(one, note.value); } },
    el("label", {}, "Note for the record ", note),
    el("div", { class: "actions" }, el("button", { class: "main", name: "report" }, "Report"), back(doing)),
  );
}

function back(doing) {
  return el("button", { type: "button", name: "back", onclick: () => doing.choose(null) }, "Back");
}
