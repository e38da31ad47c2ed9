"""Anchors: the heads of all floors' logs, and of the house's own chain, added to a file that the
operator keeps elsewhere.

Whoever can write the database can write a whole log anew, with a chain that holds. The anchors
that were kept before then tell: each says that so many entries ended with that hash. Put the file
where the server can add to it and nobody can change it: on another machine, or append-only.

`{"at":"2026-01-31T12:00:00Z","count":120,"floor":"main","hash":"…","house":"…"}`, a line each;
that of the house's chain names no floor (`""`). `house` says whose it is
(`house/store/house_chain.py`); lines of older versions do not.
"""

import json
import os
from collections.abc import Iterable, Iterator
from errno import EINVAL
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from headsup.game.record.chain import GENESIS, Head
from headsup.game.record.timestamps import is_utc_time
from headsup.game.refusal import Code, Refused
from headsup.house.integrity.private_file import create_private_file

HOUSE_CHAIN = ""  # no floor has that name
# What is read of a file at a time, however long it is: of its beginning, and of its end.
FIRST_BYTES, LAST_BYTES = 1 << 16, 1 << 20

_KEYS = {"at", "count", "floor", "hash"}
_BEGINNING = '{"at":"'


class Anchor(NamedTuple):
    at: str
    floor: str
    head: Head
    house: str = ""  # whose it is, where it says so


class AnchorsFile:
    """Others may add to it as well: another server of this house, or by mistake another house."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._through: int | None = None  # up to where it was read, as bytes

    def append(self, anchors: Iterable[Anchor]) -> None:
        """On return they are on the disk."""
        text = "".join(map(_line, anchors))
        self._refuse_pipes()
        create_private_file(self.path)
        with self.path.open("ab") as file:
            if file.tell() and not _ends_with_a_line(self.path):
                text = "\n" + text  # after half a line, of a disk that was full
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())

    def _refuse_pipes(self) -> None:
        """Whoever opens one waits until somebody comes to the other end."""
        if self.path.is_fifo():
            raise OSError(EINVAL, "it is a pipe, and no file")

    def is_shorter(self) -> bool:
        """Than it was when it was last read, which no file is that is only added to."""
        if not self._through:
            return False
        try:
            return self.path.stat().st_size < self._through
        except FileNotFoundError:
            return True

    def read_anew(self) -> None:
        """As if it had never been read."""
        self._through = None

    def unread(self) -> list[Anchor]:
        """What stands in it since this was last asked; at first how it begins and how it ends.
        Lines that are none are passed over: an audit names them."""
        self._refuse_pipes()
        with self.path.open("rb") as file:
            first = _read(file, 0, FIRST_BYTES)[0] if self._through is None else ()
            size = file.seek(0, os.SEEK_END)
            start = max(self._through or 0, size - LAST_BYTES)
            last, self._through = _read(file, start, size - start)
        return [*first, *last]


def read_anchors(lines: Iterable[str], where: str) -> dict[str, list[Anchor]]:
    """The anchors of each floor; a line that is none is refused. One that was cut off, by a full
    disk or because it is being written, is an anchor that was not kept."""
    found: dict[str, list[Anchor]] = {}
    for number, line in enumerate(lines, 1):
        if _is_cut_off(line):
            continue
        anchor = _anchor(line)
        if anchor is None:
            raise Refused(Code.BAD_ANCHOR, "line", where=f"{where} line {number}")
        found.setdefault(anchor.floor, []).append(anchor)
    return found


def _read(file: BinaryIO, start: int, most: int) -> tuple[Iterator[Anchor], int]:
    """The anchors in a part of the file, and where its last whole line ends: what is after that
    is being written."""
    file.seek(start)
    part = file.read(most)
    whole = part.rpartition(b"\n")[0]
    lines = whole.decode("ascii", "replace").split("\n") if whole else []
    found = (anchor for line in lines if (anchor := _anchor(line)) is not None)
    return found, start + len(whole) + bool(whole)


def _line(anchor: Anchor) -> str:
    said = {"at": anchor.at, "count": anchor.head.count, "floor": anchor.floor}
    said |= {"hash": anchor.head.hash} | ({"house": anchor.house} if anchor.house else {})
    return json.dumps(said, sort_keys=True, separators=(",", ":")) + "\n"


def _anchor(line: str) -> Anchor | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() - {"house"} != _KEYS:
        return None
    return Anchor(*_values(said)) if _is_valid(said) else None


def _is_cut_off(line: str) -> bool:
    said = line.removesuffix("\n")
    return said[: len(_BEGINNING)] == _BEGINNING[: len(said)] and not said.endswith("}")


def _values(said: dict[str, Any]) -> tuple[str, str, Head, str]:
    return said["at"], said["floor"], Head(said["count"], said["hash"]), said.get("house", "")


def _is_valid(said: dict[str, Any]) -> bool:
    count, hash, at = said["count"], said["hash"], said["at"]
    counted = type(count) is int and 0 < count < 1 << 63
    hashed = isinstance(hash, str) and len(hash) == len(GENESIS)
    # What cannot be printed is no name of a floor, and there are databases that cannot be asked it.
    names = said["floor"], said.get("house", "")
    named = all(isinstance(name, str) and name.isprintable() for name in names)
    return counted and hashed and named and isinstance(at, str) and is_utc_time(at)


def _ends_with_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
