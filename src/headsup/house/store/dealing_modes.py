"""How tables stand with their automatic dealers, for all servers of the house."""

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import Incident, Projection, write_projections
from headsup.house.store.schema import ATTENDANCES
from headsup.house.store.signals import Signal, notify


def put_dealing_mode(
    database: Database, floor: str, table: str, attendance: DealingMode, incident: Incident
) -> None:
    """With what is told of it."""
    try:
        _put(database, floor, table, attendance, incident)
    except IntegrityError:  # another did at the same moment: the last counts
        _put(database, floor, table, attendance, incident)


def _put(
    database: Database, floor: str, table: str, attendance: DealingMode, incident: Incident
) -> None:
    row = {"table": table, "paused": attendance.paused, "by_hand": attendance.by_hand}
    with database.engine.begin() as connection:
        connection.execute(delete(ATTENDANCES).where(ATTENDANCES.c.table == table))
        if attendance.waits:
            connection.execute(insert(ATTENDANCES), row)
        write_projections(connection, [(floor, Projection(incidents=(incident,)))])
        notify(connection, [(Signal.ATTENDED, table)])


def read_dealing_modes(database: Database) -> dict[str, DealingMode]:
    """Of the tables that are not simply dealt."""
    with database.reading() as connection:
        rows = connection.execute(select(ATTENDANCES)).all()
    return {row.table: DealingMode(row.paused, row.by_hand) for row in rows}
