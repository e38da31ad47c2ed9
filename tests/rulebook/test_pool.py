"""New York (k): the Progressive at the table and its meter."""

import pytest

from headsup.game.round.commands import CloseBets, PlaceBets, Raise
from headsup.game.round.state import Phase
from headsup.game.table.rounds import OpenRound
from tests.support.tables import PROGRESSIVE, Play, opened, stakes
from tests.support.wire import for_dealer, for_rail, for_seat, for_tablevision


def meters(play: Play) -> set[str]:
    """The figures that viewers see on the meter: one if they all see the same."""
    floor = play.floor
    views = [for_rail(floor, "T1"), for_seat(floor, "T1", 1), for_dealer(floor, "T1")]
    return {view["meter"]["shows"] for view in (*views, for_tablevision(floor, "T1"))}


@pytest.mark.clause("NY (k)(2) display", "NY (k)(2) pool")
def test_ny_k2_the_meter_shows_seed_and_contributions_less_what_was_won() -> None:
    play = opened("new-york", seats=(1, 2), meter_seed="10000.00", meter_contribution="0.25")
    assert meters(play) == {"10000.00"}
    play.does(OpenRound())
    play.does(PlaceBets(1, stakes(progressive=100)), PlaceBets(2, stakes(progressive=100)))
    assert meters(play) == {"10000.00"}, "a wager counts when bets are closed"
    play.does(CloseBets())
    assert meters(play) == {"10000.50"}
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(Raise(1, 3), Raise(2, 1))
    play.reaches(Phase.SETTLEMENT_DUE)
    assert meters(play) == {"10000.50"}
    play.reaches(Phase.SETTLED)
    assert play.lines(1)[PROGRESSIVE].award == 100_005
    assert meters(play) == {"9000.45"}


@pytest.mark.clause("NY (k)")
def test_ny_k_the_wager_is_taken_only_where_it_is_offered() -> None:
    without = opened("new-york", seats=(1,), paytables={"progressive": "none"})
    without.does(OpenRound())
    assert without.refuses(PlaceBets(1, stakes(progressive=100))) == "wager_not_offered"
    without.does(PlaceBets(1, stakes()))
    offered = opened("new-york", seats=(1,))
    offered.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))


@pytest.mark.clause("NY (k)(1) in addition", "NY (k)(1) amount")
def test_ny_k1_one_dollar_and_only_beside_the_required_wagers() -> None:
    play = opened("new-york", seats=(1,))
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, {PROGRESSIVE: 100})) == "missing_wager"
    for cents in (99, 101, 500):
        assert play.refuses(PlaceBets(1, stakes(progressive=cents))) == "progressive_stake"
    play.does(PlaceBets(1, stakes(progressive=100)))
