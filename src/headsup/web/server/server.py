"""Starts `headsup serve`: opens the database and the house, then runs uvicorn until a signal."""

import asyncio
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import platformdirs
import uvicorn
from fastapi import FastAPI

from headsup.game.refusal import Code, Refused
from headsup.house import clock
from headsup.house.dealing.dealer import Dealers
from headsup.house.dealing.pace import Timings
from headsup.house.house import House
from headsup.house.integrity.database_kind import ensure_database_kind
from headsup.house.integrity.program_files import Program
from headsup.house.people.accounts import Accounts
from headsup.house.store.database import Database
from headsup.house.store.engine import database_location, public_address
from headsup.house.store.errors import StoreError, is_unreachable
from headsup.house.store.sqlite_file import UnusableDatabase
from headsup.web.demo.tables import DEMO_TABLES, Demo
from headsup.web.live.presence import Presence
from headsup.web.live.protocol import CloseReason
from headsup.web.live.sockets import Sockets
from headsup.web.server.app import Services, create_app
from headsup.web.server.connections import connection_options
from headsup.web.server.operations import Metrics, configure_logs
from headsup.web.server.process import run_loop, start_shutdown_deadline, tune_gc
from headsup.web.server.security import is_loopback
from headsup.web.server.settings import Settings
from headsup.web.workers.strategist import Strategist

LOOPBACK = ("127.0.0.1", "::1", "localhost")
DATABASE_WAIT_SECONDS = 60.0
DATABASE_RETRY_SECONDS = 1.0
GRACE_SECONDS = 5  # for open connections when the server stops


def run_server(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM. Raises Refused if the settings do not allow a start."""
    if settings.demo and host not in LOOPBACK:
        raise Refused(Code.DEMO_NOT_HERE, host=host, known=LOOPBACK)
    if settings.demo and (settings.proxies or settings.origins):
        raise Refused(Code.DEMO_NOT_HERE, "proxy")
    settings = replace(
        settings,
        database=settings.database or default_database(settings.demo),
        server=_server_name(),
        loopback_only=is_loopback(host) and not (settings.proxies or settings.origins),
    )
    with _listen(host, port) as listener:
        run_loop(_serve(settings, listener))


def _server_name() -> str:
    """A unique name that also tells people which machine it is."""
    machine = "".join(char for char in socket.gethostname()[:30] if char.isalnum() or char in "-.")
    return f"{machine or 'server'}-{uuid4().hex[:12]}"


def default_database(demo: bool = False) -> str:
    """A SQLite file in the user's data folder; play money has its own file."""
    folder = platformdirs.user_data_path("headsup", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNUSABLE_DATABASE, where=str(folder), reason=reason) from None
    return f"sqlite:///{folder / ('demonstration.db' if demo else 'headsup.db')}"


@contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        text = getattr(error, "strerror", None) or str(error)
        reason = text.partition(" (while ")[0]  # Python appends the address, which we name anyway
        raise Refused(Code.PORT_UNAVAILABLE, host=host, port=port, reason=reason) from None
    with listener:
        yield listener


async def _serve(settings: Settings, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    database = await _open_when_there(settings.database)
    # JSON lines are for log collectors; a person at a terminal wants to see problems only.
    configure_logs(logging.WARNING if sys.stderr.isatty() else logging.INFO)
    anchors = Path(settings.anchors) if settings.anchors else None
    house = House(database, settings.server, clock.now, anchors, settings.at)
    if settings.approved_files is not None:
        house.incident_queue.program = Program(approved=settings.approved_files)
    accounts = Accounts(database)
    try:
        notices = await asyncio.to_thread(_collect_notices, house, settings)
        await house.membership.join()
    except Refused:
        database.close()
        raise
    services = (
        _demo_services(house, accounts, address)
        if settings.demo
        else _house_services(house, settings)
    )
    app = create_app(house, accounts, settings, services)
    server = _Server(
        uvicorn.Config(app, **_options(settings, app.state.metrics)), house, app.state.sockets
    )
    task = asyncio.create_task(server.serve([listener]))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    try:
        if server.started:
            tune_gc()
            _announce(address, database_location(settings.database), notices, settings.demo)
            if not settings.demo:
                origin = settings.origins[0] if settings.origins else address
                await _print_first_link(origin, accounts)
    except BaseException:  # the address cannot be printed: stop in good order
        server.should_exit = True
        raise
    finally:
        await task
        database.close()
    if not server.started:
        where = public_address(settings.database)
        raise Refused(Code.UNUSABLE_DATABASE, "not_opened", where=where)


def _collect_notices(house: House, settings: Settings) -> list[str]:
    """Lines about a new anchor file or database, which give away a mistyped name.

    Raises Refused if either belongs to another house.
    """
    location, notices = public_address(settings.database), []
    if house.anchor_writer is not None and not house.anchor_writer.check():
        notices.append(f"Starting a new anchor file: {Path(settings.anchors).absolute()}")
    if ensure_database_kind(house.database, settings.demo, location, clock.now()):
        kind = "demonstration" if settings.demo else "house"
        notices.append(f"This is a new {kind}: the database was empty.")
    return notices


def _options(settings: Settings, metrics: Metrics) -> dict[str, Any]:
    """The client's address is that of the connection, or what a trusted proxy says."""
    return {
        "log_config": None,  # `configure_logs` has set up logging
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "timeout_graceful_shutdown": GRACE_SECONDS,
        **connection_options(metrics),
    }


def _house_services(house: House, settings: Settings) -> Services:
    """The automatic dealers: each server deals the tables it owns unless a person enters cards."""

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        presence = Presence(house, app.state.sockets)
        dealers = Dealers(house, Timings().scaled(settings.pace_factor), presence.absent_seats)
        dealers.start()
        checking = asyncio.create_task(presence.run(dealers.wake), name="presence")
        try:
            yield
        finally:
            checking.cancel()
            await dealers.stop()

    return running


def _demo_services(house: House, accounts: Accounts, address: str) -> Services:
    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        strategist = Strategist([table.book for table in DEMO_TABLES], app.state.solver)
        app.state.demo = Demo(house, accounts, app.state.sockets, address, strategist)
        async with app.state.demo.running():
            yield

    return running


async def _open_when_there(address: str) -> Database:
    """Open the database. If its server cannot be reached or is starting, as after a power cut, wait
    for it up to DATABASE_WAIT_SECONDS, and say so."""
    loop = asyncio.get_running_loop()
    deadline, told = loop.time() + DATABASE_WAIT_SECONDS, False
    while True:
        try:
            return await asyncio.to_thread(_open_database, address)
        except _NotThereYet as error:
            if loop.time() >= deadline:
                raise _unusable(address, error) from None
            if not told:
                where = public_address(address)
                reason = _reason(error)
                print(f"Waiting for the database at {where}: {reason}", file=sys.stderr, flush=True)
                told = True
        await asyncio.sleep(DATABASE_RETRY_SECONDS)


class _NotThereYet(Exception):
    """The database's server cannot be reached, or does not accept connections yet."""


def _open_database(address: str) -> Database:
    database = None
    try:
        database = Database(address)
        database.claim()
        database.migrate()
    except (UnusableDatabase, StoreError, OSError) as error:
        if database is not None:
            database.close()
        if is_unreachable(error):
            raise _NotThereYet(_reason(error)) from None
        raise _unusable(address, error) from None
    return database


def _unusable(address: str, error: Exception) -> Refused:
    return Refused(Code.UNUSABLE_DATABASE, where=public_address(address), reason=_reason(error))


def _reason(error: Exception) -> str:
    cause = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
    return str(cause).strip().splitlines()[0]


async def _print_first_link(origin: str, accounts: Accounts) -> None:
    """Print a link for the first administrator, if there is none.

    The token comes after #, so it appears in no request line and no log.
    """
    if token := await asyncio.to_thread(accounts.first_invitation):
        print("There is no administrator yet. This link creates one, once, within a day:")
        print(f"{origin}/welcome#first={token}", flush=True)


def _announce(address: str, location: str, notices: Sequence[str], demo: bool) -> None:
    for line in (f"headsup serves tables at {address}", f"Data is stored in {location}", *notices):
        print(line, flush=True)
    if demo:
        print("Open it in a browser and sit down. Press Ctrl-C to stop.", flush=True)
    if demo and sys.stdout.isatty() and _has_desktop():
        with suppress(webbrowser.Error):
            webbrowser.open(address)


def _has_desktop() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _Server(uvicorn.Server):
    """Stops in good order on a signal and exits with status 0, instead of dying by the signal."""

    def __init__(self, config: uvicorn.Config, house: House, sockets: Sockets) -> None:
        super().__init__(config)
        self._house, self._sockets = house, sockets
        self._loop = asyncio.get_running_loop()
        self._drain_task: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:  # the house could not be opened; the log says why
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell clients why before their connections are cut."""
        await self._sockets.close_gracefully(CloseReason.SERVER_STOPS)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Works during start-up too. A server of several first gives its floors to the others; a
        second signal stops it at once."""
        membership = self._house.membership
        if self.should_exit or membership.is_draining:
            super().handle_exit(sig, frame)
            return
        start_shutdown_deadline()
        if membership.is_alone or not self.started:
            super().handle_exit(sig, frame)
        else:
            membership.is_draining = True
            self._loop.call_soon_threadsafe(self._start_draining, sig, frame)

    def _start_draining(self, sig: int, frame: FrameType | None) -> None:
        async def drain() -> None:
            await self._house.drain()
            self.handle_exit(sig, frame)

        self._drain_task = asyncio.create_task(drain(), name="drain")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM)
        previous = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
