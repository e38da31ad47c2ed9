"""`headsup export`: the log of one floor out of the database, for auditors and other programs."""

import csv
import io
import json
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.databases import DatabaseOption, known_floor, reading
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.record.chain import Link

COLUMNS = ("index", "at", "table", "by", "event", "seat", "data")


class Format(StrEnum):
    LOG = "log"
    CSV = "csv"
    JSON = "json"
    NOTATION = "notation"


def export(
    floor: Annotated[str, typer.Option("--floor", metavar="NAME", help="The floor.")],
    database: DatabaseOption = "",
    format: Annotated[
        Format,
        typer.Option(
            "--format",
            metavar="log|csv|json|notation",
            help="log: as headsup audit and replay read it; csv and json: a line for each event; "
            "notation: every settled round as TOML.",
        ),
    ] = Format.LOG,
) -> None:
    """Write a floor's log to standard output."""
    with reading(database) as store:
        links = store.links(known_floor(store, floor))
        for line in _lines(format, links):
            typer.echo(line, nl=False)


def _lines(format: Format, links: "Iterator[Link]") -> Iterator[str]:
    from headsup.game.record.chain import format_link

    match format:
        case Format.LOG:
            return map(format_link, links)
        case Format.CSV:
            return _as_csv(links)
        case Format.JSON:
            return (json.dumps(row) + "\n" for row in _events(links))
        case Format.NOTATION:
            return _rounds(links)


def _events(links: "Iterator[Link]") -> Iterator[dict[str, Any]]:
    """Every event with the entry it stands in; the header has none."""
    for link in links:
        entry = link.entry
        for event in entry.get("events", ()):
            about = {key: entry[key] for key in ("at", "table", "by")}
            yield {"index": link.index, **about, **event}


def _as_csv(links: "Iterator[Link]") -> Iterator[str]:
    yield row(COLUMNS)
    for event in _events(links):
        apart = {key: event.pop(key, "") for key in COLUMNS[:-1]}
        data = json.dumps(event, sort_keys=True, separators=(",", ":"))
        yield row((*apart.values(), data))


def row(values: tuple[object, ...]) -> str:
    """A cell that begins like a formula is text to every program that reads it."""
    cells = [
        f"'{value}" if str(value)[:1] in ("=", "+", "-", "@", "\t") else value for value in values
    ]
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(cells)
    return written.getvalue()


def _rounds(links: "Iterator[Link]") -> Iterator[str]:
    from headsup.game.record.auditor import Auditor
    from headsup.game.record.chain import format_link
    from headsup.game.record.replay import Happening, settled_rounds

    auditor = Auditor()

    def moments() -> Iterator[Happening]:
        for decision in auditor.accepted(map(format_link, links)):
            for event, floor in decision.moments:
                yield Happening(decision.table, event, floor, decision.at)

    for found in settled_rounds(moments()):
        yield f"# {json.dumps(found.table)}, round {found.number}\n{found.text}\n"
    if (bad := auditor.report.finding) is not None:
        raise Refused(Code.BROKEN_LOG, "copy", finding=bad)
