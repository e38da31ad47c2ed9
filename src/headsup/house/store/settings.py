"""What counts for the whole house: what an administrator has set, and that it was restored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Engine, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.projection_tables import (
    Incident,
    IncidentKind,
    Projection,
    write_projections,
)
from headsup.house.store.schema import SETTINGS
from headsup.house.store.signals import Signal, notify

_LARGE, _PAGES = "large", "display pages"
_RESTORED, _KNOWN = "restored", "known rounds"


def read_reporting_thresholds(connection: Connection) -> ReportingThresholds:
    value = _read(connection, _LARGE)
    return DEFAULT_THRESHOLDS if value is None else ReportingThresholds(**value)


def put_reporting_thresholds(engine: Engine, large: ReportingThresholds, by: str, at: str) -> None:
    """With what is told of it: what it was before, and who signed."""
    with engine.begin() as connection:
        _put(
            connection,
            _LARGE,
            asdict(large),
            read_reporting_thresholds(connection).changes(large),
            by,
            at,
        )
        notify(connection, [(Signal.ATTENDED, "")])


def read_display_pages(connection: Connection) -> tuple[str, ...]:
    """What the house itself says on its displays, in turn (R89)."""
    return tuple(_read(connection, _PAGES) or ())


def put_pages(engine: Engine, pages: Sequence[str], by: str, at: str) -> None:
    with engine.begin() as connection:
        said = {"act": _PAGES, "was": read_display_pages(connection), "now": tuple(pages)}
        _put(connection, _PAGES, list(pages), said, by, at)


def read_restored_at(connection: Connection) -> str | None:
    """When the database was restored, if no server has been opened on it since."""
    at = _read(connection, _RESTORED)
    return None if at is None else str(at)


def mark_restored(engine: Engine, at: str) -> None:
    """Told by the first server, and not here: what is told lengthens the house's chain, which is
    to be compared with the anchors before."""
    with engine.begin() as connection:
        _write(connection, _RESTORED, at, "", at)


def unmark_restored(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(delete(SETTINGS).where(SETTINGS.c.name == _RESTORED))


def read_known_rounds(connection: Connection) -> dict[str, int]:
    """By table: the round whose cards may be known since the database was restored."""
    return dict(_read(connection, _KNOWN) or {})


def put_known_rounds(engine: Engine, rounds: Mapping[str, int], at: str) -> None:
    with engine.begin() as connection:
        _write(connection, _KNOWN, dict(rounds), "", at)


def _read(connection: Connection, name: str) -> Any:
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else json.loads(value)


def _put(
    connection: Connection, name: str, value: object, said: Mapping[str, object], by: str, at: str
) -> None:
    _write(connection, name, value, by, at)
    told = json.dumps(said, sort_keys=True)
    incident = Incident(IncidentKind.CONFIGURATION, at, by, told)
    write_projections(connection, [("", Projection(incidents=(incident,)))])


def _write(connection: Connection, name: str, value: object, by: str, at: str) -> None:
    row = {"name": name, "value": json.dumps(value), "by": by, "at": at}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    putting = dialect.insert(SETTINGS).values(row)
    connection.execute(
        putting.on_conflict_do_update(index_elements=["name"], set_=dict(putting.excluded))
    )
