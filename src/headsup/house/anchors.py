"""Anchors: the heads of all floors' logs, and of the house's own chain, added to a file that the
operator keeps elsewhere.

Whoever can write the database can write a whole log anew, with a chain that holds. The anchors
that were kept before then tell: each says that so many entries ended with that hash. Put the file
where the server can add to it and nobody can change it: on another machine, or append-only.

`{"at":"2026-01-31T12:00:00Z","count":120,"floor":"main","hash":"…"}`, a line each; that of the
house names no floor (`""`).
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from headsup.game.record.chain import GENESIS, Head
from headsup.game.record.times import is_time
from headsup.game.refusal import Code, Refused
from headsup.house.ownfile import make_own

OWN_CHAIN = ""  # no floor has that name

_KEYS = {"at", "count", "floor", "hash"}


class Anchors:
    """Adds the heads that have moved since it last did."""

    def __init__(self, path: Path, house_head: Callable[[], Head]) -> None:
        self.path, self._house_head = path, house_head
        self._last: dict[str, Head] = {}

    def add(self, heads: Mapping[str, Head], at: str) -> None:
        """The floors' and the house's; on return they are on the disk. Blocks: for a thread."""
        self._add(heads, at)
        self._add({OWN_CHAIN: self._house_head()}, at)  # is asked for, and may not be to be had

    def _add(self, heads: Mapping[str, Head], at: str) -> None:
        moved = {
            floor: head
            for floor, head in sorted(heads.items())
            if head.count and self._last.get(floor) != head
        }
        if moved:
            self._append("".join(_line(at, floor, head) for floor, head in moved.items()))
            self._last |= moved

    def _append(self, text: str) -> None:
        make_own(self.path)
        with self.path.open("ab") as file:
            if file.tell() and not _ends_with_a_line(self.path):
                text = "\n" + text  # after half a line, of a disk that was full
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())


def read_anchors(lines: Iterable[str], where: str) -> dict[str, list[Head]]:
    """The anchors of each floor; a line that is none is refused."""
    found: dict[str, list[Head]] = {}
    for number, line in enumerate(lines, 1):
        said = _said(line)
        if said is None:
            raise Refused(Code.BAD_ANCHOR, "line", where=f"{where} line {number}")
        found.setdefault(said["floor"], []).append(Head(said["count"], said["hash"]))
    return found


def _line(at: str, floor: str, head: Head) -> str:
    said = {"at": at, "count": head.count, "floor": floor, "hash": head.hash}
    return json.dumps(said, sort_keys=True, separators=(",", ":")) + "\n"


def _said(line: str) -> dict[str, Any] | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() != _KEYS:
        return None
    count, hash, floor, at = said["count"], said["hash"], said["floor"], said["at"]
    whole = type(count) is int and count > 0 and isinstance(floor, str)
    hashed = isinstance(hash, str) and len(hash) == len(GENESIS)
    return said if whole and hashed and isinstance(at, str) and is_time(at) else None


def _ends_with_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
