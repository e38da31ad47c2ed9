"""The paces that tables have of their own, for all servers of the house."""

import json
from dataclasses import asdict

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from headsup.house.pace import TablePace, Timings
from headsup.house.store.database import Database
from headsup.house.store.notes import Incident, Notes, write_notes
from headsup.house.store.schema import PACES
from headsup.house.store.signals import Signal, notify


def put_pace(
    database: Database, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    """With what is told of it; None lets the table go at the usual pace again."""
    try:
        _put(database, floor, table, pace, incident)
    except IntegrityError:  # another did at the same moment: the last counts
        _put(database, floor, table, pace, incident)


def _put(
    database: Database, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    with database.engine.begin() as connection:
        connection.execute(delete(PACES).where(PACES.c.table == table))
        if pace is not None:
            timings = json.dumps(asdict(pace.timings), sort_keys=True)
            row = {"table": table, "timings": timings, "by": pace.by, "at": pace.at}
            connection.execute(insert(PACES), row)
        write_notes(connection, [(floor, Notes(incidents=(incident,)))])
        notify(connection, [(Signal.ATTENDED, table)])


def kept_paces(database: Database) -> dict[str, TablePace]:
    """Of the tables that have one of their own."""
    with database.reading() as connection:
        rows = connection.execute(select(PACES)).all()
    return {
        row.table: TablePace(Timings(**json.loads(row.timings)), row.by, row.at) for row in rows
    }
