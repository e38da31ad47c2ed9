"""Streams exports: read in small chunks, as fast as the client takes them."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from headsup.house.history.exports import ExportFormat
from headsup.web.server.errors import ApiError

MAX_EXPORTS_PER_PERSON = 3  # at the same time; a client that stops reading keeps one open
LINES_PER_CHUNK = 200
_CONTENT_TYPES = {ExportFormat.CSV: "text/csv; charset=utf-8"}


class Exports:
    """The running exports of this server, counted by person."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()

    def stream(self, person: str, lines: Iterator[str], kind: str) -> StreamingResponse:
        if self._running[person] >= MAX_EXPORTS_PER_PERSON:
            raise ApiError(
                429, "too_many_exports", "too many exports at once; wait until one has finished"
            )
        self._running[person] += 1
        return _ExportResponse(lines, kind, lambda: self._release(person))

    def _release(self, person: str) -> None:
        self._running[person] -= 1
        if not self._running[person]:
            del self._running[person]


class _ExportResponse(StreamingResponse):
    """Calls `ended` when it is over, even if the client left early."""

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
    while chunk := await run_in_threadpool(lambda: list(islice(lines, LINES_PER_CHUNK))):
        yield "".join(chunk)


def content_type_of(format: ExportFormat) -> str:
    return _CONTENT_TYPES.get(format, "text/plain; charset=utf-8")


def exports_of(request: Request) -> Exports:
    exports: Exports = request.app.state.exports
    return exports
