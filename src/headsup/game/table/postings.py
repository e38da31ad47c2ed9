"""Which money moves when something happens: events to ledger transfers, in one place.

Transfers are in micros. Stakes lie in an account of their own on the felt until they settle.
"""

from collections.abc import Mapping

from headsup.game.bank.ledger import (
    Account,
    Reason,
    Transfer,
    Transfers,
    bank_account,
    breakage_account,
    cage_account,
    coupon_account,
    prize_account,
    wager_account,
)
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line
from headsup.game.table.events import PayoutCorrected
from headsup.game.table.state import Table
from headsup.game.table.tabulator import is_taken_up
from headsup.game.values.money import MICROS_PER_CENT, Micros


def posting_reference(table: Table) -> str:
    return f"{table.id}#{table.rounds}"


def stake_transfers(
    table: Table, seat: int, stakes: Mapping[Wager, int], coupons: tuple[Wager, ...] = ()
) -> Transfers:
    """Out of the player's chips; a coupon stands for money of the house (R12)."""
    id, chips, ref = table.id, table.chips_account(seat), posting_reference(table)
    transfers = []
    for wager, cents in stakes.items():
        source, reason = chips, Reason.STAKE
        if wager in coupons:
            source, reason = coupon_account(id), Reason.COUPON_STAKED
        amount = cents * MICROS_PER_CENT
        transfers.append(Transfer(source, wager_account(id, seat, wager), amount, reason, ref))
    return tuple(transfers)


def return_transfers(table: Table, seat: int, held: Seat) -> Transfers:
    back = {Reason.STAKE: Reason.STAKE_RETURNED, Reason.COUPON_STAKED: Reason.COUPON_TAKEN}
    placed = stake_transfers(table, seat, held.stakes, held.coupons)
    return tuple(
        Transfer(on_felt, source, amount, back[reason], ref)
        for source, on_felt, amount, reason, ref in placed
    )


def taken_up_transfers(table: Table, round: Round) -> Transfers:
    """At the button a "for 1" stake is recorded, and goes into the tray (App. E note 3)."""
    id, ref = table.id, posting_reference(table)
    return tuple(
        Transfer(
            wager_account(id, seat, wager),
            bank_account(id),
            cents * MICROS_PER_CENT,
            Reason.TAKEN_UP,
            ref,
        )
        for seat, held in round.seats.items()
        for wager, cents in held.stakes.items()
        if is_taken_up(table.rules, wager)
    )


def buy_in_transfer(table: Table, seat: int, cents: int) -> Transfer:
    chips = table.chips_account(seat)
    return Transfer(
        cage_account(), chips, cents * MICROS_PER_CENT, Reason.BUY_IN, posting_reference(table)
    )


def cash_out_transfer(table: Table, seat: int, cents: int) -> Transfer:
    chips = table.chips_account(seat)
    return Transfer(
        chips, cage_account(), cents * MICROS_PER_CENT, Reason.CASH_OUT, posting_reference(table)
    )


def correction_transfers(table: Table, event: PayoutCorrected) -> Transfers:
    """To or from the player's chips; who has left the table is paid at the cage."""
    chips, tray = table.chips_of(event.player), bank_account(table.id)
    debit, credit = (tray, chips) if event.amount > 0 else (chips, tray)
    amount = abs(event.amount) * MICROS_PER_CENT
    ref = f"{posting_reference(table)} {event.round} {event.reason}"
    correction = Transfer(debit, credit, amount, Reason.PAYOUT_CORRECTION, ref)
    if event.player in table.players.values():
        return (correction,)
    return (correction, Transfer(chips, cage_account(), amount, Reason.CASH_OUT, ref))


def hand_transfers(table: Table, round: Round, number: int) -> Transfers:
    """One seat's stakes off the felt, its winnings out of the tray, and what it won of the pool
    out of the account where that waits for it."""
    if round.settlement is None:
        return ()
    id, ref = table.id, posting_reference(table)
    tray, broken, chips = bank_account(id), breakage_account(id), table.chips_account(number)
    transfers: list[Transfer] = []
    for line in round.settlement.seat(number).lines:
        up = is_taken_up(table.rules, line.wager)
        stake_in = tray if up else wager_account(id, number, line.wager)
        if line.coupon:
            _settle_coupon(transfers, line, chips, stake_in, table)
        else:
            _settle_line(transfers, line, chips, stake_in, tray, ref)
        if line.breakage:
            transfers.append(_breakage(line.breakage, tray, broken, ref))
        if line.award:
            won = line.award * MICROS_PER_CENT
            transfers.append(Transfer(prize_account(id, number), chips, won, Reason.PRIZE, ref))
    return tuple(transfers)


def _settle_line(
    transfers: list[Transfer],
    line: Line,
    chips: Account,
    stake_in: Account,
    tray: Account,
    ref: str,
) -> None:
    stake = line.stake * MICROS_PER_CENT
    # What the house pays beside the pool; on a "for 1" basis the stake stays with the house.
    winnings = (line.net - line.award) * MICROS_PER_CENT
    if line.result is Result.LOSE or line.kept:
        if stake_in != tray:
            transfers.append(Transfer(stake_in, tray, stake, Reason.STAKE_LOST, ref))
        winnings += stake
    else:
        transfers.append(Transfer(stake_in, chips, stake, Reason.STAKE_RETURNED, ref))
    if winnings > 0:
        transfers.append(Transfer(tray, chips, winnings, Reason.WINNINGS, ref))


def _settle_coupon(
    transfers: list[Transfer], line: Line, chips: Account, on_felt: Account, table: Table
) -> None:
    """The coupon is taken or handed back, either way without money; what it won is paid."""
    ref, stake = posting_reference(table), line.stake * MICROS_PER_CENT
    transfers.append(Transfer(on_felt, coupon_account(table.id), stake, Reason.COUPON_TAKEN, ref))
    if line.net > 0:
        won = line.net * MICROS_PER_CENT
        transfers.append(Transfer(bank_account(table.id), chips, won, Reason.WINNINGS, ref))


def _breakage(amount: Micros, tray: Account, broken: Account, ref: str) -> Transfer:
    """Kept by rounding down, or given by rounding up; half a cent counts too (R18)."""
    debit, credit = (tray, broken) if amount > 0 else (broken, tray)
    return Transfer(debit, credit, abs(amount), Reason.BREAKAGE, ref)
