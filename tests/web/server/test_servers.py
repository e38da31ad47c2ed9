"""Three real servers behind nginx on one PostgreSQL, with tables in play on all of them. One is
killed, one frozen for longer than its lease, one drained, and then the database dies and comes
back. Every round goes on, and nothing is lost or doubled."""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from headsup.game.table.commands import Command
from headsup.game.table.shuffle import ShuffleSource
from headsup.house import clock
from headsup.house.audit.floor import audit_floor
from headsup.house.cash.books import reconcile
from headsup.house.dealing.pace import Timings
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import LogIn, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.schema import ANSWERS, FLOORS
from headsup.house.store.servers import read_floor_rows
from headsup.web.demo.bots import Bot
from headsup.web.live.client import ApproverLogin, Client, Declined
from tests.support.house.history import Acknowledged, history_faults
from tests.support.postgres import PostgresServer, running_server
from tests.support.tables import opening, stakes
from tests.support.web.proxy import nginx, proxied
from tests.support.web.serving import serving

SUE = ("Sue", "correct horse battery")
QUICK = Timings().scaled(0.1)
MONEY = 10_000_000
SLACK = 4.0  # seconds, on a busy machine
SILENCE = 3.0  # seconds until a player leaves a socket on which nothing comes
LOST = (Declined, OSError, ConnectionClosed, httpx.HTTPError)
SOON = 120  # seconds; no test measures speed with it


@dataclass
class Running:
    """One of the servers, as a process."""

    process: "subprocess.Popen[str]"
    address: str


@dataclass
class Player:
    """A player who connects again when the connection is lost or silent, and sends unanswered
    commands again under the same id."""

    login: LogIn
    table: str
    seat: int
    address: str  # of the proxy
    pending: tuple[str, Command] | None = None
    answered: dict[str, int] = field(default_factory=dict)  # index by id
    heard: float = 0.0  # when the last update arrived
    _task: "asyncio.Task[None] | None" = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._play(), name=self.login.person.name)

    async def stop(self) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            await self._task  # raises what went wrong

    async def _play(self) -> None:
        while True:
            playing = asyncio.create_task(self._sit())
            self.heard = time.monotonic()
            while not playing.done() and time.monotonic() < self.heard + SILENCE:
                await asyncio.wait([playing], timeout=0.1)
            playing.cancel()
            await asyncio.wait([playing])
            if not playing.cancelled() and (error := playing.exception()):
                assert isinstance(error, LOST), error
            await asyncio.sleep(0.2)

    async def _sit(self) -> None:
        async with Sure.holding(self.address, self.login.token) as client:
            assert isinstance(client, Sure)
            client.player = self
            if self.pending is not None:
                await client.again()
            bot = Bot(client, self.table, self.seat, _calm, stakes(), _rich, (0.02, 0.1))
            await bot.play()


class Sure(Client):
    """A client that repeats unanswered commands after a reconnect."""

    player: Player

    async def _handle(self, message: dict[str, Any]) -> None:
        if message["type"] != "welcome":  # the player is not set yet
            self.player.heard = time.monotonic()
        await Client._handle(self, message)

    async def ask(
        self, table: str, command: Command, id: str = "", approval: ApproverLogin | None = None
    ) -> int:
        assert (table, approval) == (self.player.table, None)
        self.player.pending = id or uuid4().hex, command
        return await self.again()

    async def again(self) -> int:
        assert self.player.pending is not None
        id, command = self.player.pending
        try:
            index = await Client.ask(self, self.player.table, command, id)
        except Declined as declined:
            if declined.code not in ("unavailable", "connection_lost"):
                self.player.pending = None  # refused: nothing was done
            raise
        assert self.player.answered.setdefault(id, index) == index
        self.player.pending = None
        return index


def _calm(_hole: object, _board: object, legal: list[dict[str, Any]]) -> dict[str, Any]:
    actions = {choice["action"]: choice for choice in legal}
    return actions.get("check") or actions["fold"]


async def _rich() -> None:
    raise AssertionError("nobody runs out of money here")


@dataclass
class Casino:
    """The shared database, as its operators see it."""

    database: Database
    tables: list[str]

    def rounds(self) -> dict[str, int]:
        """The number of rounds opened at each table, by the log."""
        found = dict.fromkeys(self.tables, 0)
        for table in self.tables:
            for _, text in self.database.entry_texts(table):
                found[table] += '"RoundOpened"' in text
        return found

    def owners(self) -> dict[str, str]:
        """The server that owns each floor. The house's own log has none."""
        query = select(FLOORS.c.id, FLOORS.c.owner).where(FLOORS.c.id != HOUSE_LOG)
        with self.database.read_connection() as connection:
            return {row.id: row.owner for row in connection.execute(query)}

    async def play_on(self, more: int) -> None:
        """Wait until this many more rounds have been opened at every table."""
        before = await asyncio.to_thread(self.rounds)

        def played() -> bool:
            now = self.rounds()
            return all(now[table] >= before[table] + more for table in self.tables)

        await self.until(played)

    async def until(self, so: Callable[[], bool]) -> None:
        async with asyncio.timeout(SOON):
            while not await asyncio.to_thread(so):
                await asyncio.sleep(0.1)


def people(accounts: Accounts) -> Iterator[LogIn]:
    """Ada, who opens tables, then any number of players."""
    ada = accounts.create("Ada", Role.ADMINISTRATOR, None, clock.now())
    assert isinstance(ada, Person)
    assert isinstance(accounts.create(SUE[0], Role.SUPERVISOR, SUE[1], clock.now()), Person)
    yield accounts.log_in_as(ada)
    while True:
        player = accounts.create(f"Player {uuid4().hex[:6]}", Role.PLAYER, None, clock.now())
        assert isinstance(player, Person)
        accounts.deposit(player, MONEY, "cashier", clock.now())
        yield accounts.log_in_as(player)


@asynccontextmanager
async def playing(
    database: Database, address: str, tables: int
) -> AsyncIterator[tuple[Casino, list[Player]]]:
    """Tables with two players each, all through the proxy."""
    logins = people(Accounts(database))
    ada = next(logins)
    casino, players = Casino(database, [f"T{number}" for number in range(tables)]), []
    async with Client.holding(address, ada.token) as client:
        for table in casino.tables:
            sealed = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
            await client.open_table(table, table, sealed, SUE, pace=QUICK)
    async with AsyncExitStack() as stack:
        for table in casino.tables:
            for seat in (1, 2):
                players.append(Player(next(logins), table, seat, address))
                players[-1].start()
                stack.push_async_callback(players[-1].stop)
        yield casino, players


@pytest.mark.slow(seconds=60)
async def test_servers_are_killed_frozen_and_drained_while_tables_are_in_play(
    tmp_path: Path,
) -> None:
    nginx()
    tmp_path.chmod(0o755)
    with running_server() as server:
        await play_through_it_all(server, tmp_path)


def process_of(servers: list[Running], casino: Casino, name: str) -> "subprocess.Popen[str]":
    """The process of the server with this unique name."""
    at = {row.name: row.at for row in read_floor_rows(casino.database)[0]}[name]
    return servers["abc".index(at)].process


async def play_through_it_all(server: PostgresServer, tmp_path: Path) -> None:
    address = server.new_database()
    database = Database(address)
    database.migrate()
    with ExitStack() as stack:
        servers = []
        for at in "abc":
            folder = tmp_path / at
            folder.mkdir()
            arguments = ("--database", address, "--pace", "0.1", "--at", at, "--proxy", "127.0.0.1")
            servers.append(Running(*stack.enter_context(serving(folder, *arguments))))
        proxy = stack.enter_context(proxied(tmp_path, *(one.address for one in servers)))
        async with playing(database, proxy, tables=4) as (casino, players):
            await casino.play_on(1)
            # The server that was asked has opened all tables: stop it, and the others share them.
            (first,) = set(casino.owners().values())
            draining = process_of(servers, casino, first)
            draining.send_signal(signal.SIGTERM)
            await casino.until(lambda: draining.poll() == 0)
            second, third = sorted(set(casino.owners().values()))
            await casino.play_on(1)

            killed, frozen = (process_of(servers, casino, name) for name in (second, third))
            killed.kill()
            began = time.monotonic()
            await casino.until(lambda: set(casino.owners().values()) == {third})
            assert time.monotonic() - began < 6 + SLACK
            await casino.play_on(1)

            at = "abc"[[one.process for one in servers].index(draining)]
            folder = tmp_path / "again"
            folder.mkdir()
            port = servers["abc".index(at)].address.rpartition(":")[2]
            arguments = ("--database", address, "--pace", "0.1", "--at", at, "--proxy", "127.0.0.1")
            again = Running(*stack.enter_context(serving(folder, *arguments, port=int(port))))
            os.kill(frozen.pid, signal.SIGSTOP)
            began = time.monotonic()
            await casino.until(lambda: third not in casino.owners().values())
            assert time.monotonic() - began < 10 + SLACK
            await casino.play_on(1)
            os.kill(frozen.pid, signal.SIGCONT)
            await casino.play_on(1)

            server.stop("immediate")  # the database itself dies, and comes back
            server.start()
            await casino.play_on(1)
        for process in (frozen, again.process):
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    audited(database, casino, players)
    for folder in tmp_path.iterdir():
        if folder.is_dir() and (folder / "errors").exists():
            assert "Traceback" not in (folder / "errors").read_text()
    database.close()


def audited(database: Database, casino: Casino, players: list[Player]) -> None:
    """Every chain holds, the books agree, and every answered command is in the log once."""
    journals = {}
    for table in casino.tables:
        found = audit_floor(database, table)
        assert found.holds, found
        report = found.report
        journals[table] = report.journal
    books = reconcile(database, journals)
    assert books.differences == ()
    assert books.paid_in == len(players) * MONEY == books.in_wallets + books.on_floors
    with database.read_connection() as connection:
        kept = {
            (row.floor, row.command): row._mapping["index"]
            for row in connection.execute(select(ANSWERS))
        }
    for table in casino.tables:
        entries = [json.loads(entry) for _, entry in database.entry_texts(table)]
        assert all("id" in entry for entry in entries if "seat" in entry)
        # The automatic dealer sends nothing twice, so its commands have no ids.
        sent = [(entry["id"], index) for index, entry in enumerate(entries) if "id" in entry]
        answered = [(id, index) for (floor, id), index in kept.items() if floor == table]
        assert sorted(sent) == sorted(answered)
    told = [
        Acknowledged(player.table, id, index)
        for player in players
        for id, index in player.answered.items()
    ]
    address = database.engine.url.render_as_string(hide_password=False)
    assert history_faults(address, told) == []
    assert all(player.answered for player in players)
    assert sum(len(player.answered) for player in players) > 50
