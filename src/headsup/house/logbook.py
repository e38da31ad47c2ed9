"""An event log on disk: appended durably, never changed, and never added to when it is broken."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from headsup.game.record.auditor import AuditReport, audit
from headsup.game.record.chain import Head, Link, format_link
from headsup.game.record.chain import append_text as chained
from headsup.game.record.journal import Journal
from headsup.game.refusal import Code, Refused


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a log as they come; a byte that is not ASCII makes an unreadable line."""
    with path.open(encoding="ascii", errors="surrogateescape", newline="\n") as file:
        yield from file


class LogLost(Refused):
    """The log cannot be kept any further: no rule said no, the table has to halt."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(Code.UNWRITABLE_LOG, where=str(path), reason=reason)


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
        self._lost = ""

    @property
    def journal(self) -> Journal:
        """The floor and the end of the log as they were when the file was opened."""
        return self.report.journal

    @property
    def head(self) -> Head:
        return self._head

    def append(self, links: Sequence[Link]) -> None:
        """Write the links of one decision; on return they are on the disk, all or none.

        After a failure nothing more is written: the log ends with the last decision that was, or,
        where even the half of one could not be taken back, is found to be broken when it is next
        opened.
        """
        if self._lost:
            raise LogLost(self.path, self._lost)
        head = self._head
        for link in links:
            if link != chained(head, link.text):
                raise ValueError(f"entry {link.index} does not follow entry {head.count - 1}")
            head = link.head
        data = b"".join(format_link(link).encode("ascii") for link in links)
        try:
            self._write(data)
        except OSError as error:
            self._lost = _reason(error)
            self.close()
            raise LogLost(self.path, self._lost) from None
        self._head = head

    def _write(self, data: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:  # after a part, the rest goes on or tells why not
                written = self._file.write(data)
                if not written:
                    raise OSError(errno.ENOSPC, "only part of it could be written")
                data = data[written:]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # half a decision would break the log
                self._file.truncate(end)
                os.fsync(self._file.fileno())
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
        # A pipe or a device is no place for a record, and reading it back might never end.
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
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
        raise Refused(Code.LOG_IN_USE, where=str(path)) from None
    return file


def _held(path: Path, report: AuditReport) -> AuditReport:
    if report.finding is not None:
        raise Refused(Code.BROKEN_LOG, where=str(path), finding=report.finding)
    return report


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogLost(path, _reason(error)) from None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
