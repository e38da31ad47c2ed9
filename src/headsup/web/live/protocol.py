"""Every message between a client and a server, version 1: the source of validation, of OpenAPI
and of the reference page `docs/protocol.md`.

A message is one JSON object with a `type`. Commands are those of the game itself, written as the
record writes them (`game/record/command_codec.py`):
`{"command": "Raise", "seat": 1, "multiple": 3}`.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from headsup.game.record.command_codec import write_command
from headsup.game.table.commands import OpenTable
from headsup.game.values.str_enum import TextEnum
from headsup.house.dealing.pace import MAX_STEP_SECONDS
from headsup.web.live.examples import EXAMPLES, OPENING
from headsup.web.live.schemas import command_schema, commands_schema

VERSION = 1
MAX_MESSAGE_BYTES = 4096  # of a message from a client

RequestId = Annotated[
    str,
    Field(
        min_length=8,
        max_length=64,
        pattern=r"^[A-Za-z0-9._-]+$",
        description="Made by the client, new for every command; a UUID does well.",
        examples=["0190c2c4-6d51-7c2a-9a55-2f4f3a9b7c11"],
    ),
]
TableId = Annotated[str, Field(min_length=1, max_length=60, examples=["T1"])]
FLOOR_NAME_PATTERN = r"^[A-Za-z0-9._-]+$"
FloorId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60,
        pattern=FLOOR_NAME_PATTERN,
        description="Tables that share a meter are on one floor; otherwise one floor a table.",
        examples=["main-floor"],
    ),
]
ViewerText = Annotated[
    str, Field(min_length=1, max_length=20, examples=["seat 3", "rail", "dealer", "tablevision"])
]


def normalize_numbers(value: Any) -> Any:
    """JSON has one kind of number: 100.0 is as whole as 100, also where it stands deep inside."""
    match value:
        case float():
            return int(value) if value.is_integer() else value
        case dict():
            return {key: normalize_numbers(held) for key, held in value.items()}
        case list():
            return [normalize_numbers(held) for held in value]
        case _:
            return value


def _normalize_command(value: Any) -> Any:
    try:
        return normalize_numbers(value)
    except RecursionError:  # too deep for any command: its reader says so
        return {}


# Read by the game's own strict reader; pydantic only looks that it is an object.
CommandJson = Annotated[
    dict[str, Any],
    BeforeValidator(_normalize_command),
    WithJsonSchema({**commands_schema(), "examples": [write_command(one) for one in EXAMPLES]}),
]
OpeningJson = Annotated[
    dict[str, Any],
    BeforeValidator(_normalize_command),
    WithJsonSchema({**command_schema(OpenTable), "examples": [write_command(OPENING)]}),
]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# From a client.


class HelloMessage(Message):
    """The first message: a ticket from `POST /api/ticket`, which works once."""

    type: Literal["hello"]
    ticket: Annotated[str, Field(min_length=1, max_length=100)]


class WatchMessage(Message):
    """See a table. With the last index seen, exactly what was missed follows, or a whole view."""

    type: Literal["watch"]
    table: TableId
    viewer: ViewerText
    after: Annotated[int | None, Field(ge=0, le=2**53)] = None


class UnwatchMessage(Message):
    type: Literal["unwatch"]
    table: TableId


class Approval(Message):
    """A second person's own name and password, for what takes two."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    password: Annotated[str, Field(min_length=1, max_length=256)]


class SubmitCommandRequest(Message):
    """A command; sending it again with the same id changes nothing.

    Names of persons in it (`dealer`, `supervisor`, `approvals`, `by`) may be left empty: the server
    puts in who asks and who approves.
    """

    id: RequestId
    command: CommandJson
    approval: Approval | None = None


class AskMessage(SubmitCommandRequest):
    """A command for a table; sending it again with the same id changes nothing.

    Names of persons in it (`dealer`, `supervisor`, `approvals`, `by`) may be left empty: the server
    puts in who asks and who approves.
    """

    type: Literal["ask"]
    table: TableId


class EnterCardsRequest(Message):
    """The cards that a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by
    place (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`)."""

    id: RequestId
    text: Annotated[str, Field(max_length=1000, examples=["board=Kd9c5h5s2d, seat 1=KsKh"])]


class CardsMessage(EnterCardsRequest):
    """The cards that a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by
    place (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`)."""

    type: Literal["cards"]
    table: TableId


# What is out of bounds is refused in words, by the one rule that knows them.
Seconds = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": MAX_STEP_SECONDS})]


class PaceSeconds(Message):
    """How long each step of a round waits; the time for decisions is in the table's rules."""

    open: Seconds
    betting: Seconds
    all_in: Seconds
    deal: Seconds
    card: Seconds
    resolve: Seconds
    close: Seconds


class OpenTableRequest(Message):
    """A new table, on a floor that is opened with its first table; a supervisor approves.

    With `meter` in the command the table is linked to a meter that is open on the floor; with
    `pace` the house deals it at another pace than it usually does.
    """

    id: RequestId
    floor: FloorId
    table: TableId
    command: OpeningJson
    pace: PaceSeconds | None = None
    approval: Approval | None = None


class OpenMessage(OpenTableRequest):
    """A new table, on a floor that is opened with its first table; a supervisor approves.

    With `meter` in the command the table is linked to a meter that is open on the floor; with
    `pace` the house deals it at another pace than it usually does.
    """

    type: Literal["open"]


class PingMessage(Message):
    type: Literal["ping"]


ClientMessage: TypeAlias = (
    HelloMessage
    | WatchMessage
    | UnwatchMessage
    | AskMessage
    | CardsMessage
    | OpenMessage
    | PingMessage
)
CLIENT_MESSAGE_ADAPTER: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)


# From a server.


class WelcomeMessage(Message):
    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    name: str
    role: str


class ClockView(Message):
    """How many seconds players have left, and of how many: all for their `bets`, or the one at a
    seat for a `decision`."""

    what: Literal["bets", "decision"]
    seat: int | None
    left: float
    of: float


class ShownMessage(Message):
    """The whole view of a table after so many entries of its floor's log."""

    type: Literal["shown"] = "shown"
    table: str
    index: int
    view: dict[str, Any]
    clock: list[ClockView]


class HappenedMessage(Message):
    """What followed one command, as this viewer may know it, and the view after it.

    What is posted is left out of the view as long as it is what this socket was sent last.
    """

    type: Literal["happened"] = "happened"
    table: str
    index: int
    at: str
    events: list[dict[str, Any]]
    view: dict[str, Any]
    clock: list[ClockView]


class WatchingMessage(Message):
    """All that this viewer missed or may see has been said, up to entry `index` of the log; what
    happens from here on follows by itself."""

    type: Literal["watching"] = "watching"
    table: str
    viewer: str
    index: int


class AnsweredMessage(Message):
    """The command was carried out, durably; its entry is number `index` of the floor's log."""

    type: Literal["answered"] = "answered"
    id: str
    index: int


class DeclinedMessage(Message):
    """The command was refused and changed nothing; or a message was, and `id` is null."""

    type: Literal["declined"] = "declined"
    id: str | None
    code: str
    message: str


class CloseReason(TextEnum):
    """Why a server closes a socket."""

    REPLACED = "replaced"  # the same seat is watched from another socket, or there are too many
    LOGGED_OUT = "logged_out"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"  # messages in a short time
    TOO_SLOW = "too_slow"  # in reading what is sent
    BAD_TICKET = "bad_ticket"
    SERVER_STOPS = "server_stops"
    UNAVAILABLE = "unavailable"  # nobody can be let in at this moment; try again


class ClosingMessage(Message):
    """The server closes this socket, and why."""

    type: Literal["closing"] = "closing"
    code: CloseReason


class PongMessage(Message):
    type: Literal["pong"] = "pong"


ServerMessage: TypeAlias = (
    WelcomeMessage
    | ShownMessage
    | HappenedMessage
    | WatchingMessage
    | AnsweredMessage
    | DeclinedMessage
    | ClosingMessage
    | PongMessage
)
