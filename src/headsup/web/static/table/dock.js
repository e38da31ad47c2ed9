// The dock under the felt: the chips to bet with, the decision buttons, and the chips that are left. Its
// parts stay in place from street to street.

/** @import { AtTable, Decision, Sent } from "../lib/state.js" */
/** @import { Draft } from "../lib/bets.js" */
/** @import { Attributes } from "../lib/dom.js" */

import * as bets from "../lib/bets.js";
import { el, fill, find } from "../lib/dom.js";
import { centsOf, formatBrief, formatCents, formatMoney } from "../lib/money.js";
import { setting } from "../lib/settings.js";
import * as state from "../lib/state.js";
import { wagerLabel } from "../lib/text.js";
import { chip, fittingChips } from "./chips.js";
import { drawClock } from "./clock.js";
import { currentMoment, isBroke } from "./moments.js";

/** @param {state.AtTable} now @param {any} actions @param {number} chosen  the selected chip */
export function drawDock(now, actions, chosen) {
  const choices = state.choices(now);
  const unsent = unsentCommand(now);
  const beyond = state.raisesOutOfReach(now);
  fill("decisions", [
    unsent,
    choices,
    beyond,
    state.mayDecide(now),
    mainChoice(choices, beyond, now),
    now.posted?.labels,
    now.view.round?.phase,
    now.view.chips,
  ], () => unsent ? unsentNotice(unsent, actions) : decisions(choices, beyond, now, actions));
  const betting = state.mayBet(now) && !choices.length && !unsent;
  const shown = betting ? bettingKind(now) : "";
  const line = unsent ? "" : waitingLine(now, shown, choices);
  fill("bets", [
    shown,
    now.draft,
    now.lastBets,
    chosen,
    now.view.chips,
    now.view.coupons,
    now.posted?.limits,
    shown === "broke" && now.person?.wallet,
    line,
    state.isConnected(now),
  ], () => controls(now, shown, line, actions, chosen));
  const clock = shown === "placed" || shown === "open" ? state.betsClock(now) : null;
  const place = find("bets").querySelector(".waiting");
  if (place) drawClock(/** @type {HTMLElement} */ (place), clock);
  const seat = state.mySeat(now);
  fill(
    "own-chips",
    [seat, now.view.chips, now.person?.wallet, now.draft, shown, now.posted?.limits, totalOnFelt(now)],
    () => (seat === null ? spectatorLine(now) : purse(now, shown, actions)),
  );
}

/** @param {AtTable} now */
function bettingKind(now) {
  if (state.myHand(now)) return "placed";
  return isBroke(now) ? "broke" : "open";
}

/** Moments that the felt itself shows in large letters. */
const QUIET = new Set(["won", "lost", "push", "folded", "bad-beat", "jackpot", "dealing"]);

/** @param {AtTable} now @param {any} shown @param {Decision[]} choices */
function waitingLine(now, shown, choices) {
  if (shown === "open" || (choices.length && state.mayDecide(now)) || state.mySeat(now) === null) return "";
  const { kind, text, more } = currentMoment(now);
  if (kind === "paused") return `${text}.`; // the felt shows the full reason
  return more || (QUIET.has(kind) ? "" : text);
}

/** @param {AtTable} now @param {any} shown @param {any} line @param {any} actions @param {number} chosen */
function controls(now, shown, line, actions, chosen) {
  switch (shown) {
    case "open":
      return betControls(now, actions, chosen);
    case "placed":
      return [
        el("p", { class: "waiting", tabindex: -1, "data-rest": true }, el("span", {}, line)),
        button("Take bets back", {
          name: "withdraw",
          onclick: actions.withdraw,
          "aria-disabled": !state.isConnected(now) && "true",
        }),
      ];
    case "broke":
      return outOfChips(now, actions);
    default:
      return line ? el("p", { class: "waiting" }, el("span", {}, line)) : "";
  }
}

/** @param {string} text @param {Attributes} attributes */
function button(text, attributes, key = "") {
  return el(
    "button",
    { type: "button", "aria-keyshortcuts": key || undefined, ...attributes },
    text,
    key ? el("kbd", { "aria-hidden": "true" }, key === "Enter" ? "↵" : key) : "",
  );
}

// Bets.

const NOTES = { max: "That is the table limit.", chips: "You do not have enough chips." };

/**
 * Why the last chip was not added, or what these bets leave for a Raise.
 * @param {Draft} draft @param {any} posted @param {number} chips
 */
function noteText(draft, posted, chips) {
  if (draft.note === "sides") return sideBetLimit(posted.side_wagers_max);
  if (draft.note) return NOTES[draft.note];
  return raiseWarning(draft, posted, chips);
}

/** @param {number} most */
function sideBetLimit(most) {
  if (most === 0) return "This table takes no side bets.";
  return most === 1 ? "This table allows one side bet per round." : `This table allows ${most} side bets per round.`;
}

/**
 * A warning if these bets leave too few chips for a Raise, or "".
 * @param {Draft} draft @param {any} posted @param {number} chips
 */
function raiseWarning(draft, posted, chips) {
  const multiples = posted.raises.flatMap((/** @type {any} */ one) => one.multiples);
  const ante = draft.stakes.ante ?? 0;
  const left = chips - bets.cost(draft);
  if (!ante || !multiples.length || left >= Math.max(...multiples) * ante) return "";
  const label = posted.labels.raise;
  const money = formatBrief(formatCents(left));
  if (left < Math.min(...multiples) * ante) {
    return `This leaves you ${money}: too little for any ${label}. You could only fold.`;
  }
  const largest = Math.max(...multiples);
  return `This leaves you ${money}: ${label} ${largest}× costs ${formatBrief(formatCents(largest * ante))}.`;
}

/** @param {AtTable} now @param {any} actions @param {number} chosen */
function betControls(now, actions, chosen) {
  const { draft, posted } = now;
  const chips = centsOf(now.view.chips ?? "0");
  const total = bets.total(draft.stakes);
  const again = bets.total(now.lastBets) > 0;
  const note = noteText(draft, posted, chips);
  return [
    el(
      "div",
      { class: "tray", role: "group", "aria-label": "Chips" },
      trayChips(posted).map((value, index) => trayChip(value, index, value === chosen, actions)),
    ),
    now.view.coupons?.length
      ? el(
        "div",
        { class: "coupons", role: "group", "aria-label": "Coupons" },
        now.view.coupons.map((/** @type {any} */ coupon) => couponButton(coupon, now, actions)),
      )
      : "",
    el(
      "div",
      { class: "changes", role: "group", "aria-label": "Change your bets" },
      button("Undo", { name: "undo", class: "pill", disabled: !draft.before.length, onclick: actions.undo }, "z"),
      button("Clear", { name: "clear", class: "pill", disabled: !total, onclick: actions.clear }, "x"),
      button("Rebet", { name: "rebet", class: "pill", disabled: !again, onclick: actions.rebet }, "b"),
      button("Double", {
        name: "double",
        class: "pill",
        disabled: !total || total * 2 > chips,
        onclick: actions.double,
      }, "d"),
    ),
    el(
      "button",
      {
        type: "button",
        name: "place",
        class: "main big",
        disabled: !draft.stakes.ante,
        "aria-disabled": !state.isConnected(now) && "true",
        "aria-keyshortcuts": "Enter",
        onclick: actions.place,
      },
      el("strong", {}, "Place bets"),
      el("span", {}, total ? formatMoney(formatCents(total)) : "tap a spot on the felt"),
      el("kbd", { "aria-hidden": "true" }, "↵"),
    ),
    note ? el("p", { class: "note", role: "status" }, note) : "",
  ];
}

/** The chips of the tray: those that fit within the highest limit of this table. @param {any} posted */
export function trayChips(posted) {
  const maxima = posted.limits.map((/** @type {any} */ limit) => (limit.max ? centsOf(limit.max) : 0));
  return fittingChips(maxima.includes(0) || !maxima.length ? 0 : Math.max(...maxima));
}

/** @param {any} coupon @param {AtTable} now @param {any} actions */
function couponButton(coupon, now, actions) {
  return el(
    "button",
    {
      type: "button",
      class: "pill",
      name: `coupon ${coupon.coupon}`,
      title: `until ${coupon.expires}`,
      "aria-pressed": String(now.draft.coupons[coupon.wager]?.coupon === coupon.coupon),
      onclick: () => actions.toggleCoupon(coupon),
    },
    `Coupon: ${wagerLabel(now.posted, coupon.wager)} ${formatBrief(coupon.amount)}`,
  );
}

/** @param {number} value @param {number} index @param {boolean} chosen @param {any} actions */
function trayChip(value, index, chosen, actions) {
  return el(
    "button",
    {
      type: "button",
      class: "choose",
      name: `chip ${value}`,
      "aria-pressed": String(chosen),
      "aria-label": `${formatBrief(formatCents(value))} chip`,
      "aria-keyshortcuts": String(index + 1),
      onclick: () => actions.choose(value),
    },
    chip(value),
  );
}

/** @param {AtTable} now @param {any} actions */
function outOfChips(now, actions) {
  const wallet = centsOf(now.person?.wallet ?? "0") ?? 0;
  if (wallet > 0) {
    return [
      el("p", { class: "waiting" }, `You have ${formatMoney(now.person?.wallet ?? "0.00")} in your wallet.`),
      button("Buy chips", { name: "buy in", class: "main", onclick: actions.buyIn }),
    ];
  }
  if (now.house?.demo) {
    return [
      el("p", { class: "waiting" }, "That was only play money. You can get more."),
      button("Get more play money", { name: "buy in", class: "main", onclick: actions.getPlayMoney }),
    ];
  }
  return el("p", { class: "waiting" }, "Your wallet is empty too. Please see the cashier.");
}

// Decisions.

/** A command that waits for the connection to come back, or null. @param {AtTable} now */
function unsentCommand(now) {
  return now.sending && !state.isConnected(now) ? now.sending : null;
}

/** @type {Record<string, string>} */
const UNSENT = {
  PlaceBets: "Your bets",
  WithdrawBets: "Taking your bets back",
  Check: "Check",
  Fold: "Fold",
  Raise: "Raise",
};

/** @param {Sent} sent @param {any} actions */
function unsentNotice({ command, multiple }, actions) {
  const what = `${UNSENT[command] ?? "Your last action"}${multiple ? ` ${multiple}×` : ""}`;
  return el(
    "div",
    { class: "choices unsent" },
    el("p", { class: "waiting", role: "status" }, `${what}: will be sent when the connection is back.`),
    button("Cancel", { name: "cancel sending", onclick: actions.cancelSending }),
  );
}

/**
 * The choice in green: what the coach advises; without a coach, the first.
 * @param {Decision[]} choices @param {Decision[]} beyond @param {AtTable} now
 */
function mainChoice(choices, beyond, now) {
  if (setting("coach") === "before") {
    const advice = state.currentAdvice(now);
    return choices.findIndex((/** @type {any} */ one) =>
      advice !== null && one.action === advice.action && (one.multiple ?? null) === advice.multiple
    );
  }
  return beyond.length && !choices.some((/** @type {any} */ one) => one.action === "raise") ? -1 : 0;
}

/** @param {Decision[]} choices @param {Decision[]} beyond @param {AtTable} now @param {any} actions */
function decisions(choices, beyond, now, actions) {
  if (!choices.length) return [];
  const main = mainChoice(choices, beyond, now);
  const shortfall = Math.min(...beyond.map((/** @type {any} */ one) => centsOf(one.amount ?? "0"))) -
    centsOf(now.view.chips ?? "0");
  return el(
    "div",
    { class: "choices", role: "group", "aria-label": "Your decision" },
    beyond.map((/** @type {Decision} */ choice) => decisionButton(choice, "", "", false, actions)),
    choices.map((/** @type {Decision} */ choice, /** @type {number} */ index) =>
      decisionButton(
        choice,
        choice.keys?.[0] ?? "",
        index === main ? " main" : "",
        state.mayDecide(now),
        actions,
      )
    ),
    beyond.length ? buyInToRaise(shortfall, now, actions) : "",
  );
}

/** @param {number} shortfall @param {AtTable} now @param {any} actions */
function buyInToRaise(shortfall, now, actions) {
  const amount = formatBrief(formatCents(shortfall));
  return el(
    "button",
    { type: "button", class: "big", name: "buy in to raise", onclick: () => actions.buyInToRaise(shortfall) },
    el("strong", {}, `Buy in ${amount}`),
    el("span", {}, `to ${(now.posted?.labels.raise ?? "Raise").toLowerCase()}`),
  );
}

/** @param {Decision} choice @param {string} key @param {string} kind @param {boolean} enabled @param {any} actions */
function decisionButton(choice, key, kind, enabled, actions) {
  const text = choice.label;
  return el(
    "button",
    {
      type: "button",
      class: `big ${choice.action}${kind}`,
      name: `${choice.action} ${choice.multiple ?? ""}`.trim(),
      "aria-label": choice.amount ? `${text}: ${formatMoney(choice.amount)}` : text,
      "aria-keyshortcuts": key || undefined,
      "aria-disabled": !enabled && "true",
      onclick: () => enabled && actions.decide(choice),
    },
    el("strong", {}, text),
    el("span", {}, choice.hint ?? formatMoney(choice.amount ?? "0.00")),
    key ? el("kbd", { "aria-hidden": "true" }, key) : "",
  );
}

// The player's chips.

/** @param {AtTable} now */
function totalOnFelt(now) {
  const hand = state.myHand(now);
  const stakes = state.shownResult(now, state.mySeat(now)) ? {} : state.stakesOnFelt(hand);
  return Object.values(stakes).reduce((sum, stake) => sum + centsOf(stake), 0);
}

/** @param {AtTable} now @param {any} shown @param {any} actions */
function purse(now, shown, actions) {
  const chips = centsOf(now.view.chips ?? "0");
  const drafted = shown === "open" ? bets.cost(now.draft) : 0;
  const down = totalOnFelt(now) || drafted;
  const limit = now.posted ? bets.limitsOf(now.posted, "ante") : { min: null, max: null };
  const bounds = [limit.min && formatBrief(formatCents(limit.min)), limit.max && formatBrief(formatCents(limit.max))]
    .filter(Boolean);
  return [
    el("p", { class: "caption" }, "Your chips"),
    el(
      "p",
      { class: "figure" },
      el("span", { class: "unseen" }, "Your chips: "),
      formatMoney(formatCents(chips - drafted)),
    ),
    el(
      "p",
      { class: "caption" },
      down ? `${drafted ? "to bet" : "on the felt"} ${formatMoney(formatCents(down))}` : "no bets on the felt",
    ),
    shown === "open" && bounds.length
      ? el("p", { class: "caption" }, `${now.posted.labels.ante} ${bounds.join(" to ")}`)
      : "",
    el(
      "div",
      { class: "rows" },
      now.person?.wallet === "0.00"
        ? ""
        : button("Buy in", { name: "buy in", class: "pill quiet", onclick: actions.buyIn }),
      button("Stand up", { name: "stand up", class: "pill quiet", onclick: actions.standUp }),
    ),
  ];
}

/** @param {AtTable} now */
function spectatorLine(now) {
  const { kind, more } = currentMoment(now);
  return el("p", { class: "caption" }, kind === "paused" ? "" : (more ?? ""));
}
