// Requests about training. The server may still be solving the game, so some are polled.

import { Declined, get, post } from "./http.js";

const POLL_MILLISECONDS = 700;

/**
 * @typedef {{exact: string, decimal: string}} Exact  a fraction, and its decimals
 *
 * @typedef {object} Option
 * @property {"raise" | "check" | "fold"} action
 * @property {number | null} multiple
 * @property {string} name  such as "Raise 3×"
 * @property {Exact} ev  in Antes, over the whole round
 * @property {Exact} cost  how much worse it is than the best option
 * @property {string | null} dollars
 *
 * @typedef {object} Hand  a decision, with the value of every option
 * @property {"pocket" | "flop" | "river"} street
 * @property {string} kind_words
 * @property {string} rules
 * @property {string} hole
 * @property {string} board
 * @property {Option[]} options
 * @property {number} best  index of the best option
 * @property {number | null} chosen  index of the chosen option
 * @property {string} explanation
 * @property {string} verdict
 * @property {{win: Exact, tie: Exact, lose: Exact} | null} showdown
 * @property {boolean} told
 * @property {string} at
 * @property {string} place
 */

/**
 * Poll until the answer is ready. Resolves to null if the signal aborts it.
 * @param {() => Promise<any>} request @param {() => void} onWait  called once, if it is not ready at once
 * @param {AbortSignal} [signal]
 */
export async function pollUntilReady(request, onWait = () => {}, signal = undefined) {
  let isFirst = true;
  for (;;) {
    const answer = await requestPatiently(request);
    if (signal?.aborted) return null;
    if (answer.ready !== false) return answer;
    if (isFirst) onWait();
    isFirst = false;
    await pause();
    if (signal?.aborted) return null;
  }
}

/** Repeats the request after a pause when the server says there were too many. */
async function requestPatiently(request) {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Declined) || error.code !== "too_many_questions") throw error;
      await pause();
    }
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
}

const API = "/api/training";

/** The explorer's address for a hand, under the rules of a table or rule book. */
export function explorerLink(game, hole, board) {
  return `/train?game=${encodeURIComponent(game)}#explore/${hole}/${board}`;
}

export const SUMMARY_URL = `${API}/summary`;
export const PICTURE_URL = `${SUMMARY_URL}?picture=true`;
export const games = () => get(`${API}/games`);
export const coach = (table, mode) => post(`${API}/coach`, { table, mode });
export const values = (game, hole, board) => post(`${API}/values`, { game, hole, board });
export const chart = (game) => get(`${API}/chart?game=${encodeURIComponent(game)}`);
export const question = (game, street, kind) => post(`${API}/drill`, { game, street, kind });
export const answer = (id, { action, multiple }) => post(`${API}/drill/answer`, { id, action, multiple });
export const score = () => get(`${API}/score`);
export const rounds = () => get(`${API}/rounds`);

export async function deleteHistory() {
  const response = await fetch(`${API}/notes`, { method: "DELETE" });
  if (!response.ok) throw new Declined("", "Your training history could not be deleted.");
}
