// Requests about training. The server may still be solving the game, so some are polled.

/**
 * @import {
 *   ChartResponse, CoachResponse, DrillAnswerResponse, DrillResponse, GamesResponse, HandKindView, ReviewResponse,
 *   ScoreResponse, ValuesResponse
 * } from "./wire.d.ts"
 */

import { Declined, get, post } from "./http.js";

/**
 * What each part of the training page gets: the chosen rules, the kinds of hand, and a function that does
 * something and shows what the server refuses. It resolves to null after a refusal.
 * @typedef {{game: string, kinds: HandKindView[], attempt: <T>(act: () => Promise<T>) => Promise<T | null>}} Context
 */

const POLL_MILLISECONDS = 700;

/**
 * Poll until the answer is ready. Resolves to null if the signal aborts it.
 * @template {{ready?: boolean}} T
 * @param {() => Promise<T>} request @param {() => void} onWait  called once, if it is not ready at once
 * @param {AbortSignal} [signal]
 * @returns {Promise<T | null>}
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

/**
 * Repeats the request after a pause when the server says there were too many.
 * @template T
 * @param {() => Promise<T>} request @returns {Promise<T>}
 */
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

/**
 * The explorer's address for a hand, under the rules of a table or rule book.
 * @param {string} game @param {string} hole @param {string} board
 */
export function explorerLink(game, hole, board) {
  return `/train?game=${encodeURIComponent(game)}#explore/${hole}/${board}`;
}

export const SUMMARY_URL = `${API}/summary`;
export const PICTURE_URL = `${SUMMARY_URL}?picture=true`;
/** @returns {Promise<GamesResponse>} */
export const games = () => get(`${API}/games`);
/** @param {string} table @param {string} mode @returns {Promise<CoachResponse>} */
export const coach = (table, mode) => post(`${API}/coach`, { table, mode });
/** @param {string} game @param {string} hole @param {string} board @returns {Promise<ValuesResponse>} */
export const values = (game, hole, board) => post(`${API}/values`, { game, hole, board });
/** @param {string} game @returns {Promise<ChartResponse>} */
export const chart = (game) => get(`${API}/chart?game=${encodeURIComponent(game)}`);
/** @param {string} game @param {string} street @param {string} kind @returns {Promise<DrillResponse>} */
export const question = (game, street, kind) => post(`${API}/drill`, { game, street, kind });
/** @param {string} id @param {{action: string, multiple: number | null}} choice @returns {Promise<DrillAnswerResponse>} */
export const answer = (id, { action, multiple }) => post(`${API}/drill/answer`, { id, action, multiple });
/** @returns {Promise<ScoreResponse>} */
export const score = () => get(`${API}/score`);
/** @returns {Promise<ReviewResponse>} */
export const rounds = () => get(`${API}/rounds`);

export async function deleteHistory() {
  const response = await fetch(`${API}/notes`, { method: "DELETE" });
  if (!response.ok) throw new Declined("", "Your training history could not be deleted.");
}
