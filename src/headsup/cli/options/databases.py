"""Opens a house's database for a command, for reading or for writing."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.cli.shell.command import option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.store.database import Database

database_option = option(
    "--database", metavar="URL", default="", help="sqlite:///FILE or postgresql://…"
)


@contextmanager
def open_for_reading(address: str) -> Iterator["Database"]:
    """Open a house's database, by default the one in the data folder.

    Anything that is not such a database is refused, and so is a connection lost on the way.
    """
    with require_server_extra():
        from headsup.house.store.database import Database
        from headsup.house.store.engine import public_address
        from headsup.house.store.errors import StoreError
        from headsup.house.store.sqlite_file import UnusableDatabase
        from headsup.web.server.server import default_database

    address = address or default_database()
    database_file(address, must_exist=True)
    database = Database(address)
    try:
        database.refuse_other_versions()
        yield database
    except UnusableDatabase as error:
        where = public_address(address)
        raise Refused(Code.UNUSABLE_DATABASE, where=where, reason=str(error)) from None
    except (StoreError, OSError) as error:
        cause = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
        reason = str(cause).strip().splitlines()[0]
        raise Refused(
            Code.UNUSABLE_DATABASE, where=public_address(address), reason=reason
        ) from None
    finally:
        database.close()


@contextmanager
def open_for_writing(
    address: str, display_name: str = "", claim: bool = False
) -> Iterator["Database"]:
    """Open a house's database and migrate it to the current schema.

    With `claim`, a database that a server has open is refused. `display_name` replaces the address
    in error messages.
    """
    with require_server_extra():
        from headsup.house.store.engine import public_address
        from headsup.house.store.errors import AnsweredError, has_no_tables
        from headsup.house.store.sqlite_file import UnusableDatabase
    with open_for_reading(address) as database:
        where = display_name or public_address(address)
        try:
            database.floors()
        except AnsweredError as error:
            if has_no_tables(error):
                raise Refused(Code.UNUSABLE_DATABASE, "no_house", where=where) from None
            raise
        try:
            if claim:
                database.claim()
            database.migrate()
        except UnusableDatabase as error:  # in use
            raise Refused(Code.UNUSABLE_DATABASE, where=where, reason=str(error)) from None
        yield database


def database_file(address: str, must_exist: bool = False) -> Path | None:
    """The SQLite file of an address, or None for another kind of database."""
    with require_server_extra():
        from headsup.house.store.engine import sqlite_file
        from headsup.house.store.sqlite_file import UnusableDatabase
    try:
        file = sqlite_file(address)
    except UnusableDatabase as unusable:
        raise Refused(Code.BAD_ARGUMENTS, "database", reason=str(unusable)) from None
    if must_exist and file is not None and not file.is_file():  # SQLite would create it
        raise Refused(Code.UNREADABLE_FILE, where=str(file), reason="no such file")
    return file


@contextmanager
def require_server_extra(purpose: str = "database") -> Iterator[None]:
    """Turn a missing server library into a refusal that says what to install.

    `purpose` is the case of the refusal: `database`, or `server` for serving tables.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "headsup":
            raise
        raise Refused(Code.MISSING_EXTRA, purpose, library=missing.name) from None


def check_floor(known: Collection[str], floor: str) -> str:
    if floor in known:
        return floor
    if not known:
        raise Refused(Code.NO_SUCH_FLOOR, "none")
    raise Refused(Code.NO_SUCH_FLOOR, floor=floor, known=tuple(sorted(known)))
