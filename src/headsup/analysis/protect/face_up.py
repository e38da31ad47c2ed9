"""Hands dealt face up, or told by others at the table: what knowing them is worth.

One layout of seen cards is solved exactly for all holes that are left. The effect of seeing one to
five hands is the mean over all layouts; it is estimated from layouts drawn by chance. What a layout
is worth is nearly the sum of what its cards are worth one by one; those thirteen values are solved
exactly, and taking their sum away, whose mean is known, leaves little that chance can move.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np

from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.protect.exposure import KERNEL_CALLS, exposure_edge
from headsup.analysis.protect.known import CARDS, KnownCards
from headsup.analysis.solver.chunks import KernelPool, Progress
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.workers.executor import Executor, Threads, run_chunks

MAX_OTHER_HANDS = 5  # beside one's own, at a table of six
NORMAL_95 = 1.959964  # standard errors on either side of 95 % of a normal distribution


@dataclass(frozen=True)
class FaceUpEstimate:
    """The player's edge with so many other hands seen, as estimated; per Ante."""

    hands: int
    layouts: int
    seed: int
    unseen: Fraction  # the player's edge when nothing is seen, exact
    mean: float
    standard_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """With 95 % confidence."""
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
    """Draw layouts of other hands; the same seed draws the same, and whoever works finds the same.

    Here one layout is solved after the other, by all processors; workers elsewhere each solve one.
    """
    drawn = _draw_layouts(hands, layouts, seed)
    asked = [(), *((4 * rank,) for rank in range(RANKS)), *drawn]
    unseen, *edges = run_chunks(asked, partial(_edge, payoffs), workforce or Threads(1), progress)
    alone, together = [float(edge) for edge in edges[:RANKS]], edges[RANKS:]
    worths = np.array(
        [_adjusted_edge(edge, alone, cards) for edge, cards in zip(together, drawn, strict=True)]
    )
    return FaceUpEstimate(
        hands, layouts, seed, unseen,
        mean=float(worths.mean()),
        standard_error=float(worths.std(ddof=1)) / sqrt(layouts),
    )  # fmt: skip


def _edge(payoffs: Payoffs, cards: tuple[int, ...]) -> Fraction:
    with KernelPool(2 * KERNEL_CALLS) as crew:
        return exposure_edge(payoffs, KnownCards(out=cards), crew).player_edge


def _draw_layouts(hands: int, layouts: int, seed: int) -> list[tuple[int, ...]]:
    chance = np.random.Generator(np.random.Philox(key=seed))
    return [tuple(chance.permutation(CARDS)[: 2 * hands].tolist()) for _ in range(layouts)]


def _adjusted_edge(edge: Fraction, alone: list[float], cards: tuple[int, ...]) -> float:
    """The layout's edge, less what its cards do one by one beyond what cards do on average."""
    usual = sum(alone) / RANKS
    return float(edge) - sum(alone[card >> 2] - usual for card in cards)
