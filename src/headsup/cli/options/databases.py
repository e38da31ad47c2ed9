"""Databases as the commands take them: one that is there, opened to be read or marked."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.store.database import Database

DatabaseOption: TypeAlias = Annotated[
    str,
    typer.Option("--database", metavar="URL", help="sqlite:///FILE or postgresql://…"),
]


@contextmanager
def open_for_reading(address: str) -> Iterator["Database"]:
    """The database for as long as it is read, the house's own where none is named; what is none,
    or is lost meanwhile, is refused."""
    with require_server_extra():
        from sqlalchemy.exc import SQLAlchemyError

        from headsup.house.store.database import Database
        from headsup.house.store.engine import public_address
        from headsup.web.server.server import default_database

    address = address or default_database()
    database_file(address, there=True)
    database = Database(address)
    try:
        yield database
    except (SQLAlchemyError, OSError) as error:
        if database.is_older():
            where = public_address(address)
            raise Refused(Code.UNUSABLE_DATABASE, "older", where=where) from None
        said = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
        reason = str(said).strip().splitlines()[0]
        raise Refused(
            Code.UNUSABLE_DATABASE, where=public_address(address), reason=reason
        ) from None
    finally:
        database.close()


@contextmanager
def open_for_writing(address: str, named: str = "", claim: bool = False) -> Iterator["Database"]:
    """A house's database to be written to, brought up to date first; with `claim`, one that no
    server has open. `named` is what it is called where it is refused."""
    with require_server_extra():
        from alembic.util import CommandError
        from sqlalchemy.exc import DBAPIError, ProgrammingError

        from headsup.house.store.engine import UnusableDatabase, public_address
    with open_for_reading(address) as database:
        where = named or public_address(address)
        try:
            database.floors()
        except DBAPIError as error:
            if isinstance(error, ProgrammingError) or "no such table" in str(error.orig):
                raise Refused(Code.UNUSABLE_DATABASE, "no_house", where=where) from None
            raise
        try:
            if claim:
                database.claim()
            database.migrate()
        except (UnusableDatabase, CommandError) as error:  # in use, or of a newer version
            raise Refused(Code.UNUSABLE_DATABASE, where=where, reason=str(error)) from None
        yield database


def database_file(address: str, there: bool = False) -> Path | None:
    """The file of such an address, or None for a server of databases."""
    with require_server_extra():
        from headsup.house.store.engine import UnusableDatabase, sqlite_file
    try:
        file = sqlite_file(address)
    except UnusableDatabase as unusable:
        raise Refused(Code.BAD_ARGUMENTS, "database", reason=str(unusable)) from None
    if there and file is not None and not file.is_file():  # SQLite would make one
        raise Refused(Code.UNREADABLE_FILE, where=str(file), reason="there is no such file")
    return file


@contextmanager
def require_server_extra() -> Iterator[None]:
    """Say what to install where the libraries of the live table are not."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "headsup":
            raise
        raise Refused(Code.MISSING_EXTRA, "server", library=missing.name) from None


def check_floor(known: Collection[str], floor: str) -> str:
    if floor in known:
        return floor
    if not known:
        raise Refused(Code.NO_SUCH_FLOOR, "none")
    raise Refused(Code.NO_SUCH_FLOOR, floor=floor, known=tuple(sorted(known)))
