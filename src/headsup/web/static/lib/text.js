// Text for cards, wagers, phases and decisions, and the parts of addresses.

/** @type {Record<string, string>} */
const RANKS = {
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
};
/** @type {Record<string, string>} */
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const WAGERS = ["ante", "odds", "raise", "trips_plus", "pocket_bonus", "all_6", "progressive"];

/**
 * The entries, sorted by wager in the order of the game.
 * @template T
 * @param {Record<string, T>} byWager
 * @returns {[string, T][]}
 */
export function sortByWager(byWager) {
  return Object.entries(byWager).sort(([left], [right]) => WAGERS.indexOf(left) - WAGERS.indexOf(right));
}

/** A wager's name on this table's layout. @param {any} posted @param {string} wager */
export function wagerLabel(posted, wager) {
  return posted?.labels[wager] ?? titleCase(wager);
}

/** @param {string} cards such as "AsKd" @returns {string[]} */
export function splitCards(cards) {
  return cards.match(/../g) ?? [];
}

/** "As" → "ace of spades" @param {string} card */
export function cardName(card) {
  return `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/** The rank as printed in the corner of a card. @param {string} card */
export function rankText(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** @param {string} name */
export function withSpaces(name) {
  return name.replaceAll("_", " ");
}

/** @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "bad_beat" → "Bad Beat", for a wager or paytable that the rule book does not label. @param {string} name */
export function titleCase(name) {
  return withSpaces(name).split(" ").map(capitalize).join(" ");
}

/** "open-ended straight draw" → "an open-ended straight draw" @param {string} text */
export function withArticle(text) {
  return `${/^[aeiou]/.test(text) ? "an" : "a"} ${text}`;
}

/** A hand in a sentence: "a pair of nines", but "ace high" and "two pair". @param {string} name */
export function handWithArticle(name) {
  return /^(pair|straight|full house|royal|\w+-high flush)/.test(name) ? withArticle(name) : name;
}

/** "The dealer’s hand: pair of nines, ace kicker.", once it is shown. @param {any} round */
export function dealerHandText(round) {
  if (!round?.dealer_hand) return "";
  const qualifies = round.dealer_qualifies === false ? "; the dealer does not qualify" : "";
  return `The dealer’s hand: ${round.dealer_hand.name}${qualifies}.`;
}
