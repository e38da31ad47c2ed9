"""Closing a table: when it may be closed, what it still accepts, and how it is shown."""

import pytest

from headsup.game.round.state import Phase
from headsup.game.table.commands import Command
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.opening import CloseTable, OpenTable
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from tests.tables import Play, table_at
from tests.wire import for_dealer, for_rail

SOLD = CloseTable("the table is sold", "Sue / Tom")


def closed() -> Play:
    play = table_at(Phase.CLOSED, "new-york")
    play.does(*(Leave(seat) for seat in tuple(play.table.players)), SOLD)
    return play


def test_a_table_is_closed_when_its_round_is_over_and_everybody_has_left() -> None:
    play = table_at(Phase.FLOP, "new-york")
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
    play.does(FreezeMeter("counted"), FreezeMeter(""))


def test_everyone_sees_that_it_is_closed() -> None:
    play = closed()
    for view in (for_rail(play.floor, "T1"), for_dealer(play.floor, "T1")):
        assert view["closed"] == "the table is sold"
    assert "closed" not in for_rail(table_at(Phase.CLOSED, "new-york").floor, "T1")
