"""A whole round over a real socket, from sitting down to the next bets."""

from pathlib import Path

import pytest

from headsup.game.round.commands import Check
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import BuyIn, Sit
from headsup.web.live.client import Client, Declined
from tests.support.web.live_server import live

STAKES = {Wager.ANTE: 500, Wager.ODDS: 500, Wager.TRIPS_PLUS: 500}


async def test_a_guest_sits_down_and_plays_a_round(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", OpenTable("sugarhouse"))
        async with Client.demo(server.address) as client:
            await client.ask("T1", Sit(2, client.name))
            await client.ask("T1", BuyIn(2, 50_000))
            table = await client.watch("T1", "seat 2")
            seen: list[str] = []
            async for moment in table.moments():
                seen += [event["event"] for event in moment.events]
                if bets := moment.form("PlaceBets"):
                    await table.do(bets, stakes=STAKES)
                elif choice := moment.may("Check") or moment.may("Raise"):
                    await table.do(choice)
                if "HandResolved" in seen:
                    break
            lines = moment.part("result.2")["lines"]
            assert {line["wager"] for line in lines} == {"ante", "odds", "raise", "trips_plus"}
            assert table.resyncs == 0
            assert server.house.database.wallet(client.name) == 50_000


async def test_a_command_sent_again_changes_nothing(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", OpenTable("sugarhouse"))
        async with Client.demo(server.address) as client:
            first = await client.ask("T1", Sit(2, client.name), id="the-same-id")
            assert await client.ask("T1", Sit(2, client.name), id="the-same-id") == first
            with pytest.raises(Declined) as turned:
                await client.ask("T1", Sit(3, client.name), id="the-same-id")
            assert turned.value.code == "id_used"


async def test_nobody_sits_in_anothers_name_or_plays_anothers_seat(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", OpenTable("sugarhouse"))
        async with Client.demo(server.address) as ann, Client.demo(server.address) as bob:
            await ann.ask("T1", Sit(1, ann.name))
            for command in (Sit(2, ann.name), BuyIn(1, 1000), Check(1)):
                with pytest.raises(Declined) as turned:
                    await bob.ask("T1", command)
                assert turned.value.code == "not_allowed"
