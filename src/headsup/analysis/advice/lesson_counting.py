"""Counting what is to be learnt of a solved game, which needs the kernels.

Kinds of hands and the short card are lines of a written strategy: one vocabulary, one evaluation.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.advice.lessons import KindOfHand, Lessons, ShortCard
from headsup.analysis.kernels.base.arrays import PASSIVE
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import PAIRS
from headsup.analysis.kernels.solve.features import Features, flop_features, river_features
from headsup.analysis.solver.actions import Actions, StrategyActions
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.strategies.evaluation import evaluate_strategy
from headsup.analysis.strategies.examples import shipped_text
from headsup.analysis.strategies.ranges import write_range
from headsup.analysis.strategies.vocabulary import FLOP, RIVER, parse_rule
from headsup.analysis.strategies.written_strategy import (
    PASSIVE_ACTIONS,
    POCKET,
    RAISE,
    WrittenStrategy,
    parse_strategy,
)

SHORT_CARD = "five-lines"  # of those shipped
# A hand is of the first kind whose line applies.
FLOP_KINDS = ("hidden pair or better", "four to a flush", "open-ended straight draw", "anything")
RIVER_KINDS = (
    "straight or better",
    "hidden pair or better",
    "fewer than 18 dealer outs",
    "fewer than 21 dealer outs",
    "anything",
)
_REST = "all other hands"
_WITH_ARTICLE = ("hidden", "pair", "straight", "flush", "full")

Numbers = NDArray[np.int64]


def count_lessons(strategy: Strategy) -> Lessons:
    actions = strategy.actions
    return Lessons(_card(strategy.solution), _flop_kinds(actions), _river_kinds(actions))


# The short card.


def short_card(best: Solution) -> WrittenStrategy:
    """The shipped card; before the flop it is the chart of these rules."""
    card = parse_strategy(shipped_text(SHORT_CARD), SHORT_CARD)
    raising = [number for number, action in enumerate(best.pocket_values.actions) if action]
    chart = replace(card.streets[POCKET], lines={RAISE: (write_range(raising),)})
    return replace(card, streets={**card.streets, POCKET: chart})


def _card(best: Solution) -> ShortCard:
    card = short_card(best)
    found = evaluate_strategy(best.payoffs, card, SHORT_CARD)
    return ShortCard(SHORT_CARD, card_words(card), found.house_edge, found.cost, found.streets)


def card_words(card: WrittenStrategy) -> dict[str, str]:
    """By street, what to do in a sentence."""
    words = {}
    for street, rules in card.streets.items():
        lines = (f"a {one}" if one.startswith(_WITH_ARTICLE) else one for one in rules.lines[RAISE])
        rest = f"{rules.otherwise or PASSIVE_ACTIONS[street]} the rest.".capitalize()
        words[street] = f"Raise with {', or '.join(lines)}. {rest}"
    return words


# Kinds of hands.


def _flop_kinds(actions: StrategyActions) -> tuple[KindOfHand, ...]:
    known, features = board_tables(), flop_features()
    checked = np.array(actions.pocket.actions)[known.holes.pocket] == PASSIVE
    dealt = (features.category >= 0) & checked
    return _kinds(FLOP, FLOP_KINDS, features, known.flops.weight[:, None] * dealt, actions.flop)


def _river_kinds(actions: StrategyActions) -> tuple[KindOfHand, ...]:
    known, (features, _) = board_tables(), river_features()
    checked = np.array(actions.pocket.actions)[known.holes.pocket] == PASSIVE
    holes = np.bincount(known.holes.pair[checked], minlength=PAIRS)
    weights = known.rank_boards.ways * holes
    return _kinds(RIVER, RIVER_KINDS, features, weights, actions.river.ranks)


def _kinds(
    street: str, lines: Sequence[str], features: Features, weights: Numbers, actions: Actions
) -> tuple[KindOfHand, ...]:
    left, raised, total = weights.copy(), actions != PASSIVE, int(weights.sum())
    found = []
    for line in lines:
        applies = parse_rule(line, street, street).applies(features)
        seen = int(left[applies].sum())
        acts = int(left[applies & raised].sum())
        name = _REST if line == lines[-1] else line
        found.append(KindOfHand(name, Fraction(seen, total), Fraction(acts, seen or 1)))
        left[applies] = 0
    return tuple(found)
