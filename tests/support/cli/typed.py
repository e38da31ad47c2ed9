"""A session in this process: keys pressed beforehand, a screen to read afterwards."""

import io
from collections.abc import Callable

from rich.console import Console

from headsup.cli.play.keys import EndOfInput

REST = "any key for more"


class ScriptedKeys:
    """Keys pressed beforehand; then the input ends."""

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)

    def key(self) -> str:
        if not self._keys:
            raise EndOfInput
        return self._keys.pop(0)

    def line(self, echo: Callable[[str], None]) -> str | None:
        echo("")
        return self.key()

    def discard_typed_ahead(self) -> None:
        """Keep everything: all keys are typed ahead."""

    def pause(self, seconds: float) -> None:
        """Do not wait."""


class PagingKeys(ScriptedKeys):
    """The same, and a key for every page that the screen asks to turn."""

    def __init__(self, console: Console, *keys: str) -> None:
        super().__init__(*keys)
        self._console = console

    def key(self) -> str:
        wants_key = screen_text(self._console).rstrip().endswith(f"{REST} ›")
        return " " if wants_key else super().key()


def fake_terminal(width: int = 80, height: int = 24) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, width=width, height=height, color_system=None
    )


def fake_pipe() -> Console:
    return Console(file=io.StringIO(), width=80)


def screen_text(console: Console) -> str:
    """Everything printed, screen after screen."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
