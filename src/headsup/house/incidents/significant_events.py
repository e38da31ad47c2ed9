"""Significant events (GLI-19 list; ASVS 16.2): who, when, where, what. Written once, in the same
transaction as what they tell of, found again by those who look into the house; never edited.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from headsup.house.store.database import Database
from headsup.house.store.projection_tables import (
    Incident,
    IncidentKind,
    Projection,
    write_projections,
)
from headsup.house.store.schema import INCIDENTS

MAX_LISTED_INCIDENTS = 200


def record_incident(
    connection: Connection,
    kind: IncidentKind,
    who: str,
    what: Mapping[str, object],
    at: str,
    floor: str = "",
) -> None:
    """Note it in the transaction that is open."""
    said = json.dumps(what, sort_keys=True, separators=(",", ":"))
    write_projections(connection, [(floor, Projection(incidents=(Incident(kind, at, who, said),)))])


@dataclass(frozen=True, slots=True)
class IncidentRecord:
    """One, as it was written down; `number` grows."""

    number: int
    at: str
    kind: str
    who: str
    place: str
    what: str
    floor: str
    table: str
    round: int
    index: int


@dataclass(frozen=True, slots=True)
class IncidentQuery:
    """Which are looked for; what is left out matters not."""

    kind: IncidentKind | None = None
    who: str | None = None  # or a part of it: who approved stands beside who asked
    table: str | None = None
    since: str | None = None
    until: str | None = None
    before: int | None = None  # a number: those that come before it
    limit: int = MAX_LISTED_INCIDENTS


def find_incidents(database: Database, wanted: IncidentQuery) -> list[IncidentRecord]:
    """The newest first."""
    row = INCIDENTS.c
    query = select(INCIDENTS)
    for condition in (
        None if wanted.kind is None else row.kind == wanted.kind.value,
        None if wanted.who is None else row.who.icontains(wanted.who, autoescape=True),
        None if wanted.table is None else func.lower(row.table) == func.lower(wanted.table),
        None if wanted.since is None else row.at >= wanted.since,
        None if wanted.until is None else row.at < wanted.until,
        None if wanted.before is None else row.number < wanted.before,
    ):
        if condition is not None:
            query = query.where(condition)
    newest = query.order_by(row.number.desc()).limit(min(wanted.limit, MAX_LISTED_INCIDENTS))
    with database.reading() as connection:
        return [IncidentRecord(**found._mapping) for found in connection.execute(newest)]


@dataclass(frozen=True, slots=True)
class IncidentCount:
    """How many of a kind there are, and when the last one was; empty where there is none."""

    kind: IncidentKind
    count: int
    last: str


def count_incidents(database: Database) -> tuple[IncidentCount, ...]:
    """Of every kind, also of those of which nothing was told."""
    row = INCIDENTS.c
    query = select(row.kind, func.count(), func.max(row.at)).group_by(row.kind)
    with database.reading() as connection:
        found = {kind: (count, last) for kind, count, last in connection.execute(query)}
    return tuple(IncidentCount(kind, *found.get(kind.value, (0, ""))) for kind in IncidentKind)


def iterate_incidents(database: Database) -> Iterator[IncidentRecord]:
    """Every one there is when it is asked for, the oldest first; a page at a time, so that no
    connection is held while whoever reads them takes their time."""
    row, seen = INCIDENTS.c, 0
    with database.reading() as connection:
        last = connection.execute(select(func.max(row.number))).scalar_one() or 0
    while seen < last:
        page = select(INCIDENTS).where(row.number > seen, row.number <= last)
        with database.reading() as connection:
            found = connection.execute(page.order_by(row.number).limit(MAX_LISTED_INCIDENTS)).all()
        for one in found:
            yield IncidentRecord(**one._mapping)
        seen = found[-1].number if found else last
