"""Who sits at a simulated table: seats with their stakes, their strategies, and exact counts."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.joint import RoundJoint, round_joint
from headsup.analysis.kernels.arrays import Int64s
from headsup.analysis.onedeck import CountBeside, CountedWith
from headsup.analysis.par import forfeits_trips_plus
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.strategies.played import played
from headsup.analysis.strategies.written import WrittenStrategy
from headsup.analysis.strategy import Strategy
from headsup.analysis.tablepays import Style
from headsup.game.money import Cents, Micros
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Wager


def seated(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    plays: Sequence[tuple[str, WrittenStrategy | None]],
    solved: Callable[[Payoffs], Strategy],
    counted: Callable[[Strategy], Int64s],
) -> tuple[Style, ...]:
    """A seat for each of `plays`, by name and strategy; None is best play.

    Trips Plus that a fold forfeits is played for together with the main game (R54).
    """
    ratio = Fraction(0)
    if forfeits_trips_plus(rules):
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, 0), bets[Wager.ANTE])
    best = solved(compile_payoffs(rules, ratio))
    known: dict[str, Style] = {}
    for name, written in plays:
        if name not in known:
            strategy, counts = (best, counted(best)) if written is None else played(
                written, name, best
            )  # fmt: skip
            known[name] = Style(name, rules, bets, strategy, counts)
    return tuple(known[name] for name, _ in plays)


def one_round(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    meter: Micros,
    play: tuple[str, WrittenStrategy | None],
    solved: Callable[[Payoffs], Strategy],
    counted: Callable[[Strategy], Int64s],
    beside: CountBeside,
) -> RoundJoint:
    """All ways in which a seat's round may end, side wagers together with the main game.

    `beside` counts rounds by what does not follow from hole and hand, where a wager asks for it.
    """
    (style,) = seated(rules, bets, [play], solved, counted)
    asked, counts = CountedWith.of(rules, bets), style.counts
    if asked:
        counts = beside(style.strategy, asked)
    return round_joint(rules, style.strategy.solution.payoffs, counts, bets, meter)
