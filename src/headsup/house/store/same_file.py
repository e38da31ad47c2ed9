"""The one file that a database was opened in: SQLite would make an empty one where it is gone, and
goes on writing into the old one, which nobody can find any more."""

import os
import sqlite3
from pathlib import Path

from sqlalchemy.exc import OperationalError

from headsup.house.integrity.private_file import create_private_file


class FileIdentity:
    def __init__(self, path: str) -> None:
        self._path = path
        self._opened: tuple[int, int] | None = None

    def make(self) -> None:
        """Before the first opening only."""
        if self._opened is None:
            # Where a link leads, SQLite makes the file; what it writes beside has the same owner.
            create_private_file(Path(os.path.realpath(self._path)))
        else:
            self.check()

    def opened(self) -> None:
        """It is there now, and must stay."""
        if self._opened is None:
            self._opened = self._found()
        else:
            self.check()

    def check(self) -> None:
        """As with any database that is lost: what comes back as it was is gone on with."""
        if self._opened != self._found():
            gone = sqlite3.OperationalError("the file is gone, or another is in its place")
            raise OperationalError(None, None, gone)

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino
