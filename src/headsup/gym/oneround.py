"""One round, number by number: arrays of one row would take most of a step's time.

It deals, decides and pays as `RoundBatch` does with many, which is its twin in the tests.
"""

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.game.values.hands import strength
from headsup.gym.deals import CARDS_DEALT, CARDS_SHOWN, DEALER, HIDDEN_CARD
from headsup.gym.oracle import POCKET, RIVER, Oracle
from headsup.gym.rounds import payoff_nets
from headsup.gym.side_bets import SideBets


class OneRound:
    """`best` is the best action of the present decision, looked up when it came."""

    def __init__(self, oracle: Oracle, sides: SideBets | None = None) -> None:
        self._oracle, self._sides = oracle, sides
        self.dealt = CARDS_DEALT if sides is None else sides.dealt
        self._places = np.arange(self.dealt)
        self.deck = list(range(52))
        self.street, self.best = POCKET, 0
        self._raises = [len(street) for street in oracle.multiples]
        self.actions = max(self._raises) + 1
        base, fold = payoff_nets(oracle.payoffs)
        self._base, self._fold = base.tolist(), fold.tolist()
        self._pocket_values: dict[int, float] = {}

    def deal(self, random: np.random.Generator) -> None:
        """Fisher and Yates; with the same seed the same cards as a batch of one round."""
        deck = list(range(52))
        for place, other in enumerate(random.integers(self._places, 52).tolist()):
            deck[place], deck[other] = deck[other], deck[place]
        self.begin(deck)

    def begin(self, deck: list[int]) -> None:
        self.deck, self.street = deck, POCKET
        self.best = self._oracle.best_of(self.cards)

    @property
    def cards(self) -> list[int]:
        """What the player sees."""
        return self.deck[: CARDS_SHOWN[self.street]]

    def seen(self) -> Int64s:
        shown = self.cards
        return np.array(shown + [HIDDEN_CARD] * (7 - len(shown)), np.int64)

    def mask(self) -> NDArray[np.int8]:
        raises = self._raises[self.street]
        return np.array([1] * (1 + raises) + [0] * (self.actions - 1 - raises), np.int8)

    def pocket_value(self) -> float:
        """Of the whole round with best play, before the flop."""
        number = pocket_class(*self.deck[:2])
        if number not in self._pocket_values:
            values = self._oracle.values(self.deck[:2]).values()
            self._pocket_values[number] = float(max(values))
        return self._pocket_values[number]

    def decide(self, action: int) -> tuple[int, bool, float]:
        """The action, once it is one of its street; whether the round is over; its net in Antes."""
        taken = min(action, self._raises[self.street])
        if taken == 0 and self.street != RIVER:
            self.street += 1
            self.best = self._oracle.best_of(self.cards)
            return taken, False, 0.0
        multiple = self._oracle.multiples[self.street][taken - 1] if taken else 0
        return taken, True, self._settled(multiple)

    def _settled(self, multiple: int) -> float:
        deck = self.deck
        own, dealer = strength(deck[:7]), strength(deck[2:7] + deck[DEALER])
        result = (own > dealer) - (own < dealer)
        if multiple:
            qualifies = dealer >= self._oracle.payoffs.qualifier
            net: float = self._base[own >> 20][1 + result][qualifies] + multiple * result
        else:
            net = self._fold[own >> 20]
        if self._sides is not None:
            rows = np.array([deck], np.int64), np.array([own], np.int64)
            net += float(self._sides.nets(*rows)[0]) / self._sides.ante
        return net
