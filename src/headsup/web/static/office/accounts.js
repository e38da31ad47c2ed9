// The house's accounts, and players' deposits and payouts.

/** @import { Page } from "./main.js" */
/** @import { AccountResponse, InvitationResponse, WalletMoveResponse } from "../lib/wire.d.ts" */

import { dataTable } from "../lib/data-table.js";
import { el, find } from "../lib/dom.js";
import { Declined, get, newId, post } from "../lib/http.js";
import { formatCents, formatMoney, formatSigned, netTone, parseCents } from "../lib/money.js";
import { formatTime } from "../lib/replay.js";
import { linkField } from "../lib/staff-page.js";
import { withSpaces } from "../lib/text.js";

// Changes to staff accounts need two people as soon as there are two; the server decides.
const ACCOUNT_APPROVER = { title: "Approval by a supervisor or another administrator", whose: "Approver’s" };
const ROLES = ["player", "dealer", "supervisor", "auditor", "administrator"];

/** @param {Page} page */
export async function openAccounts(page) {
  if (page.path[0]) return showWallet(page, page.path[0]);
  /** @type {AccountResponse[]} */
  const people = await get("/api/people");
  const mayEdit = page.person.role === "administrator";
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, "People"),
      el("p", { id: "said", role: "status" }),
      dataTable(
        ["Name", "Role", "Wallet", "", ""],
        people.map((person) => [
          person.wallet === null
            ? person.name
            : el("a", { href: `#/people/${encodeURIComponent(person.name)}` }, person.name),
          person.role,
          person.wallet === null ? "" : formatMoney(person.wallet),
          person.locked ? el("strong", { class: "bad" }, "locked") : "",
          mayEdit && person.name !== page.person.name ? controls(page, person) : "",
        ]),
      ),
    ),
    mayEdit ? newAccount(page) : "",
  );
}

/** @param {Page} page @param {AccountResponse} person */
function controls(page, person) {
  const path = `/api/people/${encodeURIComponent(person.name)}`;
  /** @param {string} action @param {string} label */
  const act = async (action, label) => {
    if (
      await withApproval(
        page,
        `${label} ${person.name}, ${person.role}.`,
        (approval) => post(`${path}/${action}`, approval),
        ACCOUNT_APPROVER,
      )
    ) page.reload();
  };
  return el(
    "span",
    { class: "rows" },
    person.locked
      ? el("button", {
        type: "button",
        class: "pill",
        "aria-label": `Unlock ${person.name}`,
        onclick: () => act("unlock", "Unlock"),
      }, "Unlock")
      : el("button", {
        type: "button",
        class: "pill",
        "aria-label": `Lock ${person.name}`,
        onclick: () => act("lock", "Lock"),
      }, "Lock"),
    el("button", {
      type: "button",
      class: "pill",
      "aria-label": `New password for ${person.name}`,
      onclick: () => invite(page, path, person),
    }, "New password"),
  );
}

/** @param {Page} page @param {string} path @param {AccountResponse} person */
async function invite(page, path, { name, role }) {
  await withApproval(
    page,
    `New password for ${name}, ${role}.`,
    async (approval) => showInvitation(name, await post(`${path}/invitation`, approval)),
    ACCOUNT_APPROVER,
  );
}

/**
 * Do it, asking for a second person’s approval if the server requires it. Resolves to whether it was done.
 * @param {(approval?: {approval: {name: string, password: string}}) => Promise<any>} act
 * @param {{title: string, whose: string}} [approver]
 * @param {Page} page @param {string} description
 */
async function withApproval(page, description, act, approver = undefined) {
  let needsApproval = false;
  const done = await page.attempt(() =>
    act().catch((error) => {
      if (error.code !== "needs_two_people") throw error;
      needsApproval = true;
    })
  );
  return needsApproval
    ? page.askApproval(description, (/** @type {any} */ approval) => act({ approval }), approver)
    : done;
}

/**
 * Show a one-time link to pass on to the person.
 * @param {string} name @param {InvitationResponse} invitation
 */
function showInvitation(name, { token }) {
  const status = find("said");
  if (!token) return status.replaceChildren(`${name} now has an account.`);
  status.replaceChildren(
    `Send ${name} this link to set a password. It works once, within a day: `,
    linkField(`${location.origin}/welcome#invited=${token}`, `Invitation for ${name}`),
  );
}

/** @param {Page} page */
function newAccount(page) {
  const form = el(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const typed = new FormData(form);
        const account = { name: String(typed.get("name")), role: String(typed.get("role")) };
        /** @type {InvitationResponse} */
        let invitation = { name: account.name, token: "" };
        /** @param {any} approval */
        const create = async (approval) => {
          invitation = await post("/api/people", { ...account, ...approval });
        };
        if (
          !(await withApproval(page, `New account for ${account.name}, ${account.role}.`, create, ACCOUNT_APPROVER))
        ) return;
        await openAccounts(page);
        showInvitation(account.name, invitation);
      },
    },
    el(
      "div",
      { class: "fields" },
      el(
        "label",
        {},
        el("span", {}, "Name"),
        el("input", { name: "name", required: true, maxlength: 40, autocomplete: "off" }),
      ),
      el(
        "label",
        {},
        el("span", {}, "Role"),
        el("select", { name: "role" }, ROLES.map((role) => el("option", { value: role }, role))),
      ),
    ),
    el("div", { class: "actions" }, el("button", { class: "main" }, "Create account")),
  );
  return el("section", { class: "panel" }, el("h2", {}, "New account"), form);
}

// Money.

/** @param {Page} page @param {string} name */
async function showWallet(page, name) {
  /** @type {[AccountResponse[], WalletMoveResponse[]]} */
  const [people, moves] = await Promise.all([
    get("/api/people"),
    get(`/api/people/${encodeURIComponent(name)}/wallet`),
  ]);
  const balance = people.find((person) => person.name === name)?.wallet;
  if (!balance) throw new Declined("no_such_person", `Nobody named “${name}” has a wallet.`);
  page.show(
    el(
      "section",
      { class: "panel" },
      el("h1", {}, `${name}: ${formatMoney(balance)} in the wallet`),
      el(
        "p",
        {},
        el("a", { href: `#/rounds?player=${encodeURIComponent(name)}` }, "Rounds of this player"),
        " · ",
        el("a", { href: "#/people" }, "All people"),
      ),
      cashForm(page, name),
    ),
    el(
      "section",
      { class: "panel" },
      el("h2", {}, "Transactions"),
      dataTable(
        ["When", "What", "Table", "By", "Amount"],
        moves.map((
          move,
        ) => [
          formatTime(move.at),
          withSpaces(move.reason),
          move.table
            ? el(
              "a",
              { href: `#/rounds?table=${encodeURIComponent(move.table)}&player=${encodeURIComponent(name)}` },
              move.table,
            )
            : "",
          move.by,
          el("span", { class: netTone(move.amount) }, formatSigned(move.amount)),
        ]),
        { none: "No transactions yet." },
      ),
    ),
  );
}

/** @param {Page} page @param {string} name */
function cashForm(page, name) {
  if (!["supervisor", "administrator"].includes(page.person.role)) return "";
  const amount = el("input", {
    name: "amount",
    inputmode: "decimal",
    required: true,
    pattern: "[0-9]{1,9}([.][0-9]{1,2})?",
  });
  const note = el("input", { name: "note", maxlength: 200 });
  /** @param {string} way @param {string} label */
  const move = async (way, label) => {
    const transaction = { id: newId(), cents: parseCents(amount.value) ?? 0, note: note.value };
    const path = `/api/people/${encodeURIComponent(name)}/${way}`;
    const description = `${label} ${formatMoney(formatCents(transaction.cents))}, ${name}.`;
    if (await withApproval(page, description, (approval) => post(path, { ...transaction, ...approval }))) page.reload();
  };
  const form = el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        move(event.submitter?.value ?? "deposit", event.submitter?.textContent ?? "");
      },
    },
    el(
      "div",
      { class: "fields" },
      el("label", {}, el("span", {}, "Amount ($)"), amount),
      el("label", {}, el("span", {}, "Note"), note),
    ),
    el(
      "div",
      { class: "actions" },
      el("button", { class: "main", value: "deposit" }, "Deposit"),
      el("button", { value: "payout" }, "Pay out"),
    ),
  );
  return form;
}
