"""Leads clients to the server that runs their table.

A socket gets a `moved` message, an HTTP request a redirect to `/at/NAME/…` at the same origin. The
proxy sends addresses below `/at/NAME/` to the server that was started with `--at NAME`.
"""

import asyncio
from contextlib import suppress
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from headsup.game.refusal import Code, refusal
from headsup.house.floor.host import FloorHost, FloorMoved, FloorUnavailable
from headsup.house.house import Elsewhere, House
from headsup.house.log import log, short_traceback
from headsup.web.live.sockets import Sockets, socket_address

_TABLE_ROUTES = "/api/tables/"


def lead_away(house: House, sockets: Sockets) -> None:
    """From now on, send `moved` to everybody who watches a table that leaves this server."""
    tasks: set[asyncio.Task[None]] = set()

    async def send(host: FloorHost) -> None:
        for table in host.journal.floor.tables:
            try:
                sockets.move_away(table, await socket_address(house, table))
            except Exception as error:  # the clients notice by their next command
                log.warning("clients not led away", table=table, at=short_traceback(error))

    def on_floor_moved(host: FloorHost) -> None:
        task = asyncio.create_task(send(host))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    house.on_floor_moved.append(on_floor_moved)


class ServerAddresses:
    """Answers below `/at/NAME/`, the server's own address, as elsewhere, also if the proxy leaves
    that part of the path. Redirects requests about a table to the server that runs it."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app, self._house = app, house
        self._prefix = f"/at/{house.membership.at}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path.startswith(f"{self._prefix}/"):
            path = path.removeprefix(self._prefix)
            scope = {**scope, "path": path}
        if scope["type"] == "http" and path.startswith(_TABLE_ROUTES):
            table = path.removeprefix(_TABLE_ROUTES).partition("/")[0]
            with suppress(FloorUnavailable):  # the route itself answers
                located = await self._house.locate(table)
                if isinstance(located, Elsewhere):
                    await _redirect(Request(scope), located.at)(scope, receive, send)
                    return
        await self._app(scope, receive, send)


def install(app: FastAPI, house: House) -> None:
    if not house.is_alone:
        app.add_middleware(ServerAddresses, house=house)

    @app.exception_handler(FloorMoved)
    async def redirect(request: Request, moved: FloorMoved) -> Response:
        if moved.at:
            return _redirect(request, moved.at)
        body = {"error": {"code": Code.UNAVAILABLE, "message": refusal(Code.UNAVAILABLE).message}}
        return JSONResponse(body, 503)


def _redirect(request: Request, at: str) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/at/{at}{quote(request.scope['path'])}{query}", 307)
