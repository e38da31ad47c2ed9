"""Stores a person's decisions for the trainer, as lines of text that are only ever added.

Accounts have a notebook in the database (`house/store/notebooks.py`). The player at this machine
has a file, which `headsup play` and `headsup review` share. `analysis/training` defines the lines.
"""

import os
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from platformdirs import user_data_path

MAX_LINES = 10_000  # read back; older lines stay in the notebook


class Notebook(Protocol):
    """Methods block until they are done."""

    def add(self, person: str, lines: Sequence[str]) -> None:
        """Add lines, given without line ends."""

    def lines(self, person: str) -> list[str]:
        """The last MAX_LINES lines, oldest first."""

    def forget(self, person: str) -> None:
        """Delete all lines."""


class NotebookFile:
    """One person's notebook in a file; several programs may add to it at the same time."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_notebook_path()

    def add(self, person: str, lines: Sequence[str]) -> None:  # noqa: ARG002
        """Add all lines in one write, so that lines of two programs do not mix."""
        if not lines:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in lines)
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)

    def lines(self, person: str) -> list[str]:  # noqa: ARG002
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                return list(deque((line.rstrip("\n") for line in file), MAX_LINES))
        except FileNotFoundError:
            return []

    def forget(self, person: str) -> None:  # noqa: ARG002
        with suppress(FileNotFoundError):
            self.path.unlink()


def default_notebook_path() -> Path:
    return user_data_path("headsup", appauthor=False) / "decisions.jsonl"
