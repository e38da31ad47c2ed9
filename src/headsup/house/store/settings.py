"""Stores settings: of the whole house, and the dealing modes and paces of tables.

Every change by a person is written together with its incident.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.dealing.pace import TablePace, Timings
from headsup.house.store.projection_rows import Incident, IncidentKind, Projection
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.schema import ATTENDANCES, PACES, SETTINGS
from headsup.house.store.signals import Signal, notify

if TYPE_CHECKING:
    from headsup.house.store.database import Database


_LARGE, _PAGES = "large", "display pages"
_IDENTITY, _RESTORED, _KNOWN = "identity", "restored", "known rounds"


def read_reporting_thresholds(connection: Connection) -> ReportingThresholds:
    value = _read(connection, _LARGE)
    return DEFAULT_THRESHOLDS if value is None else ReportingThresholds(**value)


def put_reporting_thresholds(
    engine: Engine, thresholds: ReportingThresholds, by: str, at: str
) -> None:
    """Write the thresholds, and the incident with the old and new values."""
    with engine.begin() as connection:
        _put(
            connection,
            _LARGE,
            asdict(thresholds),
            read_reporting_thresholds(connection).changes(thresholds),
            by,
            at,
        )
        notify(connection, [(Signal.SETTING_CHANGED, "")])


def read_display_pages(connection: Connection) -> tuple[str, ...]:
    """The house's own pages, which its displays show in turn (R89)."""
    return tuple(_read(connection, _PAGES) or ())


def put_display_pages(engine: Engine, pages: Sequence[str], by: str, at: str) -> None:
    with engine.begin() as connection:
        details = {"act": _PAGES, "was": read_display_pages(connection), "now": tuple(pages)}
        _put(connection, _PAGES, list(pages), details, by, at)


def create_identity(connection: Connection) -> None:
    """Give a new house its identity, a random number: it is in every header and every anchor."""
    row = {"name": _IDENTITY, "value": json.dumps(token_hex(8)), "by": "", "at": ""}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())


def read_identity(connection: Connection) -> str:
    """The house's identity; empty if the database was never migrated or it was deleted."""
    return str(_read(connection, _IDENTITY) or "")


def read_restored_at(connection: Connection) -> str | None:
    """When the database was restored from a backup, if no server has been started on it since."""
    at = _read(connection, _RESTORED)
    return None if at is None else str(at)


def mark_restored(engine: Engine, at: str) -> None:
    """Mark the database as restored. The incident is written later, by the first server: it adds to
    the house chain, which must first be compared with the anchors."""
    with engine.begin() as connection:
        _write(connection, _RESTORED, at, "", at)


def unmark_restored(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(delete(SETTINGS).where(SETTINGS.c.name == _RESTORED))


def read_known_rounds(connection: Connection) -> dict[str, int]:
    """By table, the round whose cards somebody may know since the database was restored."""
    return dict(_read(connection, _KNOWN) or {})


def put_known_rounds(engine: Engine, rounds: Mapping[str, int], at: str) -> None:
    with engine.begin() as connection:
        _write(connection, _KNOWN, dict(rounds), "", at)


def _read(connection: Connection, name: str) -> Any:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else json.loads(value)


def _put(
    connection: Connection,
    name: str,
    value: object,
    details: Mapping[str, object],
    by: str,
    at: str,
) -> None:
    """Write a setting and its incident, which is filed under the setting and not under a table."""
    _write(connection, name, value, by, at)
    text = json.dumps(details, sort_keys=True)
    incident = Incident(IncidentKind.CONFIGURATION, at, by, text, str(details["act"]))
    write_projections(connection, [("", Projection(incidents=(incident,)))])


def _write(connection: Connection, name: str, value: object, by: str, at: str) -> None:
    row = {"name": name, "value": json.dumps(value), "by": by, "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(SETTINGS).values(row)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_=dict(statement.excluded))
    )


# Dealing modes.


def put_dealing_mode(
    database: "Database", floor: str, table: str, mode: DealingMode, incident: Incident
) -> None:
    """Write a table's dealing mode and its incident."""
    try:
        _write_dealing_mode(database, floor, table, mode, incident)
    except IntegrityError:  # another server wrote at the same moment: the last write wins
        _write_dealing_mode(database, floor, table, mode, incident)


def _write_dealing_mode(
    database: "Database", floor: str, table: str, mode: DealingMode, incident: Incident
) -> None:
    row = {"table": table, "paused": mode.paused, "by_hand": mode.by_hand}
    with database.engine.begin() as connection:
        connection.execute(delete(ATTENDANCES).where(ATTENDANCES.c.table == table))
        if mode.stops_dealer:
            connection.execute(insert(ATTENDANCES), row)
        write_projections(connection, [(floor, Projection(incidents=(incident,)))])
        notify(connection, [(Signal.SETTING_CHANGED, table)])


def read_dealing_modes(database: "Database") -> dict[str, DealingMode]:
    """By table, the modes of tables that are not dealt automatically."""
    with database.read_connection() as connection:
        rows = connection.execute(select(ATTENDANCES)).all()
    return {row.table: DealingMode(row.paused, row.by_hand) for row in rows}


# Paces.


def pace_incident(table: str, timings: Timings | None, by: str, at: str) -> Incident:
    """The incident of a change of pace; None is the usual pace."""
    details = {"act": "pace", "seconds": None if timings is None else asdict(timings)}
    return Incident(IncidentKind.CONFIGURATION, at, by, json.dumps(details, sort_keys=True), table)


def put_pace(
    engine: Engine, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    """Write a table's pace and its incident; None restores the usual pace."""
    try:
        _write_pace_row(engine, floor, table, pace, incident)
    except IntegrityError:  # another server wrote at the same moment: the last write wins
        _write_pace_row(engine, floor, table, pace, incident)


def _write_pace_row(
    engine: Engine, floor: str, table: str, pace: TablePace | None, incident: Incident
) -> None:
    with engine.begin() as connection:
        write_pace(connection, table, pace)
        write_projections(connection, [(floor, Projection(incidents=(incident,)))])


def write_pace(connection: Connection, table: str, pace: TablePace | None) -> None:
    """Write a table's pace in an open transaction and signal it to every server."""
    connection.execute(delete(PACES).where(PACES.c.table == table))
    if pace is not None:
        timings = json.dumps(asdict(pace.timings), sort_keys=True)
        row = {"table": table, "timings": timings, "by": pace.by, "at": pace.at}
        connection.execute(insert(PACES), row)
    notify(connection, [(Signal.SETTING_CHANGED, table)])


def read_paces(connection: Connection) -> dict[str, TablePace]:
    """By table, the paces of tables that have their own."""
    rows = connection.execute(select(PACES)).all()
    return {
        row.table: TablePace(Timings(**json.loads(row.timings)), row.by, row.at) for row in rows
    }
