"""Runs `headsup` as a separate process: with piped keys, or at a pseudo-terminal."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

PROGRAM = [sys.executable, "-c", "from headsup.cli import main; main()"]


def environment(home: Path) -> dict[str, str]:
    inherited = {
        name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")
    }
    return {
        **inherited,
        "XDG_DATA_HOME": str(home),
        "TERM": "xterm-256color",
        "PYTHONIOENCODING": "utf-8",
    }


def run(home: Path, *arguments: str, keys: str = "") -> subprocess.CompletedProcess[str]:
    """Run to the end with keys line by line on standard input."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=keys,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(home),
        timeout=300,
        check=False,
    )


class Terminal:
    """A pseudo-terminal of 80 × 24 with the program in the foreground."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = self.modes()
        self._seen = b""
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environment(home),
            start_new_session=True,
            preexec_fn=self._take_foreground,  # noqa: PLW1509 (there are no threads here)
        )

    def _take_foreground(self) -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self._slave)

    def resize(self, columns: int, rows: int) -> None:
        """Resize as a window manager does; the foreground program gets SIGWINCH."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def until(self, words: str) -> str:
        """Wait for these words. Returns everything shown since the last call, up to them."""
        wanted = words.encode()
        deadline = time.monotonic() + 300
        while wanted not in self._seen:
            left = deadline - time.monotonic()
            ready = select.select([self._master], [], [], max(left, 0))[0]
            assert ready, f"{words!r} never came; shown was {self._seen.decode()!r}"
            self._seen += os.read(self._master, 65536)
        shown, _, self._seen = self._seen.partition(wanted)
        return (shown + wanted).decode()

    def end(self) -> int:
        """Wait for the program to end. Returns its exit status."""
        return self.process.wait(timeout=300)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
        os.close(self._slave)
