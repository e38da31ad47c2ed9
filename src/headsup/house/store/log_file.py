"""Stores one floor's log in a file: durable, append-only, with one writer at a time."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TextIO

from headsup.game.record.audit.auditor import AuditReport, audit
from headsup.game.record.chain import (
    ChainBreak,
    Head,
    Link,
    format_link,
    make_link_from_text,
    parse_lines,
    verify_chain,
)
from headsup.game.record.journal import Journal
from headsup.game.refusal import Code, Refused
from headsup.house.store.protocol import Append, AppendResult, Lease


class UnwritableLog(Refused):
    """The log cannot be written any more, so the table has to halt. No rule was broken."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(Code.UNWRITABLE_LOG, where=str(path), reason=reason)


# The longest entry opens a table with an operator's own rule book: a million characters, each of
# which may take twelve when escaped.
MAX_LINE_CHARS = 16_000_000


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a log, read lazily. A line with a byte that is not ASCII will not parse."""
    with path.open(encoding="ascii", errors="surrogateescape", newline="\n") as file:
        yield from bounded_lines(file)


def bounded_lines(file: TextIO) -> Iterator[str]:
    """The lines of a file. One that is longer than any entry comes in parts that do not parse."""
    return iter(partial(file.readline, MAX_LINE_CHARS), "")


def chain_head(lines: Iterable[str]) -> Head:
    """The head of a log; raises `Refused` if its chain is broken."""
    head = Head()

    def note_heads(links: Iterator[Link]) -> Iterator[Link]:
        nonlocal head
        for link in links:
            head = link.head
            yield link

    broken: ChainBreak | None = verify_chain(note_heads(parse_lines(lines)))
    if broken is not None:
        raise Refused(Code.BROKEN_LOG, finding=broken.detail)
    return head


class LogFile:
    """A store of one floor, locked while it is open. It stores only entries; answers and wallets
    need a database."""

    def __init__(
        self,
        path: Path,
        floor: str = "floor",
        head_of: Callable[[Iterable[str]], Head] = chain_head,
    ) -> None:
        """`head_of` reads the existing lines and returns the head, or raises `Refused`."""
        self.path, self.floor = path, floor
        self._lease = Lease(floor, "", 0)
        self._error = ""  # why nothing more can be written
        self._file = _open_locked(path)
        try:
            with _wrap_os_errors(path):
                self._head = head_of(read_lines(path))
        except Refused as refused:
            self.close()
            names_file = refused.refusal.where.startswith(str(path))
            raise refused if names_file else Refused.of(refused.refusal.within(str(path))) from None

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Ownership. The lock on the file keeps other programs away.

    def open_floor(self, floor: str) -> None:
        if floor != self.floor:
            raise ValueError(f"{self.path} is the log of {self.floor}, not of {floor}")

    def floors(self) -> list[str]:
        return [self.floor]

    def take_lease(self, floor: str, owner: str) -> Lease | None:
        if floor != self.floor:
            return None
        self._lease = Lease(floor, owner, self._lease.fence + 1)
        return self._lease

    # Writing.

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult]:
        return [self._append_one(append) for append in appends]

    def _append_one(self, append: Append) -> AppendResult:
        if append.answers or append.moves:
            raise ValueError("a log file stores only entries")
        if append.lease != self._lease or append.expected_head != self._head:
            return AppendResult.NOT_OWNER
        self.append(append.links)
        return AppendResult.STORED

    def append(self, links: Sequence[Link]) -> None:
        """Write the links of one decision; on return they are all on disk.

        After a failure the log takes no more entries. It ends with the last complete decision. If
        not even the incomplete one could be removed, the log is found broken when it is next
        opened.
        """
        if self._error:
            raise UnwritableLog(self.path, self._error)
        head = self._head
        for link in links:
            if link != make_link_from_text(head, link.text):
                raise ValueError(f"entry {link.index} does not follow entry {head.count - 1}")
            head = link.head
        data = b"".join(format_link(link).encode("ascii") for link in links)
        try:
            self._write(data)
        except OSError as error:
            self._error = _reason(error)
            self.close()
            raise UnwritableLog(self.path, self._error) from None
        self._head = head

    def _write(self, data: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:  # a write may be partial; the next one goes on or raises
                written = self._file.write(data)
                if not written:
                    raise OSError(errno.ENOSPC, "only part of the entry could be written")
                data = data[written:]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # an incomplete decision would break the log
                self._file.truncate(end)
                os.fsync(self._file.fileno())
            raise

    # Reading.

    def head(self, floor: str) -> Head:
        return self._head if floor == self.floor else Head()

    def entry_texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        lines = read_lines(self.path) if floor == self.floor else iter(())
        for link in islice(parse_lines(lines), start, end):
            yield link.hash, link.text


def _open_locked(path: Path) -> BinaryIO:
    with _wrap_os_errors(path):
        # Not a pipe or a device: those keep no record, and reading one might never end.
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
        # Unbuffered, so that a failed write leaves nothing to be written later.
        file = path.open("ab", buffering=0)
    try:
        import fcntl
    except ImportError:  # not on this system; the chain shows a second writer later
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Refused(Code.LOG_IN_USE, where=str(path)) from None
    return file


@contextmanager
def _wrap_os_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnwritableLog(path, _reason(error)) from None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


class Logbook(LogFile):
    """The log of a table at home. It is audited when it is opened; a broken one is refused."""

    report: AuditReport

    def __init__(self, path: Path) -> None:
        super().__init__(path, head_of=self._audit)

    def _audit(self, lines: Iterable[str]) -> Head:
        self.report = audit(lines)
        if self.report.finding is not None:
            raise Refused(Code.BROKEN_LOG, finding=self.report.finding)
        return self.report.journal.head

    @property
    def journal(self) -> Journal:
        """The floor and the head of the log when the file was opened."""
        return self.report.journal
