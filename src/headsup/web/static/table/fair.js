// The panel about the sealed shuffle: the house's commitment, and how to verify it.

/** @import { State } from "../lib/state.js" */

import { el } from "../lib/dom.js";
import * as state from "../lib/state.js";

/** @param {State} now @param {any} actions */
export function fairPanel(now, actions) {
  const { sealed, opened } = now.view?.fair ?? {};
  const seat = state.mySeat(now);
  return [
    el(
      "p",
      {},
      "Before anyone bets, the house commits to a secret seed for the shuffle. After the round it reveals the seed, so anyone can check that the cards were dealt as committed.",
    ),
    sealed
      ? [
        el("h3", {}, `Sealed for round ${sealed.round}`),
        el("p", {}, "Commitment"),
        el("code", { class: "seed" }, sealed.commitment),
        playerSeeds(sealed.seeds ?? {}, now),
      ]
      : "",
    sealed && seat !== null
      ? (takesSeeds(sealed, now)
        ? seedForm(sealed, seat, actions)
        : el("p", {}, "Betting is closed. You can add your own seed to the next shuffle, until its betting closes."))
      : "",
    opened ? openedRound(opened) : el("p", {}, "No shuffle has been revealed at this table yet."),
    el("h3", {}, "Verify it yourself"),
    el(
      "ol",
      {},
      [
        "Write down the commitment above before you bet, and compare it with the one published after the round.",
        "Save the published data to a file, or download all your rounds from Your rounds, and run: headsup verify FILE.",
        "Or use verifier.py, which shares no code with our server. docs/fairness.md explains how the deck follows from the seeds. Both come with this software.",
      ].map((line) => el("li", {}, line)),
    ),
  ];
}

/** @param {any} seeds @param {State} now */
function playerSeeds(seeds, now) {
  const lines = Object.entries(seeds).map(([seat, text]) =>
    el("li", {}, `${now.view?.players[seat] ?? `Seat ${seat}`}: `, el("code", {}, text))
  );
  return lines.length ? [el("p", {}, "Player seeds in this shuffle:"), el("ul", {}, lines)] : [];
}

/** Seeds can be added until betting closes. @param {any} sealed @param {State} now */
function takesSeeds(sealed, now) {
  const round = now.view?.round;
  return !round || round.number !== sealed.round || !!round.open;
}

/** @param {any} sealed @param {number} seat @param {any} actions */
function seedForm(sealed, seat, actions) {
  const form = el(
    "form",
    { class: "rows" },
    el(
      "label",
      {},
      "Add your own seed (until betting closes) ",
      el("input", { name: "seed", maxlength: 64, required: true, value: sealed.seeds?.[seat] ?? "" }),
    ),
    el("button", { class: "main" }, "Add seed"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.addSeed(new FormData(/** @type {HTMLFormElement} */ (form)).get("seed"));
  });
  return form;
}

/** @param {any} opened */
function openedRound(opened) {
  const text = JSON.stringify(opened, null, 1);
  return [
    el("h3", {}, `Revealed: round ${opened.round}`),
    el("p", {}, "Server seed"),
    el("code", { class: "seed" }, opened.server_seed),
    el(
      "details",
      {},
      el("summary", {}, "All published data"),
      el("textarea", { class: "published", readonly: true, rows: 8, "aria-label": "Published data" }, text),
    ),
  ];
}
