"""Who looks at a table is known at a cost that does not grow with those who look elsewhere."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from headsup.game.table.commands import Staff
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.accounts import Person, Role
from headsup.web.live.protocol import CloseReason, WatchMessage
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.tables import opening
from tests.web.office import Office, office
from tests.web.wires import Memory, memory, settled


def calls(work: Callable[[], object]) -> int:
    """How many functions are called to do it."""
    events: list[str] = []
    sys.setprofile(lambda _frame, event, _arg: events.append(event))
    try:
        work()
    finally:
        sys.setprofile(None)
    return events.count("call")


async def opened(at: Office, table: str) -> None:
    asked = CommandRequest(f"opening-{table}", table, Staff("house"), opening("galaxy"))
    assert isinstance(await at.house.open_table(table, asked), Acceptance)


async def test_who_looks_at_one_table_is_asked_of_nobody_else(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await opened(at, "T2")
        sockets = Sockets(Metrics())

        def come(number: int, table: str) -> None:
            person = Person(f"id {number}", f"Player {number}", Role.PLAYER)
            wire = Memory(at, sockets, person)
            sockets.add(wire.socket)
            wire.frame(json.dumps({"type": "watch", "table": table, "viewer": "rail"}))

        for number in range(2):
            come(number, "T1")
        few = calls(lambda: sockets.watching("T1")), calls(lambda: sockets.show_again("T1"))
        for number in range(2, 100):
            come(number, "T2")
        assert sockets.watching("T1") == {"Player 0", "Player 1"}
        many = calls(lambda: sockets.watching("T1")), calls(lambda: sockets.show_again("T1"))
        assert many == few


async def test_who_looks_away_or_goes_looks_no_more(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Ann") as wire:
            wire.say(type="watch", table="T1", viewer="rail")
            await settled(lambda: sockets.watching("T1") == {"Ann"})
            wire.say(type="unwatch", table="T1")
            await settled(lambda: not sockets.watching("T1"))
            wire.say(type="watch", table="T1", viewer="rail")
            await settled(lambda: sockets.watched() == {"T1": {"Ann"}})
        assert sockets.watched() == {}


async def test_a_socket_that_closed_while_a_table_was_looked_for_watches_nothing(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        wire = Memory(at, sockets, at.people["Ann"])
        sockets.add(wire.socket)
        wire.socket.close(CloseReason.LOGGED_OUT)
        sockets.remove(wire.socket)
        await wire.socket._look_for(WatchMessage(type="watch", table="T1", viewer="rail"))
        assert sockets.watched() == {}
        assert not wire.socket.watching
