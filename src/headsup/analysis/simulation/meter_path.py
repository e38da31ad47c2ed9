"""A progressive meter over simulated rounds, moved by the game's own rules.

Shares of the pool are so rare that the rounds between them are taken at one step: every wager adds
the same, so the pool rises evenly until it stands at its maximum.
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
    """Jackpots are awards of the whole pool; gaps count rounds, the hit's own included."""

    rounds: int
    wagers: int  # that feed it in a round
    meter_seed: Micros
    start: Micros
    contribution: Micros  # of each wager
    now: Micros
    average: Micros  # over rounds, as they are settled
    awarded: Micros
    shares: int  # awards of less than the whole pool
    gaps: tuple[int, ...]  # from the first round, or the jackpot before, to each jackpot
    at_hit: tuple[Micros, ...]  # what the pool was at each jackpot


def simulated_meter(rules: TableRules) -> MeterRules:
    """As a table with these rules would open it; seed and contribution of a home table where the
    rules name none (R77)."""
    own = meter_rules(rules, NAME)
    fed = own.contribution or HOME_CONTRIBUTION_MICROS
    return replace(
        own,
        meter_seed=own.meter_seed or HOME_SEED_MICROS,
        contribution=0 if own.regime is Regime.BONUS else fed,
    )


class MeterPath:
    def __init__(self, rules: TableRules, wagers: int, start: Micros | None) -> None:
        self._rules, self._wagers = rules, wagers
        own = simulated_meter(rules)
        self._start = own.meter_seed if start is None else start
        self._meter = Meter(own, pool=self._start, seeded=self._start)
        self._stake = rules.progressive_stake * MICROS_PER_CENT
        self._rounds = self._last_hit = 0
        self._sum = self._squares = self._shares = self._awarded = 0
        self._gaps: list[int] = []
        self._at_hit: list[Micros] = []

    @property
    def _each_round(self) -> Micros:
        return self._wagers * self._meter.rules.contribution_of(self._stake)

    def advance(self, rounds: int) -> None:
        """Let the meter be fed up to and with this many rounds from the first (R72)."""
        passed = rounds - self._rounds
        if passed <= 0:
            return
        pool, rise, most = self._meter.pool, self._each_round, self._meter.rules.maximum
        rising = min(passed, max(0, most - pool) // rise) if rise else passed
        flat = passed - rising
        steps, squares = rising * (rising + 1) // 2, rising * (rising + 1) * (2 * rising + 1) // 6
        self._sum += rising * pool + steps * rise + flat * most
        self._squares += rising * pool**2 + 2 * pool * rise * steps + rise**2 * squares
        self._squares += flat * most**2
        if rise:
            fed = contribute(self._meter, self._wagers * passed, self._stake, NAME)
            self._meter, _ = _unwrap(fed)
        self._rounds = rounds

    def settle(self, number: int, seats: Sequence[int], shares: Sequence[Fraction]) -> list[Cents]:
        """What the seats that claim these shares in round `number`, counted from 0, are paid."""
        self.advance(number + 1)
        pool, own = self._meter.pool, self._rules
        shared = pool_awards(pool, shares, own.sequential_awards, own.bonus_jackpot)
        winners = [(_winner(seat), won) for seat, won in zip(seats, shared.awards, strict=True)]
        self._meter, _ = _unwrap(award(self._meter, winners, shared.resets, NAME))
        whole = sum(share == 1 for share in shares)
        self._shares += len(shares) - whole
        self._awarded += sum(shared.awards)
        if whole:
            self._gaps.append(number + 1 - self._last_hit)
            self._at_hit.append(pool)
            self._last_hit = number + 1
        return [won // MICROS_PER_CENT for won in shared.awards]

    @property
    def average(self) -> Fraction:
        return Fraction(self._sum, self._rounds) if self._rounds else Fraction(self._start)

    @property
    def root_mean_square(self) -> Micros:
        return isqrt(self._squares // self._rounds) if self._rounds else self._start

    def history(self) -> MeterHistory:
        own = self._meter.rules
        return MeterHistory(
            rounds=self._rounds,
            wagers=self._wagers,
            meter_seed=own.meter_seed,
            start=self._start,
            contribution=own.contribution_of(self._stake),
            now=self._meter.pool,
            average=int(self.average),
            awarded=self._awarded,
            shares=self._shares,
            gaps=tuple(self._gaps),
            at_hit=tuple(self._at_hit),
        )


def _winner(seat: int) -> Account:
    return prize_account(NAME, seat)


def _unwrap(moved: MeterChange | Refusal) -> MeterChange:
    if isinstance(moved, Refusal):
        raise Refused.of(moved)
    return moved
