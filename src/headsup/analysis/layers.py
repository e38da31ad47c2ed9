"""Layers: one quantity summed over every turn and river, for each flop and type of hole."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.actions import Actions, RiverActions
from headsup.analysis.chunks import Crew, Sums, split
from headsup.analysis.kernels.arrays import QUALIFIES, VERDICTS, Layer, Terms
from headsup.analysis.kernels.flops import (
    BASE,
    EDGE,
    SAVED,
    collect_rank_boards,
    collect_suited_boards,
    divide,
    fill_rank_boards,
    vary,
)
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import (
    FIRST_FOUR,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    SUITED_BOARDS,
    SUITED_FLOPS,
    THREES,
    TYPES,
)
from headsup.analysis.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.showdowns import Showdowns

NEVER_FOLD = -(1 << 62)  # folding so bad that no hand does it
CHUNKS = 16  # of the boards with three suited cards, and a quarter as many of the others


def river_terms(payoffs: Payoffs, dealers: int) -> Terms:
    """Payoffs by verdict: who qualifies beats every weak hand, who does not loses to the others."""
    pays, fold = np.zeros((VERDICTS, 4), np.int64), np.zeros(VERDICTS, np.int64)
    for category, pay in enumerate(payoffs.base):
        fold[[category, category + QUALIFIES]] = dealers * payoffs.fold[category]
        pays[category] = (
            dealers * pay[LOSE, 1],
            pay[WIN, 0] - pay[LOSE, 0],
            pay[TIE, 0] - pay[LOSE, 0],
            pay[LOSE, 0] - pay[LOSE, 1],
        )
        pays[category + QUALIFIES] = (
            dealers * pay[LOSE, 1],
            pay[WIN, 1] - pay[LOSE, 1],
            pay[TIE, 1] - pay[LOSE, 1],
            pay[WIN, 0] - pay[WIN, 1],
        )
    river = [multiple * payoffs.unit for multiple in payoffs.river_multiples]
    return Terms(pays, fold, min(river), max(river), dealers)


def changed_verdicts(one: Terms, other: Terms) -> NDArray[np.bool_]:
    """The verdicts with which a river decision may differ between the two."""
    if not one.least == one.most == other.least == other.most:
        return np.ones(VERDICTS, np.bool_)
    changed: NDArray[np.bool_] = (one.pays != other.pays).any(1) | (one.fold != other.fold)
    return changed


@dataclass(frozen=True)
class River:
    """Actions on every board, and the layer of what they gain over the least raise."""

    terms: Terms
    actions: RiverActions
    saved: Layer


class Collector:
    """Collects layers for one set of showdowns."""

    def __init__(self, showdowns: Showdowns, crew: Crew) -> None:
        self.showdowns, self._crew = showdowns, crew
        nothing = np.zeros((VERDICTS, 4), np.int64), np.zeros(VERDICTS, np.int64)
        terms = Terms(*nothing, 0, 0, showdowns.dealers)
        self.edge, _ = self._collect(EDGE, terms, _no_actions())

    def base(self, terms: Terms, asked: NDArray[np.bool_]) -> tuple[Layer, bool]:
        """Ante and Odds, and whether hands of the verdicts asked about ever fold on the river."""
        fold = np.where(asked, terms.fold, NEVER_FOLD)
        return self._collect(BASE, terms._replace(fold=fold), _no_actions())

    def river(self, terms: Terms) -> River:
        actions = RiverActions(
            np.zeros((RANK_BOARDS, PAIRS), np.uint8), np.zeros((SUITED_BOARDS, TYPES), np.uint8)
        )
        saved, _ = self._collect(SAVED, terms, actions)
        return River(terms, actions, saved)

    def varies(self, actions: RiverActions) -> NDArray[np.bool_]:
        """[verdict]: whether some hand does other than raise the least."""
        varies = np.zeros(VERDICTS, np.bool_)
        vary(self.showdowns.rank_boards.verdict, actions.ranks, varies)
        vary(self.showdowns.suited_boards.verdict, actions.suited, varies)
        return varies

    def _collect(self, layer: int, terms: Terms, actions: RiverActions) -> tuple[Layer, bool]:
        known, on, ways = lattice(), self.showdowns, self.showdowns.ways
        values = np.zeros((RANK_BOARDS, PAIRS), np.int64)
        folds = [fill_rank_boards(layer, on.rank_boards, terms, values, actions.ranks)]
        by_ranks = np.zeros((RANK_FLOPS + 1, PAIRS), np.int64)
        sums = Sums(lambda: np.zeros((SUITED_FLOPS + 1, TYPES), np.int64))

        def collect(first: int, last: int) -> None:
            with sums.one() as flops:
                folded = collect_suited_boards(
                    *(layer, first, last, known.suited_boards, ways.types),
                    *(on.suited_boards, terms, values, flops, actions.suited),
                )
                folds.append(folded)

        calls: list[Callable[[], object]] = [
            partial(collect, first * PAIRS, last * PAIRS)
            for first, last in split(0, THREES, CHUNKS)
        ]
        calls += [partial(collect, *part) for part in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
        verdict = on.rank_boards.verdict
        calls.append(partial(collect_rank_boards, ways.rank_boards, verdict, values, by_ranks))
        self._crew.run(calls)
        by_suits, *others = sums.all()
        other = others.pop() if others else np.zeros_like(by_suits)
        for more in others:
            by_suits += more
        by_suits[-1] += other[-1]
        divide(0, RANK_FLOPS, ways.rank_flops, by_ranks, np.zeros_like(by_ranks))
        self._crew.run(
            partial(divide, *part, ways.suited_flops, by_suits, other)
            for part in split(0, SUITED_FLOPS, 4)
        )
        return Layer(by_ranks, by_suits), any(folds)


def _no_actions() -> RiverActions:
    """Rows for kernels that fill none."""
    rows: list[Actions] = [np.zeros((1, size), np.uint8) for size in (PAIRS, TYPES)]
    return RiverActions(*rows)
