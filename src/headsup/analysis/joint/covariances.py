"""How bets that lie on the same cards vary together, out of their joint distribution."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import lcm

from headsup.analysis.joint.combined_bets import CombinedBets, PlayedBets, WagerCovariance
from headsup.analysis.joint.joint import RoundDistribution, round_distribution
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_CENT


def combine_bets(played: PlayedBets, counts: Int64s) -> CombinedBets:
    """These bets as one; `counts` are those of `joint` or of `one_deck`.

    They are settled at stakes so large that nothing is rounded to chips: a par sheet is of pays.
    """
    rules, bets = played.rules, played.bets
    larger = _exact_stake_factor(rules)
    stakes = {wager: stake * larger for wager, stake in bets.items()}
    uncapped, payoffs = replace(rules, cap=None), played.strategy.solution.payoffs
    joint = round_distribution(uncapped, payoffs, counts, stakes, played.meter * larger)
    pairs = tuple(
        WagerCovariance(
            one,
            other,
            joint.covariance(one, other) / (stakes[one] * stakes[other]),
            joint.exact or _is_exact_pair(rules, {one, other}),
        )
        for one, other in combinations(joint.wagers, 2)
    )
    alone = _independent_variance(joint) / larger**2
    shared = sum(
        (2 * pair.covariance * bets[pair.first] * bets[pair.second] for pair in pairs), Fraction()
    )
    mean = -sum((joint.mean(wager) for wager in joint.wagers), Fraction()) / larger
    return CombinedBets(mean, alone + shared, alone, pairs)


def _exact_stake_factor(rules: TableRules) -> int:
    pays = (row.pay.amount for table in rules.paytables.values() for row in table.rows)
    return lcm(rules.chip_unit, MICROS_PER_CENT) * lcm(*(pay.denominator for pay in pays))


def _independent_variance(joint: RoundDistribution) -> Fraction:
    return sum((joint.covariance(wager, wager) for wager in joint.wagers), Fraction())


def _is_exact_pair(rules: TableRules, pair: set[Wager]) -> bool:
    """Where nothing is taken for independent that is not, though All 6 is counted by the hole: that
    is all it shares with Pocket Bonus."""
    if pair == {Wager.POCKET_BONUS, Wager.ALL_6}:
        return rules.after_fold[Wager.POCKET_BONUS] and rules.after_fold[Wager.ALL_6]
    return Wager.ALL_6 not in pair
