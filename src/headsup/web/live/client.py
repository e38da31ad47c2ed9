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
    from websockets.exceptions import ConnectionClosed, WebSocketException
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
PATIENCE = 30  # seconds for an answer; a busy server may hash many passwords first
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
    """One open socket, which follows its tables to other servers. Commands wait for their answer;
    updates arrive in order from `news`.

    After the socket has closed, `closed` is the server's reason, or `connection_lost`.
    """

    name: str
    _wire: ClientConnection
    _http: httpx.AsyncClient
    _answers: dict[str, "asyncio.Future[int]"] = field(default_factory=dict)
    _news: "asyncio.Queue[News | None]" = field(default_factory=asyncio.Queue)
    _reader: "asyncio.Task[None]" = field(init=False)
    _welcome: asyncio.Event = field(default_factory=asyncio.Event)
    _unanswered: dict[str, dict[str, Any]] = field(default_factory=dict)  # messages by id
    _watched: dict[str, dict[str, Any]] = field(default_factory=dict)  # messages by table
    _moved_table: str = ""  # whose server the next socket is opened at
    closed: str = ""

    @classmethod
    @asynccontextmanager
    async def log_in(cls, address: str, name: str, password: str) -> AsyncIterator["Client"]:
        async with httpx.AsyncClient(
            base_url=address, follow_redirects=True, timeout=PATIENCE
        ) as http:
            person = _ok(await http.post("/api/login", json={"name": name, "password": password}))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def demo(cls, address: str) -> AsyncIterator["Client"]:
        """Connect as a guest with play money, to a server started with `--demo`."""
        async with httpx.AsyncClient(
            base_url=address, follow_redirects=True, timeout=PATIENCE
        ) as http:
            person = _ok(await http.post("/api/demo"))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def holding(cls, address: str, token: str) -> AsyncIterator["Client"]:
        """Connect with the token of an existing log-in."""
        async with httpx.AsyncClient(
            base_url=address,
            cookies={SESSION_COOKIE: token},
            follow_redirects=True,
            timeout=PATIENCE,
        ) as http:
            person = _ok(await http.get("/api/me"))
            async with cls._connect(http, person["name"]) as client:
                yield client

    @classmethod
    @asynccontextmanager
    async def _connect(cls, http: httpx.AsyncClient, name: str) -> AsyncIterator["Client"]:
        client = cls(name, await _open_socket(http), http)
        client._reader = asyncio.create_task(client._read())
        try:
            await client._welcome.wait()  # so that later requests come after the ticket is used
            yield client
        finally:
            client._reader.cancel()
            await asyncio.wait([client._reader])
            await client._wire.close()

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
        self._unanswered[id] = message
        try:
            await self._send(message)
            futures: tuple[asyncio.Future[Any], ...] = (answer, self._reader)
            await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise self._lost()
            return answer.result()
        finally:
            self._answers.pop(id, None)
            self._unanswered.pop(id, None)

    async def watch(self, table: str, viewer: str, after: int | None = None) -> None:
        message = {"type": "watch", "table": table, "viewer": viewer, "after": after}
        self._watched[table] = message
        await self._send(message)

    async def _send(self, message: dict[str, Any]) -> None:
        while True:
            wire = self._wire
            try:
                await wire.send(json.dumps(message))
            except ConnectionClosed:
                if wire is not self._wire:  # replaced by one to another server
                    continue
                await asyncio.wait([self._reader])  # it still has to read the server's reason
                raise self._lost() from None
            return

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
        with suppress(WebSocketException, OSError, httpx.HTTPError, Declined):
            while await self._read_until_moved():
                await self._follow()
        self.closed = self.closed or LOST
        self._welcome.set()
        await self._news.put(None)

    async def _read_until_moved(self) -> bool:
        """Handle messages. Returns True when a table has moved to another server."""
        async for text in self._wire:
            self._handle(json.loads(text))
            if self._moved_table:
                return True
        return False

    async def _follow(self) -> None:
        """Open a socket at the server that runs the table now, and send there again what the client
        watches and what was not answered."""
        table, self._moved_table = self._moved_table, ""
        old, self._wire = self._wire, await _open_socket(self._http, table)
        await old.close()
        for message in (*self._watched.values(), *self._unanswered.values()):
            await self._wire.send(json.dumps(message))

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
                if watch := self._watched.get(update.table):
                    watch["after"] = update.index
            case "answered":
                self._settle(message["id"], message["index"], None)
            case "declined":
                declined = Declined(message["code"], message["message"])
                if message["id"] is not None:
                    self._settle(message["id"], 0, declined)
            case "moved":
                self._moved_table = message["table"]
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


async def _open_socket(http: httpx.AsyncClient, table: str = "") -> ClientConnection:
    """Open a socket at the server that runs the table, with a ticket, and introduce the client."""
    body = {"table": table} if table else None
    answer = _ok(await http.post("/api/ticket", json=body))
    address = str(http.base_url).replace("http", "ws", 1).rstrip("/") + answer["socket"]
    wire = await connect(address, compression=None)
    await wire.send(json.dumps({"type": "hello", "ticket": answer["ticket"]}))
    return wire


def _ok(response: httpx.Response) -> Any:
    body = response.json() if response.content else {}
    if response.is_error:
        problem = body.get("error", {})
        raise Declined(problem.get("code", str(response.status_code)), problem.get("message", ""))
    return body
