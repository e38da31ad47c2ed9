"""Prints the result of `headsup design`."""

from pathlib import Path
from typing import TYPE_CHECKING

from headsup.cli.options.output_files import print_file_names
from headsup.cli.screens.style import console
from headsup.report.words.design import (
    EDGE_LABEL,
    about_design,
    describe_search,
    figure_lines,
    merit_lines,
    meter_lines,
    pay_lines,
    table_names,
)

if TYPE_CHECKING:
    from rich.table import Table

    from headsup.analysis.design.designer import DesignAnswer

_GAP = 2  # spaces between columns
_METER_LINE_WIDTH = 60  # columns needed to put a meter's name and value on one line


def print_design(answer: "DesignAnswer", written: list[Path]) -> None:
    screen = console()
    screen.print(answer.request.rules.book.title, style="bold")
    screen.print(f"{about_design(answer)}\n", style="dim")
    for columns in _split_into_blocks(answer, screen.width):
        screen.print(_table(answer, columns))
        screen.print()
    for name, value in merit_lines(answer):
        screen.print(f"{name}; {value}")
    screen.print(f"\n{describe_search(answer)}", style="dim")
    meter = list(meter_lines(answer))
    if meter:
        screen.print()
    for name, value in meter:
        screen.print(
            f"{name:38}{value:>22}" if screen.width >= _METER_LINE_WIDTH else f"{name}: {value}"
        )
    print_file_names(screen, written)


def _split_into_blocks(answer: "DesignAnswer", room: int) -> "list[slice]":
    """Which columns go side by side: as many as fit beside the row labels."""
    lines = [*pay_lines(answer), *figure_lines(answer)]
    width_left = room - max(len(label) for label, _ in lines)
    widths = [
        _GAP + max(len(name), *(len(cells[index]) for _, cells in lines if cells))
        for index, name in enumerate(table_names(answer))
    ]
    starts, used = [0], 0
    for index, width in enumerate(widths):
        if used and used + width > width_left:
            starts.append(index)
            used = 0
        used += width
    return [slice(*ends) for ends in zip(starts, [*starts[1:], len(widths)], strict=True)]


def _table(answer: "DesignAnswer", columns: slice) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False)
    table.add_column("")
    for name in table_names(answer)[columns]:
        table.add_column(name, justify="right", no_wrap=True)
    for label, cells in pay_lines(answer):
        table.add_row(label, *cells[columns], style="" if cells else "dim")
    table.add_row("")
    for label, cells in figure_lines(answer):
        table.add_row(label, *cells[columns], style="bold" if label == EDGE_LABEL else "")
    return table
