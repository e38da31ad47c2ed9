"""What a stranger waits for: the first page and the first answers, after a fresh clone.

`make run` in a clone without an environment, then commands in that environment. Home and cache are
empty before each one. Measured by the clock on the wall, including Python's own start.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
PORT = "8498"
HOLE = ("advise", "--hole", "QhJh")
GOALS = (
    ("solve, a printed game", ("solve",), 1.0),
    ("solve, computed", ("solve", "--no-cache"), 3.0),
    ("advise in the pocket", HOLE, 1.5),
    ("advise on the flop", (*HOLE, "--board", "Th9c2d"), 1.5),
    ("advise on the river", (*HOLE, "--board", "Th9c2d3s4s"), 1.5),
    ("par", ("par",), 1.5),
    ("par --rules washington", ("par", "--rules", "washington"), 1.5),
)


def rows() -> Iterator[tuple[str, str, str, str]]:
    with TemporaryDirectory() as name:
        clone = Path(name, "headsup")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        yield _row("make run on a fresh clone, to the first page", _seconds_to_page(clone), 25.0)
        for what, words, goal in GOALS:
            with _home(name) as environment:
                command = [clone / ".venv" / "bin" / "headsup", *words]
                start = perf_counter()
                subprocess.run(command, check=True, capture_output=True, env=environment)
                yield _row(f"headsup {what}, the first run ever", perf_counter() - start, goal)


def _row(what: str, seconds: float, goal: float) -> tuple[str, str, str, str]:
    return what, f"{seconds:.2f} s", f"goal {goal:g} s", f"{goal / seconds:.1f}×"


@contextmanager
def _home(folder: str) -> Iterator[dict[str, str]]:
    """An environment whose home, data and cache are empty."""
    home = Path(folder, "home")
    home.mkdir()
    kept = {key: text for key, text in os.environ.items() if not key.startswith(("HEADSUP", "XDG"))}
    try:
        yield {**kept, "HOME": str(home)}
    finally:
        shutil.rmtree(home)


def _seconds_to_page(clone: Path) -> float:
    with _home(str(clone.parent)) as environment:
        start = perf_counter()
        command = ["make", "run", f"PORT={PORT}"]
        with subprocess.Popen(
            command, cwd=clone, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        ) as make:
            try:
                while make.poll() is None:
                    try:
                        urlopen(f"http://127.0.0.1:{PORT}/").read()
                    except OSError:
                        sleep(0.02)
                    else:
                        return perf_counter() - start
            finally:
                make.send_signal(signal.SIGTERM)
    raise RuntimeError("make run ended without a page")
