"""Checks a few kernels as plain Python. A test runs this with NUMBA_DISABLE_JIT=1."""

import random

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    END_OF_ROW,
    DealerCounts,
    Situation,
    StrengthOrders,
    StrengthTables,
)
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.evaluator import evaluate, strength_tables
from headsup.analysis.kernels.base.numbering import RANKS, type_number
from headsup.analysis.kernels.solve import advice, sweep
from headsup.game.values.hands import strength


def check_sweep(generator: random.Random) -> None:
    """A board without a flush: types are pairs of ranks, sorted by the plain evaluator."""
    board = [0, 13, 26, 39, 48]
    scratch = sweep.sweep_scratch()
    scratch.remaining[:] = [4] * RANKS + [0] * RANKS
    for card in board:
        scratch.remaining[card >> 2] -= 1
    deck = [card for card in range(52) if card not in board]
    holes = [(a, b) for a in deck for b in deck if a < b]
    strengths = {hole: strength([*board, *hole]) for hole in holes}
    by_pair = {type_number(a >> 2, b >> 2): strengths[a, b] for a, b in holes}
    order = np.array(sorted(range(91), key=lambda pair: by_pair.get(pair, 0)))
    ascending = np.array([by_pair.get(pair, 0) for pair in order])
    counts = DealerCounts.empty(1, 91)
    orders = StrengthOrders(
        order[None].astype(np.uint8),
        ascending[None].astype(np.int32),
        np.zeros((1, 1, 2), np.int16),
        np.array([[END_OF_ROW]], np.int32),
    )
    sweep.sweep(0, 0, 0, 0, 1 << 20, board_tables().types, orders, scratch, counts)
    for hole in generator.sample(holes, 30):
        dealers = [v for hand, v in strengths.items() if not {*hand} & {*hole}]
        pair = type_number(hole[0] >> 2, hole[1] >> 2)
        assert counts.win[0, pair] == sum(v < strengths[hole] for v in dealers)
        assert counts.tie[0, pair] == dealers.count(strengths[hole])


def check_evaluators(generator: random.Random, tables: StrengthTables) -> None:
    hands = np.array([generator.sample(range(52), 7) for _ in range(300)])
    out = np.zeros(len(hands), np.int64)
    evaluate(hands, tables, out)
    assert out.tolist() == [strength([int(card) for card in hand]) for hand in hands]


def check_showdown(generator: random.Random, tables: StrengthTables) -> None:
    for suited in (0, 3, 4, 5):
        board = [4 * rank + 1 for rank in generator.sample(range(13), suited)]
        board += generator.sample([card for card in range(52) if card & 3 != 1], 5 - suited)
        deck = [card for card in range(52) if card not in board]
        hole, seen = generator.sample(deck, 2), generator.sample(deck, 20)
        unknown = [card for card in deck if card not in hole and card not in seen]
        mask = sum(1 << card for card in unknown)
        situation = Situation(np.array(hole), np.array(unknown), mask, 1 << 20)
        scratch = advice.advice_scratch()
        scratch.board[:] = board
        player = int(advice.count_showdown(situation, tables, scratch))
        expected = np.zeros((3, 2), np.int64)
        for i, a in enumerate(unknown):
            for b in unknown[:i]:
                dealer = strength([*board, a, b])
                expected[(player > dealer) - (player < dealer) + 1, int(dealer >= 1 << 20)] += 1
        assert player == strength([*board, *hole])
        assert (scratch.counts == expected).all()


if __name__ == "__main__":
    generator = random.Random(11)
    tables = strength_tables()
    check_sweep(generator)
    check_evaluators(generator, tables)
    check_showdown(generator, tables)
    assert not hasattr(sweep.sweep, "py_func"), "the kernels were compiled"
