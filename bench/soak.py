"""A floor under load for hours: `SOAK_MINUTES=30 python -m bench soak` (A31: 30 minutes, 24 hours).

The tables of `bench load` and a display above each, at 300 actions a second. Each minute is told on
standard error as it ends. Then as many as there are seats, on the rail, lose their connection while
play goes on, and come back within five seconds.
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
    asking,
    put,
    seated,
    serving,
    ticket,
)
from headsup.web.server.event_loop import new_loop

ONLY_WHEN_NAMED = True
MINUTES = int(os.environ.get("SOAK_MINUTES", "30"))
MANY = int(os.environ.get("SOAK_TABLES", str(TABLES)))
PACE = RATE * MANY / TABLES  # as many for each table as in `bench load`
AWAY_SECONDS = 3.0
STORM_SECONDS = 5.0  # in which all of them come back
GOAL_MS, BACK_GOAL_SECONDS, GROWTH_GOAL = 100, 10, 0.05


@dataclass
class Watching:
    """A socket that only looks, and the last entry it was told of."""

    table: str
    seat: int
    viewer: str
    index: int | None = None
    wire: ClientConnection | None = None
    gap: bool = False  # an entry was told twice, or out of order

    async def come(
        self, said: dict[str, Any], http: httpx.AsyncClient, stack: AsyncExitStack
    ) -> float:
        """Connect, and be told what was missed; the seconds that it took."""
        began = perf_counter()
        hello = {"type": "hello", "ticket": await ticket(http, said, self.table, self.seat)}
        address = f"ws://127.0.0.1:{said['port']}/ws"
        opening = connect(address, compression=None, open_timeout=60)
        self.wire = await stack.enter_async_context(opening)
        await self.wire.send(json.dumps(hello))
        watch = {"type": "watch", "table": self.table, "viewer": self.viewer, "after": self.index}
        await self.wire.send(json.dumps(watch))
        async for text in self.wire:
            if self._heard(text) == "watching":
                break
        return perf_counter() - began

    async def look(self) -> None:
        assert self.wire is not None
        async for text in self.wire:
            self._heard(text)

    def _heard(self, text: str | bytes) -> str:
        message = from_json(text)
        if message["type"] == "happened":
            self.gap |= self.index is not None and message["index"] <= self.index
        if message["type"] in ("happened", "shown", "watching"):
            self.index = message["index"]
        return str(message["type"])


@asynccontextmanager
async def looking(said: dict[str, Any], watching: list[Watching]) -> Any:
    """All of them at once, for as long as this lasts."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(asking(said))
        for one in watching:
            await one.come(said, http, stack)
        tasks = [asyncio.create_task(one.look()) for one in watching]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)


async def storm(said: dict[str, Any], watching: list[Watching]) -> list[float]:
    """All lose their connection, miss some seconds and come back; how long each of them took."""
    async with looking(said, watching):
        pass
    await asyncio.sleep(AWAY_SECONDS)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(asking(said))

        async def comes(number: int, one: Watching) -> float:
            await asyncio.sleep(number * STORM_SECONDS / len(watching))
            return await one.come(said, http, stack)

        return await asyncio.gather(*(comes(n, one) for n, one in enumerate(watching)))


@dataclass
class Soaked:
    minutes: list[Load]
    pages: list[int]  # of the server's memory, before the first minute and after each
    back: list[float]  # seconds
    gaps: int

    @property
    def worst(self) -> float:
        return max(one.percentile(0.99) for one in self.minutes)

    @property
    def grown(self) -> float:
        """Since the first minute, in which caches are filled."""
        return self.pages[-1] / self.pages[min(1, len(self.pages) - 1)] - 1


async def soak(store: str) -> Soaked:
    with serving("house", store, str(MANY)) as (pid, said):
        async with seated(said, MANY) as (found, ready):
            screens = [Watching(table.id, 1, "tablevision") for table in found]
            async with looking(said, screens):
                await put(found, ready, PACE, WARM_SECONDS)
                done = Soaked([], [_memory(pid)], [], 0)
                for minute in range(1, MINUTES + 1):
                    done.minutes.append(await put(found, ready, PACE, 60))
                    done.pages.append(_memory(pid))
                    _tell(minute, done)
                rail = [Watching(table.id, seat, "rail") for table in found for seat in SEATS]
                playing = asyncio.create_task(_play_on(found, ready))
                done.back = await storm(said, rail)
                playing.cancel()
                await asyncio.wait([playing])
            done.gaps = sum(one.gap for one in (*screens, *rail))
    return done


async def _play_on(found: list[Seats], ready: list[Seat]) -> None:
    await put(found, ready, PACE, 3_600)


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def _tell(minute: int, done: Soaked) -> None:
    load, size = done.minutes[-1], done.pages[-1] * os.sysconf("SC_PAGE_SIZE") / 1e6
    told = f"{load.rate:.0f} actions/s, 99 % in {load.percentile(0.99):.1f} ms"
    print(f"minute {minute}: {told}, {load.missed} missed, {size:.0f} MB", file=sys.stderr)


def rows() -> list[tuple[str, str, str, str]]:
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=new_loop) as runner:
        done = runner.run(soak(f"sqlite:///{Path(folder) / 'house'}.db"))
    missed, slowest = sum(one.missed for one in done.minutes), max(done.back)
    return [
        (
            f"{MANY} tables × 6 seats and a display, {MINUTES} minutes: worst minute, 99 % told",
            f"{done.worst:.1f} ms",
            f"under {GOAL_MS} ms",
            f"{done.worst / GOAL_MS:.2f}× of it",
        ),
        ("the same: actions missed", str(missed), "0", ""),
        (
            "the same: memory grown since the first minute",
            f"{100 * done.grown:.1f} %",
            f"under {100 * GROWTH_GOAL:.0f} % in 24 hours",
            "",
        ),
        (
            f"{len(done.back)} come back in {STORM_SECONDS:.0f} s: the last knows all after",
            f"{slowest:.1f} s",
            f"under {BACK_GOAL_SECONDS} s",
            f"{slowest / BACK_GOAL_SECONDS:.2f}× of it",
        ),
        ("the same: told twice or out of order", str(done.gaps), "0", ""),
    ]
