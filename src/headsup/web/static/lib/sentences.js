// The game log's sentences: what happened at a table, in one line each.

import { formatCents, formatMoney, formatSigned } from "./money.js";
import { specialPay } from "./outcomes.js";
import { cardName, handWithArticle, splitCards, withSpaces } from "./text.js";

/**
 * A sentence about an event, for the live region; "" for events that need none.
 * @param {any} event @param {import("./state.js").State} state the state after the event
 */
export function eventSentence(event, state) {
  const who = name(event.seat, state);
  const label = raiseLabel(state);
  switch (event.event) {
    case "TableClosed":
      return event.reason ? `The table is closed: ${event.reason}.` : "The table is closed.";
    case "SealLost":
      return "The seal of the last shuffle cannot be opened; the house has recorded it.";
    case "PlayerSat":
      return `${event.player} sits down at seat ${event.seat}.`;
    case "PlayerLeft":
      return `Seat ${event.seat} is free.`;
    case "RoundOpened":
      return `Round ${event.number}: place your bets.`;
    case "BetsPlaced":
      return `${who} ${verb(who, "bet")}.`;
    case "BetsWithdrawn":
      return `${who} ${verb(who, "take")} ${who === "You" ? "your" : "their"} bets back.`;
    case "BetsClosed":
      return "No more bets.";
    case "CardsDealt":
      return dealtSentence(state);
    case "Raised":
      return `${who}: ${label} ${event.multiple}×.`;
    case "Checked":
      return `${who} ${verb(who, "check")}${timeUp(event)}.`;
    case "Folded":
      return `${who} ${verb(who, "fold")}${timeUp(event)}.`;
    case "FlopRevealed":
      return `${revealedDecisions(event, state)}Flop: ${cardNames(event.cards)}.`;
    case "TurnAndRiverRevealed":
      return `${revealedDecisions(event, state)}Turn and river: ${cardNames(event.cards)}.`;
    case "BoardCompleted":
      return `The board is complete: ${cardNames(event.cards)}.`;
    case "DealerRevealed":
      return `${revealedDecisions(event, state)}The dealer has ${cardNames(event.cards)}.`;
    case "RoundSettled":
      return dealerHandText(state.view?.round);
    case "HandResolved":
      return resultSentence(event.seat, who, state);
    case "IrregularityReported":
      return `Irregularity: ${withSpaces(event.cause)}; ${withSpaces(event.resolution)}.`;
    case "HandVoided":
      return `${who === "You" ? "Your hand" : `${who}: the hand`} is void: ${
        withSpaces(event.cause)
      } (${event.clause}).`;
    case "RoundVoided":
      return `The round is void: ${withSpaces(event.cause)} (${event.clause}).`;
    case "DecisionReopened":
      return `${who} may decide again.`;
    case "PayoutCorrected":
      return correctionSentence(event, state);
    case "CouponIssued":
      return `${couponHolder(event, state)} a coupon: ${state.posted?.labels[event.wager] ?? event.wager} ${
        formatMoney(formatCents(event.amount))
      }, until ${event.expires}.`;
    case "CouponCancelled":
      return `Coupon ${event.coupon} was cancelled. Reason: ${event.reason}`;
    case "TimeExtended":
      return `${who} ${verb(who, "get")} ${event.seconds} more seconds.`;
    default:
      return "";
  }
}

/** The other players' decisions of the last street, which were hidden until now. */
function revealedDecisions(event, state) {
  const others = Object.entries(event.chosen ?? {}).filter(([seat]) => Number(seat) !== state.view?.you);
  const label = raiseLabel(state);
  const lines = others.map(([seat, text]) => {
    const [word, multiple] = text.split(" ");
    return word === "raise"
      ? `${name(Number(seat), state)}: ${label} ${multiple}×`
      : `${name(Number(seat), state)} ${word}s`;
  });
  return lines.length ? `${lines.join(", ")}. ` : "";
}

/** Only the player concerned and the dealer get this event. */
function couponHolder({ player }, state) {
  return (state.view?.you ?? null) === null ? `${player} gets` : "You get";
}

/** Only the player concerned and the dealer get this event. */
function correctionSentence({ amount, round, reason, player }, state) {
  const whose = (state.view?.you ?? null) === null ? `${player}’s` : "your";
  const change = `${formatMoney(formatCents(Math.abs(amount)))} was ${
    amount > 0 ? "added to" : "taken from"
  } ${whose} chips`;
  return `The payout for round ${round} was corrected: ${change}. Reason: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`;
}

/** "You have ace of spades and king of diamonds." */
function dealtSentence(state) {
  const hole = state.view?.round?.seats[state.view.you]?.hole;
  return hole ? `You have ${cardNames(hole)}.` : "The cards are dealt.";
}

export function dealerHandText(round) {
  if (!round?.dealer_hand) return "";
  const qualifies = round.dealer_qualifies === false ? "; the dealer does not qualify" : "";
  return `The dealer’s hand: ${round.dealer_hand.name}${qualifies}.`;
}

function resultSentence(seat, who, state) {
  const round = state.view?.round;
  const result = round?.results?.[seat];
  if (!result) return "";
  const hand = round.seats[seat]?.hand;
  const has = hand ? ` with ${handWithArticle(hand.name)}` : "";
  return `${ended(result.result, who)}${has}. Net ${formatSigned(result.net)}.${SPECIAL[specialPay(result.wagers)]}`;
}

/** "You lose", "Ann folded": the hand's result, whatever its wagers came to together. */
function ended(result, who) {
  if (result === "void") return who === "You" ? "Your hand is void" : `${who}: the hand is void`;
  if (result === "fold") return `${who} folded`;
  return `${who} ${who === "You" ? result : { win: "wins", lose: "loses", push: "pushes" }[result]}`;
}

const SPECIAL = { jackpot: " The jackpot pays!", bad_beat: " Bad Beat pays!", "": "" };

function raiseLabel(state) {
  return state.posted?.labels?.raise ?? "Raise";
}

function name(seat, state) {
  if (seat === undefined || seat === null) return "";
  if (seat === state.view?.you) return "You";
  return state.view?.players[seat] ?? `Seat ${seat}`;
}

function verb(who, word) {
  return who === "You" ? word : `${word}s`;
}

function timeUp(event) {
  return event.auto ? ", out of time" : "";
}

function cardNames(cards) {
  return splitCards(cards).map(cardName).join(", ");
}
