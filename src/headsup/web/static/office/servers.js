// The house's servers and the floors that each owns. An administrator can spread the floors.

/** @import { Page } from "./main.js" */
/** @import { ServersResponse, SpreadResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el } from "../lib/dom.js";
import { get, post } from "../lib/http.js";

const READER_ROLES = ["supervisor", "administrator", "auditor"];

/** A panel, or "" if the house can only have one server. @param {Page} page */
export async function serversPanel(page) {
  if (!READER_ROLES.includes(page.person.role)) return "";
  /** @type {ServersResponse} */
  const overview = await get("/api/floors");
  return overview.alone ? "" : panel(page, overview);
}

/** @param {Page} page @param {ServersResponse} overview @param {string} message  the result of the last spreading */
function panel(page, overview, message = "") {
  /** @param {string} server */
  const of = (server) => overview.floors.filter((one) => one.server === server);
  const unowned = of("");
  const whole = el(
    "section",
    { class: "panel", id: "servers" },
    el("h2", {}, "Servers"),
    dataTable(
      ["Server", "Owns", "Floors"],
      overview.servers.map((/** @type {string} */ server) => [
        server === overview.here ? `${server} (this server)` : server,
        String(of(server).length),
        of(server).map((/** @type {any} */ one) => (one.in_play ? `${one.floor} (in play)` : one.floor)).join(", "),
      ]),
    ),
    unowned.length
      ? el(
        "p",
        { class: "alarm" },
        `No server owns ${
          unowned.map((/** @type {any} */ one) => one.floor).join(", ")
        }: it will be taken within 10 seconds, or is shut because its log failed verification.`,
      )
      : "",
    page.person.role === "administrator"
      ? [
        el("p", { class: "soft" }, "Floors move between rounds. Players do not notice."),
        el("button", { onclick: spread }, "Spread floors evenly"),
      ]
      : "",
    el("p", { id: "spread", role: "status" }, message),
  );

  async function spread() {
    await page.attempt(async () => {
      const done = await post("/api/floors/spread");
      whole.replaceWith(panel(page, await get("/api/floors"), resultText(done)));
    });
  }
  return whole;
}

/** @param {SpreadResponse} done */
function resultText(done) {
  /** @param {string[]} names */
  const floors = (names) => `${names.length === 1 ? "floor" : "floors"} ${names.join(", ")}`;
  const between = done.servers === 1 ? "There is only one server" : `${done.servers} servers share the floors`;
  const moved = done.moved.length ? `moved: ${floors(done.moved)}` : "no floors had to move";
  const stay = done.in_play.length ? `; in play and not moved: ${floors(done.in_play)}` : "";
  return `${between}; ${moved}${stay}.`;
}
