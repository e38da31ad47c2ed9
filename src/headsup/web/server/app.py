"""The application: one house behind HTTP and sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette._utils import get_route_path
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import Scope

from headsup.house import clock
from headsup.house.floor.group_commit import COMMIT_TIMEOUT_SECONDS
from headsup.house.history.backfill import backfill_floors
from headsup.house.house import House
from headsup.house.integrity.restore_guard import guard_restored_house
from headsup.house.people.accounts import Accounts, Admission
from headsup.house.solo.notebook import Notebook, NotebookFile
from headsup.house.store.notebooks import NotebookTable
from headsup.version import __version__
from headsup.web.api import (
    accounts,
    console,
    display_slogans,
    displays,
    floors,
    incidents_books,
    lobby,
    login,
    meters,
    next_step,
    pacing,
    permitted_commands,
    previews,
    programs,
    recent_history,
    records,
    setup,
    takings,
    thresholds,
)
from headsup.web.api.exports import Exports
from headsup.web.demo import house
from headsup.web.live import commands
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.handshake import serve_socket
from headsup.web.live.protocol import CloseReason
from headsup.web.live.remote_logout import close_ended_logins, connect_signals
from headsup.web.live.sockets import Socket, Sockets
from headsup.web.live.visibility import make_display_person, parse_ticket_binding
from headsup.web.server import errors
from headsup.web.server.hosts import LoopbackGuard
from headsup.web.server.operations import Metrics, halted_floors
from headsup.web.server.readiness import WriteProbe
from headsup.web.server.security import (
    MESSAGE_BURST,
    MESSAGES_PER_SECOND,
    READ_BURST,
    READS_PER_SECOND,
    RateLimiter,
    SecurityMiddleware,
    is_same_origin,
)
from headsup.web.server.settings import Settings
from headsup.web.training import routes
from headsup.web.training.coach import Trainer
from headsup.web.training.drill import DrillDesk
from headsup.web.workers import edges
from headsup.web.workers.training_values import ValueClient

STATIC = Path(__file__).parents[1] / "static"
ROUTERS = (
    login.router,
    accounts.router,
    lobby.router,
    commands.router,
    console.router,
    meters.router,
    setup.router,
    records.router,
    incidents_books.router,
    thresholds.router,
    floors.router,
    takings.router,
    house.router,
    next_step.router,
    pacing.router,
    displays.router,
    display_slogans.router,
    recent_history.router,
    permitted_commands.router,
    previews.router,
    programs.router,
    routes.router,
    edges.router,
)
PAGES = ("console", "display", "office", "rounds", "train", "welcome")  # besides the table's own


# What runs beside the house for as long as it is open.
Services = Callable[[FastAPI], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def no_services(_app: FastAPI) -> AsyncIterator[None]:
    yield


def create_app(
    house: House, accounts: Accounts, settings: Settings, beside: Services = no_services
) -> FastAPI:
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await house.start()
        await guard_restored_house(house, settings.demo)
        journals = {floor: host.journal for floor, host in house.owned().items()}
        tasks = (
            asyncio.create_task(close_ended_logins(app.state.sockets, accounts, leaving)),
            asyncio.create_task(backfill_floors(house.database, journals), name="pasts"),
        )
        async with beside(app):
            app.state.ready = True
            yield
            app.state.ready = False
        await app.state.edges.stop()
        for task in tasks:
            task.cancel()
        app.state.sockets.close_all(CloseReason.SERVER_STOPS)
        await trainer.stop()
        await house.stop()

    app = FastAPI(
        title="headsup",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere; the schema is at /openapi.json
        redoc_url=None,
        responses=errors.ERRORS,
    )
    app.state.ready = False
    app.state.house, app.state.accounts, app.state.settings = house, accounts, settings
    desk, sockets = CommandDesk(house, accounts, metrics), Sockets(metrics)
    app.state.metrics, app.state.sockets, app.state.desk = metrics, sockets, desk
    app.state.edges, app.state.exports = edges.EdgeCache(), Exports()
    app.state.can_keep = WriteProbe(house)
    leaving = asyncio.Event()
    connect_signals(house, sockets, leaving)
    app.state.command_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.recall_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.ticket_rates = RateLimiter(MESSAGE_BURST, MESSAGES_PER_SECOND)
    app.state.look_rates = RateLimiter(READ_BURST, READS_PER_SECOND)
    app.state.trainer = trainer = Trainer(
        house, ValueClient(), _notebook(house, settings), clock.now
    )
    app.state.drills = DrillDesk(trainer)
    app.state.training_rates = RateLimiter(routes.QUESTION_BURST, routes.QUESTIONS_PER_SECOND)
    if settings.demo or settings.alone:
        app.add_middleware(LoopbackGuard, house=not settings.demo)
    app.add_middleware(SecurityMiddleware)
    errors.install(app, STATIC / "missing.html")
    app.router.routes.extend(_api_routes())
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
                None if maker is None else replace(maker, person=make_display_person(maker.under))
            )

        def made(wire: WebSocket, admitted: Admission) -> Socket:
            person, place = admitted.person, parse_ticket_binding(admitted.place)
            return Socket(wire, person, house, desk, sockets, metrics, admitted.under, place)

        await serve_socket(wire, redeem, made, sockets, accounts.still_good)

    for page in PAGES:
        app.add_api_route(f"/{page}", partial(_page, page), include_in_schema=False)
    app.router.routes.append(_Pages("/", StaticFiles(directory=STATIC, html=True), name="static"))
    return app


@cache
def _api_routes() -> list[BaseRoute]:
    """The same in every application: it takes FastAPI a tenth of a second to work them out, with
    the first request."""
    api = FastAPI(openapi_url=None, responses=errors.ERRORS)
    for router in ROUTERS:
        api.include_router(router)
    return api.routes


def _notebook(house: House, settings: Settings) -> Notebook:
    """Where decisions are remembered: who plays at this machine shares it with the terminal."""
    if settings.notebook:
        return NotebookFile(Path(settings.notebook))
    return NotebookTable(house.database)


async def _page(name: str) -> FileResponse:
    return FileResponse(STATIC / f"{name}.html")


class _Pages(Mount):
    """Everything but the API, whose own 404 and 405 are not to be hidden by pages."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if get_route_path(scope).startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


def _schema(app: FastAPI) -> dict[str, Any]:
    """OpenAPI as it is answered: what cannot be read is a 400 here, never a 422."""
    if app.openapi_schema is None:
        schema = FastAPI.openapi(app)
        for operation in (one for path in schema["paths"].values() for one in path.values()):
            operation["responses"].pop("422", None)
        for unused in ("HTTPValidationError", "ValidationError"):
            schema["components"]["schemas"].pop(unused, None)
    return schema if app.openapi_schema is None else app.openapi_schema


def _add_operations_routes(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """The process answers."""
        return {"status": "alive"}

    @app.get("/ready", tags=["operations"])
    async def ready(request: Request) -> Response:
        """Tables can be played at: the floors are open, and the database answers and keeps."""
        house: House = request.app.state.house
        try:
            async with asyncio.timeout(COMMIT_TIMEOUT_SECONDS):
                await asyncio.to_thread(house.database.floors)
                halted = await halted_floors(house)
        except Exception:
            return Response('{"status":"no database"}', 503, media_type="application/json")
        if not await request.app.state.can_keep.now():
            return Response('{"status":"nothing is kept"}', 503, media_type="application/json")
        if halted:
            return Response('{"status":"floors halted"}', 503, media_type="application/json")
        status = 200 if request.app.state.ready else 503
        return Response('{"status":"ready"}', status, media_type="application/json")

    plain: dict[int | str, dict[str, Any]] = {
        200: {"content": {"text/plain": {}}, "description": "For Prometheus."}
    }

    @app.get("/metrics", tags=["operations"], response_model=None, responses=plain)
    async def figures(request: Request) -> Response:
        metrics.look(request.app.state.house)
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
