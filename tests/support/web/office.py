"""A house without a server: its people, its command desk and a table, on a fresh database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from sqlalchemy import delete, insert, select

from headsup.game.record.message_codec import write_command
from headsup.game.table.commands import Command, Staff
from headsup.game.table.opening import OpenTable
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost
from headsup.house.house import House
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store import schema
from headsup.house.store.database import Database
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.protocol import (
    Approval,
    RefusalMessage,
    ReplyMessage,
    SubmitCommandRequest,
)
from headsup.web.server.operations import Metrics
from tests.support.tables import opening

PASSWORD = "correct horse battery"
TABLE = "T1"
RICH = 1_000_000_000  # cents in every player's wallet
# The staff, two players, and one player for each seat of a table.
PEOPLE = {
    "Ann": Role.PLAYER,
    "Bob": Role.PLAYER,
    "Dee": Role.DEALER,
    "Sue": Role.SUPERVISOR,
    "Sam": Role.SUPERVISOR,
    "Ada": Role.ADMINISTRATOR,
    "Art": Role.AUDITOR,
    **{f"P{seat}": Role.PLAYER for seat in range(1, 7)},
}


@dataclass
class Office:
    house: House
    accounts: Accounts
    desk: CommandDesk
    people: dict[str, Person]

    @property
    def host(self) -> FloorHost:
        host = self.house.host_of(TABLE)
        assert host is not None
        return host

    async def ask(
        self,
        who: str,
        command: Command | dict[str, Any],
        approval: tuple[str, str] | None = None,
        id: str = "",
        table: str = TABLE,
    ) -> ReplyMessage | RefusalMessage:
        payload = command if isinstance(command, dict) else write_command(command)
        message = SubmitCommandRequest(
            id=id or uuid4().hex,
            command=payload,
            approval=Approval(name=approval[0], password=approval[1]) if approval else None,
        )
        return await self.desk.submit(self.people[who], table, message)

    async def does(
        self, who: str, command: Command, approval: tuple[str, str] | None = None
    ) -> int:
        """Submit a command that must be accepted; returns the index of its entry."""
        answer = await self.ask(who, command, approval)
        assert isinstance(answer, ReplyMessage), answer
        return answer.index

    async def code(
        self, who: str, command: Command | dict[str, Any], approval: tuple[str, str] | None = None
    ) -> str:
        """The code with which the command is declined; empty if it is carried out."""
        answer = await self.ask(who, command, approval)
        return answer.code if isinstance(answer, RefusalMessage) else ""


@cache
def _people() -> bytes:
    """A database with everybody in it, made once because hashing a password is slow."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "people.db"
        database = Database(f"sqlite:///{path}")
        database.migrate()
        accounts = Accounts(database)
        first, *others = PEOPLE
        person = accounts.create(first, PEOPLE[first], PASSWORD, clock.now())
        assert isinstance(person, Person), person
        with database.engine.begin() as connection:  # the same password, so one hash for all
            row = dict(connection.execute(select(schema.PEOPLE)).one()._mapping)
            for name in others:
                one = {**row, "id": f"id of {name}", "name": name, "role": PEOPLE[name].value}
                connection.execute(insert(schema.PEOPLE), one)
            connection.execute(delete(schema.WALLETS))
            for name in (name for name, role in PEOPLE.items() if role is Role.PLAYER):
                connection.execute(insert(schema.WALLETS), {"person": name, "cents": RICH})
        database.close()  # closing writes everything into the one file
        return path.read_bytes()


def database_with_people(folder: Path) -> Database:
    path = folder / "house.db"
    if not path.exists():
        path.write_bytes(_people())
    return Database(f"sqlite:///{path}")


@asynccontextmanager
async def office(folder: Path, table: OpenTable | None = None) -> AsyncIterator[Office]:
    """Open a house; opened again in the same folder, it goes on where it ended."""
    database = database_with_people(folder)
    accounts = Accounts(database)
    house = House(database, "server", clock.now)
    await house.start()
    request = CommandRequest("opening", TABLE, Staff("house"), table or opening("galaxy"))
    assert isinstance(await house.open_table(TABLE, request), Acceptance)
    people = {person.name: person for person in accounts.people()}
    try:
        yield Office(house, accounts, CommandDesk(house, accounts, Metrics()), people)
    finally:
        await house.stop()
        database.close()
