"""Exports floors' logs and significant events as lines of text, for auditors and programs."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from headsup.game.record.audit.auditor import Auditor
from headsup.game.record.chain import Link, format_link
from headsup.game.record.replay import AppliedEvent, settled_round_texts
from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentRecord, iterate_incidents
from headsup.house.store.rounds import oldest_open_entry

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
    """How many entries of a floor's log can be shown: those before the oldest open round."""
    head, first = database.head(floor).count, oldest_open_entry(database, floor)
    return head if first is None else min(first, head)


def incident_lines(database: Database, format: ExportFormat) -> Iterator[str]:
    """Every significant event, oldest first, as CSV or as one line of JSON each."""
    incidents = iterate_incidents(database)
    if format is not ExportFormat.CSV:
        return (json.dumps(asdict(incident)) + "\n" for incident in incidents)
    return _incidents_as_csv(incidents)


def _incidents_as_csv(incidents: Iterator[IncidentRecord]) -> Iterator[str]:
    yield csv_row(tuple(IncidentRecord.__dataclass_fields__))
    for incident in incidents:
        yield csv_row(tuple(asdict(incident).values()))


def _events(links: Iterator[Link]) -> Iterator[dict[str, Any]]:
    """Every event with details of its entry; the log's header has no events."""
    for link in links:
        entry = link.entry
        for event in entry.get("events", ()):
            details = {key: entry[key] for key in ("at", "table", "by")}
            yield {"index": link.index, **details, **event}


def _as_csv(links: Iterator[Link]) -> Iterator[str]:
    yield csv_row(COLUMNS)
    for event in _events(links):
        cells = [event.pop(key, "") for key in COLUMNS[:-1]]
        data = json.dumps(event, sort_keys=True, separators=(",", ":"))
        yield csv_row((*cells, data))


# A spreadsheet skips line breaks and tabs before a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_row(values: tuple[object, ...]) -> str:
    """A line of CSV. A quote goes before anything a spreadsheet would take for a formula."""
    cells = [f"'{value}" if str(value).startswith(FORMULA_STARTS) else value for value in values]
    buffer = io.StringIO()
    # Only characters of the line terminator are quoted, and a bare "\r" would begin another row.
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _rounds(links: Iterator[Link]) -> Iterator[str]:
    auditor = Auditor()

    def moments() -> Iterator[AppliedEvent]:
        for entry in auditor.verify_entries(map(format_link, links)):
            for event, floor in entry.steps:
                yield AppliedEvent(entry.table, event, floor, entry.time)

    for round in settled_round_texts(moments()):
        yield f"# {json.dumps(round.table)}, round {round.number}\n{round.text}\n"
    if (finding := auditor.report.finding) is not None:
        raise Refused(Code.BROKEN_LOG, "copy", finding=finding)
