"""The bets and the meter for which the par sheet of a table is made."""

from collections.abc import Mapping

from headsup.analysis.par.par_sheet import ParSheet
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


def stakes_counted_together(
    sheet: ParSheet, bets: Mapping[Wager, Cents]
) -> dict[Wager, Cents] | None:
    """The bets of a round that are counted as one, or None if that is not exact.

    That is so if a fold forfeits a wager that is not solved with it, or if Trips Plus needs both
    hole cards, a hand that the solver does not track.
    """
    placed = [side for side in sheet.sides if bets.get(side.wager)]
    needs_both_hole_cards = sheet.rules.both_hole_cards and any(
        side.wager is Wager.TRIPS_PLUS for side in placed
    )
    if (
        needs_both_hole_cards
        or any(side.as_if_never_folded for side in placed)
        or not bets.get(Wager.ANTE)
    ):
        return None
    return {Wager.ANTE: bets[Wager.ANTE]} | {side.wager: bets[side.wager] for side in placed}
