"""Sockets for tests: one in memory without a server, and a raw one over a real connection."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from headsup.game.table.commands import Staff
from headsup.game.table.meter_control import FreezeMeter
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import Person
from headsup.house.store.database import Database
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.sockets import Socket, Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import opening
from tests.support.web.live_server import Live
from tests.support.web.office import Office

Json = dict[str, Any]
_INDEX = re.compile(r'"type":"(?:view|change)".*?"index":(\d+)')


class Memory:
    """A client in this process: its messages arrive at once, and what it receives is stored."""

    def __init__(self, office: Office, sockets: Sockets, person: Person) -> None:
        self.sent: list[str] = []
        self.index = -1  # of the last entry it received
        self._reads = asyncio.Event()
        self._reads.set()
        self._outgoing: asyncio.Queue[Json] = asyncio.Queue()
        wire = WebSocket({"type": "websocket", "headers": []}, self._outgoing.get, self._send)
        desk = CommandDesk(office.house, office.accounts, Metrics())
        self.metrics = Metrics()
        self.socket = Socket(wire, person, office.house, desk, sockets, self.metrics)
        self.socket._bucket.burst = self.socket._bucket.held = 10**9
        self._wire = wire

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self._outgoing.put_nowait({"type": "websocket.disconnect", "code": 1000})
        if message["type"] == "websocket.send":
            await self._reads.wait()
            self.sent.append(message["text"])
            if index := _INDEX.search(message["text"]):
                self.index = int(index[1])

    async def run(self) -> None:
        self._outgoing.put_nowait({"type": "websocket.connect"})
        await self._wire.accept()
        await self.socket.run()

    def say(self, **message: Any) -> None:
        self._outgoing.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def block(self) -> None:
        """From now on the client does not read."""
        self._reads.clear()

    def unblock(self) -> None:
        self._reads.set()

    def frame(self, text: str | None) -> None:
        self.socket.receive(text)

    def hang_up(self) -> None:
        self._outgoing.put_nowait({"type": "websocket.disconnect", "code": 1000})

    @property
    def messages(self) -> list[Json]:
        return [json.loads(text) for text in self.sent]


@asynccontextmanager
async def memory(office: Office, sockets: Sockets, who: str) -> AsyncIterator[Memory]:
    wire = Memory(office, sockets, office.people[who])
    sockets.add(wire.socket)
    task = asyncio.create_task(wire.run())
    await settled(lambda: bool(wire.sent))
    try:
        yield wire
    finally:
        wire.hang_up()
        await asyncio.wait([task], timeout=2)
        sockets.remove(wire.socket)


async def settled(done: Callable[[], bool]) -> None:
    """Let everything run until the condition holds; fails after a minute."""
    async with asyncio.timeout(60):
        for _ in range(5):
            if done():
                return
            await asyncio.sleep(0)
        while not done():  # a commit runs in a thread that needs this core
            await asyncio.sleep(0.0005)


class Raw:
    """A plain socket, without our client."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire

    async def say(self, **message: Any) -> None:
        await self.wire.send(json.dumps(message))

    async def hear(self, *types: str) -> Json:
        """The next message, or the next of one of these types."""
        async with asyncio.timeout(60):
            while True:
                message: Json = json.loads(await self.wire.recv())
                if not types or message["type"] in types:
                    return message

    async def until(self, type: str) -> list[Json]:
        """All messages up to and including the next of this type."""
        received = [await self.hear()]
        while received[-1]["type"] != type:
            received.append(await self.hear())
        return received

    async def closed(self) -> int:
        """Read to the end; returns the code with which the server closed."""
        async with asyncio.timeout(60):
            try:
                while True:
                    await self.wire.recv()
            except ConnectionClosed as closed:
                return 1006 if closed.rcvd is None else closed.rcvd.code


@asynccontextmanager
async def guest(server: Live) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        (await http.post("/api/demo")).raise_for_status()
        yield http


@asynccontextmanager
async def raw(server: Live, http: httpx.AsyncClient, **options: Any) -> AsyncIterator[Raw]:
    """A connected socket after its welcome."""
    ticket = (await http.post("/api/ticket")).json()["ticket"]
    async with unwelcome(server, **options) as socket:
        await socket.say(type="hello", protocol=2, ticket=ticket)
        await socket.hear("welcome")
        yield socket


@asynccontextmanager
async def unwelcome(server: Live, **options: Any) -> AsyncIterator[Raw]:
    address = server.address.replace("http", "ws", 1)
    # No limit on unread messages: a full queue would hide the end of the connection.
    async with connect(f"{address}/ws", compression=None, max_queue=None, **options) as wire:
        yield Raw(wire)


SECONDS = 60  # far more than anything here takes


async def hears(database: Database) -> None:
    """Wait until both servers receive signals from each other."""
    query = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND query ^@ 'LISTEN'"
    )
    async with asyncio.timeout(SECONDS):
        while True:
            with database.read_connection() as connection:
                if connection.exec_driver_sql(query).scalar_one() >= 2:
                    return
            await asyncio.sleep(0.02)


async def opened(server: Live) -> None:
    """A table without a dealer: the test itself decides what happens."""
    asked = CommandRequest("opening", "T1", Staff("house"), opening("galaxy"))
    assert isinstance(await server.house.open_table("T1", asked), Acceptance)


async def froze(house: Any, times: int) -> None:
    """Make this many entries by freezing and unfreezing the meter."""
    host = house.host_of("T1")
    for i in range(times):
        reason = "" if i % 2 else "dark"
        asked = CommandRequest(
            f"{time.monotonic_ns()}-{i}", "T1", Staff("Dee"), FreezeMeter(reason)
        )
        assert isinstance(await host.submit(asked), Acceptance)
