"""What cards seen too early are worth, for programs."""

from typing import Any

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.par.exact_numbers import exact_json
from headsup.analysis.protect.seen_cards import ExposureReport
from headsup.analysis.solver.solution import pocket_class_name
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.cards import RANKS
from headsup.report.json.main_game import rules_json


def protection_json(rules: TableRules, found: ExposureReport) -> dict[str, Any]:
    return {
        **rules_json(rules),
        "see": {"dealer": found.see.dealer, "flop": found.see.flop, "river": found.see.river},
        "player_edge": exact_json(found.total.player_edge),
        "raise_pocket": exact_json(found.total.raise_pocket),
        "classes": found.total.classes,
        "by_dealer": {
            dealer_cards_name(cards): {
                "player_edge": exact_json(one.player_edge),
                "raise_pocket": exact_json(one.raise_pocket),
                "classes": one.classes,
            }
            for cards, one in found.cases
            if cards
        },
    }


def dealer_cards_name(cards: tuple[int, ...]) -> str:
    """One card by its rank; two by their pocket class."""
    return RANKS[cards[0] >> 2] if len(cards) == 1 else pocket_class_name(pocket_class(*cards))
