"""Paytables for a target: steered by exact probabilities, confirmed exactly."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from headsup.analysis.design.designer import DesignRequest, design_tables
from headsup.analysis.design.meters import meter_plan, solve_contribution, solve_seed
from headsup.analysis.design.pay_values import MEAN, MainPays, main_moments, side_moments
from headsup.analysis.design.rows import design_rows, table_count, with_pays
from headsup.analysis.design.search import DesignSpace, Goal, SpaceFigures, pareto_front
from headsup.analysis.design.solving import solve_on_workers
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve, solve_many
from headsup.analysis.workers.executor import Threads
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager

GALAXY = table_rules("galaxy")
WITHIN = Fraction(1, 2000)


def wholes(low: int, high: int) -> list[Fraction]:
    return [Fraction(pay) for pay in range(low, high + 1)]


def test_the_nearest_pocket_bonus_is_the_nearest_of_all_tables() -> None:
    goal = Goal(Fraction(6, 100), Fraction(1, 200))
    aces = {
        ("pocket_bonus", "pair_of_aces"): wholes(24, 30),
        ("pocket_bonus", "pair"): wholes(3, 5),
    }
    answer = design_tables(DesignRequest(GALAXY, "pocket_bonus", goal, aces), solve_many)
    rows = answer.found.rows
    edges = {}
    for pays in product(*(row.pays for row in rows)):
        if list(pays) == sorted(pays, reverse=True):
            named = {row.name: pay for row, pay in zip(rows, pays, strict=True)}
            table = with_pays(GALAXY, named)
            edges[pays] = side_sheet(table, Wager.POCKET_BONUS).house_edge
    assert answer.found.considered == len(edges)
    least = min(abs(edge - goal.house_edge) for edge in edges.values())
    assert min(abs(table.house_edge - goal.house_edge) for table in answer.found.found) == least
    meeting = sum(abs(edge - goal.house_edge) <= goal.within for edge in edges.values())
    assert answer.found.meeting == meeting


def test_what_is_found_has_the_figures_of_the_par_sheet_and_meets_the_goal() -> None:
    goal = Goal(Fraction(35, 1000), WITHIN, deviation=Fraction(27, 10))
    answer = design_tables(DesignRequest(GALAXY, "trips_plus", goal), solve_many)
    for table in answer.found.found:
        sheet = side_sheet(table.rules, Wager.TRIPS_PLUS)
        assert (table.house_edge, table.variance) == (sheet.house_edge, sheet.variance)
        assert abs(table.house_edge - goal.house_edge) <= WITHIN
        assert float(table.variance) ** 0.5 == pytest.approx(2.7, rel=0.02)
        pays = list(table.pays.values())
        assert pays == sorted(pays, reverse=True)
    changes = [table.change for table in answer.found.found]
    assert answer.best.change == min(changes)


def test_fixed_rows_stay_and_ranges_bound() -> None:
    rows = {
        ("trips_plus", "royal_flush"): [Fraction(100)],
        ("trips_plus", "flush"): wholes(5, 6),
    }
    answer = design_tables(
        DesignRequest(GALAXY, "trips_plus", Goal(Fraction(5, 100), WITHIN), rows), solve_many
    )
    for table in answer.found.found:
        assert table.pays["trips_plus", "royal_flush"] == 100
        assert table.pays["trips_plus", "flush"] in (5, 6)


def test_a_hit_frequency_may_drop_or_add_rows() -> None:
    goal = Goal(Fraction(5, 100), Fraction(1, 100), hit_frequency=Fraction(104, 1000))
    rows = {("trips_plus", "three_of_a_kind"): [Fraction(0)]}
    answer = design_tables(DesignRequest(GALAXY, "trips_plus", goal, rows), solve_many)
    assert float(answer.best.hit_frequency) == pytest.approx(0.104, abs=0.005)
    assert "three_of_a_kind" in answer.best.rules.paytables["trips_plus"].pays


@pytest.mark.slow
def test_main_games_are_steered_from_below_and_confirmed_by_solving() -> None:
    goal = Goal(Fraction(3, 100), WITHIN)
    answer = design_tables(
        DesignRequest(GALAXY, "bad_beat", goal, most=1),
        partial(solve_on_workers, Threads(1)),  # as on a cluster
    )
    table = answer.best
    solution = solve(compile_payoffs(table.rules))
    assert table.house_edge == solution.house_edge
    assert table.variance == solution.variance
    assert abs(table.house_edge - goal.house_edge) <= WITHIN
    # One game's decisions are worth no more than the best ones in another game.
    present = solve(compile_payoffs(GALAXY))
    worth = main_moments(MainPays.of(GALAXY, answer.found.rows), present)
    picks = np.array(
        [[row.pays.index(table.pays[row.name]) for row in answer.found.rows]], np.uint16
    )
    assert -worth.of(picks, MEAN)[0] >= float(solution.house_edge) - 1e-12
    assert -worth.of(picks, MEAN)[0] == pytest.approx(float(solution.house_edge), abs=1e-4)


def test_a_goal_out_of_reach_says_how_near_one_gets() -> None:
    with pytest.raises(Refused, match=r"the nearest has -?\d") as refused:
        design_tables(
            DesignRequest(GALAXY, "pocket_bonus", Goal(Fraction(9, 10), WITHIN)), solve_many
        )
    assert refused.value.code == "out_of_reach"


def test_the_space_has_as_many_tables_as_are_counted() -> None:
    rows = design_rows(GALAXY, "pocket_bonus", {})
    for ordered in (True, False):
        assert len(DesignSpace.of(rows, ordered).picks) == table_count(rows, ordered)


def test_the_weighed_space_has_the_exact_edges() -> None:
    rows = design_rows(GALAXY, "all_6", {})[-4:]
    space = DesignSpace.of(rows, ordered=True)
    goal = Goal(Fraction(1, 10), WITHIN)
    weighed = SpaceFigures.of(space, [side_moments(GALAXY, Wager.ALL_6, rows, 0)], goal)
    for at in range(0, len(space.picks), 97):
        sheet = side_sheet(with_pays(GALAXY, space.pays(at)), Wager.ALL_6)
        assert weighed.edges[at] == pytest.approx(float(sheet.house_edge), abs=1e-9)
        assert weighed.deviations[at] ** 2 == pytest.approx(float(sheet.variance))
        assert weighed.hits[at] == pytest.approx(float(sheet.hit_frequency))


def test_nothing_on_the_front_is_beaten() -> None:
    misses = np.array([3.0, 1.0, 2.0, 0.5, 2.5])
    change = np.array([0.0, 2.0, 1.0, 3.0, 1.5])
    assert pareto_front(misses, change).tolist() == [0, 2, 1, 3]


# Meters.


def test_contribution_and_seed_give_the_edge_in_the_long_run() -> None:
    now = meter_plan(GALAXY, 25_000_000_000, None)
    plan = solve_contribution(now, Fraction(1, 5))
    assert float(plan.house_edge) == pytest.approx(0.2, abs=1e-6)
    # At its average the meter pays out what comes in, so the edge there is the long run's.
    sheet = side_sheet(GALAXY, Wager.PROGRESSIVE, plan.average_micros)
    assert float(sheet.house_edge) == pytest.approx(float(plan.house_edge), abs=1e-8)
    again = solve_seed(plan, plan.house_edge)
    assert float(again.seed) == pytest.approx(float(plan.seed), abs=5)
    broke = side_sheet(GALAXY, Wager.PROGRESSIVE, round(plan.break_even_meter * 10**6))
    assert float(broke.house_edge) == pytest.approx(0, abs=1e-8)


def test_a_long_run_of_a_meter_comes_to_its_average() -> None:
    plan = meter_plan(GALAXY, 25_000_000_000, 250_000)
    shares = {
        row.outcome: (float(row.probability), float(row.pay.amount))
        for row in side_sheet(GALAXY, Wager.PROGRESSIVE).outcomes
        if row.pay.kind.value == "pool"
    }
    mean = 0.0  # of the meter, from wager to wager, taken a million at a time
    keep = 1.0 - sum(chance * share for chance, share in shares.values())
    fed = float(plan.contribution + plan.full * plan.seed)
    for _ in range(40):
        mean = mean * keep**1_000_000 + fed * (1 - keep**1_000_000) / (1 - keep)
    assert mean == pytest.approx(float(plan.average_meter), rel=1e-6)


def test_an_edge_that_no_contribution_gives_is_refused() -> None:
    with pytest.raises(Refused, match="in the long run; the nearest is"):
        solve_contribution(meter_plan(GALAXY, None, None), Fraction(9, 10))
