"""By which names a server that is for its own machine alone may be asked.

A page of another name can have that name lead to this machine while it is open (DNS rebinding); its
requests then come from here, and from their own origin. What they ask for is still that name.
"""

import re
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from headsup.game.refusal import Code, Refusal, refusal
from headsup.web.server.errors import error_response

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]{1,5})?")


class LoopbackGuard:
    """Refuses every request and every socket whose Host is no loopback name. Starlette's
    `TrustedHostMiddleware` does so in words of its own, which no client of ours reads."""

    def __init__(self, app: ASGIApp, house: bool) -> None:
        self.app, self._house = app, house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) == 1 and is_loopback(_name(hosts[0])):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            why = self._why(", ".join(hosts))
            await error_response(403, why.code, why.message)(scope, receive, send)

    def _why(self, name: str) -> Refusal:
        if self._house:
            return refusal(Code.FOREIGN_HOST, "house", name=name)
        return refusal(Code.FOREIGN_HOST, name=name)


def is_loopback(name: str) -> bool:
    """An address of this machine that no other has, or the one name that always means it."""
    try:
        return name.casefold() == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """Without the port; empty where it cannot be read."""
    parts = _HOST.fullmatch(host)
    return "" if parts is None else parts[1] or parts[2]
