"""The sweep of a board against comparing each hole with every dealer hand."""

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import IMPOSSIBLE, QUALIFIES, DealerCounts
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import RANKS, multiset5_number, type_number
from headsup.analysis.kernels.solve.sweep import strength_orders, sweep, sweep_scratch
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import strength

PAIR = 1 << 20

BOARDS = [
    "2c5d9hJsKc", "2c2d9hJsKc", "7c7d7hJsKc", "7c7d7h7sKc", "2c2d9h9sKc", "TcJdQhKsAc",  # no flush
    "2h5h9hJsKc", "2h5h9h9s9c", "2h5h9h2s5c", "ThJhQhKsAc", "2h3h4h5sAc",  # three hearts
    "2h5h9hJhKc", "ThJhQhKhKc", "2h3h4h5hAc",  # four
    "2h5h9hJhKh", "ThJhQhKhAh", "5h6h7h8h9h",  # five
]  # fmt: skip


def sweep_board(
    board: list[int], suit: int, suited: int, qualifier: int
) -> list[NDArray[np.integer[Any]]]:
    scratch = sweep_scratch()
    remaining = scratch.remaining
    remaining[:RANKS], remaining[RANKS:] = (3, 1) if suited else (4, 0)
    for card in board:
        remaining[(card >> 2) + (RANKS if suited and card & 3 == suit else 0)] -= 1
    ranks = multiset5_number(*sorted(card >> 2 for card in board))
    mask = sum(1 << (card >> 2) for card in board if card & 3 == suit) if suited else 0
    counts = DealerCounts.empty(1, 338 if suited else 91)
    sweep(
        0, ranks, suited, mask, qualifier, board_tables().types, strength_orders(), scratch, counts
    )
    return [rows[0] for rows in counts]


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("qualifier", [0, PAIR, PAIR | 9 << 16, 3 << 20])
def test_a_sweep_matches_every_dealer_hand_compared(text: str, qualifier: int) -> None:
    board = [*parse_cards(text)]
    suits = [card & 3 for card in board]
    suit = max(range(4), key=suits.count)
    suited = suits.count(suit) if suits.count(suit) >= 3 else 0
    win, tie, weak, verdict = sweep_board(board, suit, suited, qualifier)
    left = [card for card in range(52) if card not in board]
    strengths = {hole: strength([*board, *hole]) for hole in combinations(left, 2)}
    possible = set()
    for hole in random.Random(text).sample(sorted(strengths), 40):
        own = strengths[hole]
        dealers = [v for hand, v in strengths.items() if not {*hand} & {*hole}]
        kinds = [(c >> 2) + (RANKS if suited and c & 3 == suit else 0) for c in hole]
        at = type_number(*kinds)
        possible.add(at)
        assert (win[at], tie[at]) == (sum(v < own for v in dealers), dealers.count(own))
        assert weak[at] == sum(v < qualifier for v in dealers)
        assert verdict[at] == (own >> 20) + (QUALIFIES if own >= qualifier else 0)
    assert all(verdict[at] != IMPOSSIBLE for at in possible)


def test_a_hole_with_a_board_card_is_impossible() -> None:
    _, _, _, verdict = sweep_board([*parse_cards("2h5h9hJsKc")], 2, 3, PAIR)
    assert verdict[type_number(RANKS + 0, 5)] == IMPOSSIBLE  # the deuce of hearts is on the board
    assert verdict[type_number(0, 5)] != IMPOSSIBLE
