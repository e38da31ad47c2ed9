"""Simulated tables: close to exact values, independent of the workers, settled as by the game."""

import os
import random
import signal
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import isqrt, sqrt

import numpy as np
import pytest

from headsup.analysis.counts.side_cases import all_6_outcomes, progressive_outcomes
from headsup.analysis.joint.seating import SeatProfile
from headsup.analysis.kernels.simulate.side_cases import (
    COMMUNITY_ROYAL,
    FLOPPED_ROYAL,
    FLOPPED_STRAIGHT_FLUSH,
    FLOPPED_THEN_ROYAL,
    LATE_ROYAL,
    LATE_STRAIGHT_FLUSH,
    all_6_case,
    both_hole_cards_category,
    progressive_case,
)
from headsup.analysis.kernels.simulate.tables import EVERYTHING, MAIN
from headsup.analysis.par.table_par import default_bets
from headsup.analysis.simulation.dealing import CHUNK_ROUNDS, SimulationRun, TableSetup
from headsup.analysis.simulation.meter_path import MeterPath, simulated_meter
from headsup.analysis.simulation.results import Simulation, summarise_run
from headsup.analysis.simulation.seat_lookups import COLUMN_BY_WAGER
from headsup.analysis.strategies.examples import BEST, shipped_text
from headsup.analysis.strategies.written_strategy import parse_strategy
from headsup.analysis.workbench import Workbench
from headsup.analysis.workers.dask_cluster import local_cluster
from headsup.analysis.workers.executor import Executor, Threads
from headsup.game.bank.awards import pool_awards
from headsup.game.bank.ledger import prize_account
from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import award, contribute
from headsup.game.round.decision import HAS_FOLDED, HasRaised
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.model import Cap
from headsup.game.rulebook.outcomes import (
    all_6_outcome,
    both_hole_cards_outcome,
    hand_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Deal, SeatPlay, settle
from headsup.game.values.hands import Category, category_of, strength


@cache
def style(
    name: str, strategy: str = BEST, options: tuple[tuple[str, str], ...] = ()
) -> SeatProfile:
    """A seat that places every wager."""
    rules = table_rules(name, options=dict(options))
    written = None if strategy == BEST else parse_strategy(shipped_text(strategy), strategy)
    (profile,) = Workbench().seats(rules, default_bets(rules), [(strategy, written)])
    return profile


def deal_run(
    table: TableSetup, rounds: int, seed: int = 5, workforce: Executor | None = None
) -> SimulationRun:
    run = SimulationRun(table, seed)
    run.deal(rounds, workforce)
    return run


def table(seats: int = 1, session: int = 0) -> TableSetup:
    return TableSetup((style("galaxy"),) * seats, session)


def every_book(session: int = 0) -> TableSetup:
    """One seat per rule book, all with the same cards, each as if alone."""
    return TableSetup(tuple(style(name) for name in SHIPPED_BOOKS), session, same_cards=True)


def assert_near(result: Simulation) -> None:
    for seat in result.seats:
        assert {estimate.wager for estimate in seat.wagers} >= {Wager.ANTE, Wager.TRIPS_PLUS}
        for estimate in (*seat.wagers, seat.everything):
            assert estimate.z is not None
            assert abs(estimate.z) < 4, (seat.seat, estimate)


@pytest.mark.slow
def test_a_million_rounds_of_every_rule_book_match_the_exact_values() -> None:
    result = summarise_run(deal_run(every_book(), 1_000_000))
    assert_near(result)
    placed = {estimate.wager for seat in result.seats for estimate in seat.wagers}
    assert placed >= {Wager.POCKET_BONUS, Wager.ALL_6, Wager.PROGRESSIVE}


def test_seats_that_share_a_board_are_correlated() -> None:
    result = summarise_run(deal_run(table(6), 100_000))
    assert result.seat_correlation == pytest.approx(0.15, abs=0.05)
    assert_near(result)
    for seat, row in enumerate(result.seat_correlations):
        assert row[seat] == 1
        assert all(0 < correlation < 0.5 for other, correlation in enumerate(row) if other != seat)


def test_a_single_seat_has_no_correlation() -> None:
    result = summarise_run(deal_run(table(), 1000))
    assert result.seat_correlation is None
    assert result.seat_correlations == ((1.0,),)


def test_the_house_holds_what_all_seats_lose() -> None:
    run = deal_run(table(3), 10_000)
    result = summarise_run(run)
    assert result.won == -sum(totals[EVERYTHING] for totals in run.totals)
    assert result.wagered == sum(seat.wagered for seat in result.seats)
    assert -result.everything.mean == pytest.approx(result.won / result.wagered)


@pytest.mark.slow
def test_each_seat_plays_its_own_strategy() -> None:
    seats = (style("galaxy"), style("galaxy", "never-fold"))
    result = summarise_run(deal_run(TableSetup(seats), 200_000))
    assert [seat.style for seat in result.seats] == [BEST, "never-fold"]
    best, worse = (seat.wagers[0].exact for seat in result.seats)
    assert best is not None
    assert worse is not None
    assert worse < best - 0.05
    assert_near(result)


def test_trips_plus_with_both_hole_cards_is_simulated() -> None:
    seat = style("new-york", options=(("trips_plus_hand", "both_hole_cards"),))
    result = summarise_run(deal_run(TableSetup((seat,)), 200_000))
    assert_near(result)


# Results do not depend on the workers.


def sums(run: SimulationRun) -> tuple[object, ...]:
    meters = [meter.history() for _, meter in run.meters]
    return (
        *(run.rounds, run.totals, run.squares, run.table_squares, run.products, run.antes_raised),
        *(run.sessions, run.table_sessions, meters),
    )


# With three seats, three chunks and part of another. Sessions of 999 rounds end within chunks.
ROUNDS = CHUNK_ROUNDS + 1000


@cache
def by_one_thread() -> tuple[object, ...]:
    return sums(deal_run(table(3, session=999), ROUNDS, workforce=Threads(1)))


@pytest.mark.parametrize("threads", [2, 4])
def test_results_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    assert (
        sums(deal_run(table(3, session=999), ROUNDS, workforce=Threads(threads))) == by_one_thread()
    )


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
def test_results_do_not_depend_on_worker_processes_even_if_one_is_killed(count: int) -> None:
    """One worker is killed after the first chunk. Its unfinished and undelivered chunks are dealt
    again."""
    run = SimulationRun(table(3, session=999), 5)
    with local_cluster(count) as cluster:
        alive = cluster.pids()

        def kill_one(*_: int) -> None:
            if alive:
                os.kill(min(alive), signal.SIGKILL)
                alive.clear()

        run.deal(ROUNDS, cluster, kill_one)
    assert not alive
    assert sums(run) == by_one_thread()


def test_another_seed_deals_other_cards() -> None:
    assert sums(deal_run(table(), 1000)) != sums(deal_run(table(), 1000, seed=6))


def test_a_stopped_run_contains_the_first_rounds() -> None:
    run = SimulationRun(table(2, session=10), 5)

    def stop(done: int, _: int) -> None:
        if done >= CHUNK_ROUNDS // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.deal(10 * CHUNK_ROUNDS, Threads(2), stop)
    assert run.rounds == CHUNK_ROUNDS // 2
    assert sums(run) == sums(deal_run(table(2, session=10), CHUNK_ROUNDS // 2))


# Settlement.


def test_a_round_is_settled_as_the_game_settles_it() -> None:
    """The same cards, drawn in plain Python, played by the strategy and settled by the game."""
    for seed in range(40):
        seats = 1 + seed % 6
        run = deal_run(table(seats), 1, seed)
        deal, holes = _cards(seed, seats)
        paid = settle(style("galaxy").rules, deal, _plays(deal, holes), meter=10**9)
        for seat in paid.seats:
            totals = run.totals[seat.seat - 1]
            main = sum(line.net for line in seat.lines if line.wager in MAIN_GAME)
            assert totals[MAIN] == main
            assert totals[EVERYTHING] == sum(line.net for line in seat.lines)


@pytest.mark.parametrize(
    "cap",
    [
        Cap(25_00),
        Cap(40_00, "player", (*Wager,)),
        Cap(60_00, "table", (Wager.ODDS, Wager.TRIPS_PLUS, Wager.ALL_6, Wager.PROGRESSIVE), 3),
    ],
)
def test_a_cap_cuts_rounds_as_the_game_cuts_them(cap: Cap) -> None:
    """Caps per player and per table, checked on every sum of the round."""
    rules = replace(style("galaxy").rules, cap=cap)
    seat, cut = replace(style("galaxy"), rules=rules), 0
    for seed in range(60):
        seats = 1 + seed % 6
        run = deal_run(TableSetup((seat,) * seats, session=1), 1, seed)
        deal, holes = _cards(seed, seats)
        paid = settle(rules, deal, _plays(deal, holes), meter=10**9)
        cut += sum(line.shortfall > 0 for paid_seat in paid.seats for line in paid_seat.lines)
        nets = {paid_seat.seat - 1: paid_seat.net for paid_seat in paid.seats}
        assert [totals[EVERYTHING] for totals in run.totals] == [nets[i] for i in range(seats)]
        assert [squares[EVERYTHING] for squares in run.squares] == [
            nets[i] ** 2 for i in range(seats)
        ]
        assert [*run.table_sessions] == [sum(nets.values())]
        if seats > 1:
            assert run.table_squares[EVERYTHING] == sum(nets.values()) ** 2
            assert run.products[1][0] == nets[0] * nets[1]
        for paid_seat in paid.seats:
            for wager, column in COLUMN_BY_WAGER.items():
                wagers = MAIN_GAME if wager is Wager.ANTE else (wager,)
                net = sum(line.net for line in paid_seat.lines if line.wager in wagers)
                assert run.totals[paid_seat.seat - 1][column] == net
                assert run.squares[paid_seat.seat - 1][column] == net**2
    assert cut > 5


@pytest.mark.slow(seconds=8)
def test_a_capped_main_game_matches_its_exact_value_and_a_shared_cap_has_none() -> None:
    seat = replace(style("galaxy"), rules=replace(style("galaxy").rules, cap=Cap(25_00)))
    capped = summarise_run(deal_run(TableSetup((seat,) * 2), 200_000))
    assert_near(capped)
    uncut = summarise_run(deal_run(table(2), 200_000))
    assert uncut.wagers[0].exact is not None
    assert capped.wagers[0].exact is not None
    assert capped.wagers[0].exact < uncut.wagers[0].exact - Fraction(1, 50)
    shared = replace(seat, rules=replace(seat.rules, cap=Cap(25_00, "player", (*Wager,))))
    shared_result = summarise_run(deal_run(TableSetup((shared,)), 1000))
    exact = {estimate.wager: estimate.exact for estimate in shared_result.wagers}
    assert exact[Wager.ANTE] == capped.wagers[0].exact
    assert exact[Wager.TRIPS_PLUS] is None
    assert shared_result.everything.z is None


MAIN_GAME = (Wager.ANTE, Wager.ODDS, Wager.RAISE)


def _plays(deal: Deal, holes: list[tuple[int, ...]]) -> list[SeatPlay]:
    play = style("galaxy")
    stakes = {**play.bets, Wager.ODDS: play.bets[Wager.ANTE]}
    plays = []
    for number, hole in enumerate(holes, 1):
        street, multiple = Street.POCKET, play.strategy.pocket(hole).best
        if not multiple:
            street, multiple = Street.FLOP, play.strategy.on_flop(hole, deal.board[:3])
        if not multiple:
            street, multiple = Street.RIVER, play.strategy.on_river(hole, deal.board)
        decision = HasRaised(street, multiple) if multiple else HAS_FOLDED
        plays.append(SeatPlay(number, hole, stakes, decision))
    return plays


def _cards(seed: int, seats: int) -> tuple[Deal, list[tuple[int, ...]]]:
    """Dealer, board, holes and packet of the first round of a seed."""
    drawn: list[int] = []
    counter, count = 0, 11 + 2 * seats
    while len(drawn) < count:
        counter += 1
        value = seed + counter * 0x9E3779B97F4A7C15
        for shift, mix in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            value &= 2**64 - 1
            value = (value ^ value >> shift) * mix
        for half in ((value & 2**64 - 1) >> 32, value & 2**32 - 1):
            if half * 52 >> 32 not in drawn:
                drawn.append(half * 52 >> 32)
    deal = Deal(tuple(drawn[:2]), tuple(drawn[2:7]), tuple(drawn[count - 4 : count]))
    return deal, [tuple(drawn[7 + 2 * seat : 9 + 2 * seat]) for seat in range(seats)]


def hands(count: int) -> Iterator[list[int]]:
    """Random hands, half of them from high cards of two suits, so that royals are frequent."""
    generator = random.Random(3)
    high_cards = [4 * rank + suit for rank in range(6, 13) for suit in (1, 3)]
    for number in range(4000):
        yield generator.sample(high_cards if number % 2 else range(52), count)


def test_all_6_cases_match_the_game() -> None:
    outcomes, scratch = all_6_outcomes(), np.zeros(6, np.int64)
    for six in hands(6):
        case = all_6_case(six[0], six[1], np.array(six[2:]), scratch)
        assert outcomes[case] is all_6_outcome(six[:2], six[2:])


@pytest.mark.parametrize("name", ["galaxy", "new-york"])
def test_progressive_cases_match_the_game(name: str) -> None:
    rules, scratch = table_rules(name), np.zeros(6, np.int64)
    outcomes, rows = progressive_outcomes(rules), rules.paytables["progressive"].pays
    seen = set()
    for seven in hands(7):
        best = category_of(strength(seven))
        case = int(progressive_case(seven[0], seven[1], np.array(seven[2:]), int(best), scratch))
        assert outcomes[case] is progressive_outcome(seven[:2], seven[2:], best, rows)
        seen.add(case)
    assert {LATE_STRAIGHT_FLUSH, FLOPPED_STRAIGHT_FLUSH, LATE_ROYAL, COMMUNITY_ROYAL} <= seen
    assert {FLOPPED_THEN_ROYAL, FLOPPED_ROYAL + 1, FLOPPED_ROYAL + 3} <= seen


def test_both_hole_cards_categories_match_the_game() -> None:
    scratch = np.zeros(6, np.int64)
    for seven in hands(7):
        category = both_hole_cards_category(seven[0], seven[1], np.array(seven[2:]), scratch)
        outcome = both_hole_cards_outcome(seven[:2], seven[2:])
        assert hand_outcome(Category(int(category))) is outcome


# The meter.


def test_a_meter_path_matches_the_game_round_by_round() -> None:
    """Single steps between claims give the same as round by round, with a maximum in between."""
    options = {"meter_seed": "100", "meter_contribution": "0.25", "meter_max": "130"}
    rules = table_rules("galaxy", options=options)
    claims = {150: [Fraction(1, 10)], 151: [Fraction(1)], 290: [Fraction(1, 10)] * 2}
    meter_path = MeterPath(rules, 2, None)
    meter, pools, paid, expected = Meter(simulated_meter(rules), 10**8, seeded=10**8), [], [], []
    for number in range(400):
        meter = _ok(contribute(meter, 2, 10**6, ""))
        pools.append(meter.pool)
        if shares := claims.get(number):
            paid.append(meter_path.pay_shares(number, range(len(shares)), shares))
            awards = pool_awards(meter.pool, shares)
            winners = [
                (prize_account("", seat), amount) for seat, amount in enumerate(awards.awards)
            ]
            meter = _ok(award(meter, winners, awards.resets, ""))
            expected.append([amount // 10_000 for amount in awards.awards])
    meter_path.advance(400)
    history = meter_path.history()
    assert paid == expected
    assert history.now == meter.pool
    assert history.average == sum(pools) // 400
    assert meter_path.root_mean_square == isqrt(sum(pool**2 for pool in pools) // 400)
    assert (history.gaps, history.at_hit, history.shares) == ((152,), (pools[151],), 3)


def _ok(change: object) -> Meter:
    assert isinstance(change, tuple)
    meter = change[0]
    assert isinstance(meter, Meter)
    return meter


def test_shares_of_the_pool_are_in_the_totals() -> None:
    """The meter pays exactly what the seats win from it, over enough rounds for some royals."""
    run = deal_run(table(6, session=1000), 300_000)
    ((_, meter_path),) = run.meters
    history = meter_path.history()
    assert history.shares > 0
    contributed = 6 * 300_000 * history.contribution
    reset = len(history.gaps) * history.meter_seed
    assert history.now == history.start + contributed + reset - history.awarded
    in_sessions = sum(net * times for counter in run.sessions for net, times in counter.items())
    assert in_sessions == sum(totals[EVERYTHING] for totals in run.totals)


# Long runs.


@pytest.mark.slow(seconds=30)
def test_a_hundred_million_rounds_and_ten_million_sessions_match_exact_values() -> None:
    """All books play the same cards.

    A seat without Progressive and All 6 has an exact session distribution, which is checked with a
    Kolmogorov–Smirnov test.
    """
    result = summarise_run(deal_run(every_book(session=10), 100_000_000))
    assert_near(result)
    sessions = dict(
        zip(SHIPPED_BOOKS, (style_sessions for _, style_sessions in result.sessions), strict=True)
    )["sugarhouse"]
    exact = sessions.exact
    assert exact is not None
    assert sessions.count == 10_000_000
    positions = {net: position for position, net in enumerate(exact.results.tolist())}
    times = np.zeros(len(positions))
    for net, count in sessions.results.items():
        times[positions[net]] = count
    gap = np.abs(np.cumsum(times) / sessions.count - np.cumsum(exact.probabilities)).max()
    assert gap < 1.95 / sqrt(sessions.count)  # exceeded by chance once in a thousand runs
