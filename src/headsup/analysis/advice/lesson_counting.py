"""Computes the figures behind the lessons of a solved game; this needs the kernels.

Kinds of hands and the short strategy are lines of a written strategy, so they are parsed and
evaluated like one.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.advice.lessons import KindOfHand, Lessons, ShortStrategy
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
from headsup.analysis.workers.executor import Progress

SHORT_CARD = "five-lines"  # one of the shipped strategies
# A hand belongs to the first kind whose line applies.
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


def count_lessons(strategy: Strategy, progress: Progress | None = None) -> Lessons:
    actions = strategy.actions
    card = _count_card(strategy.solution, progress)
    return Lessons(card, _count_flop_kinds(actions), _count_river_kinds(actions))


# The short strategy.


def short_card(best: Solution) -> WrittenStrategy:
    """The shipped card, with the best pocket chart for this game."""
    card = parse_strategy(shipped_text(SHORT_CARD), SHORT_CARD)
    raised_classes = [number for number, action in enumerate(best.pocket_values.actions) if action]
    chart = replace(card.streets[POCKET], lines={RAISE: (write_range(raised_classes),)})
    return replace(card, streets={**card.streets, POCKET: chart})


def _count_card(best: Solution, progress: Progress | None) -> ShortStrategy:
    card = short_card(best)
    result = evaluate_strategy(best.payoffs, card, SHORT_CARD, progress)
    return ShortStrategy(
        SHORT_CARD, card_words(card), result.house_edge, result.cost, result.streets
    )


def card_words(card: WrittenStrategy) -> dict[str, str]:
    """[street]: what to do, as a sentence."""
    words = {}
    for street, rules in card.streets.items():
        lines = (
            f"a {line}" if line.startswith(_WITH_ARTICLE) else line for line in rules.lines[RAISE]
        )
        rest = f"{rules.otherwise or PASSIVE_ACTIONS[street]} the rest.".capitalize()
        words[street] = f"Raise with {', or '.join(lines)}. {rest}"
    return words


# Kinds of hands.


def _count_flop_kinds(actions: StrategyActions) -> tuple[KindOfHand, ...]:
    tables, features = board_tables(), flop_features()
    checked = np.array(actions.pocket.actions)[tables.holes.pocket] == PASSIVE
    dealt = (features.category >= 0) & checked
    return _count_kinds(
        FLOP, FLOP_KINDS, features, tables.flops.weight[:, None] * dealt, actions.flop
    )


def _count_river_kinds(actions: StrategyActions) -> tuple[KindOfHand, ...]:
    tables, (features, _) = board_tables(), river_features()
    checked = np.array(actions.pocket.actions)[tables.holes.pocket] == PASSIVE
    holes = np.bincount(tables.holes.pair[checked], minlength=PAIRS)
    weights = tables.rank_boards.ways * holes
    return _count_kinds(RIVER, RIVER_KINDS, features, weights, actions.river.ranks)


def _count_kinds(
    street: str, lines: Sequence[str], features: Features, weights: Numbers, actions: Actions
) -> tuple[KindOfHand, ...]:
    remaining, raises, total = weights.copy(), actions != PASSIVE, int(weights.sum())
    kinds = []
    for line in lines:
        applies = parse_rule(line, street, street).applies(features)
        count = int(remaining[applies].sum())
        raise_count = int(remaining[applies & raises].sum())
        name = _REST if line == lines[-1] else line
        kinds.append(KindOfHand(name, Fraction(count, total), Fraction(raise_count, count or 1)))
        remaining[applies] = 0
    return tuple(kinds)
