"""Whole tables dealt by chance, beside the exact values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headsup.analysis.joint.seating import seated
from headsup.analysis.par.table_par import usual_bets
from headsup.analysis.session.limits import MOST_DEALT_ROUNDS, MOST_SEATS, MOST_SEED
from headsup.analysis.simulation.dealing import DealtTable, SimulationRun
from headsup.analysis.simulation.results import Simulated, SimulatedSeat, Simulation
from headsup.analysis.simulation.results import simulation as reckoned
from headsup.analysis.strategies.examples import BEST
from headsup.analysis.workers.pool import hired
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.counts import parse_count, write_count
from headsup.game.values.money import Cents
from headsup.library.game import counts_of, strategy_of
from headsup.library.rules import Count, RulesNamed, rules, text_of
from headsup.library.staking import fit_meter, fit_stakes
from headsup.library.written import chosen_strategy
from headsup.report.json.simulation import simulation_json


@dataclass(frozen=True)
class SimulatedTable:
    """`wagers["ante"].mean`, `.standard_error`, `.exact` and `.z`, per unit staked."""

    rules: TableRules
    bets: Mapping[Wager, Cents]
    simulation: Simulation = field(repr=False)

    @property
    def rounds(self) -> int:
        return self.simulation.rounds

    @property
    def wagers(self) -> dict[str, Simulated]:
        """Over all seats; `ante` is Ante, Odds and Raise together."""
        told = self.simulation.wagers
        return {one.wager.value: one for one in told if one.wager is not None}

    @property
    def seats(self) -> tuple[SimulatedSeat, ...]:
        return self.simulation.seats

    @property
    def seat_correlation(self) -> float | None:
        """Of two seats' main games; None with one seat."""
        return self.simulation.seat_correlation

    @property
    def hold(self) -> float:
        """What the house won of all that was staked."""
        return -self.simulation.everything.mean

    def to_json(self) -> dict[str, Any]:
        """As `headsup simulate --json` answers."""
        return simulation_json(self.rules, self.bets, self.simulation, self.rounds)

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {one.mean:+.4f}" for name, one in self.wagers.items())
        rounds = write_count(self.rounds, "round")
        seats = write_count(len(self.seats), "seat")
        return f"<{rounds}, {seats}: {told}>"


def simulate(
    rounds: Count = 1_000_000,
    seats: Count = 1,
    seed: Count = 1,
    strategies: str | Sequence[str] = (),
    bets: Mapping[str, object] | None = None,
    name: RulesNamed = "galaxy",
    *,
    meter: object = None,
    session: Count | None = None,
    workers: Count | None = None,
    scheduler: str | None = None,
    **chosen: Any,
) -> SimulatedTable:
    """`simulate(10**6, seats=3, seed=7)`: the same seed deals the same cards everywhere.

    `strategies` are of seat 1 and the next, the last one of all further seats; one name is of
    all seats; else best play. The progressive starts at `meter`; `session` rounds together are
    told as sessions. Threads here deal, or so many `workers`, processes of their own, or
    those of the Dask `scheduler` at an address; what is dealt is the same.
    """
    count = parse_count(rounds, "rounds", MOST_DEALT_ROUNDS)
    players = parse_count(seats, "seats", MOST_SEATS)
    first = parse_count(seed, "seed", MOST_SEED, least=0)
    names = _names(strategies)
    if len(names) > players:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="strategies", most=players)
    table = rules(name, **chosen)
    stakes = usual_bets(table) if bets is None else fit_stakes(table, bets)
    start = fit_meter(table, stakes, meter)
    length = 0 if session is None else parse_count(session, "session", count)
    names += names[-1:] * (players - len(names))
    plays = [(one, chosen_strategy(one)) for one in names]
    with hired(workers=workers, scheduler=scheduler) as workforce:
        seated_there = seated(table, stakes, plays, strategy_of, counts_of)
        run = SimulationRun(DealtTable(seated_there, length, start), first)
        run.deal(count, workforce)
    return SimulatedTable(table, stakes, reckoned(run))


def _names(strategies: object) -> list[str]:
    """Of seat 1 and the next; one name stands for itself."""
    if strategies is None:
        return [BEST]
    if isinstance(strategies, str) or not isinstance(strategies, Iterable):
        return [text_of(strategies, "strategies")]
    return [text_of(name, "strategies") for name in strategies] or [BEST]
