"""The clock is sent beside the view, to those who see in it whom the table waits for."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

from headsup.game.round.commands import PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import DealingMode
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live.client import Client, News
from tests.support.web.live_server import QUICK, live

STAKES = {Wager.ANTE: 500, Wager.ODDS: 500}


async def wait_for_phase(client: Client, phase: str) -> News:
    """The first update the client receives in this phase."""
    async with asyncio.timeout(60):
        async for news in client.news():
            round = news.view["round"]
            if round is not None and round["phase"] == phase and round["seats"]:
                return news
    raise AssertionError(f"{phase} was never told")


async def open_table(client: Client) -> None:
    """Wait until the client sees a round that takes bets."""
    async with asyncio.timeout(60):
        async for news in client.news():
            if news.view["round"] is not None:
                return


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
            for seat, player in ((1, ann), (2, bob)):
                await player.ask("T1", Sit(seat, player.name))
                await player.ask("T1", BuyIn(seat, 50_000))
                await player.watch("T1", f"seat {seat}")
            await eve.watch("T1", "rail")
            await open_table(ann)
            await ann.ask("T1", PlaceBets(1, STAKES))
            (bets,) = (await wait_for_phase(bob, "betting")).clock
            assert (bets["what"], bets["seat"], bets["of"]) == ("bets", None, 30)
            assert 0 < bets["left"] <= 30
            await bob.ask("T1", PlaceBets(2, STAKES))
            for seat, player in ((1, ann), (2, bob)):
                (own,) = (await wait_for_phase(player, "pocket")).clock
                assert (own["what"], own["seat"], own["of"]) == ("decision", seat, 120)
                assert 100 < own["left"] <= 120
            assert (await wait_for_phase(eve, "pocket")).clock == []


async def test_the_clock_stops_in_a_pause_and_starts_afresh_afterwards(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server:
        pace = replace(QUICK, betting=30)
        await server.open_table("T1", DEMO_TABLES[0].opening, pace=pace)
        async with Client.demo(server.address) as ann, Client.demo(server.address) as bob:
            for seat, player in ((1, ann), (2, bob)):
                await player.ask("T1", Sit(seat, player.name))
                await player.ask("T1", BuyIn(seat, 50_000))
                await player.watch("T1", f"seat {seat}")
            await open_table(ann)
            await ann.ask("T1", PlaceBets(1, STAKES))
            assert (await wait_for_phase(bob, "betting")).clock
            for waits in (DealingMode("fire drill"), DealingMode(by_hand=True)):
                await server.house.set_dealing_mode("T1", waits)
                while (news := await wait_for_phase(bob, "betting")).clock:
                    assert news.view.get("paused", "") == ""
                await asyncio.sleep(0.3)
                resumed = time.monotonic()
                await server.house.set_dealing_mode("T1", DealingMode())
                while not (news := await wait_for_phase(bob, "betting")).clock:
                    pass
                # A clock that had gone on would show more than the time since then, which is
                # rounded to tenths of a second.
                assert 30 - news.clock[0]["left"] <= time.monotonic() - resumed + 0.05
