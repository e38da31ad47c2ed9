"""Exports on their way: read a little at a time, as fast as they are taken, and ended with whoever
takes them."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from headsup.house.history.exports import ExportFormat
from headsup.web.server.errors import ApiError

MAX_EXPORTS_PER_PERSON = 3  # of one person at the same time: who stops reading keeps one open
LINES_PER_CHUNK = 200  # in one go
_CONTENT_TYPES = {ExportFormat.CSV: "text/csv; charset=utf-8"}


class Exports:
    """Those under way at this server, by who takes them."""

    def __init__(self) -> None:
        self._under_way: Counter[str] = Counter()

    def sent(self, person: str, lines: Iterator[str], kind: str) -> StreamingResponse:
        if self._under_way[person] >= MAX_EXPORTS_PER_PERSON:
            raise ApiError(429, "too_many_exports", "wait until one of your exports has ended")
        self._under_way[person] += 1
        return _ExportResponse(lines, kind, lambda: self._ended(person))

    def _ended(self, person: str) -> None:
        self._under_way[person] -= 1
        if not self._under_way[person]:
            del self._under_way[person]


class _ExportResponse(StreamingResponse):
    """It says when it has ended, also where nobody takes the rest of it."""

    def __init__(self, lines: Iterator[str], kind: str, ended: Callable[[], None]) -> None:
        super().__init__(_chunks(lines), media_type=kind)
        self._lines, self._ended = lines, ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()
            if (close := getattr(self._lines, "close", None)) is not None:
                close()


async def _chunks(lines: Iterator[str]) -> AsyncIterator[str]:
    while held := await run_in_threadpool(lambda: list(islice(lines, LINES_PER_CHUNK))):
        yield "".join(held)


def content_type_of(format: ExportFormat) -> str:
    return _CONTENT_TYPES.get(format, "text/plain; charset=utf-8")


def exports_of(request: Request) -> Exports:
    exports: Exports = request.app.state.exports
    return exports
