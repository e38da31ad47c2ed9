"""Writes docs/protocol.md from the protocol itself: `python -m headsup.web.reference`."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any, get_args

from headsup.game.record.command_codec import write_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Raise
from headsup.game.table.commands import (
    BuyIn,
    Command,
    OpenRound,
    OpenTable,
    PlayerAt,
    Sit,
    Staff,
)
from headsup.game.table.decide import act
from headsup.game.table.state import Floor
from headsup.game.views.announcements import announcement_for, write_announcement
from headsup.game.views.builder import view_for
from headsup.game.views.viewers import SeatViewer
from headsup.game.views.wire import write_view
from headsup.house.dealing.pace import Timings
from headsup.house.floor.replay_buffer import REPLAY_BUFFER_ENTRIES
from headsup.house.people.accounts import TICKET_SECONDS, Role
from headsup.house.people.permissions import permission
from headsup.web.live.examples import OPENING, example_of
from headsup.web.live.protocol import (
    MAX_MESSAGE_BYTES,
    VERSION,
    AnsweredMessage,
    Approval,
    AskMessage,
    CardsMessage,
    ClientMessage,
    ClockView,
    CloseReason,
    ClosingMessage,
    DeclinedMessage,
    HappenedMessage,
    HelloMessage,
    Message,
    OpenMessage,
    PaceSeconds,
    PingMessage,
    PongMessage,
    ServerMessage,
    ShownMessage,
    UnwatchMessage,
    WatchingMessage,
    WatchMessage,
    WelcomeMessage,
)
from headsup.web.live.schemas import Schema, command_kinds, command_schema, docstring_of
from headsup.web.live.sockets import MAX_SOCKETS_PER_PERSON
from headsup.web.server.security import MESSAGE_BURST, MESSAGES_PER_SECOND

BOT = """\
import asyncio

from headsup.game.round.commands import Check, Fold, PlaceBets
from headsup.game.table.commands import BuyIn
from headsup.game.rulebook.wagers import Wager
from headsup.web.client import Client, Declined


async def bot(address: str, table: str) -> None:
    async with Client.demo(address) as client:
        seat = await client.sit(table)
        await client.ask(table, BuyIn(seat, 50_000))
        await client.watch(table, f"seat {seat}")
        done = None  # it asks once about a moment: what it asked for comes back as news
        async for news in client.news():
            round = news.view["round"] or {"number": 0, "phase": ""}
            moment = round["number"], round["phase"]
            actions = [choice["action"] for choice in news.view.get("legal", ())]
            if moment == done or not (actions or round["phase"] == "betting"):
                continue
            done = moment
            bets = PlaceBets(seat, {Wager.ANTE: 500, Wager.ODDS: 500})
            decision = Check(seat) if "check" in actions else Fold(seat)
            try:
                await client.ask(table, decision if actions else bets)
            except Declined as turned:  # the moment has passed, or the chips are spent
                print(turned)
    print("closed:", client.closed)


if __name__ == "__main__":
    asyncio.run(bot("http://127.0.0.1:8433", "Galaxy"))
"""

_INTRODUCTION = f"""\
# The protocol, version {VERSION}

*Written by `make protocol` from `src/headsup/web/live/protocol.py` and the game's own classes.*

A message is one JSON object in one text frame, with its `type`. The same commands are taken by
HTTP (`POST /api/tables/{{table}}/commands`, `POST /api/tables`); `/openapi.json` has their schemas.

**Coming in.** Log in (`POST /api/login`), get a ticket (`POST /api/ticket`), open `/ws` and say
`hello` with the ticket within five seconds. A ticket works once and for {TICKET_SECONDS} seconds,
and its socket ends with the log-in that it was given for. Asked for with a `table` and a `viewer`,
it opens a socket that is good there alone, as at a terminal of one seat; it is declined elsewhere.
A browser must come from a page of the same server, or of one that its operator named.

**Asking.** Every command has an `id` that the client makes. Sent again with the same id and
content it gets the same answer and changes nothing, also after the server was started again; the
same id with other content is declined (`id_used`). An id is unique per floor: all tables of a floor
and all who ask there share them, so make it of random bits. An answer comes when the command is
durable. Commands of one socket are carried out one after the other.

**Two persons.** What is marked with + below takes an `approval`: the own name and password of a
supervisor other than the asker. Names of persons in such a command are put in by the server.

**Watching.** `happened` holds what followed one command, as this viewer may know it, and the view
after it. Who lost the connection says the last index seen (`after`) and is told exactly what was
missed, up to {REPLAY_BUFFER_ENTRIES} entries; otherwise, where that is not known any more, or is
too much at several tables at once, one whole view is `shown`. `watching` ends either.
Where all act at once, what others choose on a street is told once it is closed, with the cards that
follow it: `"chosen": {{"1": "raise 3 pocket", …}}`, one's own beside it. A meter that another table
has moved is told as `MeterMoved`, with the view after it.

**Limits.** {MAX_MESSAGE_BYTES} bytes a message, {MESSAGE_BURST} at once and
{MESSAGES_PER_SECOND * 60:.0f} a minute, {MAX_SOCKETS_PER_PERSON} sockets a person and one for each
seat: the newest. Who reads too slowly is closed.
A frame that is no message is declined (`bad_message`), and the socket lives on.

**A bot**, against `headsup serve --demo`; in a house it begins with
`Client.log_in(address, name, password)` instead:

```python
{BOT}```
"""


def reference() -> str:
    return "\n".join(_page())


def _page() -> Iterator[str]:
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
    yield "Amounts are in cents, those of a meter in millionths of a dollar. All fields are there."
    yield "Players ask for the own seat.\n"
    for kind in command_kinds():
        yield from _command(kind)


# Messages.


def _message(kind: type[Message]) -> Iterator[str]:
    yield f"### {_type_of(kind)}\n"
    if kind.__doc__:
        yield " ".join(kind.__doc__.split()) + "\n"
    yield from _json(
        example(kind).model_dump(mode="json", exclude_none=kind is not DeclinedMessage)
    )


def _type_of(kind: type[Message]) -> str:
    values = get_args(kind.model_fields["type"].annotation)
    return str(values[0])


def example(kind: type[Message]) -> Message:
    return next(one for one in message_examples() if type(one) is kind)


@cache
def message_examples() -> tuple[Message, ...]:
    """One of each, the views from a real table."""
    id = "0190c2c4-6d51-7c2a-9a55-2f4f3a9b7c11"
    view, events = _moment()
    approval = Approval(name="Sue", password="…")
    opening = write_command(OPENING)
    return (
        HelloMessage(type="hello", ticket="7rX0…"),
        WatchMessage(type="watch", table="T1", viewer="seat 3", after=41),
        UnwatchMessage(type="unwatch", table="T1"),
        AskMessage(type="ask", id=id, table="T1", command=write_command(Raise(3, 2))),
        CardsMessage(
            type="cards", id=id, table="T1", text="board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd"
        ),
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
        WelcomeMessage(name="Ann", role=Role.PLAYER.value),
        ShownMessage(
            table="T1",
            index=41,
            view={**view, "posted": {"…": "…"}},
            clock=[ClockView(what="decision", seat=3, left=94.5, of=120.0)],
        ),
        HappenedMessage(
            table="T1",
            index=42,
            at="2026-01-31T12:00:00.000000Z",
            events=events,
            view=view,
            clock=[],
        ),
        WatchingMessage(table="T1", viewer="seat 3", index=42),
        AnsweredMessage(id=id, index=42),
        DeclinedMessage(id=id, code="not_your_turn", message="seat 2 acts before seat 3"),
        ClosingMessage(code=CloseReason.REPLACED),
        PongMessage(),
    )


def _moment() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Ann has sat down, and the round opens: what she sees then, and what she is told."""
    floor = Floor()
    house, ann = Staff("house"), PlayerAt(3)
    asked: tuple[tuple[Staff | PlayerAt, Command], ...] = (
        (house, OpenTable("sugarhouse")),
        (ann, Sit(3, "Ann")),
        (ann, BuyIn(3, 50_000)),
        (house, OpenRound()),
    )
    told_last: list[dict[str, Any]] = []
    for by, command in asked:
        floor, answer = act(floor, "T1", by, command)
        if isinstance(answer, Refusal):
            raise RuntimeError(answer.message)
        news = (announcement_for(SeatViewer(3), floor, "T1", event) for event in answer)
        told_last = [write_announcement(one) for one in news if one is not None]
    view = write_view(view_for(SeatViewer(3), floor, "T1"))
    view.pop("posted")
    return view, told_last


# Commands.


def _command(kind: type[Any]) -> Iterator[str]:
    command = example_of(kind)
    allowed = permission(command)
    roles = [role.value for role in Role if role in allowed.roles]
    who = ", ".join(roles) or "nobody: the house itself"
    two = " + a supervisor's approval" if allowed.two_persons else ""
    cards = ", where real cards are entered" if allowed.by_hand else ""
    yield f"### {kind.__name__}\n"
    if said := docstring_of(kind):
        yield said + "\n"
    yield f"Asked by: {who}{two}{cards}.\n"
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
    """A field's schema in a few words."""
    match schema:
        case {"enum": words}:
            return "one of " + ", ".join(f"`{word}`" for word in words)
        case {"anyOf": several}:
            return " or ".join(map(_words, several))
        case {"description": said}:
            return str(said)
        case {"type": "array", "items": dict(item)}:
            return f"a list: {_words(item)}"
        case {"type": "array", "prefixItems": items}:
            return f"a list of {len(items)}: " + ", ".join(map(_words, items))
        case {"type": "object", "properties": fields}:
            return "an object: " + ", ".join(f"`{name}`" for name in fields)
        case {"type": "object", "additionalProperties": dict(held), "propertyNames": names}:
            return "an object" if "anyOf" in held else f"{_words(held)} for {_words(names)}"
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
    """On one line, or with a line for each of its fields."""
    value = {"type": value["type"], **value} if "type" in value else value
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > 96:
        lines = (f"  {json.dumps(key)}: {_inner(held)}" for key, held in value.items())
        text = "{\n" + ",\n".join(lines) + "\n}"
    yield f"```json\n{text}\n```\n"


def _inner(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= 84 or not isinstance(value, dict):
        return text
    lines = (
        f"    {json.dumps(key)}: {json.dumps(held, ensure_ascii=False)}"
        for key, held in value.items()
    )
    return "{\n" + ",\n".join(lines) + "\n  }"


if __name__ == "__main__":
    print(reference(), end="")
