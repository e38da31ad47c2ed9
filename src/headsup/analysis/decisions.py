"""The best decision everywhere for one set of payoffs, from counted showdowns."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, split
from headsup.analysis.kernels.flops import (
    collect_rank_boards,
    collect_suited_boards,
    decide_flops,
    rank_values,
)
from headsup.analysis.kernels.lattice import (
    FIRST_FOUR,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANKS,
    SUITED_BOARDS,
    SUITED_FLOPS,
    THREES,
    TYPES,
    lattice,
)
from headsup.analysis.kernels.sweep import QUALIFIES
from headsup.analysis.payoffs import CATEGORIES, LOSE, TIE, WIN, Payoffs
from headsup.analysis.showdowns import CHUNKS, Showdowns

Int64s = NDArray[np.int64]
Actions = NDArray[np.uint8]

PASSIVE, LEAST, MOST = range(3)  # fold or check; raise the least; raise the most
ABSENT = 255  # no such hole on this flop
CLASSES = RANKS * RANKS


@dataclass(frozen=True)
class Decisions:
    """Actions, and the pocket's values in units, summed over all deals of each class."""

    pocket: Actions  # [class]
    flop: Actions  # [canonical flop, hole]
    river_ranks: Actions  # [rank board, pair]: boards that allow no flush
    river_suited: Actions  # [suited board, type]
    raised: list[list[int]]  # [pocket multiple][class]
    checked: list[int]  # [class]


@dataclass(frozen=True)
class Layers:
    """Sums over turn and river for each flop and type: Ante and Odds, the edge, river's choice.

    One row more than flops: the last sums over all boards, for decisions before the flop.
    """

    base: Int64s
    edge: Int64s
    saved: Int64s

    @classmethod
    def empty(cls, flops: int, types: int) -> "Layers":
        base, edge, saved = (np.zeros((flops + 1, types), np.int64) for _ in range(3))
        return cls(base, edge, saved)

    @property
    def rows(self) -> tuple[Int64s, Int64s, Int64s]:
        return self.base, self.edge, self.saved


def coefficients(payoffs: Payoffs, dealers: int) -> tuple[Int64s, Int64s]:
    """The value of Ante and Odds by verdict, linear in wins, ties and weak dealer hands.

    A player who qualifies beats every weak hand; one who does not loses to all the others.
    """
    pays, base = np.zeros((32, 4), np.int64), payoffs.base
    fold = np.zeros(32, np.int64)
    for category in range(CATEGORIES):
        pay = base[category]
        fold[[category, category + QUALIFIES]] = dealers * payoffs.fold[category]
        pays[category] = (
            dealers * pay[LOSE, 1],
            pay[WIN, 0] - pay[LOSE, 0],
            pay[TIE, 0] - pay[LOSE, 0],
            pay[LOSE, 0] - pay[LOSE, 1],
        )
        pays[category + QUALIFIES] = (
            dealers * pay[LOSE, 1],
            pay[WIN, 1] - pay[LOSE, 1],
            pay[TIE, 1] - pay[LOSE, 1],
            pay[WIN, 0] - pay[WIN, 1],
        )
    return pays, fold


@cache
def view_ways() -> Int64s:
    """[suited flop, type]: ways to deal the flop's off cards beside the hole."""
    known = lattice()
    one = np.tile(known.ways2, (RANKS, 1))
    two = np.tile(known.ways1, (78, 1))
    return np.concatenate([one, two, np.ones((THREES, TYPES), np.int64)])


def decide(payoffs: Payoffs, showdowns: Showdowns, crew: Crew) -> Decisions:
    deck, known = showdowns.deck, lattice()
    pays, fold = coefficients(payoffs, deck.dealers)
    river = min(payoffs.river_multiples), max(payoffs.river_multiples)
    terms = (deck.dealers, pays, fold, payoffs.unit, *river)

    on_ranks = Layers.empty(RANK_BOARDS - 1, PAIRS)
    river_ranks = np.zeros((RANK_BOARDS, PAIRS), np.uint8)
    rank_values(0, RANK_BOARDS, *showdowns.rank_boards.rows, *terms, *on_ranks.rows, river_ranks)
    by_ranks = Layers.empty(RANK_FLOPS, PAIRS)
    river_suited = np.zeros((SUITED_BOARDS, TYPES), np.uint8)
    spare: deque[Layers] = deque()

    def collect(first: int, last: int) -> None:
        layers = spare.pop() if spare else Layers.empty(SUITED_FLOPS, TYPES)
        collect_suited_boards(
            *(first, last, known.suited_threes, known.suited_fours, known.suited_fives),
            *(known.off_pair, known.board_ranks, known.pair_of_type, known.ways2, known.ways1),
            *(*showdowns.suited_boards.rows, *terms, *on_ranks.rows, *layers.rows, river_suited),
        )
        spare.append(layers)

    calls: list[Callable[[], object]] = [
        partial(
            collect_rank_boards,
            *(known.rank_board, known.rank_board_ways, showdowns.rank_boards.verdict),
            *(values, flops),
        )
        for values, flops in zip(on_ranks.rows, by_ranks.rows, strict=True)
    ]
    calls += [partial(collect, a * PAIRS, b * PAIRS) for a, b in split(0, THREES, CHUNKS)]
    calls += [partial(collect, a, b) for a, b in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
    crew.run(calls)
    by_suits = spare.pop()
    for other in spare:
        for mine, theirs in zip(by_suits.rows, other.rows, strict=True):
            mine += theirs
    pocket, raised = _pocket_raises(payoffs, by_ranks, by_suits)
    for layers, ways in ((by_ranks, known.rank_flop_ways), (by_suits, view_ways())):
        for layer in layers.rows:
            np.floor_divide(layer[:-1], np.maximum(ways, 1), out=layer[:-1])
    flop, checked = _decide_flops(payoffs, showdowns, by_ranks, by_suits, crew)
    for number in range(CLASSES):
        best = checked[number]
        for i, action in (
            (_least(payoffs.pocket_multiples), LEAST),
            (_most(payoffs.pocket_multiples), MOST),
        ):
            if 10 * raised[i][number] > best:
                best = 10 * raised[i][number]
                pocket[number] = action
    return Decisions(pocket, flop, river_ranks, river_suited, raised, checked)


def _least(multiples: tuple[int, ...]) -> int:
    return multiples.index(min(multiples))


def _most(multiples: tuple[int, ...]) -> int:
    return multiples.index(max(multiples))


def _pocket_raises(
    payoffs: Payoffs, by_ranks: Layers, by_suits: Layers
) -> tuple[Actions, list[list[int]]]:
    """Values of raising blind, summed over all boards and dealer hands of each class."""
    known = lattice()
    base, edge = (
        ranks[-1][known.pair_of_hole] + suits[-1][known.type_of_hole].sum(0)
        for ranks, suits in ((by_ranks.base, by_suits.base), (by_ranks.edge, by_suits.edge))
    )
    raised = [[0] * CLASSES for _ in payoffs.pocket_multiples]
    for hole, number in enumerate(known.class_of_hole.tolist()):
        for i, multiple in enumerate(payoffs.pocket_multiples):
            raised[i][number] += int(base[hole]) + multiple * payoffs.unit * int(edge[hole])
    return np.zeros(CLASSES, np.uint8), raised


def _decide_flops(
    payoffs: Payoffs, showdowns: Showdowns, by_ranks: Layers, by_suits: Layers, crew: Crew
) -> tuple[Actions, list[int]]:
    known = lattice()
    options: list[Int64s] = []
    for layers in (by_ranks, by_suits):
        for multiple in (min(payoffs.flop_multiples), max(payoffs.flop_multiples)):
            options.append(layers.base + multiple * payoffs.unit * layers.edge)
        least = min(payoffs.river_multiples) * payoffs.unit
        options.append(layers.base + least * layers.edge + layers.saved)
    action = np.full((FLOPS, HOLES), ABSENT, np.uint8)
    parts = split(0, FLOPS, 2 * CHUNKS)
    totals = np.zeros((len(parts), CLASSES), np.int64)
    crew.run(
        partial(
            decide_flops,
            *(first, last, showdowns.deck.live, known.flops, known.flop_weight),
            *(known.flop_ranks, known.flop_views, known.holes, known.pair_of_hole),
            *(known.class_of_hole, known.type_of_hole, *options, action, totals[part]),
        )
        for part, (first, last) in enumerate(parts)
    )
    # Each chunk's sums fit 64 bits; the whole game's need not.
    return action, [sum(column) for column in totals.T.tolist()]
