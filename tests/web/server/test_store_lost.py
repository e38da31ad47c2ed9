"""A full disk and a lost database: clients are told to try again, nothing is shown that was not
stored, and afterwards everything goes on."""

import asyncio
import json
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, event, insert, select
from sqlalchemy.exc import OperationalError
from websockets.asyncio.client import connect

from headsup.game.table.commands import Staff
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.store.database import Database
from headsup.house.store.schema import MEMORIES, SECRETS
from headsup.web.live.client import Client, Declined, Moment, Table
from headsup.web.server.process import EXIT_UNFINISHED
from headsup.web.server.readiness import PROBE_SECONDS
from tests.support.cli.run import headsup
from tests.support.postgres import running_server
from tests.support.tables import opening
from tests.support.web.live_server import live
from tests.support.web.serving import ANNOUNCED, STORED, serving

SOON = 60  # seconds


async def ask_to_buy_in(client: Client, chips: int) -> str:
    """Buy chips, with an id per amount; returns the code if declined."""
    try:
        await client.ask("T1", BuyIn(1, chips), f"buying-{chips}")
    except Declined as declined:
        return declined.code
    return ""


async def becomes_ready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(SOON):
        while (await http.get("/ready")).status_code != 200:
            await asyncio.sleep(0.05)


async def shown_until(table: Table, holds: Callable[[Moment], bool]) -> None:
    """Read what the table shows up to the first moment for which the condition holds."""
    async with asyncio.timeout(SOON):
        async for moment in table.moments():
            if holds(moment):
                return


def chips(table: Table) -> int:
    """The chips that the seat sees. A reply comes over the same connection as the change before
    it, so right after one nothing is on its way."""
    assert table.latest is not None
    return int(table.latest.part("you")["chips"])


async def test_a_lost_database_is_unavailable_everywhere_and_then_play_goes_on(
    tmp_path: Path,
) -> None:
    with running_server() as server:
        async with (
            live(tmp_path, address=server.new_database()) as there,
            httpx.AsyncClient(base_url=there.address, timeout=30) as http,
        ):
            await there.open_table("T1", opening("galaxy"))
            async with Client.demo(there.address) as ann:
                await ann.ask("T1", Sit(1, ann.name))
                table = await ann.watch("T1", "seat 1")
                # From now on the dealer waits for a bet.
                await shown_until(table, lambda moment: moment.part("round") is not None)
                ticket = (await ann._http.post("/api/ticket")).json()["ticket"]
                server.stop()
                assert await ask_to_buy_in(ann, 10_000) == "unavailable"
                await told_unavailable(http, there.address, ticket)
                assert await ask_to_buy_in(ann, 10_000) == "unavailable"
                assert chips(table) == 0
                server.start()
                await becomes_ready(http)
                assert await until_accepted(ann, 10_000) == ""
                assert await ask_to_buy_in(ann, 10_000) == ""  # the same command again
                await shown_until(table, lambda one: bool(one.part("you")["chips"] == 10_000))


@pytest.mark.slow(seconds=3)
def test_a_server_with_a_silent_database_stops_when_told_to(tmp_path: Path) -> None:
    """The connections stay open, so waiting for an answer would never end."""
    with running_server() as server:
        address = server.new_database()
        at_once = "import headsup.web.server.process as p; p.SHUTDOWN_SECONDS = 3.0"
        with serving(tmp_path, "--database", address, first=at_once) as (process, _):
            server.freeze()
            try:
                process.send_signal(signal.SIGTERM)
                assert process.wait(SOON) == EXIT_UNFINISHED
            finally:
                server.thaw()
        assert "the database does not answer" in (tmp_path / "errors").read_text()
        with serving(tmp_path, "--database", address) as (process, _):
            process.send_signal(signal.SIGTERM)
            assert process.wait(SOON) == 0


def test_a_server_that_never_opens_stops_when_told_to(tmp_path: Path) -> None:
    """It prints its address too early here, because it prints nothing afterwards."""
    never = (
        "import asyncio; import headsup.web.server.process as p; p.SHUTDOWN_SECONDS = 2.0;"
        "from headsup.house.house import House;"
        f"said = '{ANNOUNCED}\\n{STORED}';"
        "House.start = lambda _: (print(said, flush=True), asyncio.sleep(3600))[1]"
    )
    with serving(tmp_path, first=never) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON) == EXIT_UNFINISHED


async def test_a_moved_file_is_a_lost_database_and_is_not_recreated(
    tmp_path: Path,
) -> None:
    file, away = tmp_path / "house.db", tmp_path / "away"
    async with (
        live(tmp_path, address=f"sqlite:///{file}") as there,
        httpx.AsyncClient(base_url=there.address, timeout=30) as http,
    ):
        await there.open_table("T1", opening("galaxy"))
        async with Client.demo(there.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
            ticket = (await ann._http.post("/api/ticket")).json()["ticket"]
            away.mkdir()
            parts = [one for one in tmp_path.glob("house.db*") if one.suffix != ".lock"]
            for part in parts:
                part.rename(away / part.name)
            assert await ask_to_buy_in(ann, 10_000) == "unavailable"
            await told_unavailable(http, there.address, ticket)
            assert not file.exists()
            for part in parts:
                (away / part.name).rename(part)
            await becomes_ready(http)
            assert await until_accepted(ann, 10_000) == ""
    assert "agree" in headsup("audit", "--database", f"sqlite:///{file}").out


async def told_unavailable(http: httpx.AsyncClient, address: str, ticket: str) -> None:
    for answer in (
        await http.get("/ready"),
        await http.post("/api/demo"),
        await http.post("/api/login", json={"name": "Ann", "password": "no matter what"}),
    ):
        assert answer.status_code == 503, answer.request.url
        assert "sql" not in answer.text.lower()
    async with connect(f"{address.replace('http', 'ws')}/ws") as wire:
        await wire.send(json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}))
        assert json.loads(await wire.recv()) == {"type": "closing", "code": "unavailable"}


async def until_accepted(client: Client, chips: int) -> str:
    """Retry until the floor is owned again, a moment after the database is back."""
    async with asyncio.timeout(SOON):
        while (code := await ask_to_buy_in(client, chips)) == "unavailable":
            await asyncio.sleep(0.1)
    return code


def fill_up(database: Database) -> Any:
    """From the next connection on, the database cannot grow by another page."""

    def full(connection: Any, _: Any) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}").close()

    for engine in (database.engine, database.floor_engine):
        event.listen(engine, "connect", full)
        engine.dispose()
    return full


async def test_a_full_disk_is_unavailable_and_then_play_goes_on(tmp_path: Path) -> None:
    async with (
        live(tmp_path) as there,
        httpx.AsyncClient(base_url=there.address, timeout=30) as http,
    ):
        await there.open_table("T1", opening("galaxy"))
        async with Client.demo(there.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
            table = await ann.watch("T1", "seat 1")
            full = fill_up(there.house.database)
            bought = 0
            while await ask_to_buy_in(ann, 100 + bought) == "":
                bought += 1
            unready = await http.get("/ready")
            assert (unready.status_code, unready.json()) == (
                503,
                {"status": "database not writable"},
            )
            before = 100 * bought + bought * (bought - 1) // 2
            assert chips(table) == before  # nothing unstored was shown
            statuses = {(await http.post("/api/demo")).status_code for _ in range(10)}
            assert statuses <= {200, 503}  # 200 while existing pages have room
            for engine in (there.house.database.engine, there.house.database.floor_engine):
                event.remove(engine, "connect", full)
                engine.dispose()
            assert await until_accepted(ann, 100 + bought) == ""
            await becomes_ready(http)
            assert chips(table) == before + 100 + bought


async def becomes_unready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(SOON):
        while (answer := await http.get("/ready")).status_code == 200:
            await asyncio.sleep(0.05)
    assert (answer.status_code, answer.json()) == (503, {"status": "database not writable"})


def use_up(database: Database) -> None:
    """Fill the free space on existing pages."""
    for length in (30_000, 3_000, 300):
        with suppress(OperationalError):
            while True:
                with database.engine.begin() as connection:
                    row = {"person": "nobody", "line": "x" * length}
                    connection.execute(insert(MEMORIES), row)


async def test_an_idle_floor_on_a_full_disk_is_not_ready_until_there_is_room(
    tmp_path: Path,
) -> None:
    """No command is sent, so no floor halts."""
    async with (
        live(tmp_path) as there,
        httpx.AsyncClient(base_url=there.address, timeout=30) as http,
    ):
        house, database = there.house, there.house.database
        outcome = await house.open_table(
            "T1", CommandRequest("o", "T1", Staff("house"), opening("galaxy"))
        )
        assert isinstance(outcome, Acceptance)
        assert (await http.get("/ready")).status_code == 200
        full = fill_up(database)
        await asyncio.to_thread(use_up, database)
        await becomes_unready(http)
        assert house.owned_floors().keys() == {"T1"}
        event.remove(database.engine, "connect", full)
        database.engine.dispose()
        await becomes_ready(http)


async def test_a_read_only_database_is_not_ready(tmp_path: Path) -> None:
    """As after a failover to a replica: reads work, writes do not."""
    with running_server() as server:
        async with (
            live(tmp_path, address=server.new_database()) as there,
            httpx.AsyncClient(base_url=there.address, timeout=30) as http,
        ):
            assert (await http.get("/ready")).status_code == 200

            def only_read(connection: Connection) -> None:
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")

            event.listen(there.house.database.engine, "begin", only_read)
            await becomes_unready(http)
            event.remove(there.house.database.engine, "begin", only_read)
            await becomes_ready(http)


async def test_many_readiness_requests_share_one_probe(tmp_path: Path) -> None:
    async with (
        live(tmp_path) as there,
        httpx.AsyncClient(base_url=there.address, timeout=30) as http,
    ):
        tried = 0

        def counted(*about: Any) -> None:
            nonlocal tried
            tried += "secrets" in about[2]

        event.listen(there.house.database.engine, "before_cursor_execute", counted)
        began = time.monotonic()
        answers = await asyncio.gather(*(http.get("/ready") for _ in range(50)))
        # On a busy machine some may time out.
        assert 200 in {answer.status_code for answer in answers} <= {200, 503}
        looks = 2 + int((time.monotonic() - began) / PROBE_SECONDS)
        assert 0 < tried <= 2 * looks, "each probe is two statements"
        with there.house.database.read_connection() as connection:
            names = connection.execute(select(SECRETS.c.name)).scalars().all()
        assert not any(name.startswith("room for") for name in names), "probes leave nothing behind"
