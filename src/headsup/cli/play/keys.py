"""Reads the player's keys: single presses at a terminal, or one line per key from a pipe."""

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
RESIZE = "\x0c"  # the screen changed its size, or the player pressed Ctrl-L to redraw it
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
    """A key's name for messages."""
    return _NAMES.get(key) or f"'{printable(key[:10])}'"


class EndOfInput(Exception):
    """There are no more keys: the input ended or the player interrupted it."""


class Keys(Protocol):
    def key(self) -> str:
        """The next key; from a pipe the next line, stripped."""

    def line(self, echo: Callable[[str], None]) -> str | None:
        """The text up to Enter, or None after Escape. `echo` shows it while it is typed."""

    def discard_typed_ahead(self) -> None:
        """Drop keys that were pressed before the question appeared."""

    def pause(self, seconds: float) -> None:
        """Wait until a key is pressed or the time is over. The key is still read afterwards."""


class InterruptGuard:
    """Holds back SIGINT, SIGTERM and SIGHUP until the program waits for a key.

    So nothing is interrupted half-way.
    """

    def __init__(self) -> None:
        self._interrupted, self._waiting = False, False

    @contextmanager
    def allow_interrupt(self) -> Iterator[None]:
        self._waiting = True
        try:
            if self._interrupted:
                raise EndOfInput
            yield
        finally:
            self._waiting = False

    @contextmanager
    def catch_signals(self) -> Iterator[None]:
        signals = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
        before = {number: signal.signal(number, self._on_signal) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, _: int, __: FrameType | None) -> None:
        self._interrupted = True
        if self._waiting:
            raise EndOfInput


_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Pipe:
    """Reads one key per line. A line may hold the key's argument too: `a 25`, `r3`."""

    def __init__(self, guard: InterruptGuard) -> None:
        self._guard = guard

    def key(self) -> str:
        try:
            with self._guard.allow_interrupt():
                line = sys.stdin.readline()
        except OSError:  # a folder, or a write-only file
            raise EndOfInput from None
        if not line:
            raise EndOfInput
        return line.strip()

    def line(self, echo: Callable[[str], None]) -> str | None:  # noqa: ARG002 (a pipe echoes nothing)
        return self.key()

    def discard_typed_ahead(self) -> None:
        """Keep everything: a pipe is written beforehand."""

    def pause(self, seconds: float) -> None:
        """Do not wait: nobody watches a pipe."""


class Keyboard:
    """Reads single key presses from a terminal in cbreak mode."""

    def __init__(self, descriptor: int, guard: InterruptGuard) -> None:
        self._descriptor, self._guard = descriptor, guard
        self._resize_reader, self._resize_writer = (
            os.pipe()
        )  # wakes `key` when the terminal is resized
        os.set_blocking(self._resize_writer, False)

    def on_resize(self, _: int, __: FrameType | None) -> None:
        with suppress(BlockingIOError):  # the pipe is full of unread resizes
            os.write(self._resize_writer, b".")

    def close(self) -> None:
        os.close(self._resize_reader)
        os.close(self._resize_writer)

    def key(self) -> str:
        with self._guard.allow_interrupt():
            ready = select.select([self._descriptor, self._resize_reader], [], [])[0]
            if self._resize_reader in ready:
                os.read(self._resize_reader, 4096)
                return RESIZE
            first = self._read()
        if first in (b"", b"\x04"):  # the terminal is gone, or Ctrl-D
            raise EndOfInput
        if first in (b"\r", b"\n"):
            return ENTER
        if first in (b"\x7f", b"\b"):
            return BACKSPACE
        if first == b"\x1b":
            return _ARROWS.get(self._read_pending().replace(b"O", b"["), ESCAPE)
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

    def discard_typed_ahead(self) -> None:
        self._read_pending()

    def pause(self, seconds: float) -> None:
        with self._guard.allow_interrupt():
            select.select([self._descriptor], [], [], seconds)

    def _read_pending(self) -> bytes:
        """All bytes that are waiting. An arrow or function key sends several for one press."""
        rest = b""
        while select.select([self._descriptor], [], [], 0)[0] and (byte := self._read()):
            rest += byte
        return rest

    def _read(self) -> bytes:
        """One byte, or none if the terminal is gone."""
        try:
            return os.read(self._descriptor, 1)
        except OSError:
            return b""


_MAX_LINE_LENGTH = 60


@contextmanager
def open_keys() -> Iterator[Keys]:
    """Keys from the terminal or a pipe. The terminal's settings are restored afterwards."""
    guard = InterruptGuard()
    with guard.catch_signals():
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # invalid bytes become unknown keys
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            yield Pipe(guard)
            return
        try:
            import termios
            import tty
        except ImportError:  # not a POSIX system: one line per key
            yield Pipe(guard)
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        # While the program was stopped (Ctrl-Z), the shell has reset the terminal.
        old_sigcont = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(descriptor))
        keyboard = Keyboard(descriptor, guard)
        old_sigwinch = signal.signal(signal.SIGWINCH, keyboard.on_resize)
        try:
            tty.setcbreak(descriptor)
            yield keyboard
        finally:
            signal.signal(signal.SIGWINCH, old_sigwinch)
            signal.signal(signal.SIGCONT, old_sigcont)
            keyboard.close()
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
