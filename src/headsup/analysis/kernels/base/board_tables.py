"""What is known of boards, flops and hole cards before any hand is compared, as lookups."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    BoardTables,
    DeckTerms,
    Flops,
    Holes,
    HoleTypes,
    RankBoards,
    RankFlops,
    SuitedBoards,
    Ways,
)
from headsup.analysis.kernels.base.numbering import (
    FIRST_THREE_SUITED_FLOP,
    FIRST_TWO_SUITED_FLOP,
    PAIRS,
    RANKS,
    SETS_OF_THREE,
    TYPES,
    multiset3_number,
    pair_number,
    pocket_class,
    set2_number,
    set3_number,
    type_number,
)

CARDS_PER_RANK, OFF_CARDS_PER_RANK = np.full(RANKS, 4), np.full(RANKS, 3)


def _sets(count: int) -> list[tuple[int, ...]]:
    return sorted(combinations(range(RANKS), count), key=lambda ranks: ranks[::-1])


def _multisets(count: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(range(RANKS), count)
    return sorted(chosen, key=lambda ranks: ranks[::-1])


def _bytes(rows: object) -> NDArray[np.uint8]:
    return np.array(rows, np.uint8)


def _ways(
    dealt: NDArray[np.uint8], held: NDArray[np.uint8], of_a_rank: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Ways to deal each row of ranks from a deck that lacks the hole cards `held`.

    `of_a_rank` says how many cards of each rank there are. Kinds of the flush suit are no ranks,
    and take nothing from the off cards. A hole that needs more than there are is never dealt.
    """
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(5)])
    ranks = np.arange(RANKS)
    times = (dealt[:, :, None] == ranks).sum(1)
    lacking = (held[:, :, None] == ranks).sum(1)
    ways = np.ones((len(dealt), len(held)), np.int64)
    for rank in range(RANKS):
        left = np.maximum(of_a_rank[rank] - lacking[:, rank], 0)
        ways *= choose[left[None, :], times[:, None, rank]]
    return ways


def _flops() -> Flops:
    """One flop of each pattern of suits: clubs, diamonds, hearts in the order first needed."""
    rainbow = _multisets(3)
    flops = [(4 * a, 4 * b + 1, 4 * c + 2) for a, b, c in rainbow]
    weights = [24 // prod((1, 1, 2, 6)[ranks.count(r)] for r in set(ranks)) for ranks in rainbow]
    flops += [(4 * a, 4 * b, 4 * off + 1) for a, b in _sets(2) for off in range(RANKS)]
    weights += [12] * (78 * RANKS)
    flops += [(4 * a, 4 * b, 4 * c) for a, b, c in _sets(3)]
    weights += [4] * SETS_OF_THREE
    ranks = [multiset3_number(*sorted(card >> 2 for card in flop)) for flop in flops]
    views = [[suited_flop_number(flop, suit) for suit in range(3)] for flop in flops]
    return Flops(
        cards=_bytes(flops),
        weight=np.array(weights, np.int64),
        ranks=np.array(ranks, np.int16),
        views=np.array(views, np.int16),
    )


def suited_flop_number(flop: Sequence[int], suit: int) -> int:
    """The suited flop that a suit sees, -1 where the flop has none of it."""
    suited = sorted(card >> 2 for card in flop if card & 3 == suit)
    off = sorted(card >> 2 for card in flop if card & 3 != suit)
    match suited:
        case [a]:
            return a * PAIRS + pair_number(*off)
        case [a, b]:
            return FIRST_TWO_SUITED_FLOP + set2_number(a, b) * RANKS + off[0]
        case [a, b, c]:
            return FIRST_THREE_SUITED_FLOP + set3_number(a, b, c)
    return -1


def _suited_boards() -> SuitedBoards:
    ranks, masks = [], []
    for count in (3, 4, 5):
        suited, off = np.array(_sets(count)), np.array(_multisets(5 - count), np.int64)
        off = off.reshape(len(off), 5 - count)
        ranks.append(np.hstack([suited.repeat(len(off), 0), np.tile(off, (len(suited), 1))]))
        masks.append((1 << suited).sum(1).repeat(len(off)))
    return SuitedBoards(
        threes=_bytes(_sets(3)),
        fours=_bytes(_sets(4)),
        fives=_bytes(_sets(5)),
        ranks=_rank_numbers(np.sort(np.concatenate(ranks), 1)),
        suited=np.concatenate(masks).astype(np.uint16),
    )


def _rank_numbers(rows: NDArray[np.int64]) -> NDArray[np.int16]:
    """`multiset5` of many boards at once."""
    binomial = np.array([[comb(n, k) for k in range(6)] for n in range(RANKS + 5)])
    numbers = np.zeros(len(rows), np.int64)
    for i in range(5):
        numbers += binomial[rows[:, i] + i, i + 1]
    return numbers.astype(np.int16)


@cache
def board_tables() -> BoardTables:
    boards, rank_flops, pairs = (_bytes(_multisets(count)) for count in (5, 3, 2))
    return BoardTables(
        types=_types(),
        rank_boards=RankBoards(boards, _ways(boards, pairs, CARDS_PER_RANK)),
        rank_flops=RankFlops(rank_flops, _ways(rank_flops, pairs, CARDS_PER_RANK)),
        suited_boards=_suited_boards(),
        holes=_holes(),
        flops=_flops(),
    )


def _types() -> HoleTypes:
    pairs = _multisets(2)
    kinds = list(pairs)
    kinds += [(off, RANKS + suited) for off in range(RANKS) for suited in range(RANKS)]
    kinds += [(RANKS + a, RANKS + b) for a, b in _sets(2)]
    ranks = [sorted(kind % RANKS for kind in pair) for pair in kinds]
    held = _bytes(kinds)
    return HoleTypes(
        kinds=held,
        pair=_bytes([pair_number(a, b) for a, b in ranks]),
        ranks=_bytes(pairs),
        ways2=_ways(_bytes(pairs), held, OFF_CARDS_PER_RANK),
        ways1=_ways(_bytes(_multisets(1)), held, OFF_CARDS_PER_RANK),
    )


def _holes() -> Holes:
    holes = [(a, b) for b in range(52) for a in range(b)]

    def seen_from(suit: int) -> list[int]:
        def kind(card: int) -> int:
            return (card >> 2) + (RANKS if card & 3 == suit else 0)

        return [type_number(kind(a), kind(b)) for a, b in holes]

    return Holes(
        cards=_bytes(holes),
        pair=_bytes([pair_number(a >> 2, b >> 2) for a, b in holes]),
        pocket=_bytes([pocket_class(a, b) for a, b in holes]),
        type=np.array([seen_from(suit) for suit in range(4)], np.uint16),
    )


@cache
def full_deck_ways() -> Ways:
    """From the whole deck, where every suit sees the same."""
    known = board_tables()
    return Ways(
        known.types, known.rank_boards, known.rank_flops.ways, _suited_flop_ways(known.types)
    )


def deck_ways(terms: DeckTerms) -> Ways:
    """From a deck that may lack some cards."""
    known = board_tables()
    pairs, of_a_rank = known.types.ranks, terms.off + terms.suited
    types = known.types._replace(
        ways2=_ways(pairs, known.types.kinds, terms.off),
        ways1=_ways(_bytes(_multisets(1)), known.types.kinds, terms.off),
    )
    return Ways(
        types,
        known.rank_boards._replace(ways=_ways(known.rank_boards.ranks, pairs, of_a_rank)),
        _ways(known.rank_flops.ranks, pairs, of_a_rank),
        _suited_flop_ways(types),
    )


def _suited_flop_ways(types: HoleTypes) -> NDArray[np.int64]:
    """[suited flop, type]: ways to deal the flop's off cards beside the hole."""
    one = np.tile(types.ways2, (RANKS, 1))
    two = np.tile(types.ways1, (78, 1))
    return np.concatenate([one, two, np.ones((SETS_OF_THREE, TYPES), np.int64)])
