"""How each seat of a simulated table plays: stakes, strategy and exact counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.counts.side_cases import progressive_outcomes
from headsup.analysis.joint.counting import KERNEL_CALLS, split_progressive_cases
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.simulate.side_cases import PROGRESSIVE_CASES
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.strategies.written_strategy import WrittenStrategy, strategy_actions
from headsup.analysis.workers.executor import KernelPool, Progress
from headsup.game.rulebook.model import LOSS, PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents


@dataclass(frozen=True, eq=False)
class SeatProfile:
    """A seat's rules, bets and strategy. `counts` are those of `joint`."""

    name: str
    rules: TableRules
    bets: Mapping[Wager, Cents]
    strategy: Strategy
    counts: Int64s

    @property
    def pool_shares(self) -> list[Fraction | None]:
        """[case of the Progressive]: the share of the pool that it wins, or None."""
        if Wager.PROGRESSIVE not in self.bets:
            return [None] * PROGRESSIVE_CASES
        pays = self.rules.paytables[Wager.PROGRESSIVE.value].pays
        outcome_pays = [pays.get(outcome, LOSS) for outcome in progressive_outcomes(self.rules)]
        return [pay.amount if pay.kind is PayKind.POOL else None for pay in outcome_pays]


def build_strategy(written: WrittenStrategy, source: str, best: Strategy) -> Strategy:
    """A written strategy to look decisions up in. Figures in its `solution` are those of `best`."""
    actions = strategy_actions(written, source, best.solution.pocket_values)
    solved = best.solution
    solution = Solution(solved.payoffs, Deck(), actions.pocket, solved.result_counts, actions)
    return Strategy.of(solution)


def count_strategy(
    written: WrittenStrategy, source: str, best: Strategy, progress: Progress | None = None
) -> tuple[Strategy, Int64s]:
    """A written strategy for the game that `best` solves, and its counts as in `joint`."""
    deck, payoffs = Deck(), best.solution.payoffs
    actions = strategy_actions(written, source, best.solution.pocket_values)
    with KernelPool(KERNEL_CALLS, progress) as pool:
        showdowns = Showdowns.count(deck, payoffs.qualifier, pool)
        counts = ResultCounter(deck, showdowns, pool).by_class(actions)
        solution = Solution(payoffs, deck, actions.pocket, counts.sum(axis=0), actions)
        strategy = Strategy.of(solution)
        return strategy, split_progressive_cases(strategy, counts, pool)
