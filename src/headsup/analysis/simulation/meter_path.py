"""Follows a Progressive meter over simulated rounds, under the game's own meter rules.

Shares of the pool are rare, so all rounds between two of them are taken in one step: the pool rises
by the same amount each round until it reaches its maximum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from headsup.game.bank.awards import pool_awards
from headsup.game.bank.ledger import Account, prize_account
from headsup.game.bank.meter import (
    HOME_CONTRIBUTION_MICROS,
    HOME_SEED_MICROS,
    Meter,
    MeterRules,
    Regime,
)
from headsup.game.bank.meter_changes import MeterChange, award, contribute
from headsup.game.refusal import Refusal, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.table.opening import meter_rules
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

NAME = "simulated"


@dataclass(frozen=True)
class MeterHistory:
    """What happened to the meter. A jackpot is an award of the whole pool."""

    rounds: int
    wagers: int  # per round that feed the meter
    meter_seed: Micros
    start: Micros
    contribution: Micros  # of each wager
    now: Micros
    average: Micros  # over rounds, when each is settled
    awarded: Micros
    shares: int  # number of awards of less than the whole pool
    gaps: tuple[int, ...]  # rounds to each jackpot, itself included, from the start or the last one
    at_hit: tuple[Micros, ...]  # the pool at each jackpot


def simulated_meter(rules: TableRules) -> MeterRules:
    """The meter rules of a table with these rules.

    Where the rules set no seed or contribution, those of a home table apply (R77).
    """
    opening_rules = meter_rules(rules, NAME)
    contribution = opening_rules.contribution or HOME_CONTRIBUTION_MICROS
    return replace(
        opening_rules,
        meter_seed=opening_rules.meter_seed or HOME_SEED_MICROS,
        contribution=0 if opening_rules.regime is Regime.BONUS else contribution,
    )


class MeterPath:
    def __init__(self, rules: TableRules, wagers: int, start: Micros | None) -> None:
        self._rules, self._wagers = rules, wagers
        starting_rules = simulated_meter(rules)
        self._start = starting_rules.meter_seed if start is None else start
        self._meter = Meter(starting_rules, pool=self._start, seeded=self._start)
        self._stake = rules.progressive_stake * MICROS_PER_CENT
        self._rounds = self._last_hit = 0
        self._sum = self._squares = self._shares = self._awarded = 0
        self._gaps: list[int] = []
        self._at_hit: list[Micros] = []

    @property
    def _each_round(self) -> Micros:
        return self._wagers * self._meter.rules.contribution_of(self._stake)

    def advance(self, rounds: int) -> None:
        """Feed the meter up to this many rounds from the first (R72)."""
        passed = rounds - self._rounds
        if passed <= 0:
            return
        pool, rise, maximum = self._meter.pool, self._each_round, self._meter.rules.maximum
        rising = min(passed, max(0, maximum - pool) // rise) if rise else passed
        flat = passed - rising
        steps, squares = rising * (rising + 1) // 2, rising * (rising + 1) * (2 * rising + 1) // 6
        self._sum += rising * pool + steps * rise + flat * maximum
        self._squares += rising * pool**2 + 2 * pool * rise * steps + rise**2 * squares
        self._squares += flat * maximum**2
        if rise:
            change = contribute(self._meter, self._wagers * passed, self._stake, NAME)
            self._meter, _ = _unwrap(change)
        self._rounds = rounds

    def pay_shares(
        self, number: int, seats: Sequence[int], shares: Sequence[Fraction]
    ) -> list[Cents]:
        """Pay the seats that win these shares in round `number`, counted from 0."""
        self.advance(number + 1)
        pool, rules = self._meter.pool, self._rules
        awards = pool_awards(pool, shares, rules.sequential_awards, rules.bonus_jackpot)
        winners = [
            (_winner(seat), amount) for seat, amount in zip(seats, awards.awards, strict=True)
        ]
        self._meter, _ = _unwrap(award(self._meter, winners, awards.resets, NAME))
        whole = sum(share == 1 for share in shares)
        self._shares += len(shares) - whole
        self._awarded += sum(awards.awards)
        if whole:
            self._gaps.append(number + 1 - self._last_hit)
            self._at_hit.append(pool)
            self._last_hit = number + 1
        return [amount // MICROS_PER_CENT for amount in awards.awards]

    @property
    def average(self) -> Fraction:
        return Fraction(self._sum, self._rounds) if self._rounds else Fraction(self._start)

    @property
    def root_mean_square(self) -> Micros:
        return isqrt(self._squares // self._rounds) if self._rounds else self._start

    def history(self) -> MeterHistory:
        rules = self._meter.rules
        return MeterHistory(
            rounds=self._rounds,
            wagers=self._wagers,
            meter_seed=rules.meter_seed,
            start=self._start,
            contribution=rules.contribution_of(self._stake),
            now=self._meter.pool,
            average=int(self.average),
            awarded=self._awarded,
            shares=self._shares,
            gaps=tuple(self._gaps),
            at_hit=tuple(self._at_hit),
        )


def _winner(seat: int) -> Account:
    return prize_account(NAME, seat)


def _unwrap(change: MeterChange | Refusal) -> MeterChange:
    if isinstance(change, Refusal):
        raise Refused.of(change)
    return change
