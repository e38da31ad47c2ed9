"""All tables of a space, and those among them that meet a goal best.

Every table is looked at, so that the nearest is the nearest: nothing is missed by luck.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    """What is wanted, and how near is near enough. `deviation` is a standard deviation."""

    house_edge: Fraction
    within: Fraction
    hit_frequency: Fraction | None = None
    hits_within: Fraction = Fraction(1, 200)
    deviation: Fraction | None = None
    deviation_within: Fraction = Fraction(1, 50)  # of the deviation itself

    def miss(self, edge: Fraction, hits: Fraction, variance: Fraction) -> float:
        """Of the worst of the targets, in allowances: up to 1 is met."""
        return float(
            self.misses(
                np.array([float(edge)]), np.array([float(hits)]), np.array([float(variance) ** 0.5])
            )[0]
        )

    def misses(self, edges: Doubles, hits: Doubles, deviations: Doubles) -> Doubles:
        worst = np.abs(edges - float(self.house_edge)) / float(self.within)
        if self.hit_frequency is not None:
            off = np.abs(hits - float(self.hit_frequency)) / float(self.hits_within)
            worst = np.maximum(worst, off)
        if self.deviation is not None:
            wanted = float(self.deviation)
            off = np.abs(deviations - wanted) / (wanted * float(self.deviation_within))
            worst = np.maximum(worst, off)
        return worst


def check_share(number: Fraction | None, text: str, where: str) -> Fraction:
    """A share of what is staked, never all of it; who writes 3.5 may mean 3.5%."""
    if number is None or not -1 < number < 1:
        percent = number is not None and abs(number) < 100 and _DECIMAL.fullmatch(text.strip())
        meant = f"{text.strip()}%" if percent else ""
        raise Refused(Code.BAD_DESIGN, "share_of", where=where, text=text[:40], meant=meant)
    return number


class Merit(TextEnum):
    """Why a table is told of, among those that meet the goal."""

    LEAST_CHANGE = "least_change"
    NEAREST = "nearest"
    CALMEST = "calmest"
    WILDEST = "wildest"
    BETWEEN = "between"  # on the front: none is both nearer and less changed


@dataclass(frozen=True)
class DesignSpace:
    """Every table that the rows allow."""

    rows: tuple[DesignRow, ...]
    picks: Picks
    change: Doubles  # from the present pays: the sum of the logarithms of each row's change

    @classmethod
    def of(cls, rows: Sequence[DesignRow], ordered: bool) -> "DesignSpace":
        picks = np.zeros((1, 0), np.uint16)
        for place, row in enumerate(rows):
            count = len(row.pays)
            fresh = np.tile(np.arange(count, dtype=np.uint16), len(picks))
            picks = np.column_stack([np.repeat(picks, count, axis=0), fresh])
            above = rows[place - 1] if place else None
            if ordered and above is not None and above.key == row.key:
                higher, lower = _amounts(above), _amounts(row)
                picks = picks[higher[picks[:, place - 1]] >= lower[picks[:, place]]]
        change = np.zeros(len(picks))
        for place, row in enumerate(rows):
            change += np.abs(np.log((_amounts(row) + 1) / (float(row.now) + 1)))[picks[:, place]]
        return cls(tuple(rows), picks, change)

    def pays(self, at: int) -> dict[tuple[str, str], Fraction]:
        return {
            row.name: row.pays[pick] for row, pick in zip(self.rows, self.picks[at], strict=True)
        }


def _amounts(row: DesignRow) -> Doubles:
    return np.array([float(pay) for pay in row.pays])


@dataclass(frozen=True)
class SpaceFigures:
    """The whole space in figures, as far as the pieces known tell them."""

    edges: Doubles
    hits: Doubles
    deviations: Doubles
    misses: Doubles

    @classmethod
    def of(cls, space: DesignSpace, pieces: Sequence[PayMoments], goal: Goal) -> "SpaceFigures":
        means = pieces[0].of(space.picks, MEAN)
        squares, hits = pieces[0].of(space.picks, SQUARE), pieces[0].of(space.picks, HITS)
        for piece in pieces[1:]:
            better = piece.of(space.picks, MEAN)
            higher = better > means + 1e-12
            if higher.any():
                means = np.where(higher, better, means)
                squares = np.where(higher, piece.of(space.picks, SQUARE), squares)
                hits = np.where(higher, piece.of(space.picks, HITS), hits)
        deviations = np.sqrt(np.maximum(squares - means**2, 0.0))
        return cls(-means, hits, deviations, goal.misses(-means, hits, deviations))


Candidate = tuple[tuple[Merit, ...], int]  # all the merits of a table, and its place in the space


def best_tables(space: DesignSpace, weighed: SpaceFigures, most: int) -> list[Candidate]:
    """The tables worth telling of, the least changed first; one, the nearest, if none meets."""
    meets = np.flatnonzero(weighed.misses <= 1.0)
    if not len(meets):
        return [((Merit.NEAREST,), _least(weighed.misses, space.change))]
    misses, change = weighed.misses[meets], space.change[meets]
    found = {
        Merit.LEAST_CHANGE: meets[_least(change, misses)],
        Merit.NEAREST: meets[_least(np.round(misses, 9), change)],
        Merit.CALMEST: meets[_least(np.round(weighed.deviations[meets], 9), change)],
        Merit.WILDEST: meets[_least(-np.round(weighed.deviations[meets], 9), change)],
    }
    told: dict[int, tuple[Merit, ...]] = {}
    for merit, at in found.items():
        told[int(at)] = (*told.get(int(at), ()), merit)
    for at in _spread(pareto_front(misses, change), max(0, most - len(told))):
        told.setdefault(int(meets[at]), (Merit.BETWEEN,))
    order = list(Merit)
    ranked = sorted(told.items(), key=lambda one: (order.index(one[1][0]), space.change[one[0]]))
    return [(merits, at) for at, merits in ranked[:most]]


def _least(first: Doubles, then: Doubles) -> int:
    return int(np.lexsort((then, first))[0])


def pareto_front(misses: Doubles, change: Doubles) -> NDArray[np.int64]:
    """Places of tables of which no other is both nearer and less changed, by change."""
    order = np.lexsort((misses, np.round(change, 12)))
    least = np.minimum.accumulate(misses[order])
    better = np.concatenate([[True], misses[order][1:] < least[:-1]])
    best: NDArray[np.int64] = order[better]
    return best


def _spread(places: NDArray[np.int64], most: int) -> Iterator[int]:
    """Some of these, evenly, without the two ends."""
    inner = places[1:-1]
    if len(inner) > most > 0:
        inner = inner[np.linspace(0, len(inner) - 1, most).astype(int)]
    yield from inner[:most].tolist()
