"""What works after `pip install headsup`, without any extra.

Commands run in a process of their own that has only the base dependencies: importing anything else
fails there, as if it were not installed.
"""

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from headsup.cli.shell.registry import COMMANDS
from tests.support.cli.run import EXAMPLE, ROOT, Answer, refusal_sentence, run_process
from tests.support.logs import record_rounds

pytestmark = pytest.mark.slow  # each command starts a program

SITE = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

MISSING = frozenset(__MISSING__)
sys.meta_path.insert(0, NotInstalled())
"""


def _normalise(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def _base_packages() -> set[str]:
    """The dependencies without an extra, and theirs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found, waiting = {"headsup"}, [_normalise(line) for line in project["dependencies"]]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for line in metadata.requires(name) or ():
            if "extra ==" not in line and _is_installed(_normalise(line)):
                waiting.append(_normalise(line))
    return found


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


@cache
def missing_modules() -> frozenset[str]:
    """The modules of every installed package that a base installation does not have."""
    base = _base_packages()
    return frozenset(
        module
        for module, packages in metadata.packages_distributions().items()
        if not any(_normalise(package) in base for package in packages)
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the `sitecustomize` that hides the other packages."""
    folder = tmp_path_factory.mktemp("site")
    content = SITE.replace("__MISSING__", repr(sorted(missing_modules())))
    (folder / "sitecustomize.py").write_text(content)
    return folder


class Base:
    """Runs commands with the base dependencies only, and keeps files in a folder."""

    def __init__(self, site: Path, folder: Path) -> None:
        self.site, self.folder = site, folder

    def run(self, *words: object, keys: str = "") -> Answer:
        return run_process(
            *words,
            stdin=keys.encode(),
            PYTHONPATH=str(self.site),
            XDG_DATA_HOME=str(self.folder),
        )


@pytest.fixture
def base(site: Path, tmp_path: Path) -> Base:
    return Base(site, tmp_path)


def test_the_extras_are_hidden_and_the_base_is_not() -> None:
    missing = missing_modules()
    assert {"sqlalchemy", "fastapi", "uvicorn", "structlog", "typst", "dask"} <= missing
    assert not {"headsup", "click", "rich", "numpy", "numba", "platformdirs"} & missing


def test_a_round_is_played_logged_audited_and_verified(base: Base, tmp_path: Path) -> None:
    log, proofs = tmp_path / "game.jsonl", tmp_path / "proofs.jsonl"
    played = base.run("play", "--log", log, keys="\nc\nc\nf\nq\n")
    assert (played.code, played.err) == (0, "")
    assert "You leave with" in played.out
    assert base.run("audit", log).code == 0
    assert base.run("replay", log).code == 0
    proof = base.run("replay", log, "--fair")
    assert proof.code == 0
    proofs.write_text(proof.out)
    assert base.run("verify", proofs).code == 0


LIST_HEAVY = """
import sys
from headsup.cli import main
try:
    main()
finally:
    print(*sorted({"numba", "numpy", "llvmlite"} & {*sys.modules}), file=sys.stderr)
"""


def test_rounds_are_played_and_checked_without_numpy_and_numba(tmp_path: Path) -> None:
    log, proofs = tmp_path / "game.jsonl", tmp_path / "proofs.jsonl"

    def run(*words: object, keys: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-c", LIST_HEAVY, *map(str, words)],
            input=keys,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            check=True,
            timeout=60,
        )
        assert done.stderr == "\n", words
        return done.stdout

    run("rules", "show", "galaxy")
    run("settle", EXAMPLE)
    run("play", "--log", log, keys="\nc\nc\nf\nq\n")
    run("audit", log)
    run("replay", log)
    proofs.write_text(run("replay", log, "--fair"))
    run("verify", proofs)


def test_a_log_of_several_players_is_audited(base: Base, tmp_path: Path) -> None:
    log = tmp_path / "floor.jsonl"
    log.write_text("".join(record_rounds(4, seed=11).lines))
    assert base.run("audit", log, "--json").json["holds"]


@pytest.mark.parametrize("command", [*COMMANDS])
def test_every_command_has_its_help_without_an_extra(command: str, base: Base) -> None:
    answer = base.run(command, "--help")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("rules",),
        ("rules", "show", "galaxy"),
        ("settle", EXAMPLE),
        ("replay", EXAMPLE),
        ("strategy", "list"),
        ("cache",),
        ("manifest",),
        ("review",),
    ],
    ids=lambda words: " ".join(Path(word).name for word in words),
)
def test_it_works_without_an_extra(words: tuple[object, ...], base: Base) -> None:
    answer = base.run(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("server", ["serve"]),
        ("server", ["serve", "--demo"]),
        ("server", ["audit", "--database", "sqlite:///house.db"]),
        ("server", ["audit", "--database", "sqlite:///house.db", "--anchors", "none.txt"]),
        ("server", ["export", "--floor", "main"]),
        ("server", ["backup", "copy.db"]),
        ("server", ["restore", "copy.db"]),
        ("server", ["restore", "--database", "postgresql:///house"]),
        ("reports", ["par", "--pdf", "par.pdf"]),
        ("reports", ["par", "--all", "--pdf", "par.pdf"]),
        ("reports", ["strategy", "evaluate", "published", "--pdf", "card.pdf"]),
        ("reports", ["strategy", "simplify", "--pdf", "card.pdf"]),
        ("cluster", ["simulate", "--rounds", "10", "--workers", "2"]),
        ("cluster", ["simulate", "--rounds", "10", "--scheduler", "localhost:1"]),
        ("cluster", ["protect", "--hands", "1", "--workers", "2"]),
        ("cluster", ["design", "trips_plus", "--edge", "3%", "--workers", "2"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_missing_extra_is_named_in_one_sentence_before_any_work(
    extra: str, words: list[str], base: Base, tmp_path: Path
) -> None:
    files = {"par.html", "par.pdf", "card.pdf", "copy.db"}
    answer = base.run(*(tmp_path / word if word in files else word for word in words))
    assert f"pip install 'headsup[{extra}]'" in refusal_sentence(answer)
    assert answer.out == ""


def test_a_missing_gymnasium_names_its_extra(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import headsup.gym"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        check=False,
        timeout=60,
    )
    assert "pip install 'headsup[gym]'" in done.stderr.splitlines()[-1]
