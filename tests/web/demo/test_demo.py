"""The demonstration: tables deal themselves, and automatic players come when people do."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from headsup.game.round.commands import PlaceBets
from headsup.game.round.stakes import refuse_stakes
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import Table
from headsup.house.cash.takings import table_takings
from headsup.web.demo.bots import BUY_IN_CENTS
from headsup.web.demo.house import PLAY_MONEY_CENTS, find_bot_account
from headsup.web.demo.tables import DEMO_TABLES, DemoTable, choose_stakes, is_automatic
from headsup.web.live.client import Client
from tests.support.web.live_server import QUICK, Live, demonstration, live

SECONDS = 60  # far more than anything here takes


def table(server: Live, id: str) -> Table:
    found = server.house.table(id)
    assert found is not None
    return found


async def until(server: Live, id: str, holds: Callable[[Table], bool]) -> Table:
    """Wait until the condition holds; it is checked after each event."""
    host = server.house.host_of(id)
    assert host is not None
    happened = asyncio.Event()
    unwatch = host.subscribe(lambda _: happened.set())
    async with asyncio.timeout(SECONDS):
        while not holds(table(server, id)):
            happened.clear()
            await happened.wait()
    unwatch()
    return table(server, id)


async def test_nothing_happens_while_nobody_is_there(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server:
        assert [one.id for one in server.house.tables()] == sorted(one.id for one in DEMO_TABLES)
        await asyncio.sleep(1)  # twice the attendants' interval
        for one in server.house.tables():
            assert not one.players
            assert one.rounds == 0


async def test_automatic_players_play_for_watchers_and_keep_their_seats(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server:
        async with Client.demo(server.address) as visitor:
            await visitor.watch("Washington", "rail")
            playing = await until(server, "Washington", lambda one: one.rounds >= 3)
            assert len(playing.players) == 4
            assert all(is_automatic(name) for name in playing.players.values())
        await asyncio.sleep(1)  # twice the attendants' interval
        async with Client.demo(server.address) as another:
            await another.watch("Washington", "rail")
            await until(server, "Washington", lambda one: one.rounds >= playing.rounds + 2)
            assert table(server, "Washington").players == playing.players
        with server.house.database.read_connection() as connection:
            (taken,) = table_takings(connection, table="Washington")
        assert taken.cashed_out == 0


async def test_a_seat_is_left_free_for_the_next_person(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        await ann.watch("SugarHouse", "rail")
        five = await until(server, "SugarHouse", lambda one: len(one.players) == 5)
        (free,) = {1, 2, 3, 4, 5, 6} - five.players.keys()
        await ann.ask("SugarHouse", Sit(free, ann.name))
        await until(server, "SugarHouse", lambda one: len(one.players) == 5)
        assert ann.name in table(server, "SugarHouse").players.values()


async def test_a_guest_plays_a_round_with_automatic_players(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        await ann.ask("New York", Sit(6, ann.name))
        await ann.ask("New York", BuyIn(6, 50_000))
        table = await ann.watch("New York", "seat 6")
        async with asyncio.timeout(SECONDS):
            async for moment in table.moments():
                if bets := moment.form("PlaceBets"):
                    await table.do(bets, stakes={"ante": 500, "odds": 500})
                elif moment.may("Check"):
                    break
        assert any(name.startswith("seat.") for name in moment.parts)


async def test_automatic_players_are_there_first_and_bet_after_a_person(tmp_path: Path) -> None:
    """They sit down while the visitor is still in the lobby, and bet once the visitor has bet."""
    pace = replace(QUICK, betting=600)  # bets close when all have bet, however slow the machine
    async with demonstration(tmp_path, pace) as server, Client.demo(server.address) as ann:
        await until(server, "Galaxy", lambda one: len(one.players) == 3 and one.round is not None)
        await ann.ask("Galaxy", Sit(6, ann.name))
        await ann.ask("Galaxy", BuyIn(6, 50_000))
        await ann.watch("Galaxy", "seat 6")
        await ann.ask("Galaxy", BuyIn(6, 1_000))  # she takes her time
        waiting = table(server, "Galaxy")
        assert waiting.rounds == 1
        assert waiting.round is not None
        assert not waiting.round.seats
        await ann.ask("Galaxy", PlaceBets(6, {Wager.ANTE: 500, Wager.ODDS: 500}))
        played = await until(
            server, "Galaxy", lambda one: one.round is not None and len(one.round.seats) == 4
        )
        assert played.round is not None
        assert next(iter(played.round.seats)) == 6


async def test_tables_survive_a_restart(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        await ann.watch("Galaxy", "rail")
        before = await until(server, "Galaxy", lambda one: one.rounds >= 2)
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        assert len(server.house.tables()) == len(DEMO_TABLES)
        assert table(server, "Galaxy").rounds >= before.rounds
        assert {*table(server, "Galaxy").players.values()} == {*before.players.values()}
        await ann.watch("Galaxy", "rail")
        await until(server, "Galaxy", lambda one: one.rounds >= before.rounds + 2)
        assert len(table(server, "Galaxy").players) == 3


async def test_a_table_whose_log_was_changed_stays_shut_and_the_others_open(
    tmp_path: Path,
) -> None:
    async with demonstration(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "house.db")) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(
            "UPDATE entries SET entry = replace(entry, '25000', '95000') WHERE floor = 'Galaxy'"
        )
        database.commit()
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        open_ones = sorted(one.id for one in DEMO_TABLES if one.id != "Galaxy")
        assert [one["id"] for one in await ann.tables()] == open_ones
        await ann.watch("New York", "rail")
        await until(server, "New York", lambda one: one.rounds >= 1)


async def test_automatic_players_without_money_are_given_more(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server, Client.demo(server.address) as ann:
        robin = find_bot_account(server.accounts, "Robin (automatic)")
        assert server.accounts.deposit(robin, -PLAY_MONEY_CENTS, "robbed", "")
        await ann.watch("Galaxy", "rail")
        played = await until(server, "Galaxy", lambda one: one.rounds >= 2)
        assert robin.name in played.players.values()
        assert server.house.database.wallet(robin.name) == PLAY_MONEY_CENTS - BUY_IN_CENTS


async def test_a_guest_gets_more_play_money(tmp_path: Path) -> None:
    async with (
        live(tmp_path) as server,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        assert (await http.get("/api/here")).json()["person"] is None
        assert (await http.post("/api/demo")).json()["wallet"] == "1000.00"
        assert (await http.post("/api/demo/money")).json()["wallet"] == "2000.00"
        assert (await http.get("/api/here")).json()["person"]["wallet"] == "2000.00"


async def test_there_are_no_guests_without_the_demonstration(tmp_path: Path) -> None:
    async with (
        live(tmp_path, demo=False) as server,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        assert (await http.get("/api/here")).json()["demo"] is False
        assert (await http.post("/api/demo")).status_code == 403


@pytest.mark.parametrize("demo", DEMO_TABLES, ids=lambda demo: demo.id)
@pytest.mark.parametrize("seat", range(1, 7))
def test_automatic_players_bet_within_the_rules(demo: DemoTable, seat: int) -> None:
    rules = table_rules(demo.book, {}, demo.opening.options)
    assert refuse_stakes(rules, choose_stakes(rules, seat)) is None


def test_every_side_wager_is_played_somewhere() -> None:
    rules = [table_rules(demo.book, {}, demo.opening.options) for demo in DEMO_TABLES]
    placed = {wager for one in rules for seat in range(1, 7) for wager in choose_stakes(one, seat)}
    assert placed >= {*SIDE_WAGERS}


async def test_a_guest_who_logs_out_frees_the_seat(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as server, httpx.AsyncClient(timeout=30) as http:
        server.state.demo = server.demo
        me = (await http.post(f"{server.address}/api/demo")).json()["name"]
        token = http.cookies["headsup"]
        async with Client.holding(server.address, token) as ann:
            await ann.ask("New York", Sit(6, me))
            await ann.ask("New York", BuyIn(6, 50_000))
            assert (await http.post(f"{server.address}/api/logout")).status_code == 204
        left = await until(server, "New York", lambda one: 6 not in one.players)
        assert me not in left.players.values()
        assert server.house.database.wallet(me) == PLAY_MONEY_CENTS
