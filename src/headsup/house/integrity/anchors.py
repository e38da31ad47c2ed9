"""Reads and writes anchors: heads of the floors' logs and the house's log, stored elsewhere.

Anybody who can write to the database can replace a whole log by another one whose chain is valid.
Earlier anchors reveal this: each says that so many entries ended with that hash. Put the file
where the server can append to it and nobody can change it, such as on another machine.

Each line is one anchor:
`{"at":"2026-01-31T12:00:00Z","count":120,"floor":"main","hash":"…","house":"…"}`. The house's log
has an empty floor. `house` is the house's identity (`house/store/house_log.py`), which is left out
if the database does not answer.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from headsup.game.record.chain import GENESIS, Head
from headsup.game.refusal import Code, Refused
from headsup.game.values.dates import is_utc_time
from headsup.house.integrity.private_file import create_private_file

HOUSE_LOG = ""  # the house's own log among the floors' logs; no floor has that name

# A long file is not read whole: only so much of its beginning and its end.
FIRST_BYTES, LAST_BYTES = 1 << 16, 1 << 20

_KEYS = {"at", "count", "floor", "hash"}
_LINE_START = '{"at":"'


class Anchor(NamedTuple):
    at: str
    floor: str
    head: Head
    house: str = ""  # the house's identity, if the line has one


class AnchorFile:
    """An anchor file. Other servers of the house write to it, or by mistake another house."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_bytes: int | None = None  # how far it was read

    def append(self, anchors: Iterable[Anchor]) -> None:
        """Add anchors; on return they are on the disk."""
        text = "".join(map(_format_line, anchors))
        self._refuse_pipes()
        create_private_file(self.path)
        with self.path.open("ab") as file:
            if file.tell() and not _ends_with_newline(self.path):
                text = "\n" + text  # a full disk left half a line
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())

    def _refuse_pipes(self) -> None:
        """Opening a pipe would block until another process opens its other end."""
        if self.path.is_fifo():
            raise OSError(EINVAL, "it is a pipe, not a file")

    def is_shorter(self) -> bool:
        """Whether lines were removed since the file was last read."""
        if not self._read_bytes:
            return False
        try:
            return self.path.stat().st_size < self._read_bytes
        except FileNotFoundError:
            return True

    def reset(self) -> None:
        """Forget how far the file was read."""
        self._read_bytes = None

    def read_new(self) -> list[Anchor]:
        """The anchors added since the last call; the first time, those at its start and end.

        Skips invalid lines, which an audit reports.
        """
        self._refuse_pipes()
        with self.path.open("rb") as file:
            first = _read(file, 0, FIRST_BYTES)[0] if self._read_bytes is None else ()
            size = file.seek(0, os.SEEK_END)
            start = max(self._read_bytes or 0, size - LAST_BYTES)
            last, self._read_bytes = _read(file, start, size - start)
        return [*first, *last]


def read_anchors(lines: Iterable[str], where: str) -> dict[str, list[Anchor]]:
    """All anchors by floor. Refuses invalid lines, but skips one that was cut off by a full disk
    or is still being written."""
    anchors: dict[str, list[Anchor]] = {}
    for number, line in enumerate(lines, 1):
        if _is_cut_off(line):
            continue
        anchor = _parse_line(line)
        if anchor is None:
            raise Refused(Code.BAD_ANCHOR, "line", where=f"{where} line {number}")
        anchors.setdefault(anchor.floor, []).append(anchor)
    return anchors


def _read(file: BinaryIO, start: int, size: int) -> tuple[Iterator[Anchor], int]:
    """The anchors in a part of the file, and where its last complete line ends."""
    file.seek(start)
    part = file.read(size)
    complete = part.rpartition(b"\n")[0]
    lines = complete.decode("ascii", "replace").split("\n") if complete else []
    anchors = (anchor for line in lines if (anchor := _parse_line(line)) is not None)
    return anchors, start + len(complete) + bool(complete)


def _format_line(anchor: Anchor) -> str:
    fields = {"at": anchor.at, "count": anchor.head.count, "floor": anchor.floor}
    fields |= {"hash": anchor.head.hash} | ({"house": anchor.house} if anchor.house else {})
    return json.dumps(fields, sort_keys=True, separators=(",", ":")) + "\n"


def _parse_line(line: str) -> Anchor | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.keys() - {"house"} != _KEYS:
        return None
    if not _is_valid(fields):
        return None
    head = Head(fields["count"], fields["hash"])
    return Anchor(fields["at"], fields["floor"], head, fields.get("house", ""))


def _is_cut_off(line: str) -> bool:
    text = line.removesuffix("\n")
    return text[: len(_LINE_START)] == _LINE_START[: len(text)] and not text.endswith("}")


def _is_valid(fields: dict[str, Any]) -> bool:
    count, hash, at = fields["count"], fields["hash"], fields["at"]
    is_count = type(count) is int and 0 < count < 1 << 63
    is_hash = isinstance(hash, str) and len(hash) == len(GENESIS)
    # Some databases fail on a query for an unprintable name.
    names = fields["floor"], fields.get("house", "")
    are_names = all(isinstance(name, str) and name.isprintable() for name in names)
    return is_count and is_hash and are_names and isinstance(at, str) and is_utc_time(at)


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


@dataclass(frozen=True, slots=True)
class MissingEntries:
    """Anchored entries that a log no longer has: it is an older copy, or its end was removed."""

    first: int
    last: int
    since: str  # time of the first anchor after the log's end
    until: str  # time of the last


def missing_entries(head: Head, anchors: Iterable[Anchor]) -> MissingEntries | None:
    """What is missing at the end of a log that otherwise matches its anchors."""
    later = [anchor for anchor in anchors if anchor.head.count > head.count]
    if not later:
        return None
    times = [anchor.at for anchor in later]
    last = max(anchor.head.count for anchor in later)
    return MissingEntries(head.count, last - 1, min(times), max(times))
