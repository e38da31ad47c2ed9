// The felt: what lies on it for everyone, and the own seat with its spots. Nothing is decided here:
// what is printed on it is what the server has posted, and where things lie is the style sheet's.

import { wagersOf } from "./bets.js";
import { row, svg } from "./cards.js";
import { stack } from "./chips.js";
import { el, fill, find } from "./dom.js";
import * as state from "./state.js";
import * as words from "./words.js";

/** The spots of a seat as the documents lay them out: New York (a)(2)(i)–(v). */
const UPPER = ["trips_plus", "pocket_bonus", "all_6", "progressive"];
/** The pays that the felt prints, left and right of the dealer. */
const PRINTED = ["odds", "trips_plus", "progressive", "bad_beat", "pocket_bonus", "all_6"];
const HEADS = { odds: "you win", bad_beat: "you lose" };

/** @param {state.AtTable} now @param {any} doing */
export function drawFelt(now, doing) {
  const { view, posted } = now;
  fill("backdrop", "drawn", backdrop);
  const lit = litRows(now);
  fill("pays", [posted?.paytables, lit], () => (posted ? pays(posted, lit) : ""));
  meter(view, posted);
  dealer(now);
  fill("qualifier", posted?.qualifier, () => posted?.qualifier?.text ?? "");
  board(now);
  fill("raises", [posted?.raises, posted?.labels], () => (posted ? permitted(posted) : ""));
  ownSpots(now, doing);
  ownHand(now);
}

/** Wood, cloth and the line where the bets begin, behind everything. */
function backdrop() {
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

// What is printed on it.

/** The rows that just paid the own hand, by paytable. */
function litRows(now) {
  const lines = state.resultShown(now, state.mySeat(now))?.wagers ?? {};
  const paid = Object.values(lines).filter((line) => line.table && line.result === "win");
  return paid.map((line) => `${line.table} ${line.outcome}`);
}

function pays(posted, lit) {
  const tables = PRINTED.map((key) => posted.paytables.find((one) => one.key === key));
  return tables.filter(Boolean).map((table) =>
    el(
      "div",
      { class: `inscribed ${table.key}` },
      el("h2", {}, `${heading(table.key, posted)} `, HEADS[table.key] ? el("span", {}, HEADS[table.key]) : ""),
      el(
        "dl",
        {},
        table.rows.map((one) => {
          const paid = lit.includes(`${table.key} ${one.outcome}`);
          return el(
            "div",
            { class: paid ? "lit" : undefined },
            el("dt", {}, one.label),
            el("dd", {}, words.pays(one.pays, table.basis), paid ? el("span", { class: "unseen" }, ", just paid") : ""),
          );
        }),
      ),
    ),
  );
}

function heading(key, posted) {
  return posted.labels[key] ?? words.titled(key);
}

function permitted(posted) {
  const label = posted.labels.raise;
  const said = { pocket: "before the flop", flop: "on the flop", river: "on the river" };
  const parts = posted.raises.map(
    (one) => `${one.multiples.map((multiple) => `${multiple}×`).join(", ")} ${said[one.street] ?? one.street}`,
  );
  return `${label} ${parts.join(" · ")}`;
}

function meter(view, posted) {
  fill("meter", [view.meter, posted?.labels], () =>
    view.meter === null
      ? ""
      : [
          el("h2", { class: "inscription" }, posted?.labels.progressive ?? ""),
          el("p", { class: "figure" }, words.money(view.meter.shows)),
          view.meter.frozen ? el("p", { class: "frozen", title: view.meter.frozen }, `Frozen: ${view.meter.frozen}`) : "",
        ],
  );
}

// Dealer and board.

export function isDealt(round) {
  return !!round && !["betting", "no_more_bets"].includes(round.phase);
}

function dealer(now) {
  const round = state.roundShown(now);
  const best = state.deciding(now, state.mySeat(now));
  const named = round?.dealer_hand ? `${words.capital(round.dealer_hand.name)}${round.dealer_qualifies === false ? " · does not qualify" : ""}` : "";
  const dealt = isDealt(round);
  fill("dealer-cards", [round?.number, round?.dealer, named, dealt, best], () => [
    row(round?.dealer ?? "", 2, { down: dealt, best }),
    named ? el("p", { class: round?.dealer_qualifies === false ? "named unqualified" : "named" }, named) : "",
  ]);
}

function board(now) {
  const round = state.roundShown(now);
  const best = state.deciding(now, state.mySeat(now));
  const label = now.posted?.labels.all_6;
  fill("board-cards", [round?.number, round?.board, round?.board_down, round?.all_6, best, label], () => [
    row(round?.board ?? "", 5, { down: (round?.board_down ?? 0) > 0, best }),
    round?.all_6 ? el("div", { class: "all-6" }, el("h3", {}, label ?? "All 6"), row(round.all_6, 4)) : "",
  ]);
}

// The own seat.

function ownSpots(now, doing) {
  const { view, posted } = now;
  const seat = state.mySeat(now);
  const betting = state.mayBet(now) && state.myHand(now) === null;
  const lying = centsOf(state.onFelt(state.handShown(now)));
  const stakes = betting ? { ...now.draft.stakes, ...raiseOf(lying) } : lying;
  const lines = state.resultShown(now, seat)?.wagers ?? {};
  const lights = view.tabulator?.lights;
  const lit = lights ? seat !== null && (lights.progressive ?? []).includes(seat) : null;
  const shown = { stakes, lines, betting, lit };
  fill("spots", [view.offered, posted?.labels, shown], () =>
    posted ? spots(view.offered, posted, shown, doing) : "",
  );
}

/** A Raise is no bet that could lie ready: its chips are the last round's, as long as that is shown.
 * @param {import("./bets.js").Stakes} stakes */
function raiseOf(stakes) {
  return stakes.raise ? { raise: stakes.raise } : {};
}

function centsOf(stakes) {
  return Object.fromEntries(Object.entries(stakes).map(([wager, amount]) => [wager, words.inCents(amount)]));
}

function spots(offered, posted, shown, doing) {
  const made = (wager) => spot(wager, posted, shown, doing);
  return [
    el("div", { class: "upper" }, UPPER.filter((wager) => offered.includes(wager)).map(made)),
    el("div", { class: "joined" }, made("ante"), el("span", { class: "equals", "aria-hidden": "true" }, "="), made("odds")),
    el("div", { class: "behind" }, made("raise")),
  ];
}

const SHORT = { trips_plus: "Trips Plus", pocket_bonus: "Pocket Bonus", all_6: "All 6", progressive: "Progressive" };

function spot(wager, posted, { stakes, lines, betting, lit }, doing) {
  const label = posted.labels[wager] ?? SHORT[wager] ?? wager;
  const stake = stakes[wager] ?? 0;
  const line = lines[wager];
  const said = stake ? words.money(words.plain(stake)) : "no bet";
  const inside = [
    svg("svg", { class: "circle", viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("circle", { cx: 50, cy: 50, r: 47 })),
    stake ? stack(stake) : "",
    el("span", { class: stake ? "word rim" : "word", "aria-hidden": "true" }, stake ? (SHORT[wager] ?? label) : breakable(label)),
    wager === "progressive" && lit !== null ? el("span", { class: lit ? "light on" : "light", role: "img", "aria-label": lit ? "its light is on" : "its light is off" }) : "",
    stake && !line ? el("span", { class: "worth", "aria-hidden": "true" }, words.brief(words.plain(stake))) : "",
    line ? outcome(line) : "",
  ];
  const kind = `spot ${wager}${line ? ` ${line.result}` : ""}`;
  if (!betting || wager === "raise") {
    return el("div", { class: kind, role: "group", "aria-label": `${label}: ${said}` }, inside);
  }
  return el(
    "button",
    {
      type: "button",
      class: kind,
      onpointerdown: (event) => held(event, () => doing.takeBack(wager)),
      name: wager,
      "aria-label": `${wagersOf(wager).map((one) => posted.labels[one]).join(" and ")}: ${said}`,
      "aria-keyshortcuts": KEYS[wager],
      onclick: (event) => (event.currentTarget.dataset.taken ? undefined : doing.bet(wager)),
      oncontextmenu: (event) => {
        event.preventDefault();
        doing.takeBack(wager);
      },
    },
    inside,
  );
}

/** The one name that is longer than a small circle is wide may be broken there. */
function breakable(label) {
  return label.replace("Progressive", "Progres\u00ADsive");
}

const LONG_PRESS = 500; // milliseconds

/** A finger that stays takes back; with a mouse that is the right button. */
function held(event, act) {
  if (event.pointerType === "mouse") return;
  const button = event.currentTarget;
  const timer = setTimeout(() => {
    button.dataset.taken = "yes"; // the click that follows is no further chip
    act();
  }, LONG_PRESS);
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => clearTimeout(timer), { once: true });
  }
}

/** The key of each spot while bets are taken. */
export const KEYS = { ante: "a", odds: "o", trips_plus: "t", pocket_bonus: "p", all_6: "6", progressive: "g" };

function outcome(line) {
  const text = { win: words.signed(line.net), lose: words.signed(line.net), push: "push", void: "back" }[line.result];
  return el("span", { class: "outcome" }, text.replace(/\.00$/, ""));
}

function ownHand(now) {
  const seat = state.mySeat(now);
  const hand = state.handShown(now);
  const dealt = hand !== null && isDealt(state.roundShown(now));
  const best = hand?.hand ? state.deciding(now, seat) : "";
  const said = !dealt ? "" : hand.void ? voided(hand) : (hand.hand ?? hand.reads)?.name ?? "";
  const draws = dealt && !hand.void && !hand.hand ? hand.draws ?? [] : [];
  fill("own-hand", [seat, state.roundShown(now)?.number, hand?.hole, best, said, draws, dealt], () =>
    seat === null
      ? ""
      : [
          row(dealt ? hand.hole : "", 2, { down: dealt, best, label: "Your cards" }),
          el("p", { class: "named" }, words.capital(said), draws.length ? el("span", { class: "draws" }, el("span", { class: "unseen" }, ", "), draws.join(" · ")) : ""),
        ],
  );
  find("own-hand").classList.toggle("folded", dealt && hand.decision === "fold");
}

function voided(hand) {
  return `void: ${words.spaced(hand.void)} (${hand.voided?.clause ?? ""})`;
}
