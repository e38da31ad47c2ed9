"""Cards of the dealer or of the flop that are seen before the player's first decision.

With one dealer card known the dealer has at most 45 hands, one for each card left; with both known
there is one. They are sorted by strength, and each type of the player's finds its place among them.
Of the hands passed, those that hold one of the player's own cards are not dealt.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    QUALIFIES,
    DealerCounts,
    DeckTerms,
    ExposedFlops,
    ExposedLayers,
    Holes,
    HoleTypes,
    RankBoards,
    StrengthTables,
    SuitedBoards,
)
from headsup.analysis.kernels.base.compiled import kernel
from headsup.analysis.kernels.base.evaluator import LOW_BITS
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    HOLES,
    RANKS,
)

KINDS = 2 * RANKS
NOWHERE = 99  # the place of a kind that the dealer cannot hold: never passed


@kernel
def kinds_strength(code: int, suited: int, mask: int, x: int, y: int, look: StrengthTables) -> int:
    """Of the board and two kinds of card; `suited` board cards are of the flush suit."""
    places, low, high, ranks, flush = look.places, look.low, look.high, look.ranks, look.flush
    held = suited + (x >= RANKS) + (y >= RANKS)
    if suited > 0 and held >= 5:
        if x >= RANKS:
            mask |= 1 << (x - RANKS)
        if y >= RANKS:
            mask |= 1 << (y - RANKS)
        return np.int64(flush[mask])
    key = code + places[x % RANKS] + places[y % RANKS]
    return np.int64(ranks[low[key & ((1 << LOW_BITS) - 1)] + high[key >> LOW_BITS]])


@kernel
def _count_exposed_board(
    board: int, code: int, suited: int, mask: int, dealer: Any, left: Any, qualifier: int,
    types: HoleTypes, look: StrengthTables, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill one board's row: every type against every hand with the dealer's known kinds."""
    kinds = types.kinds
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict = counts.verdict[board]
    strengths = np.zeros(KINDS + 1, np.int64)
    hands = np.zeros(KINDS + 1, np.int64)
    place_of = np.full(KINDS, NOWHERE, np.int64)
    passed = np.zeros(KINDS + 2, np.int64)
    found = 0
    if len(dealer) == 2:
        strengths[0] = kinds_strength(code, suited, mask, dealer[0], dealer[1], look)
        hands[0] = 1
        found = 1
    else:
        members = np.zeros(KINDS + 1, np.int64)
        for x in range(KINDS if suited > 0 else RANKS):
            if left[x] <= 0:
                continue
            strength = kinds_strength(code, suited, mask, dealer[0], x, look)
            at = found
            while at > 0 and strengths[at - 1] > strength:
                strengths[at], members[at] = strengths[at - 1], members[at - 1]
                at -= 1
            strengths[at], members[at] = strength, x
            found += 1
        for at in range(found):
            place_of[members[at]] = at
            hands[at] = left[members[at]]
    weak_places = 0
    for at in range(found):
        passed[at + 1] = passed[at] + hands[at]
        weak_places += strengths[at] < qualifier
    for i in range(win.shape[0]):
        x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
        if left[y] <= 0 or left[x] <= (1 if x == y else 0):
            continue
        own = kinds_strength(code, suited, mask, x, y, look)
        low, high = 0, found
        while low < high:
            middle = (low + high) >> 1
            if strengths[middle] < own:
                low = middle + 1
            else:
                high = middle
        equal = low
        while equal < found and strengths[equal] == own:
            equal += 1
        first, second = place_of[x], place_of[y]
        beaten = passed[low] - (first < low) - (second < low)
        win[i] = beaten
        tie[i] = passed[equal] - (first < equal) - (second < equal) - beaten
        weak[i] = passed[weak_places] - (first < weak_places) - (second < weak_places)
        verdict[i] = (own >> 20) + (QUALIFIES if own >= qualifier else 0)


@kernel
def count_exposed_rank_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, rank_boards: RankBoards, types: HoleTypes,
    look: StrengthTables, counts: DealerCounts,
) -> None:  # fmt: skip
    """Boards as ranks alone, as if no flush were possible; `dealer` has ranks."""
    left = np.zeros(KINDS, np.int64)
    ranks, places = rank_boards.ranks, look.places
    for board in range(first, last):
        code = 0
        for rank in range(RANKS):
            left[rank] = terms.off[rank] + terms.suited[rank]
        for i in range(5):
            left[ranks[board, i]] -= 1
            code += places[ranks[board, i]]
        if left.min() >= 0:
            _count_exposed_board(
                board, code, 0, 0, dealer, left, terms.qualifier, types, look, counts
            )


@kernel
def count_exposed_suited_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, boards: SuitedBoards,
    rank_boards: RankBoards, types: HoleTypes, look: StrengthTables, counts: DealerCounts,
) -> None:  # fmt: skip
    """Boards on which the flush suit may make a flush; `dealer` has kinds."""
    left = np.zeros(KINDS, np.int64)
    ranks, places = rank_boards.ranks, look.places
    for board in range(first, last):
        mask = np.int64(boards.suited[board])
        code = 0
        for rank in range(RANKS):
            left[rank] = terms.off[rank] + (mask >> rank & 1)
            left[RANKS + rank] = terms.suited[rank] - (mask >> rank & 1)
        for i in range(5):
            rank = ranks[boards.ranks[board], i]
            left[rank] -= 1
            code += places[rank]
        if left.min() >= 0:
            suited = 3 if board < FIRST_FOUR_SUITED else 4 if board < FIRST_FIVE_SUITED else 5
            _count_exposed_board(
                board, code, suited, mask, dealer, left, terms.qualifier, types, look, counts
            )


@kernel
def decide_exposed_flops(
    first: int, last: int, seen: int, flops: ExposedFlops, holes: Holes, layers: ExposedLayers,
    more: int, taken: int, situation: Any, sums: Any,
) -> None:  # fmt: skip
    """Add what each flop's best action gains, and the edge, to what the player then knew.

    Gains are over the least raise on the flop; the most stakes `more` beyond it.
    `taken` is a mask of the cards that no hole and no flop has. The player has seen `seen` cards
    of the flop, 0 to 2: `situation[hole, those cards]` numbers what was known.
    """
    cards, held = flops.cards, holes.cards
    for flop in range(first, last):
        used = taken
        for i in range(3):
            used |= 1 << np.int64(cards[flop, i])
        for hole in range(HOLES):
            if (used >> np.int64(held[hole, 0]) | used >> np.int64(held[hole, 1])) & 1:
                continue
            edge, best = _on_flop(flop, hole, flops, holes, layers, more)
            weight = flops.weight[flop]
            for chosen in range(3 if seen > 0 else 1):
                known = 0
                if seen == 1:
                    known = np.int64(cards[flop, chosen])
                elif seen == 2:
                    a = np.int64(cards[flop, 0 if chosen < 2 else 1])
                    b = np.int64(cards[flop, 1 if chosen == 0 else 2])
                    known = a + b * (b - 1) // 2
                at = situation[hole, known]
                sums[at, 0] += weight * best
                sums[at, 1] += weight * edge


@kernel
def decide_seen_flops(
    first: int, last: int, flops: ExposedFlops, holes: Holes, layers: ExposedLayers,
    more: int, taken: int, raises: Any, sums: Any,
) -> None:  # fmt: skip
    """The same where all of the flop is seen: each flop with each hole is a decision of its own.

    `raises` are what the least and the most raise before the flop stake beyond the least on it.
    Sums up what the best action gains, and counts raises and all decisions.
    """
    cards, held = flops.cards, holes.cards
    for flop in range(first, last):
        used = taken
        for i in range(3):
            used |= 1 << np.int64(cards[flop, i])
        for hole in range(HOLES):
            if (used >> np.int64(held[hole, 0]) | used >> np.int64(held[hole, 1])) & 1:
                continue
            edge, checked = _on_flop(flop, hole, flops, holes, layers, more)
            best = max(checked, raises[0] * edge, raises[1] * edge)
            sums[0] += flops.weight[flop] * best
            sums[1] += flops.weight[flop] * (best > checked)
            sums[2] += flops.weight[flop]


@kernel
def _on_flop(
    flop: int, hole: int, flops: ExposedFlops, holes: Holes, layers: ExposedLayers, more: int
) -> Any:
    """The edge, and what the best of what the player may do on the flop gains."""
    ranks, pair = flops.ranks[flop], holes.pair[hole]
    check, edge = layers.rank_check[ranks, pair], layers.rank_edge[ranks, pair]
    for suit in range(4):
        view = flops.views[flop, suit]
        if view >= 0:
            sight, held = layers.sights[suit], holes.type[suit, hole]
            check += layers.check[sight, view, held]
            edge += layers.edge[sight, view, held]
    return edge, max(0, check, more * edge)
