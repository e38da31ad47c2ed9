"""The decisions of automatic players, and that the server does not wait for the solver."""

import asyncio
from pathlib import Path

import pytest

from headsup.analysis import cache
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards
from headsup.web.workers.solver import Solver
from headsup.web.workers.strategist import (
    LegalAction,
    Skill,
    Strategist,
    decide_by_rule,
    decide_by_strategy,
)

CHECK: LegalAction = {"action": "check"}
FOLD: LegalAction = {"action": "fold"}
ACES, TWOS, RAGS = (parse_cards(text) for text in ("AsAd", "2h2s", "7h2s"))


def raising(*multiples: int) -> list[LegalAction]:
    return [{"action": "raise", "multiple": multiple} for multiple in multiples]


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    return Workbench().strategy(compile_payoffs(table_rules("new-york")))


def test_the_solved_strategy_is_played(strategy: Strategy) -> None:
    three = raising(1, 2, 3)
    assert decide_by_strategy(strategy, ACES, (), [*three, CHECK])["multiple"] == 3
    assert decide_by_strategy(strategy, RAGS, (), [*three, CHECK]) == CHECK
    flop, river = parse_cards("AhKd9c"), parse_cards("AhKd9cQcJc")
    assert decide_by_strategy(strategy, ACES, flop, [*raising(1, 2), CHECK])["multiple"] == 2
    assert decide_by_strategy(strategy, RAGS, river, [*raising(1), FOLD]) == FOLD


def test_a_player_who_cannot_afford_the_best_raise_makes_the_largest(strategy: Strategy) -> None:
    assert decide_by_strategy(strategy, ACES, (), [*raising(1, 2), CHECK])["multiple"] == 2
    assert decide_by_strategy(strategy, ACES, (), [CHECK]) == CHECK


@pytest.mark.parametrize(
    ("hole", "board", "raises"),
    [("AsAd", "", True), ("7h2s", "", False), ("7h2s", "7c9dJs", True), ("7h2s", "3c9dJs", False)],
)
def test_without_a_strategy_a_simple_rule_is_played(hole: str, board: str, raises: bool) -> None:
    choice = decide_by_rule(parse_cards(hole), parse_cards(board), [*raising(2), CHECK])
    assert (choice["action"] == "raise") is raises


async def warmed_up(strategist: Strategist) -> None:
    strategist.warm_up()
    strategist.warm_up()  # repeated calls solve once
    (task,) = (task for task in asyncio.all_tasks() if task.get_name() == "strategist")
    assert strategist.skill is Skill.WARMING_UP
    await task


async def test_a_shipped_strategy_is_loaded_without_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent")
    strategist = Strategist(["new-york"], Solver())
    decide = strategist.decider_for("new-york")
    assert decide(TWOS, (), [*raising(3), CHECK])["action"] == "raise"  # by the simple rule
    await warmed_up(strategist)
    assert strategist.skill is Skill.SOLVED
    assert decide(TWOS, (), [*raising(3), CHECK]) == CHECK


async def test_without_a_strategy_or_a_solver_the_simple_rule_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "SHIPPED_RESULTS", tmp_path)
    monkeypatch.setenv("HEADSUP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/nonexistent")
    strategist = Strategist(["new-york"], Solver())
    await warmed_up(strategist)
    assert strategist.skill is Skill.PLAIN
    assert strategist.decider_for("new-york")(TWOS, (), [*raising(3), CHECK])["action"] == "raise"
