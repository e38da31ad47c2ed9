"""Copies a SQLite database while it is in use, for backups and restores.

The copy is consistent, and is verified before it gets its final name: a file with that name is
always a complete copy. Existing files are never overwritten.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from headsup.game.record.chain import Head, Link, verify_chain
from headsup.game.refusal import Code, Refused
from headsup.house.integrity.private_file import create_private_file
from headsup.house.store.sqlite_file import (
    copy_in_progress,
    remove_abandoned_copies,
    side_files,
)

_ENTRIES = 'SELECT "index", hash, entry FROM entries WHERE floor = ? ORDER BY "index"'


@dataclass(frozen=True, slots=True)
class CopySummary:
    floors: int
    entries: int


def copy_database(
    source: Path, target: Path, prepare: Callable[[Path], None] = lambda _: None
) -> CopySummary:
    """Copy and verify a database; refuses one with a broken log.

    `prepare` may change the copy before it gets its name.
    """
    if (reason := _unreadable_reason(source)) is not None:
        raise Refused(Code.UNREADABLE_FILE, where=str(source), reason=reason)
    temporary = copy_in_progress(target)
    try:
        if target.exists():
            raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason="it already exists")
        _refuse_leftovers(target)
        remove_abandoned_copies(target)
        _copy(source, temporary)
        prepare(temporary)
        _merge_wal(temporary)
        summary = _verify_copy(source, temporary)
        _refuse_leftovers(target)
        os.link(temporary, target)  # fails if another process has created it meanwhile
        _fsync(target.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason=reason) from None
    finally:
        with suppress(OSError):  # such as a name that is too long
            for path in (temporary, *side_files(temporary)):
                path.unlink(missing_ok=True)
    return summary


def _unreadable_reason(source: Path) -> str | None:
    try:
        if source.is_file():
            return None
        return "it is a folder" if source.is_dir() else "there is no such file"
    except OSError as error:
        return error.strerror


def _copy(source: Path, copy: Path) -> None:
    create_private_file(copy)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reader,
        closing(sqlite3.connect(copy)) as writer,
    ):
        try:
            reader.execute("SELECT 1 FROM sqlite_master").close()
        except sqlite3.DatabaseError as error:
            raise Refused(Code.UNREADABLE_FILE, where=str(source), reason=str(error)) from None
        reader.backup(writer)  # in one step, so that it is consistent; servers can go on writing


def _merge_wal(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").close()
    _fsync(copy)


def _fsync(path: Path) -> None:
    """Flush a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_leftovers(target: Path) -> None:
    """SQLite would read files left by another database of that name as part of this one."""
    for path in side_files(target):
        if path.exists():
            reason = (
                f"{path.name} is left over from another database of that name; move it to the "
                "database it belongs to, or choose another name"
            )
            raise Refused(Code.UNWRITABLE_FILE, where=str(target), reason=reason)


def _verify_copy(source: Path, copy: Path) -> CopySummary:
    """Check SQLite's pages, the chains of every floor's log and the house's."""
    with closing(sqlite3.connect(copy)) as connection:
        problems = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        if problems != ["ok"]:
            raise Refused(Code.UNUSABLE_DATABASE, where=str(source), reason=problems[0])
        floors = connection.execute("SELECT id, length, hash FROM floors ORDER BY id").fetchall()
        for floor, length, hash in floors:
            links = (Link(*row) for row in connection.execute(_ENTRIES, (floor,)))
            if broken := verify_chain(links, Head(length, hash)):
                where = f"{source} floor {floor}" if floor else str(source)
                raise Refused(Code.BROKEN_LOG, "copy", where=where, finding=broken.detail)
    lengths = [length for floor, length, _ in floors if floor]
    return CopySummary(len(lengths), sum(lengths))
