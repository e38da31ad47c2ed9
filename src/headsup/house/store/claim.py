"""One server at a time for a database that is a file: a lock beside it, gone with the process."""

from pathlib import Path
from typing import TextIO

from headsup.house.store.engine import UnusableDatabase


class Claim:
    """Held until `release`, or until the process ends in whatever way."""

    def __init__(self, database: Path) -> None:
        self._file: TextIO | None = None
        try:
            import fcntl
        except ImportError:  # not on this system: the fence keeps two writers apart
            return
        # The file stays: who waits for it and who makes it anew must mean the same one.
        file = database.with_name(f"{database.name}.lock").open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise UnusableDatabase(f"{database.name} is open in another server") from None
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
