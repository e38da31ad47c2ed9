"""Layers: one quantity summed over every turn and river, for each flop and type of hole."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    QUALIFIES,
    VERDICTS,
    Layer,
    RiverChoice,
    Terms,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import (
    FIRST_FOUR_SUITED,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    SETS_OF_THREE,
    SUITED_BOARDS,
    SUITED_FLOPS,
    TYPES,
)
from headsup.analysis.kernels.solve.flops import (
    LayerScratch,
    choose_rank_boards,
    collect_rank_boards,
    collect_suited_boards,
    count_folds,
    divide_by_ways,
)
from headsup.analysis.solver.actions import Actions, RiverActions
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, split_range
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.showdowns import Showdowns

CHUNKS = 16  # of the boards with three suited cards, and a quarter as many of the others

LOW_HALF = (1 << 32) - 1


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
    flop = min(payoffs.flop_multiples) * payoffs.unit
    return Terms(pays, fold, min(river), max(river), flop, dealers)


def edge_pays(dealers: int) -> NDArray[np.int64]:
    """[4]: wins less losses, in the same terms."""
    return np.array([-dealers, 2, 1, 0])


def river_margin(terms: Terms) -> NDArray[np.int64]:
    """[verdict, 4]: the least raise less a fold, linear in 1, wins, ties, weak dealer hands."""
    margin = terms.pays + terms.least * edge_pays(terms.dealers)
    margin[:, 0] -= terms.fold
    margin[IMPOSSIBLE] = 0
    return margin


def river_choice(terms: Terms) -> RiverChoice:
    """Its pays are differences of two that are at most `LARGEST_PAY`: 32 bits hold each."""
    margin = river_margin(terms)
    each, won, tied, weak = (margin // [terms.dealers, 1, 1, 1]).T
    packed = np.stack([won << 32 | each & LOW_HALF, weak << 32 | tied & LOW_HALF], 1)
    return RiverChoice(packed, terms.most - terms.least, terms.least - terms.flop, terms.dealers)


def edge_choice(dealers: int) -> RiverChoice:
    """Nothing is chosen: the layer of it is wins less losses."""
    return RiverChoice(np.zeros((VERDICTS, 2), np.int64), 0, 1, dealers)


def changed_verdicts(one: Terms, other: Terms) -> NDArray[np.bool_]:
    """The verdicts with which a river decision may differ between the two."""
    stakes = one.least == one.most == other.least == other.most and one.flop == other.flop
    if not stakes:
        return np.ones(VERDICTS, np.bool_)
    changed: NDArray[np.bool_] = (one.pays != other.pays).any(1) | (one.fold != other.fold)
    return changed


@dataclass(frozen=True)
class RiverPlay:
    """Actions on every board, and the layer of what checking on the flop gains by them."""

    terms: Terms
    actions: RiverActions
    gain: Layer


class LayerBuilder:
    """Collects layers for one set of showdowns."""

    def __init__(self, showdowns: Showdowns, crew: KernelPool) -> None:
        self.showdowns, self._crew = showdowns, crew

    @cached_property
    def edge(self) -> Layer:
        """Wins less losses: what a raise gains for each unit staked."""
        return self._collect(edge_choice(self.showdowns.dealers), _actions())

    def river(self, terms: Terms) -> RiverPlay:
        actions = _actions()
        return RiverPlay(terms, actions, self._collect(river_choice(terms), actions))

    def folds(self, terms: Terms, asked: NDArray[np.bool_]) -> bool:
        """Whether hands of the verdicts asked about ever fold on the river."""
        margin, counts = river_margin(terms), self.showdowns.suited_boards
        found = [count_folds(0, RANK_BOARDS, self.showdowns.rank_boards, asked, margin)]

        def count(first: int, last: int) -> None:
            found.append(count_folds(first, last, counts, asked, margin))

        self._crew.run(partial(count, *part) for part in split_range(0, SUITED_BOARDS, 4))
        return any(found)

    def _collect(self, choice: RiverChoice, actions: RiverActions) -> Layer:
        known, on, ways = board_tables(), self.showdowns, self.showdowns.ways
        values, rooms = (
            np.zeros((RANK_BOARDS, PAIRS), np.int64),
            AccumulatorPool(LayerScratch.empty),
        )

        def choose(first: int, last: int) -> None:
            with rooms.one() as room:
                choose_rank_boards(first, last, on.rank_boards, choice, room, values, actions.ranks)

        self._crew.run(partial(choose, *part) for part in split_range(0, RANK_BOARDS, 4))
        by_ranks = np.zeros((RANK_FLOPS, PAIRS), np.int64)
        sums = AccumulatorPool(lambda: np.zeros((SUITED_FLOPS, TYPES), np.int64))

        def collect(first: int, last: int) -> None:
            with sums.one() as flops, rooms.one() as room:
                collect_suited_boards(
                    *(first, last, known.suited_boards, ways.types, on.suited_boards),
                    *(choice, values, room, flops, actions.suited),
                )

        calls: list[Callable[[], object]] = [
            partial(collect, first * PAIRS, last * PAIRS)
            for first, last in split_range(0, SETS_OF_THREE, CHUNKS)
        ]
        calls += [
            partial(collect, *part)
            for part in split_range(FIRST_FOUR_SUITED, SUITED_BOARDS, CHUNKS // 4)
        ]
        verdict, weighted = on.rank_boards.verdict, np.zeros(PAIRS, np.int64)
        calls.append(
            partial(collect_rank_boards, ways.rank_boards, verdict, values, weighted, by_ranks)
        )
        self._crew.run(calls)
        by_suits, *others = sums.all()
        other = others.pop() if others else np.zeros_like(by_suits)
        for more in others:
            by_suits += more
        divide_by_ways(0, RANK_FLOPS, ways.rank_flops, by_ranks, np.zeros_like(by_ranks))
        self._crew.run(
            partial(divide_by_ways, *part, ways.suited_flops, by_suits, other)
            for part in split_range(0, SUITED_FLOPS, 4)
        )
        return Layer(by_ranks, by_suits)


def _actions() -> RiverActions:
    """Rows for a kernel to fill."""
    rows: list[Actions] = [
        np.empty((boards, size), np.uint8)
        for boards, size in ((RANK_BOARDS, PAIRS), (SUITED_BOARDS, TYPES))
    ]
    return RiverActions(*rows)
