"""Everything that is computed about a game: read from the cache, or computed and stored.

The commands, the library, the server and the learning agents all use this one interface. Modules
that compute are imported when the cache has no answer: loading them takes longer than an answer.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.analysis.cache import (
    COMBINED_BETS,
    LESSONS,
    ROUNDS,
    STRATEGIES,
    CacheKind,
    cache_folder,
    load_or_compute,
    read_cached,
    read_shipped,
)
from headsup.analysis.solver.compile import compile_payoffs, is_trips_plus_forfeited
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.str_enum import TextEnum

if TYPE_CHECKING:
    from headsup.analysis.advice.advice import Advice
    from headsup.analysis.advice.lessons import Lessons
    from headsup.analysis.joint.combined_bets import CombinedBets, PlayedBets
    from headsup.analysis.joint.joint import RoundDistribution
    from headsup.analysis.joint.one_deck import ExtraAxes
    from headsup.analysis.joint.seating import SeatProfile
    from headsup.analysis.kernels.base.arrays import Int64s
    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.analysis.solver.payoffs import Payoffs
    from headsup.analysis.solver.solution import Solution
    from headsup.analysis.solver.strategy import Strategy
    from headsup.analysis.strategies.written_strategy import WrittenStrategy
    from headsup.analysis.workers.executor import Progress
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.values.cards import Cards
    from headsup.game.values.money import Cents, Micros

    Play = tuple[str, WrittenStrategy | None]  # a name and a strategy; None means best play


class Task(TextEnum):
    """Work that takes seconds."""

    SOLVE = "solve"
    ADVICE = "advice"
    LESSONS = "lessons"
    ROUNDS = "rounds"
    ONE_DECK = "one_deck"


ShowTask = Callable[[Task], "AbstractContextManager[Progress | None]"]


def show_nothing(_: Task) -> AbstractContextManager[None]:
    return nullcontext()


def no_folder() -> None:
    """For a workbench without a cache."""


class Workbench:
    """`show_task` is entered around each task and may give a callback for its progress.

    Without `use_shipped` it computes again what comes with the program.
    """

    def __init__(
        self,
        show_task: ShowTask = show_nothing,
        find_folder: Callable[[], Path | None] = cache_folder,
        use_shipped: bool = True,
    ) -> None:
        self._show_task, self._find_folder = show_task, find_folder
        self._use_shipped = use_shipped

    # The main game.

    def strategy(self, payoffs: "Payoffs") -> "Strategy":
        """Best play, with the solution."""
        from headsup.analysis.solver.strategy import Strategy, decode_strategy, encode_strategy

        def compute() -> bytes:
            return encode_strategy(Strategy.of(self.solve(payoffs)))

        return decode_strategy(self._load_or_compute(STRATEGIES, [payoffs.key], compute), payoffs)

    def stored_strategy(self, payoffs: "Payoffs") -> "Strategy | None":
        """Best play if it need not be computed."""
        from headsup.analysis.solver.strategy import decode_strategy

        inputs = [payoffs.key]
        content = self._read_shipped(STRATEGIES, inputs)
        content = content or read_cached(STRATEGIES, inputs, self._find_folder())
        return decode_strategy(content, payoffs) if content else None

    def solve(self, payoffs: "Payoffs") -> "Solution":
        """Solve a game whether or not the cache has its strategy."""
        from headsup.analysis.solver.solver import solve

        with self._show_task(Task.SOLVE) as progress:
            return solve(payoffs, progress)

    def advice(
        self, payoffs: "Payoffs", hole: "Cards", board: "Cards", seen: "Cards" = ()
    ) -> "Advice":
        """The value of each option; before the flop from the strategy, else computed."""
        from headsup.analysis.advice.advice import pocket_advice

        if not board and not seen:
            return pocket_advice(self.strategy(payoffs), hole)
        from headsup.analysis.advice.advisor import advise

        with self._show_task(Task.ADVICE) as progress:
            return advise(payoffs, hole, board, seen, progress=progress)

    def lessons(self, payoffs: "Payoffs") -> "Lessons":
        """Best play by kind of hand, and what the short strategy costs."""
        from headsup.analysis.advice.lessons import decode_lessons, encode_lessons

        def compute() -> bytes:
            from headsup.analysis.advice.lesson_counting import count_lessons

            strategy = self.strategy(payoffs)
            with self._show_task(Task.LESSONS) as progress:
                return encode_lessons(count_lessons(strategy, progress))

        return decode_lessons(bytes(self._load_or_compute(LESSONS, [payoffs.key], compute)))

    # Whole rounds.

    def round_counts(self, strategy: "Strategy") -> "Int64s":
        """Deals by [pocket class, decision path, case, result, dealer qualifies]."""
        from headsup.analysis.joint.joint import counts_from_bytes

        def compute() -> bytes:
            from headsup.analysis.joint.counting import count_by_class

            with self._show_task(Task.ROUNDS) as progress:
                return count_by_class(strategy, progress).tobytes()

        key = [strategy.decisions_key]
        return counts_from_bytes(self._load_or_compute(ROUNDS, key, compute))

    def one_deck_counts(self, strategy: "Strategy", axes: "ExtraAxes") -> "Int64s":
        """The same with further axes that share the deck."""
        from headsup.analysis.joint.one_deck import load_or_count

        def count() -> "Int64s":
            from headsup.analysis.joint.counting import count_one_deck

            with self._show_task(Task.ONE_DECK) as progress:
                return count_one_deck(strategy, axes, progress)

        return load_or_count(strategy, axes, count, self._find_folder())

    def combined_bets(self, played: "PlayedBets") -> "CombinedBets":
        """How these bets vary together."""
        from headsup.analysis.joint.combined_bets import (
            combine_bets,
            decode_combined_bets,
            encode_combined_bets,
        )
        from headsup.analysis.joint.one_deck import ExtraAxes

        def compute() -> bytes:
            axes = ExtraAxes.of(played.rules, played.bets)
            counts = (
                self.one_deck_counts(played.strategy, axes)
                if axes
                else self.round_counts(played.strategy)
            )
            return encode_combined_bets(combine_bets(played, counts))

        content = self._load_or_compute(COMBINED_BETS, played.key, compute)
        return decode_combined_bets(bytes(content))

    def seats(
        self, rules: "TableRules", bets: "Mapping[Wager, Cents]", plays: "Sequence[Play]"
    ) -> "tuple[SeatProfile, ...]":
        """A profile for each seat. Where a fold forfeits Trips Plus, best play minds it (R54)."""
        from headsup.analysis.joint.seating import SeatProfile, count_strategy

        ratio = Fraction(0)
        if is_trips_plus_forfeited(rules):
            ratio = Fraction(bets.get(Wager.TRIPS_PLUS, 0), bets[Wager.ANTE])
        best = self.strategy(compile_payoffs(rules, ratio))
        profiles: dict[str, SeatProfile] = {}
        for name, written in plays:
            if name in profiles:
                continue
            if written is None:
                strategy, counts = best, self.round_counts(best)
            else:
                with self._show_task(Task.ROUNDS) as progress:
                    strategy, counts = count_strategy(written, name, best, progress)
            profiles[name] = SeatProfile(name, rules, bets, strategy, counts)
        return tuple(profiles[name] for name, _ in plays)

    def distribution(
        self, rules: "TableRules", bets: "Mapping[Wager, Cents]", meter: "Micros", play: "Play"
    ) -> "RoundDistribution":
        """The distribution of a seat's round, main game and side wagers together."""
        from headsup.analysis.joint.joint import round_distribution
        from headsup.analysis.joint.one_deck import ExtraAxes

        (seat,) = self.seats(rules, bets, [play])
        axes = ExtraAxes.of(rules, bets)
        counts = self.one_deck_counts(seat.strategy, axes) if axes else seat.counts
        return round_distribution(rules, seat.strategy.solution.payoffs, counts, bets, meter)

    def par_sheet(
        self, rules: "TableRules", bets: "Mapping[Wager, Cents]", meter: "Micros | None"
    ) -> "ParSheet":
        """The whole sheet. Where a fold forfeits Trips Plus, it is solved with the main game (R54).

        Without a meter, the Progressive's is at its seed.
        """
        from headsup.analysis.joint.combined_bets import PlayedBets
        from headsup.analysis.par.par_sheet import par_sheet
        from headsup.analysis.par.table_par import meter_or_seed, stakes_counted_together

        played = best = self.strategy(compile_payoffs(rules))
        trips_plus_solution = None
        if is_trips_plus_forfeited(rules):
            ante = bets[Wager.ANTE]
            ratio = Fraction(bets.get(Wager.TRIPS_PLUS, ante), ante)
            with_trips_plus = self.strategy(compile_payoffs(rules, ratio))
            trips_plus_solution = ratio, with_trips_plus.solution
            played = with_trips_plus if bets.get(Wager.TRIPS_PLUS) else best
        current_meter = meter_or_seed(rules, meter)
        sheet = par_sheet(rules, best.solution, current_meter, trips_plus_solution)
        stakes = stakes_counted_together(sheet, bets)
        if stakes is None:
            return sheet
        combined = self.combined_bets(PlayedBets(rules, played, stakes, current_meter))
        return replace(sheet, combined=combined)

    def _load_or_compute(
        self, kind: CacheKind, inputs: Sequence[str], compute: Callable[[], bytes]
    ) -> memoryview:
        shipped = self._read_shipped(kind, inputs)
        return shipped or load_or_compute(kind, inputs, compute, self._find_folder())

    def _read_shipped(self, kind: CacheKind, inputs: Sequence[str]) -> memoryview | None:
        return read_shipped(kind, inputs) if self._use_shipped else None
