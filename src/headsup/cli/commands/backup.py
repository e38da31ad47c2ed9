"""`headsup backup` and `headsup restore`: copy a house's database while it is in use, and back."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import click

from headsup.cli.options.databases import (
    database_file,
    database_option,
    open_for_reading,
    open_for_writing,
    require_server_extra,
)
from headsup.cli.shell.command import Command
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import show_count


@click.command(cls=Command)
@click.argument("file", metavar="FILE", type=Path, help="The backup.")
@database_option
def backup(file: Path, database: str) -> None:
    """Copy the database of a house into FILE while it is in use, and check the copy.

    The copy shows the database between two commits, and every floor's chain in it is verified. An
    existing FILE is never overwritten. A server started on the copy treats it as a restored house.
    """
    source = _database_path(database, file, "backup")
    _copy_database(source, file, "backed up to", lambda copy: _mark(_address(copy), str(source)))


@click.command(cls=Command)
@click.argument("file", metavar="[FILE]", type=Path, required=False, help="The backup.")
@database_option
def restore(file: Path | None, database: str) -> None:
    """Put a backup where a server will find it. An existing database is never overwritten.

    The first server started on it deals no cards that people may know: a table with chips on such
    cards is paused until staff void the round at the console. Without FILE, do the same for a
    PostgreSQL database that pg_restore has filled.
    """
    if file is not None:
        target = _database_path(database, file, "restore")
        _copy_database(file, target, "restored to", lambda copy: _mark(_address(copy), str(file)))
        _print_database_kind(_address(target))
    elif database:
        _mark(database, claim=True)
        _print_database_kind(database)
    else:
        raise Refused(Code.BAD_ARGUMENTS, "restore")


def _print_database_kind(address: str) -> None:
    """Say whether this is a house or a demonstration, before anyone starts the wrong server."""
    from headsup.house.integrity.database_kind import DatabaseKind, read_database_kind

    with open_for_reading(address) as database, database.read_connection() as connection:
        kind = read_database_kind(connection)
    if kind is DatabaseKind.DEMONSTRATION:
        print("This is a demonstration with play money: serve it with --demo.")
        return
    if kind is DatabaseKind.HOUSE:
        print("This is a real house: serve it without --demo.")
    print("Tables whose cards may be known will be paused. Before you open, read")
    print("After a restore in docs/running.md.")


def _address(file: Path) -> str:
    """The SQLite address of a file, with special characters quoted."""
    return f"sqlite:///{quote(str(file))}"


def _mark(address: str, display_name: str = "", claim: bool = False) -> None:
    with require_server_extra():
        from headsup.house import clock
        from headsup.house.store.settings import mark_restored
    with open_for_writing(address, display_name, claim) as database:
        mark_restored(database.engine, clock.now())


def _database_path(address: str, backup: Path, command: str) -> Path:
    with require_server_extra():
        from headsup.house.store.engine import public_address
        from headsup.web.server.server import default_database
    path = database_file(address or default_database())
    if path is None and address.startswith("sqlite"):
        raise Refused(Code.BAD_ARGUMENTS, "database", reason=f"{address} names no file")
    if path is None:
        raise Refused(Code.NOT_A_FILE, command, file=backup, address=public_address(address))
    return path


def _copy_database(
    source: Path, target: Path, action: str, prepare: Callable[[Path], None] = lambda _: None
) -> None:
    from headsup.house.integrity.backup import copy_database

    copied = copy_database(source, target, prepare)
    floors = show_count(copied.floors, "floor")
    print(f"{floors} with {copied.entries:,} entries {action} {target}; all chains verified")
