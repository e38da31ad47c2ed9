"""The main game as JSON: solutions, lessons, seen cards and evaluated strategies.

Every number is given exactly and as a decimal.
"""

from typing import Any

from headsup.analysis.advice.lessons import KindOfHand, Lessons
from headsup.analysis.exact_numbers import decimal_text, exact_json, root_text
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.protect.seen_cards import ExposureReport
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution, pocket_class_name
from headsup.analysis.strategies.evaluation import Evaluation
from headsup.analysis.strategies.written_strategy import card_toml
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.cards import RANKS
from headsup.game.values.hands import Category

_RESULTS = ("lose", "push", "win")


def main_json(
    rules: TableRules, solution: Solution, lessons: Lessons | None = None
) -> dict[str, Any]:
    """`lessons` are rules for the flop and river; with `--no-cache` there are none."""
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
        **({} if lessons is None else {"lessons": lessons_json(lessons)}),
        "outcomes": [_outcome_json(rules, result) for result in solution.results],
        "deals": solution.deals,
    }


def lessons_json(lessons: Lessons) -> dict[str, Any]:
    card = lessons.card
    return {
        "short_card": {
            "strategy": card.strategy,
            **card.words,
            "house_edge": exact_json(card.house_edge),
            "cost": exact_json(card.cost),
            "streets": {street: exact_json(cost) for street, cost in card.streets.items()},
        },
        "flop": [_kind_json(kind) for kind in lessons.flop],
        "river": [_kind_json(kind) for kind in lessons.river],
    }


def _kind_json(kind: KindOfHand) -> dict[str, Any]:
    return {
        "hand": kind.name,
        "frequency": exact_json(kind.frequency),
        "raises": exact_json(kind.raised),
    }


def rules_json(rules: TableRules) -> dict[str, Any]:
    return {
        "rules": rules.id,
        "paytables": {key: table.id for key, table in rules.paytables.items()},
        "raises": {street.value: list(multiples) for street, multiples in rules.raises.items()},
        "qualifier": rules.qualifier,
        "fingerprint": rules.fingerprint,
    }


def _outcome_json(rules: TableRules, result: RoundResult) -> dict[str, Any]:
    return {
        "street": result.street,
        "multiple": result.multiple,
        "category": Category(result.category).key,
        "result": _RESULTS[result.result + 1],
        "dealer_qualifies": result.dealer_qualifies if rules.qualifier_strength else None,
        "deals": result.deals,
        "net": str(result.net),
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


def protection_json(rules: TableRules, report: ExposureReport) -> dict[str, Any]:
    return {
        **rules_json(rules),
        "see": {
            "dealer": report.exposure.dealer,
            "flop": report.exposure.flop,
            "river": report.exposure.river,
        },
        "player_edge": exact_json(report.total.player_edge),
        "raise_pocket": exact_json(report.total.raise_pocket),
        "classes": report.total.classes,
        "by_dealer": {
            dealer_cards_name(cards): {
                "player_edge": exact_json(case.player_edge),
                "raise_pocket": exact_json(case.raise_pocket),
                "classes": case.classes,
            }
            for cards, case in report.cases
            if cards
        },
    }


def dealer_cards_name(cards: tuple[int, ...]) -> str:
    """One card is named by its rank, two by their pocket class."""
    return RANKS[cards[0] >> 2] if len(cards) == 1 else pocket_class_name(pocket_class(*cards))


def evaluation_json(rules: TableRules, evaluation: Evaluation) -> dict[str, Any]:
    solution = evaluation.solution
    return {
        **rules_json(rules),
        "strategy": evaluation.written.name,
        "lines": evaluation.written.size,
        "house_edge": exact_json(evaluation.house_edge),
        "cost": exact_json(evaluation.cost),
        "best": exact_json(evaluation.best_edge),
        "streets": {street: exact_json(cost) for street, cost in evaluation.streets.items()},
        "standard_deviation": root_text(solution.variance),
        "frequencies": {key: decimal_text(value) for key, value in solution.frequencies.items()},
        "departures": [
            {
                "street": departure.street,
                "what": departure.what,
                "taken": departure.taken,
                "better": departure.better,
                "cost": exact_json(departure.cost),
            }
            for departure in evaluation.departures
        ],
        "toml": card_toml(evaluation.written),
    }
