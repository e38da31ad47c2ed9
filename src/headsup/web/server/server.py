"""Starting a server: the database, the house, the tables of the demonstration, uvicorn."""

import asyncio
import logging
import os
import signal
import socket
import sys
import time
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
from alembic.util.exc import CommandError
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

from headsup.game.refusal import Code, Refused
from headsup.house import clock
from headsup.house.cluster.join import take_share_always
from headsup.house.dealing.dealers import Dealers
from headsup.house.dealing.pace import Timings
from headsup.house.house import House
from headsup.house.integrity.database_kind import ensure_database_kind
from headsup.house.integrity.program_files import Program
from headsup.house.people.accounts import Accounts
from headsup.house.solo.notebook import default_notebook_path
from headsup.house.store.database import Database
from headsup.house.store.engine import UnusableDatabase, database_location, public_address
from headsup.web.demo.tables import Demo
from headsup.web.live.presence import Presence
from headsup.web.live.protocol import CloseReason
from headsup.web.live.sockets import Sockets
from headsup.web.server.app import Services, create_app
from headsup.web.server.event_loop import run_loop, tune_gc
from headsup.web.server.hosts import is_loopback
from headsup.web.server.operations import configure_logs
from headsup.web.server.security import SOCKET_OPTIONS
from headsup.web.server.settings import Settings
from headsup.web.server.shutdown import start_shutdown_deadline

LOOPBACK = ("127.0.0.1", "::1", "localhost")
GRACE_SECONDS = 5  # for open connections when the server ends


def run_server(settings: Settings, host: str, port: int) -> None:
    """Serve until a signal says to stop; refuses what it cannot start with."""
    if settings.demo and host not in LOOPBACK:
        raise Refused(Code.DEMO_NOT_HERE, host=host, known=LOOPBACK)
    if settings.demo and (settings.proxies or settings.origins):
        raise Refused(Code.DEMO_NOT_HERE, "proxy")
    named = replace(
        settings,
        database=settings.database or default_database(settings.demo),
        server=_server_name(),
        notebook=str(default_notebook_path()) if settings.demo else "",
        alone=is_loopback(host) and not (settings.proxies or settings.origins),
    )
    if settings.approved is not None:
        settings.approved()  # refused here and now, where it is no list or nobody signed it
    with _listen(host, port) as listening:
        run_loop(_serve(named, listening))


def _server_name() -> str:
    """Unlike every other's, and yet one that says to people which machine it is on."""
    machine = "".join(one for one in socket.gethostname()[:30] if one.isalnum() or one in "-.")
    return f"{machine or 'server'}-{uuid4().hex[:12]}"


def default_database(demo: bool = False) -> str:
    """Play money is kept apart from the books of a house."""
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
        listening = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        reason = said.partition(" (while ")[0]  # Python adds the address, which is told already
        raise Refused(Code.PORT_UNAVAILABLE, host=host, port=port, reason=reason) from None
    with listening:
        yield listening


async def _serve(settings: Settings, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    here = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    store = await asyncio.to_thread(_open_database, settings.database)
    # Lines of JSON are for who collects them; a person at a terminal wants to see trouble only.
    configure_logs(logging.WARNING if sys.stderr.isatty() else logging.INFO)
    anchors = Path(settings.anchors) if settings.anchors else None
    house = House(store, settings.server, clock.now, anchors=anchors)
    if settings.approved is not None:
        house.diary.program = Program(approved=settings.approved)
    accounts = Accounts(store, time.time)
    try:
        noticed = await asyncio.to_thread(_collect_notices, house, settings)
    except Refused:
        store.close()
        raise
    beside = (
        _demo_services(house, accounts, here) if settings.demo else _house_services(house, settings)
    )
    app = create_app(house, accounts, settings, beside)
    server = _Server(uvicorn.Config(app, **_options(settings)), app.state.sockets)
    task = asyncio.create_task(server.serve([listening]))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    try:
        if server.started:
            tune_gc()
            _announce(here, database_location(settings.database), noticed, settings.demo)
            if not settings.demo:
                await _print_first_link(settings.origins[0] if settings.origins else here, accounts)
    except BaseException:  # nobody can be told where it is: it ends, with everything done
        server.should_exit = True
        raise
    finally:
        await task
        store.close()
    if not server.started:
        where = public_address(settings.database)
        raise Refused(Code.UNUSABLE_DATABASE, "not_opened", where=where)


def _collect_notices(house: House, settings: Settings) -> list[str]:
    """What is new, by which a mistyped name is noticed; what is another house's is refused."""
    where, said = public_address(settings.database), []
    if house.anchoring is not None and not house.anchoring.check():
        said.append(f"A new file of anchors is begun: {Path(settings.anchors).absolute()}")
    if ensure_database_kind(house.database, settings.demo, where, clock.now()):
        kind = "demonstration" if settings.demo else "house"
        said.append(f"This is a new {kind}: nothing was kept there before.")
    return said


def _options(settings: Settings) -> dict[str, Any]:
    """Who asks is known by the connection, or by the word of a proxy that was named."""
    return {
        "log_config": None,  # `configure_logs` has said where lines go
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "timeout_graceful_shutdown": GRACE_SECONDS,
        **SOCKET_OPTIONS,
    }


def _house_services(house: House, settings: Settings) -> Services:
    """Every table whose cards nobody enters is dealt by the server that owns it."""

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        presence = Presence(house, app.state.sockets)
        dealers = Dealers(house, Timings().times(settings.pace), presence.away)
        dealers.start()
        tasks = [asyncio.create_task(presence.look_always(dealers.wake), name="presence")]
        if settings.spread:
            tasks.append(asyncio.create_task(take_share_always(house), name="share of floors"))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await dealers.stop()

    return running


def _demo_services(house: House, accounts: Accounts, here: str) -> Services:
    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        app.state.demonstration = Demo(house, accounts, app.state.sockets, here)
        async with app.state.demonstration.running():
            yield

    return running


def _open_database(address: str) -> Database:
    store = None
    try:
        store = Database(address)
        store.claim()
        store.migrate()
    except (UnusableDatabase, SQLAlchemyError, CommandError, OSError) as error:
        if store is not None:
            store.close()
        said = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
        where, reason = public_address(address), str(said).strip().splitlines()[0]
        raise Refused(Code.UNUSABLE_DATABASE, where=where, reason=reason) from None
    return store


async def _print_first_link(here: str, accounts: Accounts) -> None:
    """Where no administrator can come in; what is after the # is in no log and no request line."""
    if token := await asyncio.to_thread(accounts.first_invitation):
        print("No administrator can come in. This link makes one, once, within a day:")
        print(f"{here}/welcome#first={token}", flush=True)


def _announce(address: str, where: str, noticed: Sequence[str], demo: bool) -> None:
    for said in (f"headsup serves tables at {address}", f"Everything is kept in {where}", *noticed):
        print(said, flush=True)
    if demo:
        print("Open it in a browser and sit down; Ctrl-C ends it.", flush=True)
    if demo and sys.stdout.isatty() and _has_desktop():
        with suppress(webbrowser.Error):
            webbrowser.open(address)


def _has_desktop() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _Server(uvicorn.Server):
    """Ends on a signal with everything done, and not by the signal itself: a server that was told
    to stop and did has status 0."""

    def __init__(self, config: uvicorn.Config, told: Sockets) -> None:
        super().__init__(config)
        self._told = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:  # the house could not be opened; the log says why
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Who is connected is told why before the connections are cut."""
        await self._told.dismiss(CloseReason.SERVER_STOPS)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Also while it is still being opened."""
        if not self.should_exit:
            start_shutdown_deadline()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        told = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in told}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
