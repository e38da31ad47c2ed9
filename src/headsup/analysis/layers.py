"""Layers: one quantity summed over every turn and river, for each flop and type of hole."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Crew, Sums, split
from headsup.analysis.kernels.flops import (
    BASE,
    EDGE,
    SAVED,
    collect_rank_boards,
    collect_suited_boards,
    divide,
    fill_rank_boards,
    vary,
)
from headsup.analysis.kernels.lattice import (
    FIRST_FOUR,
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
from headsup.analysis.payoffs import LOSE, TIE, WIN, Payoffs
from headsup.analysis.showdowns import Showdowns

Int64s = NDArray[np.int64]
Actions = NDArray[np.uint8]
VERDICTS = 32
NEVER = -(1 << 62)  # folding so bad that no hand does it
CHUNKS = 16  # of the boards with three suited cards, and a quarter as many of the others


@dataclass(frozen=True)
class Layer:
    """The last row of each sums over all boards, for decisions before the flop."""

    ranks: Int64s  # [rank flop, pair]
    suits: Int64s  # [suited flop, type]


@dataclass(frozen=True)
class Terms:
    """Payoffs by verdict, against all dealer hands at once, as kernels want them."""

    pays: Int64s  # [verdict]: of Ante and Odds, linear in 1, wins, ties, weak dealer hands
    fold: Int64s  # [verdict]
    least: int  # what the least river raise stakes, in units
    most: int

    @classmethod
    def of(cls, payoffs: Payoffs, dealers: int) -> "Terms":
        """A player who qualifies beats every weak hand; who does not, loses to all others."""
        pays, fold = np.zeros((VERDICTS, 4), np.int64), np.zeros(VERDICTS, np.int64)
        for category, pay in enumerate(payoffs.base):
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
        river = [multiple * payoffs.unit for multiple in payoffs.river_multiples]
        return cls(pays, fold, min(river), max(river))

    def changed(self, other: "Terms") -> NDArray[np.bool_]:
        """The verdicts with which a river decision may differ between the two."""
        if not self.least == self.most == other.least == other.most:
            return np.ones(VERDICTS, np.bool_)
        changed: NDArray[np.bool_] = (self.pays != other.pays).any(1) | (self.fold != other.fold)
        return changed


@dataclass(frozen=True)
class River:
    """Actions on every board, and the layer of what they gain over the least raise."""

    terms: Terms
    ranks: Actions  # [rank board, pair]: boards that allow no flush
    suited: Actions  # [suited board, type]
    saved: Layer


@cache
def view_ways() -> Int64s:
    """[suited flop, type]: ways to deal the flop's off cards beside the hole."""
    known = lattice()
    one = np.tile(known.ways2, (RANKS, 1))
    two = np.tile(known.ways1, (78, 1))
    return np.concatenate([one, two, np.ones((THREES, TYPES), np.int64)])


class Collector:
    """Collects layers for one set of showdowns."""

    def __init__(self, showdowns: Showdowns, crew: Crew) -> None:
        self.showdowns, self._crew = showdowns, crew
        dealers = showdowns.deck.dealers
        nothing = Terms(np.zeros((VERDICTS, 4), np.int64), np.zeros(VERDICTS, np.int64), 0, 0)
        self._dealers = dealers
        self.edge, _ = self._collect(EDGE, nothing, *_no_actions())

    def base(self, terms: Terms, asked: NDArray[np.bool_]) -> tuple[Layer, bool]:
        """Ante and Odds, and whether hands of the verdicts asked about ever fold on the river."""
        fold = np.where(asked, terms.fold, NEVER)
        return self._collect(BASE, replace(terms, fold=fold), *_no_actions())

    def river(self, terms: Terms) -> River:
        ranks = np.zeros((RANK_BOARDS, PAIRS), np.uint8)
        suited = np.zeros((SUITED_BOARDS, TYPES), np.uint8)
        saved, _ = self._collect(SAVED, terms, ranks, suited)
        return River(terms, ranks, suited, saved)

    def varies(self, river: River) -> NDArray[np.bool_]:
        """[verdict]: whether some hand does other than raise the least."""
        varies = np.zeros(VERDICTS, np.bool_)
        vary(0, RANK_BOARDS, self.showdowns.rank_boards.verdict, river.ranks, varies)
        vary(0, SUITED_BOARDS, self.showdowns.suited_boards.verdict, river.suited, varies)
        return varies

    def _collect(
        self, layer: int, terms: Terms, rank_actions: Actions, suited_actions: Actions
    ) -> tuple[Layer, bool]:
        known, on = lattice(), self.showdowns
        told = (self._dealers, terms.pays, terms.fold, terms.least, terms.most)
        values = np.zeros((RANK_BOARDS, PAIRS), np.int64)
        folds = [fill_rank_boards(layer, *on.rank_boards.rows, *told, values, rank_actions)]
        by_ranks = np.zeros((RANK_FLOPS + 1, PAIRS), np.int64)
        sums = Sums(lambda: np.zeros((SUITED_FLOPS + 1, TYPES), np.int64))

        def collect(first: int, last: int) -> None:
            with sums.one() as flops:
                folded = collect_suited_boards(
                    *(layer, first, last, known.suited_threes, known.suited_fours),
                    *(known.suited_fives, known.off_pair, known.board_ranks, known.pair_of_type),
                    *(known.ways2, known.ways1, *on.suited_boards.rows, *told, values),
                    *(flops, suited_actions),
                )
                folds.append(folded)

        calls: list[Callable[[], object]] = [
            partial(collect, first * PAIRS, last * PAIRS)
            for first, last in split(0, THREES, CHUNKS)
        ]
        calls += [partial(collect, *part) for part in split(FIRST_FOUR, SUITED_BOARDS, CHUNKS // 4)]
        calls.append(
            partial(
                collect_rank_boards,
                *(known.rank_board, known.rank_board_ways, on.rank_boards.verdict, values),
                by_ranks,
            )
        )
        self._crew.run(calls)
        by_suits, *others = sums.all()
        other = others.pop() if others else np.zeros_like(by_suits)
        for more in others:
            by_suits += more
        by_suits[-1] += other[-1]
        divide(0, RANK_FLOPS, known.rank_flop_ways, by_ranks, np.zeros_like(by_ranks))
        self._crew.run(
            partial(divide, *part, view_ways(), by_suits, other)
            for part in split(0, SUITED_FLOPS, 4)
        )
        return Layer(by_ranks, by_suits), any(folds)


def _no_actions() -> tuple[Actions, Actions]:
    """Rows for kernels that fill none."""
    return np.zeros((1, PAIRS), np.uint8), np.zeros((1, TYPES), np.uint8)
