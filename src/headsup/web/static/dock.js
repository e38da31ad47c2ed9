// The dock under the felt: chips to bet with, the decision with what it costs and its key, and what
// is left to play with. Its parts keep their places from street to street.

import * as bets from "./bets.js";
import { chip, fitting } from "./chips.js";
import { clockOf } from "./clock.js";
import { el, fill, find } from "./dom.js";
import { isBroke, moment } from "./moments.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** @param {state.AtTable} now @param {any} doing @param {number} chosen the chip in hand */
export function drawDock(now, doing, chosen) {
  const choices = ordered(state.choices(now));
  fill("decisions", [choices, now.posted?.labels, now.view.round?.phase], () => decisions(choices, now, doing));
  const betting = state.mayBet(now) && !choices.length;
  const shown = betting ? bettingKind(now) : "";
  fill("bets", [shown, now.draft, now.placed, chosen, now.view.chips, now.posted?.limits, shown === "broke" && now.person?.wallet, waitingLine(now, shown, choices)], () =>
    controls(now, shown, choices, doing, chosen),
  );
  const clock = shown === "placed" || shown === "open" ? state.betsClock(now) : null;
  const place = find("bets").querySelector(".waiting");
  if (place) clockOf(/** @type {HTMLElement} */ (place), clock);
  const seat = state.mySeat(now);
  fill("own-chips", [seat, now.view.chips, now.person?.wallet, now.draft.stakes, shown, now.posted?.limits, onFelt(now)], () => (seat === null ? visitor(now) : purse(now, shown, doing)));
}

function bettingKind(now) {
  if (state.myHand(now)) return "placed";
  return isBroke(now) ? "broke" : "open";
}

/** Moments that the felt itself says in large letters. */
const QUIET = new Set(["won", "lost", "push", "unqualified", "folded", "bad-beat", "jackpot", "dealing"]);

function waitingLine(now, shown, choices) {
  if (shown === "open" || choices.length || state.mySeat(now) === null) return "";
  const { kind, text, more } = moment(now);
  if (kind === "paused") return `${text}.`; // why stands on the felt, whole
  return more || (QUIET.has(kind) ? "" : text);
}

function controls(now, shown, choices, doing, chosen) {
  switch (shown) {
    case "open":
      return open(now, doing, chosen);
    case "placed":
      return [
        el("p", { class: "waiting", tabindex: -1, "data-rest": true }, el("span", {}, waitingLine(now, shown, choices))),
        button("Take the bets back", { name: "withdraw", onclick: doing.withdraw }),
      ];
    case "broke":
      return broke(now, doing);
    default: {
      const line = waitingLine(now, shown, choices);
      return line ? el("p", { class: "waiting" }, el("span", {}, line)) : "";
    }
  }
}

function button(text, attributes, key = "") {
  return el(
    "button",
    { type: "button", "aria-keyshortcuts": key || undefined, ...attributes },
    text,
    key ? el("kbd", { "aria-hidden": "true" }, key === "Enter" ? "↵" : key) : "",
  );
}

// Bets.

const NOTES = { max: "That is the table’s limit.", chips: "You have no more chips." };

function open(now, doing, chosen) {
  const { draft, posted } = now;
  const chips = words.inCents(now.view.chips ?? "0");
  const total = bets.total(draft.stakes);
  const again = bets.total(now.placed) > 0;
  return [
    el("div", { class: "tray", role: "group", "aria-label": "Chips" }, trayChips(posted).map((value, index) => trayChip(value, index, value === chosen, doing))),
    el(
      "div",
      { class: "changes", role: "group", "aria-label": "Change the bets" },
      button("Undo", { name: "undo", class: "pill", disabled: !draft.before.length, onclick: doing.undo }, "z"),
      button("Clear", { name: "clear", class: "pill", disabled: !total, onclick: doing.clear }, "x"),
      button("Rebet", { name: "rebet", class: "pill", disabled: !again, onclick: doing.rebet }, "b"),
      button("Double", { name: "double", class: "pill", disabled: !total || total * 2 > chips, onclick: doing.double }, "d"),
    ),
    el(
      "button",
      { type: "button", name: "place", class: "main big", disabled: !draft.stakes.ante, "aria-keyshortcuts": "Enter", onclick: doing.place },
      el("strong", {}, "Place bets"),
      el("span", {}, total ? words.money(words.plain(total)) : "tap a spot on the felt"),
      el("kbd", { "aria-hidden": "true" }, "↵"),
    ),
    draft.note ? el("p", { class: "note", role: "status" }, NOTES[draft.note]) : "",
  ];
}

/** The chips of the tray: those that some wager of this table can take. */
export function trayChips(posted) {
  const most = posted.limits.map((one) => (one.max ? words.inCents(one.max) : 0));
  return fitting(most.includes(0) || !most.length ? 0 : Math.max(...most));
}

function trayChip(value, index, chosen, doing) {
  return el(
    "button",
    {
      type: "button",
      class: "choose",
      name: `chip ${value}`,
      "aria-pressed": String(chosen),
      "aria-label": `Chip of ${words.brief(words.plain(value))}`,
      "aria-keyshortcuts": String(index + 1),
      onclick: () => doing.choose(value),
    },
    chip(value),
  );
}

function broke(now, doing) {
  const wallet = words.inCents(now.person?.wallet ?? "0") ?? 0;
  if (wallet > 0) {
    return [
      el("p", { class: "waiting" }, `Your wallet holds ${words.money(now.person.wallet)}.`),
      button("Buy chips", { name: "buy in", class: "main", onclick: doing.buyIn }),
    ];
  }
  if (now.house?.demo) {
    return [
      el("p", { class: "waiting" }, "It was play money: there is more of it."),
      button("More play money", { name: "buy in", class: "main", onclick: doing.morePlayMoney }),
    ];
  }
  return el("p", { class: "waiting" }, "Your wallet is empty too: please go to the cashier.");
}

// Decisions.

const KEYS = { check: "c", fold: "f" };

/** The largest Raise first, then smaller ones, then what gives nothing up or all. */
function ordered(choices) {
  const raises = choices.filter((one) => one.action === "raise");
  const rest = choices.filter((one) => one.action !== "raise");
  return [...raises.sort((a, b) => b.multiple - a.multiple), ...rest];
}

/** The key of a choice: the largest Raise is r, each one its own number. */
export function keysOf(choice, choices) {
  if (choice.action !== "raise") return [KEYS[choice.action]];
  const raises = choices.filter((one) => one.action === "raise");
  const most = Math.max(...raises.map((one) => one.multiple));
  return [...(choice.multiple === most ? ["r"] : []), String(choice.multiple)];
}

const CHECKS = { pocket: "see the flop", flop: "see turn and river" };

function decisions(choices, now, doing) {
  if (!choices.length) return [];
  return el(
    "div",
    { class: "choices", role: "group", "aria-label": "Your decision" },
    choices.map((choice, index) => decisionButton(choice, index, keysOf(choice, choices)[0], now, doing)),
  );
}

function decisionButton(choice, index, key, now, doing) {
  const label = now.posted?.labels.raise ?? "Raise";
  const [text, more] = {
    raise: [`${label} ${choice.multiple}×`, choice.amount ? `${words.money(choice.amount)} more` : ""],
    check: ["Check", CHECKS[now.view.round?.phase] ?? ""],
    fold: ["Fold", "give the hand up"],
  }[choice.action];
  return el(
    "button",
    {
      type: "button",
      class: `big ${choice.action}${index === 0 ? " main" : ""}`,
      name: `${choice.action} ${choice.multiple ?? ""}`.trim(),
      "aria-label": choice.amount ? `${text}: ${words.money(choice.amount)}` : text,
      "aria-keyshortcuts": key,
      onclick: () => doing.decide(choice),
    },
    el("strong", {}, text),
    el("span", {}, more),
    el("kbd", { "aria-hidden": "true" }, key),
  );
}

// What is left.

function onFelt(now) {
  const hand = state.myHand(now);
  const stakes = state.resultShown(now, state.mySeat(now)) ? {} : state.onFelt(hand);
  return Object.values(stakes).reduce((sum, stake) => sum + words.inCents(stake), 0);
}

function purse(now, shown, doing) {
  const chips = words.inCents(now.view.chips ?? "0");
  const drafted = shown === "open" ? bets.total(now.draft.stakes) : 0;
  const down = onFelt(now) || drafted;
  const limit = now.posted ? bets.limitsOf(now.posted, "ante") : { min: null, max: null };
  const bounds = [limit.min && words.brief(words.plain(limit.min)), limit.max && words.brief(words.plain(limit.max))].filter(Boolean);
  return [
    el("p", { class: "caption" }, "Your chips"),
    el("p", { class: "figure" }, el("span", { class: "unseen" }, "Your chips: "), words.money(words.plain(chips - drafted))),
    el("p", { class: "caption" }, down ? `${drafted ? "to bet" : "on the felt"} ${words.money(words.plain(down))}` : "nothing on the felt"),
    shown === "open" && bounds.length ? el("p", { class: "caption" }, `${now.posted.labels.ante} ${bounds.join(" to ")}`) : "",
    el(
      "div",
      { class: "rows" },
      now.person?.wallet === "0.00" ? "" : button("Buy in", { name: "buy in", class: "pill quiet", onclick: doing.buyIn }),
      button("Stand up", { name: "stand up", class: "pill quiet", onclick: doing.standUp }),
    ),
  ];
}

function visitor(now) {
  const { kind, more } = moment(now);
  return el("p", { class: "caption" }, kind === "paused" ? "" : (more ?? ""));
}
