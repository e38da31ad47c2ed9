"""Corrections of a record that was wrong about a right game (R107).

A card that was told wrongly is corrected before anything of it is paid: the hands that rest on it
and are not resolved are settled again. A resolved hand stands, and the difference is a payout
correction (R95). Both readings stay in the record.
"""

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import CorrectCards, CorrectDecision, CorrectStakes
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, seat_place
from headsup.game.round.decision import (
    HAS_CHECKED,
    HAS_FOLDED,
    Decision,
    HasRaised,
    Undecided,
    raise_decision,
)
from headsup.game.round.events import CardsCorrected, DecisionCorrected, StakesCorrected
from headsup.game.round.stakes import accept_stakes, refuse_raise
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.cards import card_name


def correct_cards(round: Round, command: CorrectCards) -> tuple[CardsCorrected] | Refusal:
    """The dealer may correct a place while nothing that rests on it is paid."""
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    place, was = command.place, round.cards_at(command.place)
    if not was or round.phase in (Phase.SETTLED, Phase.CLOSED):
        return refusal(Code.BAD_PLACE, "not_dealt", place=place)
    if not command.reason.strip():
        return refusal(Code.NEEDS_REASON, "cards")
    if len(command.cards) != len(was):
        return refusal(Code.WRONG_CARD_COUNT, where=place, count=len(was), given=len(command.cards))
    if command.cards == was:
        return refusal(Code.SAME_CARDS, place=place)
    if _is_paid(round, place):
        return refusal(Code.CARDS_PAID, place=place)
    elsewhere = {
        card: other
        for other in dict.fromkeys(round.places)
        if other != place
        for card in round.cards_at(other)
    }
    for index, card in enumerate(command.cards):
        first = place if card in command.cards[:index] else elsewhere.get(card)
        if first is not None:
            return refusal(
                Code.DUPLICATE_CARD,
                "lies_there",
                card=card_name(card),
                first=first,
                second=place,
            )
    return (CardsCorrected(place, was, command.cards, command.reason),)


# The street whose decisions may still be corrected: no card has been turned over since.
_LAST_STREETS = {
    Phase.POCKET: Street.POCKET,
    Phase.FLOP_DUE: Street.POCKET,
    Phase.FLOP: Street.FLOP,
    Phase.RIVER_DUE: Street.FLOP,
    Phase.RIVER: Street.RIVER,
    Phase.REVEAL_DUE: Street.RIVER,
}


def correct_decision(round: Round, command: CorrectDecision) -> tuple[DecisionCorrected] | Refusal:
    """The dealer may correct a decision until the next card is face up."""
    seat, street = round.seats.get(command.seat), _LAST_STREETS.get(round.phase)
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    if seat is None:
        return refusal(Code.NO_SUCH_SEAT, "no_wager", seat=command.seat)
    if not command.reason.strip():
        return refusal(Code.NEEDS_REASON, "cards")
    is_earlier = isinstance(seat.decision, HasRaised) and seat.decision.street is not street
    if street is None or is_earlier or seat.void or isinstance(seat.decision, Undecided):
        return refusal(Code.DECISION_STANDS, seat=command.seat)
    now: Decision = HAS_FOLDED if street is Street.RIVER else HAS_CHECKED
    if command.multiple:
        if refused := refuse_raise(round.rules, street, command.multiple):
            return refused.within(f"seat {command.seat}")
        now = raise_decision(street, command.multiple)
    if now == seat.decision:
        return refusal(Code.DECISION_STANDS, "same", seat=command.seat)
    return (DecisionCorrected(command.seat, street, seat.decision, now, command.reason),)


def correct_stakes(round: Round, command: CorrectStakes) -> tuple[StakesCorrected] | Refusal:
    """The dealer may correct stakes after "no more bets", until the cards are out. The Progressive
    is what the button counted (R87)."""
    seat = round.seats.get(command.seat)
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    if round.phase is not Phase.NO_MORE_BETS:
        return refusal(Code.WRONG_PHASE, "stakes_stand", phase=round.phase)
    if seat is None:
        return refusal(Code.NO_SUCH_SEAT, "no_wager", seat=command.seat)
    if not command.reason.strip():
        return refusal(Code.NEEDS_REASON, "cards")
    stakes = accept_stakes(round.rules, command.stakes)
    if isinstance(stakes, Refusal):
        return stakes.within(f"seat {command.seat}")
    if seat.coupons or (Wager.PROGRESSIVE in stakes) != (Wager.PROGRESSIVE in seat.stakes):
        return refusal(Code.WRONG_PHASE, "flag_stands", seat=command.seat)
    return (StakesCorrected(command.seat, seat.stakes, stakes, command.reason),)


def _is_paid(round: Round, place: str) -> bool:
    """Shared cards stand once the first hand that was turned over is paid, a hand once it is."""
    turned = () if round.felt is None else round.felt.turned
    paid = [seat_place(seat) for seat in round.resolved]
    if place in (BOARD, DEALER, ALL_6):
        return any(hand in turned for hand in paid)
    return place in paid
