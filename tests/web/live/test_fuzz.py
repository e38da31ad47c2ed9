"""A17: frames that no client of ours would send. Nothing crashes, nothing changes, and other
clients do not notice."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from headsup.game.table.commands import Staff
from headsup.house.floor.request import CommandRequest
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from headsup.web.server.security import MESSAGE_BURST, SESSION_COOKIE
from tests.support.tables import opening
from tests.support.web.fuzzer import Fuzzer
from tests.support.web.live_server import live
from tests.support.web.office import Office, office
from tests.support.web.wires import guest, memory, raw, settled, unwelcome

CODES = {
    "bad_message",
    "bad_command",
    "not_allowed",
    "no_such_table",
    "unknown_viewer",
    "id_used",
}


async def fuzzed(at: Office, frames: int, seed: str) -> int:
    """Send this many frames as somebody without rights, and count the answers."""
    before, answers = at.host.journal, 0
    sockets, fuzzer = Sockets(Metrics()), Fuzzer(seed)
    async with memory(at, sockets, "Ann") as other:
        for start in range(0, frames, 2_000):
            who = "Art" if start // 2_000 % 2 else "Bob"
            async with memory(at, sockets, who) as wire:
                answers += await _talk(wire, fuzzer, min(2_000, frames - start))
        other.sent.clear()
        other.say(type="ping")
        await settled(lambda: len(other.sent) == 1)
        assert [one["type"] for one in other.messages] == ["pong"]
    assert at.host.journal is before
    assert at.house.database.head("T1") == before.head
    return answers


async def _talk(wire: Any, fuzzer: Fuzzer, frames: int) -> int:
    for number in range(frames):
        wire.frame(fuzzer.frame())
        if number % 50 == 0:
            await asyncio.sleep(0)
            await settled(lambda: not wire.socket._tasks and not wire.socket._unsent)
    await settled(lambda: not wire.socket._tasks and not wire.socket._unsent)
    replies = wire.messages
    kinds = {"welcome", "refusal", "pong", "view", "change", "reply"}
    assert {one["type"] for one in replies} <= kinds
    codes = {one["code"] for one in replies if one["type"] == "refusal"}
    assert codes <= CODES | {"not_your_view"}, codes
    return len(replies)


async def test_a17_two_thousand_frames_change_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert await fuzzed(at, 2_000, "fast") > 1_900


@pytest.mark.slow
async def test_a17_a_hundred_thousand_frames_change_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert await fuzzed(at, 100_000, "slow") > 95_000


async def test_a17_two_thousand_frames_over_a_real_socket(tmp_path: Path) -> None:
    """Some contain invalid UTF-8. When one socket has used up its rate, the next goes on."""
    fuzzer = Fuzzer("real")
    async with live(tmp_path) as server, AsyncExitStack() as held:
        asked = CommandRequest("opening", "T1", Staff("house"), opening("galaxy"))
        await server.house.open_table("T1", asked)
        host = server.house.host_of("T1")
        assert host is not None
        before = host.journal
        http = await held.enter_async_context(guest(server))
        other = await held.enter_async_context(
            raw(server, await held.enter_async_context(guest(server)))
        )
        token = http.cookies[SESSION_COOKIE]
        person = server.accounts.person_for_token(token)
        assert person is not None
        for _ in range(2_000 // MESSAGE_BURST):
            # Not over HTTP, where tickets are limited.
            ticket = await asyncio.to_thread(server.accounts.ticket, person, "table", token)
            async with unwelcome(server) as socket:
                await socket.say(type="hello", protocol=2, ticket=ticket)
                await socket.hear("welcome")
                for _ in range(MESSAGE_BURST):
                    await socket.wire.send(_bytes(fuzzer))
                await socket.wire.close()
        await other.say(type="ping")
        assert (await other.hear())["type"] == "pong"
        assert host.journal is before


def _bytes(fuzzer: Fuzzer) -> str | bytes:
    text = fuzzer.frame()
    return b"\x00\xff\xfe" if text is None else text.encode("utf-8", "replace").decode()
