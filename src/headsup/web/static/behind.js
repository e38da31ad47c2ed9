// The other side of the demonstration: its console, office and display, each one click away.

import { post } from "./connection.js";
import { el } from "./dom.js";

/** Who a visitor may be, in the order of what they may do. */
export const STAFF = ["dealer", "supervisor", "administrator", "auditor"];

/** Be one of the staff of the demonstration; the guest that one was waits. */
export async function beStaff(role) {
  await post("/api/demo/staff", { role });
}

/** Be that guest again, or a new one. */
export async function beGuest() {
  await post("/api/demo");
  location.assign("/");
  if (location.pathname === "/") location.reload();
}

function to(role, page, text) {
  const go = async () => {
    await beStaff(role);
    location.assign(page);
  };
  return el("button", { type: "button", class: "quiet", name: `be ${role}`, onclick: go }, text);
}

/** In the lobby, for who is one of the staff of the demonstration: the way back. */
export function asStaff(now) {
  if (!now.house?.demo || !now.person || now.person.role === "player") return "";
  return el("p", { class: "rows" }, `You are here as the ${now.person.role}.`, el("button", { type: "button", class: "main", name: "be guest", onclick: beGuest }, "Play as a guest"));
}

/** What the lobby of the demonstration says of its other side. @param {{house: any, person: any}} now */
export function behind(now) {
  if (!now.house?.demo || !now.person) return [];
  return [
    el("h2", {}, "Behind the table"),
    el("p", { class: "soft" }, "See what the house sees: deal a round yourself, report a misdeal, set up a table, find any round again. Your seat waits for you here."),
    el("p", { class: "rows" }, to("dealer", "/console", "The dealer’s console"), to("supervisor", "/office", "The office"), el("a", { class: "button quiet", href: "/display" }, "The display above a table")),
  ];
}
