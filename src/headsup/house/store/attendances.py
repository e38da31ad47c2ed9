"""How tables stand with their automatic dealers, for all servers of the house."""

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from headsup.house.attendance import Attendance
from headsup.house.store.database import Database
from headsup.house.store.schema import ATTENDANCES
from headsup.house.store.signals import Signal, notify


def put_attendance(database: Database, table: str, attendance: Attendance) -> None:
    try:
        _put(database, table, attendance)
    except IntegrityError:  # another did at the same moment: the last counts
        _put(database, table, attendance)


def _put(database: Database, table: str, attendance: Attendance) -> None:
    row = {"table": table, "paused": attendance.paused, "by_hand": attendance.by_hand}
    with database.engine.begin() as connection:
        connection.execute(delete(ATTENDANCES).where(ATTENDANCES.c.table == table))
        if attendance.waits:
            connection.execute(insert(ATTENDANCES), row)
        notify(connection, [(Signal.ATTENDED, table)])


def kept_attendances(database: Database) -> dict[str, Attendance]:
    """Of the tables that are not simply dealt."""
    with database.reading() as connection:
        rows = connection.execute(select(ATTENDANCES)).all()
    return {row.table: Attendance(row.paused, row.by_hand) for row in rows}
