"""A player's screen: the table as large as it fits, what was said under it, and a prompt.

At a terminal every look is a screen of its own; on a pipe one follows the other.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from headsup.cli.play.keys import RESIZE

# The parts of the table, for a screen with room (0) to one that is very tight (2).
Drawing = Callable[[int], Sequence[RenderableType]]
MAX_TIGHTNESS = 2
ScreenLines = Sequence[list[Segment]]
_NARROW_WIDTH = 60  # columns below which a prompt takes two lines
_MAX_WIDTH = 120  # columns: longer lines are hard to read


def _break(lines: ScreenLines, first: int, last: int) -> int:
    """Where a page ends, at `last` or before: a wager and its reason stay together, and the reason
    is set in further than the wager."""
    for end in range(last, first + 1, -1):
        if not "".join(segment.text for segment in lines[end]).startswith("   "):
            return end
    return last


class PlayScreen:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._notes: list[Text] = []
        self._shown: list[Text] = []  # notes of the last look

    @property
    def width(self) -> int:
        """Columns to draw in; asked each time, for a terminal may change its size."""
        return max(min(self._console.width, _MAX_WIDTH) - 2, 20)

    @property
    def is_terminal(self) -> bool:
        return self._console.is_terminal

    # What is said.

    def say(self, sentence: str, style: str = "") -> None:
        """A line under the table at the next look, or as many as it takes."""
        for line in wrap(sentence, self.width - 2):
            self.note(Text(f"  {line}", style=style))

    def note(self, line: Text) -> None:
        self._notes.append(line)

    def again(self) -> None:
        """What was said under the table is said at the next look once more."""
        self._notes = [*self._shown, *self._notes]

    def end(self, lines: Iterable[Text]) -> None:
        """What was said and not yet shown, and these lines: the last of the session."""
        for note in self._notes:
            self._console.print(note)
        self._notes.clear()
        self.leave_prompt()
        for line in lines:
            self._console.print(line)

    # What is shown.

    def show(
        self,
        drawing: Drawing | None,
        below: Sequence[Text] = (),
        key: Callable[[], str] | None = None,
    ) -> None:
        """The table if wanted, the notes and what is below them; as large as the screen allows.

        With a `key` to wait for, what does not fit is shown page by page; else it scrolls.
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
            if self._turned(self._lines(parts), self._lines(under), key):
                return

    def _print(self, parts: Sequence[RenderableType]) -> None:
        for part in parts:
            self._console.print(part)

    def _turned(self, table: ScreenLines, under: ScreenLines, key: Callable[[], str]) -> bool:
        """Screen after screen, each until a key; the last has room for the prompt, and what stands
        under the table is not torn. False when the window changed its size: draw all anew."""
        first, lines = 0, [*table, *under]
        while len(lines) - first > self._room:
            last = _break(lines, first, first + self._room)
            if first < len(table) < last and len(under) <= self._room:
                last = len(table)
            for line in lines[first:last]:
                self._console.print(Segments([*line, Segment.line()]))
            self.prompt(["any key shows the rest"])
            if key() == RESIZE:
                return False
            self._new_screen()
            first = last
        for line in lines[first:]:
            self._console.print(Segments([*line, Segment.line()]))
        return True

    @property
    def _room(self) -> int:
        """ScreenLines of the screen above the prompt."""
        return max(self._console.height - 1 - (self.width < _NARROW_WIDTH), 2)

    def _lines(self, parts: Sequence[RenderableType]) -> list[list[Segment]]:
        return [line for part in parts for line in self._console.render_lines(part, pad=False)]

    def _fits(self, parts: Sequence[RenderableType]) -> bool:
        """Whether these and the prompt are no more lines than the screen has."""
        return len(self._lines(parts)) <= self._room

    def _new_screen(self) -> None:
        if self.is_terminal and not self._console.is_dumb_terminal:
            self._console.clear()
        else:
            self._console.print()

    def page(self, title: str, lines: Sequence[Text], key: Callable[[], str]) -> None:
        """ScreenLines on screens of their own, until the next key; on a pipe under the table."""
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
            self.prompt(["any key goes on", "q goes back"] if more else ["any key goes back"])
            pressed = key()
            if pressed == RESIZE:
                continue
            if not more or pressed.lower() in ("q", "escape"):
                return
            first += room

    def _hanging(self, line: Text) -> list[Text]:
        """A line in as many as it takes, those below the first set in as its second column is."""
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

    # What is asked.

    def prompt(self, parts: Sequence[str]) -> None:
        """What the keys do, in as many lines as it takes; the last ends in the prompt itself."""
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
        """From the prompt to a line of its own."""
        if self.is_terminal:
            self._console.print()

    def ask(self, text: str) -> None:
        """In the place of the prompt."""
        if self.is_terminal:
            dumb = self._console.is_dumb_terminal
            self._console.file.write(f"\r{' ' * self.width}\r" if dumb else "\r\x1b[2K")
            self._console.print(Text(f"  {text}"), end="")
        else:
            self._console.print(Text(f"  {text}"))
