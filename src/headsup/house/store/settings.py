"""Stores settings of the whole house. Every change by a person is written with its incident."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.house_log import house_transaction, record_event
from headsup.house.store.projection_rows import Incident, IncidentKind
from headsup.house.store.schema import SETTINGS
from headsup.house.store.signals import Signal, notify

THRESHOLDS, _PAGES, _GAMING_DAY = "thresholds", "display pages", "gaming day"
_RESTORED, _KNOWN, _MARK = "restored", "known rounds", "kind"


def read_reporting_thresholds(connection: Connection) -> ReportingThresholds:
    value = _read(connection, THRESHOLDS)
    return DEFAULT_THRESHOLDS if value is None else ReportingThresholds(**value)


def put_reporting_thresholds(
    engine: Engine, thresholds: ReportingThresholds, by: str, at: str
) -> None:
    """Write the thresholds, and the incident with the old and new values."""
    with house_transaction(engine) as connection:
        was = read_reporting_thresholds(connection)
        details = {"act": THRESHOLDS, "was": was._asdict(), "now": thresholds._asdict()}
        _put(connection, THRESHOLDS, thresholds._asdict(), details, by, at)
        notify(connection, [(Signal.SETTING_CHANGED, "")])


def read_display_pages(connection: Connection) -> tuple[str, ...]:
    """The house's own pages, which its displays show in turn (R89)."""
    return tuple(_read(connection, _PAGES) or ())


def put_display_pages(engine: Engine, pages: Sequence[str], by: str, at: str) -> None:
    with house_transaction(engine) as connection:
        details = {"act": _PAGES, "was": read_display_pages(connection), "now": tuple(pages)}
        _put(connection, _PAGES, list(pages), details, by, at)


def read_gaming_day(connection: Connection) -> Mapping[str, Any]:
    """The fields of `cash/gaming_days.GamingDay` that the house has set (R110)."""
    return dict(_read(connection, _GAMING_DAY) or {})


def put_gaming_day(engine: Engine, day: Mapping[str, Any], by: str, at: str) -> None:
    with house_transaction(engine) as connection:
        details = {"act": _GAMING_DAY, "was": read_gaming_day(connection), "now": dict(day)}
        _put(connection, _GAMING_DAY, dict(day), details, by, at)


def read_restored_at(connection: Connection) -> str | None:
    """When the database was restored from a backup, if no server has been started on it since."""
    at = _read(connection, _RESTORED)
    return None if at is None else str(at)


def mark_restored(engine: Engine, at: str) -> None:
    """Mark the database as restored. The incident is written later, by the first server: it adds to
    the house's log, which must first be compared with the anchors."""
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


def read_mark(connection: Connection) -> str | None:
    """What the database was marked as by the first server that used it."""
    mark = _read(connection, _MARK)
    return None if mark is None else str(mark)


def put_mark(connection: Connection, mark: str, at: str) -> str:
    """Mark the database and return its mark: another server may have been first."""
    row = {"name": _MARK, "value": json.dumps(mark), "by": "", "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())
    return read_mark(connection) or mark


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
    record_event(
        connection, Incident(IncidentKind.CONFIGURATION, at, by, text, str(details["act"]))
    )


def _write(connection: Connection, name: str, value: object, by: str, at: str) -> None:
    row = {"name": name, "value": json.dumps(value), "by": by, "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(SETTINGS).values(row)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_=dict(statement.excluded))
    )
