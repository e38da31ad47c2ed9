"""Reads event logs and anchors from files or standard input."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.integrity.anchors import Anchor


def log_lines(file: str) -> Iterator[str]:
    """The lines of a log, one by one, with a progress counter at a terminal."""
    for number, line in enumerate(_lines(file), 1):
        if number % 2000 == 0 and sys.stderr.isatty():
            print(f"\r{number:,} entries", end="", file=sys.stderr, flush=True)
        yield line
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _lines(file: str) -> Iterator[str]:
    from headsup.house.store.log_file import bounded_lines, read_lines

    try:
        if file == "-":
            sys.stdin.reconfigure(  # type: ignore[union-attr]  # it is a text stream
                encoding="ascii", errors="surrogateescape", newline="\n"
            )
            yield from _check_log_lines(bounded_lines(sys.stdin), "standard input")
        else:
            yield from _check_log_lines(read_lines(Path(file)), file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=file, reason=reason) from None


def _check_log_lines(lines: Iterator[str], name: str) -> Iterator[str]:
    first = next(iter(lines), None)
    if first is None:
        raise Refused(Code.EMPTY_FILE, where=name)
    if not first.lstrip().startswith("{"):
        raise Refused(Code.NOT_A_LOG, where=name)
    yield first
    yield from lines


def read_anchors_by_floor(file: str) -> "dict[str, list[Anchor]]":
    """The anchors in a file, by floor. Without a file there are none."""
    from headsup.house.integrity.anchors import read_anchors
    from headsup.house.store.log_file import bounded_lines

    if not file:
        return {}
    try:
        with open(file, encoding="ascii", errors="replace", newline="\n") as lines:
            return read_anchors(bounded_lines(lines), file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=file, reason=reason) from None


def read_log_anchors(file: str, floor: str) -> "list[Anchor]":
    """The anchors of one log: of the named floor, or of the only floor in the file."""
    from headsup.house.integrity.anchors import HOUSE_LOG

    anchors = read_anchors_by_floor(file)
    anchors.pop(HOUSE_LOG, None)
    if floor or not anchors:
        return anchors.get(floor, [])
    if len(anchors) > 1:
        raise Refused(Code.BAD_ANCHOR, "which", where=file, floors=tuple(anchors))
    return next(iter(anchors.values()))
