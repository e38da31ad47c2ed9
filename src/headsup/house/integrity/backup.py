"""A copy of a database that is a file, made while it is in use, and put back elsewhere.

The copy is of one moment between two commits, and is looked through before it gets its name: what
has the name of a backup is whole. Nothing is ever overwritten.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from headsup.game.record.chain import Head, Link, verify_chain
from headsup.game.refusal import Code, Refused
from headsup.house.integrity.private_file import create_private_file

_SIDE_FILE_SUFFIXES = (
    "-wal",
    "-shm",
    "-journal",
)  # what SQLite keeps of a database in files of their own
_ENTRIES = 'SELECT "index", hash, entry FROM entries WHERE floor = ? ORDER BY "index"'


_LINKS = 'SELECT "index", hash, entry FROM house_entries ORDER BY "index"'
_HAS_HOUSE_CHAIN = "SELECT 1 FROM sqlite_master WHERE name = 'house_entries'"


@dataclass(frozen=True, slots=True)
class CopySummary:
    floors: int
    entries: int


def copy_database(
    source: Path, target: Path, prepare: Callable[[Path], None] = lambda _: None
) -> CopySummary:
    """The whole database under another name; a source that does not hold is refused. `prepare` is
    given the copy before it has its name."""
    if not source.is_file():
        reason = "it is a folder" if source.is_dir() else "there is no such file"
        raise Refused(Code.UNREADABLE_FILE, where=str(source), reason=reason)
    if target.exists():
        raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason="it is there already")
    _refuse_leftovers(target)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        _copy(source, half)
        prepare(half)
        _merge_wal(half)
        copied = _verify_copy(source, half)
        _refuse_leftovers(target)
        os.link(half, target)  # fails where another has made it meanwhile
        _fsync(target.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason=reason) from None
    finally:
        for left in (half, *_side_files(half)):
            left.unlink(missing_ok=True)
    return copied


def _copy(source: Path, half: Path) -> None:
    create_private_file(half)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as there,
        closing(sqlite3.connect(half)) as here,
    ):
        try:
            there.execute("SELECT 1 FROM sqlite_master").close()
        except sqlite3.DatabaseError as error:
            raise Refused(Code.UNREADABLE_FILE, where=str(source), reason=str(error)) from None
        there.backup(here)  # in one step: writers go on, and it is of one moment


def _merge_wal(half: Path) -> None:
    with closing(sqlite3.connect(half)) as here:
        here.execute("PRAGMA journal_mode = DELETE").close()
    _fsync(half)


def _fsync(path: Path) -> None:
    """A file, or the names in a folder, whatever becomes of the machine."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _side_files(database: Path) -> tuple[Path, ...]:
    return tuple(Path(f"{database}{end}") for end in _SIDE_FILE_SUFFIXES)


def _refuse_leftovers(target: Path) -> None:
    """SQLite would take what another database of that name has left for pages of this one."""
    for left in _side_files(target):
        if left.exists():
            reason = (
                f"{left.name} is left over there, and holds pages of another database; move it "
                "away, to the file that it belongs to, or choose another name"
            )
            raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason=reason)


def _verify_copy(source: Path, half: Path) -> CopySummary:
    """Whether the pages are whole, and the chain of every floor up to its head."""
    with closing(sqlite3.connect(half)) as here:
        said = [row[0] for row in here.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            raise Refused(Code.UNUSABLE_DATABASE, where=str(source), reason=said[0])
        floors = here.execute("SELECT id, length, hash FROM floors ORDER BY id").fetchall()
        for floor, length, hash in floors:
            links = (Link(*row) for row in here.execute(_ENTRIES, (floor,)))
            if broken := verify_chain(links, Head(length, hash)):
                where = f"{source} floor {floor}"
                raise Refused(Code.BROKEN_LOG, "copy", where=where, finding=broken.detail)
        _check_house(source, here)
    return CopySummary(len(floors), sum(length for _, length, _ in floors))


def _check_house(source: Path, here: sqlite3.Connection) -> None:
    """The house's own chain, which a database of an older version does not have."""
    if here.execute(_HAS_HOUSE_CHAIN).fetchone() is None:
        return
    head = here.execute("SELECT length, hash FROM house_head").fetchone()
    links = (Link(*row) for row in here.execute(_LINKS))
    if broken := verify_chain(links, Head(*head) if head else Head()):
        raise Refused(Code.BROKEN_LOG, "copy", where=str(source), finding=broken.detail)
