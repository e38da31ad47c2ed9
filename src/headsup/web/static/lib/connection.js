// The socket to the server. It is opened with a ticket and reopened when it is lost. Commands that
// were not answered yet are sent again with the same id; the server carries each out only once. The view of
// the table that is watched is held here: if a change does not fit, the whole view is asked for.

import { Declined, newId, post } from "./http.js";
import { applyChange, holdView } from "./parts.js";

const PROTOCOL = 2;

const MIN_WAIT = 250; // milliseconds before the first attempt to reconnect; each wait is twice the last
const MAX_WAIT = 1000; // for the first attempts: another server takes a table over within seconds
const PATIENT_WAIT = 5000; // after that
const EAGER_ATTEMPTS = 12;
// Milliseconds of silence until a ping is sent, and then until the socket is given up.
const IDLE = { ping: 4000, dead: 2500 };
const WAITING = { ping: 1500, dead: 1500 }; // while a command is unanswered
const OPENING = { ping: 1500, dead: 1500 }; // a ping has no effect yet
// The server closes with these codes when we must not reconnect.
const FINAL_CODES = new Set(["logged_out", "replaced"]);

export class Connection {
  /**
   * @param {object} handlers
   * @param {(message: any) => void} handlers.message  gets every message of the server
   * @param {(status: "connecting" | "open" | "lost" | "ended") => void} handlers.status
   *   A `view` or `change` comes with all `parts` of the view, and with the `events` that led to it.
   * @param {() => {table: string, viewer: string, with?: string[]} | null} handlers.watched
   *   what to watch once the socket is open
   * @param {(table: string | undefined) => Promise<{ticket: string, socket: string}>} [handlers.ticket]
   *   where tickets come from, if not from the log-in
   */
  constructor({ message, status, watched, ticket = logInTicket }) {
    this.handlers = { message, status, watched, ticket };
    /** @type {Map<string, {text: string, resolve: (index: number) => void, reject: (error: Error) => void}>} */
    this.unanswered = new Map();
    /** @type {import("./parts.js").Held | null} */
    this.held = null;
    /** @type {WebSocket | "opening" | null} */
    this.socket = null;
    this.attempts = 0;
    this.timer = 0;
    this.silence = 0;
    this.isWelcome = false;
    this.hasEnded = false;
  }

  /** Open the socket. Safe to call when it is open or being opened. */
  async open() {
    if (this.socket || this.hasEnded) return;
    clearTimeout(this.timer);
    this.socket = "opening";
    this.handlers.status("connecting");
    try {
      this.attach(await this.handlers.ticket(this.handlers.watched()?.table));
    } catch (error) {
      this.socket = null;
      if (error instanceof Declined && error.code === "not_logged_in") this.end();
      else this.reopenLater();
    }
  }

  /**
   * Send a command to a table. Resolves to the index of its log entry; rejects with `Declined`.
   * @param {string} table @param {object} command
   * @param {{name: string, password: string}} [approval] by a second person, for commands that need one
   */
  ask(table, command, approval = undefined) {
    const id = newId();
    const text = JSON.stringify({ type: "ask", id, table, command, approval });
    return this.request(id, text);
  }

  /** @param {string} id @param {string} text @returns {Promise<number>} */
  request(id, text) {
    return new Promise((resolve, reject) => {
      this.unanswered.set(id, { text, resolve, reject });
      this.send(text);
    });
  }

  /** Do the step that is due, by its key; with the line that was typed for it, if any.
   * @param {string} table @param {string | undefined} key @param {string} [line] */
  askDue(table, key, line = undefined) {
    const id = newId();
    return this.request(id, JSON.stringify({ type: "ask", id, table, due: key, line }));
  }

  /** Watch what `handlers.watched` names. The answer is the whole view, with what was missed. */
  watch() {
    const watched = this.handlers.watched();
    if (!watched) return;
    const isSame = this.held?.table === watched.table && this.held.viewer === watched.viewer;
    if (!isSame) this.held = null;
    this.send(JSON.stringify({ type: "watch", ...watched, after: this.held?.index }));
  }

  /** @param {string} table */
  unwatch(table) {
    this.send(JSON.stringify({ type: "unwatch", table }));
  }

  /** Do not send what was not answered yet again. What has reached the server is done nevertheless. */
  forgetUnanswered() {
    const requests = [...this.unanswered.values()];
    this.unanswered.clear();
    requests.forEach(({ reject }) => reject(new Declined("cancelled", "")));
  }

  /** Close for good. */
  end() {
    this.hasEnded = true;
    clearTimeout(this.timer);
    if (this.socket instanceof WebSocket) this.socket.close();
    this.handlers.status("ended");
  }

  /** Open again after the server ended it, because the user wants to play here after all. */
  reopen() {
    this.hasEnded = false;
    this.isWelcome = false;
    this.socket = null;
    return this.open();
  }

  /** @param {string} text */
  send(text) {
    if (!this.isWelcome) return;
    /** @type {WebSocket} */ (this.socket).send(text);
    if (this.unanswered.size) this.watchSilence(WAITING);
  }

  /** @param {{ticket: string, socket: string}} to  the address of the server that runs the table */
  attach({ ticket, socket: path }) {
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener(
      "open",
      () => socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, ticket, language: navigator.language })),
    );
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.receive(JSON.parse(data));
    });
    socket.addEventListener("close", () => this.lose(socket));
    this.watchSilence(OPENING);
  }

  /** @param {any} message  of the server */
  receive(message) {
    if (message.type === "moved") return this.move();
    if (message.type === "welcome") this.beWelcome();
    if (message.type === "closing" && FINAL_CODES.has(message.code)) this.end();
    if (message.type === "view") this.takeView(message);
    else if (message.type === "change") this.takeChange(message);
    else this.handlers.message(message);
    if (message.type === "reply") this.takeUnanswered(message.id)?.resolve(message.index);
    if (message.type === "refusal" && message.id !== null) {
      this.takeUnanswered(message.id)?.reject(new Declined(message.code, message.say));
    }
    this.watchSilence(this.unanswered.size ? WAITING : IDLE);
  }

  /** Another server runs the table now: open its socket at once. */
  move() {
    const socket = this.socket;
    this.socket = null;
    this.isWelcome = false;
    clearTimeout(this.silence);
    if (socket instanceof WebSocket) socket.close();
    this.open();
  }

  /** @param {any} message */
  takeView(message) {
    const watched = this.handlers.watched();
    if (!watched || watched.table !== message.table) return;
    this.held = holdView(message, watched.viewer);
    this.handlers.message({ ...message, events: message.missed ?? [] });
  }

  /** @param {any} message */
  takeChange(message) {
    if (this.held === null || this.held.table !== message.table || message.version <= this.held.version) return;
    const held = applyChange(this.held, message);
    if (held === null) return this.watch();
    this.held = held;
    this.handlers.message({ ...message, events: message.events ?? [], parts: held.parts });
  }

  beWelcome() {
    this.isWelcome = true;
    this.attempts = 0;
    this.handlers.status("open");
    this.watch();
    for (const { text } of this.unanswered.values()) this.send(text);
  }

  /** @param {string} id */
  takeUnanswered(id) {
    const request = this.unanswered.get(id);
    this.unanswered.delete(id);
    return request;
  }

  /** @param {WebSocket | "opening" | null} socket */
  lose(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.isWelcome = false;
    clearTimeout(this.silence);
    if (!this.hasEnded) this.reopenLater();
  }

  reopenLater() {
    this.handlers.status("lost");
    const most = this.attempts < EAGER_ATTEMPTS ? MAX_WAIT : PATIENT_WAIT;
    const wait = Math.min(MIN_WAIT * 2 ** this.attempts, most);
    this.attempts += 1;
    this.timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  /**
   * Give the socket up after this silence. A server that is frozen keeps its connections open.
   * @param {{ping: number, dead: number}} milliseconds
   */
  watchSilence({ ping, dead }) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (this.isWelcome) /** @type {WebSocket} */ (this.socket).send('{"type":"ping"}');
      this.silence = setTimeout(() => {
        const socket = this.socket;
        this.lose(socket);
        if (socket instanceof WebSocket) socket.close();
      }, dead);
    }, ping);
  }
}

/** A ticket for the person who is logged in. @param {string | undefined} table */
function logInTicket(table) {
  return post("/api/ticket", table ? { table } : undefined);
}
