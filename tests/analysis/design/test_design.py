"""Designed paytables: the search is exhaustive and every result is exact."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from headsup.analysis.design import paytables
from headsup.analysis.design.designer import DesignRequest, design_tables
from headsup.analysis.design.meters import meter_plan, solve_contribution, solve_seed
from headsup.analysis.design.pay_values import MEAN, MainPays, main_moments, side_moments
from headsup.analysis.design.rows import design_rows, table_count, with_pays
from headsup.analysis.design.rule_book_file import toml_text
from headsup.analysis.design.search import DesignSpace, Goal, SpaceFigures, pareto_front
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve, solve_many, solve_on_workers
from headsup.analysis.workers.executor import Progress, Threads
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.safe_parse import parse_toml

GALAXY = table_rules("galaxy")
WITHIN = Fraction(1, 2000)


def whole_pays(low: int, high: int) -> list[Fraction]:
    return [Fraction(pay) for pay in range(low, high + 1)]


def test_the_result_is_the_nearest_of_all_possible_tables() -> None:
    goal = Goal(Fraction(6, 100), Fraction(1, 200))
    aces = {
        ("pocket_bonus", "pair_of_aces"): whole_pays(24, 30),
        ("pocket_bonus", "pair"): whole_pays(3, 5),
    }
    answer = design_tables(DesignRequest(GALAXY, "pocket_bonus", goal, aces), solve_many)
    rows = answer.result.rows
    edges = {}
    for pays in product(*(row.pays for row in rows)):
        if list(pays) == sorted(pays, reverse=True):
            pays_by_row = {row.name: pay for row, pay in zip(rows, pays, strict=True)}
            table = with_pays(GALAXY, pays_by_row)
            edges[pays] = side_sheet(table, Wager.POCKET_BONUS).house_edge
    assert answer.result.considered == len(edges)
    nearest = min(abs(edge - goal.house_edge) for edge in edges.values())
    assert min(abs(table.house_edge - goal.house_edge) for table in answer.result.tables) == nearest
    meeting_count = sum(abs(edge - goal.house_edge) <= goal.within for edge in edges.values())
    assert answer.result.meeting == meeting_count


def test_results_match_the_par_sheet_and_meet_the_goal() -> None:
    goal = Goal(Fraction(35, 1000), WITHIN, deviation=Fraction(27, 10))
    answer = design_tables(DesignRequest(GALAXY, "trips_plus", goal), solve_many)
    for table in answer.result.tables:
        sheet = side_sheet(table.rules, Wager.TRIPS_PLUS)
        assert (table.house_edge, table.variance) == (sheet.house_edge, sheet.variance)
        assert abs(table.house_edge - goal.house_edge) <= WITHIN
        assert float(table.variance) ** 0.5 == pytest.approx(2.7, rel=0.02)
        pays = list(table.pays.values())
        assert pays == sorted(pays, reverse=True)
    changes = [table.change for table in answer.result.tables]
    assert answer.best.change == min(changes)


def test_fixed_rows_stay_and_ranges_are_respected() -> None:
    rows = {
        ("trips_plus", "royal_flush"): [Fraction(100)],
        ("trips_plus", "flush"): whole_pays(5, 6),
    }
    answer = design_tables(
        DesignRequest(GALAXY, "trips_plus", Goal(Fraction(5, 100), WITHIN), rows), solve_many
    )
    for table in answer.result.tables:
        assert table.pays["trips_plus", "royal_flush"] == 100
        assert table.pays["trips_plus", "flush"] in (5, 6)


def test_a_hit_frequency_may_drop_or_add_rows() -> None:
    goal = Goal(Fraction(5, 100), Fraction(1, 100), hit_frequency=Fraction(104, 1000))
    rows = {("trips_plus", "three_of_a_kind"): [Fraction(0)]}
    answer = design_tables(DesignRequest(GALAXY, "trips_plus", goal, rows), solve_many)
    assert float(answer.best.hit_frequency) == pytest.approx(0.104, abs=0.005)
    assert "three_of_a_kind" in answer.best.rules.paytables["trips_plus"].pays


@pytest.mark.slow
def test_main_game_estimates_are_lower_bounds_and_results_are_solved() -> None:
    goal = Goal(Fraction(3, 100), WITHIN)
    answer = design_tables(
        DesignRequest(GALAXY, "bad_beat", goal, max_tables=1),
        partial(solve_on_workers, Threads(1)),  # as on a cluster
    )
    table = answer.best
    solution = solve(compile_payoffs(table.rules))
    assert table.house_edge == solution.house_edge
    assert table.variance == solution.variance
    assert abs(table.house_edge - goal.house_edge) <= WITHIN
    # The decisions for one game are worth at most as much as best play in another.
    present = solve(compile_payoffs(GALAXY))
    moments = main_moments(MainPays.of(GALAXY, answer.result.rows), present)
    picks = np.array(
        [[row.pays.index(table.pays[row.name]) for row in answer.result.rows]], np.uint16
    )
    assert -moments.of(picks, MEAN)[0] >= float(solution.house_edge) - 1e-12
    assert -moments.of(picks, MEAN)[0] == pytest.approx(float(solution.house_edge), abs=1e-4)


@pytest.mark.slow
def test_after_the_last_turn_any_solved_table_may_meet_the_goal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The solution of the least changed table disappoints, and no turn is left to try others."""
    monkeypatch.setattr(paytables, "MAX_SEARCH_TURNS", 1)
    (present,) = solve_many([compile_payoffs(GALAXY)])

    def disappoint(
        games: Sequence[Payoffs], progress: Progress | None = None
    ) -> Sequence[Solution]:
        return [present] if len(games) == 1 else [present, *solve_many(games[1:], progress)]

    goal = Goal(Fraction(4, 100), Fraction(1, 5000))
    answer = design_tables(DesignRequest(GALAXY, "bad_beat", goal, max_tables=4), disappoint)
    assert answer.result.tables
    assert all(table.meets for table in answer.result.tables)
    assert answer.best.house_edge == solve(compile_payoffs(answer.best.rules)).house_edge


def test_an_unreachable_goal_names_the_nearest_table() -> None:
    with pytest.raises(Refused, match=r"the closest has -?\d") as refused:
        design_tables(
            DesignRequest(GALAXY, "pocket_bonus", Goal(Fraction(9, 10), WITHIN)), solve_many
        )
    assert refused.value.code == "out_of_reach"


def test_the_announced_number_of_tables_is_searched() -> None:
    rows = design_rows(GALAXY, "pocket_bonus", {})
    for ordered in (True, False):
        assert len(DesignSpace.of(rows, ordered).picks) == table_count(rows, ordered)


def test_estimated_figures_of_side_wagers_are_exact() -> None:
    rows = design_rows(GALAXY, "all_6", {})[-4:]
    space = DesignSpace.of(rows, ordered=True)
    goal = Goal(Fraction(1, 10), WITHIN)
    figures = SpaceFigures.of(space, [side_moments(GALAXY, Wager.ALL_6, rows, 0)], goal)
    for index in range(0, len(space.picks), 97):
        sheet = side_sheet(with_pays(GALAXY, space.pays(index)), Wager.ALL_6)
        assert figures.edges[index] == pytest.approx(float(sheet.house_edge), abs=1e-9)
        assert figures.deviations[index] ** 2 == pytest.approx(float(sheet.variance))
        assert figures.hits[index] == pytest.approx(float(sheet.hit_frequency))


def test_no_table_on_the_front_is_beaten() -> None:
    misses = np.array([3.0, 1.0, 2.0, 0.5, 2.5])
    change = np.array([0.0, 2.0, 1.0, 3.0, 1.5])
    assert pareto_front(misses, change).tolist() == [0, 2, 1, 3]


# Meters.


def test_contribution_and_seed_give_the_edge_in_the_long_run() -> None:
    present = meter_plan(GALAXY, 25_000_000_000, None)
    plan = solve_contribution(present, Fraction(1, 5))
    assert float(plan.house_edge) == pytest.approx(0.2, abs=1e-6)
    # At its average the meter pays out what it takes in, so that edge is the long-run edge.
    sheet = side_sheet(GALAXY, Wager.PROGRESSIVE, plan.average_micros)
    assert float(sheet.house_edge) == pytest.approx(float(plan.house_edge), abs=1e-8)
    again = solve_seed(plan, plan.house_edge)
    assert float(again.seed) == pytest.approx(float(plan.seed), abs=5)
    break_even = side_sheet(GALAXY, Wager.PROGRESSIVE, round(plan.break_even_meter * 10**6))
    assert float(break_even.house_edge) == pytest.approx(0, abs=1e-8)


def test_a_meter_converges_to_its_average() -> None:
    plan = meter_plan(GALAXY, 25_000_000_000, 250_000)
    shares = {
        row.outcome: (float(row.probability), float(row.pay.amount))
        for row in side_sheet(GALAXY, Wager.PROGRESSIVE).outcomes
        if row.pay.kind.value == "pool"
    }
    mean = 0.0  # of the meter, advanced a million wagers at a time
    keeps = 1.0 - sum(probability * share for probability, share in shares.values())
    added = float(plan.contribution + plan.full * plan.seed)
    for _ in range(40):
        mean = mean * keeps**1_000_000 + added * (1 - keeps**1_000_000) / (1 - keeps)
    assert mean == pytest.approx(float(plan.average_meter), rel=1e-6)


def test_an_edge_that_no_contribution_reaches_is_refused() -> None:
    with pytest.raises(Refused, match="in the long run; the closest is"):
        solve_contribution(meter_plan(GALAXY, None, None), Fraction(9, 10))


def test_any_text_of_a_designed_book_is_toml() -> None:
    raw = {'a "key"': "Ann\U0001f0cf \\ \x7f", "rows": [["flush", "\x7f", "1"]]}
    assert parse_toml(toml_text(raw)) == raw
