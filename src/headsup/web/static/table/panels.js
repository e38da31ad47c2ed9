// The panels over the table: rules and pays, glossary, sealed shuffle, settings, buying chips. Apart from
// the glossary, their content comes from the server.

/** @import { State } from "../lib/state.js" */

import { el, find } from "../lib/dom.js";
import { formatMoney, formatPay } from "../lib/money.js";
import * as state from "../lib/state.js";
import { titleCase } from "../lib/text.js";
import { leavePanel, settingsPanel } from "./account.js";
import { buyInForm } from "./buy-in.js";
import { fairPanel } from "./fair.js";

/** @type {Record<string, {title: (now: State, actions: any) => string, body: (now: State, actions: any) => any}>} */
const PANELS = {
  rules: {
    title: (/** @type {State} */ now) => `Rules and pays: ${state.listedTable(now)?.title ?? now.table}`,
    body: rules,
  },
  glossary: { title: () => "Glossary", body: glossary },
  fair: { title: () => "Fair deal: how to verify it", body: fairPanel },
  leave: { title: () => "Log out for good?", body: leavePanel },
  settings: { title: () => "Settings", body: settingsPanel },
  buy: {
    title: (/** @type {State} */ _now, /** @type {any} */ actions) => `Buy chips at ${actions.buyInTable()}`,
    body: buyInForm,
  },
};

/** @type {string} */
let shown = "";

/** Open a panel. @param {string} name @param {import("../lib/state.js").State} now @param {any} actions */
export function openPanel(name, now, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (find("panel"));
  shown = name;
  drawPanel(now, actions);
  if (!dialog.open) dialog.showModal();
  find("panel-title").focus();
}

/** Redraw the open panel. @param {State} now @param {any} actions */
export function drawPanel(now, actions) {
  const panel = PANELS[shown];
  if (!panel) return;
  find("panel-title").textContent = panel.title(now, actions);
  find("panel-body").replaceChildren(
    ...[panel.body(now, actions)].flat(Infinity).filter((child) => child !== null && child !== ""),
  );
}

export function closePanel() {
  /** @type {HTMLDialogElement} */ (find("panel")).close();
}

/** Whether this panel is open. @param {string} name */
export function isOpen(name) {
  return shown === name && /** @type {HTMLDialogElement} */ (find("panel")).open;
}

// Rules and pays.

/** @param {State} now */
function rules(now) {
  const { posted } = now;
  if (!posted) return el("p", {}, "No rules are posted at this table.");
  /** @param {string} wager */
  const label = (wager) => posted.labels[wager] ?? titleCase(wager);
  return [
    el("h3", {}, "How a round is played"),
    el("ol", {}, roundSteps(posted, label).map((line) => el("li", {}, line))),
    el("h3", {}, "Limits"),
    el("ul", {}, limits(posted, label).map((/** @type {string} */ line) => el("li", {}, line))),
    el("h3", {}, `${label("raise")}s allowed`),
    el(
      "ul",
      {},
      posted.raises.map((/** @type {any} */ one) =>
        el(
          "li",
          {},
          `${one.street}: ${one.multiples.map((/** @type {number} */ multiple) => `${multiple}×`).join(", ")} the ${
            label("ante")
          } `,
          el("small", {}, one.clause),
        )
      ),
    ),
    posted.layout.length ? el("h3", {}, "On the layout") : "",
    posted.layout.length
      ? el(
        "ul",
        {},
        posted.layout.map((/** @type {any} */ one) => el("li", {}, `${one.text} `, el("small", {}, one.clause))),
      )
      : "",
    posted.notices.length ? el("h3", {}, "Notices") : "",
    ...posted.notices.map((/** @type {any} */ one) => el("p", {}, one.text)),
    el("h3", {}, "Paytables"),
    el("div", { class: "paytables" }, posted.paytables.map((/** @type {any} */ table) => paytable(table, label))),
    el("details", {}, el("summary", {}, "Glossary"), glossary()),
  ];
}

/**
 * The steps of a round, with this rule book's names of the wagers.
 * @param {any} posted @param {(wager: string) => string} label
 */
function roundSteps(posted, label) {
  /** @param {string} street */
  const multiples = (street) =>
    posted.raises.find((/** @type {any} */ one) => one.street === street)?.multiples.map((/** @type {any} */ one) =>
      `${one}×`
    ).join(" or ") ?? "";
  return [
    `Bet the ${label("ante")} and the same amount on the ${label("odds")}. The other spots are optional side bets.`,
    `You and the dealer get two cards each. ${label("raise")} ${multiples("pocket")} your ${label("ante")}, or check.`,
    `Three cards are turned up on the board. If you checked: ${label("raise")} ${multiples("flop")}, or check again.`,
    `The last two cards follow. If you have checked twice: ${label("raise")} ${
      multiples("river")
    }, or fold and lose your ${label("ante")} and ${label("odds")}.`,
    "The dealer’s cards are turned over. Your best five of your two cards and the board play against the dealer’s best five.",
    posted.qualifier
      ? `${posted.qualifier.text}; otherwise the ${label("ante")} is returned (${posted.qualifier.clause}).`
      : "The dealer’s hand always qualifies.",
  ];
}

/** @param {any} posted @param {(wager: string) => string} label */
function limits(posted, label) {
  const lines = posted.limits.map((/** @type {any} */ limit) => {
    const parts = [
      limit.min && `from ${formatMoney(limit.min)}`,
      limit.max && `to ${formatMoney(limit.max)}`,
      limit.step && `in steps of ${formatMoney(limit.step)}`,
    ];
    return `${label(limit.wager)}: ${parts.filter(Boolean).join(" ")}`;
  });
  if (posted.progressive_stake) lines.push(`${label("progressive")}: ${formatMoney(posted.progressive_stake)}`);
  if (posted.single_wager_max) lines.push(`No single wager above ${formatMoney(posted.single_wager_max)}`);
  if (!posted.limits.length && !posted.single_wager_max) lines.unshift("No limits are posted.");
  if (posted.cap) lines.push(posted.cap.text);
  return lines;
}

/** @param {any} table @param {(wager: string) => string} label */
function paytable(table, label) {
  return el(
    "table",
    {},
    el("caption", {}, `${label(table.key)}, paytable ${table.id} (${table.clause})`),
    el(
      "thead",
      { class: "unseen" },
      el("tr", {}, el("th", { scope: "col" }, "Outcome"), el("th", { scope: "col" }, "Pays")),
    ),
    el(
      "tbody",
      {},
      table.rows.map((/** @type {any} */ one) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, one.label),
          el("td", { class: "amount" }, formatPay(one.pays, table.basis)),
        )
      ),
    ),
  );
}

function glossary() {
  return el(
    "dl",
    { class: "glossary" },
    GLOSSARY.map(([term, meaning]) => [el("dt", {}, term), el("dd", {}, meaning)]).flat(),
  );
}

// One sentence per term, without amounts: those differ by rule book, and the table posts them.
/** @type {[string, string][]} */
const GLOSSARY = [
  ["Ante", "The bet that buys you a hand. It pays even money when your hand wins."],
  [
    "Odds",
    "Bet together with the Ante, in the same amount. It pays by hand rank when you win with a good hand, and as a Bad Beat when you lose with a very good one.",
  ],
  [
    "Raise, or Play",
    "A further bet behind the Ante, in a multiple of it. You raise once per round: the earlier, the bigger.",
  ],
  ["Check", "See more cards without betting more."],
  ["Fold", "Give up your hand, and lose the Ante and Odds."],
  ["Pocket, or hole cards", "The two cards dealt to you alone."],
  ["Board", "The five cards in the middle that everyone shares: flop, turn and river."],
  ["Flop, turn, river", "The first three cards of the board, the fourth, and the fifth."],
  [
    "Qualify",
    "Where the rules require it, the dealer needs a minimum hand to play against the Ante; otherwise the Ante is returned.",
  ],
  ["Push", "The bet neither wins nor loses; it is returned to you."],
  ["Copy", "Your hand and the dealer’s are equal."],
  ["Bad Beat", "A hand so good that it pays when it loses."],
  ["Trips Plus", "A side bet on your best five cards, whatever the dealer has."],
  ["Pocket Bonus", "A side bet on your two hole cards alone."],
  ["All 6", "A side bet on your two cards plus four that are dealt separately."],
  ["Progressive", "A side bet for a share of the meter, which grows with every such bet."],
  ["Meter", "The current jackpot of the Progressive, to the cent."],
  ["Void", "A hand or round that is called off. Stakes are returned, except those that the rules settle anyway."],
  ["To 1, for 1", "“3 to 1” pays three and returns the bet; “3 for 1” pays three and keeps it."],
];
