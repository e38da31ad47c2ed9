"""One of the two cards after the flop, the turn or the river, seen before the pocket decision.

Whoever has seen it knows it on the flop too, and decides there by it. So each card that may be
seen is a game of its own, with layers of its own; those that renamed suits make alike are one.
"""

from collections.abc import Sequence
from functools import partial
from math import comb

import numpy as np

from headsup.analysis.kernels.base.arrays import ExposedLayers, Int64s, RiverChoice
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import (
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANKS,
    SUITED_FLOPS,
    TYPES,
)
from headsup.analysis.kernels.protect.river_seen import (
    SeenScratch,
    collect_seen_ranks,
    collect_seen_suits,
)
from headsup.analysis.kernels.solve.flops import LayerScratch, choose_rank_boards
from headsup.analysis.protect.exposure import (
    KERNEL_CALLS,
    ExposureResult,
    KnownCardValues,
    build_layers,
    combine_results,
    decide_before_flop,
    decide_with_flop,
)
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.solver.chunks import KernelPool
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.layers import edge_choice, river_choice, river_terms
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.showdowns import Showdowns

RIVER_KERNEL_CALLS = KERNEL_CALLS + 900  # as `KERNEL_CALLS`
ORDERS = 2  # either of the two cards may be the one seen


def river_exposure_edges(
    payoffs: Payoffs, known: KnownCards, crew: KernelPool, seen: Sequence[int]
) -> list[ExposureResult]:
    """As `known_edges`, with one card seen that comes after the flop."""
    dealers = comb(known.left - 7, 2 - len(known.dealer))
    seeing = build_layers(payoffs, known, dealers, crew)
    deals = (known.left - 6) * dealers
    found: list[list[tuple[int, ExposureResult]]] = [[] for _ in seen]
    for rank in known.deck.ranks:
        cards_seen = _seen_cards(known, rank)
        if not cards_seen:
            continue
        layers = _layers(payoffs, known, seeing.showdowns, rank, crew)
        for card, weight in cards_seen:
            beside = KnownCards(known.dealer, (*known.out, card), known.deck)
            sights = 2 * seeing.layers.sights + (np.arange(4) == card & 3)
            own = KnownCardValues(layers._replace(sights=sights), 0)
            for place, cards in enumerate(seen):
                one = (
                    decide_with_flop(payoffs, beside, own, deals, crew)
                    if cards == 3
                    else decide_before_flop(payoffs, beside, cards, own, deals, crew)
                )
                found[place].append((weight, one))
    each = ORDERS * FLOPS_PER_BOARD * seeing.raising
    return [
        _add_base_value(combine_results(cases), comb(3, cards) * each)
        for cards, cases in zip(seen, found, strict=True)
    ]


def _add_base_value(one: ExposureResult, value: int) -> ExposureResult:
    """With what the least raise on the flop is worth, over which everything else was a gain."""
    return ExposureResult(
        one.value + value, one.raises, one.decisions, one.classes, one.deals, one.unit
    )


def _seen_cards(known: KnownCards, rank: int) -> list[tuple[int, int]]:
    """The cards of a rank up to suits, with how many each stands for."""
    alike: dict[int, int] = {}
    for card in range(4 * rank, 4 * rank + 4):
        if not known.taken >> card & 1:
            first = min(4 * rank + renaming[card & 3] for renaming in known.renamings)
            alike[first] = alike.get(first, 0) + 1
    return list(alike.items())


def _layers(
    payoffs: Payoffs, known: KnownCards, met: Sequence[Showdowns], rank: int, crew: KernelPool
) -> ExposedLayers:
    """By sight twice: for a card of that rank of another suit, then for the suit's own."""
    dealers = met[0].dealers
    choices = (
        river_choice(river_terms(payoffs, dealers)),
        edge_choice(dealers),
    )
    by_ranks = np.zeros((2, RANK_FLOPS, PAIRS), np.int64)
    by_suits = np.zeros((2, 2 * len(met), SUITED_FLOPS, TYPES), np.int64)
    left = 4 - np.array([bin(known.taken >> 4 * r & 15).count("1") for r in range(RANKS)])
    crew.run(
        partial(_collect, choice, met, rank, left, by_ranks[place], by_suits[place])
        for place, choice in enumerate(choices)
    )
    return ExposedLayers(by_ranks[0], by_ranks[1], np.zeros(4, np.int64), by_suits[0], by_suits[1])


def _collect(
    choice: RiverChoice,
    met: Sequence[Showdowns],
    rank: int,
    left: Int64s,
    by_ranks: Int64s,
    by_suits: Int64s,
) -> None:
    known, used = board_tables(), SeenScratch.empty()
    values = np.zeros((RANK_BOARDS, PAIRS), np.int64)
    counts, actions = met[0].rank_boards, np.empty((RANK_BOARDS, PAIRS), np.uint8)
    choose_rank_boards(0, RANK_BOARDS, counts, choice, LayerScratch.empty(), values, actions)
    collect_seen_ranks(
        rank, left, known.rank_boards, known.types, counts.verdict, values, used, by_ranks
    )
    for place, showdowns in enumerate(met):
        collect_seen_suits(
            *(rank, known.suited_boards, known.rank_boards, showdowns.ways.types),
            *(showdowns.suited_boards, choice, values, used),
            *(by_suits[2 * place + 1], by_suits[2 * place]),
        )
