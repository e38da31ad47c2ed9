// The form that asks how many chips to buy.

/** @import { LobbyTable } from "../lib/state.js" */

import { el } from "../lib/dom.js";
import { centsOf, formatBrief, formatCents, formatMoney, parseCents } from "../lib/money.js";
import * as state from "../lib/state.js";

/** The preset amounts, as shares of the suggested one. */
const SHARES = [0.2, 0.5, 1, 2];

/**
 * @param {import("../lib/state.js").State} now
 * @param {any} actions
 */
export function buyInForm(now, actions) {
  const table = now.tables.find((one) => one.id === actions.buyInTable());
  const wallet = centsOf(now.person?.wallet ?? "0");
  if (!table || !wallet) return el("p", {}, "Your wallet is empty. Please see the cashier.");
  const suggested = centsOf(table.buy_in);
  const field = /** @type {HTMLInputElement} */ (
    el("input", {
      name: "amount",
      inputmode: "decimal",
      required: true,
      autocomplete: "off",
      pattern: "[0-9]+([.][0-9]{1,2})?",
      title: "dollars, such as 250 or 12.50",
      value: fieldText(Math.min(actions.buyInAmount() ?? suggested, wallet)),
    })
  );
  const error = el("p", { class: "bad", role: "status" });
  /** @param {number} cents */
  const preset = (cents) =>
    el("button", {
      type: "button",
      class: "pill",
      name: `amount ${cents}`,
      onclick: () => (field.value = fieldText(cents)),
    }, cents === wallet ? `All: ${formatBriefCents(cents)}` : formatBriefCents(cents));
  const form = el(
    "form",
    { class: "buy-in" },
    el(
      "p",
      {},
      `You have ${formatMoney(formatCents(wallet))}${now.house?.demo ? " in play money" : ""} in your wallet.${
        anteText(table)
      }`,
    ),
    el(
      "div",
      { class: "rows", role: "group", "aria-label": "Amounts" },
      presets(suggested, wallet, minimumOf(table)).map(preset),
    ),
    el("label", {}, "Dollars ", field),
    error,
    el(
      "button",
      { class: "main", name: "buy" },
      state.mySeatAt(now, table) ? "Buy chips" : "Sit down with these chips",
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const amount = parseCents(field.value) ?? 0;
    error.textContent = amount > wallet ? "That is more than you have in your wallet." : "";
    if (amount > 0 && amount <= wallet) actions.buy(amount);
  });
  return form;
}

/** The lowest useful amount: Ante and Odds are bet together. @param {LobbyTable} table */
function minimumOf(table) {
  return table.ante_min ? 2 * centsOf(table.ante_min) : 1;
}

/** @param {LobbyTable} table */
function anteText(table) {
  const limits = [table.ante_min, table.ante_max].filter((one) => one !== null).map(formatBrief);
  return limits.length ? ` The Ante here is ${limits.join(" to ")}.` : "";
}

/** @param {number} suggested @param {number} wallet @param {number} minimum */
function presets(suggested, wallet, minimum) {
  const fit = SHARES.map((share) => Math.round(suggested * share)).filter((cents) =>
    cents >= minimum && cents < wallet
  );
  return [...fit, wallet];
}

/** @param {number} cents */
function fieldText(cents) {
  return formatCents(cents).replace(/\.00$/, "");
}

/** @param {number} cents */
function formatBriefCents(cents) {
  return formatBrief(formatCents(cents));
}
