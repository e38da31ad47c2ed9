"""Events as JSON and back: every kind, exactly, and nothing else is read as an event."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest

from headsup.game.bank.meter import PoolPlace
from headsup.game.record.message_codec import event_text, read_event, write_event
from headsup.game.refusal import Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.events import RoundSettled
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.dealing import SetDealing
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    MeterClosingDue,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.sealing import commitment_to
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Pace
from tests.support.tables import (
    BOOKS,
    TRIPS_6,
    Play,
    irregularity_report,
    opened,
    opening,
    replay_events,
    stakes,
    table_at,
)

KINDS = [kind.__name__ for kind in get_args(Event)]


@cache
def every_kind() -> dict[str, Event]:
    """One event of each kind, made by a floor."""
    play = opened("new-york", seats=(1, 2, 3), chips=50_000)
    play.does(OpenRound(), PlaceBets(3, stakes()), WithdrawBets(3), Leave(3))
    for seat in (1, 2):
        play.does(PlaceBets(seat, stakes(trips_plus=500, progressive=100)))
    play.does(CloseBets())
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(ExtendTime(2, 30), TimeOut(2, 150), Raise(1, 3))
    play.reaches(Phase.RIVER)
    play.does(Fold(2))
    play.reaches(Phase.CLOSED)
    play.does(CorrectPayout(1, -250, "paid twice – see camera 4", "Dee", "Sue"))
    play.does(CorrectMeter(-10, "recount", ("Sue", "Tom")), FreezeMeter("down"), FreezeMeter(""))
    play.bets({1: stakes(trips_plus=500), 2: stakes(trips_plus=500)})
    play.deals()
    play.does(Check(1), irregularity_report("missed_raise", 1, "correct"))
    play.does(
        irregularity_report("player_card_count", 2), irregularity_report("dealer_card_exposed")
    )
    play.reaches(Phase.CLOSED)
    play.id = "T2"
    play.does(opening("new-york"))
    play.id = "T1"
    play.does(PlanMeterClosing("2026-12-31", "A-1", "T2 meter"), TransferPool("T2 meter"))
    play.id = "T3"
    play.does(opening("washington", jackpot_regime="bonus", meter_contribution="0"))
    play.does(SetBonusPrize(1, "weekend", "Sue"), EndBonus("over", "Sue"))
    play.id = "T4"
    play.does(opening("washington", **TRIPS_6))
    play.does(SetBonusCell("trips_plus", "flush", "6", "weekend", ("Sue", "Tom")))
    counted = Wager.PROGRESSIVE
    play.id = "T2"
    play.does(Sit(1, "Ann"), BuyIn(1, 50_000), OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(ReadSensor(1, counted, chip=False), CloseBets())
    play.does(CorrectFlag(1, counted, True, "rolled off", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    play.does(ReportEquipmentDown("power"), OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(CloseBets(), CountByHand({counted: 1}))
    play.reaches(Phase.CLOSED)
    play.does(RestoreEquipment(("Sue", "Tom")))
    play.id = "T5"
    play.does(replace(opening("sugarhouse"), shuffle=ShuffleSource.SEALED), Sit(1, "Ann"))
    play.does(SealShuffle(commitment_to("T5", 1, "0" * 64)), OpenRound(), AddSeed(1, "luck"))
    play.does(Proceed(), OpenShuffle("0" * 64))
    play.does(SealShuffle("0" * 64), ReportLostSeal("gone", ("Sue", "Tom")))
    play.does(Leave(1), CloseTable("sold", "Sue"))
    play.id = "T6"
    play.does(opening("new-york", coupons=True))
    play.does(IssueCoupon("P1", Wager.ANTE, 1_000, "2026-12-31", ("Dee", "Sue")))
    play.does(CancelCoupon(1, "issued twice", ("Dee", "Sue")))
    play.does(ReceivePool("Main / T9 meter", 700_000, "A-3", ("Sue", "Tom")))
    play.does(PlanMeterClosing("2026-12-31", "A-4", "Keno", PoolPlace.OUTSIDE))
    play.happens("T6", MeterClosingDue())
    play.does(SetDealing("a break", by_hand=False), SetThresholds(100, 200, 300))
    play.does(SetPace(Pace(*(500,) * 7, "Sue", "2026-01-31T12:00:00Z")))
    # The first settlement has an award from the pool, the void one has not.
    return {type(event).__name__: event for _, event in reversed(play.log)}


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
