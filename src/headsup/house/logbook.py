"""An event log on disk: appended durably, never changed, and never added to when it is broken."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from headsup.game.record.chain import Head, Link, format_link
from headsup.game.record.chain import append as chained
from headsup.game.record.journal import Journal, Report, audit
from headsup.game.refusal import Refused


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a log as they come; a byte that is not ASCII makes an unreadable line."""
    with path.open(encoding="ascii", errors="surrogateescape", newline="\n") as file:
        yield from file


class Logbook:
    """One log file, open for appending by one writer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _opened(path)
        try:
            with _naming(path):
                self.report = _held(path, audit(read_lines(path)))
        except Refused:
            self.close()
            raise
        self._head = self.report.journal.head

    @property
    def journal(self) -> Journal:
        """The floor and the end of the log as they were when the file was opened."""
        return self.report.journal

    @property
    def head(self) -> Head:
        return self._head

    def append(self, links: Sequence[Link]) -> None:
        """Write the links of one decision; on return they are on the disk, all or none."""
        for link in links:
            if link != chained(self._head, link.entry):
                raise ValueError(f"entry {link.index} does not follow entry {self._head.count - 1}")
            self._head = link.head
        data = b"".join(format_link(link).encode("ascii") for link in links)
        end = self._file.seek(0, os.SEEK_END)
        with _naming(self.path):
            try:
                if self._file.write(data) != len(data):
                    raise OSError(errno.ENOSPC, "only part of it could be written")
                os.fsync(self._file.fileno())
            except OSError:
                with suppress(OSError):  # half a decision would break the log
                    self._file.truncate(end)
                self.close()
                raise

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> "Logbook":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _opened(path: Path) -> BinaryIO:
    with _naming(path):
        # Unbuffered, so that a failed write leaves nothing behind to be written later.
        file = path.open("ab", buffering=0)
    try:
        import fcntl
    except ImportError:  # not on this system: the second writer is found by the chain, later
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Refused("log_in_use", f"{path}: another table is writing this log") from None
    return file


def _held(path: Path, report: Report) -> Report:
    if report.difference is not None:
        raise Refused(
            "broken_log", f"{path}: nothing is added to a broken log: {report.difference}"
        )
    return report


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused("unwritable_log", f"{path}: the log cannot be kept: {reason}") from None
