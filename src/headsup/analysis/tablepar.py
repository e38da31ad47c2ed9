"""The par sheet of a table with somebody's bets on it: solved, counted, at a stated meter."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.par import ParSheet, forfeits_trips_plus, par_sheet
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.solution import Solution
from headsup.game.meter import HOME_SEED
from headsup.game.money import Cents, Micros
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import SIDE_WAGERS, Wager

_ANTE, _SIDE = 1000, 500  # cents, where nobody says otherwise


def usual_bets(rules: TableRules) -> dict[Wager, Cents]:
    """A usual round: every side wager that may be had together, within the table's limits."""
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)][: rules.max_side_wagers]
    stakes: dict[Wager, Cents] = {Wager.ANTE: _ANTE}
    stakes |= dict.fromkeys(offered, _SIDE)
    for wager, usual in stakes.items():
        if limit := rules.limits.get(wager):
            stakes[wager] = max(min(usual, limit.max or usual), limit.min)
    if Wager.PROGRESSIVE in stakes:
        stakes[Wager.PROGRESSIVE] = rules.progressive_stake
    return stakes


def stated_meter(rules: TableRules, meter: Micros | None) -> Micros:
    """Where the progressive stands: as said, at the rules' own seed, or at that of a home table."""
    return meter if meter is not None else rules.meter_seed or HOME_SEED


def table_par(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    meter: Micros | None,
    solved: Callable[[Payoffs], Solution],
) -> ParSheet:
    """The whole sheet; Trips Plus that a fold forfeits is solved with the main game (R54)."""
    solution = solved(compile_payoffs(rules))
    together = None
    if forfeits_trips_plus(rules):
        ante = bets[Wager.ANTE]
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, ante), ante)
        together = ratio, solved(compile_payoffs(rules, ratio))
    return par_sheet(rules, solution, stated_meter(rules, meter), together)
