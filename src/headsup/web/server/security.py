"""What every answer and every request must meet: headers, origins, sizes and rates.

A page may load nothing but what this server sends, may be framed by nobody, and talks only to
where it came from. Requests are small and not too many; what is refused says little.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headsup.house.people.rate_limits import MESSAGE_BURST as MESSAGE_BURST
from headsup.house.people.rate_limits import MESSAGES_PER_SECOND as MESSAGES_PER_SECOND
from headsup.house.people.rate_limits import RateLimiter as RateLimiter
from headsup.house.people.rate_limits import TokenBucket as TokenBucket
from headsup.web.live.protocol import MAX_MESSAGE_BYTES

SESSION_COOKIE = "headsup"  # whose value proves a log-in
MAX_BODY_BYTES = 64 * 1024
READ_BURST, READS_PER_SECOND = 60, 5.0  # of one person at lists that several pages show anew

# What every server tells uvicorn about sockets. Compression would let the length of what a player
# sends and is sent together tell of what neither should know (OWASP: no permessage-deflate).
SOCKET_OPTIONS: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_max_size": MAX_MESSAGE_BYTES + 1,  # a longer message is cut off with 1009
    "ws_per_message_deflate": False,
}

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; manifest-src 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
_ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


_TOO_LARGE = b'{"error":{"code":"too_large","message":"a request has at most 64 KB"}}'


class SecurityMiddleware:
    """Adds the headers to every answer, and refuses bodies that are too large."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *_ENCODED_HEADERS]}
            await send(message)

        body = None if _declared_length(scope) > MAX_BODY_BYTES else await _read(receive)
        if body is None:
            await _send_json(with_headers, 413, _TOO_LARGE)
            return
        await self.app(scope, _replay_messages(body, receive), with_headers)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else MAX_BODY_BYTES + 1
    return 0


async def _read(receive: Receive) -> list[Message] | None:
    """The whole body, which is small; None where it is not, whatever its sender said."""
    messages, read = [], 0
    while True:
        message = await receive()
        messages.append(message)
        read += len(message.get("body", b""))
        if read > MAX_BODY_BYTES:
            return None
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return messages


def _replay_messages(messages: list[Message], receive: Receive) -> Receive:
    held = iter(messages)

    async def again() -> Message:
        return next(held, None) or await receive()

    return again


async def _send_json(send: Callable[[Message], Awaitable[None]], status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def is_same_origin(connection: HTTPConnection, allowed: tuple[str, ...]) -> bool:
    """A browser names the page that asks; only this server's own pages, or those the operator
    named, may. What is no browser sends no Origin, and its token alone decides."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if allowed:  # also by what it is asked: a page without HTTPS is another's, whatever its name
        return origin in allowed
    # Compared and never taken apart: whatever a stranger writes there is foreign at worst.
    host = connection.headers.get("host", "").casefold()
    return host != "" and origin.casefold() in (f"http://{host}", f"https://{host}")
