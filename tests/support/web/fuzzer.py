"""Frames that no honest page sends, made from a seed."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from headsup.game.record.message_codec import write_command
from headsup.tools.protocol_reference import message_examples
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.protocol import MAX_MESSAGE_BYTES

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
