"""`headsup serve` as a user starts it: a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAIN = "from headsup.cli import main; main()"
HEADSUP = [sys.executable, "-c", MAIN]
ANNOUNCED = "headsup serves tables at "
KEPT = "Everything is kept in "


@contextmanager
def serving(
    folder: Path, *arguments: str, first: str = "pass"
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process and its address, once it has said it; `first` is done before it starts."""
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
                "0",
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
            said = process.stdout.readline()
            assert said.startswith(ANNOUNCED), (folder / "errors").read_text()
            assert process.stdout.readline().startswith(KEPT)
            yield process, said.removeprefix(ANNOUNCED).strip()
        finally:
            process.kill()
