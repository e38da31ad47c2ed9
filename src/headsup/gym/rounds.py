"""Plays rounds: many at once as arrays, or one at a time."""

from dataclasses import dataclass
from operator import index

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.payoffs import Payoffs
from headsup.game.refusal import Code, Refused
from headsup.game.values.hands import strength
from headsup.gym.deals import (
    CARDS_DEALT,
    CARDS_SHOWN,
    DEALER,
    HIDDEN_CARD,
    hand_strengths,
    shuffle_decks,
)
from headsup.gym.oracle import POCKET, RIVER, Oracle
from headsup.gym.side_bets import SideBets

Float64s = NDArray[np.float64]


@dataclass(frozen=True)
class StepResults:
    """The result of one action in every round."""

    taken: Int64s  # the action, limited to those of the street
    ended: NDArray[np.bool_]
    nets: Float64s  # in Antes; 0 where the round goes on


class RoundBatch:
    """Many rounds, each with its own deck and on its own street."""

    def __init__(self, count: int, oracle: Oracle, sides: SideBets | None = None) -> None:
        self.oracle, self._sides = oracle, sides
        self.cards_dealt = CARDS_DEALT if sides is None else sides.cards_dealt
        self.decks: Int64s = np.tile(np.arange(52), (count, 1))
        self.street = np.zeros(count, np.int64)
        self._positions = np.arange(7)
        self._shown = np.array(CARDS_SHOWN)
        self._raises = np.array([len(street) for street in oracle.multiples])
        self._multiples = np.zeros((3, 1 + int(self._raises.max())), np.int64)
        for number, street in enumerate(oracle.multiples):
            self._multiples[number, 1 : 1 + len(street)] = street
        self._base, self._fold = payoff_nets(oracle.payoffs)

    @property
    def actions(self) -> int:
        """The number of actions: check or fold, and the raises of the street with the most."""
        return int(self._raises.max()) + 1

    def deal(self, random: np.random.Generator, mask: NDArray[np.bool_]) -> None:
        """Deal new rounds where the mask is set."""
        decks = np.tile(np.arange(52), (int(mask.sum()), 1))
        shuffle_decks(decks, random, self.cards_dealt)
        self.decks[mask] = decks
        self.street[mask] = 0

    def observations(self) -> Int64s:
        """The seven cards of each round, with those the player cannot see hidden."""
        hidden = self._positions >= self._shown[self.street][:, None]
        return np.where(hidden, HIDDEN_CARD, self.decks[:, :7])

    def action_masks(self) -> NDArray[np.int8]:
        allowed = np.arange(self.actions) <= self._raises[self.street][:, None]
        return allowed.astype(np.int8)

    def best_actions(self) -> Int64s:
        """The best action of each round's decision."""
        actions = np.zeros(len(self.street), np.int64)
        for street in range(3):
            rows = np.flatnonzero(self.street == street)
            if len(rows):
                actions[rows] = self.oracle.best_actions(street, self.decks[rows, :7])
        return actions

    def decide(self, actions: Int64s) -> StepResults:
        """Take one action in every round. Numbers too large for a street mean its largest raise."""
        taken = np.minimum(actions, self._raises[self.street])
        multiples = self._multiples[self.street, taken]
        folds = (multiples == 0) & (self.street == RIVER)
        ended = (multiples > 0) | folds
        nets = np.zeros(len(taken))
        ended_rows = np.flatnonzero(ended)
        if len(ended_rows):
            nets[ended_rows] = self._settle(self.decks[ended_rows], multiples[ended_rows])
        self.street = np.where(ended, self.street, self.street + 1)
        return StepResults(taken, ended, nets)

    def _settle(self, decks: Int64s, multiples: Int64s) -> Float64s:
        strengths = hand_strengths(decks[:, :7])
        dealer_strengths = hand_strengths(np.concatenate([decks[:, 2:7], decks[:, DEALER]], axis=1))
        result = 1 + np.sign(strengths - dealer_strengths)
        qualifies = (dealer_strengths >= self.oracle.payoffs.qualifier).astype(np.int64)
        raised = self._base[strengths >> 20, result, qualifies] + multiples * (result - 1)
        nets: Float64s = np.where(multiples == 0, self._fold[strengths >> 20], raised)
        if self._sides is not None:
            nets += self._sides.nets(decks, strengths) / self._sides.ante
        return nets


def payoff_nets(payoffs: Payoffs) -> tuple[Float64s, Float64s]:
    """In Antes: Ante and Odds by [category, result, dealer qualifies], folds by [category]."""
    return payoffs.base / payoffs.unit, payoffs.fold / payoffs.unit


def parse_action(value: object) -> int:
    """Check an action. It may exceed the last raise; booleans count as integers, as in Python."""
    try:
        number = index(value)  # type: ignore[arg-type]  # TypeError is caught
    except TypeError:
        number = -1
    if number < 0:
        raise Refused(Code.BAD_ARGUMENTS, "number_least", where="action", least=0)
    return number


def parse_actions(value: object, count: int, last: int) -> Int64s:
    """Check one action for each round; those beyond `last` become `last`."""
    array = np.asarray(value)
    if array.shape != (count,):
        raise Refused(Code.BAD_ARGUMENTS, "one_action_each", where="actions", count=count)
    if array.dtype.kind not in "iu":
        array = np.array([min(parse_action(action), last) for action in array.tolist()], np.int64)
    elif count and array.min() < 0:
        raise Refused(Code.BAD_ARGUMENTS, "number_least", where="action", least=0)
    taken: Int64s = np.minimum(array, last).astype(np.int64)
    return taken


class OneRound:
    """One round. `best_action` is that of the current decision."""

    def __init__(self, oracle: Oracle, sides: SideBets | None = None) -> None:
        self._oracle, self._sides = oracle, sides
        self.cards_dealt = CARDS_DEALT if sides is None else sides.cards_dealt
        self._positions = np.arange(self.cards_dealt)
        self.deck = list(range(52))
        self.street, self.best_action = POCKET, 0
        self._raises = [len(street) for street in oracle.multiples]
        self.actions = max(self._raises) + 1
        base, fold = payoff_nets(oracle.payoffs)
        self._base, self._fold = base.tolist(), fold.tolist()
        self._pocket_values: dict[int, float] = {}

    def deal(self, random: np.random.Generator) -> None:
        """Shuffle (Fisher–Yates) and deal. The same seed deals the same cards as a batch of one."""
        deck = list(range(52))
        for position, other in enumerate(random.integers(self._positions, 52).tolist()):
            deck[position], deck[other] = deck[other], deck[position]
        self.begin(deck)

    def begin(self, deck: list[int]) -> None:
        self.deck, self.street = deck, POCKET
        self.best_action = self._oracle.best_action(self.cards)

    @property
    def cards(self) -> list[int]:
        """The cards that the player sees."""
        return self.deck[: CARDS_SHOWN[self.street]]

    def observation(self) -> Int64s:
        visible = self.cards
        return np.array(visible + [HIDDEN_CARD] * (7 - len(visible)), np.int64)

    def action_mask(self) -> NDArray[np.int8]:
        raises = self._raises[self.street]
        return np.array([1] * (1 + raises) + [0] * (self.actions - 1 - raises), np.int8)

    def pocket_value(self) -> float:
        """The value of the whole round with best play, given the hole cards."""
        number = pocket_class(*self.deck[:2])
        if number not in self._pocket_values:
            values = self._oracle.values(self.deck[:2]).values()
            self._pocket_values[number] = float(max(values))
        return self._pocket_values[number]

    def decide(self, action: int) -> tuple[int, bool, float]:
        """Take an action. Returns the action as limited, whether the round is over, and its net."""
        taken = min(action, self._raises[self.street])
        if taken == 0 and self.street != RIVER:
            self.street += 1
            self.best_action = self._oracle.best_action(self.cards)
            return taken, False, 0.0
        multiple = self._oracle.multiples[self.street][taken - 1] if taken else 0
        return taken, True, self._settle(multiple)

    def _settle(self, multiple: int) -> float:
        deck = self.deck
        player, dealer = strength(deck[:7]), strength(deck[2:7] + deck[DEALER])
        result = (player > dealer) - (player < dealer)
        if multiple:
            qualifies = dealer >= self._oracle.payoffs.qualifier
            net: float = self._base[player >> 20][1 + result][qualifies] + multiple * result
        else:
            net = self._fold[player >> 20]
        if self._sides is not None:
            rows = np.array([deck], np.int64), np.array([player], np.int64)
            net += float(self._sides.nets(*rows)[0]) / self._sides.ante
        return net
