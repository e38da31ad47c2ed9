"""`headsup backup` and `headsup restore`: a copy of the house's database, made while it is used."""

from pathlib import Path
from typing import Annotated

import typer

from headsup.cli.databases import DatabaseOption, database_file, needing_server
from headsup.game.counts import write_count
from headsup.game.refusal import Code, Refused

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def backup(file: File, database: DatabaseOption = "") -> None:
    """Copy the database of a house into FILE while it is in use, and check the copy.

    The copy is of one moment between two commits; every floor's chain is verified in it. An
    existing FILE is never overwritten.
    """
    _copied(_file_of(database, file, "backup"), file, "kept in")


def restore(file: File, database: DatabaseOption = "") -> None:
    """Put a backup where a server will find it; what is there already is never overwritten."""
    _copied(file, _file_of(database, file, "restore"), "restored to")


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
