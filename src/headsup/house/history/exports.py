"""Floors' logs and significant events as text for auditors and other programs, line by line."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sqlalchemy import and_, func, select

from headsup.game.record.audit.auditor import Auditor
from headsup.game.record.chain import Link, format_link
from headsup.game.record.replay import AppliedEvent, settled_round_texts
from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.incidents.significant_events import IncidentRecord, iterate_incidents
from headsup.house.store.database import Database
from headsup.house.store.schema import ROUNDS, ROUNDS_ENDED

COLUMNS = ("index", "at", "table", "by", "event", "seat", "data")


class ExportFormat(TextEnum):
    LOG = "log"  # as `headsup audit` and `headsup replay` read it
    CSV = "csv"
    JSON = "json"
    NOTATION = "notation"  # every settled round as TOML


def export_lines(format: ExportFormat, links: Iterator[Link]) -> Iterator[str]:
    match format:
        case ExportFormat.LOG:
            return map(format_link, links)
        case ExportFormat.CSV:
            return _as_csv(links)
        case ExportFormat.JSON:
            return (json.dumps(event) + "\n" for event in _events(links))
        case ExportFormat.NOTATION:
            return _rounds(links)


def count_closed_entries(database: Database, floor: str) -> int:
    """How many entries of a floor's log hold no card of a round that is still played."""
    begun, ended = ROUNDS.c, ROUNDS_ENDED.c
    same = and_(
        begun.floor == ended.floor, begun.table == ended.table, begun.number == ended.number
    )
    open_ = (
        select(func.min(begun.index))
        .outerjoin(ROUNDS_ENDED, same)
        .where(begun.floor == floor, ended.floor.is_(None))
    )
    head = database.head(floor).count
    with database.reading() as connection:
        first = connection.execute(open_).scalar_one_or_none()
    return head if first is None else min(int(first), head)


def incident_lines(database: Database, format: ExportFormat) -> Iterator[str]:
    """Every significant event, the oldest first; a line of JSON each, or CSV."""
    told = iterate_incidents(database)
    if format is not ExportFormat.CSV:
        return (json.dumps(asdict(one)) + "\n" for one in told)
    return _incidents_as_csv(told)


def _incidents_as_csv(told: Iterator[IncidentRecord]) -> Iterator[str]:
    yield csv_row(tuple(IncidentRecord.__dataclass_fields__))
    for one in told:
        yield csv_row(tuple(asdict(one).values()))


def _events(links: Iterator[Link]) -> Iterator[dict[str, Any]]:
    """Every event with the entry it stands in; the header has none."""
    for link in links:
        entry = link.entry
        for event in entry.get("events", ()):
            about = {key: entry[key] for key in ("at", "table", "by")}
            yield {"index": link.index, **about, **event}


def _as_csv(links: Iterator[Link]) -> Iterator[str]:
    yield csv_row(COLUMNS)
    for event in _events(links):
        apart = {key: event.pop(key, "") for key in COLUMNS[:-1]}
        data = json.dumps(event, sort_keys=True, separators=(",", ":"))
        yield csv_row((*apart.values(), data))


def csv_row(values: tuple[object, ...]) -> str:
    """A cell that begins like a formula is text to every program that reads it."""
    cells = [
        f"'{value}" if str(value)[:1] in ("=", "+", "-", "@", "\t") else value for value in values
    ]
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(cells)
    return written.getvalue()


def _rounds(links: Iterator[Link]) -> Iterator[str]:
    auditor = Auditor()

    def moments() -> Iterator[AppliedEvent]:
        for decision in auditor.accepted(map(format_link, links)):
            for event, floor in decision.moments:
                yield AppliedEvent(decision.table, event, floor, decision.at)

    for found in settled_round_texts(moments()):
        yield f"# {json.dumps(found.table)}, round {found.number}\n{found.text}\n"
    if (bad := auditor.report.finding) is not None:
        raise Refused(Code.BROKEN_LOG, "copy", finding=bad)
