// The back office: tables, rounds and replays, money, events, people, table setup. Each part has its own
// address under `#/…` and loads its data when opened.

import { el, fill, find, setShown } from "../lib/dom.js";
import { Declined, retryUntilReached } from "../lib/http.js";
import { whoAmI } from "../lib/session.js";
import { askApproval, drawBar, drawEntry, drawRefused, LOGGED_OUT, staffOnlyNotice } from "../lib/staff-page.js";
import { addressParts } from "../lib/text.js";
import { openAccounts } from "./accounts.js";
import { openBooks } from "./books.js";
import { openIncidents } from "./incidents.js";
import { openReplay, openRounds } from "./rounds.js";
import { openSetup } from "./setup.js";
import { openTables } from "./tables.js";
import { openTakings } from "./takings.js";

const STAFF = ["dealer", "supervisor", "administrator", "auditor"];
const BOOKS = ["supervisor", "administrator", "auditor"];

/** @type {{id: string, text: string, roles: string[], open: (page: any) => Promise<any>}[]} */
const PARTS = [
  { id: "tables", text: "Tables", roles: STAFF, open: openTables },
  { id: "rounds", text: "Rounds", roles: STAFF, open: openRounds },
  { id: "win", text: "Win and hold", roles: BOOKS, open: openTakings },
  { id: "books", text: "Books", roles: BOOKS, open: openBooks },
  { id: "events", text: "Events", roles: BOOKS, open: openIncidents },
  { id: "people", text: "People", roles: BOOKS, open: openAccounts },
  { id: "setup", text: "Set up", roles: ["supervisor", "administrator"], open: openSetup },
];
const DEALS = ["dealer", "supervisor"];
const LINKS = [["/console", "Console"]];

let person = null;
let opened = 0;

/** What a part gets: its address, the person, and functions to show things and to act. */
function makePage(path, query) {
  const mine = ++opened;
  return {
    path,
    query,
    person,
    show: (...content) => {
      if (mine === opened) {
        find("page").replaceChildren(...content.flat().filter((child) => child !== "" && child !== null));
      }
    },
    isOpen: () => mine === opened,
    attempt,
    askApproval,
    reload: followAddress,
  };
}

async function attempt(act) {
  try {
    await act();
    drawRefused("");
    return true;
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (error.code === "not_logged_in") await enter().catch(() => {});
    drawRefused(error.code === "not_logged_in" ? LOGGED_OUT : error.message || error.code);
    return false;
  }
}

async function followAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [id = "", ...rest] = addressParts(path);
  const part = id === "round" ? null : (PARTS.find((one) => one.id === id) ?? PARTS[0]);
  drawParts(part?.id ?? "rounds");
  document.title = `${part?.text ?? "Round"} · office`;
  const page = makePage(rest, new URLSearchParams(query));
  page.show(el("p", { class: "none", role: "status" }, "Loading…"));
  const done = await attempt(() => (part ? part.open(page) : openReplay(page)));
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

function drawParts(current) {
  const mine = PARTS.filter((part) => part.roles.includes(person.role));
  fill(
    "parts",
    [current, person.role],
    () =>
      mine.map((part) =>
        el("a", { href: `#/${part.id}`, "aria-current": part.id === current ? "page" : undefined }, part.text)
      ),
  );
}

async function enter() {
  const visitor = await whoAmI();
  person = visitor && visitor.role !== "player" ? visitor : null;
  drawBar(person, DEALS.includes(person?.role) ? LINKS : []);
  setShown("entry", person === null);
  setShown("page", person !== null);
  drawRefused(staffOnlyNotice(visitor, "office"));
  if (person === null) return drawEntry(enter);
  await followAddress();
}

window.addEventListener("hashchange", () => {
  if (person) followAddress();
});
await retryUntilReached(enter, drawRefused);
