// The irregularity sheet: what can be reported now, and which stakes it would return or settle.

import { el } from "../lib/dom.js";
import { formatCents, formatMoney } from "../lib/money.js";
import { capitalize, wagerLabel, withSpaces } from "../lib/text.js";

/** @type {Record<string, string>} */
const RESOLUTIONS = { void: "Void", correct: "Correct", play_on: "Play on" };

/**
 * @param {any[]} irregularities  those that may be reported, from the server
 * @param {{cause: string, index: number | null} | null} chosen
 * @param {{choose: (chosen: object | null) => void, report: (irregularity: any, note: string) => void}} actions
 * @param {any[]} irregularities @param {number} chosen @param {any} posted @param {Record<string, string>} players @param {any} actions
 */
export function irregularitySheet(irregularities, chosen, posted, players, actions) {
  if (!irregularities.length) return [el("p", { class: "soft" }, "Nothing can be reported right now.")];
  const causes = [...new Set(irregularities.map((irregularity) => irregularity.cause))];
  if (!chosen) {
    return [
      el("h3", {}, "What went wrong?"),
      el("div", { class: "choices" }, causes.map((cause) => causeButton(cause, irregularities, actions))),
    ];
  }
  const ways = irregularities.filter((irregularity) => irregularity.cause === chosen.cause);
  if (!ways.length) return [el("p", {}, "That can no longer be reported."), backButton(actions)];
  // Nothing is preset: a wrong seat would be reported with one key.
  const irregularity = ways.length === 1 ? ways[0] : chosen.index === null ? null : ways[chosen.index] ?? null;
  return [
    el("h3", {}, capitalize(withSpaces(chosen.cause))),
    el(
      "label",
      {},
      "Resolution ",
      el(
        "select",
        {
          name: "way",
          "data-rest": true,
          onchange: (event) =>
            actions.choose({ ...chosen, index: event.target.value === "" ? null : Number(event.target.value) }),
        },
        ways.length > 1 ? el("option", { value: "", selected: irregularity === null }, "choose…") : "",
        ways.map((way, index) => el("option", { value: index, selected: way === irregularity }, wayText(way, players))),
      ),
    ),
    ...(irregularity === null
      ? [backButton(actions)]
      : [outlook(irregularity, posted, players), form(irregularity, actions)]),
  ];
}

/** @param {string} cause @param {any[]} irregularities @param {any} actions */
function causeButton(cause, irregularities, actions) {
  const ways = irregularities.filter((/** @type {any} */ irregularity) => irregularity.cause === cause);
  const seats = [
    ...new Set(
      ways.map((/** @type {any} */ irregularity) => irregularity.seat).filter((/** @type {any} */ seat) =>
        seat !== undefined
      ),
    ),
  ];
  const of = seats.length ? `${seats.length === 1 ? "seat" : "seats"} ${seats.join(", ")}` : "the table";
  return el(
    "button",
    { type: "button", name: `cause ${cause}`, onclick: () => actions.choose({ cause, index: null }) },
    capitalize(withSpaces(cause)),
    el("small", {}, of),
  );
}

/** @param {any} irregularity @param {Record<string, string>} players */
function wayText(irregularity, players) {
  const who = irregularity.seat === undefined
    ? ""
    : `seat ${irregularity.seat}${players[irregularity.seat] ? ` (${players[irregularity.seat]})` : ""}: `;
  return `${who}${RESOLUTIONS[irregularity.resolution]}`;
}

/**
 * Everything that would happen.
 * @param {any} irregularity @param {any} posted @param {Record<string, string>} players
 */
function outlook(irregularity, posted, players) {
  /** @param {Record<string, number>} stakes */
  const list = (stakes) =>
    Object.entries(stakes).map(([wager, stake]) => `${wagerLabel(posted, wager)} ${formatMoney(formatCents(stake))}`)
      .join(", ");
  const rows = irregularity.stakes.map((/** @type {any} */ seat) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `${seat.seat}${players[seat.seat] ? ` · ${players[seat.seat]}` : ""}`),
      el("td", {}, list(seat.returned) || "nothing"),
      el("td", {}, list(seat.settled) || "nothing"),
    )
  );
  return el(
    "div",
    { class: "outlook", id: "outlook" },
    el("p", {}, `${irregularity.clause}${irregularity.house_rule ? ", a house rule" : ""}`),
    irregularity.reopened ? el("p", {}, `Seat ${irregularity.seat} decides again.`) : "",
    rows.length
      ? el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, ["Seat", "Returned", "Settled anyway"].map((head) => el("th", { scope: "col" }, head))),
        ),
        el("tbody", {}, rows),
      )
      : el("p", {}, "No stakes are returned or settled; the round goes on."),
  );
}

/** @param {any} irregularity @param {any} actions */
function form(irregularity, actions) {
  const note = el("input", { name: "note", maxlength: 200 });
  return el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        actions.report(irregularity, note.value);
      },
    },
    el("label", {}, "Note for the record ", note),
    el("div", { class: "actions" }, el("button", { class: "main", name: "report" }, "Report"), backButton(actions)),
  );
}

/** @param {any} actions */
function backButton(actions) {
  return el("button", { type: "button", name: "back", onclick: () => actions.choose(null) }, "Back");
}
