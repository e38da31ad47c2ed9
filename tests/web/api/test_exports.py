"""Exports that are read slowly or abandoned do not disturb anybody else."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import insert

from headsup.game.record.chain import GENESIS
from headsup.game.table.commands import Staff
from headsup.game.table.meter_control import FreezeMeter
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.schema import ENTRIES, FLOORS
from headsup.web.api import exports
from headsup.web.server.security import SESSION_COOKIE
from tests.support.tables import opening
from tests.support.web.live_server import Live, live

LONG = "long"  # a floor whose log overflows every buffer on the way
SOON = 60  # seconds; no test measures speed with it


def with_a_long_log(database: Database) -> None:
    entry = json.dumps({"what": "x" * 20_000})
    floor = {"id": LONG, "owner": "", "fence": 0}
    rows = [{"floor": LONG, "index": n, "hash": GENESIS, "entry": entry} for n in range(600)]
    with database.engine.begin() as connection:
        connection.execute(insert(FLOORS), {**floor, "length": len(rows), "hash": GENESIS})
        connection.execute(insert(ENTRIES), rows)


@asynccontextmanager
async def auditing(folder: Path) -> AsyncIterator[tuple[Live, str]]:
    """A server with a table and a long log, and an auditor's cookie."""
    async with live(folder) as server:
        await server.open_table("T1", opening("galaxy"))
        with_a_long_log(server.house.database)
        art = server.accounts.create("Art", Role.AUDITOR, None, clock.now())
        assert isinstance(art, Person)
        yield server, server.accounts.log_in_as(art).token


async def begun(server: Live, token: str) -> socket.socket:
    """An export whose client stops reading after the first bytes."""
    host, port = server.address.removeprefix("http://").split(":")
    lines = (
        f"GET /api/floors/{LONG}/export HTTP/1.1",
        f"Host: {host}:{port}",
        f"Cookie: {SESSION_COOKIE}={token}",
    )
    loop, taking = asyncio.get_running_loop(), socket.socket()
    taking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    taking.setblocking(False)
    await loop.sock_connect(taking, (host, int(port)))
    await loop.sock_sendall(taking, "\r\n".join((*lines, "", "")).encode())
    assert (await loop.sock_recv(taking, 12)) == b"HTTP/1.1 200"
    return taking


async def test_abandoned_exports_do_not_delay_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are more of them than database connections."""
    monkeypatch.setattr(exports, "MAX_EXPORTS_PER_PERSON", 100)
    async with auditing(tmp_path) as (server, token):
        host = server.house.host_of("T1")
        assert host is not None
        held = [await begun(server, token) for _ in range(20)]
        for number in range(3):
            frozen = FreezeMeter("dark" if number % 2 == 0 else "")
            async with asyncio.timeout(SOON):
                reply = await host.submit(
                    CommandRequest(f"freeze {number}", "T1", Staff("Dee / Sue"), frozen)
                )
            assert isinstance(reply, Acceptance)
        async with httpx.AsyncClient(base_url=server.address, timeout=SOON) as http:
            assert (await http.get("/ready")).status_code == 200
        for taking in held:
            taking.close()


async def test_a_person_has_few_exports_at_a_time_and_aborted_ones_do_not_count(
    tmp_path: Path,
) -> None:
    async with auditing(tmp_path) as (server, token):
        held = [await begun(server, token) for _ in range(exports.MAX_EXPORTS_PER_PERSON)]
        cookies = {SESSION_COOKIE: token}
        async with httpx.AsyncClient(
            base_url=server.address, cookies=cookies, timeout=SOON
        ) as http:
            refused = await http.get("/api/floors/T1/export")
            told = refused.json()["error"]["code"]
            assert (refused.status_code, told) == (429, "too_many_exports")
            held.pop().close()
            async with asyncio.timeout(SOON):
                while (await http.get("/api/floors/T1/export")).status_code == 429:
                    await asyncio.sleep(0.6)  # stay within the rate limit
            again = await http.get("/api/incidents/export")
            assert again.status_code == 200
        for taking in held:
            taking.close()
