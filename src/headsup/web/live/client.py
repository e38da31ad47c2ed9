"""A Python client for bots, tests and load generators. See docs/examples/bot.py.

async with Client.demo("http://127.0.0.1:8433") as client:
    table = await client.sit("T1", buy_in=50_000)
    async for moment in table.moments():
        if bets := moment.form("PlaceBets"):
            await table.do(bets, stakes={"ante": 500, "odds": 500})
        elif choice := moment.may("Check") or moment.may("Fold"):
            await table.do(choice)
    print(client.closed)

A table holds the parts of its view. A change replaces parts, and its checksum shows whether the
client holds what the server sent; if not, the client asks for the whole view.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeAlias
from uuid import uuid4
from zlib import crc32

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
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.dealing.pace import Timings
from headsup.web.live.protocol import PROTOCOL
from headsup.web.server.security import SESSION_COOKIE

LOST = "connection_lost"
TAKEN = "seat_taken"
PATIENCE = 30  # seconds for an answer; a busy server may hash many passwords first
# Name and password of the second person, for commands that need two.
ApproverLogin: TypeAlias = tuple[str, str]


class Declined(Exception):
    """A refusal, or a lost connection: `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str, case: str = "") -> None:
        super().__init__(message)
        self.code, self.case = code, case


@dataclass(frozen=True, slots=True)
class Moment:
    """A table as this client may know it, after what `said` says has happened."""

    table: str
    viewer: str
    index: int
    at: int
    parts: Mapping[str, Any]
    events: tuple[dict[str, Any], ...] = ()

    def part(self, name: str) -> Any:
        """A part of the view, or None."""
        return self.parts.get(name)

    def may(self, command: str) -> dict[str, Any] | None:
        """The first command of this name that may be sent as it is, or None."""
        for item in self.parts.get("may", ()):
            if item["command"]["command"] == command:
                found: dict[str, Any] = item["command"]
                return found
        return None

    def form(self, name: str) -> dict[str, Any] | None:
        """The command of a form that may be filled in now, or None."""
        form = self.parts.get(f"form.{name}")
        return None if form is None else dict(form["command"])

    @property
    def said(self) -> list[str]:
        return [event["say"] for event in self.events]


@dataclass(slots=True, eq=False)
class Table:
    """A table that the client watches. It always holds the latest view."""

    client: "Client"
    name: str
    viewer: str
    latest: Moment | None = None
    resyncs: int = 0  # whole views that were asked for because a change did not fit
    requested: str = ""  # the viewer that was asked for: `viewer` is the rail without the seat
    extras: tuple[str, ...] = ()
    _version: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _events: list[dict[str, Any]] = field(default_factory=list)

    async def moments(self) -> AsyncIterator[Moment]:
        """The latest view whenever it has changed, until the connection ends."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self.latest is not None and not self.client.closed:
                events, self._events = tuple(self._events), []
                yield replace(self.latest, events=events)
            if self.client.closed:
                return

    async def do(self, command: dict[str, Any], **fields: Any) -> int:
        """Send a command of `may` or a form. Its change has been applied when this returns."""
        return await self.client.send_command(self.name, {**command, **fields})

    def wake(self) -> None:
        self._changed.set()

    @property
    def index(self) -> int | None:
        return None if self.latest is None else self.latest.index

    def watch_message(self, after: int | None) -> dict[str, Any]:
        message: dict[str, Any] = {"type": "watch", "table": self.name, "viewer": self.requested}
        if after is not None:
            message["after"] = after
        if self.extras:
            message["with"] = list(self.extras)
        return message

    def take_view(self, message: dict[str, Any]) -> None:
        self.viewer, self._version = message["viewer"], message["version"]
        self._hold(message, message["parts"], message.get("missed", []))

    async def take_change(self, message: dict[str, Any]) -> None:
        if self.latest is None or message["version"] <= self._version:
            return  # a view that was asked for is newer
        parts = dict(self.latest.parts)
        for name, value in message.get("set", {}).items():
            if value is None:
                parts.pop(name, None)
            else:
                parts[name] = value
        fits = message["version"] == self._version + 1 and checksum(parts) == message["sum"]
        if not fits:
            self.resyncs += 1
            await self.client.watch(self.name, self.requested, self.latest.index, self.extras)
            return
        self._version = message["version"]
        self._hold(message, parts, message.get("events", []))

    def _hold(
        self, message: dict[str, Any], parts: dict[str, Any], events: list[dict[str, Any]]
    ) -> None:
        self._events.extend(events)
        index, at = message["index"], message["at"]
        self.latest = Moment(self.name, self.viewer, index, at, parts, tuple(events))
        self._changed.set()


def checksum(parts: Mapping[str, Any]) -> int:
    """The exclusive or of the CRC-32 of `name:text` of all parts."""
    total = 0
    for name, value in parts.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        total ^= crc32(f"{name}:{text}".encode())
    return total


@dataclass(slots=True)
class Client:
    """One open socket, which follows its tables to other servers. Commands wait for their reply,
    and by then their change has been applied.

    After the socket has closed, `closed` is the server's reason, or `connection_lost`.
    """

    name: str
    _wire: ClientConnection
    _http: httpx.AsyncClient
    _answers: dict[str, "asyncio.Future[int]"] = field(default_factory=dict)
    _tables: dict[str, Table] = field(default_factory=dict)
    _reader: "asyncio.Task[None]" = field(init=False)
    _welcome: asyncio.Event = field(default_factory=asyncio.Event)
    _unanswered: dict[str, dict[str, Any]] = field(default_factory=dict)  # messages by id
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
        message = {"type": "ask", "table": table, "command": write_command(command)}
        return await self._submit(message, id, approval)

    async def send_command(self, table: str, command: dict[str, Any], id: str = "") -> int:
        """Submit a command as JSON and return the index of its log entry."""
        return await self._submit({"type": "ask", "table": table, "command": command}, id, None)

    async def sit(self, table: str, buy_in: int = 0) -> Table:
        """Take a free seat, buy chips for so many cents, and watch from there.

        Seats are tried from the highest number down: automatic players take the lowest.
        """
        seat = await self.take_seat(table)
        if buy_in:
            await self.ask(table, BuyIn(seat, buy_in))
        return await self.watch(table, f"seat {seat}")

    async def take_seat(self, table: str) -> int:
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
        message["command"] = write_command(opening)
        return await self._submit(message, id, approval)

    async def _submit(
        self, message: dict[str, Any], id: str, approval: ApproverLogin | None
    ) -> int:
        id = id or uuid4().hex
        answer = self._answers.setdefault(id, asyncio.get_running_loop().create_future())
        message["id"] = id
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

    async def watch(
        self, table: str, viewer: str, after: int | None = None, extras: tuple[str, ...] = ()
    ) -> Table:
        """Watch a table as a viewer: a seat of one's own, the rail, the dealer or tablevision."""
        watched = self._tables.setdefault(table, Table(self, table, viewer))
        watched.requested, watched.extras = viewer, extras
        await self._send(watched.watch_message(after))
        return watched

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

    # Messages.

    async def _read(self) -> None:
        with suppress(WebSocketException, OSError, httpx.HTTPError, Declined):
            while await self._read_until_moved():
                await self._follow()
        self.closed = self.closed or LOST
        self._welcome.set()
        for table in self._tables.values():
            table.wake()

    async def _read_until_moved(self) -> bool:
        """Handle messages. Returns True when a table has moved to another server."""
        async for text in self._wire:
            await self._handle(json.loads(text))
            if self._moved_table:
                return True
        return False

    async def _follow(self) -> None:
        """Open a socket at the server that runs the table now, and send there again what the client
        watches and what was not answered."""
        table, self._moved_table = self._moved_table, ""
        old, self._wire = self._wire, await _open_socket(self._http, table)
        await old.close()
        watched = [one.watch_message(one.index) for one in self._tables.values()]
        for message in (*watched, *self._unanswered.values()):
            await self._wire.send(json.dumps(message))

    async def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self._welcome.set()
            case "view":
                if (table := self._tables.get(message["table"])) is not None:
                    table.take_view(message)
            case "change":
                if (table := self._tables.get(message["table"])) is not None:
                    await table.take_change(message)
            case "reply":
                self._settle(message["id"], message["index"], None)
            case "refusal":
                declined = Declined(message["code"], message["say"], message.get("case", ""))
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
    hello = {"type": "hello", "protocol": PROTOCOL, "ticket": answer["ticket"]}
    await wire.send(json.dumps(hello))
    return wire


def _ok(response: httpx.Response) -> Any:
    """The body of an answer. A proxy without a server answers with a page of its own, not JSON."""
    try:
        body = response.json() if response.content else {}
    except ValueError:
        raise Declined(str(response.status_code), response.reason_phrase) from None
    if response.is_error:
        problem = body.get("error", {})
        raise Declined(problem.get("code", str(response.status_code)), problem.get("message", ""))
    return body
