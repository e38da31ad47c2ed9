"""The par sheet of a table with somebody's bets on it: solved, counted, at a stated meter."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from headsup.analysis.joint.combined_bets import BetCombiner, CombinedBets, PlayedBets
from headsup.analysis.par.par_sheet import ParSheet, is_trips_plus_forfeited, par_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.game.bank.meter import HOME_SEED_MICROS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, Micros

_DEFAULT_ANTE_CENTS, _DEFAULT_SIDE_CENTS = 1000, 500  # cents, where nobody says otherwise


def default_bets(rules: TableRules) -> dict[Wager, Cents]:
    """A usual round: every side wager that may be had together, within the table's limits."""
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)][: rules.max_side_wagers]
    stakes: dict[Wager, Cents] = {Wager.ANTE: _DEFAULT_ANTE_CENTS}
    stakes |= dict.fromkeys(offered, _DEFAULT_SIDE_CENTS)
    for wager, usual in stakes.items():
        if limit := rules.limits.get(wager):
            stakes[wager] = max(min(usual, limit.max or usual), limit.min)
    if Wager.PROGRESSIVE in stakes:
        stakes[Wager.PROGRESSIVE] = rules.progressive_stake
    return stakes


def meter_or_seed(rules: TableRules, meter: Micros | None) -> Micros:
    """Where the progressive stands: as said, at the rules' own seed, or at that of a home table."""
    return meter if meter is not None else rules.meter_seed or HOME_SEED_MICROS


def table_par(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    meter: Micros | None,
    solved: Callable[[Payoffs], Strategy],
    take: BetCombiner,
) -> ParSheet:
    """The whole sheet; Trips Plus that a fold forfeits is solved with the main game (R54).

    `take` takes bets together, as `covariances` does.
    """
    strategy = solved(compile_payoffs(rules))
    forfeited = None
    played = strategy
    if is_trips_plus_forfeited(rules):
        ante = bets[Wager.ANTE]
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, ante), ante)
        both = solved(compile_payoffs(rules, ratio))
        forfeited = ratio, both.solution
        played = both if bets.get(Wager.TRIPS_PLUS) else strategy
    stands = meter_or_seed(rules, meter)
    sheet = par_sheet(rules, strategy.solution, stands, forfeited)
    return replace(sheet, together=_combine_bets(sheet, bets, stands, played, take))


def _combine_bets(
    sheet: ParSheet,
    bets: Mapping[Wager, Cents],
    meter: Micros,
    played: Strategy,
    take: BetCombiner,
) -> CombinedBets | None:
    """None where a fold forfeits a wager that is not solved so, or where Trips Plus is decided by
    a hand that the solver does not keep."""
    placed = [side for side in sheet.sides if bets.get(side.wager)]
    own_hand = sheet.rules.both_hole_cards and any(s.wager is Wager.TRIPS_PLUS for s in placed)
    if own_hand or any(side.as_if_never_folded for side in placed) or not bets.get(Wager.ANTE):
        return None
    stakes = {Wager.ANTE: bets[Wager.ANTE]} | {side.wager: bets[side.wager] for side in placed}
    return take(PlayedBets(sheet.rules, played, stakes, meter))
