"""Written strategies as they are played at a table: every decision, and the rounds it leads to."""

from headsup.analysis.counts.progressive_cases import by_pool_case
from headsup.analysis.joint.counting import CALLS
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.chunks import Crew, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.distribution import Distributor
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy, parse, serialise
from headsup.analysis.strategies.written_strategy import WrittenStrategy, written_actions


def followed(written: WrittenStrategy, where: str, best: Strategy) -> Strategy:
    """Its decisions alone, to be looked up; what `solution` tells stays that of `best`."""
    actions = written_actions(written, where, best.solution.pocket_values)
    solved = best.solution
    solution = Solution(solved.payoffs, Deck(), actions.pocket, solved.joint, actions)
    return parse(serialise(solution), solved.payoffs)


def played(
    written: WrittenStrategy, where: str, best: Strategy, progress: Progress | None = None
) -> tuple[Strategy, Int64s]:
    """For the game that `best` solves; the counts are those of `joint`."""
    deck, payoffs = Deck(), best.solution.payoffs
    actions = written_actions(written, where, best.solution.pocket_values)
    with Crew(CALLS, progress) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        counts = Distributor(deck, showdowns, crew).by_class(actions)
        solution = Solution(payoffs, deck, actions.pocket, counts.sum(axis=0), actions)
        strategy = parse(serialise(solution), payoffs)
        return strategy, by_pool_case(strategy, counts, crew)
