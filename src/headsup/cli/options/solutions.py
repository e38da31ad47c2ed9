"""The solutions that commands ask for: said plainly when they take a while, kept for the next."""

import sys
from functools import cache
from typing import TYPE_CHECKING

from headsup.cli.screens.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headsup.analysis.advice.lessons import Lessons
    from headsup.analysis.joint.combined_bets import BetsPlayed, Together
    from headsup.analysis.joint.joint import RoundJoint
    from headsup.analysis.joint.one_deck import CountBeside, CountedWith
    from headsup.analysis.kernels.base.arrays import Int64s
    from headsup.analysis.solver.payoffs import Payoffs
    from headsup.analysis.solver.solution import Solution
    from headsup.analysis.solver.strategy import Strategy
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents

SOLVING = "Solving 27.8 trillion deals"
DEALING = "Dealing every board, only this once"


def solution_of(payoffs: "Payoffs", use_cache: bool = True) -> "Solution":
    """The exact solution, from the cache where it may be used."""
    return strategy_for(payoffs).solution if use_cache else solve_afresh(payoffs)


def fresh_strategy(payoffs: "Payoffs") -> "Strategy":
    """Solved now, and not kept."""
    from headsup.analysis.solver.strategy import parse, serialise

    return parse(serialise(solve_afresh(payoffs)), payoffs)


def strategy_for(payoffs: "Payoffs") -> "Strategy":
    from headsup.analysis.cache import listeners
    from headsup.analysis.solver.strategy import load_or_build

    listeners.add(tell)
    return load_or_build(payoffs, solve_afresh)


def solve_afresh(payoffs: "Payoffs") -> "Solution":
    from headsup.analysis.solver.solver import solve

    say_first_run()
    with progress_bar(SOLVING) as progress:
        return solve(payoffs, progress)


def lessons_of(payoffs: "Payoffs") -> "Lessons":
    """Best play by kind of hand, and what the short card costs; counted once, then kept."""
    from headsup.analysis.advice.lessons import lessons

    return lessons(payoffs, _learn)


def _learn(payoffs: "Payoffs") -> "Lessons":
    from headsup.analysis.advice.lesson_counting import count_lessons

    say_first_run()
    if sys.stderr.isatty():
        tell("counting what is to be learnt of this game, a few seconds once")
    return count_lessons(strategy_for(payoffs))


def tell(sentence: str) -> None:
    print(f"headsup: {sentence}", file=sys.stderr)


@cache  # once is enough
def say_first_run() -> None:
    """The kernels are compiled once per machine; a person should know why it takes a while."""
    from headsup.analysis.cache import cache_folder, listeners
    from headsup.analysis.kernels.base.compiled import is_compiled

    listeners.add(tell)
    if cache_folder() is None:
        tell("no cache folder can be written: compiling the solver, up to a minute each time")
    elif not is_compiled():
        tell("first run: compiling the solver, which takes up to a minute once")


def joint_of(
    rules: "TableRules", bets: "Mapping[Wager, Cents]", meter: int, strategy: str
) -> "RoundJoint":
    """Main game and side wagers of one round together, at these stakes and with this strategy."""
    from headsup.analysis.joint.seating import one_round
    from headsup.library.written import chosen_strategy

    play = strategy, chosen_strategy(strategy)
    return one_round(rules, bets, meter, play, strategy_for, counts_of, beside_of)


def together_of(played: "BetsPlayed") -> "Together":
    """How these bets vary together; counted once, then kept."""
    from headsup.analysis.joint.combined_bets import kept_together

    return kept_together(played, _take)


def _take(played: "BetsPlayed") -> "Together":
    from headsup.analysis.joint.covariances import taken_together

    return taken_together(played, _counts(played, counts_of, beside_of))


def _counts(
    played: "BetsPlayed", counted: "Callable[[Strategy], Int64s]", beside: "CountBeside"
) -> "Int64s":
    from headsup.analysis.joint.one_deck import CountedWith

    asked = CountedWith.of(played.rules, played.bets)
    return beside(played.strategy, asked) if asked else counted(played.strategy)


def fresh_together(played: "BetsPlayed") -> "Together":
    from headsup.analysis.joint.covariances import taken_together

    return taken_together(played, _counts(played, fresh_counts, fresh_beside))


def counts_of(strategy: "Strategy") -> "Int64s":
    """A strategy's rounds by pocket class; counted once, then kept."""
    from headsup.analysis.joint.joint import joint_counts

    return joint_counts(strategy, fresh_counts)


def fresh_counts(strategy: "Strategy") -> "Int64s":
    from headsup.analysis.joint.counting import count_by_class

    say_first_run()
    with progress_bar("Counting every round") as progress:
        return count_by_class(strategy, progress)


def beside_of(strategy: "Strategy", beside: "CountedWith") -> "Int64s":
    """Its rounds by what lies beside them too; counted once, then kept."""
    from headsup.analysis.joint.one_deck import one_deck_counts

    return one_deck_counts(strategy, beside, fresh_beside)


def fresh_beside(strategy: "Strategy", beside: "CountedWith") -> "Int64s":
    from headsup.analysis.joint.one_deck_counting import count_one_deck

    say_first_run()
    with progress_bar(DEALING, timed=True) as progress:
        return count_one_deck(strategy, beside, progress)
