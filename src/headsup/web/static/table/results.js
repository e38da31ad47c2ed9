// The player's results: one sentence, each wager with the reason, and the clauses on request.

/** @import { ResultView, RoundView } from "../lib/state.js" */

import { el, fill, setShown } from "../lib/dom.js";
import { formatMoney, formatSigned } from "../lib/money.js";
import { HEADLINES, voidText } from "../lib/outcomes.js";
import { remember, setting } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { capitalize, sortByWager, withSpaces } from "../lib/text.js";

const ROOMY = matchMedia("(min-width: 68.75rem), (min-width: 60rem) and (min-aspect-ratio: 6/5)"); // as in the style sheet

/** @param {state.AtTable} now */
export function drawResults(now) {
  const seat = state.mySeat(now);
  const round = state.shownResults(now);
  const mine = (seat !== null && round?.results?.[seat]) || null;
  const current = mine !== null && state.myHand(now) === null || round?.number === now.view.round?.number;
  setShown("results", mine !== null && current);
  fill(
    "results-table",
    [round?.number, mine, now.posted?.labels, seat],
    () => mine === null || round === null || seat === null ? "" : table(round, seat, mine, now.posted),
  );
}

/** " (G 11(c)): A better dealer’s hand takes the Ante." @param {any} line @param {any} posted */
function clauseText(line, posted) {
  const text = posted?.clauses.find((/** @type {any} */ one) => one.clause === line.clause)?.text;
  return ` (${line.clause})${text ? `: ${text}` : ""}`;
}

/** @param {RoundView} round @param {number} seat @param {ResultView} mine @param {any} posted */
function table(round, seat, mine, posted) {
  const labels = posted?.labels ?? {};
  const lines = sortByWager(mine.wagers).map(([wager, line]) =>
    el(
      "tr",
      { class: line.result },
      el(
        "th",
        { scope: "row" },
        labels[wager] ?? withSpaces(wager),
        el("small", {}, line.why, el("span", { class: "clause" }, clauseText(line, posted))),
      ),
      el("td", { class: "amount" }, formatMoney(line.stake)),
      el("td", {}, line.result),
      el("td", { class: "amount net" }, formatSigned(line.net)),
    )
  );
  const heads = { Wager: "", Stake: "amount", Result: "", Net: "amount" };
  const head = Object.entries(heads).map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
  return el(
    "details",
    { class: setting("clauses") === "on" ? "why clauses" : "why", open: ROOMY.matches },
    el(
      "summary",
      {},
      el(
        "span",
        { class: "sentence" },
        sentence(round, seat, labels),
        el("span", { class: "hands" }, hands(round, seat)),
      ),
      el("strong", { class: netClass(mine.net) }, `Net ${formatSigned(mine.net)}`),
    ),
    el(
      "table",
      {},
      el("caption", { class: "unseen" }, `Round ${round.number}`),
      el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, lines),
    ),
    clauseSwitch(),
  );
}

/** @param {string} net */
function netClass(net) {
  return net.startsWith("-") ? "lost" : net === "0.00" ? "even" : "won";
}

/** "Round 7: you win." @param {RoundView} round @param {number} seat @param {Record<string, string>} labels */
function sentence(round, seat, labels) {
  const number = `Round ${round.number}`;
  const mine = /** @type {any} */ (round.results)[seat];
  if (mine.result === "void") {
    const cause = round.void || round.seats[seat]?.void;
    return `${number}: void${cause ? ` (${cause})` : ""}. ${voidText(mine.wagers, labels)}`;
  }
  const result = HEADLINES[mine.result];
  return `${number}: ${result[0].toLowerCase()}${result.slice(1)}.`;
}

/**
 * "Two pair, kings and nines against pair of queens." Where room is short, only the felt names them.
 * @param {RoundView} round @param {number} seat
 */
function hands(round, seat) {
  const own = round.seats[seat]?.hand?.name;
  const dealer = round.dealer_hand?.name;
  if (/** @type {any} */ (round.results)[seat].result === "void" || !dealer) return "";
  return own ? ` ${capitalize(own)} against ${dealer}.` : ` The dealer has ${dealer}.`;
}

function clauseSwitch() {
  const on = () => setting("clauses") === "on";
  const button = el("button", {
    type: "button",
    class: "pill quiet",
    name: "clauses",
    "aria-pressed": String(on()),
    title: "Show what each clause says",
  }, "Clauses");
  button.addEventListener("click", () => {
    remember("clauses", on() ? "off" : "on");
    button.setAttribute("aria-pressed", String(on()));
    button.closest(".why")?.classList.toggle("clauses", on());
  });
  return button;
}
