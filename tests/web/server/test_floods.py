"""Floods from raw connections without a log-in: other people's play goes on, the server's memory
stays bounded, and whoever floods is cut off. So it is with and without nginx before the server."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

from headsup.house import clock
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from tests.support.web.proxy import NAME, ORIGIN, proxied
from tests.support.web.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

FLOODER = Path(__file__).parents[2] / "support" / "web" / "flooder.py"
PASSWORD = "correct horse battery"
NAMES = ("Ann", "Ben", "Cid", "Dan")
SOCKETS_EACH = 3
PING_SECONDS = 0.04  # between two pings of the players, which stay below their own limit
NORMAL_SECONDS, FLOOD_SECONDS = 0.8, 1.2
HOLD_SECONDS = 8.0  # at most, until the server has ended all connections
UNREAD_SECONDS = 3.0  # two checks of STALL_SECONDS and a little more
UNNOTICED_SECONDS = 0.2  # a smaller p99 is no harm; a busy test machine alone may double it
MAX_GROWTH = 64 * 1024 * 1024  # bytes of memory

# The same limits as always, but with deadlines that a test can wait for, and send buffers that are
# soon full.
HURRY = (
    "import socket; make = socket.create_server; "
    "socket.create_server = lambda *a, **k: (made := make(*a, **k), "
    "made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192))[0]; "
    "import headsup.web.server.connections as c, headsup.web.server.security as s, "
    "headsup.web.live.handshake as h; "
    "c.STALL_SECONDS = c.HEAD_SECONDS = s.BODY_SECONDS = h.HELLO_SECONDS = c.CLOSING_SECONDS = 1.0"
)


@dataclass(frozen=True)
class Running:
    address: str
    front: str  # where everybody connects: the server itself, or nginx before it
    host: str  # the name that requests go to
    process: int
    cookies: tuple[str, ...]

    @property
    def is_direct(self) -> bool:
        return self.front == self.address

    def memory(self) -> int:
        """Bytes in use, from the process's own figures."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024


@pytest.fixture(scope="module", params=["direct", "nginx"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("floods")
    folder.chmod(0o755)
    database = Database(f"sqlite:///{folder / 'house.db'}")
    database.migrate()
    accounts = Accounts(database)
    for name in NAMES:
        assert isinstance(accounts.create(name, Role.PLAYER, PASSWORD, clock.now()), Person)
    database.close()
    is_proxied = request.param == "nginx"
    options = ("--public", ORIGIN, "--proxy", "127.0.0.1") if is_proxied else ()
    with ExitStack() as stack:
        process, address = stack.enter_context(serving(folder, *options, first=HURRY))
        front = stack.enter_context(proxied(folder, address)) if is_proxied else address
        host = NAME if is_proxied else "127.0.0.1"
        headers = {"host": host} if is_proxied else {}
        cookies = []
        for name in NAMES:
            with httpx.Client(base_url=front, headers=headers, timeout=30) as http:
                answer = http.post("/api/login", json={"name": name, "password": PASSWORD})
                cookies.append(answer.headers["set-cookie"].partition(";")[0])
        yield Running(address, front, host, process.pid, tuple(cookies))
        assert process.poll() is None


class Players:
    """The sockets of people who are logged in and ping in turn."""

    def __init__(self, wires: list[ClientConnection]) -> None:
        self._wires = [(wire, asyncio.Lock()) for wire in wires]

    async def delays(self, until: "asyncio.Future[Any]") -> list[float]:
        """Ping steadily, whether or not answers come, and return how long each answer took."""
        tasks = []
        while not until.done():
            tasks.append(asyncio.create_task(self._delay(*self._wires[0])))
            self._wires.append(self._wires.pop(0))
            await asyncio.sleep(PING_SECONDS)
        return await asyncio.gather(*tasks)

    async def _delay(self, wire: ClientConnection, lock: asyncio.Lock) -> float:
        began = time.perf_counter()
        async with asyncio.timeout(30), lock:
            await wire.send('{"type":"ping"}')
            assert json.loads(await wire.recv())["type"] == "pong"
        return time.perf_counter() - began


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def players(running: Running) -> AsyncIterator[Players]:
    """Connected once for all tests: log-ins and tickets have limits of their own."""
    address = running.front.replace("http", "ws", 1) + "/ws"
    async with AsyncExitStack() as stack:
        wires = []
        for cookie in running.cookies:
            http = await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=running.front,
                    headers={"cookie": cookie, "host": running.host},
                    timeout=30,
                )
            )
            for _ in range(SOCKETS_EACH):
                ticket = (await http.post("/api/ticket")).json()["ticket"]
                wire = await stack.enter_async_context(connect(address, compression=None))
                await wire.send(json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}))
                assert json.loads(await wire.recv())["type"] == "welcome"
                wires.append(wire)
        yield Players(wires)


async def flood(running: Running, kind: str, seconds: float) -> dict[str, int]:
    port = running.front.rpartition(":")[2]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(FLOODER), kind, port, str(seconds), running.host),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    result: dict[str, int] = json.loads(output)
    return result


def p99(delays: list[float]) -> float:
    return sorted(delays)[int(0.99 * (len(delays) - 1))]


def cuts(running: Running, reason: str) -> float:
    """How many connections the server says it has cut off for this reason."""
    figures = httpx.get(f"{running.address}/metrics", timeout=30).text
    name = f'headsup_connections_cut_total{{why="{reason}"}} '
    return sum(float(line.removeprefix(name)) for line in figures.splitlines() if name in line)


async def normal_delay(others: Players) -> float:
    """How long answers take without a flood."""
    return p99(await others.delays(asyncio.create_task(asyncio.sleep(NORMAL_SECONDS))))


async def endure(
    running: Running, others: Players, kind: str, reason: str, seconds: float
) -> tuple[int, int]:
    """Flood the server while others play, and check that neither they nor its memory suffer.

    Returns how many connections the flood opened, and how many of them the server ended.
    """
    memory, before = running.memory(), cuts(running, reason)
    normal = await normal_delay(others)
    flooding = asyncio.create_task(flood(running, kind, seconds))
    during = p99(await others.delays(flooding))
    if during >= max(2 * normal, UNNOTICED_SECONDS):  # other programs may have begun meanwhile
        normal = max(normal, await normal_delay(others))
    opened, ended = flooding.result()["opened"], flooding.result()["ended"]
    assert during < max(2 * normal, UNNOTICED_SECONDS), (normal, during)
    assert running.memory() < memory + MAX_GROWTH
    if reason:
        assert cuts(running, reason) - before >= ended / 4  # or for another reason
    return opened, ended


@pytest.mark.slow(2)
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("pings", "flood"),
        ("unread pings", "flood"),
        ("pongs", "flood"),
        ("empty continuations", "flood"),
        ("fragments", "flood"),
        ("messages", "flood"),
        ("large messages", ""),  # closed as too large
        ("single bytes", "flood"),
        ("pipelined requests", "too_many_requests"),
        ("large head", ""),  # it is told why
        ("trailers", "large_request"),
    ],
)
async def test_whoever_sends_a_flood_is_cut_off_and_others_play_on(
    running: Running, players: Players, kind: str, reason: str
) -> None:
    # nginx answers bad requests itself; it knows nothing of frames and passes them on.
    reaches_server = running.is_direct or not reason or reason == "flood"
    opened, ended = await endure(
        running, players, kind, reason if reaches_server else "", FLOOD_SECONDS
    )
    if reaches_server:
        assert ended >= max(3, opened - 1)  # the last one was still sending


@pytest.mark.slow(2)
@pytest.mark.parametrize(
    ("kind", "reason", "seconds"),
    [
        ("idle connections", "too_many_idle", HOLD_SECONDS),
        ("idle sockets", "", HOLD_SECONDS),  # told that they sent no ticket
        ("slow heads", "slow_request", HOLD_SECONDS),
        ("slow bodies", "", HOLD_SECONDS),  # answered with 408
        ("unread answers", "unread", UNREAD_SECONDS),
    ],
)
async def test_whoever_keeps_the_server_waiting_is_cut_off_and_others_play_on(
    running: Running, players: Players, kind: str, reason: str, seconds: float
) -> None:
    if running.is_direct:
        opened, ended = await endure(running, players, kind, reason, seconds)
        assert ended == opened
    else:  # nginx has deadlines of its own, which a test cannot wait for
        await endure(running, players, kind, "", UNREAD_SECONDS)
