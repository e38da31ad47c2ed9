"""What is remembered of how a person decides: lines of text, added one by one, never changed.

Accounts have theirs in the database (`house/store/notebooks.py`). Who plays at this machine has a
file in the user's data folder, the same for `headsup play` and for the guests of
`headsup serve --demo`: it is one person, in the terminal and in the browser. What the lines say is
`analysis/training`'s business.
"""

import os
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from platformdirs import user_data_path

MAX_LINES = 10_000  # that are read again; older ones stay where they are


class Notebook(Protocol):
    """Methods block until what they say is so."""

    def add(self, person: str, lines: Sequence[str]) -> None:
        """Each line without its end."""

    def lines(self, person: str) -> list[str]:
        """The last ones, oldest first."""

    def forget(self, person: str) -> None:
        """Begin anew."""


class NotebookFile:
    """One person's, in a file; several programs may add to it at the same time."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_notebook_path()

    def add(self, person: str, lines: Sequence[str]) -> None:  # noqa: ARG002
        """One write for all lines: what two programs add at once does not mix."""
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
