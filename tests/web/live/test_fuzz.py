"""A17: frames that no client of ours would send. Nothing crashes, nothing changes, and other
clients do not notice."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.commands import Staff
from headsup.house.floor.request import CommandRequest
from headsup.tools.protocol_reference import message_examples
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.protocol import MAX_MESSAGE_BYTES
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from headsup.web.server.security import MESSAGE_BURST, SESSION_COOKIE
from tests.support.tables import opening
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
# Without approvals: password checks are slow and have their own tests.
WORDS = ("T1", "rail", "seat 1", "seat 99", "dealer", "", "\0", "x" * 70, "é", "\u202e", "NaN")
VALUES: tuple[Any, ...] = (
    *WORDS,
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    2**31,
    2**53 + 1,
    2**63,
    10**40,
    [],
    {},
    [[]],
    [None] * 20,
    {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}},
    {"": ""},
    {"command": "Sit"},
)


def messages() -> list[dict[str, Any]]:
    """All client messages and commands, as the starting point for damage."""
    commands = [
        json.loads(one.model_dump_json(exclude_none=True))
        for one in message_examples()
        if type(one).__name__ not in ("OpenMessage",)
    ]
    asks = [
        {"type": "ask", "id": f"command-{i}", "table": "T1", "command": write_command(command)}
        for i, command in enumerate(EXAMPLES)
    ]
    return commands + asks


class Fuzzer:
    """Makes frames from a seed: text, or None for a binary one."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.messages = messages()
        self.ways: tuple[Callable[[], str | None], ...] = (
            self.changed,
            self.changed,
            self.changed,
            self.damaged,
            self.damaged,
            self.noise,
            self.nested,
            self.plain,
            lambda: None,
        )

    def frame(self) -> str | None:
        text = self.random.choice(self.ways)()
        return None if text is None else text[: MAX_MESSAGE_BYTES // 4]

    def plain(self) -> str:
        return json.dumps(self.random.choice(self.messages))

    def changed(self) -> str:
        """Replace one value somewhere in a message."""
        message = json.loads(self.plain())
        for _ in range(self.random.randint(1, 3)):
            self.change(message)
        return json.dumps(message)

    def change(self, message: dict[str, Any]) -> None:
        place: Any = message
        while place and self.random.random() < 0.6:
            inner = [held for held in place.values() if isinstance(held, dict) and held]
            if not inner:
                break
            place = self.random.choice(inner)
        key = self.random.choice([*place, "more", "\0"])
        if self.random.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = deepcopy(self.random.choice(VALUES))

    def damaged(self) -> str:
        """Lose, double or replace characters."""
        text = list(self.plain())
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randrange(len(text))
            text[at] = self.random.choice(["", text[at] * 2, '"', "\\", "{", "}", "\ud800", "9"])
        return "".join(text)

    def noise(self) -> str:
        length = self.random.randint(0, 60)
        return "".join(
            chr(self.random.choice((34, 58, 123, 125, 0x1F600, 65, 48))) for _ in range(length)
        )

    def nested(self) -> str:
        depth = self.random.randint(1, 500)
        return self.random.choice(["[", '{"type":', '{"type":"ask","command":{"a":']) * depth


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
        assert other.messages == [{"type": "pong"}]
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
    assert {one["type"] for one in replies} <= {"welcome", "declined", "pong", "shown", "watching"}
    codes = {one["code"] for one in replies if one["type"] == "declined"}
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
                await socket.say(type="hello", ticket=ticket)
                await socket.hear("welcome")
                for _ in range(MESSAGE_BURST):
                    await socket.wire.send(_bytes(fuzzer))
                await socket.wire.close()
        await other.say(type="ping")
        assert await other.hear() == {"type": "pong"}
        assert host.journal is before


def _bytes(fuzzer: Fuzzer) -> str | bytes:
    text = fuzzer.frame()
    return b"\x00\xff\xfe" if text is None else text.encode("utf-8", "replace").decode()
