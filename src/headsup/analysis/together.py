"""Bets that lie on the same cards, taken together: their covariances, and what they add up to.

All share the player's two cards, and all but Pocket Bonus and All 6 the board, so they are not
independent. Ante, Odds and Raise are one game here, with best play.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import lcm

from headsup.analysis.joint import RoundJoint, round_joint
from headsup.analysis.kernels.arrays import Int64s
from headsup.analysis.numbers import square_root
from headsup.analysis.payoffs import Payoffs
from headsup.game.money import MICROS_PER_CENT, Cents, Micros
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Wager

ROUNDS = (100, 1_000, 10_000, 100_000, 1_000_000)  # after which a band is given
BAND = Fraction(1645, 1000)  # deviations on both sides of the mean: nine times in ten


@dataclass(frozen=True, slots=True)
class Pair:
    """Two wagers' covariance, per unit of each; the main game's unit is the Ante."""

    first: Wager
    second: Wager
    covariance: Fraction
    exact: bool


@dataclass(frozen=True, slots=True)
class Together:
    """A round's whole result at certain stakes, in cents; `mean` is what the house wins."""

    mean: Fraction
    variance: Fraction
    if_independent: Fraction  # the variance without the covariances
    pairs: tuple[Pair, ...]

    @property
    def exact(self) -> bool:
        return all(pair.exact for pair in self.pairs)

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @property
    def deviation_if_independent(self) -> Decimal:
        return square_root(self.if_independent)

    def band(self, rounds: int, deviations: Fraction) -> tuple[Decimal, Decimal]:
        """What the house wins in so many rounds, from so many deviations below the mean to as
        many above; rounds are independent of each other."""
        middle = Decimal(self.mean.numerator * rounds) / self.mean.denominator
        spread = square_root(self.variance * rounds * deviations**2)
        return middle - spread, middle + spread


def together(
    rules: TableRules, payoffs: Payoffs, counts: Int64s, bets: Mapping[Wager, Cents], meter: Micros
) -> Together:
    """These bets as one; `counts` are those of `joint`.

    They are settled at stakes so large that nothing is rounded to chips: a par sheet is of pays.
    """
    larger = _larger(rules)
    stakes = {wager: stake * larger for wager, stake in bets.items()}
    uncapped = replace(rules, cap=None)
    joint = round_joint(uncapped, payoffs, counts, stakes, meter * larger)
    pairs = tuple(
        Pair(
            one,
            other,
            joint.covariance(one, other) / (stakes[one] * stakes[other]),
            _exact(rules, {one, other}),
        )
        for one, other in combinations(joint.wagers, 2)
    )
    alone = _alone(joint) / larger**2
    shared = sum(
        (2 * pair.covariance * bets[pair.first] * bets[pair.second] for pair in pairs), Fraction()
    )
    mean = -sum((joint.mean(wager) for wager in joint.wagers), Fraction()) / larger
    return Together(mean, alone + shared, alone, pairs)


def _larger(rules: TableRules) -> int:
    pays = (row.pay.amount for table in rules.paytables.values() for row in table.rows)
    return lcm(rules.chip_unit, MICROS_PER_CENT) * lcm(*(pay.denominator for pay in pays))


def _alone(joint: RoundJoint) -> Fraction:
    return sum((joint.covariance(wager, wager) for wager in joint.wagers), Fraction())


def _exact(rules: TableRules, pair: set[Wager]) -> bool:
    """Where `joint` takes nothing for the same that is not.

    All 6 is counted by the hole alone, which is all that it shares with Pocket Bonus.
    """
    if pair == {Wager.POCKET_BONUS, Wager.ALL_6}:
        return rules.after_fold[Wager.POCKET_BONUS] and rules.after_fold[Wager.ALL_6]
    return Wager.ALL_6 not in pair
