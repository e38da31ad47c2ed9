"""The house's edge and the variance of every wager of a table, for comparing takings with them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

# House edge and variance per dollar, by wager.
WagerEdges: TypeAlias = Mapping[Wager, tuple[Fraction, Fraction]]


def wager_edges(rules: TableRules, solution: Solution) -> WagerEdges:
    """The Ante's figures are for the whole main game.

    A pool's money is not the house's, so its meter counts as empty.
    """
    sides = {wager: side_sheet(rules, wager, 0) for wager in SIDE_WAGERS if rules.offers(wager)}
    edges = {Wager.ANTE: (solution.house_edge, solution.variance)}
    return edges | {wager: (sheet.house_edge, sheet.variance) for wager, sheet in sides.items()}
