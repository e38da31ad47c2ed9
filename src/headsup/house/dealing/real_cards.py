"""A real deck at a real table: its dealer enters the cards that were dealt, and the round plays.

In the order of the deal, as a scanner in the shoe or a dealer who turns them reads them: one row,
`AsKd 7h …`. Or by place, as they lie on the felt: `board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`.
Every card that is in play is entered, each once. The rest of the deck, which nobody has seen,
follows in the order of a new deck: no card of it is ever dealt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.round.commands import DealCards
from headsup.game.round.dealing import ALL_6, build_deck, deal_order
from headsup.game.round.state import Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import RANKS, Cards, UnreadableCards, card_name, parse_cards

_MAX_TEXT_CHARS = 400  # characters that all cards of a deck may take
_MAX_CARD_CHARS = 4  # characters: a ten, and a sign with what makes it a picture
_UNFINISHED_CARD = re.compile(rf"(10?|[{RANKS}])$", re.IGNORECASE)
_PlacedCards: TypeAlias = tuple[tuple[str, int | None], ...]  # the places, in the order of the deal


def places_to_enter(round: Round) -> tuple[str, ...]:
    """The place of each card that is dealt in this round, in the order of the deal."""
    return deal_order(round.rules.dealing, tuple(round.seats), round.rules.offers(Wager.ALL_6))


def parse_deal(round: Round, text: str) -> DealCards:
    """What the dealer typed: places where there is an `=`, else the cards in the order dealt."""
    if len(text) > 2 * _MAX_TEXT_CHARS:
        raise Refused(Code.UNKNOWN_CARD, "long", count=len(places_to_enter(round)))
    return (
        parse_by_place(round, _split_by_place(text)) if "=" in text else parse_in_order(round, text)
    )


@dataclass(frozen=True, slots=True)
class CardEntry:
    """What was typed so far: the places and their cards, in the order of the deal, and what is
    wrong with it. Cards that are yet to come are None, and are nothing wrong."""

    laid: _PlacedCards
    wrong: Refusal | None

    @property
    def complete(self) -> bool:
        return self.wrong is None and all(card is not None for _, card in self.laid)


def preview_entry(round: Round, text: str) -> CardEntry:
    """The same reading as `parse_deal`, of a text that may still be typed."""
    try:
        cards = _parse_partial(round, text)
    except Refused as refused:
        return CardEntry(_without_last_card(round, text), refused.refusal)
    wrong = None
    if all(card is not None for _, card in cards):
        try:
            parse_deal(round, text)
        except Refused as refused:
            wrong = refused.refusal
    return CardEntry(cards, wrong)


def _parse_partial(round: Round, text: str) -> _PlacedCards:
    where = places_to_enter(round)
    laid = (
        _parse_partial_by_place(round, text)
        if "=" in text
        else _parse_partial_in_order(where, text)
    )
    held = {place: iter(cards) for place, cards in laid.items()}
    return tuple((place, next(held.get(place, iter(())), None)) for place in where)


def _without_last_card(round: Round, text: str) -> _PlacedCards:
    """What lies there without the last card typed, which is refused; nothing where that does not
    help."""
    typed = "".join(text.split())
    for letters in range(1, _MAX_CARD_CHARS + 1) if "=" not in text else ():
        with suppress(Refused):
            return _parse_partial(round, typed[:-letters])
    return tuple((place, None) for place in places_to_enter(round))


def _parse_partial_in_order(where: Sequence[str], text: str) -> dict[str, list[int]]:
    cards = _parse_finished_cards("".join(text.split()), "")
    if len(cards) > len(where):
        raise Refused(Code.WRONG_CARD_COUNT, count=len(where), given=len(cards))
    return _group_by_place(zip(where, cards, strict=False))


def _parse_partial_by_place(round: Round, text: str) -> dict[str, list[int]]:
    where, laid = places_to_enter(round), []
    for place, cards in _split_by_place(text.rpartition(",")[0]).items():
        laid += [(place, card) for card in _cards(cards, place)]
    place, equals, cards = text.rpartition(",")[2].partition("=")
    if equals:
        place = _place(place)
        laid += [(place, card) for card in _parse_finished_cards("".join(cards.split()), place)]
    for place, _ in laid:
        if place not in where:
            raise Refused(Code.BAD_PLACE, place=place, known=tuple(dict.fromkeys(where)))
    return _group_by_place(laid)


def _group_by_place(laid: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Refuses the card that is there already."""
    found: dict[str, list[int]] = {}
    kept = tuple(laid)
    _refuse_duplicates(kept)
    for place, card in kept:
        found.setdefault(place, []).append(card)
    return found


def parse_in_order(round: Round, text: str) -> DealCards:
    where, cards = places_to_enter(round), _cards(text, "")
    _refuse_duplicates(zip(where, cards, strict=False))
    if len(cards) != len(where):
        raise Refused(Code.WRONG_CARD_COUNT, count=len(where), given=len(cards))
    return _deal_command(where, list(zip(where, cards, strict=True)))


def parse_by_place(round: Round, texts: Mapping[str, str]) -> DealCards:
    where = places_to_enter(round)
    for place in texts:
        if place not in where:
            known = tuple(dict.fromkeys(where))
            raise Refused(Code.BAD_PLACE, place=place, known=known)
    laid = [(place, card) for place, text in texts.items() for card in _cards(text, place)]
    _refuse_duplicates(laid)
    for place in dict.fromkeys(where):
        count, given = where.count(place), sum(1 for at, _ in laid if at == place)
        if place not in texts:
            raise Refused(Code.MISSING_CARDS, where=place, count=count)
        if given != count:
            raise Refused(Code.WRONG_CARD_COUNT, where=place, count=count, given=given)
    return _deal_command(where, laid)


def _split_by_place(text: str) -> dict[str, str]:
    """`board=…, seat 1=…`: a comma, a semicolon or a line between places."""
    found: dict[str, str] = {}
    for part in text.replace(";", ",").replace("\n", ",").split(","):
        place, equals, cards = part.partition("=")
        place = _place(place)
        if not equals:
            if place:
                raise Refused(Code.BAD_PLACE, "form", text=part.strip())
            continue
        if place in found:
            raise Refused(Code.BAD_PLACE, "twice", place=place)
        found[place] = cards
    return found


def _place(typed: str) -> str:
    """As the console's boxes call it, too: `All 6` is `all_6`."""
    place = " ".join(typed.split()).lower()
    return ALL_6 if place == ALL_6.replace("_", " ") else place


def _parse_finished_cards(typed: str, where: str) -> Cards:
    """The cards of a text that may end within one: its rank is there, its suit not yet."""
    try:
        return _cards(typed, where)
    except Refused:
        begun = _UNFINISHED_CARD.search(typed)
        if begun is None:
            raise
        return _cards(typed[: begun.start()], where)


def _cards(text: str, where: str) -> Cards:
    if len(text) > _MAX_TEXT_CHARS:
        raise Refused(Code.UNKNOWN_CARD, "long", where=where, count=52)
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=str(error)) from None


def _refuse_duplicates(laid: Iterable[tuple[str, int]]) -> None:
    seen: dict[int, str] = {}
    for place, card in laid:
        if card in seen:
            name, first = card_name(card), seen[card]
            if first == place:
                raise Refused(Code.DUPLICATE_CARD, "in_one_place", card=name, place=place)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=first, second=place)
        seen[card] = place


def _deal_command(where: Sequence[str], laid: Iterable[tuple[str, int]]) -> DealCards:
    cards: dict[str, Sequence[int]] = {}
    for place, card in laid:
        cards[place] = (*cards.get(place, ()), card)
    return DealCards(build_deck(where, cards))
