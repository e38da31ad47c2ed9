"""Keys from a person: single presses at a terminal, or a line for each from a pipe."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import FrameType
from typing import Protocol

from headsup.cli.screens.style import printable

ENTER, ESCAPE, BACKSPACE = "", "escape", "backspace"
RESIZE = "\x0c"  # the screen has another size; also Ctrl-L, which asks for it to be drawn again
_ARROWS = {b"[A": "↑", b"[B": "↓", b"[C": "→", b"[D": "←"}
_NAMES = {
    ENTER: "Enter",
    ESCAPE: "Escape",
    BACKSPACE: "Backspace",
    " ": "Space",
    "\t": "Tab",
    "↑": "the up arrow",
    "↓": "the down arrow",
    "→": "the right arrow",
    "←": "the left arrow",
}


def key_name(key: str) -> str:
    """A key as people call it."""
    return _NAMES.get(key) or f"'{printable(key[:10])}'"


class EndOfInput(Exception):
    """There is nobody at the keys any more."""


class Keys(Protocol):
    def key(self) -> str:
        """The next key, `ENTER` for the enter key; from a pipe the next line, stripped."""

    def line(self, echo: Callable[[str], None]) -> str | None:
        """What is typed up to enter, None if it was escaped; `echo` shows it as it grows."""

    def forget(self) -> None:
        """Drop what was typed while nobody was asked: it was meant for another question."""

    def pause(self, seconds: float) -> None:
        """Let a person look, until a key is pressed or the time is over; the key still counts."""


class InterruptGuard:
    """Ctrl-C and being told to end: they count when a key is waited for, so that nothing else is
    ever cut in half."""

    def __init__(self) -> None:
        self._asked, self._waiting = False, False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            if self._asked:
                raise EndOfInput
            yield
        finally:
            self._waiting = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        ends = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
        before = {number: signal.signal(number, self._hear) for number in ends}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, _: int, __: FrameType | None) -> None:
        self._asked = True
        if self._waiting:
            raise EndOfInput


_ENDS = ("SIGINT", "SIGTERM", "SIGHUP")


class Pipe:
    """One line, one key. A line may hold a key's argument too: `a 25`, `r3`."""

    def __init__(self, leaving: InterruptGuard) -> None:
        self._leaving = leaving

    def key(self) -> str:
        try:
            with self._leaving.waiting():
                line = sys.stdin.readline()
        except OSError:  # a folder, or a file that may only be written to
            raise EndOfInput from None
        if not line:
            raise EndOfInput
        return line.strip()

    def line(self, echo: Callable[[str], None]) -> str | None:  # noqa: ARG002 (a pipe echoes nothing)
        return self.key()

    def forget(self) -> None:
        """A pipe is written beforehand; every line of it is meant."""

    def pause(self, seconds: float) -> None:
        """Nobody looks at a pipe."""


class Keyboard:
    """Reads a terminal in which each key counts at once."""

    def __init__(self, descriptor: int, leaving: InterruptGuard) -> None:
        self._descriptor, self._leaving = descriptor, leaving
        self._bell, self._ring = os.pipe()  # rung when the terminal has another size
        os.set_blocking(self._ring, False)

    def resized(self, _: int, __: FrameType | None) -> None:
        with suppress(BlockingIOError):  # it has been rung often enough
            os.write(self._ring, b".")

    def close(self) -> None:
        os.close(self._bell)
        os.close(self._ring)

    def key(self) -> str:
        with self._leaving.waiting():
            ready = select.select([self._descriptor, self._bell], [], [])[0]
            if self._bell in ready:
                os.read(self._bell, 4096)
                return RESIZE
            first = self._read()
        if first in (b"", b"\x04"):  # the terminal is gone, or Ctrl-D
            raise EndOfInput
        if first in (b"\r", b"\n"):
            return ENTER
        if first in (b"\x7f", b"\b"):
            return BACKSPACE
        if first == b"\x1b":
            return _ARROWS.get(self._rest().replace(b"O", b"["), ESCAPE)
        return first.decode("ascii", "replace")

    def line(self, echo: Callable[[str], None]) -> str | None:
        typed = ""
        while True:
            echo(typed)
            key = self.key()
            if key == ENTER:
                return typed
            if key == ESCAPE:
                return None
            if key in _ARROWS.values() or key == RESIZE:
                continue
            if key == BACKSPACE:
                typed = typed[:-1]
            elif key.isprintable() and len(typed) < _MAX_LINE_LENGTH:
                typed += key

    def forget(self) -> None:
        self._rest()

    def pause(self, seconds: float) -> None:
        with self._leaving.waiting():
            select.select([self._descriptor], [], [], seconds)

    def _rest(self) -> bytes:
        """An arrow or a function key sends several bytes at once; they are one key."""
        rest = b""
        while select.select([self._descriptor], [], [], 0)[0] and (byte := self._read()):
            rest += byte
        return rest

    def _read(self) -> bytes:
        """One byte, none when the terminal is gone."""
        try:
            return os.read(self._descriptor, 1)
        except OSError:
            return b""


_MAX_LINE_LENGTH = 20


@contextmanager
def open_keys() -> Iterator[Keys]:
    """The keys there are. A terminal is put back as it was, however this ends."""
    leaving = InterruptGuard()
    with leaving.heard():
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # a byte that is no text is a key that is none
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            yield Pipe(leaving)
            return
        try:
            import termios
            import tty
        except ImportError:  # no such terminals on this system: a line for each key
            yield Pipe(leaving)
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        # After a stop (Ctrl-Z) the shell has put the terminal back; single keys are wanted again.
        stopped = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(descriptor))
        keyboard = Keyboard(descriptor, leaving)
        sized = signal.signal(signal.SIGWINCH, keyboard.resized)
        try:
            tty.setcbreak(descriptor)
            yield keyboard
        finally:
            signal.signal(signal.SIGWINCH, sized)
            signal.signal(signal.SIGCONT, stopped)
            keyboard.close()
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
