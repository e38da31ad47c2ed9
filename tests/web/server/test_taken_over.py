"""A table that a dealer took over and left: everyone is told, and only a demonstration returns it
to the automatic dealer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from headsup.game.table.state import DealingMode
from headsup.house import clock
from headsup.house.house import DEALER_AWAY
from headsup.house.people.person import Person, Role
from headsup.web.live.client import Client, Table
from headsup.web.live.presence import Presence
from headsup.web.server.security import SESSION_COOKIE
from tests.support.tables import opening
from tests.support.web.live_server import Live, demonstration, live

SOON = 60  # seconds; far more than anything here takes
BY_HAND = {"paused": "", "by_hand": True}


async def wait_for_pause_reason(table: Table, paused: str) -> None:
    """Wait until the view gives this pause reason; empty means the table plays."""
    async with asyncio.timeout(SOON):
        async for moment in table.moments():
            if (moment.part("paused") or {"why": ""})["why"] == paused:
                return
    raise AssertionError("the socket was closed")


async def waits(client: Client, table: str) -> str:
    (waiting,) = [one["waits"] for one in await client.tables() if one["id"] == table]
    return str(waiting)


def token(server: Live, name: str, role: Role) -> str:
    made = server.accounts.create(name, role, None, clock.now())
    assert isinstance(made, Person)
    return server.accounts.log_in_as(made).token


@asynccontextmanager
async def looked_after(*servers: Live) -> AsyncIterator[None]:
    """Presence as in a house: tables are never returned automatically."""
    presences = [Presence(one.house, one.sockets, console_grace=0) for one in servers]
    looking = [asyncio.create_task(one.run(lambda _: None)) for one in presences]
    try:
        yield
    finally:
        for task in looking:
            task.cancel()
        await asyncio.wait(looking)


async def test_the_demonstration_deals_again_when_the_dealer_has_left(
    tmp_path: Path,
) -> None:
    async with (
        demonstration(tmp_path, console_grace=0, hand_back_after=1) as server,
        Client.demo(server.address) as ann,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        await http.post("/api/demo/staff", json={"role": "dealer"})
        async with Client.holding(server.address, http.cookies[SESSION_COOKIE]) as dealer:
            dealer_view = await dealer.watch("Galaxy", "dealer")
            await wait_for_pause_reason(dealer_view, "")
            assert (await http.post("/api/tables/Galaxy/attendance", json=BY_HAND)).is_success
            ann_view = await ann.watch("Galaxy", "rail")
            await wait_for_pause_reason(ann_view, "")
        await wait_for_pause_reason(ann_view, DEALER_AWAY)
        await wait_for_pause_reason(ann_view, "")
        assert server.house.dealing_modes.get("Galaxy") == DealingMode()
        async with asyncio.timeout(SOON):
            while (found := server.house.table("Galaxy")) and found.rounds < 3:
                await server.happens("Galaxy")


async def test_a_house_says_that_a_table_waits_and_leaves_it_to_its_dealer(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as server, looked_after(server), Client.demo(server.address) as ann:
        await server.open_table("T1", opening("galaxy"))
        ann_view = await ann.watch("T1", "rail")
        await server.house.set_dealing_mode("T1", DealingMode(by_hand=True), "Dee")
        await wait_for_pause_reason(ann_view, DEALER_AWAY)
        assert await waits(ann, "T1") == DEALER_AWAY
        art, dee = token(server, "Art", Role.AUDITOR), token(server, "Dee", Role.DEALER)
        async with Client.holding(server.address, art) as auditor:
            auditor_view = await auditor.watch(
                "T1", "dealer"
            )  # an auditor at the console is no dealer
            await wait_for_pause_reason(auditor_view, DEALER_AWAY)
            async with Client.holding(server.address, dee) as dealer:
                await dealer.watch("T1", "dealer")
                await wait_for_pause_reason(ann_view, "")
                assert await waits(ann, "T1") == ""
            await wait_for_pause_reason(ann_view, DEALER_AWAY)
        assert server.house.dealing_modes.get("T1").by_hand
