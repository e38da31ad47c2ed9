"""Fixtures that solve a game once for all tests."""

from pathlib import Path

import pytest

from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy, decode_strategy, encode_strategy


@pytest.fixture(scope="session")
def saved(heads_up: Solution) -> bytes:
    return encode_strategy(heads_up)


@pytest.fixture(scope="session")
def strategy(heads_up: Solution, saved: bytes) -> Strategy:
    return decode_strategy(saved, heads_up.payoffs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"
