"""Cache files are used only if undamaged; a damaged or unwritable one only costs time."""

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
from headsup.analysis.cache import CACHE_KINDS, MACHINE_CODE, STRATEGIES
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards
from tests.support.analysis.benches import SolvedBench
from tests.support.analysis.games import HEADS_UP, payoffs

ROOT = Path(__file__).parents[2]
PAYOFFS = payoffs(HEADS_UP)
# A game that no document prints, so that it does not come solved.
OWN_BOOK = ROOT / "docs" / "examples" / "ultimate-texas-holdem.toml"
REBUILT = "cannot be used and will be rebuilt: its checksum does not match"
HEAD = range(0, 3000, 25)  # the seal, the length of the head, and the numbers in it


@pytest.fixture
def warnings() -> Iterator[list[str]]:
    """Every sentence about files that cannot be used or written."""
    sentences: list[str] = []
    cache.cache_warnings.add(sentences.append)
    yield sentences
    cache.cache_warnings.callbacks.remove(sentences.append)
    cache.cache_warnings.sent.clear()


def flip_bit(data: bytes, bit: int) -> bytes:
    byte, bit_index = divmod(bit, 8)
    return data[:byte] + bytes([data[byte] ^ 1 << bit_index]) + data[byte + 1 :]


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
            cache.unseal(path, flip_bit(sealed, bit))


@pytest.mark.parametrize("size", [0, 1, cache.SEAL_BYTES - 1, cache.SEAL_BYTES, 3_000_000, -1])
def test_a_file_cut_short_breaks_the_seal(saved: bytes, size: int) -> None:
    path = Path("some.strategy")
    with pytest.raises(cache.DamagedFile):
        cache.unseal(path, cache.seal(path, saved)[:size])


def test_a_file_under_another_name_is_rejected(saved: bytes) -> None:
    with pytest.raises(cache.DamagedFile):
        cache.unseal(Path("b.strategy"), cache.seal(Path("a.strategy"), saved))


# Strategies.


@pytest.mark.parametrize("bit", [0, 255, 256, 8 * 33, 8 * 36 + 1, 8 * 2000, 8 * 3_000_000])
def test_a_damaged_strategy_is_reported_and_rebuilt(
    bit: int, saved: bytes, folder: Path, heads_up: Solution, warnings: list[str],
) -> None:  # fmt: skip
    path = STRATEGIES.file(folder, [PAYOFFS.key])
    sealed = cache.seal(path, saved)
    folder.mkdir()
    path.write_bytes(flip_bit(sealed, bit))
    strategy = SolvedBench(heads_up, folder).strategy(PAYOFFS)
    assert strategy.solution.house_edge == heads_up.house_edge
    assert [warning.endswith("its checksum does not match") for warning in warnings] == [True]
    assert path.read_bytes() == sealed


@pytest.mark.parametrize("size", [0, 10])
def test_an_empty_strategy_is_reported_and_rebuilt(
    size: int, saved: bytes, folder: Path, heads_up: Solution, warnings: list[str],
) -> None:  # fmt: skip
    path = STRATEGIES.file(folder, [PAYOFFS.key])
    folder.mkdir()
    path.write_bytes(b"x" * size)
    assert (
        SolvedBench(heads_up, folder).strategy(PAYOFFS).solution.house_edge == heads_up.house_edge
    )
    assert [warning.endswith("it is too short") for warning in warnings] == [True]
    assert path.read_bytes() == cache.seal(path, saved)


def test_an_unwritable_folder_is_reported(
    tmp_path: Path, heads_up: Solution, warnings: list[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    strategy = SolvedBench(heads_up, blocked).strategy(PAYOFFS)
    assert strategy.on_river(parse_cards("2c3d"), parse_cards("KsQsJh9h7c")) == 0
    assert any("cannot write to the cache" in warning for warning in warnings)


def test_an_interrupted_write_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write_sealed(folder / "one.strategy", b"content")
    assert list(folder.iterdir()) == []


# Names.

SOURCE = ROOT / "src" / "headsup"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of all that results depend on."""
    for room in ("analysis", "game"):
        shutil.copytree(SOURCE / room, tmp_path / room)
    return tmp_path


def hash_of(package: Path) -> str:
    cache.source_hash.cache_clear()
    return cache.results_hash.__wrapped__(package)


def test_results_are_named_by_code_and_data_whatever_the_folder(package: Path) -> None:
    assert cache.PACKAGE == SOURCE
    assert hash_of(package) == cache.results_hash()


@pytest.mark.parametrize(
    "file",
    [
        "analysis/strategies/written_strategy.py",
        "analysis/strategies/shipped/five-lines.toml",
        "analysis/counts/card_counts.json",
        "analysis/kernels/base/evaluator.py",
        "game/settlement/side_wagers.py",
        "game/rulebook/books/galaxy.toml",
    ],
)
def test_results_are_not_used_after_a_change_of_what_they_depend_on(
    package: Path, file: str
) -> None:
    before = hash_of(package)
    path = package / file
    assert path.exists()
    path.write_bytes(path.read_bytes() + b"\n")
    assert hash_of(package) != before


def test_results_are_not_used_after_a_file_has_moved(package: Path) -> None:
    before = hash_of(package)
    deeper = package / "analysis" / "workers" / "deeper"
    deeper.mkdir()
    (package / "analysis" / "workers" / "executor.py").rename(deeper / "executor.py")
    assert hash_of(package) != before


def test_a_hash_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there are no files in"):
        hash_of(tmp_path)


def test_results_are_not_used_by_another_version_of_the_program(package: Path) -> None:
    before = hash_of(package)
    assert cache.results_hash.__wrapped__(package, "0.0.1") != before


RESULT_KINDS = [kind for kind in CACHE_KINDS if kind is not MACHINE_CODE]


@pytest.mark.parametrize("kind", RESULT_KINDS, ids=lambda kind: kind.name)
def test_a_result_is_named_by_every_input_and_by_the_program(
    kind: cache.CacheKind, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = (["a", "b"], ["a", "c"], ["b", "a"], ["ab"], ["a", "b", ""])
    names = {kind.file(folder, of).name for of in inputs}
    monkeypatch.setattr(cache, "results_hash", lambda: "another program")
    names |= {kind.file(folder, of).name for of in inputs}
    assert len(names) == 2 * len(inputs)
    assert all(Path(name).match(kind.pattern) for name in names)


# The command, as a real process with a folder of its own.


@pytest.fixture
def private_folder(tmp_path: Path) -> Path:
    path = tmp_path / "cache"
    path.mkdir(mode=0o700)
    return path


def solved(folder: Path, largest: int | None = None) -> tuple[str, list[str]]:
    """The edge from `headsup solve` and its messages; `largest` limits the size of a file."""
    words = ["solve", "--json", "--rules", str(OWN_BOOK)]

    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    done = subprocess.run(
        [sys.executable, "-c", "from headsup.cli import main; main()", *words],
        env={**os.environ, "HEADSUP_CACHE_DIR": str(folder)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    how_far = re.compile(r"headsup: .*, \d+ %.*")  # slow machines print progress
    messages = [line for line in done.stderr.splitlines() if not how_far.fullmatch(line)]
    return json.loads(done.stdout)["house_edge"]["exact"], messages


@pytest.mark.slow
def test_a_damaged_strategy_still_gives_the_right_edge_and_one_warning(
    private_folder: Path, ultimate: Solution
) -> None:
    path = STRATEGIES.file(private_folder, [compile_payoffs(table_rules(str(OWN_BOOK))).key])
    path.write_bytes(bytes(100))
    edge, messages = solved(private_folder)
    assert edge == str(ultimate.house_edge)
    assert messages == [f"headsup: {path} {REBUILT}"]
    assert cache.unseal(path, path.read_bytes())


@pytest.mark.slow
def test_a_full_disk_does_not_stop_a_solve(private_folder: Path, ultimate: Solution) -> None:
    edge, messages = solved(private_folder, largest=512)
    assert edge == str(ultimate.house_edge)
    assert messages == ["headsup: cannot write to the cache: File too large"]
    assert list(private_folder.iterdir()) == []
