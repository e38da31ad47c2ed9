"""Turns the events of a round into ledger transfers.

Amounts are in micros. Until it settles, each stake is in its own account on the felt.
"""

from collections.abc import Collection, Mapping

from headsup.game.bank.ledger import (
    Account,
    Reason,
    Transfer,
    Transfers,
    breakage_account,
    prize_account,
    spent_coupon_account,
    vault_account,
    wager_account,
)
from headsup.game.round.decision import Decision, HasRaised
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line
from headsup.game.table.coupons import is_spent
from headsup.game.table.state import Table
from headsup.game.table.tabulator import is_taken_up
from headsup.game.values.money import MICROS_PER_CENT, Micros


def posting_reference(table: Table) -> str:
    return f"{table.id}#{table.rounds}"


def stake_transfers(
    table: Table, seat: int, stakes: Mapping[Wager, int], coupons: Collection[Wager] = ()
) -> Transfers:
    """Stakes come out of the player's chips, or out of the player's coupons (R12)."""
    id, chips, ref = table.id, table.purse(seat), posting_reference(table)
    transfers = []
    for wager, cents in stakes.items():
        source, reason = chips, Reason.STAKE
        if wager in coupons:
            source, reason = table.coupon_account(seat), Reason.COUPON_STAKED
        amount = cents * MICROS_PER_CENT
        transfers.append(Transfer(source, wager_account(id, seat, wager), amount, reason, ref))
    return tuple(transfers)


def raise_correction(
    table: Table, round: Round, seat: int, was: Decision, now: Decision
) -> Transfers:
    """The Raise that was told wrongly goes back, and the right one comes onto the felt."""
    transfers: Transfers = ()
    ante = round.seats[seat].stakes[Wager.ANTE]
    if isinstance(was, HasRaised):
        raised = Seat({Wager.RAISE: ante * was.multiple})
        transfers = return_transfers(table, seat, raised)
    if isinstance(now, HasRaised):
        stake = {Wager.RAISE: ante * now.multiple}
        transfers = (*transfers, *stake_transfers(table, seat, stake))
    return transfers


def stakes_correction(
    table: Table, seat: int, was: Mapping[Wager, int], now: Mapping[Wager, int]
) -> Transfers:
    """Stakes that were told wrongly go back, and the right ones come onto the felt. The others do
    not move: a Progressive stake may be in the tray already."""
    wrong = {wager: cents for wager, cents in was.items() if now.get(wager) != cents}
    right = {wager: cents for wager, cents in now.items() if was.get(wager) != cents}
    return (*return_transfers(table, seat, Seat(wrong)), *stake_transfers(table, seat, right))


def return_transfers(table: Table, seat: int, withdrawn: Seat) -> Transfers:
    reasons = {Reason.STAKE: Reason.STAKE_RETURNED, Reason.COUPON_STAKED: Reason.COUPON_RETURNED}
    placed = stake_transfers(table, seat, withdrawn.stakes, withdrawn.coupons)
    return tuple(
        Transfer(on_felt, source, amount, reasons[reason], ref)
        for source, on_felt, amount, reason, ref in placed
    )


def taken_up_transfers(table: Table, round: Round) -> Transfers:
    """At the button, a "for 1" stake is recorded and goes into the tray (App. E note 3)."""
    id, ref = table.id, posting_reference(table)
    return tuple(
        Transfer(
            wager_account(id, number, wager),
            table.tray(number),
            cents * MICROS_PER_CENT,
            Reason.TAKEN_UP,
            ref,
        )
        for number, seat in round.seats.items()
        for wager, cents in seat.stakes.items()
        if is_taken_up(table.rules, wager)
    )


def hand_transfers(table: Table, round: Round, number: int) -> Transfers:
    """Settles one seat: stakes off the felt, winnings out of the tray, its share of the pool out
    of the prize account."""
    if round.settlement is None:
        return ()
    id, ref = table.id, posting_reference(table)
    tray, chips, is_guest = table.tray(number), table.purse(number), table.is_guest(number)
    transfers: list[Transfer] = []
    lock, lines = table.felt.settings.lock_above, round.settlement.seat(number).lines
    is_locked = 0 < lock < sum(line.award for line in lines)  # held until it is verified
    for line in lines:
        taken_up = is_taken_up(table.rules, line.wager)
        stake_account = tray if taken_up else wager_account(id, number, line.wager)
        if line.coupon:
            _settle_coupon(transfers, line, number, stake_account, table)
        else:
            _settle_line(transfers, line, chips, stake_account, tray, ref)
        if line.breakage and not is_guest:  # of real chips it stays in the tray
            transfers.append(_breakage(line.breakage, tray, breakage_account(id), ref))
        if line.award and not is_locked:
            award = line.award * MICROS_PER_CENT
            transfers.append(Transfer(prize_account(id, number), chips, award, Reason.PRIZE, ref))
            if is_guest:  # paid with chips of the tray, which the cage owes it from then on
                transfers.append(Transfer(tray, vault_account(id), award, Reason.CREDIT, ref))
    return tuple(transfers)


def _settle_line(
    transfers: list[Transfer],
    line: Line,
    chips: Account,
    stake_account: Account,
    tray: Account,
    ref: str,
) -> None:
    stake = line.stake * MICROS_PER_CENT
    # What the house pays in addition to the pool; a "for 1" stake stays with the house.
    winnings = (line.net - line.award) * MICROS_PER_CENT
    if line.result is Result.LOSE or line.kept:
        if stake_account != tray:
            transfers.append(Transfer(stake_account, tray, stake, Reason.STAKE_LOST, ref))
        winnings += stake
    else:
        transfers.append(Transfer(stake_account, chips, stake, Reason.STAKE_RETURNED, ref))
    if winnings > 0:
        transfers.append(Transfer(tray, chips, winnings, Reason.WINNINGS, ref))


def _settle_coupon(
    transfers: list[Transfer], line: Line, seat: int, on_felt: Account, table: Table
) -> None:
    """Pays what the coupon won. The coupon itself is spent, or goes back if the wager is void."""
    ref, stake = posting_reference(table), line.stake * MICROS_PER_CENT
    target, reason = table.coupon_account(seat), Reason.COUPON_RETURNED
    if is_spent(line):
        target, reason = spent_coupon_account(table.id), Reason.COUPON_SPENT
    transfers.append(Transfer(on_felt, target, stake, reason, ref))
    if line.net > 0:
        chips, winnings = table.purse(seat), line.net * MICROS_PER_CENT
        transfers.append(Transfer(table.tray(seat), chips, winnings, Reason.WINNINGS, ref))


def _breakage(amount: Micros, tray: Account, breakage: Account, ref: str) -> Transfer:
    """Gained by rounding down or lost by rounding up, to fractions of a cent (R18)."""
    debit, credit = (tray, breakage) if amount > 0 else (breakage, tray)
    return Transfer(debit, credit, abs(amount), Reason.BREAKAGE, ref)
