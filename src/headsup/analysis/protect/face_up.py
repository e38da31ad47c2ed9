"""Computes what it is worth to see other players' hole cards.

One layout of seen cards is solved exactly for all remaining hole cards. One other hand has 169
layouts up to suits, so its mean is exact. The mean over two to five hands is estimated from random
layouts. On each, the blind strategy is valued too. Its own mean is known, and the difference is
only what seeing gains, so little sampling error is left.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

from headsup.analysis.protect.blind import BlindStrategy
from headsup.analysis.protect.exposure import (
    KERNEL_CALLS,
    ExposureResult,
    build_layers,
    combine_results,
    decide_before_flop,
    exposure_edge,
)
from headsup.analysis.protect.known import CARDS, KnownCards
from headsup.analysis.protect.seen_cards import dealer_cases
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.workers.executor import Executor, KernelPool, Progress, Threads, run_chunks

NORMAL_95 = 1.959964  # half width of the 95% interval, in standard errors


@dataclass(frozen=True)
class FaceUpAverage:
    """The exact figures of a player who sees one other hand."""

    unseen: Fraction  # the exact player edge when nothing is seen
    layouts: int  # up to suits
    result: ExposureResult

    @property
    def hands(self) -> int:
        return 1

    @property
    def gain(self) -> Fraction:
        return self.result.player_edge - self.unseen


@dataclass(frozen=True)
class FaceUpEstimate:
    """The estimated player edge per Ante when `hands` other hands are seen."""

    hands: int
    layouts: int
    seed: int
    unseen: Fraction  # the exact player edge when nothing is seen
    gain: float
    standard_error: float

    @property
    def mean(self) -> float:
        return float(self.unseen) + self.gain

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval."""
        width = NORMAL_95 * self.standard_error
        return self.mean - width, self.mean + width


def average_seen_hand(
    payoffs: Payoffs,
    progress: Progress | None = None,
    workforce: Executor | None = None,
    deck: Deck | None = None,
) -> FaceUpAverage:
    """The exact edge of a player who sees one other hand, over all its layouts."""
    deck = deck or Deck()
    (blind,) = solve_many([payoffs], deck=deck)
    layouts = dealer_cases(2, deck)
    results = run_chunks(
        [cards for cards, _ in layouts],
        partial(_solve_layout, payoffs, deck),
        workforce or Threads(1),
        progress,
    )
    weights = [weight for _, weight in layouts]
    combined = combine_results(list(zip(weights, results, strict=True)))
    return FaceUpAverage(-blind.house_edge, len(layouts), combined)


def _solve_layout(payoffs: Payoffs, deck: Deck, cards: tuple[int, ...]) -> ExposureResult:
    with KernelPool(KERNEL_CALLS) as pool:
        return exposure_edge(payoffs, KnownCards(dead_cards=cards, deck=deck), pool)


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
    values = run_chunks(
        _draw_layouts(hands, layouts, seed),
        partial(_value_layout, payoffs),
        workforce or Threads(1),
        progress,
    )
    gains = np.array([float(value.best - value.blind) for value in values])
    return FaceUpEstimate(
        hands, layouts, seed, _blind_strategy(payoffs).player_edge,
        gain=float(gains.mean()),
        standard_error=float(gains.std(ddof=1)) / sqrt(layouts),
    )  # fmt: skip


class LayoutValue(NamedTuple):
    """The player's edge on one layout."""

    best: Fraction  # with best play for the cards that are left
    blind: Fraction  # with the blind strategy


def value_layout(blind: BlindStrategy, cards: tuple[int, ...]) -> LayoutValue:
    known = KnownCards(dead_cards=cards, deck=blind.deck)
    with KernelPool(2 * KERNEL_CALLS) as pool:
        dealers = comb(known.remaining - 7, 2)
        deals = comb(known.remaining - 5, 2) * dealers
        values = build_layers(blind.payoffs, known, dealers, pool)
        best = decide_before_flop(blind.payoffs, known, 0, values, deals, pool)
        return LayoutValue(best.player_edge, blind.edge(known, values, pool))


def _value_layout(payoffs: Payoffs, cards: tuple[int, ...]) -> LayoutValue:
    return value_layout(_blind_strategy(payoffs), cards)


_LATEST: dict[str, BlindStrategy] = {}  # one, by `Payoffs.key`; each worker process has its own


def _blind_strategy(payoffs: Payoffs) -> BlindStrategy:
    blind = _LATEST.get(payoffs.key)
    if blind is None:
        blind = BlindStrategy.of(payoffs)
        _LATEST.clear()
        _LATEST[payoffs.key] = blind
    return blind


def _draw_layouts(hands: int, layouts: int, seed: int) -> list[tuple[int, ...]]:
    generator = np.random.Generator(np.random.Philox(key=seed))
    return [tuple(generator.permutation(CARDS)[: 2 * hands].tolist()) for _ in range(layouts)]
