"""A floor under load: every seat a real socket, every action durable before anyone is told.

From another process, so many actions a second are asked of so many full tables; an action is over
when all six seats of its table have been told. The longest runs take minutes:
`python -m bench load`, shorter with LOAD_SECONDS.

The peer is a bare FastAPI and SQLite skeleton on the same event loop that knows no game: for each
action it commits as many rows of the same length as headsup did in the same run (the dealers'
entries too), and writes and sends to each socket as many messages: one of headsup's, of middling
length.
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
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx
from pydantic_core import from_json
from websockets.asyncio.client import ClientConnection, connect

from headsup.web.server.event_loop import new_loop
from headsup.web.server.security import SESSION_COOKIE

SEATS = range(1, 7)
TABLES, RATE = 100, 300  # of the goal
SECONDS = float(os.environ.get("LOAD_SECONDS", "60"))
# Until everything has happened once, and tables that were opened together have fallen out of step.
WARM_SECONDS = 15.0
IDLE_SECONDS = 3.0
STEP_SECONDS = min(SECONDS, 10.0)  # of each step on the way to the limit
LATE_SECONDS = 20.0  # after which an action that not every seat knows of is missed
EVERY = 101  # messages of which one is looked at again: not always that of the same seat
GOAL_MS = 50
MOST_MS = 100  # the limit is where one action in a hundred takes longer
BETS = {"command": "PlaceBets", "stakes": {"ante": 1_000, "odds": 1_000}, "coupons": []}
_RANDOM = random.Random(6)


@dataclass(slots=True)
class Load:
    """What became of the actions of one run."""

    milliseconds: list[float] = field(default_factory=list)
    missed: int = 0  # not told to every seat, or refused
    asked: int = 0
    seconds: float = 0
    cpu: float = 0  # seconds of the server's processor, without what it takes when nobody acts
    messages: int = 0  # of what happened, to all seats
    letters: int = 0  # in them
    some: list[str] = field(default_factory=list)  # of them, one in `EVERY`
    grown: float = 0  # how much larger the server's memory was at the end

    def percentile(self, share: float) -> float:
        found = sorted(self.milliseconds)
        return found[min(len(found) - 1, int(len(found) * share))] if found else float("inf")

    @property
    def rate(self) -> float:
        return self.asked / self.seconds if self.seconds else 0

    @property
    def cost(self) -> float:
        """Milliseconds of processor for one action, dealers and telling included."""
        return 1_000 * self.cpu / max(self.asked, 1)

    @property
    def entries(self) -> float:
        """Of the log, for one action: the dealers have their own."""
        return self.messages / len(SEATS) / max(self.asked, 1)

    def hear(self, text: str) -> None:
        self.messages += 1
        self.letters += len(text)
        if self.messages % EVERY == 0:
            self.some.append(text)

    @property
    def message(self) -> str:
        """One of what happened, as long as they are in the mean."""
        mean = self.letters / self.messages
        return min(self.some, key=lambda text: abs(len(text) - mean))


@dataclass(slots=True, eq=False)
class Seat:
    table: "Seats"
    number: int
    wire: ClientConnection
    due: dict[str, Any] | None = None
    looks_from: float = 0  # at which entry: what came before its own was carried out is old

    def heard(self, text: str) -> None:
        message = from_json(text)
        match message["type"]:
            case "happened" | "shown":
                self.table.load.hear(text)
                self.table.told(message["index"])
                if self.table.plays and message["index"] >= self.looks_from:
                    self._look(message["view"])
            case "answered":
                self.looks_from = message["index"]
                self.table.answered(message["id"], message["index"])
            case "declined":
                self.looks_from = 0
                self.table.declined(message["id"])

    def _look(self, view: dict[str, Any]) -> None:
        command = self._command(view)
        if command is not None and self.due is None:
            self.table.ready.append(self)
        self.due = command

    def _command(self, view: dict[str, Any]) -> dict[str, Any] | None:
        if legal := view.get("legal"):
            choice = _RANDOM.choice(legal)
            named = {"raise": "Raise", "check": "Check", "fold": "Fold"}[choice["action"]]
            more = {"multiple": choice["multiple"]} if named == "Raise" else {}
            return {"command": named, "seat": self.number, **more}
        round = view["round"]
        if round and round["phase"] == "betting" and str(self.number) not in round["seats"]:
            return {**BETS, "seat": self.number}
        return None


@dataclass(slots=True, eq=False)
class Seats:
    """The six seats of a table, and the actions that not all of them know of yet."""

    id: str
    plays: bool  # what is bare knows no game
    load: Load
    ready: list[Seat]
    seats: list[Seat] = field(default_factory=list)
    _asked: dict[str, float] = field(default_factory=dict)
    _told: dict[int, tuple[int, float]] = field(default_factory=dict)
    _index: dict[int, float] = field(default_factory=dict)

    async def ask(self, seat: Seat, id: str) -> None:
        command, seat.due, seat.looks_from = seat.due, None, inf
        said = {"type": "ask", "id": id, "table": self.id, "command": command}
        self.load.asked += 1
        self._asked[id] = perf_counter()
        await seat.wire.send(json.dumps(said))

    def told(self, index: int) -> None:
        times, _ = self._told.get(index, (0, 0.0))
        self._told[index] = times + 1, perf_counter()
        self._over(index)

    def answered(self, id: str, index: int) -> None:
        if id in self._asked:
            self._index[index] = self._asked.pop(id)
            self._over(index)

    def declined(self, id: str | None) -> None:
        if id in self._asked:
            del self._asked[id]
            self.load.missed += 1

    def _over(self, index: int) -> None:
        times, last = self._told.get(index, (0, 0.0))
        if times == len(SEATS) and index in self._index:
            self.load.milliseconds.append(1_000 * (last - self._index.pop(index)))
            del self._told[index]

    def new_load(self, load: Load) -> None:
        self.load = load
        for held in (self._asked, self._told, self._index):
            held.clear()

    @property
    def waiting(self) -> int:
        return len(self._asked) + len(self._index)


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """A server in a process of its own: its process id and what it says when it is ready."""
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
async def seated(said: dict[str, Any], tables: int) -> Any:
    """Every seat of every table holds a socket."""
    load, ready = Load(), list[Seat]()
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(asking(said))
        found, reading = [], []
        for number in range(tables):
            table = Seats(f"T{number}", "tokens" in said, load, ready)
            found.append(table)
            for seat in SEATS:
                wire = await stack.enter_async_context(_opened(said, http, table.id, seat))
                table.seats.append(Seat(table, seat, wire))
                reading.append(asyncio.create_task(_read(table.seats[-1])))
        if "tokens" not in said:
            ready.extend(seat for table in found for seat in table.seats)
        try:
            yield found, ready
        finally:
            for task in reading:
                task.cancel()
            await asyncio.wait(reading)


def asking(said: dict[str, Any]) -> httpx.AsyncClient:
    """One for all: each of its own would take longer to be made than all that it asks."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{said['port']}", timeout=60)


async def ticket(http: httpx.AsyncClient, said: dict[str, Any], table: str, seat: int) -> str:
    cookie = {"cookie": f"{SESSION_COOKIE}={said['tokens'][table][seat - 1]}"}
    return str((await http.post("/api/ticket", headers=cookie)).json()["ticket"])


@asynccontextmanager
async def _opened(said: dict[str, Any], http: httpx.AsyncClient, table: str, seat: int) -> Any:
    address = f"127.0.0.1:{said['port']}"
    if "tokens" not in said:
        async with connect(f"ws://{address}/ws/{table}", compression=None) as wire:
            yield wire
        return
    hello = {"type": "hello", "ticket": await ticket(http, said, table, seat)}
    async with connect(f"ws://{address}/ws", compression=None) as wire:
        await wire.send(json.dumps(hello))
        watch = {"type": "watch", "table": table, "viewer": f"seat {seat}", "after": None}
        await wire.send(json.dumps(watch))
        yield wire


async def _read(seat: Seat) -> None:
    async for text in seat.wire:
        assert isinstance(text, str)
        seat.heard(text)


_IDS = count()


def _any(ready: list[Seat]) -> Seat | None:
    """One of them, who then is no longer among them."""
    if not ready:
        return None
    place = _RANDOM.randrange(len(ready))
    ready[place], ready[-1] = ready[-1], ready[place]
    return ready.pop()


async def put(
    tables: list[Seats], ready: list[Seat], rate: float, seconds: float, plays: bool = True
) -> Load:
    """Ask at this rate, any of those who are to act, since people at a hundred tables do not act in
    step; a moment at which nobody is, is made up for. Where nothing is played, each seat in
    turn."""
    load = Load()
    for table in tables:
        table.new_load(load)
    bare = None if plays else cycle(list(ready))
    start = now = perf_counter()
    while now < start + seconds:
        while load.asked < (now - start) * rate:
            seat = next(bare) if bare else _any(ready)
            if seat is None:
                break
            if bare or seat.due is not None:
                await seat.table.ask(seat, f"action-{next(_IDS)}")
        await asyncio.sleep(0.001)
        now = perf_counter()
    load.seconds = now - start
    with suppress(TimeoutError):  # what has not come by then is missed
        async with asyncio.timeout(LATE_SECONDS):
            while any(table.waiting for table in tables):
                await asyncio.sleep(0.01)
    load.missed += sum(table.waiting for table in tables)
    return load


async def measured(
    module: str,
    store: str,
    tables: int,
    rate: float,
    seconds: float,
    ramp: bool = False,
    like: tuple[float, int, str] = (1, 500, '{"type":"happened","view":null}'),
) -> tuple[Load, float]:
    """The load at this rate and, with `ramp`, the rate at which it takes too long. `like` is what
    the bare server does for an action: how many entries, how long their rows are, and
    what it sends of each."""
    arguments = (store, str(tables)) if module == "house" else (store, *map(str, like))
    with serving(module, *arguments) as (pid, said):
        async with seated(said, tables) as (found, ready):
            plays = "tokens" in said
            idle = await _idle(pid)
            await put(found, ready, rate, WARM_SECONDS, plays)
            before, memory = _processor(pid), _memory(pid)
            load = await put(found, ready, rate, seconds, plays)
            load.cpu = _processor(pid) - before - idle * load.seconds
            load.grown = _memory(pid) / memory - 1
            limit = await _limit(found, ready, rate, plays) if ramp else 0.0
    return load, limit


async def _idle(pid: int) -> float:
    """The share of a processor that the server takes while nobody acts, once the dealers have done
    what they can without the players."""
    await asyncio.sleep(IDLE_SECONDS)
    before = _processor(pid)
    await asyncio.sleep(IDLE_SECONDS)
    return (_processor(pid) - before) / IDLE_SECONDS


async def _limit(tables: list[Seats], ready: list[Seat], rate: float, plays: bool) -> float:
    """The highest rate tried at which an action in a hundred takes less than `MOST_MS`."""
    reached = 0.0
    while await _carries(tables, ready, rate, plays) or await _carries(tables, ready, rate, plays):
        reached, rate = rate, rate * 1.25
    return reached


async def _carries(tables: list[Seats], ready: list[Seat], rate: float, plays: bool) -> bool:
    """Asked again where it does not: the machine itself may have stood still for a moment."""
    load = await put(tables, ready, rate, STEP_SECONDS, plays)
    return load.percentile(0.99) <= MOST_MS and load.rate >= 0.95 * rate


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def _run(module: str, store: str, tables: int = TABLES, **more: Any) -> tuple[Load, float]:
    more = {"rate": RATE, "seconds": SECONDS, **more}
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(measured(module, store, tables, **more))


def _sqlite(folder: str, name: str) -> str:
    return f"sqlite:///{Path(folder) / name}.db"


def _row_length(file: Path) -> int:
    """Of an entry of the log, with what is kept beside it."""
    with sqlite3.connect(file) as connection:
        (entry,) = connection.execute("SELECT AVG(LENGTH(entry)) FROM entries").fetchone()
        (answer,) = connection.execute(
            "SELECT AVG(LENGTH(command) + LENGTH(digest) + LENGTH(answer)) FROM answers"
        ).fetchone()
    return int(entry + answer)


def rows() -> list[tuple[str, str, str, str]]:
    with TemporaryDirectory() as folder:
        house, limit = _run("house", _sqlite(folder, "house"), ramp=True)
        like = house.entries, _row_length(Path(folder) / "house.db"), house.message
        bare, bare_limit = _run("bare", str(Path(folder) / "bare.db"), ramp=True, like=like)
        short = SECONDS / 3
        one, _ = _run("house", _sqlite(folder, "one"), 1, rate=6, seconds=short)
        many, _ = _run("house", _sqlite(folder, "many"), 200, seconds=short)
    what = f"{TABLES} tables × 6 seats, {house.rate:.0f} actions/s"
    return [
        _promptness(what, house),
        ("the same: actions missed", str(house.missed), "0", ""),
        ("the same: memory grown", f"{100 * house.grown:.1f} %", "flat", ""),
        (
            f"against bare FastAPI+SQLite: the same {like[0]:.1f} rows of {like[1]} bytes and "
            f"6 × {like[0]:.1f} messages of {len(like[2]):,} for an action: 99 % told",
            f"{house.percentile(0.99):.1f} ms",
            f"{bare.percentile(0.99):.1f} ms; within 2×",
            f"{house.percentile(0.99) / bare.percentile(0.99):.2f}×",
        ),
        (
            "the same: processor for an action",
            f"{house.cost:.2f} ms",
            f"{bare.cost:.2f} ms; within 2×",
            f"{house.cost / bare.cost:.2f}×",
        ),
        (
            "the rate at which 99 % still take under 100 ms",
            f"{limit:,.0f} actions/s",
            f"bare {bare_limit:,.0f} actions/s; within 2×",
            f"{bare_limit / limit:.2f}×" if limit else "",
        ),
        (
            "processor for an action, 200 tables",
            f"{many.cost:.2f} ms",
            f"one table {one.cost:.2f} ms; at most 1.3×",
            f"{many.cost / one.cost:.2f}×",
        ),
        *_on_postgres(),
    ]


def _promptness(what: str, load: Load) -> tuple[str, str, str, str]:
    late = load.percentile(0.99)
    return (
        f"{what}: 99 % told to all",
        f"{late:.1f} ms (half: {load.percentile(0.5):.1f} ms)",
        f"under {GOAL_MS} ms",
        f"{late / GOAL_MS:.2f}× of it",
    )


def _on_postgres() -> list[tuple[str, str, str, str]]:
    from tests.postgres import running_server, server_programs  # only where there are tests

    if server_programs() is None:
        return [("the same on PostgreSQL", "not installed here", "", "")]
    with running_server() as server:
        load, limit = _run("house", server.new_database(), ramp=True, seconds=SECONDS / 2)
    return [
        _promptness(f"on PostgreSQL, {load.rate:.0f} actions/s", load),
        ("the same: actions missed", str(load.missed), "0", ""),
        ("the same: processor for an action", f"{load.cost:.2f} ms", "", ""),
        ("the same: still under 100 ms", f"{limit:,.0f} actions/s", "", ""),
    ]
