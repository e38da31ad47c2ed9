"""Fixtures that solve a game once for all tests."""

from pathlib import Path

import pytest

from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy, encode_strategy


@pytest.fixture(scope="session")
def saved(strategy: Strategy) -> bytes:
    return encode_strategy(strategy)


@pytest.fixture(scope="session")
def strategy(heads_up: Solution) -> Strategy:
    return Strategy.of(heads_up)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"
