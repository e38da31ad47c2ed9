"""Makes the line of one wager: what its row of the paytable pays, rounded to chips."""

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
    """The line of a wager on this pay. A share of the pool is added later, by `pay_pool`."""
    if pay.kind is PayKind.LOSS:
        return Line(wager, stake, Result.LOSE, -stake, outcome, why, clause, pay)
    if pay.kind is PayKind.PUSH:
        return Line(wager, stake, Result.PUSH, 0, outcome, why, clause, pay)
    kept_stake = stake if basis is Basis.FOR else 0
    if pay.kind is PayKind.POOL:
        return Line(
            wager, stake, Result.WIN, -kept_stake, outcome, why, clause, pay, kept_stake > 0
        )
    exact, parts = stake * pay.amount.numerator, pay.amount.denominator
    prize = _round_to_chips(exact, parts, rules)
    # In micro-dollars, because a 3:2 pay may leave half a cent.
    breakage = exact * MICROS_PER_CENT // parts - prize * MICROS_PER_CENT
    result = Result.WIN if exact else (Result.LOSE if kept_stake else Result.PUSH)
    return Line(
        wager,
        stake,
        result,
        prize - kept_stake,
        outcome,
        why,
        clause,
        pay,
        kept_stake > 0,
        breakage=breakage,
    )


def mark_coupons(lines: tuple[Line, ...], coupons: tuple[Wager, ...]) -> tuple[Line, ...]:
    """R12: a coupon's winnings are paid, but the coupon itself is not money and cannot be lost."""
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
    """numerator/denominator cents, rounded to whole chips by the table's rule (R18)."""
    unit = rules.chip_unit * denominator
    if rules.rounding == "up":
        return -(-numerator // unit) * rules.chip_unit
    if rules.rounding == "nearest":
        numerator += unit // 2  # halves go to the player
    return numerator // unit * rules.chip_unit
