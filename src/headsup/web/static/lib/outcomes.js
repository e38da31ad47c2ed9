// How a hand ended against the dealer's, in words. The result comes from the server: the net amount does
// not show it, because side wagers may win where the hand loses.

import { formatMoney } from "./money.js";
import { sortByWager, titleCase } from "./text.js";

/** For the player whose hand it was. @type {Record<string, string>} */
export const HEADLINES = {
  win: "You win",
  lose: "The dealer wins",
  push: "Push",
  fold: "You folded",
  void: "Your hand is void",
};

/** In lists of rounds. @type {Record<string, string>} */
const PAST_RESULTS = { win: "won", lose: "lost", push: "push", fold: "folded", void: "void" };

/** The results, in the order in which they are listed. */
export const RESULTS = Object.keys(PAST_RESULTS);

/** How a hand ended, in a list of rounds. @param {string} result */
export function pastResult(result) {
  return PAST_RESULTS[result] ?? result;
}

/**
 * What a void hand got back and what was settled nevertheless: "Returned: Ante, Odds. Trips Plus loses $5.00."
 * @param {Object<string, import("./state.js").LineView>} wagers
 * @param {Object<string, string>} labels
 */
export function voidText(wagers, labels) {
  const lines = sortByWager(wagers);
  /** @param {string} wager */
  const name = (wager) => labels[wager] ?? titleCase(wager);
  const returned = lines.filter(([, line]) => line.result === "void").map(([wager]) => name(wager));
  const settled = lines.filter(([, line]) => line.result !== "void").map(([wager, line]) =>
    `${name(wager)} ${settledText(line)}.`
  );
  return [returned.length ? `Returned: ${returned.join(", ")}.` : "", ...settled].filter(Boolean).join(" ");
}

/** @param {{result: string, net: string}} line */
function settledText({ result, net }) {
  if (result === "push") return "pushes";
  return `${result === "win" ? "wins" : "loses"} ${formatMoney(net.replace("-", ""))}`;
}

/**
 * Before a void hand is settled: "Stakes are returned; Trips Plus is settled." @param {string[]} settles
 * @param {Record<string, any> | null | undefined} stakes @param {Record<string, string>} labels
 */
export function voidOutlook(settles, stakes, labels) {
  const staked = settles.filter((wager) => !stakes || wager in stakes).map((wager) =>
    labels[wager] ?? titleCase(wager)
  );
  return staked.length ? `Stakes are returned; ${staked.join(", ")} is settled.` : "Stakes are returned.";
}
