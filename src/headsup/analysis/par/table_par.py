"""The par sheet of a table with given bets and meter: solves and counts what it needs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from headsup.analysis.joint.combined_bets import BetCombiner, CombinedBets, PlayedBets
from headsup.analysis.par.par_sheet import ParSheet, par_sheet
from headsup.analysis.solver.compile import compile_payoffs, is_trips_plus_forfeited
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.game.bank.meter import HOME_SEED_MICROS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, Micros

_DEFAULT_ANTE_CENTS, _DEFAULT_SIDE_CENTS = 1000, 500  # cents


def default_bets(rules: TableRules) -> dict[Wager, Cents]:
    """Typical bets: as many side wagers as the rules allow, within the table's limits."""
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)][: rules.max_side_wagers]
    stakes: dict[Wager, Cents] = {Wager.ANTE: _DEFAULT_ANTE_CENTS}
    stakes |= dict.fromkeys(offered, _DEFAULT_SIDE_CENTS)
    for wager, stake in stakes.items():
        if limit := rules.limits.get(wager):
            stakes[wager] = max(min(stake, limit.max or stake), limit.min)
    if Wager.PROGRESSIVE in stakes:
        stakes[Wager.PROGRESSIVE] = rules.progressive_stake
    return stakes


def meter_or_seed(rules: TableRules, meter: Micros | None) -> Micros:
    """The given meter, else the seed in the rules, else the seed of a home table."""
    return meter if meter is not None else rules.meter_seed or HOME_SEED_MICROS


def table_par(
    rules: TableRules,
    bets: Mapping[Wager, Cents],
    meter: Micros | None,
    solve: Callable[[Payoffs], Strategy],
    combine: BetCombiner,
) -> ParSheet:
    """The whole sheet. Where a fold forfeits Trips Plus, it is solved with the main game (R54).

    `combine` computes the variance of all bets together, as `combine_bets` does.
    """
    strategy = solve(compile_payoffs(rules))
    trips_plus_solution = None
    played = strategy
    if is_trips_plus_forfeited(rules):
        ante = bets[Wager.ANTE]
        ratio = Fraction(bets.get(Wager.TRIPS_PLUS, ante), ante)
        combined = solve(compile_payoffs(rules, ratio))
        trips_plus_solution = ratio, combined.solution
        played = combined if bets.get(Wager.TRIPS_PLUS) else strategy
    current_meter = meter_or_seed(rules, meter)
    sheet = par_sheet(rules, strategy.solution, current_meter, trips_plus_solution)
    return replace(sheet, combined=_combine_bets(sheet, bets, current_meter, played, combine))


def _combine_bets(
    sheet: ParSheet,
    bets: Mapping[Wager, Cents],
    meter: Micros,
    played: Strategy,
    combine: BetCombiner,
) -> CombinedBets | None:
    """All bets of a round as one, or None if that is not exact.

    That is so if a fold forfeits a wager that is not solved with it, or if Trips Plus needs both
    hole cards, a hand that the solver does not track.
    """
    placed = [side for side in sheet.sides if bets.get(side.wager)]
    needs_both_hole_cards = sheet.rules.both_hole_cards and any(
        s.wager is Wager.TRIPS_PLUS for s in placed
    )
    if (
        needs_both_hole_cards
        or any(side.as_if_never_folded for side in placed)
        or not bets.get(Wager.ANTE)
    ):
        return None
    stakes = {Wager.ANTE: bets[Wager.ANTE]} | {side.wager: bets[side.wager] for side in placed}
    return combine(PlayedBets(sheet.rules, played, stakes, meter))
