"""A solved main game for programs: plain objects, every number exact and as a decimal."""

from typing import Any

from headsup.analysis.advice.lessons import KindOfHand, Lessons
from headsup.analysis.par.exact_numbers import decimal_text, exact_json, root_text
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.hands import Category

_RESULTS = ("lose", "push", "win")


def main_json(
    rules: TableRules, solution: Solution, learnt: Lessons | None = None
) -> dict[str, Any]:
    """`learnt` are the flop and river rules beside the pocket chart; `--no-cache` has none."""
    return {
        **rules_json(rules),
        "house_edge": exact_json(solution.house_edge),
        "favours_player": solution.house_edge < 0,
        "element_of_risk": exact_json(solution.element_of_risk),
        "average_wager": exact_json(solution.average_wager),
        "standard_deviation": root_text(solution.variance),
        "variance": exact_json(solution.variance),
        "frequencies": {key: decimal_text(value) for key, value in solution.frequencies.items()},
        "exact_frequencies": {
            key: exact_json(value) for key, value in solution.frequencies.items()
        },
        "pocket": {name: _pocket_json(pocket) for name, pocket in solution.pocket.items()},
        **({} if learnt is None else {"lessons": lessons_json(learnt)}),
        "outcomes": [_outcome_json(one) for one in solution.results],
        "deals": solution.deals,
    }


def lessons_json(learnt: Lessons) -> dict[str, Any]:
    card = learnt.card
    return {
        "short_card": {
            "strategy": card.strategy,
            **card.words,
            "house_edge": exact_json(card.house_edge),
            "cost": exact_json(card.cost),
            "streets": {street: exact_json(cost) for street, cost in card.streets.items()},
        },
        "flop": [_kind_json(one) for one in learnt.flop],
        "river": [_kind_json(one) for one in learnt.river],
    }


def _kind_json(one: KindOfHand) -> dict[str, Any]:
    return {
        "hand": one.name,
        "frequency": exact_json(one.frequency),
        "raises": exact_json(one.raised),
    }


def rules_json(rules: TableRules) -> dict[str, Any]:
    return {
        "rules": rules.id,
        "paytables": {key: table.id for key, table in rules.paytables.items()},
        "raises": {street.value: list(multiples) for street, multiples in rules.raises.items()},
        "qualifier": rules.qualifier,
        "fingerprint": rules.fingerprint,
    }


def _outcome_json(one: RoundResult) -> dict[str, Any]:
    return {
        "street": one.street,
        "multiple": one.multiple,
        "category": Category(one.category).key,
        "result": _RESULTS[one.result + 1],
        "dealer_qualifies": one.dealer_qualifies,
        "deals": one.deals,
        "net": str(one.net),
    }


def _pocket_json(pocket: Pocket) -> dict[str, Any]:
    multiple = max(pocket.raises, key=lambda multiple: pocket.raises[multiple])
    return {
        "raise": decimal_text(pocket.raises[multiple]),
        "multiple": multiple,
        "check": decimal_text(pocket.check),
        "best": "raise" if pocket.best else "check",
        "exact_check": exact_json(pocket.check),
        "raises": {str(times): exact_json(value) for times, value in pocket.raises.items()},
    }
