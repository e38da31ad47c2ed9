"""Prints docs/protocol-reference.md: `python -m headsup.tools.protocol_reference`."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any, get_args

from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Raise
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.decide import act
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import Floor
from headsup.game.views.announcements import announcement_for, write_announcement
from headsup.game.views.parts import Parts, TableMoment, make_part, sum_of
from headsup.game.views.viewers import SeatViewer
from headsup.game.views.wording import words_for
from headsup.game.words.english import ENGLISH
from headsup.house.dealing.pace import Timings
from headsup.house.floor.replay_buffer import REPLAY_BUFFER_ENTRIES
from headsup.house.people.accounts import TICKET_SECONDS
from headsup.house.people.capabilities import Standing, seat_commands, seat_forms
from headsup.house.people.permissions import permission
from headsup.house.people.person import Role
from headsup.web.live.examples import OPENING, example_of
from headsup.web.live.protocol import (
    MAX_MESSAGE_BYTES,
    PROTOCOL,
    Approval,
    AskMessage,
    ChangeMessage,
    ClientMessage,
    CloseReason,
    ClosingMessage,
    ExpectingMessage,
    HelloMessage,
    LightsMessage,
    Message,
    MovedMessage,
    OpenMessage,
    PaceSeconds,
    PingMessage,
    PongMessage,
    RefusalMessage,
    ReplyMessage,
    ServerMessage,
    ServerText,
    UnwatchMessage,
    ViewMessage,
    WatchMessage,
    WelcomeMessage,
)
from headsup.web.live.schemas import Schema, command_kinds, command_schema, docstring_of
from headsup.web.live.sockets import MAX_SOCKETS_PER_PERSON
from headsup.web.server.security import MESSAGE_BURST, MESSAGES_PER_SECOND

_INTRODUCTION = f"""\
# Protocol reference, version {PROTOCOL}

*For developers who write a client: every message and command, with an example. Written by
`make protocol` from `src/headsup/web/live/protocol.py` and the game's classes.
[protocol.md](protocol.md) explains how to use them.*

| Limit | |
|---|---|
| size of a message | {MAX_MESSAGE_BYTES} bytes |
| messages on a socket | {MESSAGE_BURST} at once, then {MESSAGES_PER_SECOND * 60:.0f} a minute |
| sockets | {MAX_SOCKETS_PER_PERSON} per person, one per seat; a new one replaces the oldest |
| a ticket | works once, for {TICKET_SECONDS} seconds |
| missed entries sent after a reconnect | up to {REPLAY_BUFFER_ENTRIES}; with their sentences |
"""


def reference_page() -> str:
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    yield "## From a client\n"
    for kind in get_args(ClientMessage):
        yield from _message(kind)
    yield "## From a server\n"
    for kind in get_args(ServerMessage):
        yield from _message(kind)
    codes = ", ".join(f"`{why.value}`" for why in CloseReason)
    yield f"A server closes a socket because it was or is: {codes}.\n"
    yield "## Commands\n"
    yield "Amounts are in cents; a meter's are in millionths of a dollar. Every field is required."
    yield "Players act for their own seat. + marks commands that need a second person.\n"
    for kind in command_kinds():
        yield from _command(kind)


# Messages.


def _message(kind: type[Message]) -> Iterator[str]:
    yield f"### {_message_type(kind)}\n"
    if kind.__doc__:
        yield " ".join(kind.__doc__.split()) + "\n"
    yield from _json(json.loads(_text_of(example(kind))))


def _text_of(message: Message) -> str:
    """The message as it is sent."""
    if isinstance(message, ServerText | RefusalMessage | ClosingMessage):
        return message.text()
    return message.model_dump_json(exclude_defaults=True, by_alias=True)


def _message_type(kind: type[Message]) -> str:
    values = get_args(kind.model_fields["type"].annotation)
    return str(values[0])


def example(kind: type[Message]) -> Message:
    return next(message for message in message_examples() if type(message) is kind)


@cache
def message_examples() -> tuple[Message, ...]:
    """One message of each type, with views from a real table."""
    id = "0190c2c4-6d51-7c2a-9a55-2f4f3a9b7c11"
    parts, changed, events = _example_view()
    approval = Approval(name="Sue", password="…")
    opening = write_command(OPENING)
    shortened = {"posted": {"…": "…"}, "wagers": parts["wagers"].value[:1]}
    shown = {name: shortened.get(name, part.value) for name, part in parts.items()}
    return (
        HelloMessage(type="hello", protocol=PROTOCOL, ticket="7rX0…", language="de"),
        WatchMessage.model_validate(
            {"type": "watch", "table": "T1", "viewer": "seat 3", "after": 41}
        ),
        UnwatchMessage(type="unwatch", table="T1"),
        AskMessage(type="ask", id=id, table="T1", command=write_command(Raise(3, 2))),
        OpenMessage(
            type="open",
            id=id,
            floor="main-floor",
            table="T1",
            command=opening,
            pace=PaceSeconds(**asdict(Timings(betting=45.0))),
            approval=approval,
        ),
        PingMessage(type="ping"),
        WelcomeMessage(
            type="welcome", protocol=PROTOCOL, name="Ann", language="en", may=["BuyIn", "Sit", "…"]
        ),
        ViewMessage(
            type="view",
            table="T1",
            viewer="seat 3",
            version=1,
            index=41,
            at=1_769_860_800_000,
            parts=shown,
            sum=sum_of(parts.values()),
        ),
        ChangeMessage(
            type="change",
            table="T1",
            version=2,
            index=42,
            at=1_769_860_800_412,
            events=events,
            set=changed,
            sum=2_463_534_242,
        ),
        ReplyMessage(type="reply", id=id, index=42, wallet=95_000),
        RefusalMessage(id=id, code="not_your_turn", say="seat 2 acts before seat 3"),
        ExpectingMessage(
            type="expecting", table="T1", round=12, place="seat 6", count=2, face="up"
        ),
        LightsMessage(type="lights", table="T1", lights={"progressive": [1, 4]}),
        MovedMessage(type="moved", table="T1", socket="/at/b/ws"),
        ClosingMessage(code=CloseReason.REPLACED),
        PongMessage(type="pong", at=1_769_860_800_412),
    )


def _example_view() -> tuple[Parts, dict[str, Any], list[dict[str, Any]]]:
    """Ann's parts before the first round opens, what the opening changes, and what she is told."""
    floor = Floor()
    house, ann = Staff("house"), PlayerAt(3)
    commands: tuple[tuple[Staff | PlayerAt, Command], ...] = (
        (house, OpenTable("sugarhouse")),
        (ann, Sit(3, "Ann")),
        (ann, BuyIn(3, 50_000)),
        (house, OpenRound()),
    )
    before: Parts = {}
    parts: Parts = {}
    announced: list[dict[str, Any]] = []
    for actor, command in commands:
        floor, answer = act(floor, "T1", actor, command)
        if isinstance(answer, Refusal):
            raise RuntimeError(answer.message)
        viewer = SeatViewer(3)
        made = [announcement_for(viewer, floor, "T1", event) for event in answer]
        announced = [
            {**write_announcement(news), "say": ENGLISH.say(words_for(news, viewer, floor, "T1"))}
            for news in made
            if news is not None
        ]
        before, parts = parts, _seat_parts(floor, 3)
    changed = {name: part.value for name, part in parts.items() if before.get(name) != part}
    return before, changed, announced


def _seat_parts(floor: Floor, seat: int) -> Parts:
    moment = TableMoment(floor, "T1", ENGLISH)
    if seat not in moment.table.players:
        return moment.public
    at = Standing(floor, moment.table, ENGLISH)
    own: dict[str, Any] = {"you": moment.seat(seat)}
    if may := seat_commands(at, seat):
        own["may"] = may
    own.update(seat_forms(at, seat))
    return {**moment.public, **{name: make_part(name, value) for name, value in own.items()}}


# Commands.


def _command(kind: type[Any]) -> Iterator[str]:
    command = example_of(kind)
    allowed = permission(command)
    roles = [role.value for role in Role if role in allowed.roles]
    senders = ", ".join(roles) or "nobody: the house itself"
    two = " + a supervisor's approval" if allowed.two_persons else ""
    guests = ", or staff for a guest" if allowed.for_guests else ""
    cards = ", where real cards are entered" if allowed.by_hand else ""
    yield f"### {kind.__name__}\n"
    if description := docstring_of(kind):
        yield description + "\n"
    yield f"Asked by: {senders}{guests}{two}{cards}.\n"
    yield from _json(write_command(command))
    if fields := _fields(command_schema(kind)):
        yield fields + "\n"


def _fields(schema: Schema) -> str:
    words = [
        f"`{name}` {_words(field)}"
        for name, field in schema["properties"].items()
        if name != "command"
    ]
    return "; ".join(words)


def _words(schema: Schema) -> str:
    """Describe a field's schema in a few words."""
    match schema:
        case {"enum": words}:
            return "one of " + ", ".join(f"`{word}`" for word in words)
        case {"anyOf": several}:
            return " or ".join(map(_words, several))
        case {"description": text}:
            return str(text)
        case {"type": "array", "items": dict(item)}:
            return f"a list: {_words(item)}"
        case {"type": "array", "prefixItems": items}:
            return f"a list of {len(items)}: " + ", ".join(map(_words, items))
        case {"type": "object", "properties": fields}:
            return "an object: " + ", ".join(f"`{name}`" for name in fields)
        case {"type": "object", "additionalProperties": dict(value), "propertyNames": names}:
            return "an object" if "anyOf" in value else f"{_words(value)} for {_words(names)}"
        case {"type": "integer"}:
            return "a whole number"
        case {"type": "string"}:
            return "text"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "null"}:
            return "null"
        case _:
            raise TypeError(f"{schema} has no words")


def _json(value: dict[str, Any]) -> Iterator[str]:
    """The value as a JSON block: on one line, or one line per field if it is long."""
    value = {"type": value["type"], **value} if "type" in value else value
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > 96:
        lines = (f"  {json.dumps(key)}: {_inner(field)}" for key, field in value.items())
        text = "{\n" + ",\n".join(lines) + "\n}"
    yield f"```json\n{text}\n```\n"


def _inner(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= 84 or not isinstance(value, dict):
        return text
    lines = (
        f"    {json.dumps(key)}: {json.dumps(field, ensure_ascii=False)}"
        for key, field in value.items()
    )
    return "{\n" + ",\n".join(lines) + "\n  }"


if __name__ == "__main__":
    print(reference_page(), end="")
