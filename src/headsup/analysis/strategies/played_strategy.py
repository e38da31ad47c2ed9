"""Written strategies as they are played at a table: every decision, and the rounds it leads to."""

from headsup.analysis.counts.progressive_cases import split_pool_cases
from headsup.analysis.joint.counting import KERNEL_CALLS
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.chunks import KernelPool, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import ResultCounter
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy, decode_strategy, encode_strategy
from headsup.analysis.strategies.written_strategy import WrittenStrategy, strategy_actions


def build_strategy(written: WrittenStrategy, where: str, best: Strategy) -> Strategy:
    """Its decisions alone, to be looked up; what `solution` tells stays that of `best`."""
    actions = strategy_actions(written, where, best.solution.pocket_values)
    solved = best.solution
    solution = Solution(solved.payoffs, Deck(), actions.pocket, solved.joint, actions)
    return decode_strategy(encode_strategy(solution), solved.payoffs)


def count_strategy(
    written: WrittenStrategy, where: str, best: Strategy, progress: Progress | None = None
) -> tuple[Strategy, Int64s]:
    """For the game that `best` solves; the counts are those of `joint`."""
    deck, payoffs = Deck(), best.solution.payoffs
    actions = strategy_actions(written, where, best.solution.pocket_values)
    with KernelPool(KERNEL_CALLS, progress) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        counts = ResultCounter(deck, showdowns, crew).by_class(actions)
        solution = Solution(payoffs, deck, actions.pocket, counts.sum(axis=0), actions)
        strategy = decode_strategy(encode_strategy(solution), payoffs)
        return strategy, split_pool_cases(strategy, counts, crew)
