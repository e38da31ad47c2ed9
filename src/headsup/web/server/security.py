"""Security at the edge of the server: response headers, origins, hosts, sizes and rates.

Pages load only what this server sends, cannot be framed, and talk only to the server they came
from. Requests are limited in size and rate, and refusals give little away.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from headsup.game.refusal import Code, Refusal, refusal
from headsup.house.people.rate_limits import MESSAGE_BURST as MESSAGE_BURST
from headsup.house.people.rate_limits import MESSAGES_PER_SECOND as MESSAGES_PER_SECOND
from headsup.house.people.rate_limits import RateLimiter as RateLimiter
from headsup.house.people.rate_limits import TokenBucket as TokenBucket
from headsup.web.server.errors import error_response

SESSION_COOKIE = "headsup"  # holds the token of a log-in
MAX_BODY_BYTES = 64 * 1024
BODY_SECONDS = 10.0  # to send it
READ_BURST, READS_PER_SECOND = 60, 5.0  # per person, for lists that several pages poll

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
_TOO_SLOW = b'{"error":{"code":"too_slow","message":"the request did not arrive in time"}}'


class SecurityMiddleware:
    """Adds the security headers to every response; refuses bodies that are too large or slow."""

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

        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = (
                    None if _declared_length(scope) > MAX_BODY_BYTES else await _read_body(receive)
                )
        except TimeoutError:
            await _refuse_body(with_headers, 408, _TOO_SLOW)
            return
        if body is None:
            await _refuse_body(with_headers, 413, _TOO_LARGE)
            return
        if body[-1]["type"] == "http.disconnect":
            return  # nobody waits for the answer
        await self.app(scope, _replay_messages(body, receive), with_headers)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else MAX_BODY_BYTES + 1
    return 0


async def _read_body(receive: Receive) -> list[Message] | None:
    """The messages of the whole body; None if it is too large, whatever content-length says."""
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > MAX_BODY_BYTES:
            return None
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return messages


def _replay_messages(messages: list[Message], receive: Receive) -> Receive:
    replayed = iter(messages)

    async def replay() -> Message:
        return next(replayed, None) or await receive()

    return replay


async def _refuse_body(
    send: Callable[[Message], Awaitable[None]], status: int, body: bytes
) -> None:
    """Answer and end the connection, or the rest of the body would still have to be read."""
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def is_same_origin(connection: HTTPConnection, allowed: tuple[str, ...]) -> bool:
    """Whether the request comes from one of our pages, or from an origin the operator allowed.

    Programs send no Origin; for them the token alone decides.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if allowed:  # the scheme counts too: the same host without HTTPS is a foreign page
        return origin in allowed
    # Compared as a whole, never parsed: a malformed origin is simply foreign.
    host = connection.headers.get("host", "").casefold()
    return host != "" and origin.casefold() in (f"http://{host}", f"https://{host}")


# Host names for a server that only its own machine may use.
#
# With DNS rebinding, a foreign page makes its own host name resolve to this machine. Its requests
# then come from loopback and look same-origin, but their Host header still has the foreign name.

_HOST_PATTERN = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]{1,5})?")


class LoopbackGuard:
    """Refuses every request and socket whose Host is not a loopback name.

    Starlette's `TrustedHostMiddleware` would answer in plain text, which our clients do not parse.
    """

    def __init__(self, app: ASGIApp, for_house: bool) -> None:
        self.app, self._for_house = app, for_house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) == 1 and is_loopback(_host_name(hosts[0])):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            refused = self._refusal(", ".join(hosts))
            await error_response(403, refused.code, refused.message)(scope, receive, send)

    def _refusal(self, name: str) -> Refusal:
        if self._for_house:
            return refusal(Code.FOREIGN_HOST, "house", name=name)
        return refusal(Code.FOREIGN_HOST, name=name)


def is_loopback(name: str) -> bool:
    """Whether it is `localhost` or a loopback address."""
    try:
        return name.casefold() == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _host_name(host: str) -> str:
    """The host without its port; empty if malformed."""
    parts = _HOST_PATTERN.fullmatch(host)
    return "" if parts is None else parts[1] or parts[2]
