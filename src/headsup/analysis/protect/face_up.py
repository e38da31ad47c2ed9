"""Estimates what it is worth to see other players' hole cards.

One layout of seen cards is solved exactly for all remaining hole cards. The value of seeing one to
five hands is the mean over all layouts, estimated from random ones. A layout's value is nearly the
sum of its single cards' values. Those thirteen are solved exactly and used as a control variate,
which leaves little sampling error.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np

from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edge
from headsup.analysis.protect.known import CARDS, KnownCards
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.workers.executor import Executor, KernelPool, Progress, Threads, run_chunks

NORMAL_95 = 1.959964  # half width of the 95% interval, in standard errors


@dataclass(frozen=True)
class FaceUpEstimate:
    """The estimated player edge per Ante when `hands` other hands are seen."""

    hands: int
    layouts: int
    seed: int
    unseen: Fraction  # the exact player edge when nothing is seen
    mean: float
    standard_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval."""
        width = NORMAL_95 * self.standard_error
        return self.mean - width, self.mean + width

    @property
    def gain(self) -> float:
        return self.mean - float(self.unseen)


def estimate_seen_hands(
    payoffs: Payoffs,
    hands: int,
    layouts: int,
    seed: int,
    progress: Progress | None = None,
    workforce: Executor | None = None,
) -> FaceUpEstimate:
    """Estimate the edge from random layouts of other hands.

    The seed alone decides the result, whatever the workers. Without `workforce`, layouts are solved
    one after the other on all processors; otherwise each worker solves one at a time.
    """
    random_layouts = _draw_layouts(hands, layouts, seed)
    layouts_to_solve = [(), *((4 * rank,) for rank in range(RANKS)), *random_layouts]
    unseen, *edges = run_chunks(
        layouts_to_solve, partial(_edge, payoffs), workforce or Threads(1), progress
    )
    single_card_edges, layout_edges = [float(edge) for edge in edges[:RANKS]], edges[RANKS:]
    adjusted = np.array(
        [
            _adjusted_edge(edge, single_card_edges, cards)
            for edge, cards in zip(layout_edges, random_layouts, strict=True)
        ]
    )
    return FaceUpEstimate(
        hands, layouts, seed, unseen,
        mean=float(adjusted.mean()),
        standard_error=float(adjusted.std(ddof=1)) / sqrt(layouts),
    )  # fmt: skip


def _edge(payoffs: Payoffs, cards: tuple[int, ...]) -> Fraction:
    with KernelPool(2 * KERNEL_CALLS) as pool:
        return exposure_edge(payoffs, KnownCards(dead_cards=cards), pool).player_edge


def _draw_layouts(hands: int, layouts: int, seed: int) -> list[tuple[int, ...]]:
    generator = np.random.Generator(np.random.Philox(key=seed))
    return [tuple(generator.permutation(CARDS)[: 2 * hands].tolist()) for _ in range(layouts)]


def _adjusted_edge(edge: Fraction, single_card_edges: list[float], cards: tuple[int, ...]) -> float:
    """The layout's edge less the control variate: its single cards' deviations from their mean."""
    mean = sum(single_card_edges) / RANKS
    return float(edge) - sum(single_card_edges[card >> 2] - mean for card in cards)
