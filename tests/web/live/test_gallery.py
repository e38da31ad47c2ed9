"""Those who look at a table together: told of it, and of the meter that other tables move."""

import json
from pathlib import Path

import pytest

from headsup.game.round.commands import CloseBets, PlaceBets
from headsup.game.table.commands import BuyIn, Command, OpenRound, OpenTable, Sit, Staff
from headsup.game.views.builder import view_for
from headsup.game.views.view_cache import ViewCache
from headsup.game.views.viewers import SeatViewer
from headsup.game.views.wire import write_view
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.tables import ANTE, ODDS, PROGRESSIVE, Play, opening, usual
from tests.web.office import Office, office
from tests.web.wires import Memory, memory, settled

BETS = PlaceBets(1, {ANTE: 500, ODDS: 500, PROGRESSIVE: 100})


async def linked(at: Office) -> None:
    """A second table that plays for the meter of the first."""
    meter = at.host.journal.floor.tables["T1"].meter
    asked = CommandRequest(
        "open-the-second", "T2", Staff("house"), OpenTable("galaxy", meter=meter)
    )
    assert isinstance(await at.house.open_table("T1", asked), Acceptance)


async def at_the_first(at: Office, *commands: Command) -> None:
    for number, command in enumerate(commands):
        head = at.host.journal.head.count
        asked = CommandRequest(f"at-the-first-{head}-{number}", "T1", usual(command), command)
        assert isinstance(await at.host.ask(asked), Acceptance)


async def watches(wire: Memory, table: str, viewer: str, after: int | None = None) -> None:
    wire.sent.clear()
    wire.say(type="watch", table=table, viewer=viewer, after=after)
    await settled(lambda: bool(wire.sent) and wire.messages[-1]["type"] == "watching")


@pytest.mark.clause("NY (k)(2) display")
@pytest.mark.parametrize("viewer", ["tablevision", "rail"])
async def test_r78_a_meter_that_another_table_moves_is_told_at_once(
    tmp_path: Path, viewer: str
) -> None:
    async with office(tmp_path) as at:
        await linked(at)
        await at_the_first(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            await watches(wire, "T2", viewer)
            before = wire.messages[0]["view"]["meter"]["shows"]
            wire.sent.clear()
            await at_the_first(at, OpenRound(), BETS)
            assert wire.messages == [], "what moves no meter is that table's business"
            await at_the_first(at, CloseBets())
            await settled(lambda: len(wire.messages) == 1)
            (told,) = wire.messages
            assert told["type"] == "happened"
            assert told["index"] == at.host.journal.head.count - 1
            assert told["view"]["meter"]["shows"] != before
            (event,) = told["events"]
            assert event == {"event": "MeterMoved", "meter": told["view"]["meter"]}
            shown = write_view(
                view_for(wire.socket._places["T2"].viewer, at.host.journal.floor, "T2")
            )
            assert {**shown, **told["view"]} == shown


async def test_r78_who_comes_back_to_a_linked_table_sees_the_meter_as_it_is(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        await linked(at)
        await at_the_first(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            await watches(wire, "T2", "rail")
            index, before = wire.messages[0]["index"], wire.messages[0]["view"]["meter"]["shows"]
            wire.say(type="unwatch", table="T2")
            await at_the_first(at, OpenRound(), BETS, CloseBets())
            await watches(wire, "T2", "rail", after=index)
            assert wire.messages[0]["type"] == "shown"
            assert wire.messages[0]["view"]["meter"]["shows"] != before


async def test_what_could_not_be_told_once_is_no_reason_to_tell_nothing_more(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Bob") as wire:
        await watches(wire, "T1", "rail")

        def fails() -> tuple[()]:
            at.host.clocks.clear()
            raise RuntimeError("the clock")

        at.host.clocks["T1"] = fails
        await at_the_first(at, Sit(1, "Ann"))
        await at_the_first(at, BuyIn(1, 50_000))
        await settled(lambda: wire.index == at.host.journal.head.count - 1)
        assert wire.messages[-1]["view"]["players"] == {"1": "Ann"}


@pytest.mark.parametrize("id", ["T1", "A/1"])
def test_chips_are_told_as_they_are_at_every_table(id: str) -> None:
    """Also at one with a name that no address reaches: there may be such from before."""
    play = Play(id=id)
    play.does(opening("galaxy"), Sit(1, "Ann"), BuyIn(1, 5_000))
    moment = ViewCache(play.floor, id)
    for command in (BuyIn(1, 7_000), OpenRound(), BETS):
        play.does(command)
        moment = ViewCache(play.floor, id, moment)
        told = json.loads(moment.text(SeatViewer(1), with_posted=False))["chips"]
        assert told == write_view(view_for(SeatViewer(1), play.floor, id))["chips"], command
