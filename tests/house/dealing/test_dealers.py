"""Whichever server owns a floor deals its tables, and no other."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest

from headsup.game.round.commands import Check, Fold, PlaceBets
from headsup.game.round.state import Phase
from headsup.game.table.commands import BuyIn, Command, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house import house as house_module
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster import forwarding, replicas
from headsup.house.dealing import dealer
from headsup.house.dealing.dealers import Dealers
from headsup.house.dealing.dealing_mode import DealingMode, DealingModes
from headsup.house.dealing.pace import ClockKind, TablePace, Timings
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.incidents.significant_events import IncidentQuery, find_incidents
from headsup.house.store.database import Database
from headsup.house.store.dealing_modes import read_dealing_modes
from tests.house.houses import FLOOR, NOON, started, with_wallets
from tests.scripted import CHIPS
from tests.tables import STAFF, opening, stakes, usual

SOON = 60  # seconds
QUICK = replace(Timings().times(0.005), betting=3.0)  # for two players on a slow machine


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "LOOK_SECONDS", 0.03)
    monkeypatch.setattr(replicas, "LOOK_SECONDS", 0.03)


@asynccontextmanager
async def dealing(database: Database, name: str) -> AsyncIterator[House]:
    async with started(database, name, alone=False) as house:
        dealers = Dealers(house, QUICK)
        dealers.start()
        yield house
        await dealers.stop()


async def does(house: House, *commands: Command) -> None:
    for command in commands:
        reply = await house.ask(CommandRequest(uuid4().hex, "T1", usual(command), command))
        assert isinstance(reply, Acceptance), reply


async def opened(house: House, shuffle: ShuffleSource) -> None:
    command = replace(opening("galaxy"), shuffle=shuffle)
    reply = await house.open_table(FLOOR, CommandRequest("opening", "T1", STAFF, command))
    assert isinstance(reply, Acceptance), reply


async def until(house: House, phase: Phase, rounds: int = 1) -> Table:
    """The table as this server shows it, in that phase of that round or after it."""
    host, changed = house.hosts[FLOOR], asyncio.Event()
    unwatch = host.watch(lambda _: changed.set())
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
    database: Database, shuffle: ShuffleSource
) -> None:
    """In the middle of a round that players of both servers are in."""
    with_wallets(database)
    async with dealing(database, "one") as one:
        await opened(one, shuffle)
        async with dealing(database, "two") as other:
            await does(one, Sit(1, "P1"), BuyIn(1, CHIPS))
            await does(other, Sit(2, "P2"), BuyIn(2, CHIPS))
            await until(other, Phase.BETTING)
            await does(one, PlaceBets(1, stakes()))
            await does(other, PlaceBets(2, stakes()))
            await until(other, Phase.POCKET)
            assert not one.hosts[FLOOR].lost
            await one.stop()
            await does(other, Check(1), Check(2))
            await until(other, Phase.FLOP)
            assert not other.hosts[FLOOR].lost
            await does(other, Check(1), Check(2))
            await until(other, Phase.RIVER)
            await does(other, Fold(1), Fold(2))
            await until(other, Phase.BETTING, rounds=2)
    assert audit_floor(database, FLOOR).holds


async def test_where_a_person_enters_the_cards_nobody_else_deals(database: Database) -> None:
    with_wallets(database)
    async with dealing(database, "one") as house:
        await opened(house, ShuffleSource.ENTERED)
        await does(house, Sit(1, "P1"), BuyIn(1, CHIPS))
        assert [
            task.get_name() for task in asyncio.all_tasks() if "dealer" in task.get_name()
        ] == []


class Watched(DealingModes):
    """Knows how often the dealer has looked whether to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.looked, self._news = 0, asyncio.Event()

    def of(self, table: str) -> DealingMode:
        self.looked += 1
        self._news.set()
        return super().of(table)

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
        house.attendances = attendances = Watched()
        await house.attend("T1", DealingMode(paused="a break"))
        await opened(house, ShuffleSource.SEALED)
        await does(house, Sit(1, "P1"), BuyIn(1, CHIPS))
        await attendances.looks(5)  # each as long as a round takes to be opened
        assert house.hosts[FLOOR].journal.floor.tables["T1"].round is None
        await house.attend("T1", DealingMode())
        await until(house, Phase.BETTING)
        await house.attend("T1", DealingMode(by_hand=True))
        await does(house, PlaceBets(1, stakes()))
        await attendances.looks(40)  # longer than who alone has bet is waited for
        assert (await until(house, Phase.BETTING)).rounds == 1
        await house.attend("T1", DealingMode())
        await until(house, Phase.POCKET)


async def test_a_pause_asked_of_any_server_stops_the_dealer_of_the_owner_and_outlives_it(
    database: Database,
) -> None:
    with_wallets(database)
    async with dealing(database, "one") as one:
        await opened(one, ShuffleSource.SEALED)
        async with started(database, "two", alone=False) as two:
            told: list[str] = []
            one.watch_attended(told.append)
            await two.attend("T1", DealingMode(paused="fire drill"))
            async with asyncio.timeout(SOON):
                while one.attendances.of("T1").paused != "fire drill":
                    await one.tend()
            assert told == ["T1"]
            await does(one, Sit(1, "P1"), BuyIn(1, CHIPS))
            await two.attend("T1", DealingMode())
            async with asyncio.timeout(SOON):
                while one.attendances.of("T1").waits:
                    await one.tend()
            await until(one, Phase.BETTING)
            await two.attend("T1", DealingMode(by_hand=True))
    async with started(database, "three") as three:
        assert three.attendances.of("T1") == DealingMode(by_hand=True)


async def test_a_pause_is_not_undone_by_a_look_that_began_before_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, go_on = threading.Event(), threading.Event()

    def slowly(where: Database) -> dict[str, DealingMode]:
        kept = read_dealing_modes(where)
        read.set()
        assert go_on.wait(SOON)
        return kept

    async with started(database, "one", alone=False) as house:
        await opened(house, ShuffleSource.SEALED)
        monkeypatch.setattr(house_module, "read_dealing_modes", slowly)
        look = asyncio.create_task(house.tend())
        await asyncio.to_thread(read.wait, SOON)
        pause = asyncio.create_task(house.attend("T1", DealingMode(paused="fire drill")))
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(look, pause)
        assert house.attendances.of("T1").paused == "fire drill"


async def test_a_table_keeps_to_its_own_pace_set_at_any_server_and_after_a_start(
    database: Database,
) -> None:
    """The usual pace is quick; this table lets others join for minutes, until it is told not to."""
    with_wallets(database)
    slow = replace(QUICK, betting=600.0)
    async with dealing(database, "one") as one:
        await opened(one, ShuffleSource.SEALED)
        async with started(database, "two", alone=False) as two:
            await two.set_pace("T1", slow, "Sue")
            async with asyncio.timeout(SOON):
                while "T1" not in one.paces:
                    await one.tend()
            await does(one, Sit(1, "P1"), Sit(2, "P2"), BuyIn(1, CHIPS))
            await until(one, Phase.BETTING)
            await does(one, PlaceBets(1, stakes()))
            (left,) = one.hosts[FLOOR].clock("T1")
            assert (left.what, left.of) == (ClockKind.BETS, 600.0)
            await two.set_pace("T1", None, "Sue")
            async with asyncio.timeout(SOON):
                while one.paces:
                    await one.tend()
            await until(one, Phase.POCKET)  # the dealer who waited is told
            await two.set_pace("T1", slow, "Sue")
    async with started(database, "three") as three:
        assert three.paces == {"T1": TablePace(slow, "Sue", NOON)}


async def test_a_pause_stops_what_the_dealer_was_about_to_do(database: Database) -> None:
    with_wallets(database)
    async with dealing(database, "one") as house:
        await house.set_pace("T1", replace(QUICK, betting=600.0))
        await opened(house, ShuffleSource.SEALED)
        await does(house, Sit(1, "P1"), Sit(2, "P2"), BuyIn(1, CHIPS))
        await until(house, Phase.BETTING)
        await does(house, PlaceBets(1, stakes()))
        house.attendances = attendances = Watched()
        await house.attend("T1", DealingMode(paused="a break"))
        await attendances.looks(1)  # without anything else happening
        await house.set_pace("T1", None)
        await attendances.looks(2)
        assert (await until(house, Phase.BETTING)).rounds == 1
        await house.attend("T1", DealingMode())
        await until(house, Phase.POCKET)


async def test_a_pause_and_a_pace_are_written_down_with_who_asked(database: Database) -> None:
    async with started(database) as house:
        await opened(house, ShuffleSource.SEALED)
        await house.attend("T1", DealingMode(paused="fire drill"), "Dee")
        await house.attend("T1", DealingMode(by_hand=True), "Dee")
        await house.set_pace("T1", replace(QUICK, card=2.5), "Sue")
    found = find_incidents(database, IncidentQuery(table="T1"))
    told = [(one.kind, one.who, one.floor, json.loads(one.what)) for one in reversed(found)][1:]
    assert [one[:3] for one in told] == [
        ("unavailable", "Dee", FLOOR),
        ("configuration", "Dee", FLOOR),
        ("configuration", "Sue", FLOOR),
    ]
    assert told[0][3] == {"act": "attendance", "paused": "fire drill", "by_hand": False}
    assert told[2][3]["seconds"]["card"] == 2.5
