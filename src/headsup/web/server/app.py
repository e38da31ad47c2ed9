"""Builds the FastAPI application that serves one house over HTTP and WebSockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import Receive, Scope, Send

from headsup.game.words.catalogue import Catalogue
from headsup.house import clock
from headsup.house.floor.group_commit import COMMIT_TIMEOUT_SECONDS
from headsup.house.house import House
from headsup.house.integrity.restore_guard import guard_restored_house
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Admission
from headsup.house.store.notebooks import NotebookTable
from headsup.version import __version__
from headsup.web.api import (
    accounts,
    commands,
    console,
    displays,
    edges,
    floors,
    incidents_books,
    lobby,
    login,
    meters,
    next_step,
    pacing,
    real_table,
    recent_history,
    records,
    setup,
    shifts,
    takings,
)
from headsup.web.api.exports import Exports
from headsup.web.demo import house as demo_house
from headsup.web.live import moves
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.handshake import serve_socket
from headsup.web.live.protocol import CloseReason
from headsup.web.live.remote_logout import close_ended_logins
from headsup.web.live.sockets import Socket, Sockets
from headsup.web.live.visibility import make_display_person, parse_ticket_binding
from headsup.web.server import errors
from headsup.web.server.operations import Metrics, halted_floors
from headsup.web.server.readiness import WriteProbe
from headsup.web.server.security import (
    MESSAGE_BURST,
    MESSAGES_PER_SECOND,
    READ_BURST,
    READS_PER_SECOND,
    LoopbackGuard,
    RateLimiter,
    SecurityMiddleware,
    is_same_origin,
)
from headsup.web.server.settings import Settings
from headsup.web.training import routes
from headsup.web.training.coach import Trainer
from headsup.web.training.drill import DrillDesk
from headsup.web.workers.solver import Solver

STATIC = Path(__file__).parents[1] / "static"
ROUTERS = (
    login.router,
    accounts.router,
    lobby.router,
    commands.router,
    console.router,
    real_table.router,
    meters.router,
    setup.router,
    records.router,
    incidents_books.router,
    floors.router,
    shifts.router,
    takings.router,
    demo_house.router,
    next_step.router,
    pacing.router,
    displays.router,
    recent_history.router,
    routes.router,
    edges.router,
)
PAGES = {  # address -> file under static/
    "": "table/table.html",
    "console": "console/console.html",
    "deal": "deal/deal.html",
    "display": "display/display.html",
    "office": "office/office.html",
    "rounds": "table/rounds.html",
    "train": "train/train.html",
    "welcome": "lib/welcome.html",
}


# Background services that run while the application is up (dealers, presence, the demo).
Services = Callable[[FastAPI], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def no_services(_app: FastAPI) -> AsyncIterator[None]:
    yield


def create_app(
    house: House, accounts: Accounts, settings: Settings, services: Services = no_services
) -> FastAPI:
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Also if the start fails, the house stops: another server may take the floors at once.
        async with AsyncExitStack() as stack:
            stack.push_async_callback(house.stop)
            await house.start()
            stack.push_async_callback(app.state.solver.stop)
            stack.push_async_callback(trainer.stop)
            stack.callback(app.state.sockets.close_all, CloseReason.SERVER_STOPS)
            logins = close_ended_logins(app.state.sockets, accounts, login_ended)
            stack.callback(asyncio.create_task(logins).cancel)
            await guard_restored_house(house, settings.demo)
            await stack.enter_async_context(services(app))
            app.state.ready = True
            yield
            app.state.ready = False

    app = FastAPI(
        title="headsup",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads scripts from a CDN; the schema is at /openapi.json
        redoc_url=None,
        responses=errors.ERRORS,
    )
    app.state.ready = False
    app.state.house, app.state.accounts, app.state.settings = house, accounts, settings
    desk, sockets = CommandDesk(house, accounts, metrics), Sockets(metrics)
    app.state.metrics, app.state.sockets, app.state.command_desk = metrics, sockets, desk
    app.state.solver, app.state.exports = Solver(), Exports()
    app.state.write_probe = WriteProbe(house)
    login_ended = asyncio.Event()
    house.on_log_out = login_ended.set
    house.describe_lobby = lambda: lobby.describe_lobby(house)
    moves.lead_away(house, sockets)
    app.state.attempt_rates = RateLimiter(login.ATTEMPT_BURST, login.ATTEMPTS_PER_SECOND)
    app.state.display_rates = RateLimiter(displays.TICKET_BURST, displays.TICKETS_PER_SECOND)
    app.state.guest_rates = RateLimiter(demo_house.GUEST_BURST, demo_house.GUESTS_PER_SECOND)
    app.state.command_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.recall_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.ticket_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.read_rates = RateLimiter(READ_BURST, READS_PER_SECOND)
    app.state.trainer = trainer = Trainer(
        house, app.state.solver, NotebookTable(house.database), clock.now
    )
    app.state.drills = DrillDesk(trainer)
    app.state.training_rates = RateLimiter(routes.QUESTION_BURST, routes.QUESTIONS_PER_SECOND)
    if settings.demo or settings.loopback_only:
        app.add_middleware(LoopbackGuard, for_house=not settings.demo)
    app.add_middleware(SecurityMiddleware)
    moves.install(app, house)
    errors.install(app, STATIC / "missing.html")
    app.router.routes.extend(api_routes())
    _add_operations_routes(app, metrics)
    app.openapi = lambda: _schema(app)  # type: ignore[method-assign]

    @app.websocket("/ws")
    async def socket(wire: WebSocket) -> None:
        if not is_same_origin(wire, settings.origins):
            await wire.close(1008)
            return

        def redeem(ticket: str) -> Admission | None:
            if admitted := accounts.redeem_ticket(ticket, "table"):
                return admitted
            maker = accounts.redeem_ticket(ticket, "display")
            return (
                None
                if maker is None
                else replace(maker, person=make_display_person(maker.login_digest))
            )

        def make_socket(wire: WebSocket, admitted: Admission, catalogue: Catalogue) -> Socket:
            person, binding = admitted.person, parse_ticket_binding(admitted.bound_to)
            login = admitted.login_digest
            return Socket(wire, person, house, desk, sockets, metrics, login, binding, catalogue)

        await serve_socket(wire, redeem, make_socket, sockets, accounts.live_tokens)

    for address, file in PAGES.items():
        serve = partial(_page, STATIC / file)
        app.add_api_route(f"/{address}", serve, methods=["GET", "HEAD"], include_in_schema=False)
    app.router.routes.append(_Pages("/", StaticFiles(directory=STATIC), name="static"))
    return app


@cache
def api_routes() -> list[BaseRoute]:
    """The routes of all routers, built once per process: FastAPI takes a tenth of a second."""
    api = FastAPI(openapi_url=None, responses=errors.ERRORS)
    for router in ROUTERS:
        api.include_router(router)
    return api.routes


def _as_sent_whole(scope: Scope) -> Scope:
    """A scope under which Starlette sends a file whole, even to a client who has left.

    Otherwise a second task waits for the client to leave. Stopping the first one then leaves cycles
    of objects, which stay in memory until the next garbage collection, perhaps minutes later.
    """
    return {**scope, "asgi": {**scope["asgi"], "spec_version": "2.4"}}


class _PageFile(FileResponse):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(_as_sent_whole(scope), receive, send)


async def _page(file: Path) -> FileResponse:
    return _PageFile(file)


class _Pages(Mount):
    """Static pages for every path outside /api/, whose 404 and 405 answers stay JSON."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().handle(_as_sent_whole(scope), receive, send)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope["path"].removeprefix(scope.get("root_path", "").rstrip("/"))
        if path.startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


def _schema(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI schema without 422: an invalid request is answered with 400 here."""
    if app.openapi_schema is None:
        schema = FastAPI.openapi(app)
        for operation in (item for path in schema["paths"].values() for item in path.values()):
            operation["responses"].pop("422", None)
        for unused in ("HTTPValidationError", "ValidationError"):
            schema["components"]["schemas"].pop(unused, None)
    return schema if app.openapi_schema is None else app.openapi_schema


def _add_operations_routes(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """The process is running."""
        return {"status": "alive"}

    @app.get("/ready", tags=["operations"])
    async def ready(request: Request) -> Response:
        """Tables can be played: floors are open, and the database can be read and written.

        A floor with a broken log is only counted. That is no reason to send players to another
        server: the other floors are open here, and the log is usually broken for every server.
        """
        house: House = request.app.state.house
        try:
            async with asyncio.timeout(COMMIT_TIMEOUT_SECONDS):
                await asyncio.to_thread(house.database.floors)
                halted = halted_floors(house)
        except Exception:
            return Response('{"status":"no database"}', 503, media_type="application/json")
        if not await request.app.state.write_probe.can_write():
            return Response(
                '{"status":"database not writable"}', 503, media_type="application/json"
            )
        if halted:
            return Response('{"status":"floors halted"}', 503, media_type="application/json")
        status = 200 if request.app.state.ready else 503
        counted = f'{{"status":"ready","broken_floors":{len(house.broken_floors)}}}'
        return Response(counted, status, media_type="application/json")

    plain_text: dict[int | str, dict[str, Any]] = {
        200: {"content": {"text/plain": {}}, "description": "For Prometheus."}
    }

    @app.get("/metrics", tags=["operations"], response_model=None, responses=plain_text)
    async def figures(request: Request) -> Response:
        metrics.update(request.app.state.house)
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
