// Bets before they are placed: adding chips, removing them, doubling. It draws nothing and knows no
// rules: limits are the posted ones, and the server decides whether bets are valid.

import { centsOf } from "./money.js";

/**
 * @typedef {Object<string, number>} Stakes  cents by wager
 * @typedef {{coupon: number, wager: string, amount: string, expires: string}} Coupon
 * @typedef {object} Bets
 * @property {Stakes} stakes  including those by coupon
 * @property {Object<string, Coupon>} coupons  by wager
 *
 * @typedef {object} Draft
 * @property {Stakes} stakes
 * @property {Object<string, Coupon>} coupons
 * @property {Bets[]} before  earlier bets, the latest last
 * @property {"" | "max" | "chips" | "sides"} note  why the last chip was not added
 */

/** Ante and Odds are bet together, in the same amount. */
const TOGETHER = ["ante", "odds"];

/** @type {Draft} */
export const NO_BETS = Object.freeze({ stakes: {}, coupons: {}, before: [], note: "" });

/** The wagers that a chip on this spot is added to. @param {string} wager */
export function wagersOf(wager) {
  return TOGETHER.includes(wager) ? TOGETHER : [wager];
}

/** @param {Stakes} stakes */
export function total(stakes) {
  return Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
}

/** What the bets cost in chips. @param {Bets} bets */
export function cost({ stakes, coupons }) {
  return total(stakes) - Object.values(coupons).reduce((sum, coupon) => sum + centsOf(coupon.amount), 0);
}

/** The number of the coupon on each wager. @param {Bets} bets */
export function couponNumbers({ coupons }) {
  return Object.fromEntries(Object.entries(coupons).map(([wager, { coupon }]) => [wager, coupon]));
}

/**
 * The posted limits of a wager, in cents; null where there is none.
 * @returns {{min: number | null, max: number | null, only: number | null}}
 * @param {any} posted @param {string} wager
 */
export function limitsOf(posted, wager) {
  const only = wager === "progressive" && posted.progressive_stake ? centsOf(posted.progressive_stake) : null;
  const name = wager === "odds" ? "ante" : wager;
  const limit = posted.limits.find((/** @type {any} */ one) => one.wager === name) ?? {};
  const maxima = [limit.max, posted.single_wager_max].filter(Boolean).map(centsOf);
  return { min: limit.min ? centsOf(limit.min) : null, max: maxima.length ? Math.min(...maxima) : null, only };
}

/**
 * Add a chip to a spot. The first chip is raised to the minimum, the last cut to the maximum. A wager
 * with one price is switched on or off.
 * @param {Draft} draft @param {string} wager @param {number} chip @param {any} posted
 * @param {number} chips that the player has, in cents @returns {Draft}
 */
export function add(draft, wager, chip, posted, chips) {
  const current = draft.stakes[wager] ?? 0;
  const { min, max, only } = limitsOf(posted, wager);
  if (!current && isOneSideTooMany(draft, wager, posted)) return { ...draft, note: "sides" };
  if (only !== null) return current ? setStake(draft, wager, 0) : setIfAffordable(draft, wager, only, chips);
  const wanted = Math.max(current + chip, min ?? 0);
  const stake = max === null ? wanted : Math.min(wanted, max);
  if (stake === current) return { ...draft, note: "max" };
  return setIfAffordable(draft, wager, stake, chips);
}

/**
 * Whether the table takes no further side bet beside those of the draft.
 * @param {Draft} draft @param {string} wager @param {any} posted
 */
function isOneSideTooMany(draft, wager, posted) {
  const most = posted.side_wagers_max;
  if (most === null || most === undefined || TOGETHER.includes(wager)) return false;
  return Object.keys(draft.stakes).filter((one) => !TOGETHER.includes(one) && one !== wager).length >= most;
}

/** @returns {Draft} @param {Draft} draft @param {string} wager @param {number} stake @param {number} chips */
function setIfAffordable(draft, wager, stake, chips) {
  const next = setStake(draft, wager, stake);
  return cost(next) > chips ? { ...draft, note: "chips" } : next;
}

/** @returns {Draft} @param {Draft} draft @param {string} wager @param {number} stake */
function setStake(draft, wager, stake, coupons = draft.coupons) {
  const { ...stakes } = draft.stakes;
  for (const key of wagersOf(wager)) {
    if (stake) stakes[key] = stake;
    else delete stakes[key];
  }
  return withStakes(draft, stakes, coupons);
}

/**
 * A coupon stays on its wager only while the stake is the coupon's amount. @returns {Draft}
 * @param {Draft} draft @param {Record<string, number>} stakes
 */
function withStakes(draft, stakes, coupons = draft.coupons) {
  const fitting = Object.entries(coupons).filter(([wager, coupon]) => stakes[wager] === centsOf(coupon.amount));
  const before = [...draft.before, { stakes: draft.stakes, coupons: draft.coupons }];
  return { stakes, coupons: Object.fromEntries(fitting), before, note: "" };
}

/**
 * Bet a coupon on its wager, or remove that bet. @param {Draft} draft @param {Coupon} coupon
 * @param {any} posted @param {number} chips @returns {Draft}
 */
export function toggleCoupon(draft, coupon, posted, chips) {
  if (draft.coupons[coupon.wager]?.coupon === coupon.coupon) return remove(draft, coupon.wager);
  if (isOneSideTooMany(draft, coupon.wager, posted)) return { ...draft, note: "sides" };
  const next = setStake(draft, coupon.wager, centsOf(coupon.amount), { ...draft.coupons, [coupon.wager]: coupon });
  return cost(next) > chips ? { ...draft, note: "chips" } : next;
}

/** Remove the chips of one spot. @returns {Draft} @param {Draft} draft @param {string} wager */
export function remove(draft, wager) {
  return draft.stakes[wager] ? setStake(draft, wager, 0) : draft;
}

/** Undo the last change. @returns {Draft} @param {Draft} draft */
export function undo(draft) {
  if (!draft.before.length) return draft;
  const { stakes, coupons } = draft.before.at(-1) ?? NO_BETS;
  return { stakes, coupons, before: draft.before.slice(0, -1), note: "" };
}

/** @returns {Draft} @param {Draft} draft */
export function clear(draft) {
  return total(draft.stakes) ? withStakes(draft, {}) : draft;
}

/**
 * Repeat earlier bets, except wagers that are no longer offered.
 * @returns {Draft}
 * @param {Draft} draft @param {Record<string, number>} stakes @param {string[]} offered @param {number} chips
 */
export function rebet(draft, stakes, offered, chips) {
  const again = Object.fromEntries(Object.entries(stakes).filter(([wager]) => offered.includes(wager)));
  if (total(again) > chips) return { ...draft, note: "chips" };
  return withStakes(draft, again);
}

/**
 * Double every stake, up to its maximum. @returns {Draft}
 * @param {Draft} draft @param {any} posted @param {number} chips
 */
export function double(draft, posted, chips) {
  const stakes = Object.fromEntries(
    Object.entries(draft.stakes).map(([wager, stake]) => {
      const { max, only } = limitsOf(posted, wager);
      return [wager, only ?? Math.min(stake * 2, max ?? stake * 2)];
    }),
  );
  const next = withStakes(draft, stakes);
  if (cost(next) > chips) return { ...draft, note: "chips" };
  return total(stakes) === total(draft.stakes) ? { ...draft, note: "max" } : next;
}

/**
 * A suggestion for the next round: the last bets, or the minimum Ante if they cannot be afforded. It is
 * not placed, and there is nothing to undo. @returns {Draft}
 * @param {Record<string, number>} stakes @param {any} posted @param {string[]} offered @param {number} chips
 */
export function suggestBets(stakes, posted, offered, chips) {
  const again = rebet(NO_BETS, stakes, offered, chips);
  return again.note || !total(again.stakes) ? minimumBets(posted, chips) : { ...NO_BETS, stakes: again.stakes };
}

/** The lowest Ante that the table takes, with its Odds. @returns {Draft} @param {any} posted @param {number} chips */
function minimumBets(posted, chips) {
  const { min } = limitsOf(posted, "ante");
  const stake = min ?? 100;
  return 2 * stake > chips ? NO_BETS : { ...NO_BETS, stakes: { ante: stake, odds: stake } };
}
