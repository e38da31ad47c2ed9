"""Logging for operators; the server decides where the lines go."""

from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger("headsup.house")


def short_traceback(error: BaseException) -> str:
    """The files and lines an error came through. Its text is left out: it may name cards or a
    password."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(frames[-8:])


async def log_failure(work: Callable[[], Awaitable[None]]) -> None:
    """Do something that must not stop anything else: if it fails, log that and go on."""
    try:
        await work()
    except Exception as error:
        name = getattr(work, "__qualname__", "")
        log.error(
            "background task failed",
            what=name,
            why=type(error).__name__,
            at=short_traceback(error),
        )


class ErrorStreak:
    """Logs an error that may repeat many times: once when it starts and once when it ends."""

    def __init__(self, message: str) -> None:
        self._message, self._is_failing = message, False

    def failed(self, error: BaseException) -> None:
        if not self._is_failing:
            log.error(self._message, why=type(error).__name__, at=short_traceback(error))
        self._is_failing = True

    def recovered(self) -> None:
        if self._is_failing:
            log.info("recovered", what=self._message)
        self._is_failing = False
