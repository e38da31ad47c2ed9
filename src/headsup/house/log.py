"""What the house tells those who run it; where the lines go is set up by the server."""

from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger("headsup.house")


def short_traceback(error: BaseException) -> str:
    """Where an error came from, by file and line: its own text may name cards or a password."""
    found, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(found[-8:])


async def log_failure(work: Callable[[], Awaitable[None]]) -> None:
    """Do what nothing else may wait for or end with; where it fails, that is told here."""
    try:
        await work()
    except Exception as error:
        name = getattr(work, "__qualname__", "")
        log.error("this failed", what=name, why=type(error).__name__, at=short_traceback(error))


class ErrorStreak:
    """Something that goes wrong again and again: told when it begins and when it is over."""

    def __init__(self, what: str) -> None:
        self._what, self._now = what, False

    def seen(self, error: BaseException) -> None:
        if not self._now:
            log.error(self._what, why=type(error).__name__, at=short_traceback(error))
        self._now = True

    def over(self) -> None:
        if self._now:
            log.info("this is over", what=self._what)
        self._now = False
