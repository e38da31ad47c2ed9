"""Who sits at a simulated table: seats with their stakes, their strategies, and exact counts."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from headsup.analysis.joint.joint import RoundDistribution, round_distribution
from headsup.analysis.joint.one_deck import ExtraAxes, OneDeckCounter
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.par.par_sheet import is_trips_plus_forfeited
from headsup.analysis.simulation.seat_lookups import SeatProfile
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.strategies.played_strategy import count_strategy
from headsup.analysis.strategies.written_strategy import WrittenStrategy
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros


def seat_profiles(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    plays: Sequence[tuple[str, WrittenStrategy | None]],
    solved: Callable[[Payoffs], Strategy],
    counted: Callable[[Strategy], Int64s],
) -> tuple[SeatProfile, ...]:
    """A seat for each of `plays`, by name and strategy; None is best play.

    Trips Plus that a fold forfeits is played for together with the main game (R54).
    """
    ratio = Fraction(0)
    if is_trips_plus_forfeited(rules):
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, 0), bets[Wager.ANTE])
    best = solved(compile_payoffs(rules, ratio))
    known: dict[str, SeatProfile] = {}
    for name, written in plays:
        if name not in known:
            strategy, counts = (best, counted(best)) if written is None else count_strategy(
                written, name, best
            )  # fmt: skip
            known[name] = SeatProfile(name, rules, bets, strategy, counts)
    return tuple(known[name] for name, _ in plays)


def seat_distribution(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    meter: Micros,
    play: tuple[str, WrittenStrategy | None],
    solved: Callable[[Payoffs], Strategy],
    counted: Callable[[Strategy], Int64s],
    beside: OneDeckCounter,
) -> RoundDistribution:
    """All ways in which a seat's round may end, side wagers together with the main game.

    `beside` counts rounds by what does not follow from hole and hand, where a wager asks for it.
    """
    (style,) = seat_profiles(rules, bets, [play], solved, counted)
    asked, counts = ExtraAxes.of(rules, bets), style.counts
    if asked:
        counts = beside(style.strategy, asked)
    return round_distribution(rules, style.strategy.solution.payoffs, counts, bets, meter)
