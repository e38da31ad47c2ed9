"""A command with its sender, and the stored answers for commands that are sent twice."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from headsup.game.record.chain import Link, canonical_json
from headsup.game.record.journal import Origin
from headsup.game.record.message_codec import command_text
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.house.dealing.pace import Timings
from headsup.house.people.person import Person

MAX_CACHED_ANSWERS = 500  # per floor, in memory; the store has the older ones


class RequestContent(NamedTuple):
    """Who asked for what. The same id with another content is another request, for instance from
    another player who sits in that seat by now."""

    table: str
    by: str
    seat: int  # 0 if staff asked
    asked: str  # the command, or what it was made from
    pace: Timings | None = None  # of a table that opens; the entry after it has it


@dataclass(frozen=True)
class CommandRequest:
    """A command, its sender, and an id that the sender made; no id if nobody sends it again.

    `person` is None where the house itself sends the command; otherwise the person's permission is
    checked when the command is decided. `pace` is for a table that opens with its own pace.

    `due` is the key of a dealer's step: the command is refused unless that step is still next.
    `typed` is the text the command was parsed from. If either is given, it is what the sender sent,
    and so it identifies the request: the same text may give another command at another time.
    """

    id: str
    table: str
    by: Actor
    command: Command
    person: Person | None = None
    pace: Timings | None = None
    expected_step: str = ""
    typed_text: str = ""

    @property
    def sender_key(self) -> tuple[str, str]:
        return "" if self.person is None else self.person.id, self.id

    @property
    def origin(self) -> Origin:
        return Origin(self.id, self.expected_step, self.typed_text)

    @cached_property
    def content(self) -> RequestContent:
        if not isinstance(self.by, PlayerAt):
            name, seat = self.by.name, 0
        else:
            name, seat = "" if self.person is None else self.person.name, self.by.seat
        made_from = self.expected_step or self.typed_text
        asked = _made_from(self.origin) if made_from else command_text(self.command)
        return RequestContent(self.table, name, seat, asked, self.pace)

    def led_to(self, entry: Any) -> bool:
        """Whether this entry of the log is the answer to the same request."""
        origin = Origin(due=entry.get("due", ""), typed=entry.get("typed", ""))
        made_from = origin.due or origin.typed
        asked = _made_from(origin) if made_from else canonical_json(entry["command"])
        # Whose command it is for a seat, the entry alone says if the house asks again.
        by = entry["by"] if self.content.by else ""
        content = RequestContent(entry["table"], by, entry.get("seat", 0), asked, self.pace)
        return self.content == content


def _made_from(origin: Origin) -> str:
    return canonical_json([origin.due, origin.typed])


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The command was carried out; `index` is its entry in the floor's log."""

    index: int


Reply = Acceptance | Refusal


class Answers:
    """The answers one floor has given, so that a command sent twice is carried out once.

    Acceptances are stored for good, together with their entries. Refusals had no effect and are
    only cached, under the sender and the id: nobody can block another's id by guessing it.
    """

    def __init__(self, floor: str, find_entry: Callable[[str, str], Link | None]) -> None:
        """`find_entry` finds the entry that a command led to, by floor and id."""
        self._floor, self._find_entry = floor, find_entry
        self._recent: OrderedDict[tuple[str, str], tuple[RequestContent, Reply]] = OrderedDict()

    def remember(self, request: CommandRequest, reply: Reply) -> None:
        if not request.id:
            return
        if isinstance(reply, Refusal) and (
            reply.code is Code.ID_USED or request.sender_key in self._recent
        ):
            return  # the id belongs to another command, or this one has been answered already
        self._recent[request.sender_key] = request.content, reply
        if len(self._recent) > MAX_CACHED_ANSWERS:
            self._recent.popitem(last=False)

    def forget_refusals(self) -> None:
        """Another owner may have carried out meanwhile what was refused here."""
        for id, (_, reply) in tuple(self._recent.items()):
            if isinstance(reply, Refusal):
                del self._recent[id]

    def find_cached(self, request: CommandRequest) -> Reply | None:
        """The cached answer; a refusal if the id was used for another command."""
        cached = self._recent.get(request.sender_key) if request.id else None
        if cached is None:
            return None
        content, reply = cached
        return reply if content == request.content else refusal(Code.ID_USED, id=request.id)

    async def find(self, request: CommandRequest) -> Reply | None:
        """The cached or stored answer. The cache comes first: a copy of the request in the same
        batch may just have fetched the answer."""
        return self.find_cached(request) or await self.find_stored(request)

    async def find_stored(self, request: CommandRequest) -> Reply | None:
        """The answer from the log, which also covers the time before a restart."""
        if not request.id:
            return None
        link = await asyncio.to_thread(self._find_entry, self._floor, request.id)
        if link is None:
            return None
        if not request.led_to(link.entry):
            return refusal(Code.ID_USED, id=request.id)
        reply = Acceptance(link.index)
        self.remember(request, reply)
        return reply
