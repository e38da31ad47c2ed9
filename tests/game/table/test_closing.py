"""Closing a table: when it may be closed, what it still accepts, and how it is shown."""

from typing import Any

import pytest

from headsup.game.bank.meter import PoolPlace
from headsup.game.record.journal import decide_on_day
from headsup.game.refusal import Refusal
from headsup.game.round.commands import PlaceBets
from headsup.game.round.state import Phase
from headsup.game.table.commands import Command
from headsup.game.table.meter_control import (
    CorrectMeter,
    FreezeMeter,
    MeterClosingDue,
    PlanMeterClosing,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, OpenTable
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound, RoundOpened
from headsup.game.table.seating import BuyIn, Leave, Sit
from tests.support.tables import (
    Play,
    default_actor,
    opened,
    opening,
    stakes,
    table_at,
)
from tests.support.wire import for_dealer, for_rail, for_seat, for_tablevision

SOLD = CloseTable("the table is sold", "Sue / Tom")
DAY, BEFORE, AFTER = "2026-12-31", "2026-12-30", "2027-01-01"
PLAN = PlanMeterClosing(DAY, "COMM-12", "Keno 2", PoolPlace.OUTSIDE)
TRANSFER = TransferPool("Keno 2", ("Sue", "Tom"))


def closed() -> Play:
    play = table_at(Phase.CLOSED, "new-york")
    play.does(*(Leave(seat) for seat in tuple(play.table.players)), PLAN, TRANSFER, SOLD)
    return play


def on_day(play: Play, command: Command, day: str) -> Any:
    return decide_on_day(play.floor, day, play.id, default_actor(command), command)


def refused_on(play: Play, command: Command, day: str) -> str:
    answer = on_day(play, command, day)
    return answer.code if isinstance(answer, Refusal) else ""


# The Progressive ends before the table does (R84).


@pytest.mark.clause("NY (k)(5) plan", "NY (k)(5) transfer")
@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington"])
def test_r84_a_table_that_holds_players_money_is_not_closed(book: str) -> None:
    play = opened(book, seats=())
    assert play.refuses(SOLD) == "meter_phase"
    play.does(PLAN)
    assert play.refuses(SOLD) == "meter_phase", "a plan moves no money"
    play.does(TRANSFER, SOLD)
    assert (play.meter.pool, play.meter.reserve) == (0, 0)


def test_r84_the_last_table_of_a_linked_meter_stays_until_the_pool_has_moved() -> None:
    play = opened("galaxy", seats=())
    play.id = "T2"
    play.does(opening("galaxy", meter="T1 meter"), SOLD)
    play.id = "T1"
    assert play.refuses(SOLD) == "meter_phase"
    empty = opened("galaxy", seats=(), paytables={"progressive": "none"})
    empty.does(SOLD)


@pytest.mark.clause("NY (k)(5) date")
def test_ny_k_5_the_pool_stays_until_the_day_of_the_plan() -> None:
    play = opened("new-york", seats=(1,))
    play.does(PLAN)
    assert refused_on(play, TRANSFER, BEFORE) == "meter_phase"
    assert refused_on(play, TRANSFER, DAY) == ""
    assert refused_on(play, TRANSFER, AFTER) == ""
    # A further approval moves the date.
    play.does(PlanMeterClosing(BEFORE, "COMM-15", "Keno 2", PoolPlace.OUTSIDE))
    assert refused_on(play, TRANSFER, BEFORE) == ""


@pytest.mark.clause("NY (k)(5) date")
def test_ny_k_5_from_the_day_of_the_plan_on_no_wager_is_taken() -> None:
    play = opened("new-york", seats=(1,))
    play.does(PLAN, OpenRound())
    bet = PlaceBets(1, stakes(progressive=100))
    assert refused_on(play, bet, BEFORE) == ""
    assert refused_on(play, bet, DAY) == "meter_ended", "even in a round opened before"
    assert refused_on(play, PlaceBets(1, stakes(trips_plus=500)), DAY) == ""
    play.does(bet)
    play.bets_close()
    play.reaches(Phase.CLOSED)
    assert play.meter.pool == 10_000_250_000, "the wager taken before is counted"


@pytest.mark.clause("NY (k)(5) date")
def test_ny_k_5_when_the_day_has_come_the_table_says_so() -> None:
    play = opened("new-york", seats=(1,))
    play.does(PLAN)

    def notices() -> set[str]:
        floor = play.floor
        tables = [for_rail(floor, "T1"), for_dealer(floor, "T1"), for_seat(floor, "T1", 1)]
        views = [*tables, for_tablevision(floor, "T1")]
        assert {view["meter"]["shows"] for view in views} == {"10000.00"}
        return {notice for view in views for notice in view["meter"]["notices"]}

    planned = (
        "The Progressive ends on 2026-12-31, by an approved plan; then its pool goes to Keno 2."
    )
    assert notices() == {planned}
    assert on_day(play, OpenRound(), BEFORE) == (RoundOpened(1),)
    assert on_day(play, OpenRound(), DAY) == (RoundOpened(1), MeterClosingDue())
    play.does(OpenRound())
    play.happens("T1", MeterClosingDue())
    due = "The Progressive has ended: no new wagers since 2026-12-31; its pool goes to Keno 2."
    assert notices() == {due}
    assert "progressive" not in for_seat(play.floor, "T1", 1)["offered"]
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "meter_ended"
    play.does(PlaceBets(1, stakes()))
    play.bets_close()
    play.reaches(Phase.CLOSED)
    assert on_day(play, OpenRound(), AFTER) == (RoundOpened(2),), "it is said once"
    play.does(TRANSFER)
    assert for_rail(play.floor, "T1")["meter"] is None


def test_a_table_is_closed_when_its_round_is_over_and_everybody_has_left() -> None:
    play = table_at(Phase.FLOP, "sugarhouse")
    assert play.refuses(SOLD) == "round_open"
    play.reaches(Phase.CLOSED)
    assert play.refuses(SOLD) == "table_occupied"
    play.does(*(Leave(seat) for seat in tuple(play.table.players)))
    assert play.refuses(CloseTable(" ", "Sue")) == "closing_record"
    assert play.refuses(CloseTable("sold", "")) == "closing_record"
    play.does(SOLD)
    assert play.table.closed == "the table is sold"


@pytest.mark.parametrize(
    "command", [Sit(1, "Ann"), BuyIn(1, 500), OpenRound(), SOLD], ids=lambda one: type(one).__name__
)
def test_nobody_plays_at_a_closed_table(command: Command) -> None:
    assert closed().refuses(command) == "table_closed"


def test_the_name_of_a_closed_table_is_not_reused() -> None:
    assert closed().refuses(OpenTable("sugarhouse")) == "table_open"


def test_payouts_and_meter_are_corrected_after_closing() -> None:
    play = closed()
    play.does(CorrectPayout(1, 500, "recount", "Dee", "Sue", "P1"))
    linked = opened("galaxy", seats=())
    linked.id = "T2"
    linked.does(opening("galaxy", meter="T1 meter"), SOLD)
    linked.does(CorrectMeter(5, "recount", ("Sue", "Tom")))
    linked.does(FreezeMeter("counted"), FreezeMeter(""))


def test_everyone_sees_that_it_is_closed() -> None:
    play = closed()
    for view in (for_rail(play.floor, "T1"), for_dealer(play.floor, "T1")):
        assert view["closed"] == "the table is sold"
    assert "closed" not in for_rail(table_at(Phase.CLOSED, "new-york").floor, "T1")
