"""Tables drawn at once where nothing in them has to be broken into lines.

Rich measures, wraps, pads and crops every cell by itself. Where each cell fits on one line of its
column, the same lines follow from the widths alone; any other table is left to Rich. It is done for
the par sheet, whose 29 tables have a thousand cells: drawn by Rich they take 73 ms, so 31 ms, and a
par sheet that was kept is to be on the screen within 400 ms of being asked for, Python's own start
included. The test holds both to the same characters and styles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Span, Text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table


def print_table(screen: "Console", table: "Table") -> None:
    columns = [_column(screen, table, place) for place in range(len(table.columns))]
    fitting = [column for column in columns if column is not None]
    if len(fitting) < len(columns) or not _is_drawable(screen, table, fitting):
        screen.print(table)
    else:
        screen.print(_draw_table(screen, table, fitting), soft_wrap=True, end="")


@dataclass(frozen=True)
class _Column:
    """One in which every cell has its line; `left` and `right` are its padding."""

    described: "Column"
    cells: Sequence[Text]
    width: int
    left: int
    right: int

    @property
    def whole(self) -> int:
        return self.left + self.width + self.right

    def around(self, cell: Text) -> tuple[str, str]:
        """Spaces before and after it."""
        room = " " * (self.width - cell.cell_len)
        before, after = (room, "") if self.described.justify == "right" else ("", room)
        return " " * self.left + before, after + " " * self.right


def _column(screen: "Console", table: "Table", place: int) -> _Column | None:
    """None if some cell asks for more than a line."""
    column = table.columns[place]
    cells = [column.header, *column.cells] if table.show_header else list(column.cells)
    texts = [screen.render_str(cell) if isinstance(cell, str) else cell for cell in cells]
    lines = [text for text in texts if isinstance(text, Text) and "\n" not in text.plain]
    longest = max((line.cell_len for line in lines), default=0)
    width = column.width or max(longest, column.min_width or 0)
    if len(lines) < len(texts) or not longest <= width <= (column.max_width or width):
        return None
    _, right, _, left = table.padding
    if table.collapse_padding and place:
        left = max(0, left - right)
    if not table.pad_edge:
        left = left if place else 0
        right = right if place < len(table.columns) - 1 else 0
    return _Column(column, lines, width if left + width + right else 1, left, right)


def _is_drawable(screen: "Console", table: "Table", columns: Sequence[_Column]) -> bool:
    top, _, bottom, _ = table.padding
    named, stretched = table.title or table.caption, table.expand or table.width or table.min_width
    if not columns or named or stretched or top or bottom or table.show_footer:
        return False
    if table.box and (table.show_edge or table.show_lines or screen.options.ascii_only):
        return False
    dividers = len(columns) - 1 if table.box else 0
    return sum(column.whole for column in columns) + dividers <= screen.width


def _draw_table(screen: "Console", table: "Table", columns: Sequence[_Column]) -> Text:
    drawn, widths = Text(), [column.whole for column in columns]
    last = len(table.rows) - 1
    for row in range(-1 if table.show_header else 0, last + 1):
        _draw_row(screen, table, columns, row, drawn)
        if table.box and row < 0:
            drawn.append(table.box.get_row(widths, "head", edge=False) + "\n")
        elif table.box and row < last and table.rows[row].end_section:
            drawn.append(table.box.get_row(widths, "row", edge=False) + "\n")
    return drawn


def _draw_row(
    screen: "Console", table: "Table", columns: Sequence[_Column], row: int, drawn: Text
) -> None:
    """Row -1 is the heads."""
    of_row = table.header_style if row < 0 else table.get_row_style(screen, row)
    for column in columns:
        cell = column.cells[row + table.show_header]
        before, after = column.around(cell)
        drawn.append(before)
        start, described = len(drawn), column.described
        styles = (of_row, described.header_style) if row < 0 else (described.style, of_row)
        drawn.spans += [Span(start, start + len(cell), style) for style in styles if style]
        drawn.append_text(cell)
        drawn.append(after if column is columns[-1] or not table.box else f"{after} ")
    drawn.append("\n")
