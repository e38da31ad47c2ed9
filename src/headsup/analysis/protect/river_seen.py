"""Computes the edge of a player who sees the turn or river card before the pocket decision.

The player still knows the card on the flop, so each card is a game with its own layers. Cards that
differ only by a permutation of suits are solved once.
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
    SharedView,
    build_layers,
    combine_results,
    decide_before_flop,
    decide_with_flop,
)
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.layers import edge_choice, river_choice, river_terms
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.workers.executor import KernelPool

RIVER_KERNEL_CALLS = KERNEL_CALLS + 900  # an estimate like `KERNEL_CALLS`
ORDERS = 2  # the card seen is the turn or the river


def river_exposure_edges(
    payoffs: Payoffs,
    known: KnownCards,
    pool: KernelPool,
    seen: Sequence[int],
    shared: SharedView | None = None,
) -> list[ExposureResult]:
    """Like `exposure_edges`, with the turn or river card seen as well."""
    dealers = comb(known.remaining - 7, 2 - len(known.dealer))
    values = build_layers(payoffs, known, dealers, pool, shared)
    deals = (known.remaining - 6) * dealers
    cases_by_seen: list[list[tuple[int, ExposureResult]]] = [[] for _ in seen]
    for rank in known.deck.ranks:
        cards_seen = _seen_cards(known, rank)
        if not cards_seen:
            continue
        layers = _layers(payoffs, known, values.showdowns, rank, pool)
        for card, weight in cards_seen:
            known_with_card = KnownCards(known.dealer, (*known.dead_cards, card), known.deck)
            suit_views = 2 * values.layers.suit_views + (np.arange(4) == card & 3)
            card_values = KnownCardValues(layers._replace(suit_views=suit_views), 0)
            for number, cards in enumerate(seen):
                result = (
                    decide_with_flop(payoffs, known_with_card, card_values, deals, pool)
                    if cards == 3
                    else decide_before_flop(
                        payoffs, known_with_card, cards, card_values, deals, pool
                    )
                )
                cases_by_seen[number].append((weight, result))
    base_value = ORDERS * FLOPS_PER_BOARD * values.min_raise_value
    return [
        _add_base_value(combine_results(cases), comb(3, cards) * base_value)
        for cards, cases in zip(seen, cases_by_seen, strict=True)
    ]


def _add_base_value(result: ExposureResult, value: int) -> ExposureResult:
    """Add the value of the smallest flop raise, over which all other values are gains."""
    return ExposureResult(
        result.value + value,
        result.raises,
        result.decisions,
        result.classes,
        result.deals,
        result.unit,
    )


def _seen_cards(known: KnownCards, rank: int) -> list[tuple[int, int]]:
    """The cards of a rank up to suits, with the number of real cards each represents."""
    counts: dict[int, int] = {}
    for card in range(4 * rank, 4 * rank + 4):
        if not known.taken_mask >> card & 1:
            representative = min(
                4 * rank + permutation[card & 3] for permutation in known.suit_permutations
            )
            counts[representative] = counts.get(representative, 0) + 1
    return list(counts.items())


def _layers(
    payoffs: Payoffs,
    known: KnownCards,
    showdowns_by_view: Sequence[Showdowns],
    rank: int,
    pool: KernelPool,
) -> ExposedLayers:
    """Layers for a seen card of this rank.

    Each suit view has two: for a card of another suit, then for a card of its own suit.
    """
    dealers = showdowns_by_view[0].dealer_hands
    choices = (
        river_choice(river_terms(payoffs, dealers)),
        edge_choice(dealers),
    )
    by_ranks = np.zeros((2, RANK_FLOPS, PAIRS), np.int64)
    by_suits = np.zeros((2, 2 * len(showdowns_by_view), SUITED_FLOPS, TYPES), np.int64)
    remaining = 4 - np.array([bin(known.taken_mask >> 4 * r & 15).count("1") for r in range(RANKS)])
    pool.run(
        partial(
            _collect, choice, showdowns_by_view, rank, remaining, by_ranks[number], by_suits[number]
        )
        for number, choice in enumerate(choices)
    )
    return ExposedLayers(by_ranks[0], by_ranks[1], np.zeros(4, np.int64), by_suits[0], by_suits[1])


def _collect(
    choice: RiverChoice,
    showdowns_by_view: Sequence[Showdowns],
    rank: int,
    remaining: Int64s,
    by_ranks: Int64s,
    by_suits: Int64s,
) -> None:
    tables, scratch = board_tables(), SeenScratch.empty()
    values = np.zeros((RANK_BOARDS, PAIRS), np.int64)
    counts, actions = showdowns_by_view[0].rank_boards, np.empty((RANK_BOARDS, PAIRS), np.uint8)
    choose_rank_boards(0, RANK_BOARDS, counts, choice, LayerScratch.empty(), values, actions)
    collect_seen_ranks(
        rank, remaining, tables.rank_boards, tables.types, counts.verdict, values, scratch, by_ranks
    )
    for view_number, showdowns in enumerate(showdowns_by_view):
        collect_seen_suits(
            *(rank, tables.suited_boards, tables.rank_boards, showdowns.ways.types),
            *(showdowns.suited_boards, choice, values, scratch),
            *(by_suits[2 * view_number + 1], by_suits[2 * view_number]),
        )
