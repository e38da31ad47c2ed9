"""One line: a stake, what its row of the paytable pays, and how that is rounded to chips."""

from dataclasses import replace

from headsup.game.rulebook.model import Basis, Pay, PayKind
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement.model import Line
from headsup.game.values.money import MICROS_PER_CENT, Cents


def make_line(
    rules: TableRules,
    wager: Wager,
    stake: Cents,
    pay: Pay,
    outcome: Outcome,
    why: str,
    clause: str,
    basis: Basis = Basis.TO,
) -> Line:
    """The line of a wager on this row; a share of the pool is filled in when all are known."""
    if pay.kind is PayKind.LOSS:
        return Line(wager, stake, Result.LOSE, -stake, outcome, why, clause, pay)
    if pay.kind is PayKind.PUSH:
        return Line(wager, stake, Result.PUSH, 0, outcome, why, clause, pay)
    kept = stake if basis is Basis.FOR else 0
    if pay.kind is PayKind.POOL:
        return Line(wager, stake, Result.WIN, -kept, outcome, why, clause, pay, kept > 0)
    exact, parts = stake * pay.amount.numerator, pay.amount.denominator
    prize = _round_to_chips(exact, parts, rules)
    # To the micro-dollar, the ledger's smallest unit: half a cent of a 3:2 pay is booked too.
    breakage = exact * MICROS_PER_CENT // parts - prize * MICROS_PER_CENT
    result = Result.WIN if exact else (Result.LOSE if kept else Result.PUSH)
    return Line(
        wager, stake, result, prize - kept, outcome, why, clause, pay, kept > 0, breakage=breakage
    )


def mark_coupons(lines: tuple[Line, ...], coupons: tuple[Wager, ...]) -> tuple[Line, ...]:
    """R12: what a coupon wins is paid; the coupon itself is no money, won or lost."""
    if not coupons:
        return lines
    return tuple(
        replace(line, net=line.net + _lost_stake(line), coupon=True)
        if line.wager in coupons
        else line
        for line in lines
    )


def _lost_stake(line: Line) -> Cents:
    return line.stake if line.result is Result.LOSE or line.kept else 0


def _round_to_chips(numerator: int, denominator: int, rules: TableRules) -> Cents:
    """numerator/denominator cents, rounded to whole chips as the table does (R18)."""
    unit = rules.chip_unit * denominator
    if rules.rounding == "up":
        return -(-numerator // unit) * rules.chip_unit
    if rules.rounding == "nearest":
        numerator += unit // 2  # halves go to the player
    return numerator // unit * rules.chip_unit
