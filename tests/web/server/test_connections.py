"""The bounds of one connection: frames counted from raw bytes, and peers who do not read."""

import asyncio
import gc
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.frames import Frame, Opcode

from headsup.web.server.connections import (
    BYTE_BURST,
    CLOSING_SECONDS,
    FRAME_BURST,
    FRAMES_PER_SECOND,
    MAX_IDLE_CONNECTIONS,
    MAX_UNSENT_BYTES,
    MIN_READ_BYTES,
    STALL_SECONDS,
    BoundedTransport,
    ConnectionGuard,
    CutReason,
    FrameCounter,
    HttpConnection,
    SocketAllowance,
    SocketConnection,
)
from headsup.web.server.operations import Metrics
from tests.support.web.live_server import live


def frame(opcode: Opcode, payload: bytes, final: bool = True) -> bytes:
    return Frame(opcode, payload, final).serialize(mask=True)


def test_frames_are_counted_however_the_bytes_are_cut() -> None:
    chance = random.Random(1)
    kinds = (Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CONT)
    for _ in range(200):
        sizes = [chance.choice((0, 1, 125, 126, 127, 4096, 70_000)) for _ in range(12)]
        stream = b"".join(
            frame(kind, bytes(size if kind not in (Opcode.PING, Opcode.PONG) else size % 126))
            for size in sizes
            for kind in (chance.choice(kinds),)
        )
        cuts = sorted(chance.sample(range(len(stream)), min(len(stream), 30)))
        pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        counter = FrameCounter()
        assert sum(counter.count(piece, FRAME_BURST) for piece in pieces) == len(sizes)


def test_frames_are_not_counted_on_above_the_limit() -> None:
    assert FrameCounter().count(frame(Opcode.PING, b"") * 100_000, FRAME_BURST) == FRAME_BURST + 1


@pytest.mark.parametrize(
    "data",
    [
        frame(Opcode.PING, b""),
        frame(Opcode.PONG, b""),
        frame(Opcode.CONT, b"", final=False),
        frame(Opcode.TEXT, b"{}"),
        b"\x81",  # a frame byte by byte
    ],
    ids=["ping", "pong", "continuation", "text", "half a frame"],
)
def test_every_kind_of_frame_counts(data: bytes) -> None:
    together, singly = SocketAllowance(0), SocketAllowance(0)
    assert not together.take(data * 8 * FRAME_BURST, 0)
    assert all(singly.take(data, 0) for _ in range(FRAME_BURST))
    assert not singly.take(data, 0)
    assert singly.take(data, 1 / FRAMES_PER_SECOND)


def test_bytes_count_too() -> None:
    allowance = SocketAllowance(0)
    assert allowance.take(frame(Opcode.TEXT, bytes(BYTE_BURST - 14)), 0)
    assert not allowance.take(frame(Opcode.TEXT, bytes(14)), 0)


class Clock:
    """A loop whose time a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self._calls: list[tuple[float, Call]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, do: Callable[..., None], *args: Any) -> "Call":
        call = Call(do, args)
        self._calls.append((self.now + seconds, call))
        return call

    def pass_time(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [entry for entry in self._calls if entry[0] <= until]:
            first = min(due, key=lambda entry: entry[0])
            self._calls.remove(first)
            self.now = first[0]
            first[1].run()
        self.now = until


class Call:
    def __init__(self, do: Callable[..., None], args: tuple[Any, ...]) -> None:
        self._do, self._args, self._cancelled = do, args, False

    def cancel(self) -> None:
        self._cancelled = True

    def run(self) -> None:
        if not self._cancelled:
            self._do(*self._args)


class Peer:
    """The transport to a peer who reads when the test says so."""

    def __init__(self) -> None:
        self.unread = 0
        self.is_aborted = self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_aborted
        self.unread += len(data)

    def read(self, size: int) -> None:
        self.unread -= size

    def get_write_buffer_size(self) -> int:
        return self.unread

    def get_extra_info(self, _name: str) -> None:
        return None

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_aborted = True


class Line:
    """One bounded transport, with its peer, clock and metrics."""

    def __init__(self, guard: ConnectionGuard | None = None) -> None:
        self.peer, self.clock, self.metrics = Peer(), Clock(), Metrics()
        self.transport = BoundedTransport(
            cast(asyncio.Transport, self.peer),
            guard or ConnectionGuard(self.metrics),
            cast(asyncio.AbstractEventLoop, self.clock),
        )

    def cuts(self, reason: CutReason) -> float:
        return float(self.metrics.cut.labels(reason.value)._value.get())


def test_a_peer_who_reads_nothing_is_cut_off() -> None:
    line = Line()
    line.transport.write(b"x")
    line.clock.pass_time(STALL_SECONDS - 1)
    assert line.cuts(CutReason.UNREAD) == 0
    line.clock.pass_time(2)
    assert line.cuts(CutReason.UNREAD) == 1
    assert line.peer.is_aborted
    line.transport.write(b"more")  # is dropped


def test_a_peer_who_reads_slowly_but_enough_stays() -> None:
    line = Line()
    line.transport.write(bytes(10 * MIN_READ_BYTES))
    for _ in range(9):
        line.peer.read(MIN_READ_BYTES)
        line.clock.pass_time(STALL_SECONDS)
    assert not line.peer.is_aborted
    line.clock.pass_time(STALL_SECONDS)
    assert line.peer.is_aborted


def test_a_peer_who_keeps_up_with_little_stays() -> None:
    line = Line()
    for _ in range(100):
        line.transport.write(b"news")
        line.clock.pass_time(STALL_SECONDS / 3)
        line.peer.read(4)
        line.transport.write(b"more news")
        line.peer.read(9)
    assert not line.peer.is_aborted


def test_a_socket_with_too_much_unsent_is_cut_off_at_once() -> None:
    line = Line()
    line.transport.write(bytes(MAX_UNSENT_BYTES + 1))  # a long answer by HTTP
    assert not line.peer.is_aborted
    line.transport.become_socket()
    line.transport.write(b"x")
    assert line.peer.is_aborted


@pytest.mark.parametrize("closing", ["close", "start_closing_deadline"])
def test_a_socket_whose_closing_is_not_read_is_cut_off(closing: str) -> None:
    line = Line()
    line.transport.become_socket()
    line.transport.write(b"closing")
    getattr(line.transport, closing)()
    line.clock.pass_time(CLOSING_SECONDS + 1)
    assert line.peer.is_aborted


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.mark.parametrize(
    ("request_bytes", "then"),
    [
        (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8, b""),
        (b"GET /table/main.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
        (b"GET /welcome HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
        (b"GET / HTTP/1.1\r\nHost: 127", b""),
        (b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{", b""),
        (UPGRADE, b""),
        (UPGRADE, frame(Opcode.CLOSE, b"\x03\xe8")),
        (UPGRADE, frame(Opcode.PING, b"") * 8 * FRAME_BURST),
    ],
    ids=["pipelined", "file", "page", "head", "body", "socket", "closed socket", "flood"],
)
async def test_abandoned_connections_need_no_garbage_collection(
    tmp_path: Path, request_bytes: bytes, then: bytes
) -> None:
    """The server collects garbage so rarely that they would fill its memory, and then so much of
    it that everybody would have to wait."""

    def count() -> int:
        # By type: isinstance would ask a weak proxy whose object is gone, and that raises.
        kinds = (HttpConnection, SocketConnection, BoundedTransport)
        return sum(type(one) in kinds for one in gc.get_objects())

    async with live(tmp_path) as server:
        gc.collect()
        gc.freeze()  # what there is already need not be counted again and again
        gc.disable()
        try:
            before = count()
            _, writer = await asyncio.open_connection(
                "127.0.0.1", int(server.address.rpartition(":")[2])
            )
            writer.write(request_bytes)
            async with asyncio.timeout(60):
                while count() == before:
                    await asyncio.sleep(0)
                if then:
                    writer.write(then)
                for _ in range(20):
                    await asyncio.sleep(0)
                writer.transport.abort()
                while count() > before:
                    await asyncio.sleep(0.01)
        finally:
            gc.enable()


def test_the_oldest_idle_connection_makes_room() -> None:
    guard = ConnectionGuard(Metrics())
    lines = [Line(guard) for _ in range(MAX_IDLE_CONNECTIONS + 2)]
    for line in lines[:-1]:
        guard.add_idle(line.transport)
    guard.remove_idle(lines[1].transport)
    guard.add_idle(lines[-1].transport)
    assert [line.peer.is_aborted for line in lines] == [True] + [False] * (len(lines) - 1)
