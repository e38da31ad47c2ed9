"""Guards the file of a SQLite database: against being replaced, and against a second server.

If the file is removed, SQLite creates an empty one for new connections, and goes on writing to the
old one through those it has open. `FileIdentity` turns that into an error.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import Lock

from sqlalchemy.exc import OperationalError

from headsup.house.integrity.private_file import create_private_file

_SIDE_FILE_SUFFIXES = ("-wal", "-shm", "-journal")  # SQLite's own files beside a database


class UnusableDatabase(ValueError):
    """The database cannot be used to store floors."""


class FileIdentity:
    """Checks that a path still leads to the file that was opened first, and gives writers turns."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None  # device and inode
        self._turn = Lock()

    def take_turn(self, seconds: float) -> None:
        """Wait for the turn to write; raises like a busy database if it takes too long."""
        if not self._turn.acquire(timeout=seconds):
            busy = sqlite3.OperationalError("database is locked")
            raise OperationalError(None, None, busy)

    def end_turn(self) -> None:
        self._turn.release()

    def create(self) -> None:
        """Create the file before it is first opened; later, check that it is still the same."""
        if self._identity is None:
            # SQLite creates the target of a link, and gives its -wal and -shm the same permissions.
            create_private_file(Path(os.path.realpath(self._path)))
        else:
            self.verify()

    def remember(self) -> None:
        """Remember the file that was opened; later, check that it is still the same."""
        if self._identity is None:
            self._identity = self._read_identity()
        else:
            self.verify()

    def verify(self) -> None:
        """Raise like a lost database if the file has changed. If the same file comes back, work
        goes on."""
        if self._identity != self._read_identity():
            gone = sqlite3.OperationalError("the file is gone, or another is in its place")
            raise OperationalError(None, None, gone)

    def _read_identity(self) -> tuple[int, int] | None:
        try:
            stat = os.stat(self._path)
        except OSError:
            return None
        return stat.st_dev, stat.st_ino


class FileLock:
    """Lets one server at a time use a SQLite file. The lock ends with `release` or the process."""

    def __init__(self, database: Path) -> None:
        self._file: int | None = None
        with suppress(OSError):
            remove_abandoned_copies(database)
        _check_names(database)
        try:
            import fcntl
        except ImportError:  # not on this system; fences still separate two writers
            return
        # Beside the real file, because links lead to the same database. It is never deleted:
        # otherwise two servers could lock two different files.
        lock_path = f"{os.path.realpath(database)}.lock"
        file = os.open(lock_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise UnusableDatabase(f"{database.name} is in use by another server") from None
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def side_files(database: Path) -> tuple[Path, ...]:
    return tuple(Path(f"{database}{suffix}") for suffix in _SIDE_FILE_SUFFIXES)


# A backup or restore writes a hidden copy, which then gets the final name as well and loses the
# hidden one. If it is killed, the hidden name stays.


def copy_in_progress(target: Path) -> Path:
    """The hidden name under which this process writes a copy."""
    return target.with_name(f".{target.name}.{os.getpid()}")


def remove_abandoned_copies(target: Path) -> None:
    """Remove the hidden names of copies whose process is gone, with SQLite's files beside them."""
    prefix = f".{target.name}."
    for path in target.absolute().parent.iterdir():
        number = path.name.removeprefix(prefix)
        if path.name.startswith(prefix) and number.isdigit() and not _is_running(int(number)):
            for name in (path, *side_files(path)):
                name.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _check_names(database: Path) -> None:
    """Refuse a file with several hard links.

    It would have a lock and a write-ahead log per name, and opening it by another name would miss
    the newest entries. Locking the file itself would not help: closing it would drop SQLite's own
    locks on it.
    """
    try:
        names = os.stat(database).st_nlink
    except OSError:  # not created yet
        return
    if names > 1:
        raise UnusableDatabase(
            f"{database.name} has {names} hard links, and SQLite stores the newest entries beside "
            "the name it was opened by: remove all links except the one that has been in use"
        )
