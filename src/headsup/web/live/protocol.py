"""Defines every message between client and server, version 2.

Validation, OpenAPI and `docs/protocol-reference.md` all come from these classes. A message is one
JSON object with a `type`. Commands are the game's own, in the format of the log
(`game/record/command_codec.py`): `{"command": "Raise", "seat": 1, "multiple": 3}`.
"""

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    WithJsonSchema,
    model_validator,
)

from headsup.game.record.message_codec import write_command
from headsup.game.table.opening import OpenTable
from headsup.game.values.str_enum import TextEnum
from headsup.house.dealing.pace import MAX_STEP_SECONDS
from headsup.web.live.examples import EXAMPLES, OPENING
from headsup.web.live.schemas import command_schema, commands_schema

PROTOCOL = 2
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
    """The first message: a ticket from `POST /api/ticket`, which works once.

    `language` is that of sentences and labels, such as `de`, or a list as browsers send it.
    """

    type: Literal["hello"]
    protocol: int
    ticket: Annotated[str, Field(min_length=1, max_length=100)]
    language: Annotated[str, Field(max_length=200)] = "en"


class WatchMessage(Message):
    """Watch a table. The answer is a `view`.

    With `after`, the index of the last message about the table, its `missed` has the announcements
    since then. `with` names parts that are sent on request only: `irregularities`, for staff.
    """

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    type: Literal["watch"]
    table: TableId
    viewer: ViewerText
    after: Annotated[int | None, Field(ge=0, le=2**53)] = None
    extras: Annotated[
        list[Literal["irregularities"]], Field(alias="with", default_factory=list, max_length=4)
    ]


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


class EnterCardsRequest(Message):
    """The cards a dealer deals from a real deck, in the order of the deal (`AsKd 7h …`) or by place
    (`board=Kd9c5h5s2d, seat 1=KsKh, dealer=AcQd`)."""

    id: RequestId
    text: Annotated[str, Field(max_length=1000, examples=["board=Kd9c5h5s2d, seat 1=KsKh"])]


class AskMessage(Message):
    """A request to a table: a `command`, or the step that is `due`, by the key that was shown.

    Sending it again with the same id changes nothing. A step that is typed, such as the cards of a
    real deck, has its text in `line`. Names of people in a command (`player` of `Sit`, `dealer`,
    `supervisor`, `approvals`, `by`) may be left empty: the server fills in the sender and the
    approver.
    """

    type: Literal["ask"]
    id: RequestId
    table: TableId
    command: CommandJson | None = None
    due: Annotated[str | None, Field(max_length=60)] = None
    line: Annotated[str | None, Field(max_length=1000)] = None
    approval: Approval | None = None

    @model_validator(mode="after")
    def _check_one_thing(self) -> "AskMessage":
        if (self.command is None) == (self.due is None) or (self.line and self.due is None):
            raise ValueError("either a command, or due, perhaps with a line")
        return self


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
    HelloMessage | WatchMessage | UnwatchMessage | AskMessage | OpenMessage | PingMessage
)
CLIENT_MESSAGE_ADAPTER: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)


# From a server.


class ServerText(Message):
    """A message that is written without the fields that hold their default."""

    def text(self) -> str:
        return self.model_dump_json(exclude_defaults=True)


class WelcomeMessage(ServerText):
    """The socket is open. `may` names the commands and other acts that this person's role allows,
    at some table."""

    type: Literal["welcome"]
    protocol: int
    name: str
    language: str
    may: list[str]


class ViewMessage(ServerText):
    """The whole view of a table: all its parts.

    `missed` has the announcements since `after`, if the server still has them. `sum` is the
    exclusive or of the CRC-32 of `name:text` of all parts.
    """

    type: Literal["view"]
    table: str
    viewer: str
    version: int
    index: int
    at: int
    missed: list[dict[str, Any]] = []
    parts: dict[str, Any]
    sum: int


class ChangeMessage(ServerText):
    """What changed: announcements, and parts to replace. A part that is null is gone."""

    type: Literal["change"]
    table: str
    version: int
    index: int
    at: int
    events: list[dict[str, Any]] = []
    set: dict[str, Any] = {}
    sum: int


class ReplyMessage(ServerText):
    """The request was carried out and stored, as entry `index` of the floor's log. The change came
    before. `wallet` is what the sender's wallet holds, if the command moved money of it."""

    type: Literal["reply"]
    id: str
    index: int
    wallet: int | None = None


class RefusalMessage(Message):
    """The request was refused and changed nothing. `id` is null if the message had none."""

    type: Literal["refusal"] = "refusal"
    id: str | None
    code: str
    case: str = ""
    say: str

    def text(self) -> str:
        left_out = {"case"} if not self.case else None
        return self.model_dump_json(exclude=left_out)


class ExpectingMessage(ServerText):
    """To a device that reads cards: the place, and how many cards are read there next."""

    type: Literal["expecting"]
    table: str
    round: int
    place: str
    count: int
    face: Literal["up", "down"]


class LightsMessage(ServerText):
    """To the device of a table's lights: the seats that are lit, by wager."""

    type: Literal["lights"]
    table: str
    lights: dict[str, list[int]]


class MovedMessage(ServerText):
    """Another server runs the table. Fetch a ticket for the table, open its socket, and send there
    again what was not answered. The socket here stays open for other tables."""

    type: Literal["moved"]
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
    BAD_PROTOCOL = "bad_protocol"  # the client speaks another version
    SERVER_STOPS = "server_stops"
    UNAVAILABLE = "unavailable"  # the database does not answer; try again


class ClosingMessage(Message):
    """The server closes this socket, for the reason in `code`."""

    type: Literal["closing"] = "closing"
    code: CloseReason

    def text(self) -> str:
        return self.model_dump_json()


class PongMessage(ServerText):
    """The answer to a ping; `at` is the server's time."""

    type: Literal["pong"]
    at: int


ServerMessage: TypeAlias = (
    WelcomeMessage
    | ViewMessage
    | ChangeMessage
    | ReplyMessage
    | RefusalMessage
    | ExpectingMessage
    | LightsMessage
    | MovedMessage
    | ClosingMessage
    | PongMessage
)


def quote(text: str) -> str:
    """A string as a browser's JSON.stringify writes it."""
    return json.dumps(text, ensure_ascii=False)
