// Asking the server about training, and waiting for what the solver still works on.

import { Declined, get, post } from "./connection.js";

const AGAIN = 700; // milliseconds until it is asked again

/**
 * @typedef {{exact: string, decimal: string}} Exact  a fraction, and as people read it
 *
 * @typedef {object} Option
 * @property {"raise" | "check" | "fold"} action
 * @property {number | null} multiple
 * @property {string} name  such as "Raise 3×"
 * @property {Exact} ev  in Antes, over the whole round
 * @property {Exact} cost  what it gives away
 * @property {string | null} dollars
 *
 * @typedef {object} Hand  a decision with the value of every option
 * @property {"pocket" | "flop" | "river"} street
 * @property {string} kind_words
 * @property {string} rules
 * @property {string} hole
 * @property {string} board
 * @property {Option[]} options
 * @property {number} best  a place among the options
 * @property {number | null} chosen
 * @property {string} explanation
 * @property {string} verdict
 * @property {{win: Exact, tie: Exact, lose: Exact} | null} showdown
 * @property {boolean} told
 * @property {string} at
 * @property {string} place
 */

/**
 * Ask until the answer is ready; `waiting` is told once when it is not. An `AbortSignal` ends it.
 * @param {() => Promise<any>} ask @param {() => void} waiting @param {AbortSignal} [signal]
 */
export async function untilReady(ask, waiting = () => {}, signal = undefined) {
  let told = false;
  for (;;) {
    const answer = await patient(ask);
    if (signal?.aborted) return null;
    if (answer.ready !== false) return answer;
    if (!told) waiting();
    told = true;
    await pause();
    if (signal?.aborted) return null;
  }
}

/** Who asks too often waits a little and asks again. */
async function patient(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Declined) || error.code !== "too_many_questions") throw error;
      await pause();
    }
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, AGAIN));
}

const AT = "/api/training";

/** Where a hand is explored, under the rules of a table or a book. */
export function exploring(game, hole, board) {
  return `/train?game=${encodeURIComponent(game)}#explore/${hole}/${board}`;
}

export const PAGE = `${AT}/summary`;
export const PICTURE = `${PAGE}?picture=true`;
export const games = () => get(`${AT}/games`);
export const coach = (table, mode) => post(`${AT}/coach`, { table, mode });
export const values = (game, hole, board) => post(`${AT}/values`, { game, hole, board });
export const chart = (game) => get(`${AT}/chart?game=${encodeURIComponent(game)}`);
export const question = (game, street, kind) => post(`${AT}/drill`, { game, street, kind });
export const answer = (id, { action, multiple }) => post(`${AT}/drill/answer`, { id, action, multiple });
export const score = () => get(`${AT}/score`);
export const rounds = () => get(`${AT}/rounds`);

export async function forget() {
  const answered = await fetch(`${AT}/notes`, { method: "DELETE" });
  if (!answered.ok) throw new Declined("", "What is remembered could not be forgotten.");
}
