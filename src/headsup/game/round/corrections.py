"""Corrections of a record that was wrong about a right game (R107).

A card that was told wrongly is corrected before anything of it is paid: the hands that rest on it
and are not resolved are settled again. A resolved hand stands, and the difference is a payout
correction (R95). Both readings stay in the record.
"""

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import CorrectCards
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, seat_place
from headsup.game.round.events import CardsCorrected
from headsup.game.round.state import Phase, Round
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


def _is_paid(round: Round, place: str) -> bool:
    """Shared cards stand once the first hand that was turned over is paid, a hand once it is."""
    turned = () if round.felt is None else round.felt.turned
    paid = [seat_place(seat) for seat in round.resolved]
    if place in (BOARD, DEALER, ALL_6):
        return any(hand in turned for hand in paid)
    return place in paid
