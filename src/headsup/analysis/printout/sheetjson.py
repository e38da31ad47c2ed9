"""A par sheet for programs: plain objects, every number exact and as a decimal."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from headsup.analysis.numbers import decimal, exact, root
from headsup.analysis.par import Forfeit, ParSheet, PoolReturn, SideOutcome, SideSheet
from headsup.analysis.printout.mainjson import main_json
from headsup.game.money import format_cents
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.wagers import Wager


def par_json(sheet: ParSheet, bets: Mapping[Wager, int]) -> dict[str, Any]:
    answer: dict[str, Any] = {"main": main_json(sheet.rules, sheet.solution)}
    for side in sheet.sides:
        answer[side.wager.value] = side_json(side)
    if sheet.other_basis is not None:
        answer["progressive"]["other_basis"] = side_json(sheet.other_basis)
    answer["hold"] = hold_json(sheet, bets)
    return answer


def side_json(side: SideSheet) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "paytable": side.paytable,
        "basis": side.basis.value,
        "house_edge": exact(side.house_edge),
        "hit_frequency": exact(side.hit_frequency),
        "standard_deviation": root(side.variance),
        "ways": side.ways,
        "outcomes": {row.outcome: _outcome(row) for row in side.outcomes},
    }
    if side.pool is not None:
        answer |= pool_json(side.pool)
    answer["after_fold"] = _after_fold(side)
    return answer


def _outcome(row: SideOutcome) -> dict[str, Any]:
    return {
        "label": row.label,
        "ways": row.ways,
        "probability": exact(row.probability),
        "pays": pay_text(row.pay),
        "net": exact(row.net),
    }


def pay_text(pay: Pay) -> str:
    """`3`, `3/2`, `10%`, `push` or `loss`."""
    if pay.kind is PayKind.PAYS:
        return str(pay.amount)
    return pay.short


def pool_json(pool: PoolReturn) -> dict[str, Any]:
    even = pool.break_even_meter
    return {
        "meter": decimal(pool.meter, 2),
        "fixed_return": exact(pool.fixed_return),
        "meter_coefficient": exact(pool.meter_coefficient),
        "break_even_meter": None if even is None else {**exact(even), "decimal": decimal(even, 2)},
    }


def _after_fold(side: SideSheet) -> dict[str, Any]:
    if not side.forfeited:
        return {"rule": "stays"}
    if side.forfeit is None:  # the figures are counted as if no hand were ever folded
        return {"rule": "forfeits", "solved_together": False}
    return {"rule": "forfeits", "solved_together": True, **_forfeit(side.forfeit)}


def _forfeit(forfeit: Forfeit) -> dict[str, Any]:
    return {
        "stake_per_ante": exact(forfeit.stake),
        "main_house_edge": exact(forfeit.main_edge),
        "combined_house_edge": exact(forfeit.combined_edge),
        "fold_frequency": exact(forfeit.fold_frequency),
        "average_wager": exact(forfeit.average_wager),
    }


def hold_json(sheet: ParSheet, bets: Mapping[Wager, int]) -> dict[str, Any]:
    """In dollars a round; a `bound` of `lower` says that the house wins this much or more."""
    holds = sheet.holds(bets)
    win = sum((hold.win for hold in holds), Fraction())
    wagered = sum((hold.wagered for hold in holds), Fraction())
    at_least = any(hold.at_least for hold in holds)
    return {
        "wagers": {
            hold.wager.value: {
                "stake": format_cents(hold.stake),
                "wagered": exact(hold.wagered / 100),
                "house_wins": exact(hold.win / 100),
                "bound": _bound(hold.at_least),
            }
            for hold in holds
        },
        "wagered": exact(wagered / 100),
        "house_wins": exact(win / 100),
        "bound": _bound(at_least),
        "of_all_wagered": None if at_least else exact(win / wagered),
    }


def _bound(at_least: bool) -> str:
    return "lower" if at_least else "exact"
