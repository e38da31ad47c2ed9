"""Rounds played side by side: who has decided what, and what it nets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.payoffs import Payoffs
from headsup.gym.deals import (
    CARDS_DEALT,
    CARDS_SHOWN,
    DEALER,
    HIDDEN_CARD,
    hand_strengths,
    shuffle_decks,
)
from headsup.gym.oracle import RIVER, Oracle
from headsup.gym.side_bets import SideBets

Float64s = NDArray[np.float64]


@dataclass(frozen=True)
class StepResults:
    """What one action of every round came to."""

    taken: Int64s  # the action, once it is one of its street
    ended: NDArray[np.bool_]
    nets: Float64s  # in Antes; 0 where the round goes on


class RoundBatch:
    """As many rounds as there are decks; each stands on its own street."""

    def __init__(self, count: int, oracle: Oracle, sides: SideBets | None = None) -> None:
        self.oracle, self._sides = oracle, sides
        self.dealt = CARDS_DEALT if sides is None else sides.dealt
        self.decks: Int64s = np.tile(np.arange(52), (count, 1))
        self.street = np.zeros(count, np.int64)
        self._places = np.arange(7)
        self._shown = np.array(CARDS_SHOWN)
        self._raises = np.array([len(street) for street in oracle.multiples])
        self._multiples = np.zeros((3, 1 + int(self._raises.max())), np.int64)
        for number, street in enumerate(oracle.multiples):
            self._multiples[number, 1 : 1 + len(street)] = street
        self._base, self._fold = payoff_nets(oracle.payoffs)

    @property
    def actions(self) -> int:
        """Checking or folding, and the raises of the street that has most."""
        return int(self._raises.max()) + 1

    def deal(self, random: np.random.Generator, which: NDArray[np.bool_]) -> None:
        decks = np.tile(np.arange(52), (int(which.sum()), 1))
        shuffle_decks(decks, random, self.dealt)
        self.decks[which] = decks
        self.street[which] = 0

    def seen(self) -> Int64s:
        """The seven cards of each round, as far as its player sees them."""
        hidden = self._places >= self._shown[self.street][:, None]
        return np.where(hidden, HIDDEN_CARD, self.decks[:, :7])

    def masks(self) -> NDArray[np.int8]:
        allowed = np.arange(self.actions) <= self._raises[self.street][:, None]
        return allowed.astype(np.int8)

    def best(self) -> Int64s:
        """The best action of each round's decision."""
        found = np.zeros(len(self.street), np.int64)
        for street in range(3):
            here = np.flatnonzero(self.street == street)
            if len(here):
                found[here] = self.oracle.best(street, self.decks[here, :7])
        return found

    def decide(self, actions: Int64s) -> StepResults:
        """An action beyond a street's raises is its largest raise."""
        taken = np.minimum(actions, self._raises[self.street])
        multiples = self._multiples[self.street, taken]
        folds = (multiples == 0) & (self.street == RIVER)
        ended = (multiples > 0) | folds
        nets = np.zeros(len(taken))
        at = np.flatnonzero(ended)
        if len(at):
            nets[at] = self._settled(self.decks[at], multiples[at])
        self.street = np.where(ended, self.street, self.street + 1)
        return StepResults(taken, ended, nets)

    def _settled(self, decks: Int64s, multiples: Int64s) -> Float64s:
        own = hand_strengths(decks[:, :7])
        dealer = hand_strengths(np.concatenate([decks[:, 2:7], decks[:, DEALER]], axis=1))
        result = 1 + np.sign(own - dealer)
        qualifies = (dealer >= self.oracle.payoffs.qualifier).astype(np.int64)
        raised = self._base[own >> 20, result, qualifies] + multiples * (result - 1)
        settled: Float64s = np.where(multiples == 0, self._fold[own >> 20], raised)
        if self._sides is not None:
            settled += self._sides.nets(decks, own) / self._sides.ante
        return settled


def payoff_nets(payoffs: Payoffs) -> tuple[Float64s, Float64s]:
    """Ante and Odds by [category, result, dealer qualifies], and of a fold by category."""
    return payoffs.base / payoffs.unit, payoffs.fold / payoffs.unit
