"""Events as JSON and back: every kind, exactly, and nothing else is read as an event."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from headsup.game.record.message_codec import event_text, read_event, write_event
from headsup.game.refusal import Refused
from headsup.game.round.events import RoundSettled
from headsup.game.round.state import Phase
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor
from tests.support.events import KINDS, every_kind
from tests.support.tables import BOOKS, Play, opening, replay_events, table_at


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_survives_a_round_trip(kind: str) -> None:
    event = every_kind()[kind]
    text = json.dumps(write_event(event), sort_keys=True)
    assert read_event(json.loads(text)) == event
    assert type(read_event(json.loads(text))) is type(event)
    assert json.loads(text)["event"] == kind


def test_an_award_from_the_pool_is_written_with_its_share() -> None:
    event = every_kind()["RoundSettled"]
    assert isinstance(event, RoundSettled)
    line = next(line for line in event.settlement.seat(1).lines if line.award)
    seats = write_event(event)["settlement"]["seats"]
    written = next(seat["lines"] for seat in seats if seat["seat"] == 1)
    assert [item["pay"] for item in written if item["award"]] == [
        {"kind": "pool", "amount": "1/10", "printed": "10% of pool"}
    ]
    assert line.award == 100_005


def test_cards_are_written_as_text_and_stakes_by_name() -> None:
    assert write_event(every_kind()["DealerRevealed"])["cards"] == "9h9c"
    placed = write_event(every_kind()["BetsPlaced"])
    assert placed["stakes"] == {"ante": 1_000, "odds": 1_000}
    dealt = write_event(every_kind()["CardsDealt"])
    assert len(dealt["deck"]) == 104
    assert dealt["places"][:2] == ["seat 1", "seat 2"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_record_read_back_leads_to_the_same_floor(book: str) -> None:
    play = table_at(Phase.CLOSED, book)
    floor = Floor()
    for id, event in play.log:
        floor = evolve(floor, id, read_event(json.loads(json.dumps(write_event(event)))))
    assert floor == play.floor == replay_events(play.log)


# JSON that is not an event.

NOT_EVENTS: list[object] = [
    None,
    [],
    "Check",
    7,
    {},
    {"event": "Check"},
    {"event": None},
    {"event": "Checked"},
    {"event": "Checked", "seat": 1, "street": "pocket"},
    {"event": "Checked", "seat": 1, "street": "pocket", "auto": False, "more": 1},
    {"event": "Checked", "seat": 1, "street": "turn", "auto": False},
    {"event": ["Checked"], "seat": 1, "street": "pocket", "auto": False},
]


@pytest.mark.parametrize("raw", NOT_EVENTS, ids=str)
def test_json_that_is_not_an_event_is_refused_by_name(raw: object) -> None:
    with pytest.raises(Refused) as refused:
        read_event(raw)
    assert refused.value.code == "unknown_event"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value inside."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


OTHER_VALUES: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 1.0, 1.5, "", "x", "1", "as", "As Kd", "2/4",
    [], [1], {}, {"a": 1},
)  # fmt: skip


def changed_entries(raw: Any) -> Iterator[Any]:
    """The entry with one value changed, taken out or put in, everywhere."""
    for path in leaves(raw):
        if not path:
            continue
        for value in OTHER_VALUES:
            other = deepcopy(raw)
            inside = other
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = value
            yield other
        for act in ("delete", "insert"):
            other = deepcopy(raw)
            inside = other
            for step in path[:-1]:
                inside = inside[step]
            if act == "delete":
                del inside[path[-1]]
            elif isinstance(inside, dict):
                inside["more"] = 1
            else:
                inside.insert(path[-1], inside[path[-1]])
            yield other


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_event_is_written_back_unchanged_or_refused(kind: str) -> None:
    """No two texts are the same event, so a changed entry is never taken for the original."""
    raw = json.loads(json.dumps(write_event(every_kind()[kind])))
    for other in changed_entries(raw):
        try:
            event = read_event(other)
        except Refused:
            continue
        written = write_event(event)
        assert json.dumps(written, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_writing_an_unsupported_value_raises() -> None:
    play = Play()
    play.does(opening("galaxy"))
    event = play.log[0][1]
    object.__setattr__(event, "clockwise", 1.5)
    with pytest.raises(KeyError):
        event_text(event)
