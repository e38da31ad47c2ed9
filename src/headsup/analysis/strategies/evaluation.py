"""The exact worth of a written strategy, and what each of its departures from the best costs.

A strategy's cost is the sum, over the decisions it really comes to, of what each decision loses
when play is best from then on. So costs of single decisions add up to the whole.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from headsup.analysis.kernels.base.arrays import MAX_RAISE, MIN_RAISE, PASSIVE, FlopGains
from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import FLOPS
from headsup.analysis.kernels.solve.costs import cost_flops
from headsup.analysis.kernels.solve.features import flop_features
from headsup.analysis.solver.actions import StrategyActions
from headsup.analysis.solver.best_play import (
    flop_gains,
    flop_raise_spread,
    pocket_values,
    solve_flops,
)
from headsup.analysis.solver.chunks import KernelPool, Progress, split_range
from headsup.analysis.solver.deck import FLOPS_PER_BOARD, Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.layers import LayerBuilder, river_terms
from headsup.analysis.solver.payoffs import CATEGORY_COUNT, Payoffs
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution, pocket_class_name
from headsup.analysis.strategies.ranges import POCKET_CLASSES
from headsup.analysis.strategies.vocabulary import FLOP, RIVER
from headsup.analysis.strategies.written_strategy import POCKET, WrittenStrategy, strategy_actions
from headsup.game.values.hands import Category

KERNEL_CALLS = 280  # of kernels, about: for progress
CHUNKS = 32


@dataclass(frozen=True)
class Departure:
    """Decisions of one kind that differ from the best, and what they cost per Ante."""

    street: str
    what: str  # the pocket class, or the hand made
    taken: str
    better: str
    cost: Fraction


@dataclass(frozen=True)
class Evaluation:
    written: WrittenStrategy
    solution: Solution  # of the strategy itself: its edge, frequencies, spread
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
    """The game solved once, for any number of written strategies."""

    payoffs: Payoffs
    deck: Deck
    best: StrategyActions
    showdowns: Showdowns
    distributor: ResultCounter
    flop: tuple[FlopGains, FlopGains]

    @classmethod
    def of(cls, payoffs: Payoffs, crew: KernelPool, deck: Deck | None = None) -> "SolvedBaseline":
        deck = deck or Deck()
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        collector, distributor = LayerBuilder(showdowns, crew), ResultCounter(deck, showdowns, crew)
        terms = river_terms(payoffs, deck.dealers)
        river = collector.river(terms)
        flop = solve_flops(payoffs, deck, collector, river, crew)
        pocket = pocket_values(payoffs, terms, distributor.tally(river.actions), flop)
        best = StrategyActions(pocket, flop.actions, river.actions)
        gains = flop_gains(payoffs, collector, river)
        return cls(payoffs, deck, best, showdowns, distributor, gains)

    @property
    def best_edge(self) -> Fraction:
        values = self.best.pocket
        worth = [
            max(checked, *(FLOPS_PER_BOARD * raised[number] for raised in values.raised))
            for number, checked in enumerate(values.checked)
        ]
        return -Fraction(sum(worth), self.deck.deals * self.payoffs.unit)


def evaluate_strategy(
    payoffs: Payoffs, written: WrittenStrategy, where: str, progress: Progress | None = None
) -> Evaluation:
    with KernelPool(KERNEL_CALLS, progress) as crew:
        return evaluate_against(SolvedBaseline.of(payoffs, crew), written, where, crew)


def evaluate_against(
    solved: SolvedBaseline, written: WrittenStrategy, where: str, crew: KernelPool
) -> Evaluation:
    best = solved.best
    actions = strategy_actions(written, where, best.pocket)
    with_best_river = _solution(solved, StrategyActions(actions.pocket, actions.flop, best.river))
    solution = _solution(solved, actions)
    departures = [
        *_pocket(solved, actions),
        *_flop(solved, actions, crew),
        *_river(solution, with_best_river),
    ]
    streets = {
        street: sum((one.cost for one in departures if one.street == street), Fraction())
        for street in (POCKET, FLOP, RIVER)
    }
    return Evaluation(
        written,
        solution,
        solved.best_edge,
        streets,
        tuple(sorted(departures, key=lambda one: -one.cost)),
    )


def _solution(solved: SolvedBaseline, actions: StrategyActions) -> Solution:
    joint = solved.distributor.distribute(actions)
    return Solution(solved.payoffs, solved.deck, actions.pocket, joint)


def _name(payoffs: Payoffs, street: str, action: int) -> str:
    multiples = dict(zip((POCKET, FLOP, RIVER), payoffs.multiples_by_street, strict=True))[street]
    if action == PASSIVE:
        return "fold" if street == RIVER else "check"
    return f"raise {min(multiples) if action == MIN_RAISE else max(multiples)}×"


def _pocket(solved: SolvedBaseline, actions: StrategyActions) -> list[Departure]:
    payoffs, values = solved.payoffs, solved.best.pocket
    multiples = payoffs.pocket_multiples
    least, most = multiples.index(min(multiples)), multiples.index(max(multiples))
    found = []
    for number in range(POCKET_CLASSES):
        worth = {
            PASSIVE: values.checked[number],
            MIN_RAISE: FLOPS_PER_BOARD * values.raised[least][number],
            MAX_RAISE: FLOPS_PER_BOARD * values.raised[most][number],
        }
        taken, best = actions.pocket.actions[number], values.actions[number]
        lost = max(worth.values()) - worth[taken]
        if lost:
            found.append(
                Departure(
                    POCKET,
                    pocket_class_name(number),
                    _name(payoffs, POCKET, taken),
                    _name(payoffs, POCKET, best),
                    Fraction(lost, solved.deck.deals * payoffs.unit),
                )
            )
    return found


def _flop(solved: SolvedBaseline, actions: StrategyActions, crew: KernelPool) -> list[Departure]:
    known, payoffs = board_tables(), solved.payoffs
    checked = np.array(actions.pocket.actions)[known.holes.pocket] == PASSIVE
    parts = split_range(0, FLOPS, CHUNKS)
    sums = np.zeros((len(parts), 3, 3, CATEGORY_COUNT), np.int64)
    category = flop_features().category
    crew.run(
        partial(
            cost_flops,
            *(*part, flop_raise_spread(payoffs), known.flops, known.holes, *solved.flop),
            *(checked, actions.flop, category, sums[place]),
        )
        for place, part in enumerate(parts)
    )
    found = []
    totals = sums.astype(object).sum(0)
    for (taken, best, made), lost in np.ndenumerate(totals):
        if lost:
            found.append(
                Departure(
                    FLOP,
                    Category(made).key.replace("_", " "),
                    _name(payoffs, FLOP, taken),
                    _name(payoffs, FLOP, best),
                    Fraction(int(lost), solved.deck.deals * payoffs.unit),
                )
            )
    return found


def _river(solution: Solution, better: Solution) -> list[Departure]:
    """By hand made: deals do not change hands when only the river's decisions change."""
    found = []
    for category in Category:
        lost = _mean_net(better, category) - _mean_net(solution, category)
        if lost:
            more = _folds(solution, category) > _folds(better, category)
            fold, other = ("fold", "raise") if more else ("raise", "fold")
            found.append(Departure(RIVER, category.key.replace("_", " "), fold, other, lost))
    return found


def _mean_net(solution: Solution, category: Category) -> Fraction:
    rounds = (one for one in solution.results if one.category == category)
    return sum((one.deals * one.net for one in rounds), Fraction()) / solution.deals


def _folds(solution: Solution, category: Category) -> int:
    return sum(
        one.deals for one in solution.results if one.category == category and not one.multiple
    )
