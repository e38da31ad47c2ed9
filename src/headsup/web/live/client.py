"""A Python client for bots, tests and load generators. See docs/examples/bot.py.

async with Client.demo("http://127.0.0.1:8433") as client:
    seat = await client.sit("T1")
    await client.ask("T1", BuyIn(seat, 50_000))
    await client.watch("T1", f"seat {seat}")
    async for news in client.news():
        print(news.index, news.view["round"])
    print(client.closed)
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias
from uuid import uuid4

try:
    import httpx
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"headsup.web needs {missing.name}, which is not installed: pip install 'headsup[server]'",
        name=missing.name,
    ) from None

from headsup.game.record.message_codec import write_command
from headsup.game.table.commands import Command
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import Sit
from headsup.house.dealing.pace import Timings
from headsup.web.server.security import SESSION_COOKIE

LOST = "connection_lost"
TAKEN = "seat_taken"
# Name and password of the second person, for commands that need two.
ApproverLogin: TypeAlias = tuple[str, str]


class Declined(Exception):
    """A refusal, or a lost connection: `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class News:
    """What happened at a table, as this client may know it. A full view comes without events."""

    table: str
    index: int
    events: list[dict[str, Any]]
    view: dict[str, Any]
    clock: list[dict[str, Any]]  # the time players have left


@dataclass(slots=True)
class Client:
    """One open socket. Commands wait for their answer; updates arrive in order from `news`.

    After the socket has closed, `closed` is the server's reason, or `connection_lost`.
    """

    name: str
    _wire: ClientConnection
    _http: httpx.AsyncClient
    _answers: dict[str, "asyncio.Future[int]"] = field(default_factory=dict)
    _news: "asyncio.Queue[News | None]" = field(default_factory=asyncio.Queue)
    _reader: "asyncio.Task[None]" = field(init=False)
    _welcome: asyncio.Event = field(default_factory=asyncio.Event)
    closed: str = ""

    @classmethod
    @asynccontextmanager
    async def log_in(cls, address: str, name: str, password: str) -> AsyncIterator["Client"]:
        async with httpx.AsyncClient(base_url=address) as http:
            person = _ok(await http.post("/api/login", json={"name": name, "password": password}))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def demo(cls, address: str) -> AsyncIterator["Client"]:
        """Connect as a guest with play money, to a server started with `--demo`."""
        async with httpx.AsyncClient(base_url=address) as http:
            person = _ok(await http.post("/api/demo"))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def holding(cls, address: str, token: str) -> AsyncIterator["Client"]:
        """Connect with the token of an existing log-in."""
        async with httpx.AsyncClient(base_url=address, cookies={SESSION_COOKIE: token}) as http:
            person = _ok(await http.get("/api/me"))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def _connect(cls, http: httpx.AsyncClient, name: str) -> AsyncIterator["Client"]:
        ticket = _ok(await http.post("/api/ticket"))["ticket"]
        address = str(http.base_url).replace("http", "ws", 1).rstrip("/")
        async with connect(f"{address}/ws", compression=None) as wire:
            await wire.send(json.dumps({"type": "hello", "ticket": ticket}))
            client = cls(name, wire, http)
            client._reader = asyncio.create_task(client._read())
            try:
                await client._welcome.wait()  # so that later requests come after the ticket is used
                yield client
            finally:
                client._reader.cancel()
                await asyncio.wait([client._reader])

    # Commands.

    async def ask(
        self, table: str, command: Command, id: str = "", approval: ApproverLogin | None = None
    ) -> int:
        """Submit a command and return the index of its log entry.

        Sending the same id again is safe.
        """
        return await self._submit({"type": "ask", "table": table}, command, id, approval)

    async def sit(self, table: str) -> int:
        """Take a free seat, from the highest number down: automatic players take the lowest."""
        free = [
            seat
            for row in await self.tables()
            if row["id"] == table
            for seat in range(row["seats"], 0, -1)
            if str(seat) not in row["players"]
        ]
        for seat in free:
            try:
                await self.ask(table, Sit(seat, self.name))
                return seat
            except Declined as declined:  # somebody was quicker
                if declined.code != TAKEN:
                    raise
        raise Declined(TAKEN, f"no seat is free at {table}")

    async def open_table(
        self,
        floor: str,
        table: str,
        opening: OpenTable,
        approval: ApproverLogin,
        id: str = "",
        pace: Timings | None = None,
    ) -> int:
        """Open a table with a supervisor's approval; `pace` overrides the house's usual one."""
        message: dict[str, Any] = {"type": "open", "floor": floor, "table": table}
        if pace is not None:
            message["pace"] = asdict(pace)
        return await self._submit(message, opening, id, approval)

    async def _submit(
        self, message: dict[str, Any], command: Command, id: str, approval: ApproverLogin | None
    ) -> int:
        id = id or uuid4().hex
        answer = self._answers.setdefault(id, asyncio.get_running_loop().create_future())
        message |= {"id": id, "command": write_command(command)}
        if approval is not None:
            message["approval"] = {"name": approval[0], "password": approval[1]}
        try:
            await self._send(message)
            futures: tuple[asyncio.Future[Any], ...] = (answer, self._reader)
            await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise self._lost()
            return answer.result()
        finally:
            self._answers.pop(id, None)

    async def watch(self, table: str, viewer: str, after: int | None = None) -> None:
        await self._send({"type": "watch", "table": table, "viewer": viewer, "after": after})

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._wire.send(json.dumps(message))
        except ConnectionClosed:
            await asyncio.wait([self._reader])  # the reader still has to read the server's reason
            raise self._lost() from None

    def _lost(self) -> Declined:
        if self.closed == LOST:
            return Declined(LOST, "the connection was lost")
        return Declined(LOST, f"the server closed the connection: {self.closed}")

    async def tables(self) -> list[dict[str, Any]]:
        tables: list[dict[str, Any]] = _ok(await self._http.get("/api/tables"))
        return tables

    # Updates.

    async def news(self) -> AsyncIterator[News]:
        """Updates of the watched tables, until the connection ends."""
        while (update := await self._news.get()) is not None:
            yield update

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._wire:
                self._handle(json.loads(text))
        self.closed = self.closed or LOST
        self._welcome.set()
        await self._news.put(None)

    def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self._welcome.set()
            case "shown" | "happened":
                update = News(
                    message["table"],
                    message["index"],
                    message.get("events", []),
                    message["view"],
                    message["clock"],
                )
                self._news.put_nowait(update)
            case "answered":
                self._settle(message["id"], message["index"], None)
            case "declined":
                declined = Declined(message["code"], message["message"])
                if message["id"] is not None:
                    self._settle(message["id"], 0, declined)
            case "closing":
                self.closed = message["code"]

    def _settle(self, id: str, index: int, declined: Declined | None) -> None:
        answer = self._answers.get(id)
        if answer is None or answer.done():
            return
        if declined is None:
            answer.set_result(index)
        else:
            answer.set_exception(declined)


def _ok(response: httpx.Response) -> Any:
    body = response.json() if response.content else {}
    if response.is_error:
        problem = body.get("error", {})
        raise Declined(problem.get("code", str(response.status_code)), problem.get("message", ""))
    return body
