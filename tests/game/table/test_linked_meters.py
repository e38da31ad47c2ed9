"""R69–R71, R78, A6: several tables with one meter, and several winners at one table."""

from typing import Any

import pytest

from headsup.game.bank.ledger import AccountKind
from headsup.game.round.commands import CloseBets, PlaceBets, Proceed, Raise
from headsup.game.round.events import RoundSettled
from headsup.game.round.state import Phase
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    PlanMeterClosing,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.money import MICROS_PER_CENT
from tests.support.tables import (
    PROGRESSIVE,
    Play,
    irregularity_report,
    opened,
    opening,
    replay_events,
    stakes,
)

DOLLAR = 100 * MICROS_PER_CENT
SEED = 10_000 * DOLLAR
QUARTER = DOLLAR // 4
# One of the royal's cards on the river: 10 % under Galaxy's table 1.
TENTH: dict[str, str] = {"board": "QsJs2c4dTs", "dealer": "9h9c"}
# Flopped, in spades: 100 %.
WHOLE: dict[str, str] = {"board": "QsJsTs2c4d", "dealer": "9h9c"}
ROYAL_HOLE = "AsKs"


def shared(book: str = "galaxy", **choices: Any) -> Play:
    """T1, and T2 linked to its meter; `play.id` is the table that gets the commands."""
    play = opened(book, seats=(1, 2), id="T1", **choices)
    play.id = "T2"
    play.does(opening(book, meter="T1 meter", **choices))
    for seat in (1, 2):
        play.does(Sit(seat, f"Q{seat}"), BuyIn(seat, 100_000))
    play.id = "T1"
    return play


def up_to_settlement(play: Play, id: str, cards: dict[str, str], holes: dict[int, str]) -> None:
    """A round at this table in which both seats play the Progressive."""
    play.id = id
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.deals(holes, **cards)
    for seat in (1, 2):
        play.does(Raise(seat, 3))
    play.reaches(Phase.SETTLEMENT_DUE)


def settles(play: Play, id: str) -> dict[int, int]:
    """Settle that table's round; returns what each seat was awarded, in cents."""
    play.id = id
    *_, event = play.does(Proceed())
    assert isinstance(event, RoundSettled)
    assert event.settlement.meter_after == play.meter.pool
    return {seat: play.lines(seat)[PROGRESSIVE].award for seat in (1, 2)}


def assert_books_agree(play: Play) -> None:
    meter = play.floor.meters["T1 meter"]
    assert play.floor.ledger.balance(meter.account) == meter.pool >= 0
    assert play.floor.ledger.total() == 0
    assert replay_events(play.log) == play.floor


@pytest.mark.parametrize("book", ["galaxy", "washington"])
def test_r78_two_tables_feed_one_meter(book: str) -> None:
    play = shared(book)
    assert play.floor.meters.keys() == {"T1 meter"}
    for id, pool in (("T1", SEED + 2 * QUARTER), ("T2", SEED + 4 * QUARTER)):
        play.id = id
        play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
        assert play.meter.pool == pool
    for id in ("T1", "T2"):
        play.id = id
        play.reaches(Phase.CLOSED)
    assert_books_agree(play)


@pytest.mark.parametrize("first", ["T1", "T2"])
def test_r71_awards_are_made_in_the_order_they_are_settled_each_on_its_own_snapshot(
    first: str,
) -> None:
    play = shared()
    second = "T2" if first == "T1" else "T1"
    up_to_settlement(play, "T1", TENTH, {1: ROYAL_HOLE})
    up_to_settlement(play, "T2", TENTH, {1: ROYAL_HOLE})
    assert play.meter.pool == SEED + 4 * QUARTER
    assert settles(play, first) == {1: 100_010, 2: 0}, "10 % of $10,001.00"
    assert settles(play, second) == {1: 90_009, 2: 0}, "10 % of $9,000.90"
    assert play.meter.pool == (1_000_100 - 100_010 - 90_009) * MICROS_PER_CENT
    assert_books_agree(play)


def test_r71_the_second_whole_pool_is_the_new_seed() -> None:
    play = shared()
    up_to_settlement(play, "T1", WHOLE, {1: ROYAL_HOLE})
    up_to_settlement(play, "T2", WHOLE, {1: "8c7d", 2: ROYAL_HOLE})
    assert settles(play, "T2") == {1: 0, 2: 1_000_100}
    assert play.meter.pool == SEED
    assert settles(play, "T1") == {1: 1_000_000, 2: 0}
    assert play.meter.pool == SEED
    assert play.meter.seeded == 3 * SEED
    assert_books_agree(play)


def test_r73_a_linked_meter_is_reset_to_its_own_seed_and_the_record_says_so() -> None:
    """T2 was opened without its own seed: `settles` compares the record with the meter."""
    play = shared()
    up_to_settlement(play, "T2", WHOLE, {1: ROYAL_HOLE})
    assert settles(play, "T2") == {1: 1_000_050, 2: 0}
    assert play.meter.pool == SEED


# Several winners at one table.


@pytest.mark.clause("G Progressive PT9")
def test_r69_g9_two_flopped_straight_flushes_split_the_pool_equally() -> None:
    play = opened("galaxy", seats=(1, 2), paytables={"progressive": "9"})
    up_to_settlement(play, "T1", {"board": "7h8h9h2c4d", "dealer": "KsQd"}, {1: "5h6h", 2: "ThJh"})
    awards = settles(play, "T1")
    assert awards == {1: 500_025, 2: 500_025}, "half of $10,000.50 each"
    assert play.meter.pool == SEED
    for seat in (1, 2):
        assert play.lines(seat)[PROGRESSIVE].outcome == "flopped_straight_flush"
    assert_books_agree(play)


def test_r79_the_cent_that_cannot_be_split_is_carried_over_the_reset() -> None:
    play = opened(
        "galaxy", seats=(1, 2), paytables={"progressive": "9"}, meter_contribution="0.255"
    )
    up_to_settlement(play, "T1", {"board": "7h8h9h2c4d", "dealer": "KsQd"}, {1: "5h6h", 2: "ThJh"})
    assert settles(play, "T1") == {1: 500_025, 2: 500_025}, "half of $10,000.51, to the cent"
    assert play.meter.pool == SEED + MICROS_PER_CENT


COMMUNITY: dict[str, str] = {"board": "AhKhQhJhTh", "dealer": "9s9c"}


@pytest.mark.parametrize(
    ("book", "awards", "chosen"),
    [
        ("galaxy", [100_015] * 6, "snapshot"),
        ("new-york", [100_015] * 6, "snapshot"),
        # Right to left (R97): seat 6 is paid first, each seat from what the last one left.
        ("galaxy", [59_058, 65_619, 72_911, 81_012, 90_013, 100_015], "sequential"),
    ],
)
def test_r70_a_community_royal_pays_ten_percent_to_all_six(
    book: str, awards: list[int], chosen: str
) -> None:
    seats = (1, 2, 3, 4, 5, 6)
    play = opened(book, seats=seats, percentage_awards=chosen)
    play.bets({seat: stakes(progressive=100) for seat in seats})
    play.deals({1: "2c7d"}, **COMMUNITY)
    play.reaches(Phase.SETTLED)
    assert [play.lines(seat)[PROGRESSIVE].award for seat in seats] == awards
    assert play.meter.pool == (1_000_150 - sum(awards)) * MICROS_PER_CENT
    assert play.round.settlement is not None
    for seat in play.round.settlement.seats:
        assert play.chips(seat.seat) == 100_000 + seat.net


# What may not be linked.


@pytest.mark.clause("NY (k)(2) pool", "NY (k)(2) display")
@pytest.mark.parametrize(
    ("meter_of", "joins"),
    [
        ("new-york", "new-york"),
        ("galaxy", "new-york"),
        ("new-york", "galaxy"),
    ],
)
def test_ny_k_2_r78_new_york_has_one_meter_per_table(meter_of: str, joins: str) -> None:
    play = opened(meter_of, seats=())
    play.id = "T2"
    assert play.refuses(opening(joins, meter="T1 meter")) == "meter_table"


def test_r82_custody_and_regime_are_not_mixed() -> None:
    play = opened("washington", seats=())
    play.id = "T2"
    assert play.refuses(opening("galaxy", meter="T1 meter")) == "meter_table"
    bonus = opening("washington", meter="T1 meter", jackpot_regime="bonus")
    assert play.refuses(bonus) == "meter_table"


def test_a_wager_of_a_linked_table_cannot_add_more_than_its_stake() -> None:
    play = opened("galaxy", seats=(), meter_contribution="0.60")
    play.id = "T2"
    cheap = opening("galaxy", meter="T1 meter", progressive_stake="0.50")
    assert play.refuses(cheap) == "meter_amount"


def test_no_table_joins_a_meter_that_is_closing() -> None:
    play = opened("galaxy", seats=(), id="T3")
    play.id = "T1"
    play.does(opening("galaxy"), PlanMeterClosing("2026-12-31", "A-1", "T3 meter"))
    play.id = "T2"
    assert play.refuses(opening("galaxy", meter="T1 meter")) == "meter_ended"


@pytest.mark.parametrize("phase", list(Phase))
def test_a5_a_shared_meter_is_not_changed_while_another_table_is_playing(phase: Phase) -> None:
    play = shared()
    play.id = "T2"
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))
    if phase is not Phase.BETTING:
        play.does(CloseBets())
        play.reaches(phase)
    play.id = "T1"
    command = CorrectMeter(1, "why", ("Sue", "Tom"))
    if phase is Phase.CLOSED:
        play.does(command)
        return
    plan = PlanMeterClosing("2027-01-01", "A", "T2 meter")
    for other in (command, plan, TransferPool("T1 meter")):
        assert play.refuses(other) == "round_open"
    assert play.refuses(SetBonusPrize(1, "why", "Sue")) == "round_open"
    assert play.refuses(EndBonus("why", "Sue")) == "round_open"
    play.does(FreezeMeter("down"))


def test_r94_a_void_after_the_other_table_has_won_the_pool() -> None:
    """T1's contribution went to T2's winner, so the house pays it back out of the new seed."""
    play = shared()
    up_to_settlement(play, "T2", WHOLE, {1: ROYAL_HOLE})
    play.id = "T1"
    play.bets({1: stakes(progressive=100)})
    settles(play, "T2")
    play.id = "T1"
    play.does(irregularity_report("foul_deck"), Proceed(), Proceed())
    assert play.chips(1) == 100_000
    assert play.meter.pool == SEED - QUARTER
    assert_books_agree(play)
    players = [x for account, x in play.floor.ledger if account.kind is AccountKind.PLAYER]
    assert min(players) > 0


@pytest.mark.parametrize("choice", [{"meter_seed": "50.00"}, {"meter_contribution": "0.10"}])
def test_r77_a_linked_table_has_no_seed_or_contribution_of_its_own(choice: dict[str, Any]) -> None:
    play = opened("galaxy", seats=())
    play.id = "T2"
    assert play.refuses(opening("galaxy", meter="T1 meter", **choice)) == "meter_rules"


def test_a_pool_does_not_move_to_a_meter_that_is_being_played_for() -> None:
    play = opened("galaxy", seats=())
    play.id = "T2"
    play.does(opening("galaxy"), Sit(1, "Q1"), BuyIn(1, 100_000))
    play.id = "T1"
    play.does(PlanMeterClosing("2026-12-31", "A-1", "T2 meter"))
    play.id = "T2"
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.id = "T1"
    assert play.refuses(TransferPool("T2 meter")) == "round_open"
