"""`headsup export`: writes the log of one floor, for auditors and other programs."""

from enum import StrEnum
from typing import Annotated

import typer

from headsup.cli.options.databases import DatabaseOption, check_floor, open_for_reading


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
            help="log: for headsup audit and replay; csv and json: one line per event; "
            "notation: every settled round as TOML.",
        ),
    ] = Format.LOG,
) -> None:
    """Write a floor's log to standard output."""
    with open_for_reading(database) as store:
        from headsup.house.history.exports import ExportFormat, export_lines

        links = store.links(check_floor(store.floors(), floor))
        for line in export_lines(ExportFormat(format.value), links):
            typer.echo(line, nl=False)
