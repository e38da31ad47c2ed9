"""What can go wrong in a database, in the words of the rest of the house."""

from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
    TimeoutError,
)

from headsup.house.store.engine import is_not_there_yet

# Any error of a database; the second for an answer of its server, the third if all connections are
# in use, and the last if a key is there already.
StoreError = SQLAlchemyError
AnsweredError = DBAPIError
ConnectionsInUse = TimeoutError
KeyTaken = IntegrityError


def is_unavailable(error: Exception) -> bool:
    """Whether the database is gone, damaged or overloaded, or its disk full: nothing was done."""
    is_damaged = type(error) is DatabaseError  # none of its kinds
    lost = OperationalError | InterfaceError | InternalError | TimeoutError
    return is_damaged or isinstance(error, lost)


def is_unreachable(error: Exception) -> bool:
    """Whether a database server cannot be reached yet, so that waiting helps."""
    return isinstance(error, OperationalError) and is_not_there_yet(error)


def is_unstorable(error: Exception) -> bool:
    """Whether a value cannot be stored, such as a NUL in PostgreSQL."""
    return isinstance(error, DataError)


def has_no_tables(error: DBAPIError) -> bool:
    """Whether the database has not the tables of a house."""
    return isinstance(error, ProgrammingError) or "no such table" in str(error.orig)
