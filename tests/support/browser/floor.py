"""People for a floor: staff who log in, players who sit and bet without a browser."""

import json
from collections.abc import Mapping
from uuid import uuid4

from playwright.async_api import Browser, BrowserContext

from headsup.game.round.commands import PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import BuyIn, Sit
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.people.person import Person, Role
from tests.support.web.live_server import Live

PASSWORD = "correct horse battery"
STAFF = {
    "Dee": Role.DEALER,
    "Sue": Role.SUPERVISOR,
    "Sam": Role.SUPERVISOR,
    "Art": Role.AUDITOR,
    "Ada": Role.ADMINISTRATOR,
}
CHIPS = 50_000


def hire(server: Live, *names: str) -> None:
    """Create staff accounts with these names."""
    for name in names:
        made = server.accounts.create(name, STAFF[name], PASSWORD, clock.now())
        assert isinstance(made, Person)


async def run_command(
    server: Live, by: PlayerAt | Staff, command: Command, table: str = "T1"
) -> None:
    reply = await server.house.submit(CommandRequest(uuid4().hex, table, by, command))
    assert isinstance(reply, Acceptance), reply


async def open_by_hand(
    server: Live, opening: OpenTable, table: str = "T1", floor: str = ""
) -> None:
    """Open a table that is not dealt automatically, on its own floor unless one is named."""
    request = CommandRequest(f"opening-{table}", table, Staff("house"), opening)
    assert isinstance(await server.house.open_table(floor or table, request), Acceptance)


async def seat(server: Live, players: Mapping[int, str], table: str = "T1") -> None:
    for number, name in players.items():
        person = server.accounts.create(name, Role.PLAYER, None, clock.now())
        assert isinstance(person, Person)
        server.accounts.deposit(person, CHIPS, "play_money", clock.now())
        await run_command(server, PlayerAt(number), Sit(number, name), table)
        await run_command(server, PlayerAt(number), BuyIn(number, CHIPS), table)


async def bet(
    server: Live, number: int, ante: int = 1_000, table: str = "T1", **sides: int
) -> None:
    stakes: dict[Wager, int] = {Wager.ANTE: ante, Wager.ODDS: ante}
    stakes |= {Wager(side): amount for side, amount in sides.items()}
    await run_command(server, PlayerAt(number), PlaceBets(number, stakes), table)


async def logged_in(
    browser: Browser, server: Live, name: str, size: tuple[int, int]
) -> BrowserContext:
    """A browser with a member of staff logged in."""
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(30_000)
    answer = await context.request.post(
        f"{server.address}/api/login", data={"name": name, "password": PASSWORD}
    )
    assert answer.ok, await answer.text()
    return context


def count_events(house: House, table: str, event: str) -> int:
    """How many such events are in the table's log."""
    texts = (json.loads(text) for _, text in house.database.entry_texts(table))
    return sum(one["event"] == event for text in texts for one in text.get("events", ()))
