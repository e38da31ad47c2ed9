"""Sums a quantity over all turns and rivers, for each flop and type of hole.

The result is called a layer.
"""

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
from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, split_range

CHUNKS = 16  # for boards with three suited cards; the others take a quarter as many

LOW_HALF = (1 << 32) - 1


def river_terms(payoffs: Payoffs, dealer_hands: int) -> Terms:
    """Payoffs by verdict. A qualifying hand beats all weak hands; a weak one loses to the rest."""
    pays, fold = np.zeros((VERDICTS, 4), np.int64), np.zeros(VERDICTS, np.int64)
    for category, pay in enumerate(payoffs.base):
        fold[[category, category + QUALIFIES]] = dealer_hands * payoffs.fold[category]
        pays[category] = (
            dealer_hands * pay[LOSE, 1],
            pay[WIN, 0] - pay[LOSE, 0],
            pay[TIE, 0] - pay[LOSE, 0],
            pay[LOSE, 0] - pay[LOSE, 1],
        )
        pays[category + QUALIFIES] = (
            dealer_hands * pay[LOSE, 1],
            pay[WIN, 1] - pay[LOSE, 1],
            pay[TIE, 1] - pay[LOSE, 1],
            pay[WIN, 0] - pay[WIN, 1],
        )
    river = [multiple * payoffs.unit for multiple in payoffs.river_multiples]
    flop = min(payoffs.flop_multiples) * payoffs.unit
    return Terms(pays, fold, min(river), max(river), flop, dealer_hands)


def edge_pays(dealer_hands: int) -> NDArray[np.int64]:
    """[4]: coefficients of wins minus losses, for the columns of `Terms.pays`."""
    return np.array([-dealer_hands, 2, 1, 0])


def river_margin(terms: Terms) -> NDArray[np.int64]:
    """[verdict, 4]: smallest raise minus fold, as coefficients of 1, wins, ties, weak hands."""
    margin = terms.pays + terms.least * edge_pays(terms.dealers)
    margin[:, 0] -= terms.fold
    margin[IMPOSSIBLE] = 0
    return margin


def river_choice(terms: Terms) -> RiverChoice:
    """The river decision for kernels. Its entries fit 32 bits, as pays are up to LARGEST_PAY."""
    packed = pack_margin(river_margin(terms) // np.array([terms.dealers, 1, 1, 1]))
    return RiverChoice(packed, terms.most - terms.least, terms.least - terms.flop, terms.dealers)


def pack_margin(margin: NDArray[np.int64]) -> NDArray[np.int64]:
    """`RiverChoice.margin`, from coefficients of all dealer hands, wins, ties and weak hands."""
    each, won, tied, weak = margin.T
    return np.stack([won << 32 | each & LOW_HALF, weak << 32 | tied & LOW_HALF], 1)


def edge_choice(dealer_hands: int) -> RiverChoice:
    """A choice without alternatives, whose layer is wins minus losses."""
    return RiverChoice(np.zeros((VERDICTS, 2), np.int64), 0, 1, dealer_hands)


def changed_verdicts(before: Terms, after: Terms) -> NDArray[np.bool_]:
    """[verdict]: whether a river decision may differ between the two."""
    one_multiple = before.least == before.most == after.least == after.most
    if not (one_multiple and before.flop == after.flop):
        return np.ones(VERDICTS, np.bool_)
    changed: NDArray[np.bool_] = (before.pays != after.pays).any(1) | (before.fold != after.fold)
    return changed


@dataclass(frozen=True)
class RiverPlay:
    """The actions on every board, and the layer of what they make checking on the flop worth."""

    terms: Terms
    actions: RiverActions
    gain: Layer


class LayerBuilder:
    """Builds layers for one set of showdowns."""

    def __init__(self, showdowns: Showdowns, pool: KernelPool) -> None:
        self.showdowns, self._pool = showdowns, pool

    @cached_property
    def edge(self) -> Layer:
        """Wins minus losses: what a raise gains per unit staked."""
        return self.collect(edge_choice(self.showdowns.dealer_hands))

    def river(self, terms: Terms) -> RiverPlay:
        actions = _empty_actions()
        return RiverPlay(terms, actions, self._collect(river_choice(terms), actions))

    def has_folds(self, terms: Terms, verdicts: NDArray[np.bool_]) -> bool:
        """Whether a hand with one of these verdicts ever folds on the river."""
        margin, counts = river_margin(terms), self.showdowns.suited_boards
        fold_counts = [count_folds(0, RANK_BOARDS, self.showdowns.rank_boards, verdicts, margin)]

        def count(first: int, last: int) -> None:
            fold_counts.append(count_folds(first, last, counts, verdicts, margin))

        self._pool.run(partial(count, *part) for part in split_range(0, SUITED_BOARDS, 4))
        return any(fold_counts)

    def collect(self, choice: RiverChoice) -> Layer:
        """The layer of what each hand's choice is worth."""
        return self._collect(choice, _empty_actions())

    def _collect(self, choice: RiverChoice, actions: RiverActions) -> Layer:
        tables, showdowns, ways = board_tables(), self.showdowns, self.showdowns.ways
        values = np.zeros((RANK_BOARDS, PAIRS), np.int64)
        scratch_pool = AccumulatorPool(LayerScratch.empty)

        def choose(first: int, last: int) -> None:
            with scratch_pool.borrow() as scratch:
                choose_rank_boards(
                    first, last, showdowns.rank_boards, choice, scratch, values, actions.ranks
                )

        self._pool.run(partial(choose, *part) for part in split_range(0, RANK_BOARDS, 4))
        by_ranks = np.zeros((RANK_FLOPS, PAIRS), np.int64)
        sums = AccumulatorPool(lambda: np.zeros((SUITED_FLOPS, TYPES), np.int64))

        def collect(first: int, last: int) -> None:
            with sums.borrow() as flops, scratch_pool.borrow() as scratch:
                collect_suited_boards(
                    *(first, last, tables.suited_boards, ways.types, showdowns.suited_boards),
                    *(choice, values, scratch, flops, actions.suited),
                )

        tasks: list[Callable[[], object]] = [
            partial(collect, first * PAIRS, last * PAIRS)
            for first, last in split_range(0, SETS_OF_THREE, CHUNKS)
        ]
        tasks += [
            partial(collect, *part)
            for part in split_range(FIRST_FOUR_SUITED, SUITED_BOARDS, CHUNKS // 4)
        ]
        verdict, weighted = showdowns.rank_boards.verdict, np.zeros(PAIRS, np.int64)
        tasks.append(
            partial(collect_rank_boards, ways.rank_boards, verdict, values, weighted, by_ranks)
        )
        self._pool.run(tasks)
        by_suits, *others = sums.collect()
        other = others.pop() if others else np.zeros_like(by_suits)
        for layer in others:
            by_suits += layer
        divide_by_ways(0, RANK_FLOPS, ways.rank_flops, by_ranks, np.zeros_like(by_ranks))
        self._pool.run(
            partial(divide_by_ways, *part, ways.suited_flops, by_suits, other)
            for part in split_range(0, SUITED_FLOPS, 4)
        )
        return Layer(by_ranks, by_suits)


def _empty_actions() -> RiverActions:
    """Uninitialised arrays for a kernel to fill."""
    rows: list[Actions] = [
        np.empty((boards, size), np.uint8)
        for boards, size in ((RANK_BOARDS, PAIRS), (SUITED_BOARDS, TYPES))
    ]
    return RiverActions(*rows)
