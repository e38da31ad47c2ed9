"""Makes standard input, output and error safe to use, even if one of them is closed or full.

A failure of standard output is not an OSError but its own exception: printing libraries catch
OSError and exit with a status that has another meaning here.
"""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from headsup.cli.shell.stand_ins import STDERR_ERRORS, STDOUT_ERRORS

# Status 1 is a verdict (a broken log, an unfair round); 130 is an interrupt, as in any shell.
EXIT_REFUSED = 2


class UnwritableOutput(Exception):
    """Standard output is closed, full or disconnected."""

    def __init__(self, reason: str, reader_gone: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.reader_gone = reason, reader_gone


# FileIO.write takes any buffer; a text stream passes one of these.
OutputBytes = bytes | bytearray | memoryview


class _GuardedStdout(FileIO):
    def write(self, data: OutputBytes, /) -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            reason = error.strerror or str(error)
            raise UnwritableOutput(reason, isinstance(error, BrokenPipeError)) from None


class _LenientStderr(FileIO):
    """Standard error that ignores write errors: a closed or full one never stops a command."""

    def write(self, data: OutputBytes, /) -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return len(data)


def prepare_streams() -> None:
    """Replace the process's standard streams. Streams that a caller redirected are left alone."""
    for descriptor in (0, 1, 2):
        _open_if_closed(descriptor)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 (open until the process ends)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text_stream(_LenientStderr(2, "w", closefd=False), sys.stderr, STDERR_ERRORS)
    if sys.stdout is None:
        raise UnwritableOutput("standard output is closed")
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text_stream(_GuardedStdout(1, "w", closefd=False), sys.stdout, STDOUT_ERRORS)


def _open_if_closed(descriptor: int) -> None:
    """Open /dev/null at a closed descriptor, or the next file opened would get its number."""
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)


def _text_stream(raw: FileIO, like: "TextIOWrapper | None", errors: str) -> TextIOWrapper:
    encoding = like.encoding if like is not None else "utf-8"
    by_line = like.line_buffering if like is not None else True
    return TextIOWrapper(BufferedWriter(raw), encoding, errors, line_buffering=by_line)


def discard_output() -> None:
    """Send buffered output to /dev/null, so that flushing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
