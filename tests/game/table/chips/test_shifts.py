"""Shifts of a table with real chips: counts, fills, credits, boxes, slips, win and variance."""

from typing import Any

import pytest

from headsup.game.bank.ledger import (
    Account,
    drop_account,
    guests_account,
    tray_account,
    variance_account,
    vault_account,
)
from headsup.game.round.commands import CloseBets, PlaceBets, Raise
from headsup.game.round.state import Phase
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.shifts import (
    BoxCounted,
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
    ShiftClosed,
    ShiftOpened,
    TrayFilled,
    recorded_win,
)
from headsup.game.table.opening import CloseTable
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, SitGuest
from headsup.game.values.money import MICROS_PER_CENT
from tests.support.machine import equal_floors
from tests.support.tables import Play, opened, replay_events, stakes

TWO = ("Dee", "Sue")


def table(**choices: Any) -> Play:
    play = opened(seats=(), **choices)
    play.does(SitGuest(1, "Tom"))
    return play


def cents(play: Play, account: Account) -> int:
    return play.floor.ledger.balance(account) // MICROS_PER_CENT


def win_back(play: Play, amount: int) -> None:
    """A round that the guest loses, and a correction that makes the table's win this amount."""
    before = cents(play, guests_account("T1"))
    play.does(OpenRound(), PlaceBets(1, stakes()), CloseBets())
    play.reaches(Phase.CLOSED, fold=(1,))
    missing = amount - (before - cents(play, guests_account("T1")))
    play.does(CorrectPayout(1, -missing, "recount", "Dee", "Sue"))


def test_the_documents_example_of_a_shift() -> None:
    """Opening 20,000, fill 5,000, cash 7,300, recorded win 2,150: expected 19,850. Counted 19,825:
    win 2,125, variance -25, hold 29.1 %."""
    play = table()
    (opened_shift,) = play.does(OpenShift(2_000_000, TWO))
    assert isinstance(opened_shift, ShiftOpened)
    assert (opened_shift.issued, opened_shift.variance) == (2_000_000, 0)
    (fill,) = play.does(FillTray(0, TWO, {500: 200, 2_500: 160}))
    assert isinstance(fill, TrayFilled)
    assert (fill.slip, fill.amount) == (2, 500_000)
    play.does(BuyIn(1, 730_000))
    win_back(play, 215_000)
    assert recorded_win(play.floor, play.table) == 215_000
    (closed,) = play.does(CloseShift(1_982_500, TWO))
    assert isinstance(closed, ShiftClosed)
    assert closed.expected == 1_985_000
    assert closed.variance == -2_500
    win = closed.drop + closed.amount + closed.credits - closed.opening - closed.fills
    assert win == 212_500
    assert win - closed.variance == 215_000
    assert round(win / closed.drop, 3) == 0.291
    assert cents(play, tray_account("T1")) == 1_982_500
    assert cents(play, variance_account("T1")) == 2_500
    assert play.floor.ledger.total() == 0
    assert equal_floors(replay_events(play.log), play.floor)


def test_the_next_shift_posts_what_changed_over_night() -> None:
    play = table()
    play.does(OpenShift(100_000, TWO), CloseShift(100_000, TWO))
    (again,) = play.does(OpenShift(99_000, TWO))
    assert isinstance(again, ShiftOpened)
    assert (again.shift, again.slip, again.issued, again.variance) == (2, 3, 0, -1_000)
    assert cents(play, tray_account("T1")) == 99_000


def test_an_award_paid_from_the_tray_leaves_no_variance() -> None:
    play = table()
    play.does(OpenShift(5_000_000, TWO))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), CloseBets())
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(Raise(1, 3))
    play.reaches(Phase.CLOSED)
    net = sum(line.net for line in play.lines(1).values())
    award = sum(line.award for line in play.lines(1).values())
    assert award > 0
    (closed,) = play.does(CloseShift(5_000_000 - net, TWO))  # as many chips as went
    assert isinstance(closed, ShiftClosed)
    assert closed.variance == 0
    assert closed.credits == award
    win = closed.amount + closed.credits - closed.opening
    assert win == award - net, "the award is no loss of the table"


def test_fills_and_credits_need_a_shift_two_people_and_a_count() -> None:
    play = table()
    assert play.refuses(FillTray(100, TWO)) == "no_shift"
    assert play.refuses(PullBox(TWO)) == "no_shift"
    assert play.refuses(CloseShift(0, TWO)) == "no_shift"
    assert play.refuses(OpenShift(100, ("Dee", " dee "))) == "needs_two_people"
    play.does(OpenShift(100_000, TWO))
    assert play.refuses(OpenShift(100_000, TWO)) == "shift_open"
    assert play.refuses(FillTray(0, TWO)) == "bad_count"
    assert play.refuses(FillTray(-500, TWO)) == "bad_count"
    assert play.refuses(FillTray(600, TWO, {500: 1})) == "bad_count"
    assert play.refuses(FillTray(0, TWO, {-500: 1})) == "bad_count"
    play.does(CreditTray(500, TWO, {500: 1}))
    assert play.table.felt.slips == 2


def test_a_shift_opens_and_closes_between_rounds_and_fills_come_at_any_time() -> None:
    play = table()
    play.does(OpenRound())
    assert play.refuses(OpenShift(0, TWO)) == "round_open"
    assert play.refuses(SetFelt(FeltSettings(), TWO)) == "round_open"
    play.reaches(Phase.CLOSED)
    play.does(OpenShift(0, TWO), OpenRound(), FillTray(100_000, TWO))
    assert play.refuses(CloseShift(0, TWO)) == "round_open"


def test_a_box_goes_to_the_vault_and_its_count_is_posted() -> None:
    play = table()
    play.does(OpenShift(100_000, TWO), BuyIn(1, 30_000), PullBox(TWO))
    assert cents(play, drop_account("T1")) == 0
    assert play.refuses(CountBox(9, 1, TWO)) == "no_such_box"
    play.does(CloseShift(70_000, TWO))
    (counted,) = play.does(CountBox(2, 29_900, ("Sue", "Sam")))
    assert isinstance(counted, BoxCounted)
    assert (counted.shift, counted.variance) == (1, -100)
    assert cents(play, vault_account("T1")) == 29_900 - 100_000
    assert play.refuses(CountBox(2, 29_900, TWO)) == "no_such_box"


@pytest.mark.parametrize("required", [True, False])
def test_the_house_may_demand_a_shift_before_guests_play(required: bool) -> None:
    play = table()
    play.does(SetFelt(FeltSettings(shift_required=required), TWO))
    if not required:
        play.does(OpenRound())
        return
    assert play.refuses(OpenRound()) == "no_shift"
    play.does(OpenShift(0, TWO), OpenRound())


def test_a_table_closes_only_after_its_shift() -> None:
    play = table()
    play.does(OpenShift(0, TWO), Leave(1))
    assert play.refuses(CloseTable("moved", "Sue")) == "shift_open"
