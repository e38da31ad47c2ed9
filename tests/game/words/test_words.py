"""What is said about every event, to every viewer, in every language.

The golden files are the sentences as people read them. After a deliberate change, rewrite them:
WRITE_GOLDEN=1 pytest tests/game/words
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from headsup.game.refusal import Refused
from headsup.game.round.commands import Check, Proceed, Raise, TimeOut
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.coupon_control import IssueCoupon
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.state import Floor
from headsup.game.views.announcements import MeterMoved, announcement_for
from headsup.game.views.builder import meter_view
from headsup.game.views.viewers import Watcher, parse_viewer
from headsup.game.views.wording import words_for
from headsup.game.words.catalogue import Words
from headsup.game.words.languages import CATALOGUES, preferred_catalogue, require_catalogue
from tests.support.events import every_kind
from tests.support.tables import Play, irregularity_report, opened, stakes, table_at

GOLDEN = Path(__file__).parent / "golden"
VIEWERS = ("seat 1", "seat 2", "dealer", "rail", "tablevision")
ENGLISH = CATALOGUES["en"]


def plays() -> Iterator[tuple[str, Play]]:
    """Tables at which every case of every sentence comes up."""
    every_kind()  # its table is the longest
    galaxy = table_at(Phase.POCKET, "galaxy", seats=(1, 2, 3), clockwise=False)
    galaxy.does(Raise(1, 3), Check(2), Check(3), Proceed())
    galaxy.reaches(Phase.CLOSED)
    galaxy.does(CorrectPayout(1, 500, "short-paid", "Dee", "Sue"))
    galaxy.does(CorrectPayout(2, -500, "paid twice", "Dee", "Sue"))
    yield "hidden choices", galaxy
    yield "in turn", table_at(Phase.CLOSED, "new-york", seats=(1, 2), clockwise=True)
    late = table_at(Phase.POCKET, seats=(1, 2))
    late.does(TimeOut(1, 150), TimeOut(2, 150))
    late.reaches(Phase.RIVER)
    late.does(TimeOut(1, 150), TimeOut(2, 150))
    late.reaches(Phase.CLOSED)
    yield "out of time", late
    void = table_at(Phase.POCKET, seats=(1, 2))
    void.does(irregularity_report("player_card_count", 2), Raise(1, 3))
    void.reaches(Phase.CLOSED)
    yield "a void hand", void
    face_up = opened("new-york", seats=(1, 2))
    face_up.bets({1: stakes(), 2: stakes()})
    face_up.deals()
    yield "a deal", face_up
    coupons = opened("new-york", seats=(1, 2), coupons=True)
    coupons.does(IssueCoupon("P1", Wager.ANTE, 1_000, "2026-12-31", ("Dee", "Sue")))
    yield "coupons", coupons
    won = opened("new-york", seats=(1, 2))
    won.bets({1: stakes(progressive=100), 2: stakes()})
    won.deals({1: "AsKs", 2: "8c4c"}, board="QsJsTs2c4d", dealer="9h9c")
    won.does(Raise(1, 3), Raise(2, 3))
    won.reaches(Phase.CLOSED)
    yield "a jackpot", won


@cache
def said() -> tuple[tuple[str, str, str, Words], ...]:
    """Table, viewer and event of every announcement, and its words."""
    lines: list[tuple[str, str, str, Words]] = []
    events = [("every event", kind, event) for kind, event in every_kind().items()]
    floor = table_at(Phase.POCKET, seats=(1, 2)).floor
    for name, kind, event in events:
        for viewer in VIEWERS:
            lines += _lines(name, viewer, floor, kind, event)
    for name, play in plays():
        floor = Floor()
        for table, event in play.log:
            floor = evolve(floor, table, event)
            for viewer in VIEWERS:
                lines += _lines(name, viewer, floor, type(event).__name__, event, table)
    floor = table_at(Phase.POCKET, seats=(1, 2)).floor
    for meter in (None, meter_view(floor, floor.tables["T1"])):
        words = words_for(MeterMoved(meter), Watcher.RAIL, floor, "T1")
        lines.append(("meter", "rail", "MeterMoved", words))
    return tuple(lines)


def _lines(
    name: str, viewer: str, floor: Floor, kind: str, event: Event, table: str = "T1"
) -> list[tuple[str, str, str, Words]]:
    who = parse_viewer(viewer)
    news = announcement_for(who, floor, table, event)
    return [] if news is None else [(name, viewer, kind, words_for(news, who, floor, table))]


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_every_sentence_reads_as_written_down(language: str) -> None:
    catalogue = CATALOGUES[language]
    lines: list[str] = []
    for name, viewer, kind, words in said():
        line = f"{name}: {kind} to {viewer}: {catalogue.say(words)}"
        if line not in lines[-5:]:
            lines.append(line)
    text = "\n".join(lines) + "\n"
    golden = GOLDEN / f"{language}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_event_is_said() -> None:
    """But for cards that a reader tells while they lie face down."""
    kinds = {kind.__name__ for kind in get_args(Event)} - {"CardsSeen"}
    assert kinds <= {kind for _, _, kind, _ in said()}


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_every_catalogue_has_every_key_with_the_same_fields(language: str) -> None:
    catalogue = CATALOGUES[language]
    for mine, english in (
        (catalogue.sentences, ENGLISH.sentences),
        (catalogue.labels, ENGLISH.labels),
    ):
        assert mine.keys() == english.keys()
        for key in english:
            assert fields_of(mine[key]) <= fields_of(english[key]) | {"who"}, key


def test_the_languages_differ() -> None:
    """A catalogue is not a copy of another."""
    german = CATALOGUES["de"].sentences
    same = {key for key, sentence in ENGLISH.sentences.items() if german[key] == sentence}
    assert same == {"Raised", "FlopRevealed"}, "a sentence is still in English"


def test_a_hidden_seat_is_named_by_its_number_where_names_are_not_wanted() -> None:
    play = table_at(Phase.POCKET, seats=(1, 2), clockwise=True)
    (event,) = play.does(Raise(1, 3))
    news = announcement_for(Watcher.RAIL, play.floor, "T1", event)
    assert news is not None
    words = words_for(news, Watcher.RAIL, play.floor, "T1", by_name=False)
    assert ENGLISH.say(words) == "Seat 1: Raise 3×."
    assert CATALOGUES["de"].say(words) == "Platz 1: Raise 3×."


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("fr,de;q=0.3,en;q=0.5", "en"),
        ("de;q=0,en;q=0.1", "en"),
        ("fr-FR", "en"),
        ("*", "en"),
        (";;;q=,,de;q=2", "en"),
        ("x" * 100_000 + ",de", "en"),
    ],
)
def test_a_browser_gets_the_first_of_its_languages_that_there_is(
    accepted: str, language: str
) -> None:
    assert preferred_catalogue(accepted).language == language


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match="en or de"):
        require_catalogue("french")
