// Reporting an irregularity: what may be reported now, with what goes back and what is still settled. A
// supervisor approves it.

import { el, find } from "../lib/dom.js";
import { get, newId, post } from "../lib/http.js";
import { askApproval } from "../lib/staff-page.js";
import { capitalize, withSpaces } from "../lib/text.js";

const RESOLUTIONS = /** @type {Record<string, string>} */ ({
  void: "void",
  correct: "put right",
  play_on: "play on",
});

/**
 * One way to resolve one cause, as the server previews it.
 * @typedef {{cause: string, seat: number | null, resolution: string, clause: string,
 *   stakes: {seat: number, settled: object}[]}} Choice
 */

/** Resolves when it was reported and approved, or when the dialog is closed. @param {string} table */
export async function reportIrregularity(table) {
  const address = `/api/tables/${encodeURIComponent(table)}`;
  /** @type {Choice[]} */
  const choices = await get(`${address}/irregularities`);
  const choice = await choose(choices);
  if (choice === null) return;
  const { cause, seat, resolution } = choice;
  const command = { command: "ReportIrregularity", cause, seat, resolution, dealer: "", supervisor: "", note: "" };
  const id = newId();
  await askApproval(`${title(choice)}. ${effect(choice)}`, async (approval) => {
    await post(`${address}/commands`, { id, command, approval });
  });
}

/** @param {Choice[]} choices @returns {Promise<Choice | null>} */
function choose(choices) {
  const dialog = find("report", HTMLDialogElement);
  return new Promise((resolve) => {
    /** @type {Choice | null} */
    let chosen = null;
    const pick = (/** @type {Choice} */ choice) => () => {
      chosen = choice;
      dialog.close();
    };
    dialog.replaceChildren(
      el("h2", { id: "report-title" }, "What happened?"),
      choices.length ? "" : el("p", {}, "Nothing can be reported at this point of the round."),
      el(
        "ul",
        { class: "reports" },
        choices.map((choice) =>
          el(
            "li",
            {},
            el("button", { type: "button", onclick: pick(choice) }, title(choice)),
            el("small", {}, effect(choice)),
          )
        ),
      ),
      el("button", { type: "button", name: "close", onclick: () => dialog.close() }, "Cancel"),
    );
    dialog.addEventListener("close", () => resolve(chosen), { once: true });
    dialog.showModal();
  });
}

/** @param {Choice} choice */
function title({ cause, seat, resolution }) {
  return `${capitalize(withSpaces(cause))}${seat ? `, seat ${seat}` : ""}: ${RESOLUTIONS[resolution] ?? resolution}`;
}

/** @param {Choice} choice */
function effect({ stakes, clause }) {
  if (stakes.length === 0) return `No stakes go back (${clause}).`;
  const seats = stakes.map(({ seat }) => seat).join(", ");
  const settled = stakes.some(({ settled }) => Object.keys(settled).length > 0);
  return `Stakes of ${seats} go back${settled ? "; Trips Plus is settled" : ""} (${clause}).`;
}
