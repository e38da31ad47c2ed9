"""A house under load for hours: `SOAK_MINUTES=30 python -m bench soak` (A31: 30 minutes, 24 hours).

The tables of `bench load`, each with a display, at 300 actions per second. Each minute is reported
on standard error. Then as many spectators as there are seats lose their connection during play and
reconnect within five seconds.
"""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx
from pydantic_core import from_json
from websockets.asyncio.client import ClientConnection, connect

from bench.load import (
    RATE,
    SEATS,
    TABLES,
    WARM_SECONDS,
    Load,
    Seat,
    Seats,
    apply_load,
    http_client,
    seated,
    serving,
    ticket,
)
from headsup.web.server.process import new_loop

ONLY_WHEN_NAMED = True
MINUTES = int(os.environ.get("SOAK_MINUTES", "30"))
TABLE_COUNT = int(os.environ.get("SOAK_TABLES", str(TABLES)))
ACTIONS_PER_SECOND = RATE * TABLE_COUNT / TABLES  # per table as in `bench load`
AWAY_SECONDS = 3.0
STORM_SECONDS = 5.0  # during which all of them reconnect
GOAL_MS, BACK_GOAL_SECONDS, GROWTH_GOAL = 100, 10, 0.05


@dataclass
class Watching:
    """A socket that only watches, and the last entry it has received."""

    table: str
    seat: int
    viewer: str
    index: int | None = None
    wire: ClientConnection | None = None
    version: int = 0  # of the view
    gap: bool = False  # a change came twice or out of order

    async def connect(
        self, server: dict[str, Any], http: httpx.AsyncClient, stack: AsyncExitStack
    ) -> float:
        """Connect and catch up. Returns the seconds that it took."""
        start = perf_counter()
        hello = {
            "type": "hello",
            "protocol": 2,
            "ticket": (await ticket(http, server, self.table, self.seat))["ticket"],
        }
        address = f"ws://127.0.0.1:{server['port']}/ws"
        opening = connect(address, compression=None, open_timeout=60)
        self.wire = await stack.enter_async_context(opening)
        await self.wire.send(json.dumps(hello))
        watch = {"type": "watch", "table": self.table, "viewer": self.viewer}
        after = {} if self.index is None else {"after": self.index}
        await self.wire.send(json.dumps({**watch, **after}))
        async for text in self.wire:
            if self._receive(text) == "view":
                break
        return perf_counter() - start

    async def watch(self) -> None:
        assert self.wire is not None
        async for text in self.wire:
            self._receive(text)

    def _receive(self, text: str | bytes) -> str:
        message = from_json(text)
        if message["type"] == "change":
            self.gap |= message["version"] != self.version + 1
        if message["type"] in ("view", "change"):
            self.index, self.version = message["index"], message["version"]
        return str(message["type"])


@asynccontextmanager
async def watchers(server: dict[str, Any], watching: list[Watching]) -> Any:
    """Keep all of these sockets connected and reading."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(http_client(server))
        for watcher in watching:
            await watcher.connect(server, http, stack)
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watching]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)


async def storm(server: dict[str, Any], watching: list[Watching]) -> list[float]:
    """Drop all connections, wait, and reconnect. Returns the seconds each reconnect took."""
    async with watchers(server, watching):
        pass
    await asyncio.sleep(AWAY_SECONDS)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(http_client(server))

        async def reconnect(number: int, watcher: Watching) -> float:
            await asyncio.sleep(number * STORM_SECONDS / len(watching))
            return await watcher.connect(server, http, stack)

        return await asyncio.gather(*(reconnect(n, each) for n, each in enumerate(watching)))


@dataclass
class SoakResult:
    minutes: list[Load]
    pages: list[int]  # of the server's memory, before the first minute and after each
    reconnects: list[float]  # seconds
    gaps: int

    @property
    def worst(self) -> float:
        return max(load.percentile(0.99) for load in self.minutes)

    @property
    def memory_growth(self) -> float:
        """Growth since the first minute, in which caches are filled."""
        return self.pages[-1] / self.pages[min(1, len(self.pages) - 1)] - 1


async def soak(store: str) -> SoakResult:
    with serving("house", store, str(TABLE_COUNT)) as (pid, server):
        async with seated(server, TABLE_COUNT) as (tables, ready):
            screens = [Watching(table.id, 1, "tablevision") for table in tables]
            async with watchers(server, screens):
                await apply_load(tables, ready, ACTIONS_PER_SECOND, WARM_SECONDS)
                result = SoakResult([], [_memory(pid)], [], 0)
                for minute in range(1, MINUTES + 1):
                    result.minutes.append(await apply_load(tables, ready, ACTIONS_PER_SECOND, 60))
                    result.pages.append(_memory(pid))
                    _report_minute(minute, result)
                rail = [Watching(table.id, seat, "rail") for table in tables for seat in SEATS]
                playing = asyncio.create_task(_play_on(tables, ready))
                result.reconnects = await storm(server, rail)
                playing.cancel()
                await asyncio.wait([playing])
            result.gaps = sum(watcher.gap for watcher in (*screens, *rail))
    return result


async def _play_on(tables: list[Seats], ready: list[Seat]) -> None:
    await apply_load(tables, ready, ACTIONS_PER_SECOND, 3_600)


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def _report_minute(minute: int, result: SoakResult) -> None:
    load, size = result.minutes[-1], result.pages[-1] * os.sysconf("SC_PAGE_SIZE") / 1e6
    speed = f"{load.rate:.0f} actions/s, 99 % in {load.percentile(0.99):.1f} ms"
    print(f"minute {minute}: {speed}, {load.missed} missed, {size:.0f} MB", file=sys.stderr)


def rows() -> list[tuple[str, str, str, str]]:
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=new_loop) as runner:
        result = runner.run(soak(f"sqlite:///{Path(folder) / 'house'}.db"))
    missed, slowest = sum(load.missed for load in result.minutes), max(result.reconnects)
    return [
        (
            f"{TABLE_COUNT} tables × 6 seats and a display, {MINUTES} minutes: "
            "worst minute, 99 % received",
            f"{result.worst:.1f} ms",
            f"under {GOAL_MS} ms",
            f"{result.worst / GOAL_MS:.2f}× of it",
        ),
        ("the same: actions missed", str(missed), "0", ""),
        (
            "the same: memory growth since the first minute",
            f"{100 * result.memory_growth:.1f} %",
            f"under {100 * GROWTH_GOAL:.0f} % in 24 hours",
            "",
        ),
        (
            f"{len(result.reconnects)} reconnect in {STORM_SECONDS:.0f} s: "
            "the slowest is up to date after",
            f"{slowest:.1f} s",
            f"under {BACK_GOAL_SECONDS} s",
            f"{slowest / BACK_GOAL_SECONDS:.2f}× of it",
        ),
        ("the same: received twice or out of order", str(result.gaps), "0", ""),
    ]
