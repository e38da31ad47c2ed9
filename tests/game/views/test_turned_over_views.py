"""A14 with a real deck: a view shows exactly what lies open, and never what a reader told."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from headsup.game.round.commands import DealFaceDown, ReadCards
from headsup.game.round.dealing import BOARD
from headsup.game.round.events import CardsLaid, CardsSeen
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.round.turned_over import cards_due, known_cards_due
from headsup.game.table.state import Floor
from headsup.game.values.cards import Cards, format_cards
from headsup.game.views.announcements import announcement_for, announcement_text
from headsup.game.views.viewers import Viewer, parse_viewer
from tests.support.secrets import VIEWERS, cards_in
from tests.support.tables import BOOKS, Play
from tests.support.turned_over import (
    lying,
    place_random_bets,
    planted_deck,
    random_decisions,
    real_table,
    turn_over_due,
)
from tests.support.wire import parts_of, view_json

WATCHERS = [parse_viewer(viewer) for viewer in VIEWERS]


def open_cards(play: Play, cards: dict[str, Cards]) -> set[str]:
    """What lies face up, by what the dealer has turned over."""
    round = play.round
    felt = round.felt
    assert felt is not None
    shown = [*cards[BOARD][: round.board_shown]]
    shown += cards["dealer"] if round.dealer_shown else ()
    shown += [card for place in felt.turned for card in cards[place]]
    return {format_cards([card]) for card in shown}


def moments(book: str, seed: int, reads: bool) -> Iterator[tuple[Play, dict[str, Cards]]]:
    """A random round after each of the dealer's and the players' steps."""
    random, play = Random(f"{book} {seed}"), real_table(book)
    place_random_bets(play, random)
    cards = lying(play.round, planted_deck(play, random))
    play.does(DealFaceDown())
    if reads:
        for place in cards:
            play.does(ReadCards(place, cards[place]))
    while play.phase is not Phase.CLOSED:
        yield play, cards
        if play.phase in STREET_BY_PHASE:
            for command in random_decisions(play.round, random):
                play.does(command)
                yield play, cards
        else:
            turn_over_due(play, cards)
    yield play, cards


def view_text(floor: Floor, viewer: Viewer) -> str:
    """The whole view, and the parts of it that a socket sends."""
    parts = [part.wire for part in parts_of(floor, "T1", viewer).values()]
    return "\n".join((json.dumps(view_json(floor, "T1", viewer), ensure_ascii=False), *parts))


def everything_seen(play: Play) -> list[str]:
    """All views, and what everybody is told of the last event."""
    views, last = [view_text(play.floor, viewer) for viewer in WATCHERS], play.log[-1][1]
    if isinstance(last, CardsSeen | CardsLaid):
        return views
    told = [announcement_for(viewer, play.floor, "T1", last) for viewer in WATCHERS]
    return views + [announcement_text(one) for one in told if one is not None]


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("book", BOOKS)
def test_a_view_shows_exactly_what_lies_open(book: str, reads: bool) -> None:
    for seed in range(6):
        for play, cards in moments(book, seed, reads):
            may = open_cards(play, cards)
            for name, viewer in zip(VIEWERS, WATCHERS, strict=True):
                seen = cards_in(view_text(play.floor, viewer))
                assert seen <= may, (name, play.phase)
                if name != "tablevision":
                    assert seen == may, (name, play.phase)


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_reader_tells_changes_no_view(book: str) -> None:
    """The same round with and without a reader, byte for byte."""
    for seed in range(6):
        told = [everything_seen(p) for p, _ in moments(book, seed, reads=True)]
        untold = [everything_seen(p) for p, _ in moments(book, seed, reads=False)]
        assert told == untold


def test_the_dealer_needs_not_type_what_a_reader_told() -> None:
    play, _ = next(moments("galaxy", 1, reads=True))
    while play.phase in STREET_BY_PHASE:
        play.decide_all()
    due = cards_due(play.round)
    assert due is not None
    assert known_cards_due(play.round, due)
