"""Kernels for a player who sees dealer or flop cards before the first decision.

With one dealer card known, the dealer has at most 45 possible hands, one per remaining card; with
both known, one. They are sorted by strength, and each type of player's hole cards
(see `numbering`) is ranked among them. The player's strengths do not depend on the dealer's cards:
they are filled once for all of these.
Hands that contain one of the player's cards are left out of the counts.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    END_OF_ROW,
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
PLACES = 32  # at least one for each kind; a power of two, for the search
NOWHERE = 99  # for kinds that the dealer cannot hold; beyond every place


class ExposedScratch(NamedTuple):
    """Scratch memory for one board."""

    remaining: Int64s  # [kind]: cards in the deck
    strengths: Int64s  # [place]: those of the dealer's hands, ascending, then END_OF_ROW
    members: Int64s  # [hand]: the kind of the dealer's other card, by strength
    hands: Int64s  # [place]: hands of this strength
    passed: Int64s  # [place]: hands in the places before
    place_of: Int64s  # [kind]

    @classmethod
    def empty(cls) -> "ExposedScratch":
        return cls(*(np.zeros(PLACES + 1, np.int64) for _ in cls._fields))


@bare_kernel
def _fill_remaining(
    mask: int, ranks: Any, terms: DeckTerms, tables: StrengthTables, scratch: ExposedScratch
) -> int:
    """Fill `scratch.remaining` for a board, whose flush suit has these ranks. Returns its code."""
    code = 0
    for rank in range(RANKS):
        scratch.remaining[rank] = terms.off[rank] + (mask >> rank & 1)
        scratch.remaining[RANKS + rank] = terms.suited[rank] - (mask >> rank & 1)
    for i in range(5):
        scratch.remaining[ranks[i]] -= 1
        code += tables.rank_codes[ranks[i]]
    return code


@bare_kernel
def _suited_count(board: int) -> int:
    return 3 if board < FIRST_FOUR_SUITED else 4 if board < FIRST_FIVE_SUITED else 5


@entry_kernel
def fill_strengths(
    first: int, last: int, terms: DeckTerms, boards: SuitedBoards, rank_boards: RankBoards,
    types: HoleTypes, tables: StrengthTables, scratch: ExposedScratch, strengths: Any,
) -> None:  # fmt: skip
    """Fill the strength of each type on these suited boards. `terms` are those of a whole deck."""
    kinds, remaining = types.kinds, scratch.remaining
    for board in range(first, last):
        mask, suited = np.int64(boards.suited[board]), _suited_count(board)
        ranks = rank_boards.ranks[boards.ranks[board]]
        code = _fill_remaining(mask, ranks, terms, tables, scratch)
        possible = True
        for kind in range(KINDS):
            possible &= remaining[kind] >= 0
        for i in range(kinds.shape[0] if possible else 0):
            x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
            if remaining[y] > 0 and remaining[x] > (1 if x == y else 0):
                strengths[board, i] = kinds_strength(code, suited, mask, x, y, tables)


@entry_kernel
def fill_rank_strengths(
    first: int, last: int, terms: DeckTerms, rank_boards: RankBoards, types: HoleTypes,
    tables: StrengthTables, scratch: ExposedScratch, strengths: Any,
) -> None:  # fmt: skip
    """The same for rank boards, as if no flush were possible."""
    kinds, remaining = types.kinds, scratch.remaining
    for board in range(first, last):
        code = _fill_rank_remaining(rank_boards.ranks[board], terms, tables, scratch)
        possible = True
        for rank in range(RANKS):
            possible &= remaining[rank] >= 0
        for i in range(kinds.shape[0] if possible else 0):
            x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
            if remaining[y] > 0 and remaining[x] > (1 if x == y else 0):
                strengths[board, i] = kinds_strength(code, 0, 0, x, y, tables)


@bare_kernel
def _fill_rank_remaining(
    ranks: Any, terms: DeckTerms, tables: StrengthTables, scratch: ExposedScratch
) -> int:
    code = 0
    scratch.remaining[:] = 0
    for rank in range(RANKS):
        scratch.remaining[rank] = terms.off[rank] + terms.suited[rank]
    for i in range(5):
        scratch.remaining[ranks[i]] -= 1
        code += tables.rank_codes[ranks[i]]
    return code


@bare_kernel
def _count_exposed_board(
    board: int, code: int, suited: int, mask: int, dealer: Any, qualifier: int, types: HoleTypes,
    tables: StrengthTables, player_strengths: Any, scratch: ExposedScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Fill one board's row: every type against every possible dealer hand."""
    for kind in range(KINDS):
        if scratch.remaining[kind] < 0:
            return  # the deck does not have the board's cards
    kinds = types.kinds
    win, tie, weak = counts.win[board], counts.tie[board], counts.weak[board]
    verdict, own = counts.verdict[board], player_strengths[board]
    remaining, strengths, members = scratch.remaining, scratch.strengths, scratch.members
    hands, passed, place_of = scratch.hands, scratch.passed, scratch.place_of
    if len(dealer) == 2:
        theirs = kinds_strength(code, suited, mask, dealer[0], dealer[1], tables)
        is_weak = 1 if theirs < qualifier else 0
        for i in range(win.shape[0]):
            x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
            if remaining[y] > 0 and remaining[x] > (1 if x == y else 0):
                player = np.int64(own[i])
                win[i] = player > theirs
                tie[i] = player == theirs
                weak[i] = is_weak
                verdict[i] = (player >> 20) + (QUALIFIES if player >= qualifier else 0)
        return
    place_of[:] = NOWHERE
    count = 0
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
    places = 0  # of different strengths
    for i in range(count):
        if places == 0 or strengths[places - 1] != strengths[i]:
            strengths[places], hands[places] = strengths[i], 0
            places += 1
        hands[places - 1] += remaining[members[i]]
        place_of[members[i]] = places - 1
    for place in range(places, PLACES):
        strengths[place], hands[place] = END_OF_ROW, 0
    weak_places = 0
    passed[0] = 0
    for place in range(PLACES):
        passed[place + 1] = passed[place] + hands[place]
        weak_places += strengths[place] < qualifier
    for i in range(win.shape[0]):
        x, y = np.int64(kinds[i, 0]), np.int64(kinds[i, 1])
        if remaining[y] <= 0 or remaining[x] <= (1 if x == y else 0):
            continue
        player = np.int64(own[i])
        low = 16 * (strengths[15] < player)  # the number of weaker places, without branches
        low += 8 * (strengths[low + 7] < player)
        low += 4 * (strengths[low + 3] < player)
        low += 2 * (strengths[low + 1] < player)
        low += strengths[low] < player
        equal = low + (strengths[low] == player)
        first, second = place_of[x], place_of[y]
        beaten = passed[low] - (first < low) - (second < low)
        win[i] = beaten
        tie[i] = passed[equal] - (first < equal) - (second < equal) - beaten
        weak[i] = passed[weak_places] - (first < weak_places) - (second < weak_places)
        verdict[i] = (player >> 20) + (QUALIFIES if player >= qualifier else 0)


@entry_kernel
def count_exposed_rank_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, rank_boards: RankBoards, types: HoleTypes,
    tables: StrengthTables, strengths: Any, scratch: ExposedScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count rank boards, as if no flush were possible. `dealer` holds ranks."""
    for board in range(first, last):
        code = _fill_rank_remaining(rank_boards.ranks[board], terms, tables, scratch)
        _count_exposed_board(
            board, code, 0, 0, dealer, terms.qualifier, types, tables, strengths, scratch, counts
        )


@entry_kernel
def count_exposed_suited_boards(
    first: int, last: int, terms: DeckTerms, dealer: Any, boards: SuitedBoards,
    rank_boards: RankBoards, types: HoleTypes, tables: StrengthTables, strengths: Any,
    scratch: ExposedScratch, counts: DealerCounts,
) -> None:  # fmt: skip
    """Count suited boards. `dealer` holds kinds."""
    for board in range(first, last):
        mask, ranks = np.int64(boards.suited[board]), rank_boards.ranks[boards.ranks[board]]
        code = _fill_remaining(mask, ranks, terms, tables, scratch)
        _count_exposed_board(
            board, code, _suited_count(board), mask, dealer, terms.qualifier, types, tables,
            strengths, scratch, counts,
        )  # fmt: skip


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
