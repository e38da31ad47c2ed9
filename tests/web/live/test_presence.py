"""Dealers wait for players who watch the table."""

import asyncio
from pathlib import Path

import pytest

from headsup.game.table.seating import Sit
from headsup.web.live import presence as module
from headsup.web.live.client import Client
from headsup.web.live.presence import Presence
from tests.support.postgres import PostgresServer
from tests.support.tables import opening
from tests.support.web.live_server import live

SOON = 60  # seconds


async def test_a_player_who_does_not_watch_is_absent(tmp_path: Path) -> None:
    async with live(tmp_path) as there, Client.demo(there.address) as ann:
        await there.open_table("T1", opening("galaxy"))
        presence, told = Presence(there.house, there.sockets), asyncio.Queue[str]()
        looking = asyncio.create_task(presence.run(told.put_nowait))
        async with asyncio.timeout(SOON):
            await ann.ask("T1", Sit(1, ann.name))
            assert await told.get() == "T1"
            assert presence.absent_seats("T1") == {1}  # seated, but not watching
            await ann.watch("T1", "seat 1")
            while presence.absent_seats("T1"):
                await told.get()
        looking.cancel()
        await asyncio.wait([looking])


async def test_nobody_is_absent_from_a_floor_that_has_just_moved_here(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those at the table need a moment to come."""
    address = postgres.new_database()
    async with live(tmp_path, address=address, name="one") as one:
        await one.open_table("T1", opening("galaxy"))
        async with Client.demo(one.address) as ann:
            await ann.ask("T1", Sit(1, ann.name))
    async with live(tmp_path, address=address, name="two") as two:
        presence = Presence(two.house, two.sockets)
        assert presence.absent_seats("T1") == frozenset()
        monkeypatch.setattr(module, "RETURN_SECONDS", 0.0)
        assert presence.absent_seats("T1") == {1}


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
