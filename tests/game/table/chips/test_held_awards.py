"""R108: awards above the lock wait until two people have verified the cards."""

from typing import Any

import pytest

from headsup.game.bank.ledger import (
    Account,
    AccountKind,
    guests_account,
    held_account,
    player_account,
    tray_account,
    vault_account,
)
from headsup.game.round.commands import DealFaceDown, Proceed, Raise, TurnOver
from headsup.game.round.state import Phase
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.held_awards import (
    AwardHeld,
    AwardPaid,
    AwardRefused,
    PayAward,
    PayWay,
    RefuseAward,
    VerifyAward,
)
from headsup.game.table.chips.shifts import CloseShift, OpenShift, SetFelt, ShiftClosed
from headsup.game.table.meter_control import EndBonus, TransferPool
from headsup.game.table.opening import CloseTable
from headsup.game.table.seating import BuyIn, Leave, Sit, SitGuest
from headsup.game.values.cards import parse_cards
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import rail_view
from tests.support.machine import equal_floors
from tests.support.tables import (
    POOL_LEAVES,
    Play,
    irregularity_report,
    opened,
    opening,
    replay_events,
    stakes,
)
from tests.support.turned_over import real_table

TWO = ("Dee", "Sue")
SEED = 10_000_000_000  # of the meter, and what it holds before the round, but for contributions
ROYAL = {"board": "QsJsTs4d2c", "dealer": "9h9c"}


def locked(lock: int = 100_000, notice: int = 0, **choices: Any) -> Play:
    play = opened("galaxy", seats=(1,), **choices)
    play.does(SetFelt(FeltSettings(False, lock, notice), TWO))
    return play


def win_everything(play: Play, seat: int = 1) -> AwardHeld | None:
    """A royal flush on the flop wins the whole pool."""
    play.bets({seat: stakes(progressive=100)})
    play.deals({seat: "AsKs"}, **ROYAL)
    play.does(Raise(seat, 3))
    play.reaches(Phase.SETTLED)
    (number,) = play.table.felt.held or (0,)
    held = [event for _, event in play.log if isinstance(event, AwardHeld)]
    return held[-1] if number else None


def micros(play: Play, account: Account) -> int:
    return play.floor.ledger.balance(account)


def adds_up(play: Play) -> bool:
    meter = play.meter
    total = meter.seeded + meter.contributed - meter.awarded + meter.adjusted
    return meter.pool + meter.reserve == total and play.floor.ledger.total() == 0


def test_an_award_above_the_lock_waits_and_the_meter_runs_from_its_seed() -> None:
    play = locked()
    chips = play.chips(1)
    held = win_everything(play)
    assert held is not None
    assert held.amount == SEED // MICROS_PER_CENT + 25
    assert play.meter.pool == SEED
    assert micros(play, held_account("T1", 1)) == held.amount * MICROS_PER_CENT
    others = sum(line.net - line.award for line in play.lines(1).values())
    assert play.chips(1) == chips + others, "all other wagers of the hand are paid"
    assert len(held.cards) == 7
    view = rail_view(play.floor, "T1")
    assert view.meter is not None
    assert any("Pending: $10,000.25 won at table T1" in notice for notice in view.meter.notices)
    assert adds_up(play)


def test_the_round_closes_only_after_the_cards_are_verified() -> None:
    play = locked()
    held = win_everything(play)
    assert held is not None
    assert play.refuses(Proceed()) == "award_state"
    assert play.refuses(PayAward(1, PayWay.ACCOUNT, TWO)) == "award_state"
    play.does(VerifyAward(1, TWO), Proceed())
    assert play.phase is Phase.CLOSED
    assert play.refuses(VerifyAward(1, TWO)) == "award_state"
    chips = play.chips(1)
    (paid,) = play.does(PayAward(1, PayWay.ACCOUNT, TWO))
    assert isinstance(paid, AwardPaid)
    assert play.chips(1) == chips + held.amount
    assert not play.meter.pending
    assert play.refuses(PayAward(1, PayWay.ACCOUNT, TWO)) == "no_such_award"
    assert adds_up(play)
    assert equal_floors(replay_events(play.log), play.floor)


def test_a_refused_award_leaves_the_meter_as_if_never_won() -> None:
    play = locked()
    win_everything(play)
    (refused,) = play.does(RefuseAward(1, "marked card", TWO))
    assert isinstance(refused, AwardRefused)
    assert refused.reseed_back == SEED
    meter = play.meter
    assert (meter.pool, meter.awarded, meter.seeded) == (SEED + 250_000, 0, SEED)
    assert not micros(play, held_account("T1", 1))
    assert adds_up(play)
    play.does(Proceed())


def test_a_refused_award_returns_the_whole_seed_though_a_contribution_was_taken_back() -> None:
    """The meter is below its seed by then, until the award is back in it."""
    play = opened("new-york", seats=(1, 2))
    play.does(SetFelt(FeltSettings(False, 100_000), TWO))
    play.bets({seat: stakes(progressive=100) for seat in (1, 2)})
    play.deals({1: "8h8c", 2: "AsKs"}, **ROYAL)
    play.does(Raise(1, 3), Raise(2, 3))
    while not play.table.felt.held:
        play.does(Proceed())
    play.does(irregularity_report("player_card_count", 1))
    assert play.meter.pool == SEED - 250_000
    (refused,) = play.does(RefuseAward(1, "marked card", TWO))
    assert isinstance(refused, AwardRefused)
    assert refused.reseed_back == SEED
    assert (play.meter.pool, play.meter.seeded) == (SEED + 250_000, SEED)
    assert adds_up(play)


def test_refused_after_another_table_won_the_reseed_stays() -> None:
    play = locked()
    win_everything(play)
    play.id = "T2"
    play.does(opening("galaxy", meter="T1 meter"), Sit(2, "P2"), BuyIn(2, 100_000))
    play.does(SetFelt(FeltSettings(False, 100_000), TWO))
    win_everything(play, 2)
    assert [table for table, _ in play.meter.pending] == ["T1", "T2"]
    play.id = "T1"
    play.does(RefuseAward(1, "marked card", TWO))
    meter = play.meter
    assert meter.pool == 2 * SEED + 250_000, "the first award and the newest seed"
    assert adds_up(play)
    play.id = "T2"
    (refused,) = play.does(RefuseAward(1, "marked card", TWO))
    assert isinstance(refused, AwardRefused)
    assert refused.reseed_back == SEED, "no award has left the meter since"
    assert play.meter.pool == 2 * SEED + 500_000
    assert adds_up(play)


@pytest.mark.parametrize("lock", [0, 1_000_025])
def test_awards_up_to_the_lock_are_paid_with_the_hand(lock: int) -> None:
    play = locked(lock)
    chips = play.chips(1)
    assert win_everything(play) is None
    assert play.chips(1) == chips + sum(line.net for line in play.lines(1).values())


def test_a_winner_with_an_account_who_left_is_paid_to_the_wallet() -> None:
    play = locked()
    held = win_everything(play)
    assert held is not None
    play.does(VerifyAward(1, TWO), Proceed(), Leave(1), PayAward(1, PayWay.ACCOUNT, TWO))
    assert not micros(play, player_account("T1/P1"))
    assert adds_up(play)


def test_a_guests_award_from_the_tray_is_a_credit_of_the_shift() -> None:
    play = opened("galaxy", seats=())
    play.does(SitGuest(1, "Tom"), SetFelt(FeltSettings(False, 100_000), TWO))
    play.does(OpenShift(5_000_000, TWO))
    held = win_everything(play)
    assert held is not None
    rest = sum(line.net - line.award for line in play.lines(1).values())
    assert micros(play, tray_account("T1")) == (5_000_000 - rest) * MICROS_PER_CENT
    play.does(VerifyAward(1, TWO), Proceed())
    assert play.refuses(PayAward(1, PayWay.ACCOUNT, TWO)) == "award_state"
    play.does(PayAward(1, PayWay.TRAY, TWO))
    assert micros(play, guests_account("T1")) == (rest + held.amount) * MICROS_PER_CENT
    (closed,) = play.does(CloseShift(5_000_000 - rest - held.amount, TWO))
    assert isinstance(closed, ShiftClosed)
    assert (closed.variance, closed.credits) == (0, held.amount)
    assert closed.drop + closed.amount + closed.credits - closed.opening == -rest
    assert micros(play, vault_account("T1")) == (held.amount - 5_000_000) * MICROS_PER_CENT


def test_a_large_award_needs_a_word_about_the_tax_slip() -> None:
    play = locked(notice=120_000)
    win_everything(play)
    play.does(VerifyAward(1, TWO))
    assert play.refuses(PayAward(1, PayWay.ACCOUNT, TWO)) == "award_state"
    play.does(PayAward(1, PayWay.ACCOUNT, TWO, "W-2G 4711"))


def test_two_people_decide_and_a_refusal_has_a_reason() -> None:
    play = locked()
    win_everything(play)
    assert play.refuses(VerifyAward(1, ("Dee", "dee"))) == "needs_two_people"
    assert play.refuses(RefuseAward(1, " ", TWO)) == "needs_reason"
    assert play.refuses(VerifyAward(2, TWO)) == "no_such_award"
    assert play.refuses(SetFelt(FeltSettings(False, -1), TWO)) == "round_open"


def test_a_table_and_a_pool_wait_for_awards_that_are_held() -> None:
    play = locked()
    win_everything(play)
    play.does(VerifyAward(1, TWO), Proceed(), Leave(1))
    assert play.refuses(SetFelt(FeltSettings(False, -1), TWO)) == "bad_amount"
    plan, transfer = POOL_LEAVES
    play.does(plan)
    assert isinstance(transfer, TransferPool)
    assert play.refuses(transfer) == "award_state"
    assert play.refuses(CloseTable("moved", "Sue")) == "award_state"
    play.does(PayAward(1, PayWay.ACCOUNT, TWO), transfer, CloseTable("moved", "Sue"))


def test_a_held_award_of_a_bonus_jackpot_is_the_houses_money() -> None:
    play = opened("washington", seats=(1,), jackpot_regime="bonus", meter_contribution="0")
    play.does(SetFelt(FeltSettings(False, 100_000), TWO))
    before = play.meter.pool
    held = win_everything(play)
    assert held is not None
    play.does(RefuseAward(1, "marked card", TWO))
    assert play.meter.pool == before
    assert not micros(play, Account(AccountKind.BONUS, play.meter.rules.name))


def test_a_hand_of_a_real_deck_holds_its_award_too() -> None:
    """The dealer turns the cards over place by place; the guest's whole pool is held."""
    play = real_table(seats=())
    play.does(SitGuest(1, "Tom"), SetFelt(FeltSettings(False, 100_000), TWO))
    play.bets({1: stakes(progressive=100)})
    play.does(DealFaceDown(), Raise(1, 3))
    for place, text in (("board", "QsJsTs"), ("board", "4d2c"), ("dealer", "9h9c")):
        play.does(TurnOver(place, parse_cards(text)))
    play.does(TurnOver("seat 1", parse_cards("AsKs")))
    play.reaches(Phase.SETTLED)
    (held,) = play.table.felt.held.values()
    assert held.amount == SEED // MICROS_PER_CENT + 25
    assert held.cards[:2] == parse_cards("AsKs")
    assert play.refuses(Proceed()) == "award_state"
    (refused,) = play.does(RefuseAward(1, "marked card", TWO))
    assert isinstance(refused, AwardRefused)
    assert refused.reseed_back == SEED
    assert adds_up(play)
    play.does(Proceed())


def test_a_bonus_does_not_end_while_one_of_its_awards_is_held() -> None:
    """A refused award must go back to a jackpot that is still posted."""
    play = opened("washington", seats=(1,), jackpot_regime="bonus", meter_contribution="0")
    play.does(SetFelt(FeltSettings(False, 1), TWO))
    assert win_everything(play) is not None
    play.does(VerifyAward(1, TWO), Proceed())
    assert play.refuses(EndBonus("season over", "Sue")) == "award_state"
    play.does(RefuseAward(1, "marked card", TWO), EndBonus("season over", "Sue"))
    assert play.meter.is_ended
    assert play.floor.ledger.total() == 0
