"""The cards that a round's text names: each once, and where the deck puts them if it is given."""

from collections.abc import Mapping
from typing import Any

from headsup.game.refusal import Code, Refused
from headsup.game.round.dealing import deal_cards, deal_order
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.cards import UnreadableCards, card_name, format_cards, parse_cards

_MAX_CARD_TEXT, _MAX_DECK_TEXT = 200, 400


def read_cards(raw: Mapping[str, Any], key: str, count: int, where: str) -> tuple[int, ...]:
    text = raw.get(key)
    if text is None:
        raise Refused(Code.MISSING_CARDS, where=where, count=count)
    if isinstance(text, list) and all(isinstance(card, str) for card in text):
        text = " ".join(text)
    if not isinstance(text, str):
        raise Refused(Code.UNKNOWN_CARD, "not_text", where=where)
    if len(text) > (_MAX_DECK_TEXT if count == 52 else _MAX_CARD_TEXT):
        raise Refused(Code.UNKNOWN_CARD, "long", where=where, count=count)
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=str(error)) from None
    if len(cards) != count:
        raise Refused(Code.WRONG_CARD_COUNT, where=where, count=count, given=len(cards))
    return cards


def read_deck(raw: Mapping[str, Any]) -> tuple[int, ...]:
    """All 52 cards in the order they lay in, or none."""
    if raw.get("deck") is None:
        return ()
    deck = read_cards(raw, "deck", 52, "deck")
    for card in deck:
        if deck.count(card) > 1:
            raise Refused(Code.DUPLICATE_CARD, "deck", where="deck", card=card_name(card))
    return deck


def fill_in_cards(
    deck: tuple[int, ...], raw: Mapping[str, Any], rules: TableRules
) -> Mapping[str, Any]:
    """The round with every card named where the deck puts it; what is named must be the same."""
    seats = raw.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, Mapping) for seat in seats):
        return raw
    numbers = [seat.get("seat", number) for number, seat in enumerate(seats, 1)]
    known = range(1, rules.book.seats + 1)
    if not all(type(number) is int and number in known for number in numbers):
        return raw
    deal, holes = deal_cards(
        deck, deal_order(rules.dealing, tuple(numbers), rules.offers(Wager.ALL_6))
    )
    named = {"dealer": deal.dealer, "board": deal.board, "all_6": deal.all_6}
    told = {key: _match_deck(raw, key, cards, key) for key, cards in named.items() if cards}
    seats = [
        {**seat, "hole": _match_deck(seat, "hole", holes[number], f"seat {number}: hole")}
        for seat, number in zip(seats, numbers, strict=True)
    ]
    return {**raw, **told, "seats": seats}


def _match_deck(raw: Mapping[str, Any], key: str, cards: tuple[int, ...], where: str) -> str:
    if raw.get(key) is not None:
        given = read_cards(raw, key, len(cards), where)
        if sorted(given) != sorted(cards):
            there, deck = format_cards(given), format_cards(cards)
            raise Refused(Code.DECK_DIFFERS, where=where, there=there, deck=deck)
    return format_cards(cards)


def has_no_cards(raw: Mapping[str, Any]) -> bool:
    """Whether nothing was dealt. A seat's `all_6` is a wager, not cards."""
    if any(raw.get(key) is not None for key in ("dealer", "board", "all_6")):
        return False
    seats = raw.get("seats")
    return not isinstance(seats, list) or not any(
        isinstance(seat, Mapping) and seat.get("hole") is not None for seat in seats
    )


def read_all_6(raw: Mapping[str, Any], rules: TableRules) -> tuple[int, ...]:
    if raw.get("all_6") is None:
        return ()
    if not rules.offers(Wager.ALL_6):
        raise Refused(Code.WAGER_NOT_OFFERED, "all_6", where="all_6", rules=rules.id)
    return read_cards(raw, "all_6", 4, "all_6")


def check_duplicates(deal: Deal, plays: tuple[SeatPlay, ...]) -> None:
    dealt = {"the dealer's hand": deal.dealer, "the board": deal.board, "all_6": deal.all_6}
    dealt |= {f"seat {play.seat}": play.hole for play in plays}
    seen: dict[int, str] = {}
    for place, cards in dealt.items():
        for card in cards:
            if card in seen:
                raise _duplicate_error(card_name(card), seen[card], place)
            seen[card] = place


def _duplicate_error(card: str, first: str, second: str) -> Refused:
    if first == second:
        return Refused(Code.DUPLICATE_CARD, "in_one_place", card=card, place=first)
    return Refused(Code.DUPLICATE_CARD, "named_twice", card=card, first=first, second=second)
