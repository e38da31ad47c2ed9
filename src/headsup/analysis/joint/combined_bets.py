"""All bets of a round as one: their covariances and their total.

The bets are not independent: all share the player's two cards, and all but Pocket Bonus and All 6
share the board. Ante, Odds and Raise count as one wager here, the main game with best play.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import lcm

from headsup.analysis.exact_numbers import square_root
from headsup.analysis.joint.joint import RoundDistribution, round_distribution
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.solver.strategy import Strategy
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

BAND_ROUNDS = (
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
)  # the numbers of rounds for which a band is given
BAND_DEVIATIONS = Fraction(1645, 1000)  # standard deviations either side of the mean: 90 %


@dataclass(frozen=True, slots=True)
class WagerCovariance:
    """The covariance of two wagers, per unit staked on each; for the main game per Ante."""

    first: Wager
    second: Wager
    covariance: Fraction
    exact: bool


@dataclass(frozen=True, slots=True)
class CombinedBets:
    """The total result of a round in cents. `mean` is what the house wins."""

    mean: Fraction
    variance: Fraction
    independent_variance: Fraction  # the variance without the covariances
    pairs: tuple[WagerCovariance, ...]

    @property
    def exact(self) -> bool:
        return all(pair.exact for pair in self.pairs)

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @property
    def independent_deviation(self) -> Decimal:
        return square_root(self.independent_variance)

    def band(self, rounds: int, deviations: Fraction) -> tuple[Decimal, Decimal]:
        """The house's win over so many rounds: the mean minus and plus so many deviations.

        The coverage is approximate (normal distribution); `session` has exact quantiles.
        """
        mean = Decimal(self.mean.numerator * rounds) / self.mean.denominator
        spread = square_root(self.variance * rounds * deviations**2)
        return mean - spread, mean + spread


@dataclass(frozen=True, slots=True)
class PlayedBets:
    """The bets of a round, the strategy for the main game, and the Progressive's meter."""

    rules: TableRules
    strategy: Strategy
    bets: Mapping[Wager, Cents]
    meter: Micros

    @property
    def key(self) -> tuple[str, ...]:
        """All that the combined bets depend on."""
        stakes = {wager.value: stake for wager, stake in self.bets.items()}
        payoffs, decisions = self.strategy.solution.payoffs.key, self.strategy.decisions_key
        return payoffs, decisions, self.rules.fingerprint, json.dumps([stakes, self.meter])


def encode_combined_bets(bets: CombinedBets) -> bytes:
    pairs = [
        [pair.first.value, pair.second.value, str(pair.covariance), pair.exact]
        for pair in bets.pairs
    ]
    sums = [str(value) for value in (bets.mean, bets.variance, bets.independent_variance)]
    return json.dumps({"sums": sums, "pairs": pairs}).encode()


def decode_combined_bets(content: bytes) -> CombinedBets:
    raw = json.loads(content)
    pairs = tuple(
        WagerCovariance(Wager(first), Wager(second), Fraction(covariance), exact)
        for first, second, covariance, exact in raw["pairs"]
    )
    mean, variance, independent_variance = map(Fraction, raw["sums"])
    return CombinedBets(mean, variance, independent_variance, pairs)


def combine_bets(played: PlayedBets, counts: Int64s) -> CombinedBets:
    """Combine the bets, from the counts of `joint` or of `one_deck`.

    Stakes are scaled up until no payout needs rounding to chips, since par sheets ignore rounding.
    """
    rules, bets = played.rules, played.bets
    factor = _exact_stake_factor(rules)
    stakes = {wager: stake * factor for wager, stake in bets.items()}
    uncapped, payoffs = replace(rules, cap=None), played.strategy.solution.payoffs
    joint = round_distribution(uncapped, payoffs, counts, stakes, played.meter * factor)
    pairs = tuple(
        WagerCovariance(
            first,
            second,
            joint.covariance(first, second) / (stakes[first] * stakes[second]),
            joint.exact or _is_exact_pair(rules, {first, second}),
        )
        for first, second in combinations(joint.wagers, 2)
    )
    independent_variance = _independent_variance(joint) / factor**2
    covariances = sum(
        (2 * pair.covariance * bets[pair.first] * bets[pair.second] for pair in pairs), Fraction()
    )
    mean = -sum((joint.mean(wager) for wager in joint.wagers), Fraction()) / factor
    return CombinedBets(mean, independent_variance + covariances, independent_variance, pairs)


def _exact_stake_factor(rules: TableRules) -> int:
    pays = (row.pay.amount for table in rules.paytables.values() for row in table.rows)
    return lcm(rules.chip_unit, MICROS_PER_CENT) * lcm(*(pay.denominator for pay in pays))


def _independent_variance(joint: RoundDistribution) -> Fraction:
    return sum((joint.covariance(wager, wager) for wager in joint.wagers), Fraction())


def _is_exact_pair(rules: TableRules, pair: set[Wager]) -> bool:
    """Whether this covariance is exact even if All 6 is counted by the hole alone.

    It is with Pocket Bonus, because the two wagers share nothing but the hole.
    """
    if pair == {Wager.POCKET_BONUS, Wager.ALL_6}:
        return rules.after_fold[Wager.POCKET_BONUS] and rules.after_fold[Wager.ALL_6]
    return Wager.ALL_6 not in pair
