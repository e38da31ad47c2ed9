"""Which money moves when something happens: events to ledger transfers, in one place.

Transfers are in micros. Stakes lie in an account of their own on the felt until they settle.
"""

from collections.abc import Iterator, Mapping

from headsup.game.ledger import (
    Account,
    Reason,
    Transfer,
    bank,
    breakage,
    cage,
    felt,
)
from headsup.game.money import MICROS_PER_CENT
from headsup.game.round.state import Round
from headsup.game.settlement import Line
from headsup.game.table.state import Table
from headsup.game.wagers import Result, Wager


def reference(table: Table) -> str:
    return f"{table.id}#{table.rounds}"


def stake_transfers(table: Table, seat: int, stakes: Mapping[Wager, int]) -> Iterator[Transfer]:
    chips, ref = table.chips_account(seat), reference(table)
    for wager, cents in stakes.items():
        on_felt = felt(table.id, seat, wager)
        yield Transfer(chips, on_felt, cents * MICROS_PER_CENT, Reason.STAKE, ref)


def return_transfers(table: Table, seat: int, stakes: Mapping[Wager, int]) -> Iterator[Transfer]:
    chips, ref = table.chips_account(seat), reference(table)
    for wager, cents in stakes.items():
        on_felt = felt(table.id, seat, wager)
        yield Transfer(on_felt, chips, cents * MICROS_PER_CENT, Reason.STAKE_RETURNED, ref)


def buy_in(table: Table, seat: int, cents: int) -> Transfer:
    chips = table.chips_account(seat)
    return Transfer(cage(), chips, cents * MICROS_PER_CENT, Reason.BUY_IN, reference(table))


def cash_out(table: Table, seat: int, cents: int) -> Transfer:
    chips = table.chips_account(seat)
    return Transfer(chips, cage(), cents * MICROS_PER_CENT, Reason.CASH_OUT, reference(table))


def payout_correction(table: Table, seat: int, cents: int, why: str) -> Transfer:
    chips, tray = table.chips_account(seat), bank(table.id)
    debit, credit = (tray, chips) if cents > 0 else (chips, tray)
    amount = abs(cents) * MICROS_PER_CENT
    return Transfer(debit, credit, amount, Reason.PAYOUT_CORRECTION, f"{reference(table)} {why}")


def settlement_transfers(table: Table, round: Round) -> Iterator[Transfer]:
    """Stakes off the felt and winnings out of the tray; awards are the meter's own transfers."""
    if round.settlement is None:
        return
    tray, broken, ref = bank(table.id), breakage(table.id), reference(table)
    for seat in round.settlement.seats:
        chips = table.chips_account(seat.seat)
        for line in seat.lines:
            yield from _line_transfers(
                line, chips, felt(table.id, seat.seat, line.wager), tray, broken, ref
            )


def _line_transfers(
    line: Line, chips: Account, on_felt: Account, tray: Account, broken: Account, ref: str
) -> Iterator[Transfer]:
    stake = line.stake * MICROS_PER_CENT
    # What the house pays beside the pool; on a `for` basis the stake stays with the house.
    prize = (line.net - line.award) * MICROS_PER_CENT
    if line.result is Result.LOSE or line.kept:
        yield Transfer(on_felt, tray, stake, Reason.STAKE_LOST, ref)
        prize += stake
    else:
        yield Transfer(on_felt, chips, stake, Reason.STAKE_RETURNED, ref)
    if prize > 0:
        yield Transfer(tray, chips, prize, Reason.WINNINGS, ref)
    if line.breakage > 0:
        yield Transfer(tray, broken, line.breakage * MICROS_PER_CENT, Reason.BREAKAGE, ref)
    elif line.breakage < 0:
        yield Transfer(broken, tray, -line.breakage * MICROS_PER_CENT, Reason.BREAKAGE, ref)
