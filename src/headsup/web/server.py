"""Starting a server: the database, the house, the tables of the demonstration, uvicorn."""

import asyncio
import contextlib
import socket
import time
from uuid import uuid4

import platformdirs
import uvicorn

from headsup.house import clock
from headsup.house.accounts import Accounts
from headsup.house.house import House
from headsup.house.store.database import Database
from headsup.web.app import create_app
from headsup.web.operations import configure_logs
from headsup.web.settings import Settings


def run(database: str, host: str, port: int, demo: bool) -> None:
    configure_logs()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(database or default_database(), host, port, demo))


def default_database() -> str:
    folder = platformdirs.user_data_path("headsup", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'headsup.db'}"


async def _serve(database: str, host: str, port: int, demo: bool) -> None:
    store = Database(database)
    store.migrate()
    house = House(store, uuid4().hex, clock.now)
    app = create_app(house, Accounts(store, time.time), Settings(database, house.server, demo=demo))
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        ws_max_size=4096,
        server_header=False,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    with socket.create_server((host, port)) as listening:
        address = f"http://{host}:{listening.getsockname()[1]}"
        task = asyncio.create_task(server.serve([listening]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        print(f"headsup serves tables at {address}", flush=True)
        await task
