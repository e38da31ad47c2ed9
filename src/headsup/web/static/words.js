// How cards, money and events are said to people. The words are the page's, the facts the server's.

const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

const PHASES = {
  none: "The first round has not begun",
  betting: "Place your bets",
  no_more_bets: "No more bets",
  pocket: "Pocket cards: decide",
  flop_due: "The flop comes",
  flop: "Flop: decide",
  river_due: "Turn and river come",
  river: "River: the last decision",
  reveal_due: "The dealer turns over",
  settlement_due: "The dealer reads the hands",
  resolving: "The dealer settles hand by hand",
  settled: "Settled",
  closed: "The round is over",
};

const WAGERS = ["ante", "odds", "raise", "trips_plus", "pocket_bonus", "all_6", "progressive"];

/**
 * What there is of each wager, in the order of the game.
 * @template T
 * @param {Record<string, T>} by
 * @returns {[string, T][]}
 */
export function inOrder(by) {
  return Object.entries(by).sort(([one], [other]) => WAGERS.indexOf(one) - WAGERS.indexOf(other));
}

/** @param {string} cards such as "AsKd" @returns {string[]} */
export function split(cards) {
  return cards.match(/../g) ?? [];
}

/** "As" → "ace of spades" */
export function cardName(card) {
  return `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

export function rankShown(card) {
  return card[0] === "T" ? "10" : card[0];
}

export function suitShown(card) {
  return SIGNS[card[1]];
}

/** "1250.00" → "$1,250.00" */
export function money(amount) {
  const [whole, cents] = amount.replace("-", "").split(".");
  const sign = amount.startsWith("-") ? "−" : "";
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`;
}

/** The same with its sign, for what was won or lost. */
export function signed(amount) {
  return /^-|^0\.00$/.test(amount) ? money(amount) : `+${money(amount)}`;
}

/** Cents of what a person typed, or null. @param {string} text */
export function cents(text) {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim());
  return match && Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Cents of an amount that the server told. @param {string} amount */
export function inCents(amount) {
  return cents(amount) ?? 0;
}

/** "500.00" → "$500": where there is little room, no cents that are none. */
export function brief(amount) {
  return money(amount).replace(/\.00$/, "");
}

/** 1250 → "12.50" */
export function plain(amount) {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
}

/** A pay as a paytable prints it: "500" → "500 to 1"; a percentage or a word as it is. */
export function pays(pay, basis) {
  return /^[\d.,/]+$/.test(pay) ? `${pay} ${basis} 1` : pay;
}

export function phase(name) {
  return PHASES[name] ?? spaced(name);
}

export function spaced(name) {
  return name.replaceAll("_", " ");
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "bad_beat" → "Bad Beat": a wager or paytable for which the book has no label. */
export function titled(name) {
  return spaced(name).split(" ").map(capital).join(" ");
}

/** "open-ended straight draw" → "an open-ended straight draw" */
export function withArticle(text) {
  return `${/^[aeiou]/.test(text) ? "an" : "a"} ${text}`;
}

/** A hand in a sentence: "a pair of nines", but "ace high" and "two pair". */
export function aHand(name) {
  return /^(pair|straight|full house|royal|\w+-high flush)/.test(name) ? withArticle(name) : name;
}

/** A seat's decision as its view has it. */
export function decision(text, label) {
  const [word, multiple, street] = text.split(" ");
  const said = {
    "": "",
    owes: "to decide",
    check: "checks",
    fold: "folds",
    hidden: "decides",
    raise: `${label} ${multiple}× (${street})`,
  };
  return said[word] ?? text;
}

/**
 * What happened, for the live region; "" for what needs no words.
 * @param {any} event @param {import("./state.js").State} state the one after it
 */
export function sentence(event, state) {
  const who = name(event.seat, state);
  const label = state.posted?.labels?.raise ?? "Raise";
  switch (event.event) {
    case "TableClosed":
      return event.reason ? `The table is closed: ${event.reason}.` : "The table is closed.";
    case "PlayerSat":
      return `${event.player} sits down at seat ${event.seat}.`;
    case "PlayerLeft":
      return `Seat ${event.seat} is free.`;
    case "RoundOpened":
      return `Round ${event.number}: place your bets.`;
    case "BetsPlaced":
      return `${who} ${verb(who, "bet")}.`;
    case "BetsWithdrawn":
      return `${who} ${verb(who, "take")} the bets back.`;
    case "BetsClosed":
      return "No more bets.";
    case "CardsDealt":
      return dealt(state);
    case "Raised":
      return `${who}: ${label} ${event.multiple}×.`;
    case "Checked":
      return `${who} ${verb(who, "check")}${late(event)}.`;
    case "Folded":
      return `${who} ${verb(who, "fold")}${late(event)}.`;
    case "FlopRevealed":
      return `${chosen(event, state)}Flop: ${said(event.cards)}.`;
    case "TurnAndRiverRevealed":
      return `${chosen(event, state)}Turn and river: ${said(event.cards)}.`;
    case "BoardCompleted":
      return `The board is completed: ${said(event.cards)}.`;
    case "DealerRevealed":
      return `${chosen(event, state)}The dealer has ${said(event.cards)}.`;
    case "RoundSettled":
      return dealerHand(state.view?.round);
    case "HandResolved":
      return resolved(event.seat, who, state);
    case "IrregularityReported":
      return `Irregularity: ${spaced(event.cause)}; ${spaced(event.resolution)}.`;
    case "HandVoided":
      return `${who === "You" ? "Your hand" : `${who}: the hand`} is void: ${spaced(event.cause)} (${event.clause}).`;
    case "RoundVoided":
      return `The round is void: ${spaced(event.cause)} (${event.clause}).`;
    case "DecisionReopened":
      return `${who} may decide again.`;
    case "PayoutCorrected":
      return corrected(event, state);
    case "TimeExtended":
      return `${who} ${verb(who, "get")} ${event.seconds} more seconds.`;
    default:
      return "";
  }
}

/** What the others chose on the street that is over; it was hidden until then. */
function chosen(event, state) {
  const others = Object.entries(event.chosen ?? {}).filter(([seat]) => Number(seat) !== state.view?.you);
  const label = state.posted?.labels?.raise ?? "Raise";
  const lines = others.map(([seat, text]) => {
    const [word, multiple] = text.split(" ");
    return word === "raise" ? `${name(Number(seat), state)}: ${label} ${multiple}×` : `${name(Number(seat), state)} ${word}s`;
  });
  return lines.length ? `${lines.join(", ")}. ` : "";
}

/** To the player it is about, wherever they sit now, or to the dealer: others are not told. */
function corrected({ amount, round, reason, player }, state) {
  const gives = amount > 0;
  const whose = (state.view?.you ?? null) === null ? `${player}’s` : "your";
  const moves = `${money(plain(Math.abs(amount)))} ${gives ? "goes to" : "is taken from"} ${whose} chips`;
  return `The payout of round ${round} is corrected: ${moves}. Reason: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`;
}

/** "You have ace of spades and king of diamonds." */
function dealt(state) {
  const hole = state.view?.round?.seats[state.view.you]?.hole;
  return hole ? `You have ${said(hole)}.` : "Cards are dealt.";
}

export function dealerHand(round) {
  if (!round?.dealer_hand) return "";
  const qualifies = round.dealer_qualifies === false ? "; the dealer does not qualify" : "";
  return `The dealer’s hand: ${round.dealer_hand.name}${qualifies}.`;
}

function resolved(seat, who, state) {
  const round = state.view?.round;
  const result = round?.results?.[seat];
  if (!result) return "";
  const hand = round.seats[seat]?.hand;
  const has = hand ? `${hand.name}, ` : "";
  return `${who}: ${has}${signed(result.net)}.${special(result.wagers)}`;
}

/** What deserves a word of its own. */
function special(wagers) {
  if (wagers.progressive?.result === "win" && wagers.progressive.award !== "0.00") return " The jackpot pays!";
  return wagers.odds?.table === "bad_beat" && wagers.odds.result === "win" ? " A Bad Beat is paid!" : "";
}

function name(seat, state) {
  if (seat === undefined || seat === null) return "";
  if (seat === state.view?.you) return "You";
  return state.view?.players[seat] ?? `Seat ${seat}`;
}

function verb(who, word) {
  return who === "You" ? word : `${word}s`;
}

function late(event) {
  return event.auto ? ", time being up" : "";
}

function said(cards) {
  return split(cards).map(cardName).join(", ");
}
