"""The results that come with the program: solved again, checked, and used without a cache."""

import json
import lzma
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from headsup.analysis import cache
from headsup.analysis.cache import SHIPPED_RESULTS, STRATEGIES, read_shipped
from headsup.analysis.par.comparison import list_main_games
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.workbench import Task, Workbench, no_folder
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.table_rules import table_rules
from headsup.tools.shipped_results import SHIPPED_KINDS, compute_results

GALAXY = [compile_payoffs(table_rules("galaxy")).key]


@pytest.mark.slow(seconds=40)
def test_shipped_results_are_those_of_this_program() -> None:
    """If not, run `make code`."""
    for kind, results in compute_results().items():
        content = lzma.decompress(cache.unseal(kind.shipped_file, kind.shipped_file.read_bytes()))
        head, _, shipped = content.partition(b"\n")
        assert [*json.loads(head)] == [*results], f"{kind.name}: run `make code`"
        assert shipped == b"".join(results.values()), f"{kind.name}: run `make code`"


def test_there_are_no_other_files() -> None:
    assert sorted(SHIPPED_RESULTS.iterdir()) == sorted(kind.shipped_file for kind in SHIPPED_KINDS)


def test_every_printed_game_comes_solved() -> None:
    for payoffs in list_main_games():
        bench = Workbench(_refuse, no_folder)
        strategy = bench.strategy(payoffs)
        assert strategy.solution.payoffs == payoffs
        assert len(bench.lessons(payoffs).flop) > 1
        bench.round_counts(strategy)


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_every_rule_book_as_printed_comes_solved(book: str) -> None:
    assert Workbench(find_folder=no_folder).stored_strategy(compile_payoffs(table_rules(book)))


def test_a_workbench_may_solve_everything_again() -> None:
    payoffs = compile_payoffs(table_rules("galaxy"))
    bench = Workbench(_refuse, no_folder, use_shipped=False)
    with pytest.raises(AssertionError):
        bench.strategy(payoffs)
    assert bench.stored_strategy(payoffs) is None


def _refuse(task: Task) -> NoReturn:
    raise AssertionError(task)


@pytest.mark.parametrize("place", [0.0, 0.01, 0.5, 1.0])
def test_a_damaged_result_is_reported_and_not_used(
    place: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / STRATEGIES.shipped_file.name
    shutil.copy(STRATEGIES.shipped_file, path)
    monkeypatch.setattr(cache, "SHIPPED_RESULTS", tmp_path)
    assert read_shipped(STRATEGIES, GALAXY)
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 8
    path.write_bytes(data)
    sentences: list[str] = []
    monkeypatch.setattr(cache.cache_warnings, "callbacks", [sentences.append])
    monkeypatch.setattr(cache.cache_warnings, "sent", set())
    assert read_shipped(STRATEGIES, GALAXY) is None
    assert sentences == [
        f"ignoring {path} (its checksum does not match); reinstall headsup to repair it"
    ]
    assert path.is_file()


def test_another_game_does_not_come_with_the_program() -> None:
    assert read_shipped(STRATEGIES, ["another game"]) is None
