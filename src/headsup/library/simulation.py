"""Whole tables dealt by chance, beside the exact values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headsup.analysis.joint.seating import seat_profiles
from headsup.analysis.par.table_par import default_bets
from headsup.analysis.session.limits import MAX_SEATS, MAX_SEED, MAX_SIMULATED_ROUNDS
from headsup.analysis.simulation.dealing import SimulationRun, TableSetup
from headsup.analysis.simulation.results import SimulatedSeat, Simulation, WagerEstimate
from headsup.analysis.simulation.results import summarise_run as reckoned
from headsup.analysis.strategies.examples import BEST
from headsup.analysis.workers.pool import open_workers
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.counts import parse_count, show_count
from headsup.game.values.money import Cents
from headsup.library.game import get_round_counts, get_strategy
from headsup.library.rules import CountLike, RulesLike, require_text, rules
from headsup.library.staking import read_meter, read_stakes
from headsup.library.written import read_strategy_or_best
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
    def wagers(self) -> dict[str, WagerEstimate]:
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
        rounds = show_count(self.rounds, "round")
        seats = show_count(len(self.seats), "seat")
        return f"<{rounds}, {seats}: {told}>"


def simulate(
    rounds: CountLike = 1_000_000,
    seats: CountLike = 1,
    seed: CountLike = 1,
    strategies: str | Sequence[str] = (),
    bets: Mapping[str, object] | None = None,
    name: RulesLike = "galaxy",
    *,
    meter: object = None,
    session: CountLike | None = None,
    workers: CountLike | None = None,
    scheduler: str | None = None,
    **chosen: Any,
) -> SimulatedTable:
    """`simulate(10**6, seats=3, seed=7)`: the same seed deals the same cards everywhere.

    `strategies` are of seat 1 and the next, the last one of all further seats; one name is of
    all seats; else best play. The progressive starts at `meter`; `session` rounds together are
    told as sessions. Threads here deal, or so many `workers`, processes of their own, or
    those of the Dask `scheduler` at an address; what is dealt is the same.
    """
    count = parse_count(rounds, "rounds", MAX_SIMULATED_ROUNDS)
    players = parse_count(seats, "seats", MAX_SEATS)
    first = parse_count(seed, "seed", MAX_SEED, least=0)
    names = _names(strategies)
    if len(names) > players:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="strategies", most=players)
    table = rules(name, **chosen)
    stakes = default_bets(table) if bets is None else read_stakes(table, bets)
    start = read_meter(table, stakes, meter)
    length = 0 if session is None else parse_count(session, "session", count)
    names += names[-1:] * (players - len(names))
    plays = [(one, read_strategy_or_best(one)) for one in names]
    with open_workers(workers=workers, scheduler=scheduler) as workforce:
        seated_there = seat_profiles(table, stakes, plays, get_strategy, get_round_counts)
        run = SimulationRun(TableSetup(seated_there, length, start), first)
        run.deal(count, workforce)
    return SimulatedTable(table, stakes, reckoned(run))


def _names(strategies: object) -> list[str]:
    """Of seat 1 and the next; one name stands for itself."""
    if strategies is None:
        return [BEST]
    if isinstance(strategies, str) or not isinstance(strategies, Iterable):
        return [require_text(strategies, "strategies")]
    return [require_text(name, "strategies") for name in strategies] or [BEST]
