// The felt: what everyone sees, and the player's own seat with its spots. What is printed on it comes
// from the server; the style sheet decides where things lie.

/** @import { AtTable, RoundView, SeatView, TableView } from "../lib/state.js" */

import { wagersOf } from "../lib/bets.js";
import { row } from "../lib/cards.js";
import { el, fill, find, svg } from "../lib/dom.js";
import { centsOf, formatBrief, formatCents, formatMoney, formatPay, formatSigned } from "../lib/money.js";
import * as state from "../lib/state.js";
import { capitalize, titleCase } from "../lib/text.js";
import { stack } from "./chips.js";
import { isBroke } from "./moments.js";

/** The order of a seat's upper spots in the documents: New York (a)(2)(i)–(v). */
const UPPER = ["trips_plus", "pocket_bonus", "all_6", "progressive"];
/** The paytables printed on the felt, left and right of the dealer. */
const PRINTED = ["odds", "trips_plus", "progressive", "bad_beat", "pocket_bonus", "all_6"];
/** @type {Record<string, string>} */
const HEADS = { odds: "you win", bad_beat: "you lose" };

/** @param {state.AtTable} now @param {any} actions */
export function drawFelt(now, actions) {
  const { view, posted } = now;
  fill("backdrop", "drawn", backdrop);
  const lit = litRows(now);
  fill("pays", [posted?.paytables, lit], () => (posted ? pays(posted, lit) : ""));
  meter(view, posted);
  dealer(now);
  fill("qualifier", posted?.qualifier, () => posted?.qualifier?.text ?? "");
  board(now);
  fill("raises", [posted?.raises, posted?.labels], () => (posted ? raisesText(posted) : ""));
  fill(
    "inscriptions",
    [posted?.inscriptions],
    () => (posted?.inscriptions ?? []).map((/** @type {string} */ text) => el("p", {}, text)),
  );
  const staked = [...Object.keys(now.draft.stakes), ...Object.keys(state.stakesOnFelt(state.shownHand(now)))];
  fill("print", [posted?.paytables, staked.join()], () => (posted ? smallPrint(posted, staked) : ""));
  // In pixels, however large the felt is: a phone's felt makes room for it.
  find("felt").style.setProperty("--print", `${find("print").offsetHeight + find("inscriptions").offsetHeight}px`);
  ownSpots(now, actions);
  ownHand(now);
}

/** The background: wood, cloth and the betting line. */
function backdrop() {
  /** @param {number} inset */
  const shape = (inset) => {
    const [left, right, top] = [40 + inset, 1400 - inset, 10 + inset];
    const [rx, ry] = [(right - left) / 2, 480 - inset];
    return `M${left} ${top}H${right}V235A${rx} ${ry} 0 0 1 ${left} 235Z`;
  };
  return svg(
    "svg",
    { viewBox: "0 0 1440 730", preserveAspectRatio: "none" },
    svg(
      "defs",
      {},
      svg(
        "radialGradient",
        { id: "cloth", cx: ".5", cy: ".35", r: ".75" },
        svg("stop", { offset: "0", class: "cloth-light" }),
        svg("stop", { offset: ".6", class: "cloth" }),
        svg("stop", { offset: "1", class: "cloth-deep" }),
      ),
      svg(
        "linearGradient",
        { id: "wood", x2: "0", y2: "1" },
        svg("stop", { offset: "0", class: "wood" }),
        svg("stop", { offset: "1", class: "wood-dark" }),
      ),
    ),
    svg("path", { d: shape(0), fill: "url(#wood)" }),
    svg("path", { d: shape(17), fill: "url(#cloth)" }),
    svg("path", { class: "betting-line", d: shape(32) }),
  );
}

// The print on the felt.

/** The paytable rows that just paid this player. @param {AtTable} now */
function litRows(now) {
  const lines = state.shownResult(now, state.mySeat(now))?.wagers ?? {};
  const paid = Object.values(lines).filter((line) => line.table && line.result === "win");
  return paid.map((line) => `${line.table} ${line.outcome}`);
}

/** @param {any} posted @param {any} lit */
function pays(posted, lit) {
  const tables = PRINTED.map((key) => posted.paytables.find((/** @type {any} */ one) => one.key === key));
  return tables.filter(Boolean).map((table) =>
    el(
      "div",
      { class: `inscribed ${table.key}` },
      el("h2", {}, `${heading(table.key, posted)} `, HEADS[table.key] ? el("span", {}, HEADS[table.key]) : ""),
      el(
        "dl",
        {},
        table.rows.map((/** @type {any} */ one) => {
          const paid = lit.includes(`${table.key} ${one.outcome}`);
          return el(
            "div",
            { class: paid ? "lit" : undefined },
            el("dt", {}, one.label),
            el("dd", {}, formatPay(one.pays, table.basis), paid ? el("span", { class: "unseen" }, ", just paid") : ""),
          );
        }),
      ),
    )
  );
}

/**
 * For screens without room for the paytables: the raises, and the pays of the wagers in play, in lines.
 * @param {any} posted @param {string[]} staked
 */
function smallPrint(posted, staked) {
  const tables = ["odds", "bad_beat", ...UPPER].map((key) =>
    posted.paytables.find((/** @type {any} */ one) => one.key === key)
  ).filter(
    Boolean,
  );
  const inPlay = tables.filter((table) => !UPPER.includes(table.key) || staked.includes(table.key));
  return [
    el("p", { class: "raises" }, raisesText(posted)),
    ...inPlay.map((table) =>
      el(
        "p",
        { class: table.key },
        el("strong", {}, [heading(table.key, posted), HEADS[table.key]].filter(Boolean).join(", ")),
        ` ${
          table.rows.filter((/** @type {any} */ one) => !["loss", "push"].includes(one.pays)).map((
            /** @type {any} */ one,
          ) => `${one.label} ${one.pays}`)
            .join(" · ")
        } ${table.basis} 1`,
      )
    ),
  ];
}

/** @param {string} key @param {any} posted */
function heading(key, posted) {
  return posted.labels[key] ?? titleCase(key);
}

/** @param {any} posted */
function raisesText(posted) {
  const label = posted.labels.raise;
  /** @type {Record<string, string>} */
  const streets = { pocket: "before the flop", flop: "on the flop", river: "on the river" };
  const parts = posted.raises.map(
    (/** @type {any} */ one) =>
      `${one.multiples.map((/** @type {number} */ multiple) => `${multiple}×`).join(", ")} ${
        streets[one.street] ?? one.street
      }`,
  );
  return `${label} ${parts.join(" · ")}`;
}

/** @param {TableView} view @param {any} posted */
function meter(view, posted) {
  fill("meter", [view.meter, posted?.labels], () =>
    view.meter === null ? "" : [
      el("h2", { class: "inscription" }, posted?.labels.progressive ?? ""),
      el("p", { class: "figure" }, formatMoney(view.meter.shows)),
      view.meter.frozen
        ? el("p", { class: "frozen", title: view.meter.frozen }, `Display frozen: ${view.meter.frozen}`)
        : "",
    ]);
}

// Dealer and board.

/** @param {RoundView | null | undefined} round */
export function isDealt(round) {
  return !!round?.dealt;
}

/** @param {AtTable} now */
function dealer(now) {
  const round = state.shownRound(now);
  const best = state.decidingCards(now, state.mySeat(now));
  const name = round?.dealer_hand
    ? `${capitalize(round.dealer_hand.name)}${round.dealer_qualifies === false ? " · does not qualify" : ""}`
    : "";
  const dealt = isDealt(round);
  fill("dealer-cards", [round?.number, round?.dealer, name, dealt, best], () => [
    row(round?.dealer ?? "", 2, { down: dealt, best }),
    name ? el("p", { class: round?.dealer_qualifies === false ? "named unqualified" : "named" }, name) : "",
  ]);
}

/** @param {AtTable} now */
function board(now) {
  const round = state.shownRound(now);
  const best = state.decidingCards(now, state.mySeat(now));
  const label = now.posted?.labels.all_6;
  // Dealt first and face down, wherever All 6 is on the layout (Galaxy 3).
  const packet = isDealt(round) && !round?.void && now.view.offered.includes("all_6");
  fill("board-cards", [round?.number, round?.board, round?.board_down, round?.all_6, packet, best, label], () => [
    row(round?.board ?? "", 5, { down: (round?.board_down ?? 0) > 0, best }),
    round?.all_6 || packet
      ? el("div", { class: "all-6" }, el("h3", {}, label ?? "All 6"), row(round?.all_6 ?? "", 4, { down: packet }))
      : "",
  ]);
}

// The player's own seat.

/** @param {AtTable} now @param {any} actions */
function ownSpots(now, actions) {
  const { view, posted } = now;
  const seat = state.mySeat(now);
  const betting = state.mayBet(now) && state.myHand(now) === null && !isBroke(now);
  const placed = stakesInCents(state.stakesOnFelt(state.shownHand(now)));
  const stakes = betting ? { ...now.draft.stakes, ...raiseOf(placed) } : placed;
  const lines = state.shownResult(now, seat)?.wagers ?? {};
  const lights = view.tabulator?.lights;
  const lit = lights ? seat !== null && (lights.progressive ?? []).includes(seat) : null;
  const taken = view.round && !view.round.open
    ? posted?.paytables.filter((/** @type {any} */ one) => one.basis === "for").map((/** @type {any} */ one) =>
      one.key
    ) ?? []
    : [];
  const shown = { stakes, lines, betting, lit, taken };
  fill("spots", [view.offered, posted?.labels, shown], () => posted ? spots(view.offered, posted, shown, actions) : "");
}

/**
 * Only the Raise: it is never part of a draft, so its chips are those of the last round on the felt.
 * @param {import("../lib/bets.js").Stakes} stakes
 */
function raiseOf(stakes) {
  return stakes.raise ? { raise: stakes.raise } : {};
}

/** @param {Record<string, string>} stakes */
function stakesInCents(stakes) {
  return Object.fromEntries(Object.entries(stakes).map(([wager, amount]) => [wager, centsOf(amount)]));
}

/** @param {string[]} offered @param {any} posted @param {any} shown @param {any} actions */
function spots(offered, posted, shown, actions) {
  /** @param {string} wager */
  const makeSpot = (wager) => spot(wager, posted, shown, actions);
  return [
    el("div", { class: "upper" }, UPPER.filter((wager) => offered.includes(wager)).map(makeSpot)),
    el(
      "div",
      { class: "joined" },
      makeSpot("ante"),
      el("span", { class: "equals", "aria-hidden": "true" }, "="),
      makeSpot("odds"),
    ),
    el("div", { class: "behind" }, makeSpot("raise")),
  ];
}

/** @type {Record<string, string>} */
const SHORT_NAMES = {
  trips_plus: "Trips Plus",
  pocket_bonus: "Pocket Bonus",
  all_6: "All 6",
  progressive: "Progressive",
};

/** @param {string} wager @param {any} posted @param {any} shown @param {any} actions */
function spot(wager, posted, { stakes, lines, betting, lit, taken }, actions) {
  const label = posted.labels[wager] ?? SHORT_NAMES[wager] ?? wager;
  const stake = stakes[wager] ?? 0;
  const line = lines[wager];
  // The dealer has taken up a "for 1" chip at the button: its light stands for it (Washington App. E, footnotes 3 and 4).
  const removed = stake > 0 && !betting && taken.includes(wager);
  const amount = stake ? `${formatMoney(formatCents(stake))}${removed ? ", taken up" : ""}` : "no bet";
  const isOnRim = stake > 0 || wager === "progressive"; // the one name that is wider than its circle
  const inside = [
    svg(
      "svg",
      { class: "circle", viewBox: "0 0 100 100", "aria-hidden": "true" },
      svg("circle", { cx: 50, cy: 50, r: 47 }),
    ),
    stake && !removed ? stack(stake) : "",
    el(
      "span",
      { class: isOnRim ? "word rim" : "word", "aria-hidden": "true" },
      isOnRim ? (SHORT_NAMES[wager] ?? label) : label,
    ),
    wager === "progressive" && lit !== null
      ? el("span", {
        class: lit ? "light on" : "light",
        role: "img",
        "aria-label": lit ? "its light is on" : "its light is off",
      })
      : "",
    stake && !line && !removed
      ? el("span", { class: "worth", "aria-hidden": "true" }, formatBrief(formatCents(stake)))
      : "",
    line ? outcome(line) : "",
  ];
  const kind = `spot ${wager}${line ? ` ${line.result}` : ""}`;
  if (!betting || wager === "raise") {
    return el("div", { class: kind, role: "group", "aria-label": `${label}: ${amount}` }, inside);
  }
  return el(
    "button",
    {
      type: "button",
      class: kind,
      onpointerdown: (event) => onLongPress(event, () => actions.removeBet(wager)),
      name: wager,
      "aria-label": `${wagersOf(wager).map((one) => posted.labels[one]).join(" and ")}: ${amount}`,
      "aria-keyshortcuts": SPOT_KEYS[wager],
      onclick: (event) => (event.currentTarget.dataset.longPressed ? undefined : actions.bet(wager)),
      oncontextmenu: (event) => {
        event.preventDefault();
        actions.removeBet(wager);
      },
    },
    inside,
  );
}

const LONG_PRESS_MILLISECONDS = 500;

/**
 * On a touch screen, a long press removes the bet; with a mouse it is the right button.
 * @param {any} event @param {() => unknown} act
 */
function onLongPress(event, act) {
  if (event.pointerType === "mouse") return;
  const button = event.currentTarget;
  const timer = setTimeout(() => {
    button.dataset.longPressed = "yes"; // the click that follows must not add a chip
    act();
  }, LONG_PRESS_MILLISECONDS);
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => clearTimeout(timer), { once: true });
  }
}

/** The key of each spot during betting. */
/** @type {Record<string, string>} */
export const SPOT_KEYS = { ante: "a", odds: "o", trips_plus: "t", pocket_bonus: "p", all_6: "6", progressive: "g" };

/** @param {any} line */
function outcome(line) {
  const text = {
    win: formatSigned(line.net),
    lose: formatSigned(line.net),
    push: "push",
    void: "back",
  }[/** @type {import("../lib/state.js").LineView} */ (line).result];
  return el("span", { class: "outcome" }, text.replace(/\.00$/, ""));
}

/** @param {AtTable} now */
function ownHand(now) {
  const seat = state.mySeat(now);
  const hand = state.shownHand(now);
  const dealt = hand !== null && isDealt(state.shownRound(now));
  const best = hand?.hand ? state.decidingCards(now, seat) : "";
  const name = !dealt ? "" : hand.void ? voidText(hand) : (hand.hand ?? hand.reads)?.name ?? "";
  const draws = dealt && !hand.void && !hand.hand ? hand.draws ?? [] : [];
  fill(
    "own-hand",
    [seat, state.shownRound(now)?.number, hand?.hole, best, name, draws, dealt],
    () =>
      seat === null ? "" : [
        row(dealt ? hand.hole : "", 2, { down: dealt, best, label: "Your cards" }),
        el(
          "p",
          { class: "named" },
          capitalize(name),
          draws.length ? el("span", { class: "draws" }, el("span", { class: "unseen" }, ", "), draws.join(" · ")) : "",
        ),
      ],
  );
  find("own-hand").classList.toggle("folded", dealt && hand.decision.action === "fold");
}

/** @param {SeatView} hand */
function voidText(hand) {
  return `void: ${hand.void} (${hand.voided?.clause ?? ""})`;
}
