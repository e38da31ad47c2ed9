// The servers of the house and the floors that each of them owns; an administrator spreads them.

import { get, post } from "./connection.js";
import { el } from "./dom.js";
import { listing } from "./listing.js";

const READS = ["supervisor", "administrator", "auditor"];

/** A panel where the house has several servers, or may have; else nothing. @param {any} at */
export async function servers(at) {
  if (!READS.includes(at.who.role)) return "";
  const found = await get("/api/floors");
  return found.alone ? "" : panel(at, found);
}

/** @param {any} at @param {any} found @param {string} said what the last spreading has done */
function panel(at, found, said = "") {
  const of = (server) => found.floors.filter((one) => one.server === server);
  const nobody = of("");
  const whole = el(
    "section",
    { class: "panel", id: "servers" },
    el("h2", {}, "Servers"),
    listing(
      ["Server", "Owns", "Floors"],
      found.servers.map((server) => [
        server === found.here ? `${server} (answers you)` : server,
        String(of(server).length),
        of(server).map((one) => (one.in_play ? `${one.floor} (in play)` : one.floor)).join(", "),
      ]),
    ),
    nobody.length ? el("p", { class: "alarm" }, `Nobody owns ${nobody.map((one) => one.floor).join(", ")}: taken within 10 seconds, or shut because its log does not hold.`) : "",
    at.who.role === "administrator"
      ? [
          el("p", { class: "soft" }, "Floors move between their rounds, and nobody at a table notices."),
          el("button", { onclick: spread }, "Spread floors evenly"),
        ]
      : "",
    el("p", { id: "spread", role: "status" }, said),
  );

  async function spread() {
    let done = null;
    if (await at.trying(async () => (done = await post("/api/floors/spread")))) {
      const now = await get("/api/floors");
      whole.replaceWith(panel(at, now, answer(done)));
    }
  }
  return whole;
}

/** @param {any} done */
function answer(done) {
  const floors = (names) => `${names.length === 1 ? "floor" : "floors"} ${names.join(", ")}`;
  const between = done.servers === 1 ? "Only one server is there" : `${done.servers} servers share the floors`;
  const moved = done.moved.length ? `moved: ${floors(done.moved)}` : "nothing had to move";
  const stay = done.in_play.length ? `; in play, and left where it is: ${floors(done.in_play)}` : "";
  return `${between}; ${moved}${stay}.`;
}
