"""What cards seen too early are worth, for programs."""

from typing import Any

from headsup.analysis.kernels.base.numbering import class_number
from headsup.analysis.par.exact_numbers import exact
from headsup.analysis.protect.seen_cards import Protection
from headsup.analysis.solver.solution import class_name
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.cards import RANKS
from headsup.report.json.main_game import rules_json


def protection_json(rules: TableRules, found: Protection) -> dict[str, Any]:
    return {
        **rules_json(rules),
        "see": {"dealer": found.see.dealer, "flop": found.see.flop, "river": found.see.river},
        "player_edge": exact(found.total.player_edge),
        "raise_pocket": exact(found.total.raise_pocket),
        "classes": found.total.classes,
        "by_dealer": {
            dealer_name(cards): {
                "player_edge": exact(one.player_edge),
                "raise_pocket": exact(one.raise_pocket),
                "classes": one.classes,
            }
            for cards, one in found.cases
            if cards
        },
    }


def dealer_name(cards: tuple[int, ...]) -> str:
    """One card by its rank; two by their pocket class."""
    return RANKS[cards[0] >> 2] if len(cards) == 1 else class_name(class_number(*cards))
