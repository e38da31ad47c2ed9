"""Three real servers on one PostgreSQL, with tables in play through all of them. One is killed, one
stopped for longer than its lease, and then the database dies and comes back. The others finish the
rounds, and nothing is lost or doubled."""

import asyncio
import json
import os
import signal
import subprocess
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
from headsup.web.demo.bots import Bot
from headsup.web.live.client import ApproverLogin, Client, Declined
from tests.support.postgres import PostgresServer, running_server
from tests.support.tables import opening, stakes
from tests.support.web.serving import serving

SUE = ("Sue", "correct horse battery")
QUICK = Timings().scaled(0.1)
MONEY = 10_000_000
LOST = (Declined, OSError, ConnectionClosed, httpx.HTTPError)
SOON = 120  # seconds; no test measures speed with it


@dataclass
class Running:
    """One of the servers, as a process."""

    process: "subprocess.Popen[str]"
    address: str
    down: bool = False  # nobody can reach it


@dataclass
class Player:
    """A player who reconnects through another server when one is gone, and sends unanswered
    commands again under the same id."""

    login: LogIn
    table: str
    seat: int
    servers: list[Running]
    pending: tuple[str, Command] | None = None
    answered: dict[str, int] = field(default_factory=dict)  # index by id
    through: Running | None = None
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
            # Take turns, so that every table is played through every server.
            self.servers = [*self.servers[1:], self.servers[0]]
            self.through = self.servers[0]
            if self.through.down:
                await asyncio.sleep(0)
                continue
            playing = asyncio.create_task(self._sit())
            while not playing.done() and not self.through.down:
                await asyncio.wait([playing], timeout=0.1)
            playing.cancel()
            await asyncio.wait([playing])
            if not playing.cancelled() and (error := playing.exception()):
                assert isinstance(error, LOST), error
                await asyncio.sleep(0.1)

    async def _sit(self) -> None:
        assert self.through is not None
        async with Sure.holding(self.through.address, self.login.token) as client:
            assert isinstance(client, Sure)
            client.player = self
            if self.pending is not None:
                await client.again()
            bot = Bot(client, self.table, self.seat, _calm, stakes(), _rich, (0.02, 0.1))
            await bot.play()


class Sure(Client):
    """A client that repeats unanswered commands after a reconnect."""

    player: Player

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
    database: Database, servers: list[Running], each: int
) -> AsyncIterator[tuple[Casino, list[Player]]]:
    """Tables opened through every server, which then owns them, with two players each."""
    logins = people(Accounts(database))
    ada = next(logins)
    casino, players = Casino(database, []), []
    for number, server in enumerate(servers):
        async with Client.holding(server.address, ada.token) as client:
            for one in range(each):
                table = f"T{number}{one}"
                sealed = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
                await client.open_table(table, table, sealed, SUE, pace=QUICK)
                casino.tables.append(table)
    for number, table in enumerate(casino.tables):
        for seat in (1, 2):
            turned = servers[(number + seat) % len(servers) :] + servers
            players.append(Player(next(logins), table, seat, turned[: len(servers)]))
    async with AsyncExitStack() as stack:
        for player in players:
            player.start()
            stack.push_async_callback(player.stop)
        yield casino, players


@pytest.mark.slow(seconds=40)
async def test_one_of_three_servers_is_killed_and_one_stopped_while_tables_are_in_play(
    tmp_path: Path,
) -> None:
    with running_server() as server:
        await play_through_it_all(server, tmp_path)


async def play_through_it_all(server: PostgresServer, tmp_path: Path) -> None:
    address = server.new_database()
    database = Database(address)
    database.migrate()
    with ExitStack() as stack:
        servers = []
        for number in range(3):
            folder = tmp_path / str(number)
            folder.mkdir()
            arguments = ("--database", address, "--pace", "0.1", "--no-spread")
            servers.append(Running(*stack.enter_context(serving(folder, *arguments))))
        async with playing(database, servers, each=2) as (casino, players):
            await casino.play_on(1)
            owners = casino.owners()
            killed, stopped, left = owners["T00"], owners["T10"], owners["T20"]
            assert len({killed, stopped, left}) == 3

            servers[0].process.kill()
            servers[0].down = True
            await casino.until(lambda: killed not in casino.owners().values())
            await casino.play_on(1)

            os.kill(servers[1].process.pid, signal.SIGSTOP)
            servers[1].down = True
            await casino.until(lambda: set(casino.owners().values()) == {left})
            await casino.play_on(1)
            os.kill(servers[1].process.pid, signal.SIGCONT)
            servers[1].down = False
            servers[2].down = True  # all players connect through the server that was stopped
            await casino.until(lambda: all(p.through is servers[1] for p in players))
            await casino.play_on(1)
            assert set(casino.owners().values()) == {left}

            servers[2].down = False
            server.stop("immediate")  # the database itself dies, and comes back
            server.start()
            await casino.play_on(1)
        for running in servers[1:]:
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(60) == 0
    audited(database, casino, players)
    for number in range(3):
        assert "Traceback" not in (tmp_path / str(number) / "errors").read_text()
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
    for player in players:
        assert player.answered
        for id, index in player.answered.items():
            assert kept[player.table, id] == index
    assert sum(len(player.answered) for player in players) > 50
