"""Main game and side wagers together: each alone matches the par sheet, and classes add up."""

import os
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from headsup.analysis.cache import MAX_STRATEGIES, ROUNDS, cache_folder, cached_files
from headsup.analysis.counts.side_cases import case_hand, progressive_outcomes
from headsup.analysis.counts.side_wagers import (
    all_6_counts,
    progressive_by_hand,
    progressive_counts,
)
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.joint.counting import count_by_class
from headsup.analysis.joint.joint import (
    RoundDistribution,
    round_distribution,
)
from headsup.analysis.joint.staked_table import COUNTS_SHAPE
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.kernels.simulate.decisions import Playbooks
from headsup.analysis.kernels.simulate.side_cases import (
    LATE_STRAIGHT_FLUSH,
    ProgressiveScratch,
    count_progressive_cases,
)
from headsup.analysis.par.par_sheet import par_sheet
from headsup.analysis.solver.actions import (
    FLOP_MIN_RAISE,
    POCKET_MIN_RAISE,
    RIVER_FOLD,
    RIVER_MIN_RAISE,
)
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.playbooks import decision_index
from headsup.analysis.solver.solution import Solution, pocket_class_name
from headsup.analysis.solver.solver import solve
from headsup.analysis.solver.strategy import (
    Strategy,
)
from headsup.analysis.workbench import Workbench
from headsup.game.refusal import Refused
from headsup.game.rulebook.outcomes import Outcome, all_6_outcome, progressive_outcome
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import category_of, strength
from tests.support.analysis.benches import cache_only

BETS = {
    Wager.ANTE: 1000,
    Wager.TRIPS_PLUS: 500,
    Wager.POCKET_BONUS: 500,
    Wager.ALL_6: 500,
    Wager.PROGRESSIVE: 100,
}
METER = 100_000 * 10**6


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return table_rules("galaxy")


@pytest.fixture(scope="module")
def solved(rules: TableRules) -> Strategy:
    payoffs = compile_payoffs(rules)
    return Strategy.of(solve(payoffs))


@pytest.fixture(scope="module")
def counts(solved: Strategy) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return count_by_class(solved)


@pytest.fixture(scope="module")
def joint(
    rules: TableRules, solved: Strategy, counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> RoundDistribution:
    return round_distribution(rules, solved.solution.payoffs, counts, BETS, METER)


def test_a_saved_strategy_returns_every_decision(heads_up: Solution, strategy: Strategy) -> None:
    assert heads_up.actions is not None
    actions = strategy.actions
    assert (actions.flop == heads_up.actions.flop & 3).all()
    assert (actions.river.ranks == heads_up.actions.river.ranks & 3).all()
    assert (actions.river.suited == heads_up.actions.river.suited & 3).all()


@pytest.mark.slow
def test_classes_add_up_to_the_game(
    solved: Strategy, counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> None:
    by_hand = np.zeros_like(solved.solution.result_counts)
    for case in range(counts.shape[2]):
        by_hand[:, case_hand(case)] += counts.sum(0)[:, case]
    assert (by_hand == solved.solution.result_counts).all()


def test_the_value_of_each_class_matches_the_solver(
    rules: TableRules,
    solved: Strategy,
    counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> None:
    """Values summed while solving, against counts of the strategy, class by class."""
    solution = solved.solution
    for number in (0, 14, 25, 100, 155, 168):
        alone = np.zeros_like(counts)
        alone[number] = counts[number]
        joint = round_distribution(rules, solution.payoffs, alone, {Wager.ANTE: 100}, 0)
        pocket = solution.pocket[pocket_class_name(number)]
        share = Fraction(pocket.hands, 1326)
        assert joint.mean(Wager.ANTE) == 100 * share * max(pocket.check, *pocket.raises.values())


def test_each_wager_alone_matches_its_par_sheet(
    rules: TableRules, solved: Strategy, joint: RoundDistribution
) -> None:
    sheet = par_sheet(rules, solved.solution, METER)
    assert joint.mean(Wager.ANTE) == -BETS[Wager.ANTE] * solved.solution.house_edge
    assert joint.covariance(Wager.ANTE, Wager.ANTE) == 1000**2 * solved.solution.variance
    for side in sheet.sides:
        stake = BETS[side.wager]
        assert joint.mean(side.wager) == -stake * side.house_edge
        assert joint.covariance(side.wager, side.wager) == stake**2 * side.variance
    average = 1000 * solved.solution.average_wager + 1600
    assert joint.mean_stake == average


def test_net_weights_have_the_mean_and_variance_of_the_parts(joint: RoundDistribution) -> None:
    totals = joint.net_weights()
    weight = sum(totals.values())
    mean = Fraction(sum(net * times for net, times in totals.items()), weight)
    square = Fraction(sum(net * net * times for net, times in totals.items()), weight)
    assert mean == sum(joint.mean(wager) for wager in joint.wagers)
    assert square - mean**2 == joint.variance


def test_wagers_that_share_cards_are_correlated(joint: RoundDistribution) -> None:
    assert joint.covariance(Wager.ANTE, Wager.TRIPS_PLUS) > 0
    assert joint.covariance(Wager.ANTE, Wager.POCKET_BONUS) > 0
    first, second = Wager.TRIPS_PLUS, Wager.PROGRESSIVE
    assert joint.covariance(first, second) == joint.covariance(second, first)


def test_counts_are_cached(solved: Strategy) -> None:
    first = Workbench(use_shipped=False).round_counts(solved)
    assert (cache_only(cache_folder()).round_counts(solved) == first).all()


def test_cached_counts_are_listed_and_the_oldest_deleted(solved: Strategy, tmp_path: Path) -> None:
    for number in range(MAX_STRATEGIES):
        old = tmp_path / f"{number}.cases"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    assert len(cached_files(tmp_path)[ROUNDS]) == MAX_STRATEGIES
    Workbench(find_folder=lambda: tmp_path, use_shipped=False).round_counts(solved)
    names = {path.name for path in cached_files(tmp_path)[ROUNDS]}
    assert len(names) == MAX_STRATEGIES
    assert ROUNDS.file(tmp_path, [solved.decisions_key]).name in names
    assert "0.cases" not in names


def test_trips_plus_with_both_hole_cards_is_refused(solved: Strategy) -> None:
    rules = table_rules("new-york", {}, {"trips_plus_hand": "both_hole_cards"})
    bets = {Wager.ANTE: 1000, Wager.TRIPS_PLUS: 500}
    nothing = np.zeros(COUNTS_SHAPE, np.int64)
    with pytest.raises(Refused, match="both_hole_cards"):
        round_distribution(rules, solved.solution.payoffs, nothing, bets, 0)


# The progressive's cases.


def test_straight_flushes_by_case_match_the_progressive_counts(
    rules: TableRules, counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> None:
    rows = rules.paytables["progressive"].pays
    by_outcome: Counter[str] = Counter()
    for outcome, deals in zip(progressive_outcomes(rules), counts.sum((0, 1, 3, 4)), strict=True):
        by_outcome[outcome] += int(deals)
    dealers = comb(45, 2)
    assert by_outcome == {
        key: dealers * ways for key, ways in progressive_counts(frozenset(rows)).items()
    }


@pytest.mark.parametrize("seven", ["5c6c7c8c9c2d2h", "AcKcQcJcTc9c4s", "AcKcQcJcTc9c8c"])
def test_straight_flushes_match_a_deal_by_deal_count(
    seven: str, rules: TableRules, solved: Strategy
) -> None:
    """Every hole, flop and dealer of seven cards: the strategy's decisions, the plain evaluator."""
    cards, counts = tuple(parse_cards(seven)), np.zeros((169, 7, 10, 3, 2), np.int64)
    books = Playbooks(
        np.array([solved.solution.pocket_values.actions], np.uint8),
        *(section[None] for section in solved.packed),
    )
    sevens, qualifier = np.array([cards], np.int64), solved.solution.payoffs.qualifier
    used = ProgressiveScratch.empty()
    count_progressive_cases(
        0, 1, sevens, qualifier, decision_index(), books, strength_tables(), used, counts
    )
    rest = [card for card in range(52) if card not in cards]
    expected: Counter[tuple[int, int, Outcome, int, int]] = Counter()
    rows = rules.paytables["progressive"].pays
    for hole in combinations(cards, 2):
        board = tuple(card for card in cards if card not in hole)
        player, number = strength(cards), pocket_class(*hole)
        ends: Counter[tuple[int, int]] = Counter()
        for dealer in combinations(rest, 2):
            other = strength(dealer + board)
            ends[1 + (player > other) - (player < other), int(other >= qualifier)] += 1
        for flop in combinations(board, 3):
            later = tuple(card for card in board if card not in flop)
            row = progressive_outcome(hole, flop + later, category_of(player), rows)
            way = POCKET_MIN_RAISE
            if not solved.pocket(hole).best:
                way = FLOP_MIN_RAISE if solved.on_flop(hole, flop) else RIVER_MIN_RAISE
                if way == RIVER_MIN_RAISE and not solved.on_river(hole, board):
                    way = RIVER_FOLD
            for (result, qualifies), times in ends.items():
                expected[number, way, row, result, qualifies] += times
    outcomes = progressive_outcomes(rules)[LATE_STRAIGHT_FLUSH:]
    tally: Counter[tuple[int, int, Outcome, int, int]] = Counter()
    for (number, way, case, result, qualifies), deals in np.ndenumerate(counts):
        if deals:
            tally[number, way, outcomes[case], result, qualifies] += int(deals)
    assert tally == expected


# All 6 and the progressive, by class and by hand.


def test_all_6_by_class_adds_up_to_all_6() -> None:
    together: Counter[str] = Counter()
    for by_class in all_6_by_class():
        together.update({outcome.value: ways for outcome, ways in by_class.items()})
    assert together == {key: comb(6, 2) * ways for key, ways in all_6_counts().items()}


@pytest.mark.slow
@pytest.mark.parametrize("hole", ["AsKs", "9d9c", "7h6c"])
def test_all_6_with_one_hole_matches_every_packet_tried(hole: str) -> None:
    cards = tuple(parse_cards(hole))
    rest = [card for card in range(52) if card not in cards]
    expected = Counter(all_6_outcome(cards, packet) for packet in combinations(rest, 4))
    suits = 4 if cards[0] & 3 == cards[1] & 3 else 6 if cards[0] >> 2 == cards[1] >> 2 else 12
    counts = all_6_by_class()[pocket_class(*cards)]
    royal = [key for key in counts if key.value.startswith("six_card")]  # by suit: spades here
    assert {key: ways // suits for key, ways in counts.items() if key not in royal} == {
        key: ways for key, ways in expected.items() if key not in royal
    }


def test_every_category_has_its_progressive_rows() -> None:
    by_hand = progressive_by_hand(frozenset({"royal_flush", "straight_flush"}))
    assert [len(rows) for rows in by_hand.values()] == [1] * 10
