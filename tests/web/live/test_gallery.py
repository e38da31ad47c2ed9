"""Everyone who watches a table gets its events, and the meter moves of linked tables."""

import json
from pathlib import Path

import pytest

from headsup.game.round.commands import CloseBets, PlaceBets
from headsup.game.table.commands import Command, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.views.builder import view_for
from headsup.game.views.view_cache import ViewCache
from headsup.game.views.viewers import SeatViewer
from headsup.game.views.wire import write_view
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import ANTE, ODDS, PROGRESSIVE, Play, default_actor, opening
from tests.support.web.office import Office, office
from tests.support.web.wires import Memory, memory, settled

BETS = PlaceBets(1, {ANTE: 500, ODDS: 500, PROGRESSIVE: 100})


async def open_linked_table(at: Office) -> None:
    """A second table linked to the meter of the first."""
    meter = at.host.journal.floor.tables["T1"].meter
    asked = CommandRequest(
        "open-the-second", "T2", Staff("house"), OpenTable("galaxy", meter=meter)
    )
    assert isinstance(await at.house.open_table("T1", asked), Acceptance)


async def request_at_first_table(at: Office, *commands: Command) -> None:
    for number, command in enumerate(commands):
        head = at.host.journal.head.count
        asked = CommandRequest(
            f"at-the-first-{head}-{number}", "T1", default_actor(command), command
        )
        assert isinstance(await at.host.submit(asked), Acceptance)


async def watches(wire: Memory, table: str, viewer: str, after: int | None = None) -> None:
    wire.sent.clear()
    wire.say(type="watch", table=table, viewer=viewer, after=after)
    await settled(lambda: bool(wire.sent) and wire.messages[-1]["type"] == "watching")


@pytest.mark.clause("NY (k)(2) display")
@pytest.mark.parametrize("viewer", ["tablevision", "rail"])
async def test_r78_a_meter_changed_by_another_table_is_sent_at_once(
    tmp_path: Path, viewer: str
) -> None:
    async with office(tmp_path) as at:
        await open_linked_table(at)
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            await watches(wire, "T2", viewer)
            before = wire.messages[0]["view"]["meter"]["shows"]
            wire.sent.clear()
            await request_at_first_table(at, OpenRound(), BETS)
            assert wire.messages == [], "what moves no meter is that table's business"
            await request_at_first_table(at, CloseBets())
            await settled(lambda: len(wire.messages) == 1)
            (update,) = wire.messages
            assert update["type"] == "happened"
            assert update["index"] == at.host.journal.head.count - 1
            assert update["view"]["meter"]["shows"] != before
            (event,) = update["events"]
            assert event.pop("say").startswith("The meter shows $")
            assert event == {"event": "MeterMoved", "meter": update["view"]["meter"]}
            shown = write_view(
                view_for(wire.socket._subscriptions["T2"].viewer, at.host.journal.floor, "T2")
            )
            assert {**shown, **update["view"]} == shown


async def test_r78_a_reconnect_to_a_linked_table_shows_the_current_meter(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        await open_linked_table(at)
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            await watches(wire, "T2", "rail")
            index, before = wire.messages[0]["index"], wire.messages[0]["view"]["meter"]["shows"]
            wire.say(type="unwatch", table="T2")
            await request_at_first_table(at, OpenRound(), BETS, CloseBets())
            await watches(wire, "T2", "rail", after=index)
            assert wire.messages[0]["type"] == "shown"
            assert wire.messages[0]["view"]["meter"]["shows"] != before


async def test_a_failed_broadcast_does_not_stop_later_ones(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Bob") as wire:
        await watches(wire, "T1", "rail")

        def fails() -> tuple[()]:
            at.host.time_left_by_table.clear()
            raise RuntimeError("the clock")

        at.host.time_left_by_table["T1"] = fails
        await request_at_first_table(at, Sit(1, "Ann"))
        await request_at_first_table(at, BuyIn(1, 50_000))
        await settled(lambda: wire.index == at.host.journal.head.count - 1)
        assert wire.messages[-1]["view"]["players"] == {"1": "Ann"}


@pytest.mark.parametrize("id", ["T1", "A/1"])
def test_chips_are_right_at_every_table(id: str) -> None:
    """Even at a table whose name does not fit into a URL, as old logs may have."""
    play = Play(id=id)
    play.does(opening("galaxy"), Sit(1, "Ann"), BuyIn(1, 5_000))
    moment = ViewCache(play.floor, id)
    for command in (BuyIn(1, 7_000), OpenRound(), BETS):
        play.does(command)
        moment = ViewCache(play.floor, id, moment)
        update = json.loads(moment.text(SeatViewer(1), with_posted=False))["chips"]
        assert update == write_view(view_for(SeatViewer(1), play.floor, id))["chips"], command
