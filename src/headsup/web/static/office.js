// The back office: tables, rounds and their replays, money, events, people, setting tables up.
// Each part is a page of its own under `#/…`; what it shows is asked for when it is opened.

import { Declined, untilReached } from "./connection.js";
import { el, fill, find, show } from "./dom.js";
import { approved, drawBar, drawEntry, drawRefused, LOGGED_OUT, person, staffOnly } from "./staff.js";
import * as money from "./officemoney.js";
import * as people from "./officepeople.js";
import * as rounds from "./officerounds.js";
import * as setup from "./officesetup.js";
import * as tables from "./officetables.js";

const STAFF = ["dealer", "supervisor", "administrator", "auditor"];
const BOOKS = ["supervisor", "administrator", "auditor"];

/** @type {{id: string, text: string, roles: string[], open: (at: any) => Promise<any>}[]} */
const PARTS = [
  { id: "tables", text: "Tables", roles: STAFF, open: tables.open },
  { id: "rounds", text: "Rounds", roles: STAFF, open: rounds.search },
  { id: "win", text: "Win and hold", roles: BOOKS, open: money.win },
  { id: "books", text: "Books", roles: BOOKS, open: money.books },
  { id: "events", text: "Events", roles: BOOKS, open: money.events },
  { id: "people", text: "People", roles: BOOKS, open: people.open },
  { id: "setup", text: "Set up", roles: ["supervisor", "administrator"], open: setup.open },
];
const DEALS = ["dealer", "supervisor"];
const LINKS = [["/console", "Console"]];

let who = null;
let opened = 0;

/** What a part is given: where it is, who asks, and how it shows and does things. */
function place(path, query) {
  const mine = ++opened;
  return {
    path,
    query,
    who,
    show: (...content) => {
      if (mine === opened) find("page").replaceChildren(...content.flat().filter((one) => one !== "" && one !== null));
    },
    alive: () => mine === opened,
    trying,
    approved,
    again: arrive,
  };
}

async function trying(act) {
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

async function arrive() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [id = "", ...rest] = path.split("/").map(decodeURIComponent);
  const part = id === "round" ? null : (PARTS.find((one) => one.id === id) ?? PARTS[0]);
  drawParts(part?.id ?? "rounds");
  document.title = `${part?.text ?? "Round"} · office`;
  const at = place(rest, new URLSearchParams(query));
  at.show(el("p", { class: "none", role: "status" }, "One moment …"));
  const done = await trying(() => (part ? part.open(at) : rounds.replay(at)));
  if (!done) at.show(el("p", { class: "none" }, "This cannot be shown. ", el("button", { type: "button", name: "again", onclick: arrive }, "Try again")));
}

function drawParts(current) {
  const mine = PARTS.filter((part) => part.roles.includes(who.role));
  fill("parts", [current, who.role], () =>
    mine.map((part) => el("a", { href: `#/${part.id}`, "aria-current": part.id === current ? "page" : undefined }, part.text)),
  );
}

async function enter() {
  const found = await person();
  who = found && found.role !== "player" ? found : null;
  drawBar(who, DEALS.includes(who?.role) ? LINKS : []);
  show("entry", who === null);
  show("page", who !== null);
  drawRefused(staffOnly(found, "office"));
  if (who === null) return drawEntry(enter);
  await arrive();
}

window.addEventListener("hashchange", () => {
  if (who) arrive();
});
await untilReached(enter, drawRefused);
