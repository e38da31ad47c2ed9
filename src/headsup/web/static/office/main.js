// The back office: tables, rounds and replays, money, events, people, table setup. Each part has its own
// address under `#/…` and loads its data when opened.

/** @import { Person } from "../lib/session.js" */

import { el, fill, find, setShown } from "../lib/dom.js";
import { attempt, readAddress, startPage, whoAmI } from "../lib/session.js";
import { askApproval, drawBar, drawEntry, drawRefused, LOGGED_OUT, staffOnlyNotice } from "../lib/staff-page.js";
import { openAccounts } from "./accounts.js";
import { openBooks } from "./books.js";
import { openChips } from "./chips.js";
import { openIncidents } from "./incidents.js";
import { openReplay, openRounds } from "./rounds.js";
import { openSetup } from "./setup.js";
import { openTables } from "./tables.js";
import { openTakings } from "./takings.js";

const STAFF = ["dealer", "supervisor", "administrator", "auditor"];
const BOOKS = ["supervisor", "administrator", "auditor"];

/** @type {{id: string, text: string, roles: string[], open: (page: Page) => Promise<unknown>}[]} */
const PARTS = [
  { id: "tables", text: "Tables", roles: STAFF, open: openTables },
  { id: "rounds", text: "Rounds", roles: STAFF, open: openRounds },
  { id: "win", text: "Win and hold", roles: BOOKS, open: openTakings },
  { id: "chips", text: "Real chips", roles: STAFF, open: openChips },
  { id: "books", text: "Books", roles: BOOKS, open: openBooks },
  { id: "events", text: "Events", roles: BOOKS, open: openIncidents },
  { id: "people", text: "People", roles: BOOKS, open: openAccounts },
  { id: "setup", text: "Set up", roles: ["supervisor", "administrator"], open: openSetup },
];
const DEALS = ["dealer", "supervisor"];
const LINKS = [["/console", "Console"]];

const state = {
  /** @type {Person | null} */
  person: null,
  opened: 0, // how many parts were opened: an older one shows nothing any more
};

/** @typedef {ReturnType<typeof makePage>} Page */

/**
 * What a part gets: its address, the person, and functions to show things and to act.
 * @param {string[]} path @param {URLSearchParams} query
 */
function makePage(path, query) {
  const mine = ++state.opened;
  return {
    path,
    query,
    person: /** @type {Person} */ (state.person), // a part is only opened for somebody
    show: (/** @type {any[]} */ ...content) => {
      if (mine === state.opened) {
        find("page").replaceChildren(...content.flat().filter((child) => child !== "" && child !== null));
      }
    },
    isOpen: () => mine === state.opened,
    attempt: tryHere,
    askApproval,
    reload: followAddress,
  };
}

/** Do it, and show what the server refuses. Resolves to whether it was done. @param {() => Promise<unknown>} act */
async function tryHere(act) {
  let isDone = false;
  let isLoggedOut = false;
  await attempt(
    async () => {
      await act();
      isDone = true;
    },
    (sentence) => drawRefused(isLoggedOut ? LOGGED_OUT : sentence),
    async (refusal) => {
      isLoggedOut = refusal.code === "not_logged_in";
      if (isLoggedOut) await enter().catch(() => {});
    },
  );
  return isDone;
}

async function followAddress() {
  const { parts: [id, ...rest], query } = readAddress();
  const part = id === "round" ? null : (PARTS.find((one) => one.id === id) ?? PARTS[0]);
  drawParts(part?.id ?? "rounds");
  document.title = `${part?.text ?? "Round"} · office`;
  const page = makePage(rest, query);
  page.show(el("p", { class: "none", role: "status" }, "Loading…"));
  const done = await tryHere(() => (part ? part.open(page) : openReplay(page)));
  if (!done) {
    page.show(
      el(
        "p",
        { class: "none" },
        "This page could not be loaded. ",
        el("button", { type: "button", name: "again", onclick: followAddress }, "Try again"),
      ),
    );
  }
}

/** @param {string} current */
function drawParts(current) {
  const role = state.person?.role ?? "";
  const mine = PARTS.filter((part) => part.roles.includes(role));
  fill(
    "parts",
    [current, role],
    () =>
      mine.map((part) =>
        el("a", { href: `#/${part.id}`, "aria-current": part.id === current ? "page" : undefined }, part.text)
      ),
  );
}

async function enter() {
  const visitor = await whoAmI();
  const person = visitor && visitor.role !== "player" ? visitor : null;
  state.person = person;
  drawBar(person, DEALS.includes(person?.role ?? "") ? LINKS : []);
  setShown("entry", person === null);
  setShown("page", person !== null);
  drawRefused(staffOnlyNotice(visitor, "office"));
  if (person === null) return drawEntry(enter);
  await followAddress();
}

window.addEventListener("hashchange", () => {
  if (state.person) followAddress();
});
await startPage(enter, drawRefused);
