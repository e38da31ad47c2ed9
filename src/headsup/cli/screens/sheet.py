"""Prints a sheet in a terminal: aligned tables, bars and the 13 × 13 pocket chart."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from headsup.cli.screens.columns import print_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.solver.solution import Solution
    from headsup.report.sheet import Facts, Grid, Section, Sheet

_BAR_WIDTH = 10  # characters
_INDENT = 2  # spaces before names below a heading
_MAX_NAME_WIDTH = 20  # characters; a longer name is wrapped if figures need the room
_MIN_BESIDE_WIDTH = 70  # columns from which a long fact is printed beside its name
_DROPPABLE_COLUMNS = ("Ways", "Deals", "Deviation", "Hits")
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def show_sheet(
    sheet: "Sheet",
    as_json: bool,
    wanted: Mapping[str, Path] = MappingProxyType({}),
    others: Mapping[Path, bytes] = MappingProxyType({}),
) -> None:
    """Write the files wanted and any others, then print the sheet for programs or people."""
    from headsup.cli.options.output_files import print_file_names, sheet_files, write_files
    from headsup.cli.screens.style import console

    files = {**others, **sheet_files(sheet, wanted)}
    write_files(files)
    if as_json:
        print(json.dumps(sheet.json()))
        return
    screen = console()
    print_sheet(screen, sheet)
    print_file_names(screen, files)


def print_sheet(screen: "Console", sheet: "Sheet") -> None:
    from rich.text import Text

    screen.print(Text(sheet.title, style="bold"))
    screen.print(Text(sheet.about, style="dim"))
    if sheet.identity is not None:
        _print_facts(screen, sheet.identity.facts)
    for section in sheet.shown:
        if section.has_text:  # charts alone are for pages
            screen.print()
            print_section(screen, section)
    if sheet.notes:
        screen.print()
    for note in sheet.notes:
        screen.print(Text(note, style="dim"))


def print_section(screen: "Console", section: "Section") -> None:
    from rich.rule import Rule
    from rich.text import Text

    if section.title:
        screen.print(Rule(Text(section.title, style="bold"), align="left", style="dim"))
    if section.about:
        screen.print(Text(section.about, style="dim"))
    if section.facts:
        if section.title or section.about:
            screen.print()
        print_table(screen, facts_table(section.facts))
    if section.exact:
        screen.print(Text("\nExact", style="dim"), end="")
    _print_facts(screen, section.exact)
    for note in section.notes:
        screen.print(Text(f"\n{note}", style="yellow"))
    if section.pocket is not None:
        screen.print()
        print_pocket_chart(screen, section.pocket)
    for grid in section.grids:
        screen.print()
        screen.print(Text(grid.title, style="bold"))
        print_grid(screen, grid)


def _print_facts(screen: "Console", facts: "Facts") -> None:
    """Long facts beside their names, or below them on a narrow screen."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if not facts:
        return
    screen.print()
    if screen.width < _MIN_BESIDE_WIDTH:
        for name, fact in facts:
            screen.print(Text(name, style="dim"))
            screen.print(Padding(Text(fact, overflow="fold"), (0, 0, 0, _INDENT)))
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", max_width=screen.width // 3)
    table.add_column(overflow="fold")
    for name, fact in facts:
        table.add_row(Text(name), Text(fact, overflow="fold"))
    print_table(screen, table)


def facts_table(facts: "Facts") -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3))
    table.add_column()
    table.add_column(justify="right")
    for number, (name, fact) in enumerate(facts):
        table.add_row(Text(name), Text(fact, style="bold cyan" if not number else "bold"))
    return table


def print_grid(screen: "Console", grid: "Grid") -> None:
    """Print one table, or one per group with aligned columns; a wide one in several parts."""
    from rich.text import Text

    for part in _split(grid, screen.width):
        firsts = [first for _, first in part.groups]
        if not firsts:
            print_table(screen, grid_table(part, screen.width))
            continue
        for (name, first), last in zip(part.groups, [*firsts[1:], len(part.rows)], strict=True):
            if not first:
                print_table(screen, grid_table(part, screen.width, range(0)))
            screen.print(Text(name, style="bold cyan"))
            table = grid_table(part, screen.width, range(first, last))
            table.show_header = False
            print_table(screen, table)


def _split(grid: "Grid", room: int) -> "list[Grid]":
    """The table in parts that fit, each with as many columns beside the names as possible."""
    columns, _ = _choose_columns(grid, room)
    if sum(_width(grid, column) + 3 for column in columns) <= room:
        return [grid]
    parts = [[columns[0]]]
    for column in columns[1:]:
        width = sum(_width(grid, one) + 3 for one in [*parts[-1], column])
        if len(parts[-1]) > 1 and width > room:
            parts.append([columns[0]])
        parts[-1].append(column)
    return [_take_columns(grid, part) for part in parts]


def _take_columns(grid: "Grid", columns: list[int]) -> "Grid":
    return replace(
        grid,
        columns=tuple(grid.columns[column] for column in columns),
        rows=tuple(tuple(row[column] for column in columns) for row in grid.rows),
        words=tuple(place for place, column in enumerate(columns) if column in grid.words),
        bars=(),
    )


def grid_table(grid: "Grid", room: int, shown: range | None = None) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    columns, bars = _choose_columns(grid, room)
    others = sum(_width(grid, column) + 3 for column in columns[1:])
    room_for_names = room - others - (_BAR_WIDTH + 3 if bars else 0) - 2
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", show_edge=False)
    for column in columns:
        table.add_column(
            Text(grid.columns[column]),
            justify="left" if column in grid.words else "right",
            overflow="fold",
            min_width=_width(grid, column) if column or grid.groups else None,
            max_width=None if column else max(_MAX_NAME_WIDTH, room // 2, room_for_names),
        )
    if bars:
        table.add_column("", width=_BAR_WIDTH, no_wrap=True)
    for number in range(len(grid.rows)) if shown is None else shown:
        row = grid.rows[number]
        cells = [Text(row[column], style="" if column else "bold") for column in columns]
        cells[0].pad_left(_INDENT if grid.groups else 0)
        if bars:
            cells.append(Text(bar(grid.bars[number]), style="green"))
        last = grid.has_total_row and number == len(grid.rows) - 1
        if last:
            table.add_section()
        table.add_row(*cells, style="bold" if last else "")
    return table


def _choose_columns(grid: "Grid", room: int) -> tuple[list[int], bool]:
    """The columns to show, and whether to show bars. A narrow screen loses the bars first."""
    columns = list(range(len(grid.columns)))
    widths = [_width(grid, column) + 3 for column in columns]
    bars = bool(grid.bars)
    if bars and sum(widths) + _BAR_WIDTH + 3 > room:
        counts = [i for i in columns if grid.columns[i] == "Ways"]
        if counts and sum(widths) - widths[counts[0]] + _BAR_WIDTH + 3 <= room:
            columns.remove(counts[0])
        else:
            bars = False
    for name in _DROPPABLE_COLUMNS:
        if not bars and sum(widths[i] for i in columns) > room:
            columns = [i for i in columns if grid.columns[i] != name]
    return columns, bars


def _width(grid: "Grid", column: int) -> int:
    """A column's minimum width. Long names and summaries of pays can wrap, figures cannot."""
    longest = max(len(row[column]) for row in grid.rows) if grid.rows else 0
    if column in grid.words:
        longest = min(longest, _MAX_NAME_WIDTH)
    indent = _INDENT if grid.groups and not column else 0
    return max(len(grid.columns[column]), longest + indent)


def bar(share: float) -> str:
    eighths = round(share * _BAR_WIDTH * 8)
    whole, part = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[part] if part else "")


def print_pocket_chart(screen: "Console", solution: "Solution") -> None:
    from rich.text import Text

    screen.print(Text("Raise on the pocket, or check (·)", style="bold"))
    print_table(screen, _pocket_chart(solution))
    screen.print(Text("Upper right suited, lower left offsuit.", style="dim"))


def _pocket_chart(solution: "Solution") -> "Table":
    """The hands to raise, greener the more a raise gains; a dot means check."""
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.solver.solution import chart_names

    pocket = solution.pocket
    largest_gain = max(float(max(hand.raises.values()) - hand.check) for hand in pocket.values())
    has_choice = len({hand.best for hand in pocket.values() if hand.best}) > 1
    chart = Table.grid(padding=(0, 1))
    for names in chart_names():
        cells: list[Text] = []
        for hand in (pocket[name] for name in names):
            gain = float(max(hand.raises.values()) - hand.check)
            name = f"{hand.name}{hand.best}" if has_choice else hand.name
            cells.append(_cell(name, gain / largest_gain) if hand.best else Text(" ·", style="dim"))
        chart.add_row(*cells)
    return chart


def _cell(name: str, share: float) -> "Text":
    from rich.text import Text

    style = "bold green" if share > 0.35 else "green" if share > 0.08 else "yellow"
    return Text(f"{name:<3}", style=style)
