"""Floods a server on this machine with raw connections, as a program of its own.

`python flooder.py KIND PORT SECONDS HOST` prints how many connections it opened and how many of
them the server ended, as JSON. `HOST` is the name in its requests.
"""

import json
import socket
import sys
import time
from collections.abc import Callable

HOST = sys.argv[4].encode()
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: " + HOST + b"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
TEXT, PING, PONG, CONTINUATION, FINAL = 0x1, 0x9, 0xA, 0x0, 0x80
BATCH = 5_000  # frames sent at once


def frame(first: int, payload: bytes = b"") -> bytes:
    """A frame masked with zeros, so that its payload is sent as it is."""
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes((first,)) + length + bytes(4) + payload


# Without a log-in. The first bytes are sent once, the others again and again.
FRAMES: dict[str, tuple[bytes, bytes]] = {
    "pings": (b"", frame(FINAL | PING) * BATCH),
    "unread pings": (b"", frame(FINAL | PING, b"x" * 125) * BATCH),
    "pongs": (b"", frame(FINAL | PONG) * BATCH),
    "empty continuations": (frame(TEXT), frame(CONTINUATION) * BATCH),
    "fragments": (b"", (frame(TEXT, b"a") + frame(FINAL | CONTINUATION, b"b")) * BATCH),
    "messages": (b"", frame(FINAL | TEXT, b"a") * BATCH),
    "large messages": (b"", frame(FINAL | TEXT, b"a" * 60_000) * 8),
    "single bytes": (b"", frame(FINAL | PING, b"a" * 125)),
}
REQUESTS: dict[str, tuple[bytes, bytes]] = {
    "pipelined requests": (b"", (b"GET /health HTTP/1.1\r\nHost: " + HOST + b"\r\n\r\n") * BATCH),
    "large head": (b"GET / HTTP/1.1\r\n", b"X-Filler: abcdefghij\r\n" * BATCH),
    "trailers": (
        b"POST /api/login HTTP/1.1\r\nHost: "
        + HOST
        + b"\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        b"X-Filler: abcdefghij\r\n" * BATCH,
    ),
}
# Sent at the start, and then byte by byte.
SLOW: dict[str, tuple[int, bytes, bytes]] = {
    "idle connections": (400, b"", b""),
    "idle sockets": (400, UPGRADE, b""),
    "slow heads": (60, b"GET / HTTP/1.1\r\nX-Filler: ", b"x"),
    "slow bodies": (
        60,
        b"POST /api/login HTTP/1.1\r\nHost: " + HOST + b"\r\nContent-Length: 1000\r\n\r\n",
        b" ",
    ),
    "unread answers": (
        20,
        (b"GET /table/table.css HTTP/1.1\r\nHost: " + HOST + b"\r\n\r\n") * 8,
        b"",
    ),
}


def main(kind: str, port: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    if kind in SLOW:
        opened, ended = hold(port, until, *SLOW[kind], reads=kind != "unread answers")
    else:
        opened = ended = 0
        while time.monotonic() < until:
            opened += 1
            ended += flood(kind, port, until)
    print(json.dumps({"opened": opened, "ended": ended}))


def flood(kind: str, port: int, until: float) -> bool:
    """Send as fast as possible. Returns whether the server ended the connection."""
    with socket.create_connection(("127.0.0.1", port)) as wire:
        if kind in FRAMES:
            wire.sendall(UPGRADE)
            if b" 101 " not in wire.recv(4096):  # a proxy refuses too many connections
                time.sleep(0.01)
                return True
        once, always = {**FRAMES, **REQUESTS}[kind]
        wire.setblocking(False)
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        unsent = memoryview(once + always)
        while time.monotonic() < until:
            ended = is_ended(lambda: wire.recv(65536)) if kind != "unread pings" else False
            try:
                piece = unsent[:1] if kind == "single bytes" else unsent
                unsent = unsent[wire.send(piece) :] or memoryview(always)
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                ended = True
            if ended:
                return True
        return False


def is_ended(read: Callable[[], bytes]) -> bool:
    try:
        return read() == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def hold(
    port: int, until: float, count: int, start: bytes, drop: bytes, reads: bool
) -> tuple[int, int]:
    """Open connections and say little. Returns how many there were, and how many were ended."""
    wires = []
    for _ in range(count):
        wire = socket.socket()
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.connect(("127.0.0.1", port))
        wire.sendall(start)
        wire.setblocking(False)
        wires.append(wire)
    opened = set(wires)
    while opened and time.monotonic() < until:
        time.sleep(0.05)
        opened = {wire for wire in opened if not has_ended(wire, drop, reads)}
    ended = len(wires) - len(opened)
    if not reads:  # what the server had sent already can still be read, and then the end
        time.sleep(0.2)
        ended = sum(drain(wire) for wire in wires)
    return len(wires), ended


def has_ended(wire: socket.socket, drop: bytes, reads: bool) -> bool:
    if drop:
        try:
            wire.send(drop)
        except BlockingIOError:
            pass
        except OSError:
            return True
    return reads and is_ended(lambda: wire.recv(65536))


def drain(wire: socket.socket) -> bool:
    """Read what has arrived. Returns whether it stops short: the server has cut it off."""
    wire.settimeout(0.5)
    try:
        while wire.recv(1 << 20):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
