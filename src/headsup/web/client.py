"""A client of the server for programs: bots, tests, load. docs/protocol.md has a whole bot.

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

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from headsup.game.record.command_codec import write_command
from headsup.game.table.commands import Command, OpenTable, Sit
from headsup.house.dealing.pace import Timings
from headsup.web.server.security import SESSION_COOKIE

LOST = "connection_lost"
TAKEN = "seat_taken"
# Name and password of the second person, where a command takes two.
ApproverLogin: TypeAlias = tuple[str, str]


class Declined(Exception):
    """The server refused, or is gone: `code` says why to programs, the text to people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class News:
    """What happened at a table, as this client may know it; a whole view has no events."""

    table: str
    index: int
    events: list[dict[str, Any]]
    view: dict[str, Any]
    clock: list[dict[str, Any]]  # the time that players have left


@dataclass(slots=True)
class Client:
    """One open socket. Commands wait for their answer; news come in order from `news`.

    Once it is not open any more, `closed` is the server's reason, or `connection_lost`.
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
            async with cls._opened(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def demo(cls, address: str) -> AsyncIterator["Client"]:
        """As a guest with play money, where the server was started with `--demo`."""
        async with httpx.AsyncClient(base_url=address) as http:
            person = _ok(await http.post("/api/demo"))
            async with cls._opened(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def holding(cls, address: str, token: str) -> AsyncIterator["Client"]:
        """As the person whose log-in this token proves."""
        async with httpx.AsyncClient(base_url=address, cookies={SESSION_COOKIE: token}) as http:
            person = _ok(await http.get("/api/me"))
            async with cls._opened(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def _opened(cls, http: httpx.AsyncClient, name: str) -> AsyncIterator["Client"]:
        ticket = _ok(await http.post("/api/ticket"))["ticket"]
        address = str(http.base_url).replace("http", "ws", 1).rstrip("/")
        async with connect(f"{address}/ws", compression=None) as wire:
            await wire.send(json.dumps({"type": "hello", "ticket": ticket}))
            client = cls(name, wire, http)
            client._reader = asyncio.create_task(client._read())
            try:
                await client._welcome.wait()  # what this person does next comes after the ticket
                yield client
            finally:
                client._reader.cancel()
                await asyncio.wait([client._reader])

    # Asking.

    async def ask(
        self, table: str, command: Command, id: str = "", approval: ApproverLogin | None = None
    ) -> int:
        """The index of the entry the command led to; sending the same id again is safe."""
        return await self._answered({"type": "ask", "table": table}, command, id, approval)

    async def sit(self, table: str) -> int:
        """Take a free seat: the last, as automatic players come to the first."""
        free = [
            seat
            for one in await self.tables()
            if one["id"] == table
            for seat in range(one["seats"], 0, -1)
            if str(seat) not in one["players"]
        ]
        for seat in free:
            try:
                await self.ask(table, Sit(seat, self.name))
                return seat
            except Declined as turned:  # somebody was quicker
                if turned.code != TAKEN:
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
        """Open a table, which a supervisor approves; with a pace if the usual one will not do."""
        said: dict[str, Any] = {"type": "open", "floor": floor, "table": table}
        if pace is not None:
            said["pace"] = asdict(pace)
        return await self._answered(said, opening, id, approval)

    async def _answered(
        self, said: dict[str, Any], command: Command, id: str, approval: ApproverLogin | None
    ) -> int:
        id = id or uuid4().hex
        answer = self._answers.setdefault(id, asyncio.get_running_loop().create_future())
        said |= {"id": id, "command": write_command(command)}
        if approval is not None:
            said["approval"] = {"name": approval[0], "password": approval[1]}
        try:
            await self._say(said)
            either: tuple[asyncio.Future[Any], ...] = (answer, self._reader)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise self._ended()
            return answer.result()
        finally:
            self._answers.pop(id, None)

    async def watch(self, table: str, viewer: str, after: int | None = None) -> None:
        await self._say({"type": "watch", "table": table, "viewer": viewer, "after": after})

    async def _say(self, said: dict[str, Any]) -> None:
        try:
            await self._wire.send(json.dumps(said))
        except ConnectionClosed:
            await asyncio.wait([self._reader])  # the server's reason is read before the end
            raise self._ended() from None

    def _ended(self) -> Declined:
        if self.closed == LOST:
            return Declined(LOST, "the connection was lost")
        return Declined(LOST, f"the server closed the connection: {self.closed}")

    async def tables(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = _ok(await self._http.get("/api/tables"))
        return found

    # Listening.

    async def news(self) -> AsyncIterator[News]:
        """What happens at the tables watched, until the connection ends."""
        while (news := await self._news.get()) is not None:
            yield news

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._wire:
                self._take(json.loads(text))
        self.closed = self.closed or LOST
        self._welcome.set()
        await self._news.put(None)

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self._welcome.set()
            case "shown" | "happened":
                news = News(
                    message["table"],
                    message["index"],
                    message.get("events", []),
                    message["view"],
                    message["clock"],
                )
                self._news.put_nowait(news)
            case "answered":
                self._settle(message["id"], message["index"], None)
            case "declined":
                refused = Declined(message["code"], message["message"])
                if message["id"] is not None:
                    self._settle(message["id"], 0, refused)
            case "closing":
                self.closed = message["code"]

    def _settle(self, id: str, index: int, refused: Declined | None) -> None:
        answer = self._answers.get(id)
        if answer is None or answer.done():
            return
        if refused is None:
            answer.set_result(index)
        else:
            answer.set_exception(refused)


def _ok(response: httpx.Response) -> Any:
    body = response.json() if response.content else {}
    if response.is_error:
        problem = body.get("error", {})
        raise Declined(problem.get("code", str(response.status_code)), problem.get("message", ""))
    return body
