"""The player's screen: the table as large as fits, notes below it, and a prompt.

At a terminal the screen is cleared for each frame; when output is piped, frames follow each other.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from headsup.cli.play.keys import RESIZE

# Draws the parts of the table, from spacious (0) to very tight (2).
Drawing = Callable[[int], Sequence[RenderableType]]
MAX_TIGHTNESS = 2
ScreenLines = Sequence[list[Segment]]
_NARROW_WIDTH = 60  # columns below which a prompt takes two lines
_MAX_WIDTH = 120  # columns: longer lines are hard to read


def _page_end(lines: ScreenLines, first: int, last: int) -> int:
    """Where a page ends: at `last` or before, so that a wager keeps its indented reason."""
    for end in range(last, first + 1, -1):
        if not "".join(segment.text for segment in lines[end]).startswith("   "):
            return end
    return last


class PlayScreen:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._notes: list[Text] = []
        self._shown: list[Text] = []  # notes of the last picture

    @property
    def width(self) -> int:
        """Columns to draw in. Read each time, since a terminal may change its size."""
        return max(min(self._console.width, _MAX_WIDTH) - 2, 20)

    @property
    def is_terminal(self) -> bool:
        return self._console.is_terminal

    # Notes.

    def say(self, sentence: str, style: str = "") -> None:
        """Show a sentence under the next picture of the table, wrapped."""
        for line in wrap(sentence, self.width - 2):
            self.note(Text(f"  {line}", style=style))

    def note(self, line: Text) -> None:
        self._notes.append(line)

    def repeat_notes(self) -> None:
        """Show the last notes under the next picture too."""
        self._notes = [*self._shown, *self._notes]

    def print_farewell(self, lines: Iterable[Text]) -> None:
        """Print the remaining notes and these last lines of the session."""
        for note in self._notes:
            self._console.print(note)
        self._notes.clear()
        self.leave_prompt()
        for line in lines:
            self._console.print(line)

    # Pictures and pages.

    def show(
        self,
        drawing: Drawing | None,
        below: Sequence[Text] = (),
        key: Callable[[], str] | None = None,
    ) -> None:
        """Show the table (if `drawing` is given), the notes and the lines below them.

        If they do not fit, they are shown page by page with `key`, and scroll without it.
        """
        under = [*self._notes, *below]
        self._shown = [*self._notes]
        self._notes.clear()
        if drawing is None:
            self._print(under)
            return
        while True:
            self._new_screen()
            for tightness in range(MAX_TIGHTNESS + 1):
                parts = drawing(tightness)
                fits = not self.is_terminal or self._fits([*parts, *under])
                if fits:
                    break
            if fits or key is None:
                self._print([*parts, *under])
                return
            if self._show_pages(self._lines(parts), self._lines(under), key):
                return

    def _print(self, parts: Sequence[RenderableType]) -> None:
        for part in parts:
            self._console.print(part)

    def _show_pages(self, table: ScreenLines, under: ScreenLines, key: Callable[[], str]) -> bool:
        """Show page after page, waiting for a key between them.

        The lines under the table stay together if they fit on a page. Returns False if the window
        changed its size, and everything must be drawn again.
        """
        first, lines = 0, [*table, *under]
        while len(lines) - first > self._room:
            last = _page_end(lines, first, first + self._room)
            if first < len(table) < last and len(under) <= self._room:
                last = len(table)
            for line in lines[first:last]:
                self._console.print(Segments([*line, Segment.line()]))
            self.prompt(["any key for more"])
            if key() == RESIZE:
                return False
            self._new_screen()
            first = last
        for line in lines[first:]:
            self._console.print(Segments([*line, Segment.line()]))
        return True

    @property
    def _room(self) -> int:
        """Lines of the screen above the prompt."""
        return max(self._console.height - 1 - (self.width < _NARROW_WIDTH), 2)

    def _lines(self, parts: Sequence[RenderableType]) -> list[list[Segment]]:
        return [line for part in parts for line in self._console.render_lines(part, pad=False)]

    def _fits(self, parts: Sequence[RenderableType]) -> bool:
        """Whether these parts and the prompt fit on the screen."""
        return len(self._lines(parts)) <= self._room

    def _new_screen(self) -> None:
        if self.is_terminal and not self._console.is_dumb_terminal:
            self._console.clear()
        else:
            self._console.print()

    def page(self, title: str, lines: Sequence[Text], key: Callable[[], str]) -> None:
        """Show lines on a separate screen until a key is pressed; on a pipe, as notes."""
        if not self.is_terminal:
            for line in lines:
                self.note(Text("  ").append_text(line))
            return
        first = 0
        while True:
            room = max(self._console.height - 2, 1)
            broken = [part for line in lines for part in self._hanging(line)]
            self._new_screen()
            self._console.print(Text(f" {title}", style="bold white on dark_green"))
            for line in broken[first : first + room]:
                self._console.print(Text("  ").append_text(line), no_wrap=True, overflow="ellipsis")
            more = first + room < len(broken)
            self.prompt(["any key for more", "q to go back"] if more else ["any key to go back"])
            pressed = key()
            if pressed == RESIZE:
                continue
            if not more or pressed.lower() in ("q", "escape"):
                return
            first += room

    def _hanging(self, line: Text) -> list[Text]:
        """A line wrapped to the screen, with later lines indented to its second column."""
        room = self._console.width - 3
        if len(line) <= room:
            return [line]
        column = re.match(r" *(\S+ {2,})?", line.plain)
        indent = min(column.end() if column else 0, room // 2) or 2
        first = line.wrap(self._console, room)[0]
        first.rstrip()
        rest = line[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        below = [*rest.wrap(self._console, room - indent)]
        for part in below:
            part.rstrip()
            part.pad_left(indent)
        return [first, *below]

    # Prompts.

    def prompt(self, parts: Sequence[str]) -> None:
        """Show what the keys do, and the prompt sign at the end."""
        lines = [""]
        for part in parts:
            longer = f"{lines[-1]} · {part}" if lines[-1] else part
            if len(longer) + 5 > self.width and lines[-1]:
                lines.append(part)
            else:
                lines[-1] = longer
        for line in lines[:-1]:
            self._console.print(Text(f"  {line}", style="dim"))
        self._console.print(Text(f"  {lines[-1]} ", style="dim"), end="")
        self._console.print(Text("› ", style="bold"), end="" if self.is_terminal else "\n")

    def leave_prompt(self) -> None:
        """Move from the prompt to a new line."""
        if self.is_terminal:
            self._console.print()

    def ask(self, text: str) -> None:
        """Replace the prompt with a question."""
        if self.is_terminal:
            dumb = self._console.is_dumb_terminal
            self._console.file.write(f"\r{' ' * self.width}\r" if dumb else "\r\x1b[2K")
            self._console.print(Text(f"  {text}"), end="")
        else:
            self._console.print(Text(f"  {text}"))
