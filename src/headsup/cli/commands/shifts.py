"""`headsup shifts`: win, hold and variance of tables with real chips."""

from enum import StrEnum

import click

from headsup.cli.options.databases import database_option, open_for_reading
from headsup.cli.shell.command import Command, OneOf, option


class By(StrEnum):
    SHIFT = "shift"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class ReportFormat(StrEnum):
    TEXT = "text"
    CSV = "csv"
    JSON = "json"


_HEADS = ("Table", "", "Opening", "Fills", "Credits", "Drop", "Closing", "Win", "Variance", "Hold")
_FIELDS = (
    *("table", "span", "opening", "fills", "credits", "drop", "closing", "win", "variance"),
    "hold",
)


@click.command(cls=Command)
@database_option
@option(
    "--by",
    metavar="shift|day|month|year",
    type=OneOf(By),
    default="shift",
    help="What one line covers; a year is the year to date.",
)
@option("--since", metavar="DAY", default="", help="The first gaming day, like 2026-01-31.")
@option("--until", metavar="DAY", default="", help="The first gaming day that is left out.")
@option(
    "--format",
    metavar="text|csv|json",
    type=OneOf(ReportFormat),
    default="text",
    help="text: a table; csv and json: every figure, one line each.",
)
def shifts(database: str, by: By, since: str, until: str, format: ReportFormat) -> None:
    """Report win, hold and variance of tables with real chips, by count and by the rounds."""
    with open_for_reading(database) as store:
        from headsup.house.cash.gaming_days import GamingDay
        from headsup.house.cash.shifts import Span, line_values, report_lines, shift_lines
        from headsup.house.store.settings import read_gaming_day
        from headsup.house.store.wallets import read_slips

        with store.read_connection() as connection:
            day = GamingDay(**read_gaming_day(connection))
            lines = shift_lines(read_slips(connection), Span(by.value), day, since, until)
        if format is not ReportFormat.TEXT:
            for text in report_lines(lines, format is ReportFormat.CSV):
                print(text, end="")
            return
        if not lines:
            print("No shift has been opened.")
            return
        rows = [_HEADS, *(_cells(line_values(line)) for line in lines)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (
                cell.ljust(width) if index < 2 else cell.rjust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            print("  ".join(cells).rstrip())


def _cells(values: dict[str, str | int | bool | None]) -> tuple[str, ...]:
    hold = values["hold"]
    shown = {**values, "hold": "" if hold is None else f"{float(hold):.1%}"}
    cells = tuple("" if shown[name] is None else str(shown[name]) for name in _FIELDS)
    return (cells[0], f"{cells[1]} (open)", *cells[2:]) if values["open"] else cells
