"""Bets that lie on the same cards, taken together: their covariances, and what they add up to.

All share the player's two cards, and all but Pocket Bonus and All 6 the board, so they are not
independent. Ante, Odds and Raise are one game here, with best play. Kept on the disk, so that a par
sheet need not load what counts them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path

from headsup.analysis.cache import COVARIANCE_FILES, cache_folder, load_or_compute
from headsup.analysis.par.exact_numbers import square_root
from headsup.analysis.solver.strategy import MAX_CACHED_FILES, Strategy, strategy_file
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

BAND_ROUNDS = (100, 1_000, 10_000, 100_000, 1_000_000)  # after which a band is given
BAND_DEVIATIONS = Fraction(1645, 1000)  # deviations on both sides of the mean: nine times in ten


@dataclass(frozen=True, slots=True)
class WagerCovariance:
    """Two wagers' covariance, per unit of each; the main game's unit is the Ante."""

    first: Wager
    second: Wager
    covariance: Fraction
    exact: bool


@dataclass(frozen=True, slots=True)
class CombinedBets:
    """A round's whole result at certain stakes, in cents; `mean` is what the house wins."""

    mean: Fraction
    variance: Fraction
    if_independent: Fraction  # the variance without the covariances
    pairs: tuple[WagerCovariance, ...]

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
        many above; rounds are independent of each other. How often it is there is known only
        about, by a normal distribution: `session` has the quantiles exactly."""
        middle = Decimal(self.mean.numerator * rounds) / self.mean.denominator
        spread = square_root(self.variance * rounds * deviations**2)
        return middle - spread, middle + spread


@dataclass(frozen=True, slots=True)
class PlayedBets:
    """The bets of a round, the main game played by this strategy, the meter at this figure."""

    rules: TableRules
    strategy: Strategy
    bets: Mapping[Wager, Cents]
    meter: Micros


BetCombiner = Callable[[PlayedBets], CombinedBets]


def load_or_combine(
    played: PlayedBets, take: BetCombiner, folder: Path | None = None
) -> CombinedBets:
    """Taken once; `take` is handed in, so that whoever finds it kept need not load what counts."""
    named = partial(_file, played)
    most = 4 * MAX_CACHED_FILES  # they are small, and there are several for a strategy
    content = load_or_compute(named, lambda: _write(take(played)), most, folder or cache_folder())
    return _read(bytes(content))


def _file(played: PlayedBets, folder: Path) -> Path:
    """Named by the sources of what it comes from, as a strategy is, and by what was asked."""
    bets = {wager.value: stake for wager, stake in played.bets.items()}
    asked = json.dumps([played.rules.fingerprint, bets, played.meter])
    name = strategy_file(played.strategy.solution.payoffs, folder).stem
    return folder / f"{name}-{sha256(asked.encode()).hexdigest()[:16]}{COVARIANCE_FILES[1:]}"


def _write(found: CombinedBets) -> bytes:
    pairs = [
        [pair.first.value, pair.second.value, str(pair.covariance), pair.exact]
        for pair in found.pairs
    ]
    sums = [str(one) for one in (found.mean, found.variance, found.if_independent)]
    return json.dumps({"sums": sums, "pairs": pairs}).encode()


def _read(content: bytes) -> CombinedBets:
    told = json.loads(content)
    pairs = tuple(
        WagerCovariance(Wager(first), Wager(second), Fraction(covariance), exact)
        for first, second, covariance, exact in told["pairs"]
    )
    mean, variance, if_independent = map(Fraction, told["sums"])
    return CombinedBets(mean, variance, if_independent, pairs)
