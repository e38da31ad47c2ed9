"""Loads solutions from the cache, or computes them with a progress bar and stores them."""

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
DEALING = "Dealing every board (first time only)"


def get_solution(payoffs: "Payoffs", use_cache: bool = True) -> "Solution":
    return get_strategy(payoffs).solution if use_cache else solve_without_cache(payoffs)


def solve_strategy(payoffs: "Payoffs") -> "Strategy":
    """Solve without reading or writing the cache."""
    from headsup.analysis.solver.strategy import decode_strategy, encode_strategy

    return decode_strategy(encode_strategy(solve_without_cache(payoffs)), payoffs)


def get_strategy(payoffs: "Payoffs") -> "Strategy":
    from headsup.analysis.cache import cache_warnings
    from headsup.analysis.solver.strategy import load_or_solve

    cache_warnings.add(print_notice)
    return load_or_solve(payoffs, solve_without_cache)


def solve_without_cache(payoffs: "Payoffs") -> "Solution":
    from headsup.analysis.solver.solver import solve

    warn_first_run()
    with progress_bar(SOLVING) as progress:
        return solve(payoffs, progress)


def get_lessons(payoffs: "Payoffs") -> "Lessons":
    """Best play by kind of hand, and what the short card costs. Cached."""
    from headsup.analysis.advice.lessons import cached_lessons

    return cached_lessons(payoffs, _count_lessons)


def _count_lessons(payoffs: "Payoffs") -> "Lessons":
    from headsup.analysis.advice.lesson_counting import count_lessons

    warn_first_run()
    if sys.stderr.isatty():
        print_notice("counting the lessons of this game: a few seconds, once")
    return count_lessons(get_strategy(payoffs))


def print_notice(sentence: str) -> None:
    print(f"headsup: {sentence}", file=sys.stderr)


@cache  # warns once per process
def warn_first_run() -> None:
    """Warn that the kernels must be compiled first, which happens once per machine."""
    from headsup.analysis.cache import cache_folder, cache_warnings
    from headsup.analysis.kernels.base.compiled import has_compiled_kernels

    cache_warnings.add(print_notice)
    if cache_folder() is None:
        print_notice(
            "no writable cache folder: compiling the solver takes up to a minute on every run"
        )
    elif not has_compiled_kernels():
        print_notice("first run: compiling the solver; this takes up to a minute, once")


def get_joint(
    rules: "TableRules", bets: "Mapping[Wager, Cents]", meter: int, strategy: str
) -> "RoundDistribution":
    """The joint distribution of main game and side wagers in one round."""
    from headsup.analysis.joint.seating import seat_distribution
    from headsup.library.strategies import read_strategy_or_best

    play = strategy, read_strategy_or_best(strategy)
    return seat_distribution(
        rules, bets, meter, play, get_strategy, get_round_counts, get_one_deck_counts
    )


def get_combined_bets(played: "PlayedBets") -> "CombinedBets":
    """How these bets vary together. Cached."""
    from headsup.analysis.joint.combined_bets import load_or_combine

    return load_or_combine(played, _combine_bets)


def _combine_bets(played: "PlayedBets") -> "CombinedBets":
    from headsup.analysis.joint.combined_bets import combine_bets

    return combine_bets(played, _count(played, get_round_counts, get_one_deck_counts))


def _count(
    played: "PlayedBets", by_class: "Callable[[Strategy], Int64s]", one_deck: "OneDeckCounter"
) -> "Int64s":
    from headsup.analysis.joint.one_deck import ExtraAxes

    axes = ExtraAxes.of(played.rules, played.bets)
    return one_deck(played.strategy, axes) if axes else by_class(played.strategy)


def count_combined_bets(played: "PlayedBets") -> "CombinedBets":
    from headsup.analysis.joint.combined_bets import combine_bets

    return combine_bets(played, _count(played, count_rounds, count_one_deck_rounds))


def get_round_counts(strategy: "Strategy") -> "Int64s":
    """A strategy's rounds by pocket class. Cached."""
    from headsup.analysis.joint.joint import cached_joint_counts

    return cached_joint_counts(strategy, count_rounds)


def count_rounds(strategy: "Strategy") -> "Int64s":
    from headsup.analysis.joint.counting import count_by_class

    warn_first_run()
    with progress_bar("Counting every round") as progress:
        return count_by_class(strategy, progress)


def get_one_deck_counts(strategy: "Strategy", axes: "ExtraAxes") -> "Int64s":
    """A strategy's rounds by pocket class and the extra axes that share the deck. Cached."""
    from headsup.analysis.joint.one_deck import cached_one_deck_counts

    return cached_one_deck_counts(strategy, axes, count_one_deck_rounds)


def count_one_deck_rounds(strategy: "Strategy", axes: "ExtraAxes") -> "Int64s":
    from headsup.analysis.joint.counting import count_one_deck

    warn_first_run()
    with progress_bar(DEALING, timed=True) as progress:
        return count_one_deck(strategy, axes, progress)
