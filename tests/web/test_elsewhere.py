"""Who has logged out holds no socket any more, on no server; a seat is watched from one of them."""

import asyncio
import time
from pathlib import Path

import pytest

from headsup.game.table.commands import Sit
from headsup.house.accounts import Accounts
from headsup.house.store.database import Database
from headsup.web import elsewhere
from headsup.web.client import Client
from headsup.web.security import COOKIE
from tests.postgres import Server
from tests.tables import opening
from tests.web.live import live


async def ended(client: Client) -> str:
    """Why the client's socket was closed."""
    async for _ in client.news():
        pass
    return client.closed


async def test_a15_logging_out_closes_the_sockets_on_other_servers_within_a_second(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
        Client.demo(two.address) as bob,
    ):
        token = ann._http.cookies[COOKIE]
        async with Client.holding(two.address, token) as there:
            await hears(two.house.database)
            while len(two.sockets.people()) < 2:
                await asyncio.sleep(0.01)
            assert (await ann._http.post("/api/logout")).status_code == 204
            async with asyncio.timeout(1):
                assert await ended(there) == "logged_out"
                assert await ended(ann) == "logged_out"
        assert bob.closed == ""


async def test_a16_a_seat_is_watched_from_one_socket_at_a_time_on_whichever_server(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
        Client.demo(one.address) as bob,
    ):
        await one.open_table("T1", opening("galaxy"))
        for seat, player in ((1, ann), (2, bob)):
            await player.ask("T1", Sit(seat, player.name))
            await player.watch("T1", f"seat {seat}")
        await hears(two.house.database)
        async with Client.holding(two.address, ann._http.cookies[COOKIE]) as newer:
            await newer.watch("T1", "seat 1")
            async with asyncio.timeout(10):
                assert await ended(ann) == "replaced"
            assert newer.closed == bob.closed == ""


async def hears(database: Database) -> None:
    """Returns once both servers hear each other."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE query ^@ 'LISTEN'"
    async with asyncio.timeout(10):
        while True:
            with database.reading() as connection:
                if connection.exec_driver_sql(query).scalar_one() >= 2:
                    return
            await asyncio.sleep(0.02)


async def test_a_ticket_opens_no_socket_after_its_holder_has_logged_out(tmp_path: Path) -> None:
    async with live(tmp_path) as there, Client.demo(there.address) as ann:
        ticket = (await ann._http.post("/api/ticket")).json()["ticket"]
        await ann._http.post("/api/logout")
        assert there.accounts.redeem_ticket(ticket, "table") is None


async def test_a_logging_out_that_nobody_told_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are no signals on SQLite, and this one is in another program."""
    monkeypatch.setattr(elsewhere, "LOOK_SECONDS", 0.05)
    async with (
        live(tmp_path) as there,
        Client.demo(there.address) as ann,
        Client.demo(there.address) as bob,
    ):
        database = Database(f"sqlite:///{tmp_path / 'house.db'}")
        Accounts(database, time.time).log_out(ann._http.cookies[COOKIE])
        database.close()
        async with asyncio.timeout(10):
            assert await ended(ann) == "logged_out"
        assert bob.closed == ""
