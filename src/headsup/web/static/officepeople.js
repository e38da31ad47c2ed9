// The people of the house: their accounts, and the money that players bring and take.

import { get, newId, post } from "./connection.js";
import { el, find } from "./dom.js";
import { dollarsOf, listing } from "./listing.js";
import { time } from "./replay.js";
import { address } from "./staff.js";
import { tone } from "./table.js";
import * as words from "./words.js";

// The accounts of the staff are kept by two as soon as there are two (the server knows when).
const KEEPER = { who: "A supervisor or another administrator", whose: "Their" };
const ROLES = ["player", "dealer", "supervisor", "auditor", "administrator"];

export async function open(at) {
  if (at.path[0]) return wallet(at, at.path[0]);
  const people = await get("/api/people");
  const keeps = at.who.role === "administrator";
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "People"),
      el("p", { id: "said", role: "status" }),
      listing(
        ["Name", "Role", "Wallet", "", ""],
        people.map((one) => [
          one.wallet === null ? one.name : el("a", { href: `#/people/${encodeURIComponent(one.name)}` }, one.name),
          one.role,
          one.wallet === null ? "" : words.money(one.wallet),
          one.locked ? el("strong", { class: "bad" }, "locked") : "",
          keeps && one.name !== at.who.name ? controls(at, one) : "",
        ]),
      ),
    ),
    keeps ? newAccount(at) : "",
  );
}

function controls(at, one) {
  const path = `/api/people/${encodeURIComponent(one.name)}`;
  const act = async (what, said) => {
    if (await byTwo(at, `${said} ${one.name}, ${one.role}.`, (approval) => post(`${path}/${what}`, approval), KEEPER)) at.again();
  };
  return el(
    "span",
    { class: "rows" },
    one.locked
      ? el("button", { type: "button", class: "pill", "aria-label": `Unlock ${one.name}`, onclick: () => act("unlock", "Unlock") }, "Unlock")
      : el("button", { type: "button", class: "pill", "aria-label": `Lock ${one.name}`, onclick: () => act("lock", "Lock") }, "Lock"),
    el("button", { type: "button", class: "pill", "aria-label": `New password for ${one.name}`, onclick: () => invite(at, path, one) }, "New password"),
  );
}

async function invite(at, path, { name, role }) {
  await byTwo(at, `A new password for ${name}, ${role}.`, async (approval) => told(name, await post(`${path}/invitation`, approval)), KEEPER);
}

/**
 * Do it, with a second person’s approval where the server says that it takes two. Whether it was
 * done.
 * @param {(approval?: {approval: {name: string, password: string}}) => Promise<any>} act
 * @param {{who: string, whose: string}} [second]
 */
async function byTwo(at, what, act, second = undefined) {
  let alone = true;
  const tried = await at.trying(() => act().catch((error) => {
    if (error.code !== "needs_two_people") throw error;
    alone = false;
  }));
  return alone ? tried : at.approved(what, (approval) => act({ approval }), second);
}

/** A link that works once, to be handed to the person. */
function told(name, { token }) {
  const said = find("said");
  if (!token) return said.replaceChildren(`${name} has an account now.`);
  said.replaceChildren(`${name} sets a password here, once, within a day: `, address(`${location.origin}/welcome#invited=${token}`, `Invitation of ${name}`));
}

function newAccount(at) {
  const form = el(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const asked = { name: String(typed.get("name")), role: String(typed.get("role")) };
        let made = { token: "" };
        const make = async (approval) => { made = await post("/api/people", { ...asked, ...approval }); };
        if (!(await byTwo(at, `An account for ${asked.name}, ${asked.role}.`, make, KEEPER))) return;
        await open(at);
        told(asked.name, made);
      },
    },
    el(
      "div",
      { class: "fields" },
      el("label", {}, el("span", {}, "Name"), el("input", { name: "name", required: true, maxlength: 40, autocomplete: "off" })),
      el("label", {}, el("span", {}, "Role"), el("select", { name: "role" }, ROLES.map((role) => el("option", { value: role }, role)))),
    ),
    el("div", { class: "actions" }, el("button", { class: "main" }, "Make the account")),
  );
  return el("section", { class: "panel" }, el("h2", {}, "A new account"), form);
}

// Money.

async function wallet(at, name) {
  const [people, moves] = await Promise.all([get("/api/people"), get(`/api/people/${encodeURIComponent(name)}/wallet`)]);
  const held = people.find((one) => one.name === name)?.wallet ?? "0.00";
  at.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, `${name}: ${words.money(held)} in the wallet`),
      el("p", {}, el("a", { href: `#/rounds?player=${encodeURIComponent(name)}` }, "Rounds of this player"), " · ", el("a", { href: "#/people" }, "All people")),
      cash(at, name),
    ),
    el(
      "section",
      { class: "panel" },
      el("h2", {}, "What moved"),
      listing(
        ["When", "What", "Table", "By", "Amount"],
        moves.map((move) => [time(move.at), words.spaced(move.reason), move.table ? el("a", { href: `#/rounds?table=${encodeURIComponent(move.table)}&player=${encodeURIComponent(name)}` }, move.table) : "", move.by, el("span", { class: tone(move.amount) }, words.signed(move.amount))]),
        { none: "Nothing has moved yet." },
      ),
    ),
  );
}

function cash(at, name) {
  if (!["supervisor", "administrator"].includes(at.who.role)) return "";
  const amount = el("input", { name: "amount", inputmode: "decimal", required: true, pattern: "[0-9]{1,9}([.][0-9]{1,2})?" });
  const note = el("input", { name: "note", maxlength: 200 });
  const move = async (way, words_) => {
    const asked = { id: newId(), cents: words.cents(amount.value), note: note.value };
    const path = `/api/people/${encodeURIComponent(name)}/${way}`;
    const what = `${words_} ${words.money(dollarsOf(asked.cents))}, ${name}.`;
    if (await byTwo(at, what, (approval) => post(path, { ...asked, ...approval }))) at.again();
  };
  const form = el(
    "form",
    { onsubmit: (event) => { event.preventDefault(); move(event.submitter?.value ?? "deposit", event.submitter?.textContent ?? ""); } },
    el("div", { class: "fields" }, el("label", {}, el("span", {}, "Amount ($)"), amount), el("label", {}, el("span", {}, "Note"), note)),
    el("div", { class: "actions" }, el("button", { class: "main", value: "deposit" }, "Take in"), el("button", { value: "payout" }, "Pay out")),
  );
  return form;
}
