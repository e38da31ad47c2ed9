"""Reads the cards of a real deck as the dealer enters them.

Cards are entered in the order of the deal, as a scanner reads them: `AsKd 7h …`. Or by place, as
they lie on the felt: `board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`. Every card in play is entered
once. The rest of the deck follows in the order of a new deck; none of it is ever dealt.
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

_MAX_TEXT_CHARS = 400  # enough for a whole deck, however it is written
_MAX_CARD_CHARS = 4  # "10" and a suit symbol with its emoji selector
_UNFINISHED_CARD = re.compile(rf"(10?|[{RANKS}])$", re.IGNORECASE)
_PlacedCards: TypeAlias = tuple[tuple[str, int | None], ...]  # by place, in the order of the deal


def places_to_enter(round: Round) -> tuple[str, ...]:
    """The place of each card of this round, in the order of the deal."""
    return deal_order(round.rules.dealing, round.dealt_seats(), round.rules.offers(Wager.ALL_6))


def parse_deal(round: Round, text: str) -> DealCards:
    """Read what the dealer typed: by place if there is an `=`, else in the order of the deal."""
    if len(text) > 2 * _MAX_TEXT_CHARS:
        raise Refused(Code.UNKNOWN_CARD, "long", count=len(places_to_enter(round)))
    return (
        parse_by_place(round, _split_by_place(text)) if "=" in text else parse_in_order(round, text)
    )


@dataclass(frozen=True, slots=True)
class CardEntry:
    """The cards typed so far, by place in the order of the deal, and what is wrong with them. A
    card that is still missing is None, which is not an error."""

    cards: _PlacedCards
    refusal: Refusal | None

    @property
    def complete(self) -> bool:
        return self.refusal is None and all(card is not None for _, card in self.cards)


def preview_entry(round: Round, text: str) -> CardEntry:
    """Read a text like `parse_deal`, while the dealer may still be typing."""
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
    places = places_to_enter(round)
    cards_by_place = (
        _parse_partial_by_place(round, text)
        if "=" in text
        else _parse_partial_in_order(places, text)
    )
    remaining = {place: iter(cards) for place, cards in cards_by_place.items()}
    return tuple((place, next(remaining.get(place, iter(())), None)) for place in places)


def _without_last_card(round: Round, text: str) -> _PlacedCards:
    """The cards without the last one typed, which was refused; none if the rest does not parse
    either."""
    typed = "".join(text.split())
    for length in range(1, _MAX_CARD_CHARS + 1) if "=" not in text else ():
        with suppress(Refused):
            return _parse_partial(round, typed[:-length])
    return tuple((place, None) for place in places_to_enter(round))


def _parse_partial_in_order(places: Sequence[str], text: str) -> dict[str, list[int]]:
    cards = _parse_finished_cards("".join(text.split()), "")
    if len(cards) > len(places):
        raise Refused(Code.WRONG_CARD_COUNT, count=len(places), given=len(cards))
    return _group_by_place(zip(places, cards, strict=False))


def _parse_partial_by_place(round: Round, text: str) -> dict[str, list[int]]:
    places, placed = places_to_enter(round), []
    for place, cards in _split_by_place(text.rpartition(",")[0]).items():
        placed += [(place, card) for card in _parse_cards(cards, place)]
    place, equals, cards = text.rpartition(",")[2].partition("=")
    if equals:
        place = _normalize_place(place)
        placed += [(place, card) for card in _parse_finished_cards("".join(cards.split()), place)]
    for place, _ in placed:
        if place not in places:
            raise Refused(Code.BAD_PLACE, place=place, known=tuple(dict.fromkeys(places)))
    return _group_by_place(placed)


def _group_by_place(placed: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    cards_by_place: dict[str, list[int]] = {}
    pairs = tuple(placed)
    _refuse_duplicates(pairs)
    for place, card in pairs:
        cards_by_place.setdefault(place, []).append(card)
    return cards_by_place


def parse_in_order(round: Round, text: str) -> DealCards:
    places, cards = places_to_enter(round), _parse_cards(text, "")
    _refuse_duplicates(zip(places, cards, strict=False))
    if len(cards) != len(places):
        raise Refused(Code.WRONG_CARD_COUNT, count=len(places), given=len(cards))
    return _deal_command(places, list(zip(places, cards, strict=True)))


def parse_by_place(round: Round, texts: Mapping[str, str]) -> DealCards:
    places = places_to_enter(round)
    for place in texts:
        if place not in places:
            known = tuple(dict.fromkeys(places))
            raise Refused(Code.BAD_PLACE, place=place, known=known)
    placed = [(place, card) for place, text in texts.items() for card in _parse_cards(text, place)]
    _refuse_duplicates(placed)
    for place in dict.fromkeys(places):
        count, given = places.count(place), sum(1 for other, _ in placed if other == place)
        if place not in texts:
            raise Refused(Code.MISSING_CARDS, where=place, count=count)
        if given != count:
            raise Refused(Code.WRONG_CARD_COUNT, where=place, count=count, given=given)
    return _deal_command(places, placed)


def _split_by_place(text: str) -> dict[str, str]:
    """Split `board=…, seat 1=…` at commas, semicolons and line ends."""
    texts: dict[str, str] = {}
    for part in text.replace(";", ",").replace("\n", ",").split(","):
        place, equals, cards = part.partition("=")
        place = _normalize_place(place)
        if not equals:
            if place:
                raise Refused(Code.BAD_PLACE, "form", text=part.strip())
            continue
        if place in texts:
            raise Refused(Code.BAD_PLACE, "twice", place=place)
        texts[place] = cards
    return texts


def _normalize_place(typed: str) -> str:
    """Accept `All 6` as well, as the console labels the box of `all_6`."""
    place = " ".join(typed.split()).lower()
    return ALL_6 if place == ALL_6.replace("_", " ") else place


def _parse_finished_cards(typed: str, where: str) -> Cards:
    """The cards of a text that may end in an unfinished card: a rank without its suit."""
    try:
        return _parse_cards(typed, where)
    except Refused:
        unfinished = _UNFINISHED_CARD.search(typed)
        if unfinished is None:
            raise
        return _parse_cards(typed[: unfinished.start()], where)


def _parse_cards(text: str, where: str) -> Cards:
    if len(text) > _MAX_TEXT_CHARS:
        raise Refused(Code.UNKNOWN_CARD, "long", where=where, count=52)
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=str(error)) from None


def _refuse_duplicates(placed: Iterable[tuple[str, int]]) -> None:
    seen: dict[int, str] = {}
    for place, card in placed:
        if card in seen:
            name, first = card_name(card), seen[card]
            if first == place:
                raise Refused(Code.DUPLICATE_CARD, "in_one_place", card=name, place=place)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=first, second=place)
        seen[card] = place


def _deal_command(places: Sequence[str], placed: Iterable[tuple[str, int]]) -> DealCards:
    cards: dict[str, Sequence[int]] = {}
    for place, card in placed:
        cards[place] = (*cards.get(place, ()), card)
    return DealCards(build_deck(places, cards))
