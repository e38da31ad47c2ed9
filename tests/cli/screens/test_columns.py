"""Tables drawn by `columns` equal those drawn by Rich, in every character and visible style."""

import io
from collections.abc import Callable

import pytest
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from headsup.cli.screens.columns import print_table

WORDS = ["", "Royal flush", "Straight", "♠ Ten", "two\nlines", "a name that is longer than others"]
Cells = list[tuple[str, Style | None]]


def _styled_characters(print_one: Callable[[Console], None], width: int) -> Cells:
    """Every character with its style; spaces without, because theirs is invisible."""
    screen = Console(file=io.StringIO(), width=width, record=True, force_terminal=True)
    print_one(screen)
    return [
        (character, segment.style or None if character.strip() else None)
        for segment in screen._record_buffer
        if not segment.control
        for character in segment.text
    ]


def _grid_table(words: list[str]) -> Table:
    table = Table.grid(padding=(0, 3))
    table.add_column(style="dim", max_width=30)
    table.add_column(justify="right")
    for word in words:
        table.add_row(word, Text(word[::-1], style="bold cyan"))
    return table


def _table_with_head(words: list[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", show_edge=False)
    table.add_column(Text("Outcome"), overflow="fold", min_width=9)
    table.add_column(Text("Pays"), justify="right", overflow="fold")
    table.add_column("", width=10, no_wrap=True)
    for number, word in enumerate(words):
        if number == len(words) - 1:
            table.add_section()
        cells = [Text(word, style="bold"), Text(str(10**number)), Text("█" * number, style="green")]
        table.add_row(*cells, style="bold" if number == 1 else "")
    return table


def _table_without_head(words: list[str]) -> Table:
    table = _table_with_head(words)
    table.show_header = False
    return table


def _plain_table(words: list[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for head in ("", "option", "value"):
        table.add_column(head, justify="right" if head == "value" else "left")
    for word in words:
        table.add_row("▶", word, Text.assemble("+", (word, "red")), style="green")
    return table


@pytest.mark.parametrize("made", [_grid_table, _table_with_head, _table_without_head, _plain_table])
@pytest.mark.parametrize("width", [12, 40, 80])
@pytest.mark.parametrize("words", [WORDS[:4], WORDS, WORDS[:1], []], ids=len)
def test_tables_are_drawn_exactly_as_by_rich(
    made: Callable[[list[str]], Table], width: int, words: list[str]
) -> None:
    table = made(words)
    ours = _styled_characters(lambda screen: print_table(screen, table), width)
    assert ours == _styled_characters(lambda screen: screen.print(table), width)


def test_a_table_that_fits_is_drawn_without_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Table, "__rich_console__")
    screen = Console(file=io.StringIO(), width=80)
    print_table(screen, _table_with_head(WORDS[:4]))
    assert isinstance(screen.file, io.StringIO)
    assert "Royal flush" in screen.file.getvalue()
