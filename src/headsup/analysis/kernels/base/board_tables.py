"""Builds the lookup tables for boards, flops and hole cards."""

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
    dealt: NDArray[np.uint8], held: NDArray[np.uint8], cards_per_rank: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Ways to deal each row of ranks from a deck without the hole cards `held`.

    `cards_per_rank` has the number of cards of each rank. A hole card of the flush suit is of
    another kind than any rank here, so it takes nothing from the other suits. Holes that need more
    cards than there are cannot be dealt.
    """
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(5)])
    ranks = np.arange(RANKS)
    dealt_of_rank = (dealt[:, :, None] == ranks).sum(1)
    held_of_rank = (held[:, :, None] == ranks).sum(1)
    ways = np.ones((len(dealt), len(held)), np.int64)
    for rank in range(RANKS):
        remaining = np.maximum(cards_per_rank[rank] - held_of_rank[:, rank], 0)
        ways *= choose[remaining[None, :], dealt_of_rank[:, None, rank]]
    return ways


def _flops() -> Flops:
    """One flop for each suit pattern, with clubs, diamonds and hearts in the order of first use."""
    rainbow = _multisets(3)
    flops = [(4 * a, 4 * b + 1, 4 * c + 2) for a, b, c in rainbow]
    weights = [24 // prod((1, 1, 2, 6)[ranks.count(r)] for r in set(ranks)) for ranks in rainbow]
    flops += [(4 * a, 4 * b, 4 * off + 1) for a, b in _sets(2) for off in range(RANKS)]
    weights += [12] * (78 * RANKS)
    flops += [(4 * a, 4 * b, 4 * c) for a, b, c in _sets(3)]
    weights += [4] * SETS_OF_THREE
    ranks = [multiset3_number(*sorted(card >> 2 for card in flop)) for flop in flops]
    suited_flops = [[suited_flop_number(flop, suit) for suit in range(3)] for flop in flops]
    return Flops(
        cards=_bytes(flops),
        weight=np.array(weights, np.int64),
        ranks=np.array(ranks, np.int16),
        suited_flops=np.array(suited_flops, np.int16),
    )


def suited_flop_number(flop: Sequence[int], suit: int) -> int:
    """The number of the flop as this suit views it, or -1 if it has no card of the suit."""
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
    """`multiset5_number` of many boards at once."""
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

    def types_from(suit: int) -> list[int]:
        def kind(card: int) -> int:
            return (card >> 2) + (RANKS if card & 3 == suit else 0)

        return [type_number(kind(a), kind(b)) for a, b in holes]

    return Holes(
        cards=_bytes(holes),
        pair=_bytes([pair_number(a >> 2, b >> 2) for a, b in holes]),
        pocket=_bytes([pocket_class(a, b) for a, b in holes]),
        type=np.array([types_from(suit) for suit in range(4)], np.uint16),
    )


@cache
def full_deck_ways() -> Ways:
    """Ways to deal from the whole deck, which looks the same from every suit."""
    tables = board_tables()
    return Ways(
        tables.types, tables.rank_boards, tables.rank_flops.ways, _suited_flop_ways(tables.types)
    )


def deck_ways(terms: DeckTerms) -> Ways:
    """Ways to deal from a deck that may lack some cards."""
    tables = board_tables()
    pairs, cards_per_rank = tables.types.ranks, terms.off + terms.suited
    types = tables.types._replace(
        ways2=_ways(pairs, tables.types.kinds, terms.off),
        ways1=_ways(_bytes(_multisets(1)), tables.types.kinds, terms.off),
    )
    return Ways(
        types,
        tables.rank_boards._replace(ways=_ways(tables.rank_boards.ranks, pairs, cards_per_rank)),
        _ways(tables.rank_flops.ranks, pairs, cards_per_rank),
        _suited_flop_ways(types),
    )


def _suited_flop_ways(types: HoleTypes) -> NDArray[np.int64]:
    """[suited flop, type]: ways to deal the flop's off cards with that hole."""
    one_suited = np.tile(types.ways2, (RANKS, 1))
    two_suited = np.tile(types.ways1, (78, 1))
    return np.concatenate([one_suited, two_suited, np.ones((SETS_OF_THREE, TYPES), np.int64)])
