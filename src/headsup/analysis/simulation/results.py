"""Summarises a simulation next to the exact values.

Standard errors use the exact deviation of a single seat, scaled by how the seats moved together in
the run. So a mean does not look certain only because no rare prize has been won yet.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from headsup.analysis.cache import cache_folder
from headsup.analysis.counts.caps import is_payout_independent
from headsup.analysis.joint.joint import RoundDistribution, round_distribution
from headsup.analysis.joint.one_deck import ExtraAxes, find_one_deck_counts
from headsup.analysis.joint.seating import SeatProfile
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
from headsup.analysis.simulation.seat_lookups import COLUMN_BY_WAGER
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, Micros

NORMAL_95 = 1.959964
METER_GRID_MICROS: Micros = 100_000_000  # shares are then whole chips, so few sums are possible
LARGE_METER: Micros = 10**12  # no share of this pool is rounded


@dataclass(frozen=True)
class WagerEstimate:
    """The mean of one wager per unit staked, or of all wagers (None) per unit wagered in all."""

    wager: Wager | None
    mean: float
    standard_error: float
    exact: Fraction | None  # None where no exact analysis covers it

    @property
    def z(self) -> float | None:
        """The distance between mean and exact value, in standard errors."""
        if self.exact is None:
            return None
        gap = self.mean - float(self.exact)
        return gap / self.standard_error if self.standard_error else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean, from the run alone."""
        width = NORMAL_95 * self.standard_error
        return self.mean - width, self.mean + width


@dataclass(frozen=True)
class SimulatedSeat:
    seat: int  # from 1
    style: str
    wagers: tuple[WagerEstimate, ...]
    everything: WagerEstimate
    wagered: Cents


@dataclass(frozen=True)
class SimulatedSessions:
    """Results of whole sessions in cents, with how often each occurred."""

    rounds: int
    results: Counter[Cents]
    exact: SessionDistribution | None = None
    is_approximate: bool = False  # the exact values treat All 6 as dealt from another deck

    @property
    def exactness(self) -> str:
        """The word for the theoretical values in reports."""
        return "near" if self.is_approximate else "exact"

    @property
    def count(self) -> int:
        return self.results.total()

    @property
    def mean(self) -> float:
        return sum(net * times for net, times in self.results.items()) / (self.count or 1)

    @property
    def ahead(self) -> float:
        return sum(n for net, n in self.results.items() if net > 0) / (self.count or 1)

    def quantiles(self, probabilities: Sequence[float]) -> list[Cents]:
        """For each probability, the smallest result whose cumulative frequency reaches it."""
        ordered = sorted(self.results)
        quantiles, index, cumulative = [], 0, self.results[ordered[0]]
        for probability in probabilities:
            while cumulative < probability * self.count and index < len(ordered) - 1:
                index += 1
                cumulative += self.results[ordered[index]]
            quantiles.append(ordered[index])
        return quantiles


@dataclass(frozen=True)
class Simulation:
    rounds: int
    seed: int
    wagers: tuple[WagerEstimate, ...]  # over all seats
    everything: WagerEstimate  # the negative of the table's hold
    seats: tuple[SimulatedSeat, ...]
    wagered: Cents
    won: Cents  # by the house
    seat_correlation: float | None  # average, of two seats' main games; None with one seat
    seat_correlations: tuple[tuple[float, ...], ...]  # [seat][seat]: of their total nets
    sessions: tuple[tuple[str, SimulatedSessions], ...]  # by style
    table_sessions: SimulatedSessions | None
    meter: MeterHistory | None


def summarise_run(run: SimulationRun) -> Simulation:
    return _RunSummary(run).simulation()


class ExactSeat:
    """Exact values for a seat profile, with the Progressive's meter as it was in the run."""

    def __init__(self, style: SeatProfile, meter: MeterPath | None, seats: int = 1) -> None:
        self.style, self._meter = style, meter
        self._seats = seats  # how many seats share the cap

    @property
    def _trips_plus_is_separate(self) -> bool:
        """Whether Trips Plus is kept out of the joint distribution.

        Under New York's rule it does not depend on the best hand of seven cards (R53).
        """
        axes = ExtraAxes.of(self.style.rules, self.style.bets)
        return axes.both_hole_cards and self._counts is self.style.counts

    @cached_property
    def _counts(self) -> Int64s:
        """One-deck counts if cached. They take long, and only the total deviation needs them."""
        axes = ExtraAxes.of(self.style.rules, self.style.bets)
        counts = find_one_deck_counts(self.style.strategy, axes, cache_folder()) if axes else None
        return self.style.counts if counts is None else counts

    @cached_property
    def joint(self) -> RoundDistribution:
        """The joint distribution at the meter's root mean square, where variances are correct."""
        return self._joint(self._meter.root_mean_square if self._meter else 0)

    def _joint(self, meter: Micros, *only: Wager) -> RoundDistribution:
        bets = {
            wager: stake
            for wager, stake in self.style.bets.items()
            if (not only or wager in only)
            and not (wager is Wager.TRIPS_PLUS and self._trips_plus_is_separate)
        }
        payoffs = self.style.strategy.solution.payoffs
        return round_distribution(self.style.rules, payoffs, self._counts, bets, meter)

    def mean(self, wager: Wager) -> Fraction | None:
        """The mean in cents per round, or None if it is not known exactly.

        That is so if a cap depends on what others win, or if a fold forfeits a side wager whose
        outcome the counts do not cover.
        """
        rules, stake = self.style.rules, self.style.bets[wager]
        if not is_payout_independent(rules, self.style.bets, wager, self._seats):
            return None
        if wager is Wager.ALL_6 and not rules.after_fold[wager] and not self.joint.exact:
            return None
        if wager is Wager.TRIPS_PLUS and self._trips_plus_is_separate:
            pays_after_fold = rules.after_fold[wager]
            return -side_sheet(rules, wager).house_edge * stake if pays_after_fold else None
        if wager is Wager.PROGRESSIVE and self._meter is not None:
            return self._progressive(self._meter.average)
        return self.joint.mean(wager)

    def _progressive(self, meter: Fraction) -> Fraction:
        """The mean at this meter; it is linear in the meter."""
        without_pool, with_large_meter = (
            self._joint(pool, Wager.ANTE, Wager.PROGRESSIVE).mean(Wager.PROGRESSIVE)
            for pool in (0, LARGE_METER)
        )
        return without_pool + (with_large_meter - without_pool) * meter / LARGE_METER

    @cached_property
    def everything(self) -> Fraction | None:
        means = [self.mean(wager) for wager in self.style.bets]
        known = [mean for mean in means if mean is not None]
        return sum(known, Fraction()) if len(known) == len(means) else None

    def variance(self, wager: Wager) -> Fraction | None:
        if not is_payout_independent(self.style.rules, self.style.bets, wager, self._seats):
            return None
        if wager is Wager.TRIPS_PLUS and self._trips_plus_is_separate:
            return side_sheet(self.style.rules, wager).variance * self.style.bets[wager] ** 2
        return self.joint.covariance(wager, wager)

    @cached_property
    def variance_of_everything(self) -> Fraction | None:
        bets = self.style.bets
        alone = all(
            is_payout_independent(self.style.rules, bets, wager, self._seats) for wager in bets
        )
        return self.joint.variance if alone and not self._trips_plus_is_separate else None

    @cached_property
    def staked(self) -> Fraction:
        trips_plus = self.style.bets[Wager.TRIPS_PLUS] if self._trips_plus_is_separate else 0
        return self.joint.mean_stake + trips_plus

    def session(self, rounds: int) -> SessionDistribution | None:
        """None if the grid is too wide or a wager is not in the joint distribution."""
        if self._trips_plus_is_separate or self.everything is None:
            return None
        meter = (
            round(self._meter.average / METER_GRID_MICROS) * METER_GRID_MICROS if self._meter else 0
        )
        try:
            return session_distribution(RoundNets.of(self._joint(meter)), rounds)
        except GridTooWide:
            return None


class _RunSummary:
    def __init__(self, run: SimulationRun) -> None:
        self.run, self.table = run, run.table
        meters_by_seat = {seat: meter for group, meter in run.meters for seat in group}
        exact_seats: dict[tuple[int, int], ExactSeat] = {}
        shared = 1 if self.table.same_cards else len(self.table.seats)
        self.exact = []
        for seat, style in enumerate(self.table.seats):
            meter = meters_by_seat.get(seat)
            key = (id(style), id(meter))
            self.exact.append(exact_seats.setdefault(key, ExactSeat(style, meter, shared)))

    def simulation(self) -> Simulation:
        run, seats = self.run, range(len(self.table.seats))
        shared = not self.table.same_cards  # otherwise each seat is its own table
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
        raised = self.run.antes_raised[seat] * bets[Wager.ANTE]
        return self.run.rounds * (bets[Wager.ANTE] + sum(bets.values())) + raised

    def _wager(self, wager: Wager, seats: list[int]) -> WagerEstimate:
        stake = sum(self.table.seats[seat].bets[wager] for seat in seats)
        exact = [self.exact[seat].mean(wager) for seat in seats]
        variances = [self.exact[seat].variance(wager) for seat in seats]
        return self._estimate(wager, seats, stake, exact, variances)

    def _everything(self, seats: list[int]) -> WagerEstimate:
        """All wagers per unit wagered. The exact mean is scaled to what the run wagered."""
        wagered = Fraction(sum(self._wagered(seat) for seat in seats), self.run.rounds)
        means = [self.exact[seat].everything for seat in seats]
        staked = sum((self.exact[seat].staked for seat in seats), Fraction())
        exact = [None if mean is None else mean * wagered / staked for mean in means]
        variances = [self.exact[seat].variance_of_everything for seat in seats]
        return self._estimate(None, seats, wagered, exact, variances)

    def _estimate(
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
        run_variance = sum((self._seat_variance(seat, column) for seat in seats), Fraction())
        known_variances = [variance for variance in variances if variance is not None]
        variance = (
            sum(known_variances, Fraction()) if len(known_variances) == len(seats) else run_variance
        )
        if len(seats) > 1 and run_variance and not self.table.same_cards:
            variance *= self._table_variance(column) / run_variance
        means = [mean for mean in exact if mean is not None]
        return WagerEstimate(
            wager,
            float(Fraction(total, rounds) / stake),
            sqrt(float(variance) / rounds) / float(stake),
            sum(means, Fraction()) / stake if len(means) == len(seats) else None,
        )

    # Statistics of the run itself.

    def _seat_variance(self, seat: int, column: int) -> Fraction:
        rounds = self.run.rounds
        mean = Fraction(self.run.totals[seat][column], rounds)
        return Fraction(self.run.squares[seat][column], rounds) - mean**2

    def _table_variance(self, column: int) -> Fraction:
        rounds = self.run.rounds
        mean = Fraction(sum(totals[column] for totals in self.run.totals), rounds)
        return Fraction(self.run.table_squares[column], rounds) - mean**2

    def _correlation(self) -> float:
        """The average correlation of two seats' main games."""
        variances = [
            float(self._seat_variance(seat, MAIN)) for seat in range(len(self.table.seats))
        ]
        covariance_sum = float(self._table_variance(MAIN)) - sum(variances)
        pairs = sum(map(sqrt, variances)) ** 2 - sum(variances)
        return covariance_sum / pairs if pairs else 0.0

    def _pair_correlation(self, seat: int, other: int) -> float:
        if seat == other:
            return 1.0
        rounds, (low, high) = self.run.rounds, sorted((seat, other))
        means = [Fraction(self.run.totals[number][EVERYTHING], rounds) for number in (low, high)]
        covariance = Fraction(self.run.products[high][low], rounds) - means[0] * means[1]
        variances = self._seat_variance(low, EVERYTHING) * self._seat_variance(high, EVERYTHING)
        return float(covariance) / sqrt(float(variances)) if variances else 0.0

    # Sessions.

    def _sessions(self) -> tuple[tuple[str, SimulatedSessions], ...]:
        if not self.table.session or self.run.rounds < self.table.session:
            return ()
        results: dict[SeatProfile, Counter[Cents]] = {}
        exact_seats: dict[SeatProfile, ExactSeat] = {}
        for seat, style in enumerate(self.table.seats):
            results.setdefault(style, Counter()).update(self.run.sessions[seat])
            exact_seats.setdefault(style, self.exact[seat])
        rounds = self.table.session
        return tuple(
            (
                style.name,
                SimulatedSessions(
                    *(rounds, counts, exact_seats[style].session(rounds)),
                    is_approximate=not exact_seats[style].joint.exact,
                ),
            )
            for style, counts in results.items()
        )

    def _table_sessions(self) -> SimulatedSessions | None:
        """What the house wins from all seats together in a session."""
        if not self.table.session or self.run.rounds < self.table.session:
            return None
        results = Counter({-net: times for net, times in self.run.table_sessions.items()})
        return SimulatedSessions(self.table.session, results)


def meter_growth(history: MeterHistory) -> Micros:
    """How much the meter rose: the part of the house's win that belongs to the players."""
    return history.now - history.start


def summarize(values: Sequence[int]) -> dict[str, int]:
    """Minimum, quartiles, maximum and mean of these numbers, rounded down."""
    if not values:
        return {}
    ordered, last = sorted(values), len(values) - 1
    positions = {"least": 0, "0.25": last // 4, "0.50": last // 2, "0.75": 3 * last // 4}
    return {
        **{key: ordered[position] for key, position in positions.items()},
        "most": ordered[last],
        "mean": sum(ordered) // len(ordered),
    }


def has_rounded_pays(rules: TableRules, bets: Mapping[Wager, Cents]) -> bool:
    """Whether a pay on these stakes is not in whole chips and has to be rounded (R18)."""
    for key, table in rules.paytables.items():
        stake = bets.get(Wager.ANTE if key in ("odds", "bad_beat") else Wager(key), 0)
        pays = (row.pay for row in table.rows if row.pay.kind is PayKind.PAYS)
        if any(stake * pay.amount % rules.chip_unit for pay in pays):
            return True
    return False


def omitted_wagers(rules: TableRules, bets: Mapping[Wager, Cents]) -> list[str]:
    """Side wagers that the table offers and neither the run nor the exact values include."""
    idle = [wager for wager in SIDE_WAGERS if rules.offers(wager) and wager not in bets]
    return [f"{rules.book.label(wager)}, on which nobody bets" for wager in idle]
