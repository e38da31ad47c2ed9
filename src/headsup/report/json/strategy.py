"""A strategy's exact worth for programs."""

from typing import Any

from headsup.analysis.par.exact_numbers import decimal_text, exact_json, root_text
from headsup.analysis.strategies.evaluation import Evaluation
from headsup.game.rulebook.table_rules import TableRules
from headsup.report.files.strategy_card import card_toml
from headsup.report.json.main_game import rules_json


def evaluation_json(rules: TableRules, found: Evaluation) -> dict[str, Any]:
    solution = found.solution
    return {
        **rules_json(rules),
        "strategy": found.written.name,
        "lines": found.written.size,
        "house_edge": exact_json(found.house_edge),
        "cost": exact_json(found.cost),
        "best": exact_json(found.best_edge),
        "streets": {street: exact_json(cost) for street, cost in found.streets.items()},
        "standard_deviation": root_text(solution.variance),
        "frequencies": {key: decimal_text(value) for key, value in solution.frequencies.items()},
        "departures": [
            {
                "street": one.street,
                "what": one.what,
                "taken": one.taken,
                "better": one.better,
                "cost": exact_json(one.cost),
            }
            for one in found.departures
        ],
        "toml": card_toml(found.written),
    }
