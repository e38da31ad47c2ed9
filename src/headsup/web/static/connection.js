// One socket to the server: opened with a ticket, opened again when it is lost. What was asked and
// not yet answered is asked again with the same id, which the server carries out only once.

const FIRST_WAIT = 250; // milliseconds before the first new attempt; each further one waits longer
const LONGEST_WAIT = 5000;
const PING = 20_000; // how long it may be silent before it is asked whether it still lives
const DEAD = 10_000; // and how long after that it is given up
// After these the server does not want us back.
const FOR_GOOD = new Set(["logged_out", "replaced"]);

const AGAIN = 3000; // milliseconds until a server that does not answer is asked again
const UNREACHABLE = "unreachable";
const NO_ANSWER = "The server does not answer. Check your connection, and try again in a moment.";
const ASKED_AGAIN = "The server does not answer. This page asks again by itself; check your connection meanwhile.";

/** The server refused: `code` for programs, the message for people. */
export class Declined extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Connection {
  /**
   * @param {object} told
   * @param {(message: any) => void} told.message  every message of the server
   * @param {(status: "connecting" | "open" | "lost" | "ended") => void} told.status
   * @param {() => {table: string, viewer: string, after: number | null} | null} told.watched
   *   what to watch once the socket is open, and the last index seen of it
   * @param {() => Promise<{ticket: string}>} [told.ticket]  how a ticket is got, if not by log-in
   */
  constructor({ message, status, watched, ticket = () => post("/api/ticket") }) {
    this.told = { message, status, watched, ticket };
    /** @type {Map<string, {text: string, resolve: (index: number) => void, reject: (error: Error) => void}>} */
    this.unanswered = new Map();
    /** @type {WebSocket | "opening" | null} */
    this.wire = null;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.welcome = false;
    this.ended = false;
  }

  /** Open the socket; safe to call when it is open or being opened. */
  async open() {
    if (this.wire || this.ended) return;
    clearTimeout(this.timer);
    this.wire = "opening";
    this.told.status("connecting");
    try {
      const { ticket } = await this.told.ticket();
      this.attach(ticket);
    } catch (error) {
      this.wire = null;
      if (error instanceof Declined && error.code === "not_logged_in") this.end();
      else this.later();
    }
  }

  /**
   * Ask a command of a table; the index of its entry, or `Declined`.
   * @param {string} table @param {object} command
   * @param {{name: string, password: string}} [approval] of a second person, for what takes two
   */
  ask(table, command, approval = undefined) {
    const id = newId();
    const text = JSON.stringify({ type: "ask", id, table, command, approval });
    return new Promise((resolve, reject) => {
      this.unanswered.set(id, { text, resolve, reject });
      this.say(text);
    });
  }

  /** Watch what `watched` says, from now on. */
  watch() {
    const watched = this.told.watched();
    if (watched) this.say(JSON.stringify({ type: "watch", ...watched }));
  }

  unwatch(table) {
    this.say(JSON.stringify({ type: "unwatch", table }));
  }

  /** Close for good. */
  end() {
    this.ended = true;
    clearTimeout(this.timer);
    if (this.wire instanceof WebSocket) this.wire.close();
    this.told.status("ended");
  }

  /** Open again what the server has ended, because its user wants to be here after all. */
  again() {
    this.ended = false;
    this.welcome = false;
    this.wire = null;
    return this.open();
  }

  say(text) {
    if (this.welcome) /** @type {WebSocket} */ (this.wire).send(text);
  }

  attach(ticket) {
    const address = new URL("/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const wire = new WebSocket(address);
    this.wire = wire;
    wire.addEventListener("open", () => wire.send(JSON.stringify({ type: "hello", ticket })));
    wire.addEventListener("message", ({ data }) => this.take(JSON.parse(data)));
    wire.addEventListener("close", () => this.lost(wire));
    this.listenFor(PING);
  }

  take(message) {
    this.listenFor(PING);
    if (message.type === "welcome") this.welcomed();
    if (message.type === "closing" && FOR_GOOD.has(message.code)) this.end();
    this.told.message(message);
    if (message.type === "answered") this.settle(message.id)?.resolve(message.index);
    if (message.type === "declined" && message.id !== null) {
      this.settle(message.id)?.reject(new Declined(message.code, message.message));
    }
  }

  welcomed() {
    this.welcome = true;
    this.wait = FIRST_WAIT;
    this.told.status("open");
    this.watch();
    for (const { text } of this.unanswered.values()) this.say(text);
  }

  settle(id) {
    const asked = this.unanswered.get(id);
    this.unanswered.delete(id);
    return asked;
  }

  lost(wire) {
    if (wire !== this.wire) return;
    this.wire = null;
    this.welcome = false;
    clearTimeout(this.silence);
    if (!this.ended) this.later();
  }

  later() {
    this.told.status("lost");
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  listenFor(milliseconds) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (milliseconds === DEAD) {
        const wire = this.wire;
        this.lost(wire);
        if (wire instanceof WebSocket) wire.close();
      } else {
        this.say('{"type":"ping"}');
        this.listenFor(DEAD);
      }
    }, milliseconds);
  }
}

/**
 * Ask the server over HTTP; `Declined` where it says no, or does not answer.
 * @param {string} path @param {object} [body] @returns {Promise<any>}
 */
export function post(path, body = undefined) {
  return answer(path, {
    method: "POST",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** @param {string} path @returns {Promise<any>} */
export function get(path) {
  return answer(path, {});
}

/** Do what a page begins with, however long the server does not answer; meanwhile that is said. */
export async function untilReached(act, say) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Declined) || error.code !== UNREACHABLE) throw error;
      say(ASKED_AGAIN);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

async function answer(path, asked) {
  const { response, body } = await fetched(path, asked);
  // A command that is declined says so itself; all else in an error.
  const said = body.error ?? body;
  if (!response.ok) throw new Declined(said.code ?? "", said.message ?? "");
  return body;
}

/** What came back, as long as it is the server's own: what stands before it answers in pages. */
async function fetched(path, asked) {
  try {
    const response = await fetch(path, asked);
    const text = await response.text();
    return { response, body: text ? JSON.parse(text) : {} };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) throw new Declined(UNREACHABLE, NO_ANSWER);
    throw error;
  }
}

/** A new id for a command; also where the page came over plain HTTP from another machine. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
