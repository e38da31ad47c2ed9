"""`headsup serve` as a user starts it: a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEADSUP = [sys.executable, "-c", "from headsup.cli import main; main()"]
ANNOUNCED = "headsup serves tables at "


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process and its address, once it has said it."""
    database = f"sqlite:///{folder / 'house.db'}"
    with (
        (folder / "errors").open("a") as errors,
        subprocess.Popen(
            [*HEADSUP, "serve", "--database", database, "--port", "0", *arguments],
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
            yield process, said.removeprefix(ANNOUNCED).strip()
        finally:
            process.kill()
