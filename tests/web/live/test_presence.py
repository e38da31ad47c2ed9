"""Dealers wait for players who watch the table, on any server."""

import asyncio
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from headsup.game.round.commands import PlaceBets
from headsup.game.table.commands import Staff
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import Person, Role
from headsup.web.live.client import Client
from headsup.web.live.presence import Presence
from headsup.web.server.security import SESSION_COOKIE
from tests.support.postgres import PostgresServer
from tests.support.tables import opening, stakes
from tests.support.web.live_server import live

SOON = 60  # seconds


async def test_a_player_who_watches_on_no_server_is_absent(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
    ):
        await one.open_table("T1", opening("galaxy"))
        here, there = (Presence(server.house, server.sockets) for server in (one, two))
        told: asyncio.Queue[str] = asyncio.Queue()
        looking = [
            asyncio.create_task(here.run(told.put_nowait)),
            asyncio.create_task(there.run(lambda _: None)),
        ]
        async with asyncio.timeout(SOON):
            await ann.ask("T1", Sit(1, ann.name))
            async with Client.demo(two.address) as bob:
                await bob.ask("T1", Sit(2, bob.name))
                await one.house.hosts["T1"].wait_for_entry(2)
                await bob.watch("T1", "seat 2")
                while here.absent_seats("T1") != {1}:  # seated, but not watching
                    await told.get()
                await ann.watch("T1", "seat 1")
                while here.absent_seats("T1"):
                    await told.get()
            while here.absent_seats("T1") != {2}:
                await told.get()
        for task in looking:
            task.cancel()
        await asyncio.wait(looking)


async def test_nobody_is_absent_until_the_other_servers_have_reported(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    async with live(tmp_path, address=postgres.new_database()) as there:
        await there.open_table("T1", opening("galaxy"))
        async with Client.demo(there.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
            assert Presence(there.house, there.sockets).absent_seats("T1") == frozenset()


async def test_a_dealer_deals_from_the_shoe_through_any_server(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
    ):
        sealed = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
        asked = CommandRequest("opening-T1", "T1", Staff("house"), sealed)
        assert isinstance(await one.house.open_table("T1", asked), Acceptance)
        dee = one.accounts.create("Dee", Role.DEALER, None, clock.now())
        assert isinstance(dee, Person)
        cookies = {SESSION_COOKIE: one.accounts.log_in_as(dee).token}
        await ann.ask("T1", Sit(1, ann.name))
        await ann.ask("T1", BuyIn(1, 50_000))
        async with httpx.AsyncClient(base_url=two.address, cookies=cookies, timeout=30) as http:

            async def press(number: int) -> str:
                host = await two.house.find("T1")
                assert host is not None
                await host.wait_for_entry(one.house.hosts["T1"].journal.head.count - 1)
                due = (await http.get("/api/tables/T1/due")).json()
                body = {"id": f"press-of-key-{number}", "key": due["key"]}
                answer = await http.post("/api/tables/T1/due", json=body)
                assert answer.status_code == 200, (due, answer.text)
                return str(due["step"])

            async with asyncio.timeout(SOON):
                steps = [await press(1)]
                await ann.ask("T1", PlaceBets(1, stakes()))
                steps += [await press(2), await press(3)]
        assert steps == ["open_round", "close_bets", "deal"]


async def test_one_failed_check_does_not_end_presence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("galaxy"))
        presence, told = Presence(server.house, server.sockets), asyncio.Queue[str]()
        absent_seats = presence.absent_seats
        failed: list[str] = []

        def failing_once(table: str) -> frozenset[int]:
            if not failed:
                failed.append(table)
                raise RuntimeError("a table that is being closed")
            return absent_seats(table)

        monkeypatch.setattr(presence, "absent_seats", failing_once)
        looking = asyncio.create_task(presence.run(told.put_nowait))
        async with asyncio.timeout(SOON), Client.demo(server.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
            assert await told.get() == "T1"
        looking.cancel()
        await asyncio.wait([looking])
        assert failed == ["T1"]
