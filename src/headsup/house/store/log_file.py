"""One floor's log in a file: appended durably, never changed, one writer at a time."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TextIO

from headsup.game.record.chain import (
    ChainBreak,
    Head,
    Link,
    format_link,
    make_link_from_text,
    parse_lines,
    verify_chain,
)
from headsup.game.refusal import Code, Refused
from headsup.house.store.protocol import Append, AppendResult, Lease


class UnwritableLog(Refused):
    """The log cannot be kept any further: no rule said no, the table has to halt."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(Code.UNWRITABLE_LOG, where=str(path), reason=reason)


# Characters. The longest entry opens a table with a rule book of the house's own: a million
# characters, each of which may take twelve to write.
MAX_LINE_CHARS = 16_000_000


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a log as they come; a byte that is not ASCII makes an unreadable line."""
    with path.open(encoding="ascii", errors="surrogateescape", newline="\n") as file:
        yield from bounded_lines(file)


def bounded_lines(file: TextIO) -> Iterator[str]:
    """The lines of a file; one longer than any entry comes in parts, which no log is made of."""
    return iter(partial(file.readline, MAX_LINE_CHARS), "")


def chain_head(lines: Iterable[str]) -> Head:
    """Where a log ends whose chain holds; a broken one is refused."""
    head = Head()

    def noted(links: Iterator[Link]) -> Iterator[Link]:
        nonlocal head
        for link in links:
            head = link.head
            yield link

    broken: ChainBreak | None = verify_chain(noted(parse_lines(lines)))
    if broken is not None:
        raise Refused(Code.BROKEN_LOG, finding=broken.detail)
    return head


class LogFile:
    """The store of one floor, locked for as long as it is open.

    It keeps entries alone: answers and wallets need a database.
    """

    def __init__(
        self,
        path: Path,
        floor: str = "floor",
        head_of: Callable[[Iterable[str]], Head] = chain_head,
    ) -> None:
        """`head_of` reads what is there already and says where it ends, or refuses it."""
        self.path, self.floor = path, floor
        self._lease = Lease(floor, "", 0)
        self._lost = ""
        self._file = _open_locked(path)
        try:
            with _wrap_os_errors(path):
                self._head = head_of(read_lines(path))
        except Refused as refused:
            self.close()
            named = refused.refusal.where.startswith(str(path))
            raise refused if named else Refused.of(refused.refusal.within(str(path))) from None

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

    # Ownership: the lock on the file keeps other programs away.

    def open_floor(self, floor: str) -> None:
        if floor != self.floor:
            raise ValueError(f"{self.path} is the log of {self.floor}, not of {floor}")

    def floors(self) -> list[str]:
        return [self.floor]

    def take(self, floor: str, owner: str, microseconds: int, force: bool = False) -> Lease | None:  # noqa: ARG002
        """A lease that does not run out while the file is open; another owner needs force."""
        held = self._lease
        if floor != self.floor or not (force or held.owner in ("", owner)):
            return None
        self._lease = Lease(floor, owner, held.fence + 1)
        return self._lease

    def renew(self, leases: Sequence[Lease], microseconds: int) -> list[Lease]:  # noqa: ARG002
        return [lease for lease in leases if lease == self._lease]

    def release(self, leases: Sequence[Lease]) -> None:
        if self._lease in leases:
            self._lease = Lease(self.floor, "", self._lease.fence)

    # Writing.

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        return [self._keep_one(append) for append in appends]

    def _keep_one(self, append: Append) -> AppendResult:
        if append.answers or append.moves:
            raise ValueError("a log file keeps entries alone")
        if append.lease != self._lease or append.after != self._head:
            return AppendResult.NOT_OWNER
        self.append(append.links)
        return AppendResult.KEPT

    def append(self, links: Sequence[Link]) -> None:
        """Write the links of one decision; on return they are on the disk, all or none.

        After a failure nothing more is written: the log ends with the last decision that was, or,
        where even the half of one could not be taken back, is found to be broken when it is next
        opened.
        """
        if self._lost:
            raise UnwritableLog(self.path, self._lost)
        head = self._head
        for link in links:
            if link != make_link_from_text(head, link.text):
                raise ValueError(f"entry {link.index} does not follow entry {head.count - 1}")
            head = link.head
        data = b"".join(format_link(link).encode("ascii") for link in links)
        try:
            self._write(data)
        except OSError as error:
            self._lost = _reason(error)
            self.close()
            raise UnwritableLog(self.path, self._lost) from None
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

    # Reading.

    def head(self, floor: str) -> Head:
        return self._head if floor == self.floor else Head()

    def texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        lines = read_lines(self.path) if floor == self.floor else iter(())
        for link in islice(parse_lines(lines), start, end):
            yield link.hash, link.text


def _open_locked(path: Path) -> BinaryIO:
    with _wrap_os_errors(path):
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


@contextmanager
def _wrap_os_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnwritableLog(path, _reason(error)) from None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
