"""Stores and finds significant events (GLI-19 list; ASVS 16.2): who, when, where, what.

They are written in the same transaction as the change they report, and never edited.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from sqlalchemy import Connection, func, select

from headsup.house.store.database import Database
from headsup.house.store.house_log import record_event
from headsup.house.store.projection_rows import Incident, IncidentKind
from headsup.house.store.schema import INCIDENTS

MAX_LISTED_INCIDENTS = 200


def record_incident(
    connection: Connection,
    kind: IncidentKind,
    actor: str,
    details: Mapping[str, object],
    at: str,
    floor: str = "",
) -> None:
    """Record an event within the open transaction of the house."""
    text = json.dumps(details, sort_keys=True, separators=(",", ":"))
    record_event(connection, Incident(kind, at, actor, text), floor)


@dataclass(frozen=True, slots=True)
class IncidentRecord:
    """A stored event."""

    number: int  # increasing
    at: str
    kind: str
    who: str
    place: str
    what: str
    floor: str
    table: str
    round: int
    index: int


_RECORD = select(*(INCIDENTS.c[field.name] for field in fields(IncidentRecord)))


@dataclass(frozen=True, slots=True)
class IncidentQuery:
    """Criteria for a search; None matches every event."""

    kind: IncidentKind | None = None
    actor: str | None = None  # or a part of it: an event may name requester and approver
    table: str | None = None
    since: str | None = None
    until: str | None = None
    before: int | None = None  # only events with a lower number
    limit: int = MAX_LISTED_INCIDENTS


def find_incidents(database: Database, criteria: IncidentQuery) -> list[IncidentRecord]:
    """Matching events, newest first."""
    row = INCIDENTS.c
    query = _RECORD
    for condition in (
        None if criteria.kind is None else row.kind == criteria.kind.value,
        None if criteria.actor is None else row.who.icontains(criteria.actor, autoescape=True),
        None if criteria.table is None else func.lower(row.table) == func.lower(criteria.table),
        None if criteria.since is None else row.at >= criteria.since,
        None if criteria.until is None else row.at < criteria.until,
        None if criteria.before is None else row.number < criteria.before,
    ):
        if condition is not None:
            query = query.where(condition)
    newest = query.order_by(row.number.desc()).limit(min(criteria.limit, MAX_LISTED_INCIDENTS))
    with database.read_connection() as connection:
        return [IncidentRecord(**incident._mapping) for incident in connection.execute(newest)]


@dataclass(frozen=True, slots=True)
class IncidentCount:
    """How many events of a kind there are."""

    kind: IncidentKind
    count: int
    last: str  # time of the last one, "" if there is none


def count_incidents(database: Database) -> tuple[IncidentCount, ...]:
    """Counts of every kind, including those without events."""
    row = INCIDENTS.c
    query = select(row.kind, func.count(), func.max(row.at)).group_by(row.kind)
    with database.read_connection() as connection:
        counts = {kind: (count, last) for kind, count, last in connection.execute(query)}
    return tuple(IncidentCount(kind, *counts.get(kind.value, (0, ""))) for kind in IncidentKind)


def iterate_incidents(database: Database) -> Iterator[IncidentRecord]:
    """All events that exist at the time of the call, oldest first.

    Read page by page, so that a slow client does not occupy a connection.
    """
    row, seen = INCIDENTS.c, 0
    with database.read_connection() as connection:
        last = connection.execute(select(func.max(row.number))).scalar_one() or 0
    while seen < last:
        page = _RECORD.where(row.number > seen, row.number <= last)
        with database.read_connection() as connection:
            rows = connection.execute(page.order_by(row.number).limit(MAX_LISTED_INCIDENTS)).all()
        for incident in rows:
            yield IncidentRecord(**incident._mapping)
        seen = rows[-1].number if rows else last


def last_incident_about(connection: Connection, subject: str) -> dict[str, object] | None:
    """What the last event of the house's log about this subject says; None if there is none."""
    row = INCIDENTS.c
    query = select(row.what).where(row.log == "", row.floor == "", row.table == subject)
    newest = connection.execute(query.order_by(row.number.desc()).limit(1))
    text = newest.scalar_one_or_none()
    details: dict[str, object] | None = None if text is None else json.loads(text)
    return details
