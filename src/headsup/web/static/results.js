// What the round came to for the own seat: a sentence, each wager with why, the clause on demand.

import { el, fill, show } from "./dom.js";
import { remember, setting } from "./settings.js";
import * as state from "./state.js";
import * as words from "./words.js";

const ROOMY = matchMedia("(min-width: 68.75rem), (min-width: 60rem) and (min-aspect-ratio: 6/5)"); // as in the style sheet

/** @param {state.AtTable} now */
export function drawResults(now) {
  const seat = state.mySeat(now);
  const round = state.resultsOf(now);
  const mine = (seat !== null && round?.results?.[seat]) || null;
  const current = mine !== null && state.myHand(now) === null || round?.number === now.view.round?.number;
  show("results", mine !== null && current);
  fill("results-table", [round?.number, mine, now.posted?.labels, seat], () =>
    mine === null ? "" : table(round, seat, mine, now.posted?.labels ?? {}),
  );
}

function table(round, seat, mine, labels) {
  const lines = words.inOrder(mine.wagers).map(([wager, line]) =>
    el(
      "tr",
      { class: line.result },
      el(
        "th",
        { scope: "row" },
        labels[wager] ?? words.spaced(wager),
        el("small", {}, line.why, el("span", { class: "clause" }, ` (${line.clause})`)),
      ),
      el("td", { class: "amount" }, words.money(line.stake)),
      el("td", {}, line.result),
      el("td", { class: "amount net" }, words.signed(line.net)),
    ),
  );
  const heads = { Wager: "", Stake: "amount", Result: "", Net: "amount" };
  const head = Object.entries(heads).map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
  const shown = el(
    "details",
    { class: setting("clauses") === "on" ? "why clauses" : "why", open: ROOMY.matches },
    el("summary", {}, el("span", { class: "sentence" }, sentence(round, seat)), el("strong", { class: sign(mine.net) }, words.signed(mine.net))),
    el(
      "table",
      {},
      el("caption", { class: "unseen" }, `Round ${round.number}`),
      el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, lines),
    ),
    clauseSwitch(),
  );
  return shown;
}

function sign(net) {
  return net.startsWith("-") ? "lost" : net === "0.00" ? "even" : "won";
}

/** "Two pair, kings and nines, against the dealer’s pair of queens." */
function sentence(round, seat) {
  const own = round.seats[seat]?.hand?.name;
  const dealer = round.dealer_hand?.name;
  const parts = [`Round ${round.number}`];
  if (round.void) parts.push(`void (${words.spaced(round.void)}), and your stakes are back`);
  else if (own && dealer) parts.push(`${own} against the dealer’s ${dealer}`);
  else if (dealer) parts.push(`the dealer has ${dealer}`);
  return `${parts.join(": ")}.`;
}

function clauseSwitch() {
  const on = () => setting("clauses") === "on";
  const button = el("button", { type: "button", class: "pill quiet", name: "clauses", "aria-pressed": String(on()) }, "By which clause?");
  button.addEventListener("click", () => {
    remember("clauses", on() ? "off" : "on");
    button.setAttribute("aria-pressed", String(on()));
    button.closest(".why")?.classList.toggle("clauses", on());
  });
  return button;
}
