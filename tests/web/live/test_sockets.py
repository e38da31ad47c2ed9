"""Sockets and everything a client may do: reconnect, connect twice, be slow, send nonsense."""

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from headsup.game.record.message_codec import write_command
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.opening import SetBonusCell
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.house.floor.host import CommandRequest
from headsup.house.floor.replay_buffer import REPLAY_BUFFER_ENTRIES, last_index
from headsup.web.live import remote_logout
from headsup.web.live import sockets as live_sockets
from headsup.web.live.protocol import MAX_MESSAGE_BYTES, CloseReason
from headsup.web.live.sockets import MAX_SOCKETS_PER_PERSON, Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import TRIPS_6, opening
from tests.support.web.live_server import live
from tests.support.web.office import PASSWORD, TABLE, office
from tests.support.web.wires import Memory, froze, guest, memory, opened, raw, settled, unwelcome

BAD_FRAMES = (
    "",
    "{",
    "null",
    "[]",
    "7",
    '"hello"',
    "{}",
    '{"type": null}',
    '{"type": "nothing"}',
    '{"type": "ping", "more": 1}',
    '{"type": "watch"}',
    '{"type": "watch", "table": 1, "viewer": "rail"}',
    '{"type": "watch", "table": "T1", "viewer": "rail", "after": -1}',
    '{"type": "watch", "table": "T1", "viewer": "rail", "after": 1.5}',
    '{"type": "watch", "table": "T1", "viewer": "rail", "after": NaN}',
    '{"type": "watch", "table": "T1", "viewer": "rail", "after": "1"}',
    '{"type": "watch", "table": "T1", "viewer": "rail", "after": true}',
    '{"type": "ask", "id": "short", "table": "T1", "command": {}}',
    '{"type": "ask", "id": "long-enough", "table": "T1", "command": []}',
    '{"type": "ask", "id": "' + "x" * 65 + '", "table": "T1", "command": {}}',
    "[" * 2_000,
    '{"type":' * 500,
    '{"type": "ping"' + " " * 100 + "\u0000}",
    '{"type": "\\ud800"}',
    "9" * 4_000,
    "-Infinity",
)


# Reconnecting.


async def test_a_client_that_reconnects_hears_exactly_what_it_missed(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        await opened(server)
        async with raw(server, http) as stayed:
            await stayed.say(type="watch", table="T1", viewer="rail")
            view = await stayed.hear("view")
            async with raw(server, http) as left:
                await left.say(type="watch", table="T1", viewer="rail", after=view["index"])
                assert "missed" not in await left.hear("view")
                await froze(server.house, 3)
                last = [await left.hear("change") for _ in range(3)][-1]["index"]
            await froze(server.house, 5)
            async with raw(server, http) as back:
                await back.say(type="watch", table="T1", viewer="rail", after=last)
                again = await back.hear("view")
                assert again["index"] == last + 5
                told = [await stayed.hear("change") for _ in range(8)]
                assert again["missed"] == [event for one in told[3:] for event in one["events"]]
                assert [one["version"] for one in told] == list(range(1, 9))
                await froze(server.house, 1)
                change = await back.hear("change")
                assert change["index"] == last + 6
                assert change["version"] == again["version"] + 1


async def test_a_client_too_far_behind_or_ahead_gets_a_view_alone(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Ann") as first:
            start = (await watches(first))["index"]
            host = at.house.host_of("T1")
            assert host is not None
            sockets.replay_buffer(host)
            await froze(at.house, REPLAY_BUFFER_ENTRIES)
            view = await watches(first, after=start)
            assert len(view["missed"]) == REPLAY_BUFFER_ENTRIES
            await froze(at.house, 1)
            last = last_index(host)
            for after in (start, 0, last + 1, 2**53):
                view = await watches(first, after=after)
                assert view["index"] == last
                assert "missed" not in view
            assert "missed" not in await watches(first, after=last)


async def watches(wire: Memory, after: int | None = None, viewer: str = "rail") -> dict[str, Any]:
    wire.sent.clear()
    more = {} if after is None else {"after": after}
    wire.say(type="watch", table="T1", viewer=viewer, **more)
    await settled(lambda: bool(wire.sent) and wire.messages[-1]["type"] == "view")
    return wire.messages[-1]


async def test_posted_rules_are_sent_again_when_they_change(tmp_path: Path) -> None:
    washington = opening("washington", **TRIPS_6)
    async with office(tmp_path, washington) as at, memory(at, Sockets(Metrics()), "Ann") as wire:
        assert "posted" in (await watches(wire))["parts"]
        await at.does("Ann", Sit(1, "Ann"))
        cell = SetBonusCell("trips_plus", "flush", "6", "posted from today", ("", ""))
        await at.does("Ada", cell, ("Sue", PASSWORD))
        await settled(lambda: len(wire.sent) == 3)
        assert ["posted" in one["set"] for one in wire.messages[1:]] == [False, True]


# One socket per seat, three per person.


async def test_a_second_socket_for_a_seat_replaces_the_first(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        await opened(server)
        me = (await http.get("/api/me")).json()["name"]
        host = server.house.host_of("T1")
        assert host is not None
        await host.submit(CommandRequest("sit-down-1", "T1", PlayerAt(3), Sit(3, me)))
        async with raw(server, http) as first, raw(server, http) as second:
            await first.say(type="watch", table="T1", viewer="seat 3")
            await first.hear("view")
            await second.say(type="watch", table="T1", viewer="seat 3")
            assert await first.hear("closing") == {"type": "closing", "code": "replaced"}
            assert await first.closed() == 1000
            await second.hear("view")
            await froze(server.house, 1)
            assert "meter" in (await second.hear("change"))["set"]


async def test_only_its_player_watches_from_a_seat(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        await at.does("Ann", Sit(1, "Ann"))
        async with memory(at, sockets, "Ann") as ann, memory(at, sockets, "Bob") as bob:
            await watches(ann, viewer="seat 1")
            for viewer in ("seat 1", "seat 2", "dealer", "seat 99", "house", ""):
                bob.say(type="watch", table="T1", viewer=viewer)
            await settled(lambda: len(bob.sent) == 7)
            codes = [one["code"] for one in bob.messages[1:]]
            assert codes == [*["not_your_view"] * 4, "unknown_viewer", "bad_message"]
            bob.say(type="watch", table="T9", viewer="rail")
            await settled(lambda: len(bob.sent) == 8)
            assert bob.messages[-1]["code"] == "no_such_table"
            assert len(ann.sent) == 1


async def test_staff_may_watch_as_the_dealer(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for name in ("Dee", "Sue", "Ada", "Art"):
            async with memory(at, Sockets(Metrics()), name) as wire:
                view = await watches(wire, viewer="dealer")
                can = view["parts"]["desk"]["due"].get("can", False)
                assert view["parts"]["desk"]["attend"] == (
                    ["pause", "take_over"] if name in ("Dee", "Sue") else []
                )
                assert not can  # nobody is seated


async def test_a_fourth_socket_of_a_person_closes_the_oldest(tmp_path: Path) -> None:
    assert MAX_SOCKETS_PER_PERSON == 3
    async with live(tmp_path) as server, guest(server) as http, AsyncExitStack() as held:
        first, second, *_ = [await held.enter_async_context(raw(server, http)) for _ in range(4)]
        assert await first.hear("closing") == {"type": "closing", "code": "replaced"}
        assert await first.closed() == 1000
        await second.say(type="ping")
        assert (await second.hear())["type"] == "pong"


async def test_a15_logging_out_closes_every_socket_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without waiting for the periodic check."""
    monkeypatch.setattr(remote_logout, "LOGIN_CHECK_SECONDS", 3600.0)
    async with live(tmp_path) as server, AsyncExitStack() as held:
        http, other = [await held.enter_async_context(guest(server)) for _ in range(2)]
        one, two, three = [
            await held.enter_async_context(raw(server, who)) for who in (http, http, other)
        ]
        assert (await http.post("/api/logout")).status_code == 204
        for socket in (one, two):
            assert await socket.hear("closing") == {"type": "closing", "code": "logged_out"}
            assert await socket.closed() == 1000
        assert (await http.post("/api/ticket")).status_code == 401
        await three.say(type="ping")
        assert (await three.hear())["type"] == "pong"


async def test_commands_waiting_when_their_sender_is_locked_are_not_carried_out(
    tmp_path: Path,
) -> None:
    asked: list[Command] = [Sit(1, "Ann"), *[BuyIn(1, 10_000)] * 8]
    async with office(tmp_path) as at:
        async with memory(at, Sockets(Metrics()), "Ann") as wire:
            for number, command in enumerate(asked):
                said = {"table": TABLE, "command": write_command(command)}
                wire.frame(json.dumps({"type": "ask", "id": f"command-{number}", **said}))
            await settled(lambda: 1 in at.host.journal.floor.tables[TABLE].players)
            wire.socket.close(CloseReason.LOGGED_OUT)
            await settled(lambda: not wire.socket._tasks)
        # At most the one that was already running.
        assert at.host.journal.floor.chips(TABLE, 1) <= 10_000


async def test_a17_a_reader_that_takes_nothing_is_dropped_without_affecting_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_sockets, "READ_SECONDS", 0.05)
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Ann") as slow, memory(at, sockets, "Bob") as quick:
            for wire in (slow, quick):
                await watches(wire)
            slow.block()
            await froze(at.house, 5)
            await settled(lambda: slow.metrics.dropped.labels("too_slow")._value.get() == 1)
            await settled(lambda: len(quick.sent) == 1 + 5)
            assert len(slow.sent) == 1


# Connecting.


async def test_a15_no_foreign_page_opens_a_socket(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        host = server.address.removeprefix("http://")
        port = host.rpartition(":")[2]
        foreign = [
            "null",
            "https://evil.example",
            f"http://evil.example:{port}",
            "http://127.0.0.1",
            f"http://127.0.0.1:{port}.evil.example",
            f"http://evil@{host}",
            f"http://localhost:{port}",
            "file://",
            "http://",
            "",
            *(f"https://page-{i}.example" for i in range(40)),
        ]
        for origin in foreign:
            with pytest.raises(InvalidStatus):
                async with unwelcome(server, additional_headers={"Origin": origin}):
                    pass
        async with raw(server, http, additional_headers={"Origin": server.address}) as socket:
            await socket.say(type="ping")
            assert (await socket.hear())["type"] == "pong"


async def test_a16_a_ticket_works_once_and_only_a_real_one(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        ticket = (await http.post("/api/ticket")).json()["ticket"]
        async with unwelcome(server) as socket:
            await socket.say(type="hello", protocol=2, ticket=ticket)
            await socket.hear("welcome")
        cookie = http.cookies["headsup"]
        for said in (
            json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}),
            json.dumps({"type": "hello", "protocol": 2, "ticket": ticket[:-1] + "x"}),
            json.dumps({"type": "hello", "protocol": 2, "ticket": cookie}),
            json.dumps({"type": "hello", "protocol": 2, "ticket": ""}),
            json.dumps({"type": "ping"}),
            "nothing",
            b"\x00\x01",
        ):
            async with unwelcome(server) as socket:
                await socket.wire.send(said)
                assert await socket.hear() == {"type": "closing", "code": "bad_ticket"}
                assert await socket.closed() == 1008


async def test_a16_a_ticket_for_a_seat_opens_a_socket_for_that_seat_only(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        await opened(server)
        name = (await http.get("/api/me")).json()["name"]
        bad = await http.post("/api/ticket", json={"table": "T1", "viewer": "seat 99"})
        assert bad.status_code == 400
        asked = await http.post("/api/ticket", json={"table": "T1", "viewer": "seat 2"})
        async with unwelcome(server) as socket:
            await socket.say(type="hello", protocol=2, ticket=asked.json()["ticket"])
            await socket.hear("welcome")

            async def why(**message: Any) -> str:
                await socket.say(**message)
                return str((await socket.hear()).get("say", ""))

            place = "this connection is only for seat 2 at table T1"
            sit = {"command": "Sit", "seat": 1, "player": name}
            assert await why(type="ask", id="another-seat", table="T1", command=sit) == place
            assert await why(type="ask", id="another-table", table="T2", command=sit) == place
            assert (
                await why(type="ask", id="some-cards", table="T1", due="1 enter_cards 0", line="As")
                == place
            )
            assert await why(type="watch", table="T1", viewer="rail") == place
            own = {**sit, "seat": 2}
            assert await why(type="ask", id="own-seat", table="T1", command=own) == ""
            await socket.say(type="watch", table="T1", viewer="seat 2")
            assert (await socket.hear("view"))["viewer"] == "seat 2"


async def test_a15_nothing_is_compressed(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        offer = {"Sec-WebSocket-Extensions": "permessage-deflate"}
        async with unwelcome(server, additional_headers=offer) as socket:
            assert socket.wire.response is not None
            assert "Sec-WebSocket-Extensions" not in socket.wire.response.headers


# Sending nonsense.


async def test_a17_nonsense_is_declined_and_the_socket_lives_on(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        before = at.host.journal
        async with memory(at, Sockets(Metrics()), "Ann") as wire:
            for frame in (*BAD_FRAMES, None):
                wire.sent.clear()
                wire.frame(frame)
                await settled(lambda: bool(wire.sent))
                (answer,) = wire.messages
                assert (answer["type"], answer["code"]) == ("refusal", "bad_message"), frame
                assert answer["id"] is None
            wire.say(type="ping")
            await settled(lambda: wire.messages[-1]["type"] == "pong")
        assert at.host.journal is before


async def test_a17_frames_over_a_real_socket(tmp_path: Path) -> None:
    async with live(tmp_path) as server, guest(server) as http:
        await opened(server)
        async with raw(server, http) as socket:
            await socket.wire.send(b"\x00\xff")
            assert (await socket.hear())["say"] == "messages are text"
            await socket.say(type="hello", protocol=2, ticket="x")
            assert (await socket.hear())["say"] == "this socket is already open"
            await socket.wire.send("ä" * (MAX_MESSAGE_BYTES // 2 + 1))
            assert await socket.closed() in (1000, 1009)
        async with raw(server, http) as socket:
            await socket.wire.send("x" * (MAX_MESSAGE_BYTES + 1))
            assert (await socket.hear()) == {"type": "closing", "code": "too_large"}
            assert await socket.closed() == 1000
        async with raw(server, http) as socket:
            await socket.wire.send("x" * 100_000)
            assert await socket.closed() == 1009
        async with raw(server, http) as socket:
            await socket.wire.send(b'{"type": "\xff\xfe"}', text=True)
            assert await socket.closed() == 1007


async def test_a17_a_flood_is_cut_off(tmp_path: Path) -> None:
    async with (
        live(tmp_path) as server,
        guest(server) as http,
        raw(server, http) as socket,
    ):
        for _ in range(40):
            await socket.say(type="ping")
        heard = await socket.until("closing")
        assert heard[-1]["code"] == "too_many"
        assert len(heard) <= 22
        assert await socket.closed() == 1000


async def test_commands_of_one_socket_are_handled_in_order(tmp_path: Path) -> None:
    async with office(tmp_path) as at, memory(at, Sockets(Metrics()), "Ann") as wire:
        for id, command in (
            ("first-one", {"command": "Sit", "seat": 1, "player": "Ann"}),
            ("second-one", {"command": "BuyIn", "seat": 1, "amount": 1000}),
            ("third-one", {"command": "Leave", "seat": 1}),
        ):
            wire.say(type="ask", id=id, table="T1", command=command)
        await settled(lambda: len(wire.sent) == 4)
        assert [one["type"] for one in wire.messages[1:]] == ["reply"] * 3
        assert [one["id"] for one in wire.messages[1:]] == [
            "first-one",
            "second-one",
            "third-one",
        ]


async def test_a_player_who_stands_up_watches_from_the_rail(tmp_path: Path) -> None:
    """They must not see the cards of the next player in the seat."""
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        await at.does("Ann", Sit(1, "Ann"))
        await at.does("Ann", BuyIn(1, 5_000))
        async with memory(at, sockets, "Ann") as ann:
            view = await watches(ann, viewer="seat 1")
            assert view["parts"]["you"]["chips"] == 5_000
            await at.does("Dee", OpenRound())
            host = at.host
            await host.submit(CommandRequest("stands-up", "T1", Staff("Dee"), Leave(1)))
            await host.submit(CommandRequest("sits-down", "T1", PlayerAt(1), Sit(1, "Bob")))
            await host.submit(CommandRequest("buys-in-1", "T1", PlayerAt(1), BuyIn(1, 7_000)))
            await settled(lambda: ann.index == at.host.journal.head.count - 1)
            _, opening, left, sat, bought = ann.messages
            assert (opening["type"], left["type"], sat["type"]) == ("change", "view", "change")
            assert left["viewer"] == "rail"
            assert [event["event"] for event in left["missed"]] == ["CashedOut", "PlayerLeft"]
            assert not {"you", "may"} & left["parts"].keys()
            assert sat["set"].keys() == {"players", "form.Sit"}
            assert "amount" not in bought["events"][0]
