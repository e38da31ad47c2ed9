"""One server at a time for a database that is a file: a lock beside it, gone with the process."""

import os
from pathlib import Path

from headsup.house.store.engine import UnusableDatabase


class FileLock:
    """Held until `release`, or until the process ends in whatever way."""

    def __init__(self, database: Path) -> None:
        self._file: int | None = None
        _check_names(database)
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


def _check_names(database: Path) -> None:
    """A file with two names would have two locks, and two write-ahead logs of which SQLite knows
    one at a time: whoever opens it by the other name misses what was kept last. A lock on the file
    itself would not help, and closing it would drop those that SQLite has on it."""
    try:
        names = os.stat(database).st_nlink
    except OSError:  # it is made when it is opened
        return
    if names > 1:
        raise UnusableDatabase(
            f"{database.name} has {names} names (hard links), and SQLite keeps the newest entries "
            "beside each: leave it the one under which it was used"
        )
