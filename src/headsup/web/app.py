"""The application: one house behind HTTP and sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from headsup import __version__
from headsup.house.accounts import Accounts
from headsup.house.house import House
from headsup.web import demo, errors, lobby, people
from headsup.web.operations import Metrics
from headsup.web.security import SecureAnswers, same_origin
from headsup.web.settings import Settings
from headsup.web.sockets import Sockets, serve_socket

STATIC = Path(__file__).with_name("static")


# What runs beside the house for as long as it is open.
Beside = Callable[[FastAPI], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def nothing(_app: FastAPI) -> AsyncIterator[None]:
    yield


def create_app(
    house: House, accounts: Accounts, settings: Settings, beside: Beside = nothing
) -> FastAPI:
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await house.start()
        async with beside(app):
            app.state.ready = True
            yield
            app.state.ready = False
        app.state.sockets.close_all("server_stops")
        await house.stop()

    app = FastAPI(
        title="headsup",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere; the schema is at /openapi.json
        redoc_url=None,
    )
    app.state.ready = False
    app.state.house, app.state.accounts, app.state.settings = house, accounts, settings
    app.state.metrics, app.state.sockets = metrics, Sockets(metrics)
    app.add_middleware(SecureAnswers)
    errors.install(app)
    app.include_router(people.router)
    app.include_router(lobby.router)
    app.include_router(demo.router)
    _operations(app, metrics)

    @app.websocket("/ws")
    async def socket(wire: WebSocket) -> None:
        if not same_origin(wire, settings.origins):
            await wire.close(1008)
            return
        redeem = lambda ticket: accounts.redeem_ticket(ticket, "table")  # noqa: E731
        await serve_socket(wire, house, redeem, app.state.sockets, metrics)

    app.mount("/", StaticFiles(directory=STATIC, html=True), name="static")
    return app


def _operations(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """The process answers."""
        return {"status": "alive"}

    @app.get("/ready", tags=["operations"])
    async def ready(request: Request) -> Response:
        """Tables can be played at: the floors are open and the database answers."""
        house: House = request.app.state.house
        try:
            await asyncio.to_thread(house.database.floors)
        except Exception:
            return Response('{"status":"no database"}', 503, media_type="application/json")
        status = 200 if request.app.state.ready else 503
        return Response('{"status":"ready"}', status, media_type="application/json")

    @app.get("/metrics", tags=["operations"])
    async def figures() -> Response:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
