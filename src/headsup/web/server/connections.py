"""Bounds what one connection may cost the server, before its bytes are parsed.

A WebSocket's pings, pongs and pieces of messages never reach the application, so its limit on
messages does not count them. Here every frame and byte counts, from the first one on. A connection
that goes over a limit is cut off at once: a polite close would have to wait for a peer who may
never read it.

The classes extend two protocols of uvicorn, as no other module does. They rely on its
`on_response_complete`, `pipeline` and `cycle`, and on `data_received` and `send` of its WebSockets:
check these after an upgrade of uvicorn.
"""

import asyncio
from functools import partial
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from headsup.game.values.str_enum import TextEnum
from headsup.house.people.rate_limits import TokenBucket
from headsup.web.live.protocol import MAX_MESSAGE_BYTES
from headsup.web.server.log import log
from headsup.web.server.operations import Metrics
from headsup.web.server.security import MAX_BODY_BYTES

# Enough for MESSAGE_BURST messages in several pieces each: whoever sends too many of them is still
# told so by the application.
FRAME_BURST, FRAMES_PER_SECOND = 100, 10.0
BYTE_BURST, BYTES_PER_SECOND = 128 * 1024, 16 * 1024.0

MAX_UNSENT_BYTES = 1024 * 1024  # on a socket; it writes on only below 64 KB
STALL_SECONDS = 20.0  # a peer must read what has been waiting for so long ...
MIN_READ_BYTES = 16 * 1024  # ... or at least this much of it
CLOSING_SECONDS = 5.0  # for a closing socket to send the rest and hear the answer

MAX_HEAD_BYTES = 32 * 1024  # request line and headers, to within a SLICE_BYTES
MAX_REQUEST_BYTES = MAX_HEAD_BYTES + 4 * MAX_BODY_BYTES  # with the marks between small pieces
HEAD_SECONDS = 10.0  # from the connection, or the last answer, to the end of the head
MAX_UNANSWERED_REQUESTS = 8  # sent without waiting for the answers
MAX_IDLE_CONNECTIONS = 256  # without a request; one more ends the oldest
SLICE_BYTES = 8 * 1024  # parsed at a time; limits are checked in between

LOGGED_CUTS, LOGGED_CUTS_PER_SECOND = 10, 0.1  # a flood must not flood the log

_HEAD_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)


class CutReason(TextEnum):
    """Why a connection was cut off."""

    FLOOD = "flood"  # too many frames or bytes on a socket
    UNREAD = "unread"  # the peer does not read
    LARGE_REQUEST = "large_request"
    SLOW_REQUEST = "slow_request"  # no complete head in time
    TOO_MANY_REQUESTS = "too_many_requests"  # unanswered ones
    TOO_MANY_IDLE = "too_many_idle"  # connections without a request


class FrameCounter:
    """Counts the frames that begin in a stream of bytes. It reads only their headers."""

    def __init__(self) -> None:
        self._header = b""  # the beginning of one that is incomplete
        self._skip = 0  # bytes left of a payload

    def count(self, data: bytes, limit: int) -> int:
        """The frames that begin in the data. It stops above the limit, and cannot go on then."""
        data = self._header + data
        at, frames = self._skip, 0
        while frames <= limit and (end := _frame_end(data, at)) is not None:
            at, frames = end, frames + 1
        self._header, self._skip = data[at:], max(0, at - len(data))
        return frames


def _frame_end(data: bytes, start: int) -> int | None:
    """Where the frame ends; None while its length is unknown (RFC 6455, section 5.2)."""
    if start + 2 > len(data):
        return None
    mask_bytes, length = (4 if data[start + 1] & 0x80 else 0), data[start + 1] & 0x7F
    length_bytes = {126: 2, 127: 8}.get(length, 0)
    header_end = start + 2 + length_bytes
    if header_end > len(data):
        return None
    if length_bytes:
        length = int.from_bytes(data[start + 2 : header_end])
    return header_end + mask_bytes + length


class SocketAllowance:
    """What one socket may send. A piece of a frame that arrives alone counts as a frame."""

    def __init__(self, now: float) -> None:
        self._counter = FrameCounter()
        self._frames = TokenBucket(FRAME_BURST, FRAMES_PER_SECOND, at=now)
        self._bytes = TokenBucket(BYTE_BURST, BYTES_PER_SECOND, at=now)

    def take(self, data: bytes, now: float) -> bool:
        """Whether this data, which has just arrived, is within the limits."""
        frames = max(1, self._counter.count(data, FRAME_BURST))
        return self._frames.take(now, frames) and self._bytes.take(now, len(data))


class ConnectionGuard:
    """What the connections of one server share: how many are idle, and how many were cut off."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._idle: dict[BoundedTransport, None] = {}  # oldest first
        self._log_limit = TokenBucket(LOGGED_CUTS, LOGGED_CUTS_PER_SECOND)

    def add_idle(self, transport: "BoundedTransport") -> None:
        self._idle[transport] = None
        if len(self._idle) > MAX_IDLE_CONNECTIONS:
            next(iter(self._idle)).cut(CutReason.TOO_MANY_IDLE)

    def remove_idle(self, transport: "BoundedTransport") -> None:
        self._idle.pop(transport, None)

    def record_cut(self, reason: CutReason, address: object, now: float) -> None:
        self._metrics.cut.labels(reason.value).inc()
        if self._log_limit.take(now):
            log.warning("connection cut off", why=reason.value, address=address)


class BoundedTransport:
    """A transport that is cut off when its peer does not read.

    It checks every STALL_SECONDS while anything is unsent. Everything else goes to the transport
    it wraps.
    """

    def __init__(
        self, inner: asyncio.Transport, guard: ConnectionGuard, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._inner, self.guard, self._loop = inner, guard, loop
        self._is_cut = self._is_socket = False
        self._written = 0
        self._stall_timer: asyncio.TimerHandle | None = None
        self._closing_timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def become_socket(self) -> None:
        """From now on it is a WebSocket: little is ever unsent, and closing has a deadline."""
        self._is_socket = True

    def write(self, data: bytes) -> None:
        if self._is_cut:
            return
        self._inner.write(data)
        self._written += len(data)
        if self._is_socket and self._inner.get_write_buffer_size() > MAX_UNSENT_BYTES:
            self.cut(CutReason.UNREAD)
        elif self._stall_timer is None:
            self._check_later(self._written)

    def _check_later(self, due: int) -> None:
        """Check later that the peer has read the first `due` bytes, or enough of them."""
        least = min(due, self._read_bytes() + MIN_READ_BYTES)
        self._stall_timer = self._loop.call_later(STALL_SECONDS, self._check_stall, least)

    def _check_stall(self, least: int) -> None:
        self._stall_timer = None
        if self._read_bytes() < least:
            self.cut(CutReason.UNREAD)
        elif self._inner.get_write_buffer_size():
            self._check_later(self._written)

    def _read_bytes(self) -> int:
        return self._written - self._inner.get_write_buffer_size()

    def close(self) -> None:
        self._inner.close()
        if self._is_socket:
            self.start_closing_deadline()

    def start_closing_deadline(self) -> None:
        if self._closing_timer is None:
            self._closing_timer = self._loop.call_later(CLOSING_SECONDS, self.abort)

    def cut(self, reason: CutReason) -> None:
        if not self._is_cut:
            address = self._inner.get_extra_info("peername")
            self.guard.record_cut(reason, address, self._loop.time())
            self.abort()

    def abort(self) -> None:
        self._is_cut = True
        self.stop_timers()
        self._inner.abort()

    def stop_timers(self) -> None:
        self.guard.remove_idle(self)
        for timer in (self._stall_timer, self._closing_timer):
            if timer is not None:
                timer.cancel()


class HttpConnection(HttpToolsProtocol):
    """HTTP with bounds on the size of a request, the time for its head, and requests at once.

    The time for a body is bounded by `SecurityMiddleware`, which reads it.
    """

    def __init__(self, *args: Any, guard: ConnectionGuard, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard = guard
        self._bounded: BoundedTransport
        self._head_timer: asyncio.TimerHandle | None = None
        self._in_head = False
        self._request_bytes = 0
        self._unanswered = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._bounded = BoundedTransport(transport, self._guard, self.loop)
        super().connection_made(cast(asyncio.Transport, self._bounded))
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # Requests that were never begun refer back to here: they would stay in memory until the
        # next garbage collection, far away.
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]
        self._stop_waiting()
        self._bounded.stop_timers()

    def _wait_for_head(self) -> None:
        self._stop_waiting()
        self._head_timer = self.loop.call_later(
            HEAD_SECONDS, self._bounded.cut, CutReason.SLOW_REQUEST
        )
        self._guard.add_idle(self._bounded)

    def _stop_waiting(self) -> None:
        self._guard.remove_idle(self._bounded)
        if self._head_timer is not None:
            self._head_timer.cancel()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return  # refused
            piece = data[start : start + SLICE_BYTES]
            self._request_bytes += len(piece)
            super().data_received(piece)
            if self.transport.get_protocol() is not self:
                # A WebSocket from now on, and `connection_lost` is never called here. The parser
                # refers back to here, too.
                self.parser = None  # type: ignore[assignment]
                return
            self._check_limits()

    def _check_limits(self) -> None:
        if self._unanswered > MAX_UNANSWERED_REQUESTS:
            self._bounded.cut(CutReason.TOO_MANY_REQUESTS)
        elif self._request_bytes > (MAX_HEAD_BYTES if self._in_head else MAX_REQUEST_BYTES):
            if self._in_head and not self._unanswered:
                self.transport.write(_HEAD_TOO_LARGE)
                self.transport.close()
            else:
                self._bounded.cut(CutReason.LARGE_REQUEST)

    # Callbacks of the parser.

    def on_message_begin(self) -> None:
        self._in_head, self._request_bytes = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # headers after the body are ignored
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._unanswered += 1
        self._stop_waiting()
        if self._unanswered <= MAX_UNANSWERED_REQUESTS:  # else it is cut off after this piece
            super().on_headers_complete()

    def on_response_complete(self) -> None:
        self._unanswered -= 1
        if not self._unanswered and not self.transport.is_closing():
            self._wait_for_head()
        super().on_response_complete()


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket whose every frame and byte counts, and whose closing has a deadline."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._allowance: SocketAllowance | None = None
        self._bounded: BoundedTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._bounded = cast(BoundedTransport, transport)  # an HttpConnection hands over its own
        self._bounded.become_socket()
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._bounded.stop_timers()

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        if self._allowance is None:  # the request, which the HttpConnection hands over
            self._allowance = SocketAllowance(now)
        elif not self._allowance.take(data, now):
            self._bounded.cut(CutReason.FLOOD)
            return
        super().data_received(data)

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self._bounded.start_closing_deadline()
        await super().send(message)


def connection_options(metrics: Metrics) -> dict[str, Any]:
    """Options for uvicorn.

    No compression: the length of compressed messages leaks their contents when an attacker
    controls part of them (OWASP: no permessage-deflate).
    """
    return {
        "http": partial(HttpConnection, guard=ConnectionGuard(metrics)),
        "ws": SocketConnection,
        "ws_max_size": MAX_MESSAGE_BYTES + 1,  # longer messages close the socket with 1009
        "ws_per_message_deflate": False,
    }
