"""The wheel and the source archive: small, reproducible, and complete with each extra.

The wheel is installed into an empty environment. What it depends on is linked from this one: first
the packages of a plain installation, then those of one extra.
"""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from headsup.tools.licences import EXTRAS, licence_page, packages_of
from headsup.version import __version__

ROOT = Path(__file__).parents[1]
MAX_BYTES = 2_500_000
pytestmark = pytest.mark.slow(seconds=10)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Builds the archives into a new folder."""

    def build_into(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
        return folder

    return build_into


@pytest.fixture(scope="module")
def built(build: Callable[[str], Path]) -> Path:
    return build("dist")


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


def test_two_builds_are_the_same_bytes(built: Path, build: Callable[[str], Path]) -> None:
    again = build("again")
    hashes = [
        {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
        for folder in (built, again)
    ]
    assert hashes[0] == hashes[1]
    assert {*hashes[0]} == {
        f"headsup-{__version__}-py3-none-any.whl",
        f"headsup-{__version__}.tar.gz",
    }


def test_wheel_and_source_archive_are_small(built: Path) -> None:
    assert {path.name for path in built.iterdir() if path.stat().st_size > MAX_BYTES} == set()


def test_the_wheel_has_every_file_of_the_program(wheel: Path) -> None:
    source = ROOT / "src"
    expected = {
        path.relative_to(source).as_posix()
        for path in (source / "headsup").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith("headsup-")}
    assert names == expected


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation


def test_the_list_of_licences_is_current() -> None:
    """If not, run `make licences`."""
    assert (ROOT / "docs" / "licences.md").read_text(encoding="utf-8") == licence_page()


class Installation:
    """An environment with the wheel, and folders with what each extra depends on."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.python = folder, folder / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        install = ["install", "--quiet", "--no-index", "--no-deps", str(wheel)]
        pip = [sys.executable, "-m", "pip", "--python", str(self.python)]
        subprocess.run([*pip, *install], check=True, capture_output=True, timeout=120)

    def packages(self, extra: str) -> Path:
        """A folder with links to the packages of an installation with this extra."""
        folder = self.folder / f"packages-{extra or 'base'}"
        if not folder.exists():
            folder.mkdir()
            for package in packages_of(extra):
                found = metadata.distribution(package)
                for name in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                    target = folder / name
                    if not target.exists():
                        target.symlink_to(str(found.locate_file(name)))
        return folder

    def run(self, extra: str, *words: str, code: int = 0) -> str:
        """What a command prints, or its error."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PYTHONPATH": str(self.packages(extra)),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [str(self.python), *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout or done.stderr


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installed"), wheel)


def test_the_command_and_the_module_say_their_version(installed: Installation) -> None:
    script = str(installed.folder / "bin" / "headsup")
    assert installed.run("", script, "--version") == f"headsup {__version__}\n"
    assert installed.run("", "-m", "headsup", "--version") == f"headsup {__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "show", "galaxy"],
        ["settle", str(ROOT / "docs" / "examples" / "round.json"), "--json"],
        ["solve", "--no-cache", "--json"],
        ["advise", "--hole", "QhJh", "--board", "Th9c2d"],
        ["par", "--rules", "washington"],
    ],
    ids=lambda words: words[0],
)
def test_a_plain_installation_answers(words: list[str], installed: Installation) -> None:
    assert installed.run("", "-m", "headsup", *words)


def _doctor(installed: Installation, extra: str) -> dict[str, str]:
    report = json.loads(installed.run(extra, "-m", "headsup", "doctor", "--json"))
    assert report["well"]
    return {row["what"]: row["state"] for row in report["findings"]}


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_the_doctor_sees_what_is_installed(extra: str, installed: Installation) -> None:
    found = _doctor(installed, extra)
    assert found["headsup"] == found["compiled code"] == "good"
    states = {each: found[f"extra {each}"] for each in EXTRAS}
    assert states == {each: "good" if each == extra else "note" for each in EXTRAS}


SERVE = """
import asyncio, json, os, re, signal, sys, urllib.request
from headsup.web.live.client import Client

async def main():
    serve = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "headsup", "serve", "--demo", "--port", "0",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    async for line in serve.stdout:
        if found := re.search(rb"http://[\\d.:]+", line):
            break
    address = found[0].decode()
    page = await asyncio.to_thread(lambda: urllib.request.urlopen(address).read())
    async with Client.demo(address):
        print(len(page) > 1000)
    serve.send_signal(signal.SIGINT)
    await serve.communicate()

asyncio.run(main())
"""


def test_with_the_extra_server_tables_are_served(installed: Installation) -> None:
    assert installed.run("server", "-c", SERVE) == "True\n"


def test_with_the_extra_reports_a_pdf_is_written(installed: Installation) -> None:
    installed.run("reports", "-m", "headsup", "par", "--pdf", "par.pdf")
    assert (installed.folder / "par.pdf").read_bytes().startswith(b"%PDF")


def test_with_the_extra_cluster_processes_deal(installed: Installation) -> None:
    words = ["simulate", "--rounds", "100", "--workers", "1", "--json"]
    assert json.loads(installed.run("cluster", "-m", "headsup", *words))["rounds"] == 100


def test_with_the_extra_gym_agents_learn(installed: Installation) -> None:
    code = "import gymnasium; from headsup.gym import ENV_ID; print(gymnasium.make(ENV_ID).reset())"
    assert installed.run("gym", "-c", code)


@pytest.mark.parametrize(
    ("extra", "code"), [("server", "import headsup.web.live.client"), ("gym", "import headsup.gym")]
)
def test_a_module_without_its_extra_names_it(
    extra: str, code: str, installed: Installation
) -> None:
    attempt = f"try:\n    {code}\nexcept ImportError as error:\n    print(error)"
    assert f"pip install 'headsup[{extra}]'" in installed.run("", "-c", attempt)
