"""`headsup backup` and `headsup restore`: a copy of the house's database, made while it is used."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from headsup.cli.options.databases import (
    DatabaseOption,
    database_file,
    open_for_reading,
    open_for_writing,
    require_server_extra,
)
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import show_count

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]
OptionalBackupFile = Annotated[Path | None, typer.Argument(metavar="FILE", help="The backup.")]


def backup(file: BackupFile, database: DatabaseOption = "") -> None:
    """Copy the database of a house into FILE while it is in use, and check the copy.

    The copy is of one moment between two commits; every floor's chain is verified in it. An
    existing FILE is never overwritten. Whoever serves the copy, however it was put back, serves a
    restored house.
    """
    source = _database_path(database, file, "backup")
    _copy_database(source, file, "kept in", lambda half: _mark_if_current(half, source))


def restore(file: OptionalBackupFile = None, database: DatabaseOption = "") -> None:
    """Put a backup where a server will find it; what is there already is never overwritten.

    The first server that is started on it deals no cards that may be known: a table where chips
    lay on such cards is paused until somebody at the console has had the round void. Without FILE:
    the same for a PostgreSQL that pg_restore has filled.
    """
    if file is not None:
        target = _database_path(database, file, "restore")
        _copy_database(file, target, "restored to", lambda half: _mark(_address(half), str(file)))
        _print_database_kind(_address(target))
    elif database:
        _mark(database, claim=True)
        _print_database_kind(database)
    else:
        raise Refused(Code.BAD_ARGUMENTS, "restore")


def _print_database_kind(address: str) -> None:
    """Whose books they are: a server of the other kind is refused there, after the doors were to
    be opened."""
    from headsup.house.integrity.database_kind import DatabaseKind, read_database_kind

    with open_for_reading(address) as there, there.reading() as connection:
        kept = read_database_kind(connection)
    if kept is DatabaseKind.DEMONSTRATION:
        typer.echo("It is a demonstration with play money, and no house: serve it with --demo.")
        return
    if kept is DatabaseKind.MIXED:
        typer.echo(
            "Play money is among its books: no server is started on it, with or without --demo."
        )
    elif kept is DatabaseKind.HOUSE:
        typer.echo("It is a house, and no demonstration: serve it without --demo.")
    typer.echo("Tables whose cards may be known will be paused; see After a restore")
    typer.echo("in docs/running.md before you open the doors.")


def _address(file: Path) -> str:
    """Whatever signs its name holds."""
    return f"sqlite:///{quote(str(file))}"


def _mark(address: str, named: str = "", claim: bool = False) -> None:
    with require_server_extra():
        from headsup.house import clock
        from headsup.house.store.settings import mark_restored
    with open_for_writing(address, named, claim) as there:
        mark_restored(there.engine, clock.now())


def _mark_if_current(half: Path, source: Path) -> None:
    """What an older version has kept stays as that version knows it, and is marked when it is
    restored."""
    with open_for_reading(_address(half)) as there:
        older = there.is_older()
    if not older:
        _mark(_address(half), str(source))


def _database_path(address: str, backup: Path, act: str) -> Path:
    with require_server_extra():
        from headsup.house.store.engine import public_address
        from headsup.web.server.server import default_database
    found = database_file(address or default_database())
    if found is None and address.startswith("sqlite"):
        raise Refused(Code.BAD_ARGUMENTS, "database", reason=f"{address} names no file")
    if found is None:
        raise Refused(Code.NOT_A_FILE, act, file=backup, address=public_address(address))
    return found


def _copy_database(
    source: Path, target: Path, where: str, prepare: Callable[[Path], None] = lambda _: None
) -> None:
    from headsup.house.integrity.backup import copy_database

    copied = copy_database(source, target, prepare)
    floors = show_count(copied.floors, "floor")
    typer.echo(f"{floors} with {copied.entries:,} entries {where} {target}; every chain holds")
