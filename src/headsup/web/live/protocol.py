"""Defines every message between client and server, version 1.

Validation, OpenAPI and `docs/protocol-reference.md` all come from these classes. A message is one
JSON object with a `type`. Commands are the game's own, in the format of the log
(`game/record/command_codec.py`): `{"command": "Raise", "seat": 1, "multiple": 3}`.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from headsup.game.record.message_codec import write_command
from headsup.game.table.opening import OpenTable
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
        description="Chosen by the client, new for every command, such as a UUID.",
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
        description="Tables that share a meter are on one floor; any other table has its own.",
        examples=["main-floor"],
    ),
]
ViewerText = Annotated[
    str, Field(min_length=1, max_length=20, examples=["seat 3", "rail", "dealer", "tablevision"])
]


def normalize_numbers(value: Any) -> Any:
    """Turn 100.0 into 100 at any depth: JSON has only one kind of number."""
    match value:
        case float():
            return int(value) if value.is_integer() else value
        case dict():
            return {key: normalize_numbers(item) for key, item in value.items()}
        case list():
            return [normalize_numbers(item) for item in value]
        case _:
            return value


def _normalize_command(value: Any) -> Any:
    try:
        return normalize_numbers(value)
    except RecursionError:  # nested too deeply: the command reader refuses it
        return {}


# The game's own strict reader checks it; pydantic only checks that it is an object.
CommandJson = Annotated[
    dict[str, Any],
    BeforeValidator(_normalize_command),
    WithJsonSchema(
        {**commands_schema(), "examples": [write_command(command) for command in EXAMPLES]}
    ),
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
    """Watch a table. With `after`, the last index seen, you get what you missed, or a full view."""

    type: Literal["watch"]
    table: TableId
    viewer: ViewerText
    after: Annotated[int | None, Field(ge=0, le=2**53)] = None


class UnwatchMessage(Message):
    type: Literal["unwatch"]
    table: TableId


class Approval(Message):
    """Name and password of the second person, for commands that need two."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    password: Annotated[str, Field(min_length=1, max_length=256)]


class SubmitCommandRequest(Message):
    """A command; sending it again with the same id changes nothing.

    Names of people in it (`dealer`, `supervisor`, `approvals`, `by`) may be left empty: the server
    fills in the sender and the approver.
    """

    id: RequestId
    command: CommandJson
    approval: Approval | None = None


class AskMessage(SubmitCommandRequest):
    """A command for a table; sending it again with the same id changes nothing.

    Names of people in it (`dealer`, `supervisor`, `approvals`, `by`) may be left empty: the server
    fills in the sender and the approver.
    """

    type: Literal["ask"]
    table: TableId


class EnterCardsRequest(Message):
    """The cards a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by place
    (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`)."""

    id: RequestId
    text: Annotated[str, Field(max_length=1000, examples=["board=Kd9c5h5s2d, seat 1=KsKh"])]


class CardsMessage(EnterCardsRequest):
    """The cards a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by place
    (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`)."""

    type: Literal["cards"]
    table: TableId


# The bounds are checked by `timing_refusals`, whose refusals are sentences.
Seconds = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": MAX_STEP_SECONDS})]


class PaceSeconds(Message):
    """The seconds each step of a round takes; the time for decisions is in the table's rules."""

    open: Seconds
    betting: Seconds
    all_in: Seconds
    deal: Seconds
    card: Seconds
    resolve: Seconds
    close: Seconds


class OpenTableRequest(Message):
    """Open a table, with a supervisor's approval. A floor is opened with its first table.

    `meter` in the command links the table to an open meter of the floor. `pace` overrides the
    house's usual pace.
    """

    id: RequestId
    floor: FloorId
    table: TableId
    command: OpeningJson
    pace: PaceSeconds | None = None
    approval: Approval | None = None


class OpenMessage(OpenTableRequest):
    """Open a table, with a supervisor's approval. A floor is opened with its first table.

    `meter` in the command links the table to an open meter of the floor. `pace` overrides the
    house's usual pace.
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
    """The seconds left, of how many: for everyone's `bets`, or for one seat's `decision`."""

    what: Literal["bets", "decision"]
    seat: int | None
    left: float
    of: float


class ShownMessage(Message):
    """The full view of a table after entry `index` of its floor's log."""

    type: Literal["shown"] = "shown"
    table: str
    index: int
    view: dict[str, Any]
    clock: list[ClockView]


class HappenedMessage(Message):
    """The events after one command, as this viewer may know them, and the view after them.

    The view leaves out `posted` while it is what this socket was sent last.
    """

    type: Literal["happened"] = "happened"
    table: str
    index: int
    at: str
    events: list[dict[str, Any]]
    view: dict[str, Any]
    clock: list[ClockView]


class WatchingMessage(Message):
    """The viewer is up to date to entry `index` of the log. Everything after it follows on its
    own."""

    type: Literal["watching"] = "watching"
    table: str
    viewer: str
    index: int


class AnsweredMessage(Message):
    """The command was carried out and stored, as entry `index` of the floor's log."""

    type: Literal["answered"] = "answered"
    id: str
    index: int


class DeclinedMessage(Message):
    """The command was refused and changed nothing. `id` is null if the refused message had none."""

    type: Literal["declined"] = "declined"
    id: str | None
    code: str
    message: str


class MovedMessage(Message):
    """Another server runs the table. Fetch a ticket for the table, open its socket, and send there
    again what was not answered. The socket here stays open for other tables."""

    type: Literal["moved"] = "moved"
    table: str
    socket: str


class CloseReason(TextEnum):
    """Why a server closes a socket."""

    REPLACED = "replaced"  # another socket watches the same seat, or the person has too many
    LOGGED_OUT = "logged_out"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"  # too many messages in a short time
    TOO_SLOW = "too_slow"  # too slow in reading what is sent
    BAD_TICKET = "bad_ticket"
    SERVER_STOPS = "server_stops"
    UNAVAILABLE = "unavailable"  # the database does not answer; try again


class ClosingMessage(Message):
    """The server closes this socket, for the reason in `code`."""

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
    | MovedMessage
    | ClosingMessage
    | PongMessage
)
