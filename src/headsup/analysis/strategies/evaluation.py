"""Computes a written strategy's exact house edge and the cost of each departure from best play.

Each decision that the strategy actually reaches is charged with its loss if play were perfect from
there on. So the costs of all decisions add up to the cost of the strategy.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE, FlopGains
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import FLOPS
from headsup.analysis.kernels.solve.features import flop_features
from headsup.analysis.kernels.solve.flops import cost_flops
from headsup.analysis.solver.actions import StrategyActions
from headsup.analysis.solver.best_play import (
    flop_gains,
    flop_raise_spread,
    pocket_values,
    solve_flops,
)
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.layers import LayerBuilder, river_terms
from headsup.analysis.solver.payoffs import CATEGORY_COUNT, Payoffs
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution, pocket_class_name
from headsup.analysis.strategies.ranges import POCKET_CLASSES
from headsup.analysis.strategies.vocabulary import FLOP, RIVER
from headsup.analysis.strategies.written_strategy import POCKET, WrittenStrategy, strategy_actions
from headsup.analysis.workers.executor import KernelPool, Progress, split_range
from headsup.game.values.hands import Category

KERNEL_CALLS = 280  # estimate, for progress
CHUNKS = 32


@dataclass(frozen=True)
class Departure:
    """Decisions of one kind that differ from best play, and their cost per Ante."""

    street: str
    what: str  # the pocket class, or the category of the hand
    taken: str
    better: str
    cost: Fraction


@dataclass(frozen=True)
class Evaluation:
    written: WrittenStrategy
    solution: Solution  # figures of the strategy itself: edge, frequencies, deviation
    best_edge: Fraction  # the house's edge against best play
    streets: dict[str, Fraction]  # cost by street
    departures: tuple[Departure, ...]  # most expensive first

    @property
    def house_edge(self) -> Fraction:
        return self.solution.house_edge

    @property
    def cost(self) -> Fraction:
        return self.house_edge - self.best_edge


@dataclass(frozen=True)
class SolvedBaseline:
    """The solved game, against which any number of written strategies are evaluated."""

    payoffs: Payoffs
    deck: Deck
    best: StrategyActions
    showdowns: Showdowns
    counter: ResultCounter
    flop: tuple[FlopGains, FlopGains]

    @classmethod
    def of(cls, payoffs: Payoffs, pool: KernelPool, deck: Deck | None = None) -> "SolvedBaseline":
        deck = deck or Deck()
        showdowns = Showdowns.count(deck, payoffs.qualifier, pool)
        builder, counter = LayerBuilder(showdowns, pool), ResultCounter(deck, showdowns, pool)
        terms = river_terms(payoffs, deck.dealer_hands)
        river = builder.river(terms)
        flop = solve_flops(payoffs, deck, builder, river, pool)
        pocket = pocket_values(payoffs, terms, counter.tally(river.actions), flop)
        best = StrategyActions(pocket, flop.actions, river.actions)
        gains = flop_gains(payoffs, builder, river)
        return cls(payoffs, deck, best, showdowns, counter, gains)

    @property
    def best_edge(self) -> Fraction:
        values = self.best.pocket
        best_values = [
            max(
                check_value,
                *(FLOPS_PER_BOARD * raise_values[number] for raise_values in values.raise_values),
            )
            for number, check_value in enumerate(values.check_values)
        ]
        return -Fraction(sum(best_values), self.deck.deals * self.payoffs.unit)


def evaluate_strategy(
    payoffs: Payoffs, written: WrittenStrategy, where: str, progress: Progress | None = None
) -> Evaluation:
    with KernelPool(KERNEL_CALLS, progress) as pool:
        return evaluate_against(SolvedBaseline.of(payoffs, pool), written, where, pool)


def evaluate_against(
    baseline: SolvedBaseline, written: WrittenStrategy, where: str, pool: KernelPool
) -> Evaluation:
    best = baseline.best
    actions = strategy_actions(written, where, best.pocket)
    with_best_river = _solution(baseline, StrategyActions(actions.pocket, actions.flop, best.river))
    solution = _solution(baseline, actions)
    departures = [
        *_pocket(baseline, actions),
        *_flop(baseline, actions, pool),
        *_river(solution, with_best_river),
    ]
    streets = {
        street: sum(
            (departure.cost for departure in departures if departure.street == street), Fraction()
        )
        for street in (POCKET, FLOP, RIVER)
    }
    departures.sort(key=lambda departure: -departure.cost)
    evaluation = Evaluation(written, solution, baseline.best_edge, streets, tuple(departures))
    _check_evaluation(evaluation)
    return evaluation


def _check_evaluation(evaluation: Evaluation) -> None:
    """Raise if the strategy beats best play, or if its costs are not the whole difference."""
    costs = [departure.cost for departure in evaluation.departures]
    if min(costs, default=0) < 0 or sum(costs) != evaluation.cost:
        raise ArithmeticError("the costs of the decisions do not add up to the strategy's cost")


def _solution(baseline: SolvedBaseline, actions: StrategyActions) -> Solution:
    result_counts = baseline.counter.count_results(actions)
    return Solution(baseline.payoffs, baseline.deck, actions.pocket, result_counts)


def _name(payoffs: Payoffs, street: str, action: int) -> str:
    multiples = dict(zip((POCKET, FLOP, RIVER), payoffs.multiples_by_street, strict=True))[street]
    if action == PASSIVE:
        return "fold" if street == RIVER else "check"
    return f"raise {min(multiples) if action == MIN_RAISE else max(multiples)}×"


def _pocket(baseline: SolvedBaseline, actions: StrategyActions) -> list[Departure]:
    payoffs, values = baseline.payoffs, baseline.best.pocket
    multiples = payoffs.pocket_multiples
    smallest, largest = multiples.index(min(multiples)), multiples.index(max(multiples))
    departures = []
    for number in range(POCKET_CLASSES):
        action_values = {
            PASSIVE: values.check_values[number],
            MIN_RAISE: FLOPS_PER_BOARD * values.raise_values[smallest][number],
            MAX_RAISE: FLOPS_PER_BOARD * values.raise_values[largest][number],
        }
        taken, best = actions.pocket.actions[number], values.actions[number]
        loss = max(action_values.values()) - action_values[taken]
        if loss:
            departures.append(
                Departure(
                    POCKET,
                    pocket_class_name(number),
                    _name(payoffs, POCKET, taken),
                    _name(payoffs, POCKET, best),
                    Fraction(loss, baseline.deck.deals * payoffs.unit),
                )
            )
    return departures


def _flop(baseline: SolvedBaseline, actions: StrategyActions, pool: KernelPool) -> list[Departure]:
    tables, payoffs = board_tables(), baseline.payoffs
    checked = np.array(actions.pocket.actions)[tables.holes.pocket] == PASSIVE
    parts = split_range(0, FLOPS, CHUNKS)
    sums = np.zeros((len(parts), 3, 3, CATEGORY_COUNT), np.int64)
    category = flop_features().category
    pool.run(
        partial(
            cost_flops,
            *(*part, flop_raise_spread(payoffs), tables.flops, tables.holes, *baseline.flop),
            *(checked, actions.flop, category, sums[index]),
        )
        for index, part in enumerate(parts)
    )
    departures = []
    totals = sums.astype(object).sum(0)
    for (taken, best, category_number), loss in np.ndenumerate(totals):
        if loss:
            departures.append(
                Departure(
                    FLOP,
                    Category(category_number).key.replace("_", " "),
                    _name(payoffs, FLOP, taken),
                    _name(payoffs, FLOP, best),
                    Fraction(int(loss), baseline.deck.deals * payoffs.unit),
                )
            )
    return departures


def _river(solution: Solution, better: Solution) -> list[Departure]:
    """Costs on the river by category of the hand.

    A river decision does not affect which rounds reach the river with a category, so mean nets can
    be compared directly.
    """
    departures = []
    for category in Category:
        loss = _mean_net(better, category) - _mean_net(solution, category)
        if loss:
            folds_more = _folds(solution, category) > _folds(better, category)
            taken, better_action = ("fold", "raise") if folds_more else ("raise", "fold")
            departures.append(
                Departure(RIVER, category.key.replace("_", " "), taken, better_action, loss)
            )
    return departures


def _mean_net(solution: Solution, category: Category) -> Fraction:
    rounds = (result for result in solution.results if result.category == category)
    return sum((result.deals * result.net for result in rounds), Fraction()) / solution.deals


def _folds(solution: Solution, category: Category) -> int:
    return sum(
        result.deals
        for result in solution.results
        if result.category == category and not result.multiple
    )
