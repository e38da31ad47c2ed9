"""`headsup serve` in a process of its own, as a user starts it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAIN = "from headsup.cli import main; main()"
HEADSUP = [sys.executable, "-c", MAIN]
ANNOUNCED = "headsup serves tables at "
STORED = "Data is stored in "


@contextmanager
def serving(
    folder: Path, *arguments: str, first: str = "pass", port: int = 0
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process and its address, once it has printed it; `first` is code that runs before the
    start."""
    database = f"sqlite:///{folder / 'house.db'}"
    with (
        (folder / "errors").open("a") as errors,
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"{first}; {MAIN}",
                "serve",
                "--database",
                database,
                "--port",
                str(port),
                *arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "HEADSUP_CACHE_DIR": str(folder / "cache")},
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith(ANNOUNCED), (folder / "errors").read_text()
            assert process.stdout.readline().startswith(STORED)
            yield process, line.removeprefix(ANNOUNCED).strip()
        finally:
            process.kill()
