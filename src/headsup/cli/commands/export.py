"""`headsup export`: writes the log of one floor, for auditors and other programs."""

from enum import StrEnum

import click

from headsup.cli.options.databases import check_floor, database_option, open_for_reading
from headsup.cli.shell.command import Command, OneOf, option


class Format(StrEnum):
    LOG = "log"
    CSV = "csv"
    JSON = "json"
    NOTATION = "notation"


@click.command(cls=Command)
@option("--floor", metavar="NAME", required=True, help="The floor.")
@database_option
@option(
    "--format",
    metavar="log|csv|json|notation",
    type=OneOf(Format),
    default="log",
    help="log: for headsup audit and replay; csv and json: one line per event; "
    "notation: every settled round as TOML.",
)
def export(floor: str, database: str, format: Format) -> None:
    """Write a floor's log to standard output."""
    with open_for_reading(database) as store:
        from headsup.house.history.exports import ExportFormat, export_lines

        links = store.links(check_floor(store.floors(), floor))
        for line in export_lines(ExportFormat(format.value), links):
            print(line, end="")
