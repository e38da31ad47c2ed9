"""What every pay of every row is worth, so that millions of tables can be told at a glance.

A round is paid by one row at most. So for fixed decisions mean, second moment and hits are sums
with one term for each row. A side wager has no decisions. In the main game the best decisions
change with the pays: the player's value is the highest of all decisions' sums, a convex piecewise
linear function of the pays, and every table solved gives one more piece of it (`PayMoments`) that
touches it there and lies nowhere above.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.design.rows import DesignRow, with_pays
from headsup.analysis.par.par_sheet import SideSheet, side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SideWager
from headsup.game.values.money import Micros

Doubles = NDArray[np.float64]
Picks = NDArray[np.uint16]  # [table, row]: which of its pays each row has
MEAN, SQUARE, HITS = range(3)


@dataclass(frozen=True)
class PayMoments:
    """For one way to decide: `rest`, and for each row and each of its pays, the player's mean,
    second moment and chance to win, per unit staked."""

    rest: Doubles
    rows: tuple[Doubles, ...]  # each [pay, MEAN | SQUARE | HITS]

    def of(self, picks: Picks, what: int) -> Doubles:
        total = np.full(len(picks), self.rest[what])
        for row, values in enumerate(self.rows):
            total += values[picks[:, row], what]
        return total


def side_moments(
    rules: TableRules, wager: SideWager, rows: Sequence[DesignRow], meter: Micros
) -> PayMoments:
    """All rows are listed with their highest pays and then changed, so that a row that pays
    nothing keeps its place."""
    listed = with_pays(rules, {row.name: max(row.pays) for row in rows})
    names = {row.outcome for row in rows}
    rest = np.zeros(3)
    for outcome in side_sheet(listed, wager, meter).outcomes:
        if outcome.outcome not in names:
            rest += _moments(float(outcome.probability), float(outcome.net), outcome.hits)
    worth = []
    for row in rows:
        values = []
        for pay in row.pays:
            sheet = side_sheet(with_pays(listed, {row.name: pay}), wager, meter)
            values.append(_row_moments(sheet, row))
        worth.append(np.array(values))
    return PayMoments(rest, tuple(worth))


def _row_moments(sheet: SideSheet, row: DesignRow) -> Doubles:
    (found,) = (one for one in sheet.outcomes if one.outcome == row.outcome)
    return _moments(float(found.probability), float(found.net), found.hits)


def _moments(probability: float, net: float, hits: bool) -> Doubles:
    return probability * np.array([net, net * net, float(hits)])


@dataclass(frozen=True)
class MainPays:
    """The main game's nets for every pay of every row, in Antes, without the Raise."""

    rest: Doubles  # [category, result, dealer qualifies], where no row of these pays
    cells: tuple[NDArray[np.bool_], ...]  # by row: the results that it pays
    nets: tuple[Doubles, ...]  # by row: [pay, category, result, dealer qualifies]

    @classmethod
    def of(cls, rules: TableRules, rows: Sequence[DesignRow]) -> "MainPays":
        listed = with_pays(rules, {row.name: max(row.pays) for row in rows})
        present = _base(compile_payoffs(listed))
        cells, nets = [], []
        for row in rows:
            bases = [
                _base(compile_payoffs(with_pays(listed, {row.name: pay})))
                for pay in (row.pays if row.free else (*row.pays, row.pays[0] + 1))
            ]
            varies = (np.ptp(np.stack([*bases, present]), axis=0) != 0).astype(np.bool_)
            cells.append(varies)
            nets.append(np.stack(bases[: len(row.pays)]))
        return cls(present, tuple(cells), tuple(nets))


def _base(payoffs: Payoffs) -> Doubles:
    return payoffs.base / float(payoffs.unit)


def main_moments(pays: MainPays, solution: Solution) -> PayMoments:
    """What these tables are worth when played as this one is played best."""
    others = ~np.logical_or.reduce(pays.cells) if pays.cells else np.ones_like(pays.rest, np.bool_)
    folded = solution.payoffs.fold / float(solution.payoffs.unit)
    rest = np.zeros(3)
    rows = tuple(np.zeros((len(nets), 3)) for nets in pays.nets)
    for multiple, chances in _ways(solution):
        if not multiple:
            nets = np.broadcast_to(folded[:, None, None], chances.shape)
            rest += _sums(chances, nets)
            continue
        raised = multiple * np.array([-1.0, 0.0, 1.0])[None, :, None]
        rest += _sums(chances * others, pays.rest + raised)
        for row, (cells, bases) in enumerate(zip(pays.cells, pays.nets, strict=True)):
            for pay, base in enumerate(bases):
                rows[row][pay] += _sums(chances * cells, base + raised)
    return PayMoments(rest, rows)


def _ways(solution: Solution) -> list[tuple[int, Doubles]]:
    """(multiple, chances by [category, result, dealer qualifies]) of each way to decide."""
    chances: dict[int, Doubles] = {}
    for one in solution.results:
        table = chances.setdefault(one.multiple, np.zeros((10, 3, 2)))
        place = one.category, one.result + 1, int(one.dealer_qualifies)
        table[place] += one.deals / solution.deals
    return list(chances.items())


def _sums(chances: Doubles, nets: Doubles) -> Doubles:
    return np.array(
        [
            float((chances * nets).sum()),
            float((chances * nets**2).sum()),
            float((chances * (nets > 1e-12)).sum()),
        ]
    )


def row_weights(rows: Sequence[DesignRow], worth: PayMoments) -> Mapping[tuple[str, str], float]:
    """How much one unit more on a row moves the mean."""
    weights = {}
    for row, values in zip(rows, worth.rows, strict=True):
        span = float(row.pays[-1] - row.pays[0])
        rise = float(values[-1, MEAN] - values[0, MEAN])
        weights[row.name] = rise / span if span else 0.0
    return weights
