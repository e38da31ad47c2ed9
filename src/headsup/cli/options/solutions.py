"""The solutions that commands ask for: said plainly when they take a while, kept for the next."""

import sys
from functools import cache
from typing import TYPE_CHECKING

from headsup.cli.screens.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headsup.analysis.advice.lessons import Lessons
    from headsup.analysis.joint.combined_bets import CombinedBets, PlayedBets
    from headsup.analysis.joint.joint import RoundDistribution
    from headsup.analysis.joint.one_deck import ExtraAxes, OneDeckCounter
    from headsup.analysis.kernels.base.arrays import Int64s
    from headsup.analysis.solver.payoffs import Payoffs
    from headsup.analysis.solver.solution import Solution
    from headsup.analysis.solver.strategy import Strategy
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents

SOLVING = "Solving 27.8 trillion deals"
DEALING = "Dealing every board, only this once"


def get_solution(payoffs: "Payoffs", use_cache: bool = True) -> "Solution":
    """The exact solution, from the cache where it may be used."""
    return get_strategy(payoffs).solution if use_cache else solve_afresh(payoffs)


def solve_strategy(payoffs: "Payoffs") -> "Strategy":
    """Solved now, and not kept."""
    from headsup.analysis.solver.strategy import decode_strategy, encode_strategy

    return decode_strategy(encode_strategy(solve_afresh(payoffs)), payoffs)


def get_strategy(payoffs: "Payoffs") -> "Strategy":
    from headsup.analysis.cache import cache_warnings
    from headsup.analysis.solver.strategy import load_or_solve

    cache_warnings.add(print_notice)
    return load_or_solve(payoffs, solve_afresh)


def solve_afresh(payoffs: "Payoffs") -> "Solution":
    from headsup.analysis.solver.solver import solve

    warn_first_run()
    with progress_bar(SOLVING) as progress:
        return solve(payoffs, progress)


def get_lessons(payoffs: "Payoffs") -> "Lessons":
    """Best play by kind of hand, and what the short card costs; counted once, then kept."""
    from headsup.analysis.advice.lessons import cached_lessons

    return cached_lessons(payoffs, _learn)


def _learn(payoffs: "Payoffs") -> "Lessons":
    from headsup.analysis.advice.lesson_counting import count_lessons

    warn_first_run()
    if sys.stderr.isatty():
        print_notice("counting what is to be learnt of this game, a few seconds once")
    return count_lessons(get_strategy(payoffs))


def print_notice(sentence: str) -> None:
    print(f"headsup: {sentence}", file=sys.stderr)


@cache  # once is enough
def warn_first_run() -> None:
    """The kernels are compiled once per machine; a person should know why it takes a while."""
    from headsup.analysis.cache import cache_folder, cache_warnings
    from headsup.analysis.kernels.base.compiled import has_compiled_kernels

    cache_warnings.add(print_notice)
    if cache_folder() is None:
        print_notice(
            "no cache folder can be written: compiling the solver, up to a minute each time"
        )
    elif not has_compiled_kernels():
        print_notice("first run: compiling the solver, which takes up to a minute once")


def get_joint(
    rules: "TableRules", bets: "Mapping[Wager, Cents]", meter: int, strategy: str
) -> "RoundDistribution":
    """Main game and side wagers of one round together, at these stakes and with this strategy."""
    from headsup.analysis.joint.seating import seat_distribution
    from headsup.library.written import read_strategy_or_best

    play = strategy, read_strategy_or_best(strategy)
    return seat_distribution(
        rules, bets, meter, play, get_strategy, get_round_counts, get_one_deck_counts
    )


def get_combined_bets(played: "PlayedBets") -> "CombinedBets":
    """How these bets vary together; counted once, then kept."""
    from headsup.analysis.joint.combined_bets import load_or_combine

    return load_or_combine(played, _combine_bets)


def _combine_bets(played: "PlayedBets") -> "CombinedBets":
    from headsup.analysis.joint.covariances import combine_bets

    return combine_bets(played, _counts(played, get_round_counts, get_one_deck_counts))


def _counts(
    played: "PlayedBets", counted: "Callable[[Strategy], Int64s]", beside: "OneDeckCounter"
) -> "Int64s":
    from headsup.analysis.joint.one_deck import ExtraAxes

    asked = ExtraAxes.of(played.rules, played.bets)
    return beside(played.strategy, asked) if asked else counted(played.strategy)


def count_combined_bets(played: "PlayedBets") -> "CombinedBets":
    from headsup.analysis.joint.covariances import combine_bets

    return combine_bets(played, _counts(played, count_rounds, count_one_deck_rounds))


def get_round_counts(strategy: "Strategy") -> "Int64s":
    """A strategy's rounds by pocket class; counted once, then kept."""
    from headsup.analysis.joint.joint import cached_joint_counts

    return cached_joint_counts(strategy, count_rounds)


def count_rounds(strategy: "Strategy") -> "Int64s":
    from headsup.analysis.joint.counting import count_by_class

    warn_first_run()
    with progress_bar("Counting every round") as progress:
        return count_by_class(strategy, progress)


def get_one_deck_counts(strategy: "Strategy", beside: "ExtraAxes") -> "Int64s":
    """Its rounds by what lies beside them too; counted once, then kept."""
    from headsup.analysis.joint.one_deck import cached_one_deck_counts

    return cached_one_deck_counts(strategy, beside, count_one_deck_rounds)


def count_one_deck_rounds(strategy: "Strategy", beside: "ExtraAxes") -> "Int64s":
    from headsup.analysis.joint.one_deck_counting import count_one_deck

    warn_first_run()
    with progress_bar(DEALING, timed=True) as progress:
        return count_one_deck(strategy, beside, progress)
