// The house's servers and the floors that each owns.

/** @import { Page } from "./main.js" */
/** @import { ServersResponse, ServerView } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el } from "../lib/dom.js";
import { get } from "../lib/http.js";

const READER_ROLES = ["supervisor", "administrator", "auditor"];

/** A panel, or "" if the house can only have one server. @param {Page} page */
export async function serversPanel(page) {
  if (!READER_ROLES.includes(page.person.role)) return "";
  /** @type {ServersResponse} */
  const overview = await get("/api/floors");
  return overview.alone ? "" : panel(overview);
}

/** @param {ServersResponse} overview */
function panel(overview) {
  /** @param {string} server */
  const of = (server) => overview.floors.filter((one) => one.server === server).map((one) => one.floor);
  const unowned = of("");
  return el(
    "section",
    { class: "panel", id: "servers" },
    el("h2", {}, "Servers"),
    dataTable(
      ["Server", "Address", "Owns", "Floors"],
      overview.servers.map((server) => [
        describe(server, overview.here),
        server.at ? `/at/${server.at}/` : "",
        String(of(server.name).length),
        of(server.name).join(", "),
      ]),
    ),
    unowned.length
      ? el(
        "p",
        { class: "alarm" },
        `No server owns ${
          unowned.join(", ")
        }: it will be taken within seconds, or is shut because its log failed verification.`,
      )
      : "",
    el("p", { class: "soft" }, "Servers share the floors evenly by themselves; floors move between rounds."),
  );
}

/** @param {ServerView} server @param {string} here  the server that answered */
function describe(server, here) {
  const name = server.name === here ? `${server.name} (this server)` : server.name;
  return server.draining ? `${name}, stopping` : name;
}
