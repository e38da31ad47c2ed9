"""A house under load: every seat is a real socket, every action is durable before it is announced.

Another process sends actions to full tables at a fixed rate. An action is complete when its sender
has the reply, and every seat that it is announced to has received it: bets are public, decisions
are hidden until the street closes. The longest runs take minutes; LOAD_SECONDS shortens them.

The peer is a bare FastAPI and SQLite server without a game, on the same kind of event loop. For
each action it commits as many rows of the same length as headsup did in the same run (dealers'
entries included), and sends each socket as many messages: one of headsup's, of average length.
"""

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx
from pydantic_core import from_json
from websockets.asyncio.client import ClientConnection, connect

from headsup.web.server.process import new_loop
from headsup.web.server.security import SESSION_COOKIE

SEATS = range(1, 7)
TABLES, RATE = 100, 300  # the goal: tables, and actions per second
SECONDS = float(os.environ.get("LOAD_SECONDS", "60"))
# Long enough for tables that were opened together to fall out of step.
WARM_SECONDS = 15.0
IDLE_SECONDS = 3.0
STEP_SECONDS = min(SECONDS, 10.0)  # each step in the search for the highest rate
LATE_SECONDS = 20.0  # after this an action that a seat has not received counts as missed
SAMPLE_INTERVAL = 101  # messages per sample; not a multiple of six, so that all seats are sampled
GOAL_MS = 50
MAX_MS = 100  # at the highest rate, 99 % of actions take at most this long
STAKES = {"ante": 1_000, "odds": 1_000}
DECISIONS = ("Raise", "Check", "Fold")
_RANDOM = random.Random(6)


@dataclass(slots=True)
class Load:
    """Measurements of one run."""

    milliseconds: list[float] = field(default_factory=list)
    missed: int = 0  # refused, or not received by every seat
    actions: int = 0
    seconds: float = 0
    cpu: float = 0  # the server's processor seconds, without its idle load
    stored: int = 0  # entries that some seat received something of
    messages: int = 0  # about events, to all seats
    characters: int = 0  # in those messages
    samples: list[str] = field(default_factory=list)  # one message in `SAMPLE_INTERVAL`
    memory_growth: float = 0  # relative to the start

    def percentile(self, share: float) -> float:
        times = sorted(self.milliseconds)
        return times[min(len(times) - 1, int(len(times) * share))] if times else float("inf")

    @property
    def rate(self) -> float:
        return self.actions / self.seconds if self.seconds else 0

    @property
    def cost(self) -> float:
        """Processor milliseconds per action, including dealers and sending."""
        return 1_000 * self.cpu / max(self.actions, 1)

    @property
    def entries(self) -> float:
        """Log entries per action; dealers' actions have entries too."""
        return self.stored / max(self.actions, 1)

    @property
    def sent(self) -> float:
        """Messages per action and seat."""
        return self.messages / len(SEATS) / max(self.actions, 1)

    @property
    def bytes(self) -> float:
        """Bytes per action, to all six seats."""
        return self.characters / max(self.actions, 1)

    def count_message(self, text: str) -> None:
        self.messages += 1
        self.characters += len(text)
        if self.messages % SAMPLE_INTERVAL == 0:
            self.samples.append(text)

    @property
    def message(self) -> str:
        """A sampled message of about average length."""
        mean = self.characters / self.messages
        return min(self.samples, key=lambda text: abs(len(text) - mean))


@dataclass(slots=True, eq=False)
class Seat:
    table: "Seats"
    number: int
    wire: ClientConnection
    due: dict[str, Any] | None = None
    asking: bool = False
    parts: dict[str, Any] = field(default_factory=dict)

    def receive(self, text: str) -> None:
        message = from_json(text)
        match message["type"]:
            case "view" | "change" | "happened":  # the last from the bare server
                self.table.load.count_message(text)
                self.table.count_receipt(message["index"])
                if self.table.plays:
                    self._take(message)
            case "reply":
                self.asking = False
                self.table.accept(message["id"], message["index"])
                if self.table.plays:
                    self._find_action()
            case "refusal":
                self.asking = False
                self.table.decline(message["id"])
                self._find_action()

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "view":
            self.parts = message["parts"]
        self.parts.update(message.get("set", {}))
        if not self.asking:
            self._find_action()

    def _find_action(self) -> None:
        command = self._command()
        if command is not None and self.due is None:
            self.table.ready.append(self)
        self.due = command

    def _command(self) -> dict[str, Any] | None:
        choices = [item["command"] for item in self.parts.get("may") or ()]
        if decisions := [one for one in choices if one["command"] in DECISIONS]:
            return dict(_RANDOM.choice(decisions))
        if form := self.parts.get("form.PlaceBets"):
            return {**form["command"], "stakes": STAKES}
        return None


@dataclass(slots=True, eq=False)
class Seats:
    """The six seats of a table, and the actions that not all of them have received."""

    id: str
    plays: bool  # False for the bare server
    load: Load
    ready: list[Seat]
    seats: list[Seat] = field(default_factory=list)
    _needed: dict[str, int] = field(default_factory=dict)  # by id, the seats that are told
    _sent: dict[str, float] = field(default_factory=dict)  # by id, the time
    _receipts: dict[int, tuple[int, float]] = field(default_factory=dict)  # by entry
    # By entry, the time of sending, and how many seats are told.
    _accepted: dict[int, tuple[float, int]] = field(default_factory=dict)

    async def ask(self, seat: Seat, id: str) -> None:
        command, seat.due, seat.asking = seat.due, None, True
        is_hidden = command is not None and command["command"] in DECISIONS
        self._needed[id] = 1 if is_hidden else len(SEATS)
        message = {"type": "ask", "id": id, "table": self.id, "command": command}
        self.load.actions += 1
        self._sent[id] = perf_counter()
        await seat.wire.send(json.dumps(message))

    def count_receipt(self, index: int) -> None:
        times, _ = self._receipts.get(index, (0, 0.0))
        self.load.stored += times == 0
        self._receipts[index] = times + 1, perf_counter()
        self._check_complete(index)

    def accept(self, id: str, index: int) -> None:
        if id in self._sent:
            self._accepted[index] = self._sent.pop(id), self._needed.pop(id, len(SEATS))
            self._check_complete(index)

    def decline(self, id: str | None) -> None:
        if id in self._sent:
            del self._sent[id]
            self.load.missed += 1

    def _check_complete(self, index: int) -> None:
        times, last = self._receipts.get(index, (0, 0.0))
        if index in self._accepted and times >= self._accepted[index][1]:
            sent, _ = self._accepted.pop(index)
            self.load.milliseconds.append(1_000 * (last - sent))

    def start_load(self, load: Load) -> None:
        self.load = load
        for pending in (self._sent, self._needed, self._receipts, self._accepted):
            pending.clear()

    @property
    def waiting(self) -> int:
        return len(self._sent) + len(self._accepted)


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Run a server in another process; yields its process id and the JSON line it prints."""
    with subprocess.Popen(
        [sys.executable, "-m", f"bench.servers.{module}", *arguments],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.pid, json.loads(process.stdout.readline())
        finally:
            process.terminate()


@asynccontextmanager
async def seated(server: dict[str, Any], tables: int) -> Any:
    """Connect a socket for every seat of every table."""
    load, ready = Load(), list[Seat]()
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(http_client(server))
        connected, reading = [], []
        for name in server.get("tokens") or [f"T{number}" for number in range(tables)]:
            table = Seats(name, "tokens" in server, load, ready)
            connected.append(table)
            for seat in SEATS:
                wire = await stack.enter_async_context(_open_socket(server, http, table.id, seat))
                table.seats.append(Seat(table, seat, wire))
                reading.append(asyncio.create_task(_read(table.seats[-1])))
        if "tokens" not in server:
            ready.extend(seat for table in connected for seat in table.seats)
        try:
            yield connected, ready
        finally:
            for task in reading:
                task.cancel()
            await asyncio.wait(reading)


def http_client(server: dict[str, Any]) -> httpx.AsyncClient:
    """A client for all requests: creating one takes longer than all of its requests."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{server['port']}", timeout=60)


async def ticket(
    http: httpx.AsyncClient, server: dict[str, Any], table: str, seat: int
) -> dict[str, str]:
    """A seat's ticket, and the address of the socket that it opens."""
    cookie = {"cookie": f"{SESSION_COOKIE}={server['tokens'][table][seat - 1]}"}
    answer = await http.post("/api/ticket", headers=cookie, json={"table": table})
    found: dict[str, str] = answer.json()
    return found


@asynccontextmanager
async def _open_socket(
    server: dict[str, Any], http: httpx.AsyncClient, table: str, seat: int
) -> Any:
    address = f"127.0.0.1:{server['port']}"
    if "tokens" not in server:
        async with connect(f"ws://{address}/ws/{table}", compression=None) as wire:
            yield wire
        return
    opened = await ticket(http, server, table, seat)
    hello = {"type": "hello", "protocol": 2, "ticket": opened["ticket"]}
    async with connect(f"ws://{address}{opened['socket']}", compression=None) as wire:
        await wire.send(json.dumps(hello))
        watch = {"type": "watch", "table": table, "viewer": f"seat {seat}"}
        await wire.send(json.dumps(watch))
        yield wire


async def _read(seat: Seat) -> None:
    async for text in seat.wire:
        assert isinstance(text, str)
        seat.receive(text)


_IDS = count()


def _pop_random(ready: list[Seat]) -> Seat | None:
    """Remove and return a random seat."""
    if not ready:
        return None
    index = _RANDOM.randrange(len(ready))
    ready[index], ready[-1] = ready[-1], ready[index]
    return ready.pop()


async def apply_load(
    tables: list[Seats], ready: list[Seat], rate: float, seconds: float, plays: bool = True
) -> Load:
    """Send actions at this rate from random seats that are due to act.

    If no seat is due for a moment, the rate is made up afterwards. On the bare server, the seats
    take turns.
    """
    load = Load()
    for table in tables:
        table.start_load(load)
    bare = None if plays else cycle(list(ready))
    start = now = perf_counter()
    while now < start + seconds:
        while load.actions < (now - start) * rate:
            seat = next(bare) if bare else _pop_random(ready)
            if seat is None:
                break
            if bare or seat.due is not None:
                await seat.table.ask(seat, f"action-{next(_IDS)}")
        await asyncio.sleep(0.001)
        now = perf_counter()
    load.seconds = now - start
    with suppress(TimeoutError):  # later actions count as missed
        async with asyncio.timeout(LATE_SECONDS):
            while any(table.waiting for table in tables):
                await asyncio.sleep(0.01)
    load.missed += sum(table.waiting for table in tables)
    return load


async def measure(
    module: str,
    store: str,
    tables: int,
    rate: float,
    seconds: float,
    ramp: bool = False,
    like: tuple[float, int, str] = (1, 500, '{"type":"happened","view":null}'),
) -> tuple[Load, float]:
    """The load at this rate and, with `ramp`, the highest rate within MAX_MS.

    `like` is what the bare server does per action: the number of entries, the length of their rows,
    and the message for each.
    """
    arguments = (store, str(tables)) if module == "house" else (store, *map(str, like))
    with serving(module, *arguments) as (pid, server):
        async with seated(server, tables) as (connected, ready):
            plays = "tokens" in server
            idle = await _idle(pid)
            await apply_load(connected, ready, rate, WARM_SECONDS, plays)
            before, memory = _processor(pid), _memory(pid)
            load = await apply_load(connected, ready, rate, seconds, plays)
            load.cpu = _processor(pid) - before - idle * load.seconds
            load.memory_growth = _memory(pid) / memory - 1
            limit = await _limit(connected, ready, rate, plays) if ramp else 0.0
    return load, limit


async def _idle(pid: int) -> float:
    """The server's processor load while nobody acts and the dealers wait for the players."""
    await asyncio.sleep(IDLE_SECONDS)
    before = _processor(pid)
    await asyncio.sleep(IDLE_SECONDS)
    return (_processor(pid) - before) / IDLE_SECONDS


async def _limit(tables: list[Seats], ready: list[Seat], rate: float, plays: bool) -> float:
    """The highest tested rate at which 99 % of actions take at most `MAX_MS`."""
    reached = 0.0
    # Each rate has two chances, since the machine itself may stall for a moment.
    while await _sustains(tables, ready, rate, plays) or await _sustains(
        tables, ready, rate, plays
    ):
        reached, rate = rate, rate * 1.25
    return reached


async def _sustains(tables: list[Seats], ready: list[Seat], rate: float, plays: bool) -> bool:
    load = await apply_load(tables, ready, rate, STEP_SECONDS, plays)
    return load.percentile(0.99) <= MAX_MS and load.rate >= 0.95 * rate


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def _run(module: str, store: str, tables: int = TABLES, **more: Any) -> tuple[Load, float]:
    more = {"rate": RATE, "seconds": SECONDS, **more}
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(measure(module, store, tables, **more))


def _sqlite(folder: str, name: str) -> str:
    return f"sqlite:///{Path(folder) / name}.db"


def _row_length(file: Path) -> int:
    """The average length of a log entry with its stored answer."""
    with sqlite3.connect(file) as connection:
        (entry,) = connection.execute("SELECT AVG(LENGTH(entry)) FROM entries").fetchone()
        (answer,) = connection.execute(
            'SELECT AVG(LENGTH(command) + LENGTH("index")) FROM answers'
        ).fetchone()
    return int(entry + answer)


def rows() -> list[tuple[str, str, str, str]]:
    with TemporaryDirectory() as folder:
        house, limit = _run("house", _sqlite(folder, "house"), ramp=True)
        like = house.entries, _row_length(Path(folder) / "house.db"), house.message
        bare, bare_limit = _run("bare", str(Path(folder) / "bare.db"), ramp=True, like=like)
        short = SECONDS / 3
        small, _ = _run("house", _sqlite(folder, "one"), 1, rate=6, seconds=short)
        large, _ = _run("house", _sqlite(folder, "many"), 200, seconds=short)
    name = f"{TABLES} tables × 6 seats, {house.rate:.0f} actions/s"
    return [
        _latency_row(name, house),
        ("the same: actions missed", str(house.missed), "0", ""),
        (
            "the same: bytes to six seats per action",
            f"{house.bytes:,.0f}",
            f"{house.sent:.2f} messages to each seat",
            "",
        ),
        ("the same: memory growth", f"{100 * house.memory_growth:.1f} %", "flat", ""),
        (
            f"against bare FastAPI+SQLite: the same {like[0]:.1f} rows of {like[1]} bytes and "
            f"6 × {house.sent:.1f} messages of {len(like[2]):,} for an action: 99 % received",
            f"{house.percentile(0.99):.1f} ms",
            f"{bare.percentile(0.99):.1f} ms; within 2×",
            f"{house.percentile(0.99) / bare.percentile(0.99):.2f}×",
        ),
        (
            "the same: processor per action",
            f"{house.cost:.2f} ms",
            f"{bare.cost:.2f} ms; within 2×",
            f"{house.cost / bare.cost:.2f}×",
        ),
        (
            "highest rate with 99 % under 100 ms",
            f"{limit:,.0f} actions/s",
            f"bare {bare_limit:,.0f} actions/s; within 2×",
            f"{bare_limit / limit:.2f}×" if limit else "",
        ),
        (
            "processor per action, 200 tables",
            f"{large.cost:.2f} ms",
            f"one table {small.cost:.2f} ms; at most 1.3×",
            f"{large.cost / small.cost:.2f}×",
        ),
        *_on_postgres(),
    ]


def _latency_row(name: str, load: Load) -> tuple[str, str, str, str]:
    late = load.percentile(0.99)
    return (
        f"{name}: 99 % received by all",
        f"{late:.1f} ms (median: {load.percentile(0.5):.1f} ms)",
        f"under {GOAL_MS} ms",
        f"{late / GOAL_MS:.2f}× of it",
    )


def _on_postgres() -> list[tuple[str, str, str, str]]:
    from tests.support.postgres import running_server, server_programs  # needs the tests folder

    if server_programs() is None:
        return [("the same on PostgreSQL", "not installed here", "", "")]
    with running_server() as server:
        load, limit = _run("house", server.new_database(), ramp=True, seconds=SECONDS / 2)
    return [
        _latency_row(f"on PostgreSQL, {load.rate:.0f} actions/s", load),
        ("the same: actions missed", str(load.missed), "0", ""),
        ("the same: processor per action", f"{load.cost:.2f} ms", "", ""),
        ("the same: highest rate under 100 ms", f"{limit:,.0f} actions/s", "", ""),
    ]
