"""Listing the watchers of a table costs the same however many watch other tables."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from headsup.game.table.commands import Staff
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import Person, Role
from headsup.web.live.protocol import CloseReason, WatchMessage
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import opening
from tests.support.web.office import Office, office
from tests.support.web.wires import Memory, memory, settled


def calls(work: Callable[[], object]) -> int:
    """The number of function calls it takes."""
    events: list[str] = []
    sys.setprofile(lambda _frame, event, _arg: events.append(event))
    try:
        work()
    finally:
        sys.setprofile(None)
    return events.count("call")


async def open_table(at: Office, table: str) -> None:
    asked = CommandRequest(f"opening-{table}", table, Staff("house"), opening("galaxy"))
    assert isinstance(await at.house.open_table(table, asked), Acceptance)


async def test_listing_watchers_of_one_table_ignores_the_others(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await open_table(at, "T2")
        sockets = Sockets(Metrics())

        def come(number: int, table: str) -> None:
            person = Person(f"id {number}", f"Player {number}", Role.PLAYER)
            wire = Memory(at, sockets, person)
            sockets.add(wire.socket)
            wire.frame(json.dumps({"type": "watch", "table": table, "viewer": "rail"}))

        for number in range(2):
            come(number, "T1")
        few = calls(lambda: sockets.watcher_names("T1")), calls(lambda: sockets.refresh("T1"))
        for number in range(2, 100):
            come(number, "T2")
        assert sockets.watcher_names("T1") == {"Player 0", "Player 1"}
        many = calls(lambda: sockets.watcher_names("T1")), calls(lambda: sockets.refresh("T1"))
        assert all(now <= before for now, before in zip(many, few, strict=True))


async def test_leaving_or_unwatching_removes_a_watcher(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Ann") as wire:
            wire.say(type="watch", table="T1", viewer="rail")
            await settled(lambda: sockets.watcher_names("T1") == {"Ann"})
            wire.say(type="unwatch", table="T1")
            await settled(lambda: not sockets.watcher_names("T1"))
            wire.say(type="watch", table="T1", viewer="rail")
            await settled(lambda: sockets.watcher_names("T1") == {"Ann"})
        assert sockets.watcher_names("T1") == frozenset()


async def test_a_socket_closed_during_a_table_look_up_watches_nothing(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        wire = Memory(at, sockets, at.people["Ann"])
        sockets.add(wire.socket)
        wire.socket.close(CloseReason.LOGGED_OUT)
        sockets.remove(wire.socket)
        message = {"type": "watch", "table": "T1", "viewer": "rail"}
        await wire.socket._locate_and_watch(WatchMessage.model_validate(message))
        assert sockets.watcher_names("T1") == frozenset()
        assert not wire.socket.is_watching
