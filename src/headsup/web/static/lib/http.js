// HTTP requests to the server. Every answer is JSON; a refusal is thrown as `Declined`.

const RETRY_MILLISECONDS = 3000;
const UNREACHABLE = "unreachable";
const NO_ANSWER = "The server is not responding. Check your connection and try again in a moment.";
const RETRYING = "The server is not responding. This page keeps trying; meanwhile, check your connection.";

/** The server refused: `code` is for programs, the message for people. */
export class Declined extends Error {
  constructor(/** @type {string} */ code, /** @type {string} */ message) {
    super(message);
    this.code = code;
  }
}

/**
 * Throws `Declined` if the server refuses or does not answer.
 * @param {string} path @param {object} [body] @returns {Promise<any>}
 */
export function post(path, body = undefined) {
  return request(path, {
    method: "POST",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** @param {string} path @returns {Promise<any>} */
export function get(path) {
  return request(path, {});
}

/**
 * Repeat `act` until the server can be reached; `say` shows a message meanwhile.
 * @template T
 * @param {() => Promise<T>} act @param {(sentence: string) => unknown} say
 */
export async function retryUntilReached(act, say) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Declined) || error.code !== UNREACHABLE) throw error;
      say(RETRYING);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  }
}

/** @param {string} path @param {RequestInit} options */
async function request(path, options) {
  const { response, body } = await fetchJson(path, options);
  // A refused command is answered as over the socket, every other refusal in `error`.
  const refusal = body.error ?? { ...body, message: body.say };
  if (!response.ok) throw new Declined(refusal.code ?? "", refusal.message ?? "");
  return body;
}

/**
 * An answer that is not JSON comes from a proxy: the server itself was not reached.
 * @param {string} path @param {RequestInit} options
 */
async function fetchJson(path, options) {
  try {
    const response = await fetch(path, options);
    const text = await response.text();
    return { response, body: text ? JSON.parse(text) : {} };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) throw new Declined(UNREACHABLE, NO_ANSWER);
    throw error;
  }
}

/** A new id for a command. `crypto.randomUUID` needs HTTPS, which a house network may not have. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
