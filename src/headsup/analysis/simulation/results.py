"""What a simulation came to, beside what the exact analysis says of it.

A standard error is the exact deviation of one seat, as on the par sheet, times what the run itself
shows of seats that go together: rare prizes that have not come yet make no mean look certain.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from headsup.analysis.counts.caps import is_capped_alone
from headsup.analysis.joint.joint import RoundDistribution, round_distribution
from headsup.analysis.joint.one_deck import ExtraAxes, find_one_deck_counts
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.simulate.tables import EVERYTHING, MAIN
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.session.session import (
    GridTooWide,
    RoundNets,
    SessionDistribution,
    session_distribution,
)
from headsup.analysis.simulation.dealing import SimulationRun
from headsup.analysis.simulation.meter_path import MeterHistory, MeterPath
from headsup.analysis.simulation.seat_lookups import COLUMN_BY_WAGER, SeatProfile
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

NORMAL_95 = 1.959964
METER_GRID_MICROS: Micros = (
    100_000_000  # of which shares are whole chips: the grid of sums stays narrow
)
LARGE_METER: Micros = 10**12  # at which no share of a pool is rounded


@dataclass(frozen=True)
class WagerEstimate:
    """One wager, or everything (None), per unit staked; everything's unit is all that is staked."""

    wager: Wager | None
    mean: float
    standard_error: float
    exact: Fraction | None  # None where no exact analysis knows it

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is from the exact value."""
        if self.exact is None:
            return None
        gap = self.mean - float(self.exact)
        return gap / self.standard_error if self.standard_error else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean is with 95 %, as far as the run alone can tell."""
        off = NORMAL_95 * self.standard_error
        return self.mean - off, self.mean + off


@dataclass(frozen=True)
class SimulatedSeat:
    seat: int  # from 1
    style: str
    wagers: tuple[WagerEstimate, ...]
    everything: WagerEstimate
    wagered: Cents


@dataclass(frozen=True)
class SimulatedSessions:
    """Results of whole sessions in cents, by how often they came."""

    rounds: int
    results: Counter[Cents]
    known: SessionDistribution | None = None
    is_near: bool = False  # what is known, where `joint` takes All 6 as of another deck

    @property
    def exactness(self) -> str:
        """What to call it beside what was dealt."""
        return "near" if self.is_near else "exact"

    @property
    def count(self) -> int:
        return self.results.total()

    @property
    def mean(self) -> float:
        return sum(net * times for net, times in self.results.items()) / (self.count or 1)

    @property
    def ahead(self) -> float:
        return sum(n for net, n in self.results.items() if net > 0) / (self.count or 1)

    def quantiles(self, chances: Sequence[float]) -> list[Cents]:
        """The least results that are reached or missed at least so often."""
        ordered = sorted(self.results)
        found, at, below = [], 0, self.results[ordered[0]]
        for chance in chances:
            while below < chance * self.count and at < len(ordered) - 1:
                at += 1
                below += self.results[ordered[at]]
            found.append(ordered[at])
        return found


@dataclass(frozen=True)
class Simulation:
    rounds: int
    seed: int
    wagers: tuple[WagerEstimate, ...]  # over all seats
    everything: WagerEstimate  # its negative is the table's hold
    seats: tuple[SimulatedSeat, ...]
    wagered: Cents
    won: Cents  # by the house
    seat_correlation: float | None  # of two seats' main games on average; None with one seat
    seat_correlations: tuple[tuple[float, ...], ...]  # [seat][seat], of everything
    sessions: tuple[tuple[str, SimulatedSessions], ...]  # by style
    table_sessions: SimulatedSessions | None
    meter: MeterHistory | None


def summarise_run(run: SimulationRun) -> Simulation:
    return _RunSummary(run).simulation()


class ExactSeat:
    """What is known exactly of a style, with the progressive's meter where the run had it."""

    def __init__(self, style: SeatProfile, course: MeterPath | None, seats: int = 1) -> None:
        self.style, self._course = style, course
        self._seats = seats  # that share a cap

    @property
    def _apart(self) -> bool:
        """Trips Plus by New York's letter follows from no hand of seven cards (R53)."""
        asked = ExtraAxes.of(self.style.rules, self.style.bets)
        return asked.own_hand and self._counts is self.style.counts

    @cached_property
    def _counts(self) -> Int64s:
        """Counted from one deck where that is known already: it takes long, and only the spread of
        everything together asks for it."""
        asked = ExtraAxes.of(self.style.rules, self.style.bets)
        known = find_one_deck_counts(self.style.strategy, asked) if asked else None
        return self.style.counts if known is None else known

    @cached_property
    def joint(self) -> RoundDistribution:
        """At the meter whose square is the average square: the deviations are right there."""
        return self._joint(self._course.root_mean_square if self._course else 0)

    def _joint(self, meter: Micros, *only: Wager) -> RoundDistribution:
        bets = {
            wager: stake
            for wager, stake in self.style.bets.items()
            if (not only or wager in only) and not (wager is Wager.TRIPS_PLUS and self._apart)
        }
        payoffs = self.style.strategy.solution.payoffs
        return round_distribution(self.style.rules, payoffs, self._counts, bets, meter)

    def mean(self, wager: Wager) -> Fraction | None:
        """In cents a round; None where a fold forfeits what its class and hand do not decide, or a
        cap cuts it by what others win."""
        rules, stake = self.style.rules, self.style.bets[wager]
        if not is_capped_alone(rules, self.style.bets, wager, self._seats):
            return None
        if wager is Wager.ALL_6 and not rules.after_fold[wager] and not self.joint.exact:
            return None
        if wager is Wager.TRIPS_PLUS and self._apart:
            stays = rules.after_fold[wager]
            return -side_sheet(rules, wager).house_edge * stake if stays else None
        if wager is Wager.PROGRESSIVE and self._course is not None:
            return self._progressive(self._course.average)
        return self.joint.mean(wager)

    def _progressive(self, meter: Fraction) -> Fraction:
        """It grows evenly with the meter."""
        none, large = (
            self._joint(at, Wager.ANTE, Wager.PROGRESSIVE).mean(Wager.PROGRESSIVE)
            for at in (0, LARGE_METER)
        )
        return none + (large - none) * meter / LARGE_METER

    @cached_property
    def everything(self) -> Fraction | None:
        means = [self.mean(wager) for wager in self.style.bets]
        known = [mean for mean in means if mean is not None]
        return sum(known, Fraction()) if len(known) == len(means) else None

    def variance(self, wager: Wager) -> Fraction | None:
        if not is_capped_alone(self.style.rules, self.style.bets, wager, self._seats):
            return None
        if wager is Wager.TRIPS_PLUS and self._apart:
            return side_sheet(self.style.rules, wager).variance * self.style.bets[wager] ** 2
        return self.joint.covariance(wager, wager)

    @cached_property
    def variance_of_everything(self) -> Fraction | None:
        bets = self.style.bets
        alone = all(is_capped_alone(self.style.rules, bets, wager, self._seats) for wager in bets)
        return self.joint.variance if alone and not self._apart else None

    @cached_property
    def staked(self) -> Fraction:
        apart = self.style.bets[Wager.TRIPS_PLUS] if self._apart else 0
        return self.joint.staked + apart

    def session(self, rounds: int) -> SessionDistribution | None:
        """None where the grid would be too wide, or a wager is not in the joint distribution."""
        if self._apart or self.everything is None:
            return None
        meter = (
            round(self._course.average / METER_GRID_MICROS) * METER_GRID_MICROS
            if self._course
            else 0
        )
        try:
            return session_distribution(RoundNets.of(self._joint(meter)), rounds)
        except GridTooWide:
            return None


class _RunSummary:
    def __init__(self, run: SimulationRun) -> None:
        self.run, self.table = run, run.table
        courses = {seat: course for group, course in run.meters for seat in group}
        known: dict[tuple[int, int], ExactSeat] = {}
        shared = 1 if self.table.same_cards else len(self.table.seats)
        self.exact = []
        for seat, style in enumerate(self.table.seats):
            course = courses.get(seat)
            key = (id(style), id(course))
            self.exact.append(known.setdefault(key, ExactSeat(style, course, shared)))

    def simulation(self) -> Simulation:
        run, seats = self.run, range(len(self.table.seats))
        shared = not self.table.same_cards  # else each seat is a table of its own
        placed = [wager for wager in COLUMN_BY_WAGER if self.table.plays(wager)]
        wagered = sum(self._wagered(seat) for seat in seats)
        return Simulation(
            rounds=run.rounds,
            seed=run.seed,
            wagers=tuple(self._wager(wager, self._staking(wager)) for wager in placed),
            everything=self._everything([*seats]),
            seats=tuple(self._seat(seat) for seat in seats),
            wagered=wagered,
            won=-sum(run.totals[seat][EVERYTHING] for seat in seats),
            seat_correlation=self._correlation() if len(seats) > 1 and shared else None,
            seat_correlations=tuple(
                tuple(self._pair_correlation(seat, other) for other in seats) for seat in seats
            )
            if shared
            else (),
            sessions=self._sessions(),
            table_sessions=self._table_sessions(),
            meter=run.meters[0][1].history() if run.meters else None,
        )

    def _staking(self, wager: Wager) -> list[int]:
        return [seat for seat, style in enumerate(self.table.seats) if wager in style.bets]

    def _seat(self, seat: int) -> SimulatedSeat:
        style = self.table.seats[seat]
        return SimulatedSeat(
            seat + 1,
            style.name,
            tuple(self._wager(wager, [seat]) for wager in COLUMN_BY_WAGER if wager in style.bets),
            self._everything([seat]),
            self._wagered(seat),
        )

    def _wagered(self, seat: int) -> Cents:
        bets = self.table.seats[seat].bets
        raised = self.run.raised[seat] * bets[Wager.ANTE]
        return self.run.rounds * (bets[Wager.ANTE] + sum(bets.values())) + raised

    def _wager(self, wager: Wager, seats: list[int]) -> WagerEstimate:
        stake = sum(self.table.seats[seat].bets[wager] for seat in seats)
        exact = [self.exact[seat].mean(wager) for seat in seats]
        variances = [self.exact[seat].variance(wager) for seat in seats]
        return self._simulated(wager, seats, stake, exact, variances)

    def _everything(self, seats: list[int]) -> WagerEstimate:
        """Per unit wagered, as the run wagered, and as is wagered on average."""
        wagered = Fraction(sum(self._wagered(seat) for seat in seats), self.run.rounds)
        means = [self.exact[seat].everything for seat in seats]
        staked = sum((self.exact[seat].staked for seat in seats), Fraction())
        exact = [None if mean is None else mean * wagered / staked for mean in means]
        variances = [self.exact[seat].variance_of_everything for seat in seats]
        return self._simulated(None, seats, wagered, exact, variances)

    def _simulated(
        self,
        wager: Wager | None,
        seats: list[int],
        stake: Fraction | int,
        exact: list[Fraction | None],
        variances: list[Fraction | None],
    ) -> WagerEstimate:
        column = EVERYTHING if wager is None else COLUMN_BY_WAGER[wager]
        rounds = self.run.rounds
        total = sum(self.run.totals[seat][column] for seat in seats)
        shown = sum((self._alone(seat, column) for seat in seats), Fraction())
        known = [variance for variance in variances if variance is not None]
        variance = sum(known, Fraction()) if len(known) == len(seats) else shown
        if len(seats) > 1 and shown and not self.table.same_cards:
            variance *= self._all_together(column) / shown
        means = [mean for mean in exact if mean is not None]
        return WagerEstimate(
            wager,
            float(Fraction(total, rounds) / stake),
            sqrt(float(variance) / rounds) / float(stake),
            sum(means, Fraction()) / stake if len(means) == len(seats) else None,
        )

    # What the run itself shows.

    def _alone(self, seat: int, column: int) -> Fraction:
        rounds = self.run.rounds
        mean = Fraction(self.run.totals[seat][column], rounds)
        return Fraction(self.run.squares[seat][column], rounds) - mean**2

    def _all_together(self, column: int) -> Fraction:
        rounds = self.run.rounds
        mean = Fraction(sum(totals[column] for totals in self.run.totals), rounds)
        return Fraction(self.run.together[column], rounds) - mean**2

    def _correlation(self) -> float:
        """Of two seats' main games, from the spread of the table's sum and that of each alone."""
        alone = [float(self._alone(seat, MAIN)) for seat in range(len(self.table.seats))]
        shared = float(self._all_together(MAIN)) - sum(alone)
        pairs = sum(map(sqrt, alone)) ** 2 - sum(alone)
        return shared / pairs if pairs else 0.0

    def _pair_correlation(self, seat: int, other: int) -> float:
        if seat == other:
            return 1.0
        rounds, (low, high) = self.run.rounds, sorted((seat, other))
        means = [Fraction(self.run.totals[one][EVERYTHING], rounds) for one in (low, high)]
        shared = Fraction(self.run.products[high][low], rounds) - means[0] * means[1]
        spread = self._alone(low, EVERYTHING) * self._alone(high, EVERYTHING)
        return float(shared) / sqrt(float(spread)) if spread else 0.0

    # Sessions.

    def _sessions(self) -> tuple[tuple[str, SimulatedSessions], ...]:
        if not self.table.session or self.run.rounds < self.table.session:
            return ()
        found: dict[SeatProfile, Counter[Cents]] = {}
        exact: dict[SeatProfile, ExactSeat] = {}
        for seat, style in enumerate(self.table.seats):
            found.setdefault(style, Counter()).update(self.run.sessions[seat])
            exact.setdefault(style, self.exact[seat])
        rounds = self.table.session
        return tuple(
            (
                style.name,
                SimulatedSessions(
                    *(rounds, counts, exact[style].session(rounds)),
                    is_near=not exact[style].joint.exact,
                ),
            )
            for style, counts in found.items()
        )

    def _table_sessions(self) -> SimulatedSessions | None:
        """What the house wins from all seats in a session."""
        if not self.table.session or self.run.rounds < self.table.session:
            return None
        results = Counter({-net: times for net, times in self.run.table_sessions.items()})
        return SimulatedSessions(self.table.session, results)
