"""Paytable designs as JSON: every table with its exact figures."""

from typing import Any

from headsup.analysis.design.designer import DesignAnswer
from headsup.analysis.design.meters import MeterPlan
from headsup.analysis.design.paytables import DesignedTable
from headsup.analysis.design.rows import printed_pay, row_text
from headsup.analysis.design.search import Goal
from headsup.analysis.exact_numbers import decimal_text, exact_json, root_text
from headsup.report.sheets.main_game import rules_json


def design_json(answer: DesignAnswer) -> dict[str, Any]:
    result, wager = answer.result, answer.result.table
    design: dict[str, Any] = {
        **rules_json(answer.request.rules),
        "design": wager,
        "target": _goal_json(result.goal),
        "rows": {
            row_text(wager, row.name): {
                "label": row.label,
                "now": printed_pay(row.now),
                "may_pay": [printed_pay(pay) for pay in row.pays],
            }
            for row in result.rows
        },
        "present": _table_json(wager, result.present),
        "found": [_table_json(wager, table) for table in result.tables],
        "considered": result.considered,
        "meeting": result.meeting,
        "solved": result.solved,
        "as_if_never_folded": result.as_if_never_folded,
    }
    if answer.meter is not None:
        design["meter"] = _meter_json(answer.meter)
        for name, plan in (("present_meter", answer.before), ("present_pays", answer.same_pays)):
            design[name] = None if plan is None else _meter_json(plan)
        design["other_seeds"] = [_meter_json(plan) for plan in answer.seeds]
    return design


def _goal_json(goal: Goal) -> dict[str, Any]:
    target: dict[str, Any] = {
        "house_edge": exact_json(goal.house_edge),
        "within": exact_json(goal.within),
    }
    if goal.hit_frequency is not None:
        target["hit_frequency"] = exact_json(goal.hit_frequency)
    if goal.deviation is not None:
        target["standard_deviation"] = decimal_text(goal.deviation, 6)
    return target


def _table_json(wager: str, table: DesignedTable) -> dict[str, Any]:
    return {
        "merit": None if table.merit is None else table.merit.value,
        "merits": [merit.value for merit in table.merits],
        "pays": {row_text(wager, name): printed_pay(pay) for name, pay in table.pays.items()},
        "house_edge": exact_json(table.house_edge),
        "hit_frequency": exact_json(table.hit_frequency),
        "standard_deviation": root_text(table.variance),
        "change": f"{table.change:.6f}",
        "meets": table.meets,
    }


def _meter_json(plan: MeterPlan) -> dict[str, Any]:
    hits = plan.wagers_per_full_award
    return {
        "seed": decimal_text(plan.seed, 2),
        "contribution": decimal_text(plan.contribution, 6),
        "house_edge": exact_json(plan.house_edge),
        "fixed_return": exact_json(plan.fixed_return),
        "average_meter": decimal_text(plan.average_meter, 2),
        "break_even_meter": decimal_text(plan.break_even_meter, 2),
        "wagers_per_full_award": None if hits is None else decimal_text(hits, 1),
    }
