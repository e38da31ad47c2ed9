"""Solved once for all tests."""

from pathlib import Path

import pytest

from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.solver.strategy import Strategy, decode_strategy, encode_strategy
from tests.analysis.games import HEADS_UP, ULTIMATE, payoffs


@pytest.fixture(scope="session")
def solutions() -> list[Solution]:
    return solve_many([payoffs(HEADS_UP), payoffs(ULTIMATE)])


@pytest.fixture(scope="session")
def heads_up(solutions: list[Solution]) -> Solution:
    return solutions[0]


@pytest.fixture(scope="session")
def ultimate(solutions: list[Solution]) -> Solution:
    return solutions[1]


@pytest.fixture(scope="session")
def saved(heads_up: Solution) -> bytes:
    return encode_strategy(heads_up)


@pytest.fixture(scope="session")
def strategy(heads_up: Solution, saved: bytes) -> Strategy:
    return decode_strategy(saved, heads_up.payoffs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"
