"""Simulates whole tables with random deals, next to the exact values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headsup.analysis.limits import MAX_SEATS, MAX_SEED, MAX_SIMULATED_ROUNDS
from headsup.analysis.par.table_par import default_bets
from headsup.analysis.simulation.dealing import SimulationRun, TableSetup
from headsup.analysis.simulation.results import (
    SimulatedSeat,
    Simulation,
    WagerEstimate,
    summarise_run,
)
from headsup.analysis.strategies.examples import BEST
from headsup.analysis.workers.executor import open_workers
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_count, show_count
from headsup.game.values.money import Cents
from headsup.library.game import WORKBENCH
from headsup.library.rules import CountLike, RulesLike, read_meter, read_stakes, require_text, rules
from headsup.library.strategies import read_strategy_or_best
from headsup.report.sheets.simulation import simulation_sheet


@dataclass(frozen=True)
class SimulatedTable:
    """The results of a simulation: `wagers["ante"].mean`, `.standard_error`, `.exact`, `.z`.

    Figures of wagers are per unit staked.
    """

    rules: TableRules
    bets: Mapping[Wager, Cents]
    simulation: Simulation = field(repr=False)

    @property
    def rounds(self) -> int:
        return self.simulation.rounds

    @property
    def wagers(self) -> dict[str, WagerEstimate]:
        """Estimates over all seats. `ante` is Ante, Odds and Raise together."""
        estimates = self.simulation.wagers
        return {row.wager.value: row for row in estimates if row.wager is not None}

    @property
    def seats(self) -> tuple[SimulatedSeat, ...]:
        return self.simulation.seats

    @property
    def seat_correlation(self) -> float | None:
        """The correlation of two seats' main games; None with one seat."""
        return self.simulation.seat_correlation

    @property
    def hold(self) -> float:
        """The share of all stakes that the house won."""
        return -self.simulation.everything.mean

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup simulate --json`."""
        return simulation_sheet(self.rules, self.bets, self.simulation, self.rounds).json()

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {row.mean:+.4f}" for name, row in self.wagers.items())
        rounds = show_count(self.rounds, "round")
        seats = show_count(len(self.seats), "seat")
        return f"<{rounds}, {seats}: {means}>"


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
    **choices: Any,
) -> SimulatedTable:
    """Deal many rounds at a table: `simulate(10**6, seats=3, seed=7)`.

    `strategies` are those of seat 1, 2 and so on; the last also plays all further seats. The
    default is best play. The Progressive starts at `meter`. With `session=N`, the result of every N
    rounds is reported too. Deals on local threads, in `workers` processes, or on the Dask
    `scheduler` at an address. The same seed deals the same cards everywhere.
    """
    count = parse_count(rounds, "rounds", MAX_SIMULATED_ROUNDS)
    seat_count = parse_count(seats, "seats", MAX_SEATS)
    first_seed = parse_count(seed, "seed", MAX_SEED, minimum=0)
    names = _read_names(strategies)
    if len(names) > seat_count:
        raise Refused(Code.BAD_ARGUMENTS, "strategies", where="strategies", most=seat_count)
    table = rules(name, **choices)
    stakes = default_bets(table) if bets is None else read_stakes(table, bets)
    start_meter = read_meter(table, stakes, meter)
    session_rounds = 0 if session is None else parse_count(session, "session", count)
    names += names[-1:] * (seat_count - len(names))
    plays = [(strategy, read_strategy_or_best(strategy)) for strategy in names]
    with open_workers(workers=workers, scheduler=scheduler) as executor:
        profiles = WORKBENCH.seats(table, stakes, plays)
        run = SimulationRun(TableSetup(profiles, session_rounds, start_meter), first_seed)
        run.deal(count, executor)
    return SimulatedTable(table, stakes, summarise_run(run))


def _read_names(strategies: object) -> list[str]:
    """The names of strategies, from a single name or several."""
    if strategies is None:
        return [BEST]
    if isinstance(strategies, str) or not isinstance(strategies, Iterable):
        return [require_text(strategies, "strategies")]
    return [require_text(name, "strategies") for name in strategies] or [BEST]
