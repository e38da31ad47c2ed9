"""Event logs as the commands read them: from a file or standard input, with progress."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.integrity.anchors import Anchor


def log_lines(file: str) -> Iterator[str]:
    """The lines of a log as they come; what is no file at all is refused."""
    for number, line in enumerate(_lines(file), 1):
        if number % 2000 == 0 and sys.stderr.isatty():
            print(f"\r{number:,} entries", end="", file=sys.stderr, flush=True)
        yield line
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _lines(file: str) -> Iterator[str]:
    from headsup.house.solo.logbook import bounded_lines, read_lines

    try:
        if file == "-":
            sys.stdin.reconfigure(  # type: ignore[union-attr]  # a stream of text
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
    """The anchors of each floor that a file holds; none where none is named."""
    from headsup.house.integrity.anchors import read_anchors
    from headsup.house.solo.logbook import bounded_lines

    if not file:
        return {}
    try:
        with open(file, encoding="ascii", errors="replace", newline="\n") as lines:
            return read_anchors(bounded_lines(lines), file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=file, reason=reason) from None


def read_log_anchors(file: str, floor: str) -> "list[Anchor]":
    """Those of one log: of the floor named, or of the only one there are any of."""
    from headsup.house.integrity.anchors import HOUSE_CHAIN

    found = read_anchors_by_floor(file)
    found.pop(HOUSE_CHAIN, None)
    if floor or not found:
        return found.get(floor, [])
    if len(found) > 1:
        raise Refused(Code.BAD_ANCHOR, "which", where=file, floors=tuple(found))
    return next(iter(found.values()))
