"""The constants of the capacity model in docs/scale.md.

Processor, bytes, entries and commits per action, and memory per table, of servers on PostgreSQL
under a moderate load; what a server costs that has no tables; what an action costs when three
servers share a house behind the proxy of the documents; and how many commits one PostgreSQL does.
Processor times count, so another load on the machine matters little. SCALE_SECONDS is the length
of each run.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import httpx

from bench.load import SEATS, Load, _memory, _processor, apply_load, seated, serving
from headsup.game.record.chain import Head, make_link
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult
from headsup.web.server.process import new_loop

SECONDS = float(os.environ.get("SCALE_SECONDS", "20"))
TABLES, RATE = 10, 20  # for each server: tables, and actions per second
WRITERS = 8  # servers that commit at the same time
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Cost:
    """What one server spent under load."""

    load: Load
    commits: float
    table_bytes: float = 0.0


def _metric(port: int, name: str) -> float:
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def _house(address: str, at: str, first: int, tables: int = TABLES) -> Any:
    return serving("house", address, str(tables), at, str(first))


async def _play(servers: list[tuple[int, dict[str, Any]]], front: int | None) -> list[Cost]:
    """Equal load on every server, through the proxy if there is one."""
    async with AsyncExitStack() as stack:
        connected = []
        for _, server in servers:
            reached = server if front is None else {**server, "port": front}
            connected.append(await stack.enter_async_context(seated(reached, TABLES)))

        async def run(seconds: float) -> list[Load]:
            loads = (apply_load(tables, ready, RATE, seconds) for tables, ready in connected)
            return list(await asyncio.gather(*loads))

        await run(SECONDS / 2)  # until the tables are out of step
        processor = [_processor(pid) for pid, _ in servers]
        commits = [_metric(server["port"], "headsup_commits_total") for _, server in servers]
        loads = await run(SECONDS)
        costs = []
        for place, (pid, server) in enumerate(servers):
            loads[place].cpu = _processor(pid) - processor[place]
            done = _metric(server["port"], "headsup_commits_total") - commits[place]
            costs.append(Cost(loads[place], done))
    return costs


def _measure(address: str, names: str, proxied: bool = False) -> list[Cost]:
    from tests.support.web.proxy import proxied as proxy

    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        Path(folder).chmod(0o755)
        servers = [
            stack.enter_context(_house(address, at, 1_000 * place))
            for place, at in enumerate(names)
        ]
        front = None
        if proxied:
            upstreams = [f"http://127.0.0.1:{server['port']}" for _, server in servers]
            front = int(stack.enter_context(proxy(Path(folder), *upstreams)).rpartition(":")[2])
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(_play(servers, front))


@contextmanager
def _idle_server(address: str) -> Iterator[int]:
    """A server of the house without tables; yields its process."""
    command = [sys.executable, "-m", "headsup", "serve", "--database", address, "--at", "z"]
    with Popen([*command, "--port", "0"], stdout=DEVNULL, stderr=DEVNULL) as process:
        sleep(10)  # its start is over
        try:
            yield process.pid
        finally:
            process.terminate()


def _idle_share(address: str) -> tuple[Cost, float]:
    """One server under load, and the processor time of an idle one in relation to its own."""
    with _house(address, "a", 0) as owner, _idle_server(address) as idle:
        before = _processor(idle)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            (cost,) = runner.run(_play([owner], None))
        spent = (_processor(idle) - before) / 1.5  # the warm-up too
    return cost, spent / cost.load.cpu


def _table_bytes(address: str) -> float:
    """The memory that one more full table takes."""
    found = []
    for place, tables in enumerate((10, 110)):
        with _house(address, "ab"[place], 5_000 * (place + 1), tables) as (pid, _):
            found.append(_memory(pid) * PAGE_BYTES)
    return (found[1] - found[0]) / 100


def commit_rate(address: str, seconds: float) -> float:
    """Commits per second of one PostgreSQL, from servers that append one entry at a time."""

    def write(number: int) -> int:
        database, name, head, done = Database(address), f"writer {number}", Head(), 0
        database.open_floor(name)
        lease = database.take_lease(name, f"server {number}")
        if lease is None:
            raise RuntimeError(f"{name} is owned by another server")
        end = perf_counter() + seconds
        while perf_counter() < end:
            link = make_link(head, {"by": "bench", "number": done})
            if database.commit([Append(lease, head, (link,))]) != [AppendResult.STORED]:
                raise RuntimeError("an entry was not stored")
            head, done = link.head, done + 1
        database.close()
        return done

    with ThreadPoolExecutor(WRITERS) as threads:
        return sum(threads.map(write, range(WRITERS))) / seconds


def rows() -> list[tuple[str, str, str, str]]:
    from tests.support.postgres import running_server, server_programs  # needs the tests folder

    if server_programs() is None:
        return [("capacity", "PostgreSQL is not installed here", "", "")]
    with running_server() as server:
        one, idle = _idle_share(server.new_database())
        three = _measure(server.new_database(), "abc", proxied=True)
        table_bytes = _table_bytes(server.new_database())
        database = Database(address := server.new_database())
        database.migrate()
        database.close()
        commits = commit_rate(address, SECONDS / 4)
    load, actions = one.load, one.load.actions
    mean = sum(cost.load.cost for cost in three) / len(three)
    ratio = mean / load.cost
    return [
        (f"one server, {TABLES} tables: processor per action", f"{load.cost:.2f} ms", "", ""),
        ("entries per action", f"{load.messages / len(SEATS) / actions:.2f}", "", ""),
        ("bytes sent per action, to six seats", f"{load.characters / actions:,.0f}", "", ""),
        ("commits per action", f"{one.commits / actions:.2f}", "", ""),
        ("memory per full table", f"{table_bytes / 1_000:,.0f} kB", "", ""),
        (
            "a server without tables, of the owner's processor time",
            f"{100 * idle:.1f} %",
            "at most 5 %",
            "",
        ),
        (
            "three servers behind the proxy: processor per action",
            f"{mean:.2f} ms",
            f"one server {load.cost:.2f} ms; within 1.15×",
            f"{ratio:.2f}×",
        ),
        (f"one PostgreSQL, {WRITERS} writers", f"{commits:,.0f} commits/s", "", ""),
    ]
