"""SugarHouse's cap on a player's winnings in a round, over all their positions."""

from typing import Any

import pytest

from headsup.game.round.commands import Raise
from headsup.game.round.state import Phase
from headsup.game.table.seating import BuyIn, Sit
from tests.support.rounds import seat, settled_table
from tests.support.tables import opened, stakes

# Seat 1 makes a royal flush, seat 2 four nines; the dealer has three kings.
ROYAL, QUADS = "Ad Td", "9h 9d"
SHARED: dict[str, Any] = {"board": "Kd Qd Jd 9c 9s", "dealer": "Kh Ks"}


@pytest.mark.clause("SH Raise cap per player")
def test_sh_raise_cap_is_shared_by_the_positions_of_one_player() -> None:
    """Settled from the dealer's right: seat 2 wins $28,000, which leaves $22,000 for seat 1."""
    royal = seat(1, ROYAL, ("pocket", 3), ante=200)
    quads = seat(2, QUADS, ("pocket", 3), ante=2_000)
    several = settled_table(
        "sugarhouse", [{**royal, "player": "Ann"}, {**quads, "player": "Ann"}], **SHARED
    )
    assert {number: one.total for number, one in several.seats.items()} == {1: 22_000, 2: 28_000}
    assert several.seats[1].shortfalls == {"odds": 78_800}
    others = settled_table(
        "sugarhouse", [{**royal, "player": "Ann"}, {**quads, "player": "Bob"}], **SHARED
    )
    assert {number: one.total for number, one in others.seats.items()} == {1: 50_000, 2: 28_000}


@pytest.mark.clause("SH Raise cap per player")
def test_sh_raise_cap_holds_at_a_table_for_a_player_with_two_positions() -> None:
    play = opened("sugarhouse", seats=(), positions_per_player=2)
    play.does(Sit(1, "Ann"), BuyIn(1, 100_000_00), Sit(2, "Ann"))
    play.bets({1: stakes(200_00), 2: stakes(2_000_00)})
    play.deals({1: ROYAL, 2: QUADS}, **SHARED)
    play.does(Raise(1, 3), Raise(2, 3))
    play.reaches(Phase.SETTLED)
    assert play.chips(1) == 100_000_00 + 50_000_00
