"""Saved strategies: every decision, found by cards; damaged files noticed and built again."""

import hashlib
import os
import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.analysis import strategy as module
from headsup.analysis.advisor import advise
from headsup.analysis.solution import Solution
from headsup.analysis.strategy import (
    DamagedStrategy,
    Strategy,
    canonical_flop,
    load,
    load_or_build,
    parse,
    save,
    serialise,
    strategy_file,
)
from headsup.game.cards import parse_cards
from tests.analysis.games import HEADS_UP, ULTIMATE, payoffs

PAYOFFS = payoffs(HEADS_UP)


def test_decisions_are_the_advisors(strategy: Strategy) -> None:
    """Two programs that share only the evaluator, on random deals."""
    chance = random.Random(7)
    for _ in range(250):
        cards = chance.sample(range(52), 7)
        hole, board = cards[:2], cards[2:]
        assert strategy.on_flop(hole, board[:3]) == advise(PAYOFFS, hole, board[:3]).best.multiple
        assert strategy.on_river(hole, board) == advise(PAYOFFS, hole, board).best.multiple


@pytest.mark.parametrize("suited", [3, 4, 5])
def test_river_decisions_beside_a_flush(strategy: Strategy, suited: int) -> None:
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
def test_suits_have_no_names(order: list[int], suits: list[int], strategy: Strategy) -> None:
    cards = order[:7]
    renamed = [card >> 2 << 2 | suits[card & 3] for card in cards]
    assert strategy.on_flop(cards[:2], cards[2:5]) == strategy.on_flop(renamed[:2], renamed[2:5])
    assert strategy.on_river(cards[:2], cards[2:]) == strategy.on_river(renamed[:2], renamed[2:])


def test_canonical_flops_are_1755() -> None:
    numbers = [canonical_flop(flop)[0] for flop in combinations(range(52), 3)]
    assert {*numbers} == {*range(1755)}


def test_the_solution_comes_back(strategy: Strategy, heads_up: Solution) -> None:
    assert strategy.solution.outcomes == heads_up.outcomes
    assert strategy.solution.pocket == heads_up.pocket
    assert strategy.pocket(parse_cards("AsKs")) == heads_up.pocket["AKs"]


def test_a_file_is_small(saved: bytes) -> None:
    assert len(saved) < 4_000_000


def test_built_once_then_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_or_build(PAYOFFS, folder=folder)
    monkeypatch.setattr(module, "solve", None)
    again = load_or_build(PAYOFFS, folder=folder)
    assert again.solution.house_edge == first.solution.house_edge


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: data[:0], "too short"),
        (lambda data: data[:-1], "checksum"),
        (lambda data: flip(data, 1_000_000), "checksum"),
        (lambda data: flip(data, 30), "checksum"),
        (lambda data: flip(data, 16), "another version"),
        (lambda data: b"PK" + data[2:], "not a strategy"),
        (lambda data: data + b"\0", "checksum"),
    ],
    ids=["empty", "cut", "flipped", "sum", "version", "foreign", "longer"],
)
def test_a_damaged_file_is_reported_and_replaced(
    damage: object, reason: str, saved: bytes, folder: Path, heads_up: Solution,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    assert callable(damage)
    path = strategy_file(PAYOFFS, folder)
    folder.mkdir()
    path.write_bytes(damage(saved))
    monkeypatch.setattr(module, "solve", lambda *_: heads_up)
    reports: list[str] = []
    strategy = load_or_build(PAYOFFS, report=reports.append, folder=folder)
    assert strategy.solution.house_edge == heads_up.house_edge
    assert len(reports) == 1
    assert reason in reports[0]
    assert path.read_bytes() == saved


def test_a_file_of_the_wrong_length_is_noticed(saved: bytes) -> None:
    body = saved[module.PREFIX :] + b"\0" * 8
    data = saved[:24] + hashlib.sha256(body).digest() + body
    with pytest.raises(DamagedStrategy, match="length"):
        parse(data, PAYOFFS)


def test_other_payoffs_have_another_file_and_refuse_this_one(saved: bytes, folder: Path) -> None:
    other = payoffs(ULTIMATE)
    assert strategy_file(other, folder) != strategy_file(PAYOFFS, folder)
    with pytest.raises(DamagedStrategy, match="other payoffs"):
        parse(saved, other)


def test_an_interrupted_write_leaves_nothing(
    saved: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(folder / "strategy.bin", saved)
    assert list(folder.iterdir()) == []


def test_an_interrupted_solve_leaves_nothing(folder: Path) -> None:
    def interrupt(_: int, __: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_or_build(PAYOFFS, interrupt, folder=folder)
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_reported(
    tmp_path: Path, heads_up: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(module, "solve", lambda *_: heads_up)
    reports: list[str] = []
    strategy = load_or_build(PAYOFFS, report=reports.append, folder=blocked)
    assert strategy.on_river(parse_cards("2c3d"), parse_cards("KsQsJh9h7c")) == 0
    assert any("cannot be written" in report for report in reports)


def test_without_any_folder_the_strategy_is_only_in_memory(
    heads_up: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "cache_folder", lambda: None)
    monkeypatch.setattr(module, "solve", lambda *_: heads_up)
    assert load_or_build(PAYOFFS).solution.house_edge == heads_up.house_edge


def test_only_whole_solutions_are_saved(strategy: Strategy) -> None:
    with pytest.raises(ValueError, match="only a whole solution"):
        serialise(strategy.solution)


def test_loading_maps_the_file(saved: bytes, folder: Path) -> None:
    save(folder / "strategy.bin", saved)
    strategy = load(folder / "strategy.bin", PAYOFFS)
    assert strategy.on_flop(parse_cards("AsAd"), parse_cards("Ah7c2d")) == 2


def test_the_oldest_files_are_forgotten(folder: Path) -> None:
    for age in range(module.KEPT + 3):
        path = folder / f"strategy-{age:02}.bin"
        save(path, b"")
        os.utime(path, (age, age))
    save(folder / "strategy-new.bin", b"")
    kept = sorted(path.name for path in folder.iterdir())
    assert len(kept) == module.KEPT
    assert kept[0] == "strategy-04.bin"
    assert kept[-1] == "strategy-new.bin"
