"""A session in this process: keys pressed beforehand, a screen to read afterwards."""

import io
from collections.abc import Callable

from rich.console import Console

from headsup.cli.play.keys import EndOfInput

REST = "any key shows the rest"


class Typed:
    """Keys that were pressed before."""

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)

    def key(self) -> str:
        if not self._keys:
            raise EndOfInput
        return self._keys.pop(0)

    def line(self, echo: Callable[[str], None]) -> str | None:
        echo("")
        return self.key()

    def forget(self) -> None:
        """These keys are all meant."""

    def pause(self, seconds: float) -> None:
        """Nobody looks."""


class Turning(Typed):
    """The same at a screen whose pages are turned as often as it asks for it."""

    def __init__(self, console: Console, *keys: str) -> None:
        super().__init__(*keys)
        self._console = console

    def key(self) -> str:
        asked = written(self._console).rstrip().endswith(f"{REST} ›")
        return " " if asked else super().key()


def terminal(width: int = 80, height: int = 24) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, width=width, height=height, color_system=None
    )


def pipe() -> Console:
    return Console(file=io.StringIO(), width=80)


def written(console: Console) -> str:
    """All that was printed, screen after screen."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
