"""Deadlines are sent to those who see whom the table waits for."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

from headsup.game.round.commands import PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import DealingMode
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live.client import Client, Moment, Table
from tests.support.web.live_server import QUICK, live

STAKES = {Wager.ANTE: 500, Wager.ODDS: 500}


async def wait_for_phase(table: Table, phase: str) -> Moment:
    """The first moment that the client sees in this phase with bets on the felt."""
    async with asyncio.timeout(60):
        async for moment in table.moments():
            round = moment.part("round")
            bets = any(name.startswith("seat.") for name in moment.parts)
            if round is not None and round["phase"] == phase and bets:
                return moment
    raise AssertionError(f"{phase} was never told")


async def open_table(table: Table) -> None:
    """Wait until the client sees a round that takes bets."""
    async with asyncio.timeout(60):
        async for moment in table.moments():
            if moment.part("round") is not None:
                return


async def seated(client: Client, seat: int) -> Table:
    await client.ask("T1", Sit(seat, client.name))
    await client.ask("T1", BuyIn(seat, 50_000))
    return await client.watch("T1", f"seat {seat}")


async def test_players_see_their_own_clock_and_not_when_others_decided(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server:
        pace = replace(QUICK, betting=30, close=600)
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=pace)
        async with (
            Client.demo(server.address) as ann,
            Client.demo(server.address) as bob,
            Client.demo(server.address) as eve,
        ):
            first, second = await seated(ann, 1), await seated(bob, 2)
            rail = await eve.watch("T1", "rail")
            await open_table(first)
            await ann.ask("T1", PlaceBets(1, STAKES))
            moment = await wait_for_phase(second, "betting")
            while moment.part("clocks") is None:  # the dealer starts it a moment later
                moment = await wait_for_phase(second, "betting")
            bets = moment.part("clocks")["bets"]
            assert bets["of"] == 30_000
            assert 0 < bets["until"] - moment.at <= 30_000
            await bob.ask("T1", PlaceBets(2, STAKES))
            for table in (first, second):
                moment = await wait_for_phase(table, "pocket")
                own = moment.part("you")["clock"]
                assert own["of"] == 120_000
                assert 100_000 < own["until"] - moment.at <= 120_000
            moment = await wait_for_phase(rail, "pocket")
            assert moment.part("clocks") is None
            assert "until" not in str(moment.parts)


async def test_the_clock_stops_in_a_pause_and_starts_afresh_afterwards(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server:
        pace = replace(QUICK, betting=30)
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=pace)
        async with Client.demo(server.address) as ann, Client.demo(server.address) as bob:
            first, second = await seated(ann, 1), await seated(bob, 2)
            await open_table(first)
            await ann.ask("T1", PlaceBets(1, STAKES))
            while (await wait_for_phase(second, "betting")).part("clocks") is None:
                pass
            for waits in (DealingMode("fire drill"), DealingMode(by_hand=True)):
                await server.house.set_dealing_mode("T1", waits)
                while (moment := await wait_for_phase(second, "betting")).part("clocks"):
                    assert moment.part("paused") is None
                await asyncio.sleep(0.3)
                resumed = time.time()
                await server.house.set_dealing_mode("T1", DealingMode())
                while not (moment := await wait_for_phase(second, "betting")).part("clocks"):
                    pass
                # A clock that had gone on would end before the time that it starts with now.
                until = moment.part("clocks")["bets"]["until"]
                assert until >= 1000 * (resumed + 30) - 50
