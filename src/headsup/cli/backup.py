"""`headsup backup` and `headsup restore`: a copy of the house's database, made while it is used."""

from pathlib import Path
from typing import Annotated

import typer

from headsup.cli.databases import DatabaseOption, database_file, needing_server, writing
from headsup.game.counts import write_count
from headsup.game.refusal import Code, Refused

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]
Restored = Annotated[Path | None, typer.Argument(metavar="FILE", help="The backup.")]


def backup(file: File, database: DatabaseOption = "") -> None:
    """Copy the database of a house into FILE while it is in use, and check the copy.

    The copy is of one moment between two commits; every floor's chain is verified in it. An
    existing FILE is never overwritten.
    """
    _copied(_file_of(database, file, "backup"), file, "kept in")


def restore(file: Restored = None, database: DatabaseOption = "") -> None:
    """Put a backup where a server will find it; what is there already is never overwritten.

    The first server that is started on it deals no round that was open when the backup was made:
    each such table is paused until somebody at the console has ended the round. Without FILE: the
    same for a PostgreSQL that pg_restore has filled.
    """
    if file is not None:
        _copied(file, _file_of(database, file, "restore"), "restored to")
    elif not database:
        raise Refused(Code.BAD_ARGUMENTS, "restore")
    with needing_server():
        from headsup.house import clock
        from headsup.house.store.settings import mark_restored
    with writing(database) as there:
        mark_restored(there.engine, clock.now())
    typer.echo("Tables with an open round will be paused: see *After a restore* in docs/running.md")


def _file_of(address: str, backup: Path, act: str) -> Path:
    with needing_server():
        from headsup.house.store.engine import public_address
        from headsup.web.server import default_database
    found = database_file(address or default_database())
    if found is None:
        raise Refused(Code.NOT_A_FILE, act, file=backup, address=public_address(address))
    return found


def _copied(source: Path, target: Path, where: str) -> None:
    from headsup.house.backup import copy

    copied = copy(source, target)
    floors = write_count(copied.floors, "floor")
    typer.echo(f"{floors} with {copied.entries:,} entries {where} {target}; every chain holds")
