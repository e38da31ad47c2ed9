"""Every message between a client and a server, version 1: the source of validation, of OpenAPI
and of the reference page `docs/protocol.md`.

A message is one JSON object with a `type`. Commands are those of the game itself, written as the
record writes them (`game/record/commands.py`): `{"command": "Raise", "seat": 1, "multiple": 3}`.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

VERSION = 1
MOST_BYTES = 4096  # of a message from a client

Id = Annotated[
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
ViewerText = Annotated[
    str, Field(min_length=1, max_length=20, examples=["seat 3", "rail", "dealer", "tablevision"])
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


class AskMessage(Message):
    """A command; sending it again with the same id changes nothing."""

    type: Literal["ask"]
    id: Id
    table: TableId
    command: dict[str, Any]
    approval: Approval | None = None


class PingMessage(Message):
    type: Literal["ping"]


FromClient: TypeAlias = Annotated[
    HelloMessage | WatchMessage | UnwatchMessage | AskMessage | PingMessage,
    Field(discriminator="type"),
]
FROM_CLIENT: TypeAdapter[
    HelloMessage | WatchMessage | UnwatchMessage | AskMessage | PingMessage
] = TypeAdapter(FromClient)


# From a server.


class WelcomeMessage(Message):
    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    name: str
    role: str


class ShownMessage(Message):
    """The whole view of a table after so many entries of its floor's log."""

    type: Literal["shown"] = "shown"
    table: str
    index: int
    view: dict[str, Any]


class HappenedMessage(Message):
    """What followed one command, as this viewer may know it, and the view after it.

    What is posted is left out of the view: it is as in the last `shown`.
    """

    type: Literal["happened"] = "happened"
    table: str
    index: int
    at: str
    events: list[dict[str, Any]]
    view: dict[str, Any]


class AnsweredMessage(Message):
    """The command was carried out, durably; its entry is number `index` of the floor's log."""

    type: Literal["answered"] = "answered"
    id: str
    index: int


class DeclinedMessage(Message):
    """The command was refused and changed nothing. `id` is missing where none could be read."""

    type: Literal["declined"] = "declined"
    id: str | None
    code: str
    message: str


class ClosingMessage(Message):
    """The server closes this socket, and why."""

    type: Literal["closing"] = "closing"
    code: str


class PongMessage(Message):
    type: Literal["pong"] = "pong"


FromServer: TypeAlias = (
    WelcomeMessage
    | ShownMessage
    | HappenedMessage
    | AnsweredMessage
    | DeclinedMessage
    | ClosingMessage
    | PongMessage
)
