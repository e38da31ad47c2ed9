"""A par sheet in a terminal: aligned tables, bars, and the 13 × 13 pocket chart."""

from typing import TYPE_CHECKING

from headsup.cli.screens.columns import print_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.analysis.solver.solution import Solution
    from headsup.report.words.printout import Facts, Grid, Printout, Section

_BAR_WIDTH = 10  # characters
_INDENT = 2  # of names below a heading
_MAX_NAME_WIDTH = 20  # characters of a name before it gives way to figures and is broken into lines
_MIN_BESIDE_WIDTH = 70  # columns from which a long fact stands beside its name
_DROPPABLE_COLUMNS = ("Ways", "Deals", "Deviation", "Hits")
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def print_par_sheet(
    screen: "Console", printout: "Printout", sheet: "ParSheet | None" = None
) -> None:
    from rich.text import Text

    screen.print(Text(printout.title, style="bold"))
    screen.print(Text(printout.about, style="dim"))
    _print_facts(screen, printout.identity)
    for section in printout.sections:
        screen.print()
        print_section(screen, section, sheet)
    screen.print()
    for note in printout.notes:
        screen.print(Text(note, style="dim"))


def print_section(screen: "Console", section: "Section", sheet: "ParSheet | None" = None) -> None:
    from rich.rule import Rule
    from rich.text import Text

    screen.print(Rule(Text(section.title, style="bold"), align="left", style="dim"))
    if section.about:
        screen.print(Text(section.about, style="dim"))
    if section.facts:
        screen.print()
        print_table(screen, facts_table(section.facts))
    if section.exact:
        screen.print(Text("\nExactly", style="dim"), end="")
    _print_facts(screen, section.exact)
    for note in section.notes:
        screen.print(Text(f"\n{note}", style="yellow"))
    if section.key == "main" and sheet is not None:
        screen.print()
        print_pocket_chart(screen, sheet.solution)
    for grid in section.grids:
        screen.print()
        screen.print(Text(grid.title, style="bold"))
        print_grid(screen, grid)


def _print_facts(screen: "Console", facts: "Facts") -> None:
    """Long facts, each on lines of its own below its name where they do not fit beside it."""
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
    """One table, or one below each heading, their columns in line."""
    from rich.text import Text

    if not grid.groups:
        print_table(screen, grid_table(grid, screen.width))
        return
    firsts = [first for _, first in grid.groups]
    for (name, first), last in zip(grid.groups, [*firsts[1:], len(grid.rows)], strict=True):
        if not first:
            print_table(screen, grid_table(grid, screen.width, range(0)))
        screen.print(Text(name, style="bold cyan"))
        table = grid_table(grid, screen.width, range(first, last))
        table.show_header = False
        print_table(screen, table)


def grid_table(grid: "Grid", room: int, shown: range | None = None) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    columns, bars = _choose_columns(grid, room)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", show_edge=False)
    for place in columns:
        table.add_column(
            Text(grid.head[place]),
            justify="right" if place and not _is_text_column(grid, place) else "left",
            overflow="fold",
            min_width=_width(grid, place) if place or grid.groups else None,
            max_width=None if place else max(_MAX_NAME_WIDTH, room // 2),
        )
    if bars:
        table.add_column("", width=_BAR_WIDTH, no_wrap=True)
    for number in range(len(grid.rows)) if shown is None else shown:
        row = grid.rows[number]
        cells = [Text(row[place], style="" if place else "bold") for place in columns]
        cells[0].pad_left(_INDENT if grid.groups else 0)
        if bars:
            cells.append(Text(bar(grid.bars[number]), style="green"))
        last = grid.total and number == len(grid.rows) - 1
        if last:
            table.add_section()
        table.add_row(*cells, style="bold" if last else "")
    return table


def _choose_columns(grid: "Grid", room: int) -> tuple[list[int], bool]:
    """The columns that a narrow screen has room for: bars go first, then what matters least."""
    columns = list(range(len(grid.head)))
    widths = [_width(grid, place) + 3 for place in columns]
    bars = bool(grid.bars)
    if bars and sum(widths) + _BAR_WIDTH + 3 > room:
        counts = [i for i in columns if grid.head[i] == "Ways"]
        if counts and sum(widths) - widths[counts[0]] + _BAR_WIDTH + 3 <= room:
            columns.remove(counts[0])
        else:
            bars = False
    for name in _DROPPABLE_COLUMNS:
        if not bars and sum(widths[i] for i in columns) > room:
            columns = [i for i in columns if grid.head[i] != name]
    return columns, bars


def _is_text_column(grid: "Grid", place: int) -> bool:
    """Whether a column holds words rather than figures: what a whole table pays."""
    return grid.head[place] == "Pays" and len(grid.head) == 2


def _width(grid: "Grid", place: int) -> int:
    """What a column asks for: a long name or a row of pays is broken into lines, a figure never."""
    longest = max(len(row[place]) for row in grid.rows) if grid.rows else 0
    if not place or _is_text_column(grid, place):
        longest = min(longest, _MAX_NAME_WIDTH)
    indent = _INDENT if grid.groups and not place else 0
    return max(len(grid.head[place]), longest + indent)


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
    """Hands that raise, greener the more it gains; a dot checks."""
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.solver.solution import chart_names

    pocket = solution.pocket
    most = max(float(max(hand.raises.values()) - hand.check) for hand in pocket.values())
    several = len({hand.best for hand in pocket.values() if hand.best}) > 1
    chart = Table.grid(padding=(0, 1))
    for names in chart_names():
        cells: list[Text] = []
        for hand in (pocket[name] for name in names):
            gain = float(max(hand.raises.values()) - hand.check)
            name = f"{hand.name}{hand.best}" if several else hand.name
            cells.append(_cell(name, gain / most) if hand.best else Text(" ·", style="dim"))
        chart.add_row(*cells)
    return chart


def _cell(name: str, share: float) -> "Text":
    from rich.text import Text

    style = "bold green" if share > 0.35 else "green" if share > 0.08 else "yellow"
    return Text(f"{name:<3}", style=style)
