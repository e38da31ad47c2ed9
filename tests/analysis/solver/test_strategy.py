"""Stored strategies: every decision can be looked up by cards."""

import os
import random
from contextlib import nullcontext
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.analysis.advice.advisor import advise
from headsup.analysis.cache import MAX_STRATEGIES, STRATEGIES, cache_folder
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import (
    Strategy,
    canonical_flop,
)
from headsup.analysis.workbench import Workbench
from headsup.game.values.cards import parse_cards
from tests.support.analysis.benches import SolvedBench, cache_only
from tests.support.analysis.games import HEADS_UP, ULTIMATE, payoffs

PAYOFFS = payoffs(HEADS_UP)


def test_decisions_match_the_advisor(strategy: Strategy) -> None:
    """Two programs that share only the evaluator, on random deals."""
    chance = random.Random(7)
    for _ in range(250):
        cards = chance.sample(range(52), 7)
        hole, board = cards[:2], cards[2:]
        assert strategy.on_flop(hole, board[:3]) == advise(PAYOFFS, hole, board[:3]).best.multiple
        assert strategy.on_river(hole, board) == advise(PAYOFFS, hole, board).best.multiple


@pytest.mark.parametrize("suited", [3, 4, 5])
def test_river_decisions_with_a_possible_flush(strategy: Strategy, suited: int) -> None:
    chance = random.Random(suited)
    for _ in range(60):
        hearts = [4 * rank + 2 for rank in chance.sample(range(13), suited)]
        others = [card for card in range(52) if card not in hearts]
        off = chance.sample([card for card in others if card & 3 != 2], 5 - suited)
        hole = chance.sample([card for card in others if card not in off], 2)
        board = hearts + off
        assert strategy.on_river(hole, board) == advise(PAYOFFS, hole, board).best.multiple


@settings(max_examples=60, deadline=None)
@given(order=st.permutations(range(52)), suits=st.permutations(range(4)))
def test_renaming_suits_changes_no_decision(
    order: list[int], suits: list[int], strategy: Strategy
) -> None:
    cards = order[:7]
    renamed = [card >> 2 << 2 | suits[card & 3] for card in cards]
    assert strategy.on_flop(cards[:2], cards[2:5]) == strategy.on_flop(renamed[:2], renamed[2:5])
    assert strategy.on_river(cards[:2], cards[2:]) == strategy.on_river(renamed[:2], renamed[2:])


def test_there_are_1755_canonical_flops() -> None:
    numbers = [canonical_flop(flop)[0] for flop in combinations(range(52), 3)]
    assert {*numbers} == {*range(1755)}


def test_a_solution_survives_a_round_trip(strategy: Strategy, heads_up: Solution) -> None:
    assert strategy.solution.results == heads_up.results
    assert strategy.solution.pocket == heads_up.pocket
    assert strategy.pocket(parse_cards("AsKs")) == heads_up.pocket["AKs"]


def test_a_file_is_small(saved: bytes) -> None:
    assert len(saved) < 4_000_000


def test_a_strategy_is_solved_once_then_loaded(folder: Path, heads_up: Solution) -> None:
    first = SolvedBench(heads_up, folder).strategy(PAYOFFS)
    again = cache_only(folder).strategy(PAYOFFS)
    assert again.solution.house_edge == first.solution.house_edge


def test_other_payoffs_use_another_file(folder: Path) -> None:
    assert STRATEGIES.file(folder, [payoffs(ULTIMATE).key]) != STRATEGIES.file(
        folder, [PAYOFFS.key]
    )


def test_an_interrupted_solve_leaves_no_file(folder: Path) -> None:
    def interrupt(_: int, __: int) -> None:
        raise KeyboardInterrupt

    bench = Workbench(lambda _: nullcontext(interrupt), lambda: folder, use_shipped=False)
    with pytest.raises(KeyboardInterrupt):
        bench.strategy(PAYOFFS)
    assert not folder.exists()


def test_without_a_folder_the_strategy_stays_in_memory(
    heads_up: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(blocked))
    strategy = SolvedBench(heads_up, cache_folder()).strategy(PAYOFFS)
    assert strategy.solution.house_edge == heads_up.house_edge


def test_only_complete_solutions_are_saved(strategy: Strategy) -> None:
    with pytest.raises(ValueError, match="only a solution of the full deck"):
        Strategy.of(strategy.solution)


def test_the_oldest_files_are_deleted(folder: Path, heads_up: Solution) -> None:
    folder.mkdir()
    for age in range(MAX_STRATEGIES + 3):
        path = folder / f"{age:02}.strategy"
        path.write_bytes(b"")
        os.utime(path, (age, age))
    SolvedBench(heads_up, folder).strategy(PAYOFFS)
    names = {path.name for path in folder.iterdir()}
    assert len(names) == MAX_STRATEGIES
    assert min(names) == "04.strategy"
    assert STRATEGIES.file(folder, [PAYOFFS.key]).name in names
