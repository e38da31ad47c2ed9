"""A design on the screen."""

from pathlib import Path
from typing import TYPE_CHECKING

from headsup.analysis.printout.designwords import (
    EDGE,
    about_design,
    design_counts,
    design_names,
    figure_lines,
    merit_lines,
    meter_lines,
    pay_lines,
)
from headsup.cli.screen import console

if TYPE_CHECKING:
    from headsup.analysis.design.designer import DesignAnswer


def print_design(answer: "DesignAnswer", written: list[Path]) -> None:
    from rich.table import Table

    screen = console()
    screen.print(answer.asked.rules.book.title, style="bold")
    screen.print(f"{about_design(answer)}\n", style="dim")
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    shown.add_column("")
    for name in design_names(answer):
        shown.add_column(name, justify="right", no_wrap=True)
    for label, cells in pay_lines(answer):
        shown.add_row(label, *cells, style="" if cells else "dim")
    shown.add_row("")
    for label, cells in figure_lines(answer):
        shown.add_row(label, *cells, style="bold" if label == EDGE else "")
    screen.print(shown)
    screen.print()
    for name, value in merit_lines(answer):
        screen.print(f"{name}; {value}")
    screen.print(f"\n{design_counts(answer)}", style="dim")
    meter = list(meter_lines(answer))
    if meter:
        screen.print()
    for name, value in meter:
        screen.print(f"{name:38}{value:>22}")
    for path in written:
        screen.print(f"Written: {path}")
