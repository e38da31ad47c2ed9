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

from headsup.game.values import hands

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


class Deck:
    """All cards, holes and seven-card hands of some ranks; a set of cards is a mask of places."""

    def __init__(self, ranks: Cards) -> None:
        self.cards = [4 * rank + suit for rank in ranks for suit in range(4)]
        self.holes: list[Cards] = list(combinations(self.cards, 2))
        self.masks = np.array([self.mask(hole) for hole in self.holes])
        self.apart = (self.masks[:, None] & self.masks) == 0
        self.strengths = np.zeros(1 << len(self.cards), np.int32)
        for seven in combinations(self.cards, 7):
            self.strengths[self.mask(seven)] = hands.strength(seven)

    def mask(self, cards: Cards) -> int:
        return sum(1 << self.cards.index(card) for card in cards)


@cache
def deck_of(ranks: Cards) -> Deck:
    return Deck(ranks)


class Board:
    """Every hole on one board against every dealer hand."""

    def __init__(self, cards: Cards, deck: Deck, qualifier: int) -> None:
        self.cards = cards
        board = deck.mask(cards)
        self.holes = np.flatnonzero(deck.masks & board == 0)
        strengths = deck.strengths[deck.masks[self.holes] | board]
        apart = deck.apart[np.ix_(self.holes, self.holes)]
        qualifies = strengths >= qualifier
        who = np.stack([~qualifies, qualifies], 1).astype(np.float32)  # small counts: exact
        win = (apart & (strengths[:, None] > strengths)) @ who
        tie = (apart & (strengths[:, None] == strengths)) @ who
        lose = (apart & (strengths[:, None] < strengths)) @ who
        self.categories = strengths >> 20
        self.dealers = int(apart[0].sum())
        self.counts = np.stack([lose, tie, win], 1).astype(np.int64)

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
    deck = deck_of(tuple(sorted(ranks)))
    holes = deck.holes
    flops: dict[Cards, int] = {flop: i for i, flop in enumerate(combinations(deck.cards, 3))}
    boards = [Board(board, deck, game.qualifier) for board in combinations(deck.cards, 5)]
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
        its_flops = [[flops[flop]] for flop in combinations(board.cards, 3)]
        on_flop[0][its_flops, board.holes] += taken(options)
        for m in game.flop:
            on_flop[m][its_flops, board.holes] += values[m]
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
    flat = np.zeros(30 * 10 * 6, np.int64)
    for board, on_river in zip(boards, river, strict=True):
        in_pocket = pocket[board.holes]
        raised = on_flop[[[flops[flop]] for flop in combinations(board.cards, 3)], board.holes]
        later = np.where(raised > 0, tens["flop"] + raised, tens["river"] + on_river)
        decided = np.where(in_pocket > 0, tens["pocket"] + in_pocket, later)
        cells = 6 * (10 * decided + board.categories)[:, :, None] + np.arange(6)
        counts = np.broadcast_to(board.counts.reshape(-1, 6), cells.shape)
        flat += np.bincount(cells.ravel(), counts.ravel(), len(flat)).astype(np.int64)
    tally = flat.reshape(30, 10, 3, 2)
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
