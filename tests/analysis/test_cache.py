"""What was kept is trusted only whole; what does not fit, or cannot be written, costs only time."""

import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headsup.analysis import cache
from headsup.analysis.kernels.base.compiled import machine_code_folder
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import load_or_solve, strategy_file
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards
from tests.analysis.games import HEADS_UP, payoffs

ROOT = Path(__file__).parents[2]
PAYOFFS = payoffs(HEADS_UP)
EDGE = "840983767/35658730800"  # of Galaxy's first tables
MADE_AGAIN = "cannot be used and is made again: its checksum does not match"
HEAD = range(0, 3000, 25)  # the seal, the length of the head, and the numbers in it


@pytest.fixture
def told() -> Iterator[list[str]]:
    """Every sentence about files that cannot be used or written."""
    sentences: list[str] = []
    cache.cache_warnings.add(sentences.append)
    yield sentences
    cache.cache_warnings.tell.remove(sentences.append)
    cache.cache_warnings.told.clear()


def flipped(data: bytes, bit: int) -> bytes:
    at, place = divmod(bit, 8)
    return data[:at] + bytes([data[at] ^ 1 << place]) + data[at + 1 :]


# Seals.


def test_any_flipped_bit_breaks_the_seal(saved: bytes) -> None:
    path = Path("some.strategy")
    sealed = cache.seal(path, saved)
    assert cache.unseal(path, sealed) == saved
    chance = random.Random(5)
    bits = [8 * at + chance.randrange(8) for at in HEAD]
    bits += [chance.randrange(8 * len(sealed)) for _ in range(80)] + [8 * len(sealed) - 1]
    for bit in bits:
        with pytest.raises(cache.DamagedFile):
            cache.unseal(path, flipped(sealed, bit))


@pytest.mark.parametrize("size", [0, 1, cache.SEAL_BYTES - 1, cache.SEAL_BYTES, 3_000_000, -1])
def test_a_file_cut_short_breaks_the_seal(saved: bytes, size: int) -> None:
    path = Path("some.strategy")
    with pytest.raises(cache.DamagedFile):
        cache.unseal(path, cache.seal(path, saved)[:size])


def test_a_file_under_another_name_does_not_fit(saved: bytes) -> None:
    with pytest.raises(cache.DamagedFile):
        cache.unseal(Path("b.strategy"), cache.seal(Path("a.strategy"), saved))


# Strategies.


@pytest.mark.parametrize("bit", [0, 255, 256, 8 * 33, 8 * 36 + 1, 8 * 2000, 8 * 3_000_000])
def test_a_damaged_strategy_is_told_of_and_built_again(
    bit: int, saved: bytes, folder: Path, heads_up: Solution, told: list[str],
) -> None:  # fmt: skip
    path = strategy_file(PAYOFFS, folder)
    sealed = cache.seal(path, saved)
    folder.mkdir()
    path.write_bytes(flipped(sealed, bit))
    strategy = load_or_solve(PAYOFFS, lambda _: heads_up, folder)
    assert strategy.solution.house_edge == heads_up.house_edge
    assert [sentence.endswith("its checksum does not match") for sentence in told] == [True]
    assert path.read_bytes() == sealed


@pytest.mark.parametrize("size", [0, 10])
def test_an_empty_strategy_is_told_of_and_built_again(
    size: int, saved: bytes, folder: Path, heads_up: Solution, told: list[str],
) -> None:  # fmt: skip
    path = strategy_file(PAYOFFS, folder)
    folder.mkdir()
    path.write_bytes(b"x" * size)
    assert (
        load_or_solve(PAYOFFS, lambda _: heads_up, folder).solution.house_edge
        == heads_up.house_edge
    )
    assert [sentence.endswith("it is too short") for sentence in told] == [True]
    assert path.read_bytes() == cache.seal(path, saved)


def test_a_folder_that_cannot_be_written_is_told_of(
    tmp_path: Path, heads_up: Solution, told: list[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    strategy = load_or_solve(PAYOFFS, lambda _: heads_up, blocked)
    assert strategy.on_river(parse_cards("2c3d"), parse_cards("KsQsJh9h7c")) == 0
    assert any("nothing can be kept" in sentence for sentence in told)


def test_an_interrupted_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write_sealed(folder / "one.strategy", b"content")
    assert list(folder.iterdir()) == []


# The command, as a real process with a folder of its own.


@pytest.fixture
def compiled(tmp_path: Path, heads_up: Solution) -> Path:  # noqa: ARG001 (it compiles everything)
    """A cache folder with all machine code and no strategy."""
    kernels = machine_code_folder()
    assert kernels is not None
    folder = tmp_path / "cache"
    shutil.copytree(kernels, folder / kernels.name)
    folder.chmod(0o700)
    return folder


def solved(folder: Path, *words: str, largest: int | None = None) -> tuple[str, list[str]]:
    """The edge that `headsup solve` gives, and what it says; `largest` file that can be written."""

    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    done = subprocess.run(
        [sys.executable, "-c", "from headsup.cli import main; main()", "solve", "--json", *words],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    how_far = re.compile(r"headsup: .*, \d+ %.*")  # a busy machine is told now and then
    said = [line for line in done.stderr.splitlines() if not how_far.fullmatch(line)]
    return json.loads(done.stdout)["house_edge"]["exact"], said


@pytest.mark.slow
def test_a_strategy_damaged_on_disk_gives_the_right_edge_and_one_sentence(
    compiled: Path, saved: bytes
) -> None:
    path = strategy_file(compile_payoffs(table_rules("galaxy")), compiled)
    whole = cache.seal(path, saved)
    path.write_bytes(flipped(whole, 8 * 34))  # the length of the head
    edge, said = solved(compiled)
    assert edge == EDGE
    assert said == [f"headsup: {path} {MADE_AGAIN}"]
    assert path.read_bytes() == whole


@pytest.mark.slow
def test_a_full_disk_does_not_stop_a_solve(compiled: Path) -> None:
    """Neither one kernel's machine code nor the strategy can be kept."""
    next(compiled.glob("kernels-*/*.divide-*.kernel")).unlink()
    before = sorted(compiled.rglob("*"))
    edge, said = solved(compiled, largest=512)
    assert edge == EDGE
    assert said == ["headsup: nothing can be kept for the next run: File too large"]
    assert sorted(compiled.rglob("*")) == before


@pytest.mark.slow
def test_flipped_bits_in_machine_code_give_the_right_edge_and_one_sentence_each(
    compiled: Path,
) -> None:
    """Kernels that are soon compiled again, each with one bit flipped somewhere else."""
    names = ("share_flops", "divide", "count_rank_boards")
    chance = random.Random(9)
    paths = [next(compiled.glob(f"kernels-*/*.{name}-*.kernel")) for name in names]
    for path in paths:
        whole = path.read_bytes()
        path.write_bytes(flipped(whole, chance.randrange(8 * len(whole))))
    edge, said = solved(compiled, "--no-cache")
    assert edge == EDGE
    assert len(said) == len(names)
    for path in paths:
        assert f"headsup: {path} {MADE_AGAIN}" in said


@pytest.mark.slow
def test_a_solve_with_kept_machine_code_does_not_load_numba(compiled: Path) -> None:
    tell = "print('numba' in sys.modules, 'llvmlite' in sys.modules, file=sys.stderr)"
    code = f"import atexit, sys; atexit.register(lambda: {tell})\n"
    code += "from headsup.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "solve", "--json", "--no-cache"],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(compiled)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert json.loads(done.stdout)["house_edge"]["exact"] == EDGE
    assert done.stderr.splitlines() == ["False True"]
