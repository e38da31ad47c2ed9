"""Values each pay of each row separately, so that millions of tables can be rated by addition.

At most one row pays in a round, so for fixed decisions the mean, second moment and hit frequency
are sums with one term per row. A side wager has no decisions. In the main game the best decisions
change with the pays: the player's value is the maximum over all ways to decide, a convex piecewise
linear function of the pays. Each solved table gives one linear piece (`PayMoments`), exact at that
table and a lower bound everywhere else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

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
Picks = NDArray[np.uint16]  # [table, row]: index of the row's pay
MEAN, SQUARE, HITS = range(3)


@dataclass(frozen=True)
class PayMoments:
    """The player's mean, second moment and hit frequency per unit staked, for fixed decisions.

    They are given for each pay of each row, and in `rest` for everything else.
    """

    rest: Doubles
    rows: tuple[Doubles, ...]  # each [pay, MEAN | SQUARE | HITS]

    def of(self, picks: Picks, moment: int) -> Doubles:
        total = np.full(len(picks), self.rest[moment])
        for row, values in enumerate(self.rows):
            total += values[picks[:, row], moment]
        return total


def side_moments(
    rules: TableRules, wager: SideWager, rows: Sequence[DesignRow], meter: Micros | Fraction
) -> PayMoments:
    """Each pay's worth in a side wager.

    Every row starts from its highest pay, so that a row that pays nothing is still listed.
    """
    listed = with_pays(rules, {row.name: max(row.pays) for row in rows})
    varied = {row.outcome for row in rows}
    rest = np.zeros(3)
    for outcome in side_sheet(listed, wager, meter).outcomes:
        if outcome.outcome not in varied:
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
    (outcome,) = (outcome for outcome in sheet.outcomes if outcome.outcome == row.outcome)
    return _moments(float(outcome.probability), float(outcome.net), outcome.hits)


def _moments(probability: float, net: float, hits: bool) -> Doubles:
    return probability * np.array([net, net * net, float(hits)])


@dataclass(frozen=True)
class MainPays:
    """What the main game nets for each pay of each row, in Antes, without the Raise."""

    rest: Doubles  # [category, result, dealer qualifies], where none of these rows pays
    cells: tuple[NDArray[np.bool_], ...]  # by row: the results it pays
    nets: tuple[Doubles, ...]  # by row: [pay, category, result, dealer qualifies]

    @classmethod
    def of(cls, rules: TableRules, rows: Sequence[DesignRow]) -> "MainPays":
        listed = with_pays(rules, {row.name: max(row.pays) for row in rows})
        highest_base = _base(compile_payoffs(listed))
        cells, nets = [], []
        for row in rows:
            # A fixed row gets a second pay too, only to find the results that it pays.
            bases = [
                _base(compile_payoffs(with_pays(listed, {row.name: pay})))
                for pay in (row.pays if row.free else (*row.pays, row.pays[0] + 1))
            ]
            varies = (np.ptp(np.stack([*bases, highest_base]), axis=0) != 0).astype(np.bool_)
            cells.append(varies)
            nets.append(np.stack(bases[: len(row.pays)]))
        return cls(highest_base, tuple(cells), tuple(nets))


def _base(payoffs: Payoffs) -> Doubles:
    return payoffs.base / float(payoffs.unit)


def main_moments(pays: MainPays, solution: Solution) -> PayMoments:
    """The worth of each pay if every table is played by this solution's decisions."""
    unaffected = (
        ~np.logical_or.reduce(pays.cells) if pays.cells else np.ones_like(pays.rest, np.bool_)
    )
    fold_nets = solution.payoffs.fold / float(solution.payoffs.unit)
    rest = np.zeros(3)
    rows = tuple(np.zeros((len(nets), 3)) for nets in pays.nets)
    for multiple, probabilities in _ways(solution):
        if not multiple:
            nets = np.broadcast_to(fold_nets[:, None, None], probabilities.shape)
            rest += _sums(probabilities, nets)
            continue
        raise_nets = multiple * np.array([-1.0, 0.0, 1.0])[None, :, None]
        rest += _sums(probabilities * unaffected, pays.rest + raise_nets)
        for row, (cells, bases) in enumerate(zip(pays.cells, pays.nets, strict=True)):
            for pay, base in enumerate(bases):
                rows[row][pay] += _sums(probabilities * cells, base + raise_nets)
    return PayMoments(rest, rows)


def _ways(solution: Solution) -> list[tuple[int, Doubles]]:
    """(Raise multiple, probabilities by [category, result, dealer qualifies])."""
    probabilities: dict[int, Doubles] = {}
    for round_result in solution.results:
        cells = probabilities.setdefault(round_result.multiple, np.zeros((10, 3, 2)))
        cell = round_result.category, round_result.result + 1, int(round_result.dealer_qualifies)
        cells[cell] += round_result.deals / solution.deals
    return list(probabilities.items())


def _sums(probabilities: Doubles, nets: Doubles) -> Doubles:
    return np.array(
        [
            float((probabilities * nets).sum()),
            float((probabilities * nets**2).sum()),
            float((probabilities * (nets > 1e-12)).sum()),
        ]
    )


def row_weights(rows: Sequence[DesignRow], worth: PayMoments) -> Mapping[tuple[str, str], float]:
    """How far the mean moves when a row pays one unit more."""
    weights = {}
    for row, values in zip(rows, worth.rows, strict=True):
        span = float(row.pays[-1] - row.pays[0])
        rise = float(values[-1, MEAN] - values[0, MEAN])
        weights[row.name] = rise / span if span else 0.0
    return weights
