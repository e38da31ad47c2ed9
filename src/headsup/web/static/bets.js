// Bets before they are placed: chips put down, taken back, doubled. No drawing, no rules: the limits
// are those that the table has posted, and whether the bets stand is the server's to say.

import { inCents } from "./words.js";

/**
 * @typedef {Object<string, number>} Stakes  cents by wager
 * @typedef {object} Draft
 * @property {Stakes} stakes
 * @property {Stakes[]} before  what they were, the last change last
 * @property {string} note  why the last chip did not go down, or ""
 */

/** Ante and Odds are bet together: the one follows the other. */
const TOGETHER = ["ante", "odds"];

/** @type {Draft} */
export const NOTHING = Object.freeze({ stakes: {}, before: [], note: "" });

/** The wagers that a spot of the felt stands for. @param {string} wager */
export function wagersOf(wager) {
  return TOGETHER.includes(wager) ? TOGETHER : [wager];
}

/** @param {Stakes} stakes */
export function total(stakes) {
  return Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
}

/** What is posted for a wager, in cents; null where there is no such limit.
 * @returns {{min: number | null, max: number | null, only: number | null}} */
export function limitsOf(posted, wager) {
  const only = wager === "progressive" && posted.progressive_stake ? inCents(posted.progressive_stake) : null;
  const name = wager === "odds" ? "ante" : wager;
  const limit = posted.limits.find((one) => one.wager === name) ?? {};
  const most = [limit.max, posted.single_wager_max].filter(Boolean).map(inCents);
  return { min: limit.min ? inCents(limit.min) : null, max: most.length ? Math.min(...most) : null, only };
}

/**
 * One more chip on a spot. The first brings a wager to its minimum, the last to its maximum; a
 * wager with one price is on or off.
 * @param {Draft} draft @param {string} wager @param {number} chip @param {any} posted
 * @param {number} chips what the player has, in cents @returns {Draft}
 */
export function add(draft, wager, chip, posted, chips) {
  const held = draft.stakes[wager] ?? 0;
  const { min, max, only } = limitsOf(posted, wager);
  if (only !== null) return held ? put(draft, wager, 0) : within(draft, wager, only, chips);
  const wanted = Math.max(held + chip, min ?? 0);
  const stake = max === null ? wanted : Math.min(wanted, max);
  if (stake === held) return { ...draft, note: "max" };
  return within(draft, wager, stake, chips);
}

/** @returns {Draft} */
function within(draft, wager, stake, chips) {
  const next = put(draft, wager, stake);
  return total(next.stakes) > chips ? { ...draft, note: "chips" } : next;
}

/** @returns {Draft} */
function put(draft, wager, stake) {
  const { ...stakes } = draft.stakes;
  for (const one of wagersOf(wager)) {
    if (stake) stakes[one] = stake;
    else delete stakes[one];
  }
  return changed(draft, stakes);
}

/** @returns {Draft} */
function changed(draft, stakes) {
  return { stakes, before: [...draft.before, draft.stakes], note: "" };
}

/** The chips of one spot taken back. @returns {Draft} */
export function remove(draft, wager) {
  return draft.stakes[wager] ? put(draft, wager, 0) : draft;
}

/** The last change taken back. @returns {Draft} */
export function undo(draft) {
  if (!draft.before.length) return draft;
  return { stakes: draft.before.at(-1) ?? {}, before: draft.before.slice(0, -1), note: "" };
}

/** @returns {Draft} */
export function clear(draft) {
  return total(draft.stakes) ? changed(draft, {}) : draft;
}

/** The bets of an earlier round again, as far as they are offered and the chips reach.
 * @returns {Draft} */
export function rebet(draft, stakes, offered, chips) {
  const again = Object.fromEntries(Object.entries(stakes).filter(([wager]) => offered.includes(wager)));
  if (total(again) > chips) return { ...draft, note: "chips" };
  return changed(draft, again);
}

/** Every stake twice, up to its maximum. @returns {Draft} */
export function double(draft, posted, chips) {
  const stakes = Object.fromEntries(
    Object.entries(draft.stakes).map(([wager, stake]) => {
      const { max, only } = limitsOf(posted, wager);
      return [wager, only ?? Math.min(stake * 2, max ?? stake * 2)];
    }),
  );
  if (total(stakes) > chips) return { ...draft, note: "chips" };
  return total(stakes) === total(draft.stakes) ? { ...draft, note: "max" } : changed(draft, stakes);
}

/** The last bets lie ready for the next round, if the chips reach; otherwise the least Ante. Nothing
 * of it is placed, and nothing of it is a change to take back. @returns {Draft} */
export function ready(stakes, posted, offered, chips) {
  const again = rebet(NOTHING, stakes, offered, chips);
  return again.note || !total(again.stakes) ? first(posted, chips) : { ...NOTHING, stakes: again.stakes };
}

/** What a newcomer is shown: the least Ante that the table takes. @returns {Draft} */
export function first(posted, chips) {
  const { min } = limitsOf(posted, "ante");
  const stake = min ?? 100;
  return 2 * stake > chips ? NOTHING : { ...NOTHING, stakes: { ante: stake, odds: stake } };
}
