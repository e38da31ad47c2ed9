// How many chips to buy: asked before money leaves the wallet.

import { el } from "./dom.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** Shares of what the table suggests that can be chosen with one press. */
const SHARES = [0.2, 0.5, 1, 2];

/**
 * The form.
 * @param {import("./state.js").State} now
 * @param {any} doing
 */
export function buyInForm(now, doing) {
  const shown = now.tables.find((one) => one.id === doing.buyingAt());
  const wallet = words.inCents(now.person?.wallet ?? "0");
  if (!shown || !wallet) return el("p", {}, "Your wallet is empty: please go to the cashier.");
  const suggested = words.inCents(shown.buy_in);
  const field = /** @type {HTMLInputElement} */ (
    el("input", { name: "amount", inputmode: "decimal", required: true, autocomplete: "off", pattern: "[0-9]+([.][0-9]{1,2})?", title: "dollars, such as 250 or 12.50", value: short(Math.min(suggested, wallet)) })
  );
  const wrong = el("p", { class: "bad", role: "status" });
  const preset = (cents) =>
    el("button", { type: "button", class: "pill", name: `amount ${cents}`, onclick: () => (field.value = short(cents)) }, cents === wallet ? `All: ${brief(cents)}` : brief(cents));
  const form = el(
    "form",
    { class: "buy-in" },
    el("p", {}, `Your wallet holds ${words.money(words.plain(wallet))}${now.house?.demo ? " of play money" : ""}.${ante(shown)}`),
    el("div", { class: "rows", role: "group", "aria-label": "Amounts" }, amounts(suggested, wallet, least(shown)).map(preset)),
    el("label", {}, "Dollars ", field),
    wrong,
    el("button", { class: "main", name: "buy" }, state.seatAt(now, shown) ? "Buy chips" : "Sit down with these chips"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const amount = words.cents(field.value) ?? 0;
    wrong.textContent = amount > wallet ? `That is more than your wallet holds.` : "";
    if (amount > 0 && amount <= wallet) doing.buy(amount);
  });
  return form;
}

/** Ante and Odds go together: with less nothing can be bet. */
function least(shown) {
  return shown.ante_min ? 2 * words.inCents(shown.ante_min) : 1;
}

function ante(shown) {
  const limits = [shown.ante_min, shown.ante_max].filter(Boolean).map(words.brief);
  return limits.length ? ` Each Ante here is ${limits.join(" to ")}.` : "";
}

function amounts(suggested, wallet, least) {
  const fit = SHARES.map((share) => Math.round(suggested * share)).filter((cents) => cents >= least && cents < wallet);
  return [...fit, wallet];
}

function short(cents) {
  return words.plain(cents).replace(/\.00$/, "");
}

function brief(cents) {
  return words.brief(words.plain(cents));
}
