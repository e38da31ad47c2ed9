"""Rates every possible table and picks those that best meet the goal.

It rates every table of the space. Figures of the main game are estimates until a table is solved.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.design.pay_values import HITS, MEAN, SQUARE, Doubles, PayMoments, Picks
from headsup.analysis.design.rows import DesignRow
from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum

_DECIMAL = re.compile(r"-?\d{1,2}(?:\.\d{1,18})?", re.ASCII)


@dataclass(frozen=True)
class Goal:
    """The target figures and their tolerances. `deviation` is a standard deviation."""

    house_edge: Fraction
    within: Fraction
    hit_frequency: Fraction | None = None
    hits_within: Fraction = Fraction(1, 200)
    deviation: Fraction | None = None
    deviation_within: Fraction = Fraction(1, 50)  # relative to the deviation

    def miss(self, edge: Fraction, hits: Fraction, variance: Fraction) -> float:
        """How far the worst target is missed, in tolerances; up to 1 meets the goal."""
        return float(
            self.misses(
                np.array([float(edge)]), np.array([float(hits)]), np.array([float(variance) ** 0.5])
            )[0]
        )

    def misses(self, edges: Doubles, hits: Doubles, deviations: Doubles) -> Doubles:
        worst = np.abs(edges - float(self.house_edge)) / float(self.within)
        if self.hit_frequency is not None:
            miss = np.abs(hits - float(self.hit_frequency)) / float(self.hits_within)
            worst = np.maximum(worst, miss)
        if self.deviation is not None:
            target = float(self.deviation)
            miss = np.abs(deviations - target) / (target * float(self.deviation_within))
            worst = np.maximum(worst, miss)
        return worst


def check_share(number: Fraction | None, text: str, where: str) -> Fraction:
    """Refuse a number outside -1 to 1. For "3.5" the refusal suggests "3.5%"."""
    if number is None or not -1 < number < 1:
        percent = number is not None and abs(number) < 100 and _DECIMAL.fullmatch(text.strip())
        meant = f"{text.strip()}%" if percent else ""
        raise Refused(Code.BAD_DESIGN, "share_of", where=where, text=text[:40], meant=meant)
    return number


class Merit(TextEnum):
    """Why a table is returned, among those that meet the goal."""

    LEAST_CHANGE = "least_change"
    NEAREST = "nearest"
    CALMEST = "calmest"
    WILDEST = "wildest"
    BETWEEN = "between"  # on the Pareto front: no other is both nearer and less changed


@dataclass(frozen=True)
class DesignSpace:
    """Every table that the rows allow."""

    rows: tuple[DesignRow, ...]
    picks: Picks
    change: Doubles  # from the present pays: sum of each row's logarithmic change

    @classmethod
    def of(cls, rows: Sequence[DesignRow], ordered: bool) -> "DesignSpace":
        picks = np.zeros((1, 0), np.uint16)
        for index, row in enumerate(rows):
            count = len(row.pays)
            choices = np.tile(np.arange(count, dtype=np.uint16), len(picks))
            picks = np.column_stack([np.repeat(picks, count, axis=0), choices])
            row_above = rows[index - 1] if index else None
            if ordered and row_above is not None and row_above.key == row.key:
                higher, lower = _amounts(row_above), _amounts(row)
                picks = picks[higher[picks[:, index - 1]] >= lower[picks[:, index]]]
        change = np.zeros(len(picks))
        for index, row in enumerate(rows):
            change += np.abs(np.log((_amounts(row) + 1) / (float(row.now) + 1)))[picks[:, index]]
        return cls(tuple(rows), picks, change)

    def pays(self, index: int) -> dict[tuple[str, str], Fraction]:
        return {
            row.name: row.pays[pick] for row, pick in zip(self.rows, self.picks[index], strict=True)
        }


def _amounts(row: DesignRow) -> Doubles:
    return np.array([float(pay) for pay in row.pays])


@dataclass(frozen=True)
class SpaceFigures:
    """Estimated figures of every table in the space, from the solved pieces."""

    edges: Doubles
    hits: Doubles
    deviations: Doubles
    misses: Doubles

    @classmethod
    def of(cls, space: DesignSpace, pieces: Sequence[PayMoments], goal: Goal) -> "SpaceFigures":
        means = pieces[0].of(space.picks, MEAN)
        squares, hits = pieces[0].of(space.picks, SQUARE), pieces[0].of(space.picks, HITS)
        for piece in pieces[1:]:
            estimate = piece.of(space.picks, MEAN)
            higher = estimate > means + 1e-12
            if higher.any():
                means = np.where(higher, estimate, means)
                squares = np.where(higher, piece.of(space.picks, SQUARE), squares)
                hits = np.where(higher, piece.of(space.picks, HITS), hits)
        deviations = np.sqrt(np.maximum(squares - means**2, 0.0))
        return cls(-means, hits, deviations, goal.misses(-means, hits, deviations))

    def limited_to(self, indices: Sequence[int]) -> "SpaceFigures":
        """The same figures, but tables other than these are infinitely far from the goal."""
        misses = np.full_like(self.misses, np.inf)
        misses[indices] = self.misses[indices]
        return replace(self, misses=misses)


Candidate = tuple[tuple[Merit, ...], int]  # merits, index in the space


def best_tables(space: DesignSpace, figures: SpaceFigures, max_tables: int) -> list[Candidate]:
    """The best tables, least changed first; only the nearest one if none meets the goal."""
    meets = np.flatnonzero(figures.misses <= 1.0)
    if not len(meets):
        return [((Merit.NEAREST,), _argmin(figures.misses, space.change))]
    misses, change = figures.misses[meets], space.change[meets]
    best = {
        Merit.LEAST_CHANGE: meets[_argmin(change, misses)],
        Merit.NEAREST: meets[_argmin(np.round(misses, 9), change)],
        Merit.CALMEST: meets[_argmin(np.round(figures.deviations[meets], 9), change)],
        Merit.WILDEST: meets[_argmin(-np.round(figures.deviations[meets], 9), change)],
    }
    merits_by_table: dict[int, tuple[Merit, ...]] = {}
    for merit, index in best.items():
        merits_by_table[int(index)] = (*merits_by_table.get(int(index), ()), merit)
    for index in _spread(pareto_front(misses, change), max(0, max_tables - len(merits_by_table))):
        merits_by_table.setdefault(int(meets[index]), (Merit.BETWEEN,))
    order = list(Merit)
    ranked = sorted(
        merits_by_table.items(), key=lambda item: (order.index(item[1][0]), space.change[item[0]])
    )
    return [(merits, index) for index, merits in ranked[:max_tables]]


def _argmin(first: Doubles, second: Doubles) -> int:
    return int(np.lexsort((second, first))[0])


def pareto_front(misses: Doubles, change: Doubles) -> NDArray[np.int64]:
    """Indices of tables that no other beats in both miss and change, by ascending change."""
    order = np.lexsort((misses, np.round(change, 12)))
    lowest = np.minimum.accumulate(misses[order])
    improves = np.concatenate([[True], misses[order][1:] < lowest[:-1]])
    best: NDArray[np.int64] = order[improves]
    return best


def _spread(indices: NDArray[np.int64], maximum: int) -> Iterator[int]:
    """Up to `maximum` of these, evenly spaced, without the two ends."""
    inner = indices[1:-1]
    if len(inner) > maximum > 0:
        inner = inner[np.linspace(0, len(inner) - 1, maximum).astype(int)]
    yield from inner[:maximum].tolist()
