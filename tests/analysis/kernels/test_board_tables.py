"""Boards, flops and holes are numbered without gaps or duplicates."""

from itertools import combinations
from math import comb, prod

import numpy as np

from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FLOPS,
    PAIRS,
    RANKS,
    SUITED_BOARDS,
    hole_number,
    multiset3_number,
    multiset5_number,
    pair_number,
    pocket_class,
    set3_number,
    type_number,
)

TABLES = board_tables()
TYPES, BOARDS, HOLES = TABLES.types, TABLES.suited_boards, TABLES.holes


def test_numbers_are_consecutive() -> None:
    assert [type_number(*row) for row in TYPES.kinds.tolist()] == list(range(338))
    assert [pair_number(*row) for row in TYPES.ranks.tolist()] == list(range(91))
    assert [multiset3_number(*row) for row in TABLES.rank_flops.ranks.tolist()] == list(range(455))
    assert [multiset5_number(*row) for row in TABLES.rank_boards.ranks.tolist()] == list(
        range(6188)
    )
    assert [set3_number(*row) for row in BOARDS.threes.tolist()] == list(range(286))
    assert [hole_number(*row) for row in HOLES.cards.tolist()] == list(range(1326))


def test_there_are_169_pocket_classes() -> None:
    counts = np.bincount(HOLES.pocket)
    assert sorted(counts.tolist()) == [4] * 78 + [6] * 13 + [12] * 78
    assert pocket_class(51, 47) == pocket_class(47, 51)


def test_canonical_flops_stand_for_all() -> None:
    assert len(TABLES.flops.cards) == FLOPS == 1755
    assert TABLES.flops.weight.sum() == comb(52, 3)


def test_canonical_boards_by_pattern_of_suits() -> None:
    """The count of Waugh and Burnside, from the same pieces: 134,459."""
    pairs = comb(13, 2)
    patterns = {
        "2-1-1-1": pairs * comb(15, 3),
        "2-2-1": pairs * (pairs + 1) // 2 * 13,
        "3-1-1": FIRST_FOUR_SUITED,
        "3-2": comb(13, 3) * pairs,
        "4-1": FIRST_FIVE_SUITED - FIRST_FOUR_SUITED,
        "5": SUITED_BOARDS - FIRST_FIVE_SUITED,
    }
    assert sum(patterns.values()) == 134_459


def test_every_real_board_is_counted_once() -> None:
    """Ways to deal suited boards beside no hole: those with three or more of a suit."""
    three = sum(prod(comb(3, row.count(r)) for r in {*row}) for row in TYPES.ranks.tolist())
    dealt = comb(13, 3) * three + comb(13, 4) * 39 + comb(13, 5)
    with_a_flush = sum(comb(13, k) * comb(39, 5 - k) for k in (3, 4, 5))
    assert dealt == with_a_flush


def test_number_of_ways_beside_a_hole() -> None:
    """C(50, 5) boards beside every pair of ranks; C(39 - off, 2) off cards beside every type."""
    assert {*TABLES.rank_boards.ways.sum(0).tolist()} == {comb(50, 5)}
    off = (TYPES.kinds < RANKS).sum(1)
    assert TYPES.ways2.sum(0).tolist() == [comb(39 - int(count), 2) for count in off]
    assert TYPES.ways1.sum(0).tolist() == [39 - int(count) for count in off]


def test_every_hole_has_a_type() -> None:
    for suit in range(4):
        for hole, (a, b) in enumerate(HOLES.cards.tolist()):
            kinds = [(card >> 2) + (RANKS if card & 3 == suit else 0) for card in (a, b)]
            assert HOLES.type[suit, hole] == type_number(*kinds)


def test_views_of_a_flop_share_its_ranks() -> None:
    for flop, cards in enumerate(TABLES.flops.cards.tolist()):
        suits = [card & 3 for card in cards]
        seen = {suit for suit in range(3) if TABLES.flops.suited_flops[flop, suit] >= 0}
        assert seen == {*suits}
        assert TABLES.flops.ranks[flop] == multiset3_number(*sorted(card >> 2 for card in cards))


def test_boards_know_their_suited_ranks() -> None:
    number = 0
    for three in sorted(combinations(range(RANKS), 3), key=lambda ranks: ranks[::-1]):
        for pair in TYPES.ranks.tolist():
            ranks = sorted([*three, *pair])
            assert BOARDS.ranks[number] == multiset5_number(*ranks)
            assert BOARDS.suited[number] == sum(1 << rank for rank in three)
            number += 1
    assert number == FIRST_FOUR_SUITED == 286 * PAIRS
