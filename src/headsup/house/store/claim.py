"""One server at a time for a database that is a file: a lock beside it, gone with the process."""

import os
from pathlib import Path

from headsup.house.store.engine import UnusableDatabase


class Claim:
    """Held until `release`, or until the process ends in whatever way."""

    def __init__(self, database: Path) -> None:
        self._file: int | None = None
        try:
            import fcntl
        except ImportError:  # not on this system: the fence keeps two writers apart
            return
        # It lies beside the file itself: a link is another name for the same database. And it
        # stays: who waits for it and who makes it anew must mean the same one.
        beside = f"{os.path.realpath(database)}.lock"
        file = os.open(beside, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise UnusableDatabase(f"{database.name} is open in another server") from None
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
