"""Only the server that owns a floor deals its tables."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest

from headsup.game.round.commands import Check, Fold, PlaceBets
from headsup.game.round.state import Phase
from headsup.game.table.commands import Command
from headsup.game.table.opening import CloseTable
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import DealingMode, Table
from headsup.house.audit.floor import audit_floor
from headsup.house.dealing import dealer
from headsup.house.dealing.dealer import Dealers
from headsup.house.dealing.pace import ClockKind, Timings
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import DealingModes, House
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from tests.support.databases import postgres_database
from tests.support.house.houses import FLOOR, NOON, started, with_wallets
from tests.support.postgres import PostgresServer
from tests.support.scripted import CHIPS
from tests.support.tables import POOL_LEAVES, STAFF, default_actor, opening, stakes

SOON = 60  # seconds
QUICK = replace(Timings().scaled(0.005), betting=3.0)  # enough for two players on a slow machine


@asynccontextmanager
async def dealing(database: Database, name: str) -> AsyncIterator[House]:
    async with started(database, name) as house:
        dealers = Dealers(house, QUICK)
        dealers.start()
        yield house
        await dealers.stop()


async def does(house: House, *commands: Command) -> None:
    for command in commands:
        reply = await house.submit(
            CommandRequest(uuid4().hex, "T1", default_actor(command), command)
        )
        assert isinstance(reply, Acceptance), reply


async def open_table(house: House, shuffle: ShuffleSource) -> None:
    command = replace(opening("galaxy"), shuffle=shuffle)
    reply = await house.open_table(FLOOR, CommandRequest("opening", "T1", STAFF, command))
    assert isinstance(reply, Acceptance), reply


async def until(house: House, phase: Phase, rounds: int = 1) -> Table:
    """Wait until this server shows the table in that phase of that round, or later."""
    host, changed = house.hosts[FLOOR], asyncio.Event()
    unwatch = host.subscribe(lambda _: changed.set())
    async with asyncio.timeout(SOON):
        while True:
            table = host.journal.floor.tables["T1"]
            if table.round and table.rounds == rounds and table.round.phase is phase:
                unwatch()
                return table
            changed.clear()
            await changed.wait()


@pytest.mark.parametrize("shuffle", [ShuffleSource.SYSTEM, ShuffleSource.SEALED])
async def test_a_table_is_dealt_by_its_owner_and_by_the_next_when_that_one_stops(
    postgres: PostgresServer, shuffle: ShuffleSource
) -> None:
    """During a round."""
    database = postgres_database(postgres)
    with_wallets(database)
    async with dealing(database, "one") as one:
        await open_table(one, shuffle)
        async with dealing(database, "two") as other:
            await does(one, Sit(1, "P1"), BuyIn(1, CHIPS), Sit(2, "P2"), BuyIn(2, CHIPS))
            await until(one, Phase.BETTING)
            await does(one, PlaceBets(1, stakes()), PlaceBets(2, stakes()))
            await until(one, Phase.POCKET)
            assert other.hosts == {}
            await one.drain(0)
            assert one.hosts == {}
            await does(other, Check(1), Check(2))
            await until(other, Phase.FLOP)
            await does(other, Check(1), Check(2))
            await until(other, Phase.RIVER)
            await does(other, Fold(1), Fold(2))
            await until(other, Phase.BETTING, rounds=2)
    assert audit_floor(database, FLOOR).holds
    database.close()


async def test_where_a_person_enters_the_cards_nobody_else_deals(database: Database) -> None:
    with_wallets(database)
    async with dealing(database, "one") as house:
        await open_table(house, ShuffleSource.ENTERED)
        await does(house, Sit(1, "P1"), BuyIn(1, CHIPS))
        assert [
            task.get_name() for task in asyncio.all_tasks() if "dealer" in task.get_name()
        ] == []


async def test_the_dealer_of_a_closed_table_stops(database: Database) -> None:
    with_wallets(database)
    async with dealing(database, "one") as house:
        await open_table(house, ShuffleSource.SYSTEM)
        async with asyncio.timeout(SOON):
            while not (dealers := tasks_named("dealer of T1")):
                await asyncio.sleep(0)
            await does(house, *POOL_LEAVES, CloseTable("the season is over", "Ann"))
            await asyncio.wait(dealers)
        assert house.hosts[FLOOR].time_left_by_table == {}
    async with dealing(database, "two"):
        assert tasks_named("dealer of T1") == []


def tasks_named(name: str) -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == name]


class Watched(DealingModes):
    """Counts how often the dealer has checked whether it is held."""

    def __init__(self, house: House) -> None:
        super().__init__(house.table)
        self.looked, self._news = 0, asyncio.Event()

    def get(self, table: str) -> DealingMode:
        self.looked += 1
        self._news.set()
        return super().get(table)

    async def looks(self, times: int) -> None:
        until = self.looked + times
        async with asyncio.timeout(SOON):
            while self.looked < until:
                self._news.clear()
                await self._news.wait()


async def test_a_table_that_is_paused_or_taken_over_is_left_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "PAUSE_POLL_SECONDS", QUICK.open)
    with_wallets(database)
    async with dealing(database, "one") as house:
        house.dealing_modes = attendances = Watched(house)
        await open_table(house, ShuffleSource.SEALED)
        await house.set_dealing_mode("T1", DealingMode(paused="a break"))
        await does(house, Sit(1, "P1"), BuyIn(1, CHIPS))
        await attendances.looks(5)  # each takes as long as opening a round
        assert house.hosts[FLOOR].journal.floor.tables["T1"].round is None
        await house.set_dealing_mode("T1", DealingMode())
        await until(house, Phase.BETTING)
        await house.set_dealing_mode("T1", DealingMode(by_hand=True))
        await does(house, PlaceBets(1, stakes()))
        await attendances.looks(40)  # longer than the time to bet
        assert (await until(house, Phase.BETTING)).rounds == 1
        await house.set_dealing_mode("T1", DealingMode())
        await until(house, Phase.POCKET)


async def test_a_dealing_mode_outlives_the_server(database: Database) -> None:
    async with dealing(database, "one") as one:
        await open_table(one, ShuffleSource.SEALED)
        await one.set_dealing_mode("T1", DealingMode(by_hand=True))
    async with started(database, "three") as three:
        assert three.dealing_modes.get("T1") == DealingMode(by_hand=True)


async def test_a_table_keeps_to_its_own_pace_also_after_a_start(database: Database) -> None:
    """The usual pace is quick; this table waits minutes for bets, until its pace is changed."""
    with_wallets(database)
    slow = replace(Timings(), betting=600.0)
    async with dealing(database, "one") as one:
        await open_table(one, ShuffleSource.SEALED)
        await one.set_pace("T1", slow, "Sue")
        await does(one, Sit(1, "P1"), Sit(2, "P2"), BuyIn(1, CHIPS))
        await until(one, Phase.BETTING)
        await does(one, PlaceBets(1, stakes()))
        (left,) = one.hosts[FLOOR].time_left("T1")
        assert (left.kind, left.total) == (ClockKind.BETS, 600.0)
        await one.set_pace("T1", None, "Sue")
        await until(one, Phase.POCKET)  # the dealer notices the new pace
        await one.set_pace("T1", slow, "Sue")
    async with started(database, "three") as three:
        assert three.pace("T1") == slow
        table = three.table("T1")
        assert table is not None
        assert table.pace is not None
        assert (table.pace.by, table.pace.at) == ("Sue", NOON)


async def test_a_pause_stops_what_the_dealer_was_about_to_do(database: Database) -> None:
    with_wallets(database)
    async with dealing(database, "one") as house:
        await open_table(house, ShuffleSource.SEALED)
        await house.set_pace("T1", replace(QUICK, betting=600.0))
        await does(house, Sit(1, "P1"), Sit(2, "P2"), BuyIn(1, CHIPS))
        await until(house, Phase.BETTING)
        await does(house, PlaceBets(1, stakes()))
        house.dealing_modes = attendances = Watched(house)
        await house.set_dealing_mode("T1", DealingMode(paused="a break"))
        await attendances.looks(1)  # though nothing else happens
        await house.set_pace("T1", None)
        await attendances.looks(2)
        assert (await until(house, Phase.BETTING)).rounds == 1
        await house.set_dealing_mode("T1", DealingMode())
        await until(house, Phase.POCKET)


async def test_a_pause_and_a_pace_are_written_down_with_who_asked(database: Database) -> None:
    async with started(database) as house:
        await open_table(house, ShuffleSource.SEALED)
        await house.set_dealing_mode("T1", DealingMode(paused="fire drill"), "Dee")
        await house.set_dealing_mode("T1", DealingMode(by_hand=True), "Dee")
        await house.set_pace("T1", replace(QUICK, card=2.5), "Sue")
    found = find_incidents(database, IncidentQuery(table="T1"))
    incidents = [(one.kind, one.who, one.floor, json.loads(one.what)) for one in reversed(found)][
        1:
    ]
    assert [one[:3] for one in incidents] == [
        ("unavailable", "Dee", FLOOR),
        ("configuration", "Dee", FLOOR),
        ("configuration", "Sue", FLOOR),
    ]
    assert incidents[0][3] == {"act": "attendance", "paused": "fire drill", "by_hand": False}
    assert incidents[2][3]["seconds"]["card"] == 2.5
