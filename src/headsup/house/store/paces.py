"""The paces that tables have of their own, for all servers of the house."""

import json
from dataclasses import asdict

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from headsup.house.dealing.pace import TablePace, Timings
from headsup.house.store.projection_tables import (
    Incident,
    IncidentKind,
    Projection,
    write_projections,
)
from headsup.house.store.schema import PACES
from headsup.house.store.signals import Signal, notify


def pace_incident(table: str, timings: Timings | None, by: str, at: str) -> Incident:
    """What is told of it; None is the usual pace."""
    what = {"act": "pace", "seconds": None if timings is None else asdict(timings)}
    return Incident(IncidentKind.CONFIGURATION, at, by, json.dumps(what, sort_keys=True), table)


def put_pace(
    engine: Engine, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    """With what is told of it; None lets the table go at the usual pace again."""
    try:
        _put(engine, floor, table, pace, incident)
    except IntegrityError:  # another did at the same moment: the last counts
        _put(engine, floor, table, pace, incident)


def _put(
    engine: Engine, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    with engine.begin() as connection:
        write_pace(connection, table, pace)
        write_projections(connection, [(floor, Projection(incidents=(incident,)))])


def write_pace(connection: Connection, table: str, pace: TablePace | None) -> None:
    """In the transaction that is open; every server hears of it."""
    connection.execute(delete(PACES).where(PACES.c.table == table))
    if pace is not None:
        timings = json.dumps(asdict(pace.timings), sort_keys=True)
        row = {"table": table, "timings": timings, "by": pace.by, "at": pace.at}
        connection.execute(insert(PACES), row)
    notify(connection, [(Signal.ATTENDED, table)])


def read_paces(connection: Connection) -> dict[str, TablePace]:
    """Of the tables that have one of their own."""
    rows = connection.execute(select(PACES)).all()
    return {
        row.table: TablePace(Timings(**json.loads(row.timings)), row.by, row.at) for row in rows
    }
