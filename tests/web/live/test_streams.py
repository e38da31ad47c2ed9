"""Streams: everyone who watches a table holds its parts, and is sent what changed of them."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    PlaceBets,
    Proceed,
    Raise,
    WithdrawBets,
)
from headsup.game.table.commands import Command, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.values.cards import DECK
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.web.live.client import checksum
from headsup.web.live.sockets import MAX_QUEUED_MESSAGES, Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import ANTE, ODDS, PROGRESSIVE, default_actor
from tests.support.web.office import RICH, Office, office
from tests.support.web.wires import Json, Memory, froze, memory, settled

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


async def watches(
    wire: Memory, table: str, viewer: str, after: int | None = None, extras: tuple[str, ...] = ()
) -> Json:
    wire.sent.clear()
    extra: Json = {} if after is None else {"after": after}
    if extras:
        extra["with"] = list(extras)
    wire.say(type="watch", table=table, viewer=viewer, **extra)
    await settled(lambda: bool(wire.sent) and wire.messages[-1]["type"] == "view")
    return wire.messages[-1]


def applied(view: Json, changes: list[Json]) -> dict[str, Any]:
    """The parts after these changes, whose versions and checksums must fit."""
    parts, version = dict(view["parts"]), view["version"]
    assert checksum(parts) == view["sum"]
    for change in changes:
        version += 1
        assert change["version"] == version
        for name, value in change.get("set", {}).items():
            if value is None:
                del parts[name]
            else:
                parts[name] = value
        assert checksum(parts) == change["sum"]
    return parts


@pytest.mark.clause("NY (k)(2) display")
@pytest.mark.parametrize("viewer", ["tablevision", "rail"])
async def test_r78_a_meter_changed_by_another_table_is_sent_at_once(
    tmp_path: Path, viewer: str
) -> None:
    async with office(tmp_path) as at:
        await open_linked_table(at)
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            view = await watches(wire, "T2", viewer)
            wire.sent.clear()
            await request_at_first_table(at, OpenRound(), BETS)
            assert wire.messages == [], "what moves no meter is that table's business"
            await request_at_first_table(at, CloseBets())
            await settled(lambda: len(wire.messages) == 1)
            (change,) = wire.messages
            assert change["type"] == "change"
            assert change["index"] == at.host.journal.head.count - 1
            meter = change["set"]["meter"]
            assert meter["shows"] > view["parts"]["meter"]["shows"]
            (event,) = change["events"]
            assert event["event"] == "MeterMoved"
            assert event["say"].startswith("The meter shows $")
            assert applied(view, [change])["meter"] == meter


async def test_r78_a_reconnect_to_a_linked_table_shows_the_current_meter(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        await open_linked_table(at)
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 50_000))
        async with memory(at, Sockets(Metrics()), "Bob") as wire:
            before = await watches(wire, "T2", "rail")
            wire.say(type="unwatch", table="T2")
            await request_at_first_table(at, OpenRound(), BETS, CloseBets())
            view = await watches(wire, "T2", "rail", after=before["index"])
            assert view["parts"]["meter"]["shows"] != before["parts"]["meter"]["shows"]


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
        views = [message for message in wire.messages if message["type"] == "view"]
        assert views[-1]["parts"]["players"] == {"1": "Ann"}


async def test_the_change_comes_before_the_reply(tmp_path: Path) -> None:
    """Whoever waited for a reply holds the view after it."""
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Ann") as wire:
        await watches(wire, "T1", "rail")
        command = {"command": "Sit", "seat": 1, "player": ""}
        wire.say(type="ask", id="sit-down-1", table="T1", command=command)
        await settled(lambda: len(wire.sent) == 3)
        _, change, reply = wire.messages
        assert (change["type"], reply["type"]) == ("change", "reply")
        assert change["index"] == reply["index"]
        assert change["set"]["players"] == {"1": "Ann"}


async def test_the_reply_says_what_the_wallet_holds(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Ann") as wire:
        await at.does("Ann", Sit(1, "Ann"))
        wire.say(type="ask", id="buy-in-1", table="T1", command=write_command(BuyIn(1, 50_000)))
        await settled(lambda: len(wire.sent) == 2)
        assert wire.messages[-1]["wallet"] == RICH - 50_000
        assert await asyncio.to_thread(at.house.database.wallet, "Ann") == RICH - 50_000


async def test_hidden_decisions_are_sent_to_nobody_else(tmp_path: Path) -> None:
    """Nobody can count who has decided: no frame, no version, no change of length."""
    async with office(tmp_path) as at, AsyncExitStack() as held:
        sockets, wires = Sockets(Metrics()), {}
        for seat in (1, 2, 3):
            await request_at_first_table(at, Sit(seat, f"P{seat}"), BuyIn(seat, 50_000))
        await request_at_first_table(at, OpenRound())
        for seat in (1, 2, 3):
            await request_at_first_table(at, PlaceBets(seat, {ANTE: 500, ODDS: 500}))
        await request_at_first_table(at, CloseBets(), DealCards(DECK))
        readers = {"seat 1": "P1", "seat 2": "P2", "rail": "Bob", "tablevision": "Bob"}
        for viewer, who in {**readers, "dealer": "Dee"}.items():
            wires[viewer] = await held.enter_async_context(memory(at, sockets, who))
            await watches(wires[viewer], "T1", viewer)
            wires[viewer].sent.clear()
        await request_at_first_table(at, Raise(1, 3))
        await settled(lambda: bool(wires["seat 1"].sent) and bool(wires["dealer"].sent))
        assert {viewer for viewer, wire in wires.items() if wire.sent} == {"seat 1", "dealer"}
        (own,) = wires["seat 1"].messages
        assert own["set"]["you"]["decision"]["multiple"] == 3
        assert not [name for name in own["set"] if name.startswith("seat.")]
        (desk,) = wires["dealer"].messages
        assert desk["set"]["desk"]["due"]["seats"] == [2, 3]
        assert "events" not in desk


async def test_a_seats_frames_do_not_tell_their_length(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Ann") as wire:
        await at.does("Ann", Sit(1, "Ann"))
        await watches(wire, "T1", "seat 1")
        await request_at_first_table(at, BuyIn(1, 5_000), OpenRound())
        await settled(lambda: wire.index == at.host.journal.head.count - 1)
        assert len(wire.sent) == 3
        assert {len(text.encode()) % 256 for text in wire.sent} == {0}


async def test_a_client_with_a_gap_asks_again_and_hears_what_it_missed(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Bob") as wire:
        view = await watches(wire, "T1", "rail")
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 5_000))
        again = await watches(wire, "T1", "rail", after=view["index"])
        assert [event["event"] for event in again["missed"]] == ["PlayerSat", "BoughtIn"]
        assert "amount" not in again["missed"][1]
        assert checksum(again["parts"]) == again["sum"]
        assert again["parts"]["players"] == {"1": "Ann"}


async def test_a_newcomer_is_not_told_what_the_seats_last_player_was(tmp_path: Path) -> None:
    """What was missed is said to the viewer that the person was then."""
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Bob") as wire:
            view = await watches(wire, "T1", "rail")
            await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 5_000))
            await request_at_first_table(at, Leave(1), Sit(1, "Bob"))
            again = await watches(wire, "T1", "seat 1", after=view["index"])
            events = {event["event"]: event for event in again["missed"]}
            assert "amount" not in events["BoughtIn"]
            assert "amount" not in events["CashedOut"]
            assert again["viewer"] == "seat 1"


async def test_changes_add_up_to_a_fresh_view(tmp_path: Path) -> None:
    async with office(tmp_path) as at, AsyncExitStack() as held:
        sockets = Sockets(Metrics())
        for seat in (1, 2):
            await request_at_first_table(at, Sit(seat, f"P{seat}"), BuyIn(seat, 50_000))
        readers = {"seat 1": "P1", "seat 2": "P2", "rail": "Bob", "tablevision": "Bob"}
        views, wires = {}, {}
        for viewer, who in {**readers, "dealer": "Dee"}.items():
            wires[viewer] = await held.enter_async_context(memory(at, sockets, who))
            views[viewer] = await watches(wires[viewer], "T1", viewer)
            wires[viewer].sent.clear()
        bets = {ANTE: 500, ODDS: 500, PROGRESSIVE: 100}
        await request_at_first_table(at, OpenRound(), PlaceBets(1, bets), PlaceBets(2, bets))
        await request_at_first_table(at, WithdrawBets(2), PlaceBets(2, bets), CloseBets())
        await request_at_first_table(at, DealCards(DECK), Raise(1, 3), Check(2), Proceed())
        await request_at_first_table(at, Check(2), Proceed(), Raise(2, 1))
        await request_at_first_table(at, *[Proceed()] * 5)
        for viewer, wire in wires.items():
            wire.say(type="ping")
            await settled(lambda wire=wire: '"pong"' in wire.sent[-1])  # type: ignore[misc]
            parts = applied(views[viewer], wire.messages[:-1])
            fresh = await watches(wire, "T1", viewer)
            assert parts == fresh["parts"], viewer
        assert at.host.journal.floor.tables["T1"].is_playing is False


async def test_a_slow_reader_gets_one_view_when_it_reads_again(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Bob") as wire:
        view = await watches(wire, "T1", "rail")
        wire.sent.clear()
        wire.block()
        await froze(at.house, 2 * MAX_QUEUED_MESSAGES)
        wire.unblock()
        await settled(lambda: wire.index == at.host.journal.head.count - 1)
        assert len(wire.sent) < MAX_QUEUED_MESSAGES
        last = wire.messages[-1]
        assert last["type"] == "view"
        first = [one for one in wire.messages if one["type"] == "change"]
        assert len(first) + len(last["missed"]) == 2 * MAX_QUEUED_MESSAGES
        assert checksum(last["parts"]) == last["sum"]
        assert last["version"] > view["version"]
        assert wire.metrics.resyncs._value.get() == 1
        await froze(at.house, 1)
        await settled(lambda: wire.messages[-1]["type"] == "change")
        applied(last, [wire.messages[-1]])


async def test_what_irregularities_would_do_is_sent_while_it_is_wanted(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Dee") as wire:
        await request_at_first_table(at, Sit(1, "Ann"), BuyIn(1, 5_000), OpenRound())
        view = await watches(wire, "T1", "dealer")
        assert "irregularities" not in view["parts"]
        view = await watches(wire, "T1", "dealer", extras=("irregularities",))
        assert isinstance(view["parts"]["irregularities"], list)
        async with memory(at, Sockets(Metrics()), "Bob") as other:
            view = await watches(other, "T1", "rail", extras=("irregularities",))
            assert "irregularities" not in view["parts"]
