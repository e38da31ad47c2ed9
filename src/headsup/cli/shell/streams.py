"""Standard input, output and error as the commands use them, also where one is closed or full.

What can go wrong with standard output is an exception of its own, no OSError: the libraries that
print catch those, and end the program with a status that here means something else.
"""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

# A log that does not hold, or a round that was not fair, is 1; an interrupted command 130, as in
# any shell.
EXIT_REFUSED = 2


class UnwritableOutput(Exception):
    """Standard output takes no more."""

    def __init__(self, reason: str, reader_gone: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.reader_gone = reason, reader_gone


# A file's own `write` takes any buffer; what is written through text is one of these.
OutputBytes = bytes | bytearray | memoryview


class _GuardedStdout(FileIO):
    def write(self, data: OutputBytes, /) -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            reason = error.strerror or str(error)
            raise UnwritableOutput(reason, isinstance(error, BrokenPipeError)) from None


class _LenientStderr(FileIO):
    """Where nobody can read what is said on the side, the command goes on without it."""

    def write(self, data: OutputBytes, /) -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return len(data)


def prepare_streams() -> None:
    """Make the standard streams safe to use; those that are not the process's own are left."""
    for descriptor in (0, 1, 2):
        _open_if_closed(descriptor)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 (for as long as the process lives)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_LenientStderr(2, "w", closefd=False), sys.stderr, "backslashreplace")
    if sys.stdout is None:
        raise UnwritableOutput("standard output is closed")
    if sys.stdout is sys.__stdout__:
        # A terminal without × or – still gets the rest.
        sys.stdout = _text(_GuardedStdout(1, "w", closefd=False), sys.stdout, "replace")


def _open_if_closed(descriptor: int) -> None:
    """Something at the place of a closed stream, or the next file opened would be taken for it."""
    try:
        os.fstat(descriptor)
    except OSError:
        nothing = os.open(os.devnull, os.O_RDWR)
        if nothing != descriptor:
            os.dup2(nothing, descriptor)
            os.close(nothing)


def _text(raw: FileIO, like: "TextIOWrapper | None", errors: str) -> TextIOWrapper:
    encoding = like.encoding if like is not None else "utf-8"
    by_line = like.line_buffering if like is not None else True
    return TextIOWrapper(BufferedWriter(raw), encoding, errors, line_buffering=by_line)


def discard_output() -> None:
    """Let nothing that is still waiting be written when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
