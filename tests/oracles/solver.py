"""A slow solver for small decks: every deal, the plain evaluator, no types, suits or sweeps.

On each real board all holes are compared with all holes, in one matrix.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from headsup.game import hands

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """Pays by rule, not by table: everything in units of `unit` to the Ante."""

    unit: int
    odds: dict[int, int]  # by category: what winning Odds pay
    bad_beat: dict[int, int]  # what losing Odds pay; otherwise they lose
    qualifier: int
    pocket: tuple[int, ...] = (3,)
    flop: tuple[int, ...] = (2,)
    river: tuple[int, ...] = (1,)
    side: dict[int, int] = field(default_factory=dict)  # a side wager by category, riding along
    forfeits: int = 0  # what folding costs of it; otherwise it stays

    def net(self, multiple: int, category: int, result: int, qualifies: bool) -> int:
        ante = result * self.unit if qualifies else 0
        odds = 0
        if result > 0:
            odds = self.odds.get(category, 0)
        if result < 0:
            odds = self.bad_beat.get(category, -self.unit)
        return ante + odds + multiple * result * self.unit + self.side.get(category, 0)

    def fold(self, category: int) -> int:
        side = -self.forfeits if self.forfeits else self.side.get(category, 0)
        return -2 * self.unit + side

    def nets(self, multiple: int) -> NDArray[np.int64]:
        """By category, result and whether the dealer qualifies; multiple 0 folds."""
        if multiple == 0:
            return np.array([np.full((3, 2), self.fold(category)) for category in range(10)])
        return np.array(
            [
                [[self.net(multiple, c, result, bool(q)) for q in (0, 1)] for result in (-1, 0, 1)]
                for c in range(10)
            ]
        )


@dataclass
class Answer:
    edge: Fraction
    pocket: dict[Cards, dict[int, Fraction]]  # hole: value of each multiple, 0 to check
    joint: Counter[tuple[str, int, int, int, bool]]
    deals: int


@cache
def strength(cards: Cards) -> int:
    return hands.strength(cards)


class Board:
    """Every hole on one board against every dealer hand."""

    def __init__(self, board: Cards, holes: list[Cards], qualifier: int) -> None:
        self.cards = board
        self.holes = np.array([i for i, hole in enumerate(holes) if not {*hole} & {*board}])
        dealt = [holes[i] for i in self.holes]
        strengths = np.array([strength(tuple(sorted(board + hole))) for hole in dealt])
        masks = np.array([1 << a | 1 << b for a, b in dealt])
        apart = (masks[:, None] & masks) == 0
        against = np.sign(strengths[:, None] - strengths)
        qualifies = strengths >= qualifier
        self.categories = strengths >> 20
        self.dealers = int(apart[0].sum())
        self.counts = np.array(
            [
                [(apart & (against == result) & who).sum(1) for who in (~qualifies, qualifies)]
                for result in (-1, 0, 1)
            ]
        ).transpose(2, 0, 1)

    def values(self, nets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of each hole, over all dealer hands."""
        return np.asarray((self.counts * nets[self.categories]).sum((1, 2)))


def best(options: dict[int, NDArray[np.int64]]) -> NDArray[np.int64]:
    """The multiple with the greatest value; of equal ones the smallest, as in the solver."""
    multiples = sorted(options)
    values = np.array([options[multiple] for multiple in multiples])
    return np.asarray(np.array(multiples)[values.argmax(0)])


def taken(options: dict[int, NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.asarray(np.array(list(options.values())).max(0))


def solve(game: Game, ranks: Sequence[int]) -> Answer:
    deck = [4 * rank + suit for rank in sorted(ranks) for suit in range(4)]
    holes: list[Cards] = list(combinations(deck, 2))
    flops: dict[Cards, int] = {flop: i for i, flop in enumerate(combinations(deck, 3))}
    boards = [Board(board, holes, game.qualifier) for board in combinations(deck, 5)]
    on_flop = {m: np.zeros((len(flops), len(holes)), np.int64) for m in (0, *game.flop)}
    pocket = {m: np.zeros(len(holes), np.int64) for m in (0, *game.pocket)}
    dealt = np.zeros(len(holes), np.int64)
    river = []
    nets = {m: game.nets(m) for m in (0, *game.pocket, *game.flop, *game.river)}
    for board in boards:
        values = {m: board.values(nets[m]) for m in nets}
        options = {m: values[m] for m in (0, *game.river)}
        river.append(best(options))
        dealt[board.holes] += 10 * board.dealers
        for flop in combinations(board.cards, 3):
            on_flop[0][flops[flop], board.holes] += taken(options)
            for m in game.flop:
                on_flop[m][flops[flop], board.holes] += values[m]
        for m in game.pocket:
            pocket[m][board.holes] += 10 * values[m]
    pocket[0] = taken(on_flop).sum(0)
    worth = {
        hole: {m: Fraction(int(pocket[m][i]), int(dealt[i]) * game.unit) for m in pocket}
        for i, hole in enumerate(holes)
    }
    joint = _joint(boards, flops, best(pocket), best(on_flop), river)
    deals = int(dealt.sum())
    edge = -Fraction(int(taken(pocket).sum()), deals * game.unit)
    return Answer(edge, worth, joint, deals)


def _joint(
    boards: list[Board],
    flops: dict[Cards, int],
    pocket: NDArray[np.int64],
    on_flop: NDArray[np.int64],
    river: list[NDArray[np.int64]],
) -> Counter[tuple[str, int, int, int, bool]]:
    """Deals by street and multiple of the decision, category, result, dealer qualifies."""
    tens = {"pocket": 0, "flop": 10, "river": 20}
    tally = np.zeros((30, 10, 3, 2), np.int64)
    for board, on_river in zip(boards, river, strict=True):
        in_pocket = pocket[board.holes]
        for flop in combinations(board.cards, 3):
            raised = on_flop[flops[flop], board.holes]
            later = np.where(raised > 0, tens["flop"] + raised, tens["river"] + on_river)
            decided = np.where(in_pocket > 0, tens["pocket"] + in_pocket, later)
            np.add.at(tally, (decided, board.categories), board.counts)
    return Counter(
        {
            (street, multiple, category, result, bool(qualifies)): deals
            for street, ten in tens.items()
            for multiple in range(10)
            for category in range(10)
            for result in (-1, 0, 1)
            for qualifies in (0, 1)
            if (deals := int(tally[ten + multiple, category, result + 1, qualifies]))
        }
    )
