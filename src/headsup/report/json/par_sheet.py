"""Par sheets as JSON; every number is given exactly and as a decimal."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.lessons import Lessons
from headsup.analysis.exact_numbers import decimal_text, exact_json, root_text
from headsup.analysis.joint.combined_bets import BAND_DEVIATIONS, BAND_ROUNDS, CombinedBets
from headsup.analysis.par.main_rows import odds_rows, return_table, wager_edges
from headsup.analysis.par.par_sheet import Forfeit, ParSheet, PoolReturn, SideOutcome, SideSheet
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import format_cents
from headsup.report.json.main_game import main_json
from headsup.version import __version__


def par_json(
    sheet: ParSheet, bets: Mapping[Wager, int], date: str = "", lessons: Lessons | None = None
) -> dict[str, Any]:
    answer: dict[str, Any] = {"main": main_json(sheet.rules, sheet.solution, lessons)}
    for side in sheet.sides:
        answer[side.wager.value] = side_json(side)
    if sheet.other_basis is not None:
        answer["progressive"]["other_basis"] = side_json(sheet.other_basis)
    answer["hold"] = hold_json(sheet, bets)
    answer["tables"] = _main_tables(sheet)
    answer["about"] = _about(sheet.rules, date)
    return answer


def _about(rules: TableRules, date: str) -> dict[str, Any]:
    """The program, the date, the rules and their document."""
    book = rules.book
    return {
        "program": f"headsup {__version__}",
        "date": date or None,
        "rules": {"id": book.id, "version": book.version, "fingerprint": rules.fingerprint},
        "document": {
            "number": book.document,
            "title": book.title,
            "effective_from": book.effective_from or None,
            "sha256": book.sha256,
        },
        "paytables": {
            key: {
                "id": table.id,
                "basis": table.basis.value,
                "clause": table.clause,
                "pays": {row.outcome: pay_text(row.pay) for row in table.rows},
            }
            for key, table in rules.paytables.items()
        },
    }


def _main_tables(sheet: ParSheet) -> dict[str, Any]:
    """The return table, the edge by wager, and the outcomes of the Odds."""
    rules, solution = sheet.rules, sheet.solution
    return {
        "return_to_player": exact_json(1 - solution.element_of_risk),
        "edge_by_wager": {
            wager.value: exact_json(edge) for wager, edge in wager_edges(rules, solution).items()
        },
        "returns": [
            {
                "net": str(row.net),
                "deals": row.deals,
                "probability": exact_json(row.probability),
                "contribution": exact_json(row.contribution),
            }
            for row in return_table(solution)
        ],
        "odds": [
            {
                "label": row.label,
                "pays": row.pays,
                "deals": row.deals,
                "probability": exact_json(row.probability),
                "contribution": exact_json(row.contribution),
            }
            for row in odds_rows(rules, solution)
        ],
    }


def side_json(side: SideSheet) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "paytable": side.paytable,
        "basis": side.basis.value,
        "house_edge": exact_json(side.house_edge),
        "return_to_player": exact_json(1 - side.house_edge),
        "favours_player": side.house_edge < 0,
        "hit_frequency": exact_json(side.hit_frequency),
        "standard_deviation": root_text(side.variance),
        "variance": exact_json(side.variance),
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
        "probability": exact_json(row.probability),
        "pays": pay_text(row.pay),
        "net": exact_json(row.net),
    }


def pay_text(pay: Pay) -> str:
    """`3`, `3/2`, `10%`, `push` or `loss`."""
    if pay.kind is PayKind.PAYS:
        return str(pay.amount)
    return pay.short


def pool_json(pool: PoolReturn) -> dict[str, Any]:
    even = pool.break_even_meter
    return {
        "meter": decimal_text(pool.meter, 2),
        "fixed_return": exact_json(pool.fixed_return),
        "meter_coefficient": exact_json(pool.meter_coefficient),
        "break_even_meter": None
        if even is None
        else {**exact_json(even), "decimal": decimal_text(even, 2)},
    }


def _after_fold(side: SideSheet) -> dict[str, Any]:
    if not side.forfeited:
        return {"rule": "stays"}
    if side.forfeit is None:  # counted as if no hand were ever folded
        return {"rule": "forfeits", "solved_together": False}
    return {"rule": "forfeits", "solved_together": True, **_forfeit(side.forfeit)}


def _forfeit(forfeit: Forfeit) -> dict[str, Any]:
    return {
        "stake_per_ante": exact_json(forfeit.stake),
        "main_house_edge": exact_json(forfeit.main_edge),
        "combined_house_edge": exact_json(forfeit.combined_edge),
        "fold_frequency": exact_json(forfeit.fold_frequency),
        "average_wager": exact_json(forfeit.average_wager),
    }


def hold_json(sheet: ParSheet, bets: Mapping[Wager, int]) -> dict[str, Any]:
    """The hold in dollars per round; with a `bound` of `lower` the house wins this much or more."""
    holds = sheet.holds(bets)
    win = sum((hold.win for hold in holds), Fraction())
    wagered = sum((hold.wagered for hold in holds), Fraction())
    at_least = any(hold.is_lower_bound for hold in holds)
    return {
        "wagers": {
            hold.wager.value: {
                "stake": format_cents(hold.stake),
                "wagered": exact_json(hold.wagered / 100),
                "house_wins": exact_json(hold.win / 100),
                "bound": _bound(hold.is_lower_bound),
            }
            for hold in holds
        },
        "wagered": exact_json(wagered / 100),
        "house_wins": exact_json(win / 100),
        "bound": _bound(at_least),
        "of_all_wagered": None if at_least else exact_json(win / wagered),
        "together": _combined_json(sheet.combined),
    }


def _combined_json(joint: CombinedBets | None) -> dict[str, Any] | None:
    """All bets of a round together, in dollars; None if they are not solved together."""
    if joint is None:
        return None
    return {
        "standard_deviation": _dollars(joint.standard_deviation),
        "if_independent": _dollars(joint.independent_deviation),
        "exact": joint.exact,
        "covariances": [
            {
                "wagers": [pair.first.value, pair.second.value],
                "per_unit": exact_json(pair.covariance),
                "exact": pair.exact,
            }
            for pair in joint.pairs
        ],
        "after": [_after_rounds_json(joint, rounds) for rounds in BAND_ROUNDS],
        "bands_exact": False,  # a normal distribution, even with exact mean and deviation
    }


def _after_rounds_json(joint: CombinedBets, rounds: int) -> dict[str, Any]:
    """The band contains 90% of the house's wins if they are normally distributed."""
    low, high = joint.band(rounds, BAND_DEVIATIONS)
    wins = decimal_text(joint.mean * rounds / 100, 2)
    return {"rounds": rounds, "house_wins": wins, "band": [_dollars(low), _dollars(high)]}


def _dollars(cents: Decimal) -> str:
    return decimal_text(Fraction(cents) / 100, 2)


def _bound(at_least: bool) -> str:
    return "lower" if at_least else "exact"
