"""A3: money is only moved. A rejected batch leaves the ledger unchanged."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.bank.balances import Balances
from headsup.game.bank.ledger import (
    CHIP_ACCOUNTS,
    NEVER_NEGATIVE,
    ROUTES,
    Account,
    AccountKind,
    Breach,
    InvalidTransfer,
    Ledger,
    Reason,
    Transfer,
    bank_account,
    breakage_account,
    cage_account,
    player_account,
    post,
    prize_account,
    wager_account,
)
from headsup.game.values.money import MICROS_PER_CENT

DOLLAR = 100 * MICROS_PER_CENT
ANN, BOB = player_account("Ann"), player_account("Bob")
BANK = bank_account("T1")
ANTE = wager_account("T1", 3, "ante")
PRIZE = prize_account("T1", 1)
METER, OTHER_METER = Account(AccountKind.METER, "M1"), Account(AccountKind.METER, "M2")
ACCRUAL = Account(AccountKind.ACCRUAL, "M1")
RESERVE = Account(AccountKind.RESERVE, "M1")


def buy_in(amount: int) -> Transfer:
    return Transfer(cage_account(), ANN, amount, Reason.BUY_IN, "visit 1")


def stake(amount: int) -> Transfer:
    return Transfer(ANN, ANTE, amount, Reason.STAKE, "round 1")


def test_a_losing_round_moves_the_stake_to_the_tray() -> None:
    ledger = post(Ledger(), [buy_in(100 * DOLLAR), stake(10 * DOLLAR)])
    assert (ledger.balance(ANN), ledger.balance(ANTE)) == (90 * DOLLAR, 10 * DOLLAR)
    ledger = post(ledger, [Transfer(ANTE, BANK, 10 * DOLLAR, Reason.STAKE_LOST, "round 1")])
    assert dict(ledger) == {cage_account(): -100 * DOLLAR, ANN: 90 * DOLLAR, BANK: 10 * DOLLAR}
    assert ledger.total() == 0


def test_r18_breakage_of_a_flush_on_five_dollars_has_its_own_account() -> None:
    ledger = post(
        Ledger(),
        [
            Transfer(BANK, ANN, 7 * DOLLAR, Reason.WINNINGS, "round 1"),
            Transfer(BANK, breakage_account("T1"), DOLLAR // 2, Reason.BREAKAGE, "round 1"),
        ],
    )
    assert ledger.balance(BANK) == -7_500_000
    assert ledger.balance(breakage_account("T1")) == 500_000


def test_the_tray_and_the_cage_may_go_below_zero() -> None:
    ledger = post(Ledger(), [Transfer(BANK, ANN, DOLLAR, Reason.WINNINGS, "round 1")])
    assert ledger.balance(BANK) == -DOLLAR


def test_a_meter_holds_fractions_of_a_cent() -> None:
    ledger = post(Ledger(), [Transfer(ACCRUAL, METER, 155_001, Reason.CONTRIBUTION, "round 1")])
    assert ledger.balance(METER) == 155_001


def test_accounts_at_zero_are_not_kept_so_equal_balances_are_equal_ledgers() -> None:
    there = post(Ledger(), [buy_in(DOLLAR)])
    back = post(there, [Transfer(ANN, cage_account(), DOLLAR, Reason.CASH_OUT, "visit 1")])
    assert back == Ledger()


def test_a_posted_ledger_cannot_be_changed_in_place() -> None:
    ledger = post(Ledger(), [buy_in(DOLLAR)])
    post(ledger, [stake(DOLLAR)])
    assert ledger.balance(ANN) == DOLLAR


@pytest.mark.parametrize(
    ("transfer", "breach"),
    [
        # In the order in which they are looked for: a row breaks its own rule and later ones.
        pytest.param(Transfer(ANN, ANN, -1, Reason.WINNINGS, ""), "not_positive", id="negative"),
        pytest.param(buy_in(0), "not_positive", id="nothing"),
        pytest.param(Transfer(ANN, ANN, 1, Reason.WINNINGS, ""), "no_route", id="player to itself"),
        pytest.param(
            Transfer(ANN, BOB, DOLLAR, Reason.STAKE, ""), "no_route", id="player to player"
        ),
        pytest.param(
            Transfer(METER, BANK, DOLLAR, Reason.WINNINGS, ""),
            "no_route",
            id="A5: meter to tray",
        ),
        pytest.param(
            Transfer(METER, METER, 1, Reason.METER_TRANSFER, ""), "same_account", id="to itself"
        ),
        pytest.param(
            Transfer(METER, PRIZE, 1, Reason.AWARD, ""), "fraction_of_a_cent", id="award in micros"
        ),
        pytest.param(buy_in(MICROS_PER_CENT + 1), "fraction_of_a_cent", id="buy-in in micros"),
        pytest.param(stake(DOLLAR + MICROS_PER_CENT), "overdraft", id="stake above the balance"),
        pytest.param(
            Transfer(ANTE, ANN, DOLLAR, Reason.STAKE_RETURNED, ""), "overdraft", id="empty felt"
        ),
        pytest.param(
            Transfer(METER, PRIZE, DOLLAR, Reason.AWARD, ""), "overdraft", id="empty meter"
        ),
        pytest.param(
            Transfer(METER, OTHER_METER, 1, Reason.METER_TRANSFER, ""), "overdraft", id="meters"
        ),
        pytest.param(
            Transfer(RESERVE, METER, 1, Reason.RESERVE_RELEASED, ""), "overdraft", id="reserve"
        ),
    ],
)
def test_an_unlawful_transfer_raises_without_effect(transfer: Transfer, breach: str) -> None:
    before = post(Ledger(), [buy_in(DOLLAR)])
    with pytest.raises(InvalidTransfer) as refused:
        post(before, [buy_in(MICROS_PER_CENT), stake(MICROS_PER_CENT), transfer])
    assert refused.value.breach == breach
    assert (refused.value.index, refused.value.transfer) == (2, transfer)
    assert before == post(Ledger(), [buy_in(DOLLAR)])


def test_a_stake_is_settled_once() -> None:
    lost = Transfer(ANTE, BANK, DOLLAR, Reason.STAKE_LOST, "round 1")
    with pytest.raises(InvalidTransfer, match="wager T1/3/ante holds 0"):
        post(Ledger(), [buy_in(DOLLAR), stake(DOLLAR), lost, lost])


def test_a_credit_cannot_cover_a_stake_before_it_is_posted() -> None:
    with pytest.raises(InvalidTransfer) as refused:
        post(Ledger(), [stake(DOLLAR), buy_in(DOLLAR)])
    assert refused.value.index == 0


def test_damage_shows_in_the_sum_of_all_accounts() -> None:
    assert Ledger(Balances.of({ANN: DOLLAR})).total() == DOLLAR


@pytest.mark.parametrize("amount", [1e6, True, "5"])
def test_amounts_must_be_whole_numbers(amount: Any) -> None:
    with pytest.raises(InvalidTransfer) as unlawful:
        post(Ledger(), [buy_in(amount)])
    assert unlawful.value.breach is Breach.NOT_WHOLE


@pytest.mark.clause("WA App. D note 6 code")
def test_a5_a_pool_falls_only_for_the_listed_reasons() -> None:
    pools = {AccountKind.METER, AccountKind.ESCROW}
    falls = {reason for reason, debit, _ in ROUTES if debit in pools}
    assert falls == {
        Reason.AWARD,
        Reason.CONTRIBUTION_REVERSED,
        Reason.OVERFLOW,
        Reason.METER_TRANSFER,
        Reason.METER_CORRECTION,
        Reason.RESEED_RETURNED,
    }


def test_r75_a_fixed_prize_is_the_houses_and_never_the_meters() -> None:
    payers = {debit for reason, debit, _ in ROUTES if reason is Reason.WINNINGS}
    assert payers == {AccountKind.BANK, AccountKind.TRAY}


def test_every_reason_has_a_route_and_every_account_kind_is_used() -> None:
    assert {reason for reason, _, _ in ROUTES} == set(Reason)
    assert {kind for _, *kinds in ROUTES for kind in kinds} == set(AccountKind)


accounts = st.builds(Account, st.sampled_from(AccountKind), st.sampled_from(["x", "y"]))
amounts = st.one_of(
    st.integers(-1, 30_000), st.integers(0, 300).map(lambda cents: cents * MICROS_PER_CENT)
)
any_transfers = st.builds(
    Transfer, accounts, accounts, amounts, st.sampled_from(Reason), st.just("")
)
routed_transfers = st.builds(
    lambda route, debit, credit, amount: Transfer(
        Account(route[1], debit), Account(route[2], credit), amount, route[0], ""
    ),
    st.sampled_from(sorted(ROUTES)),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["x", "y"]),
    amounts,
)
batches = st.lists(st.lists(st.one_of(routed_transfers, any_transfers), max_size=4), max_size=40)


@given(batches)
def test_accounts_sum_to_zero_and_no_player_owes_after_any_transfers(
    batches: list[list[Transfer]],
) -> None:
    """The model has no ledger: it adds up the accepted transfers."""
    ledger, twin = Ledger(), Counter[Account]()
    for batch in batches:
        try:
            after = post(ledger, batch)
        except InvalidTransfer:
            continue
        ledger = after
        for transfer in batch:
            twin[transfer.debit] -= transfer.amount
            twin[transfer.credit] += transfer.amount
        assert ledger.total() == 0
        assert dict(ledger) == {account: balance for account, balance in twin.items() if balance}
        for account, balance in ledger:
            assert balance > 0 or account.kind not in NEVER_NEGATIVE
            assert balance % MICROS_PER_CENT == 0 or account.kind not in CHIP_ACCOUNTS
