"""Kernels for a player who sees dealer or flop cards before the first decision.

With one dealer card known, the dealer has at most 45 possible hands, one per remaining card; with
both known, one. They are sorted by strength, and each type of player's hole cards
(see `numbering`) is ranked among them.
Hands that contain one of the player's cards are left out of the counts.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    QUALIFIES,
    DealerCounts,
    DeckTerms,
    ExposedFlops,
    ExposedLayers,
    Holes,
    HoleTypes,
    Int64s,
    RankBoards,
    StrengthTables,
    SuitedBoards,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import kinds_strength
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    HOLES,
    RANKS,
)

KINDS = 2 * RANKS
NOWHERE = 99  # for kinds that the dealer cannot hold; beyond every place


class ExposedScratch(NamedTuple):
    """Scratch memory for one board."""

    remaining: Int64s  # [kind]: cards in the deck
    strengths: Int64s  # [place]: the dealer's hands, ascending
    members: Int64s  # [place]: the kind of the dealer's other card
    hands: Int64s  # [place]: hands of this strength
    passed: Int64s  # [place]: hands in the places before
    place_of: Int64s  # [kind]

    @classmethod
    def empty(cls) -> "ExposedScratch":
        return cls(*(np.zeros(KINDS + 2, np.int64) for _ in cls._fields))


@bare_kernel
def _count_exposed_board(
    board: int, code: int, suited: int, mask: int, dealer: Any, qualifier: int, types: HoleTypes,
    tables: StrengthTables, scratch: ExposedScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill one board's row: every type against every possible dealer hand."""
    for kind in range(KINDS):
        if scratch.remaining[kind] < 0:
            return  # the deck does not have the board's cards
    kinds = types.kinds
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    remaining, strengths, members = scratch.remaining, scratch.strengths, scratch.members
    hands, passed, place_of = scratch.hands, scratch.passed, scratch.place_of
    place_of[:] = NOWHERE
    passed[0] = 0
    count = 0
    if len(dealer) == 2:
        strengths[0] = kinds_strength(code, suited, mask, dealer[0], dealer[1], tables)
        hands[0] = 1
        count = 1
    else:
        for x in range(KINDS if suited > 0 else RANKS):
            if remaining[x] <= 0:
                continue
            strength = kinds_strength(code, suited, mask, dealer[0], x, tables)
            place = count
            while place > 0 and strengths[place - 1] > strength:
                strengths[place], members[place] = strengths[place - 1], members[place - 1]
                place -= 1
            strengths[place], members[place] = strength, x
            count += 1
        for place in range(count):
            place_of[members[place]] = place
            hands[place] = remaining[members[place]]
    weak_places = 0
    for place in range(count):
        passed[place + 1] = passed[place] + hands[place]
        weak_places += strengths[place] < qualifier
    for i in range(win.shape[0]):
        x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
        if remaining[y] <= 0 or remaining[x] <= (1 if x == y else 0):
            continue
        player = kinds_strength(code, suited, mask, x, y, tables)
        low, high = 0, count
        while low < high:
            middle = (low + high) >> 1
            if strengths[middle] < player:
                low = middle + 1
            else:
                high = middle
        equal = low
        while equal < count and strengths[equal] == player:
            equal += 1
        first, second = place_of[x], place_of[y]
        beaten = passed[low] - (first < low) - (second < low)
        win[i] = beaten
        tie[i] = passed[equal] - (first < equal) - (second < equal) - beaten
        weak[i] = passed[weak_places] - (first < weak_places) - (second < weak_places)
        verdict[i] = (player >> 20) + (QUALIFIES if player >= qualifier else 0)


@entry_kernel
def count_exposed_rank_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, rank_boards: RankBoards, types: HoleTypes,
    tables: StrengthTables, scratch: ExposedScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count rank boards, as if no flush were possible. `dealer` holds ranks."""
    remaining = scratch.remaining
    ranks, rank_codes = rank_boards.ranks, tables.rank_codes
    for board in range(first, last):
        code = 0
        remaining[:] = 0
        for rank in range(RANKS):
            remaining[rank] = terms.off[rank] + terms.suited[rank]
        for i in range(5):
            remaining[ranks[board, i]] -= 1
            code += rank_codes[ranks[board, i]]
        _count_exposed_board(
            board, code, 0, 0, dealer, terms.qualifier, types, tables, scratch, counts
        )


@entry_kernel
def count_exposed_suited_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, boards: SuitedBoards,
    rank_boards: RankBoards, types: HoleTypes, tables: StrengthTables, scratch: ExposedScratch,
    counts: DealerCounts,
) -> None:  # fmt: skip
    """Count suited boards. `dealer` holds kinds."""
    remaining = scratch.remaining
    ranks, rank_codes = rank_boards.ranks, tables.rank_codes
    for board in range(first, last):
        mask = np.int64(boards.suited[board])
        code = 0
        for rank in range(RANKS):
            remaining[rank] = terms.off[rank] + (mask >> rank & 1)
            remaining[RANKS + rank] = terms.suited[rank] - (mask >> rank & 1)
        for i in range(5):
            rank = ranks[boards.ranks[board], i]
            remaining[rank] -= 1
            code += rank_codes[rank]
        suited = 3 if board < FIRST_FOUR_SUITED else 4 if board < FIRST_FIVE_SUITED else 5
        _count_exposed_board(
            board, code, suited, mask, dealer, terms.qualifier, types, tables, scratch, counts
        )


@entry_kernel
def decide_exposed_flops(
    first: int, last: int, seen_count: int, flops: ExposedFlops, holes: Holes,
    layers: ExposedLayers, extra_stake: int, taken_mask: int, situations: Any, sums: Any,
) -> None:  # fmt: skip
    """Add each flop's best gain, and its edge, to the situation that the player was in.

    Gains are over the smallest flop raise; the largest stakes `extra_stake` more. `taken_mask` has
    the cards that can be neither in a hole nor on a flop. The player has seen `seen_count` flop
    cards, 0 to 2; `situations[hole, seen cards]` is the number of the situation.
    """
    cards, hole_cards = flops.cards, holes.cards
    for flop in range(first, last):
        unavailable = taken_mask
        for i in range(3):
            unavailable |= 1 << np.int64(cards[flop, i])
        for hole in range(HOLES):
            if (
                unavailable >> np.int64(hole_cards[hole, 0])
                | unavailable >> np.int64(hole_cards[hole, 1])
            ) & 1:
                continue
            edge, best = _flop_values(flop, hole, flops, holes, layers, extra_stake)
            weight = flops.weight[flop]
            for chosen in range(3 if seen_count > 0 else 1):
                seen_cards = 0
                if seen_count == 1:
                    seen_cards = np.int64(cards[flop, chosen])
                elif seen_count == 2:
                    a = np.int64(cards[flop, 0 if chosen < 2 else 1])
                    b = np.int64(cards[flop, 1 if chosen == 0 else 2])
                    seen_cards = a + b * (b - 1) // 2
                number = situations[hole, seen_cards]
                sums[number, 0] += weight * best
                sums[number, 1] += weight * edge


@entry_kernel
def decide_seen_flops(
    first: int, last: int, flops: ExposedFlops, holes: Holes, layers: ExposedLayers,
    extra_stake: int, taken_mask: int, raise_stakes: Any, sums: Any,
) -> None:  # fmt: skip
    """Decide for a player who has seen the whole flop: one decision per flop and hole.

    `raise_stakes` are what the smallest and largest pocket raise stake beyond the smallest flop
    raise. `sums` receives the gain of the best action, the number of raises and of decisions.
    """
    cards, hole_cards = flops.cards, holes.cards
    for flop in range(first, last):
        unavailable = taken_mask
        for i in range(3):
            unavailable |= 1 << np.int64(cards[flop, i])
        for hole in range(HOLES):
            if (
                unavailable >> np.int64(hole_cards[hole, 0])
                | unavailable >> np.int64(hole_cards[hole, 1])
            ) & 1:
                continue
            edge, check_gain = _flop_values(flop, hole, flops, holes, layers, extra_stake)
            best = max(check_gain, raise_stakes[0] * edge, raise_stakes[1] * edge)
            sums[0] += flops.weight[flop] * best
            sums[1] += flops.weight[flop] * (best > check_gain)
            sums[2] += flops.weight[flop]


@bare_kernel
def _flop_values(
    flop: int, hole: int, flops: ExposedFlops, holes: Holes, layers: ExposedLayers, extra_stake: int
) -> Any:
    """The edge, and the gain of the best flop action."""
    ranks, pair = flops.ranks[flop], holes.pair[hole]
    check_gain, edge = layers.rank_check[ranks, pair], layers.rank_edge[ranks, pair]
    for suit in range(4):
        suited_flop = flops.suited_flops[flop, suit]
        if suited_flop >= 0:
            suit_view, hole_type = layers.suit_views[suit], holes.type[suit, hole]
            check_gain += layers.check[suit_view, suited_flop, hole_type]
            edge += layers.edge[suit_view, suited_flop, hole_type]
    return edge, max(0, check_gain, extra_stake * edge)
