"""A command with its sender, and the stored answers for commands that are sent twice."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256

from headsup.game.record.codec.base import quote_json
from headsup.game.record.journal import format_actor
from headsup.game.record.message_codec import command_text
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Actor, Command
from headsup.house.dealing.pace import Timings
from headsup.house.people.person import Person, Role
from headsup.house.store.protocol import StoredAnswer

MAX_CACHED_ANSWERS = 500  # per floor, in memory; the store has the older ones


@dataclass(frozen=True)
class CommandRequest:
    """A command, its sender, and an id that the sender made.

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

    @cached_property
    def digest(self) -> str:
        """Identifies content and sender: the same id with a different digest is a different
        request, for instance from another player who sits in that seat by now."""
        parts = [quote_json(self.table), quote_json(format_actor(self.by)), self._content()]
        if self.person is not None and self.person.role is Role.PLAYER:
            parts.append(quote_json(self.person.name))
        if self.pace is not None:
            parts.append(quote_json(json.dumps(asdict(self.pace))))
        return sha256(f"[{','.join(parts)}]".encode("ascii")).hexdigest()

    def _content(self) -> str:
        if self.expected_step or self.typed_text:
            return f"[{quote_json(self.expected_step)},{quote_json(self.typed_text)}]"
        return command_text(self.command)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The command was carried out; `index` is its entry in the floor's log."""

    index: int


Reply = Acceptance | Refusal


def stored_answer_for(request: CommandRequest, acceptance: Acceptance) -> StoredAnswer:
    return StoredAnswer(request.id, request.digest, str(acceptance.index))


class Answers:
    """The answers one floor has given, so that a command sent twice is carried out once.

    Acceptances are stored for good, together with their entries. Refusals had no effect and are
    only cached, under the sender and the id: nobody can block another's id by guessing it.
    """

    def __init__(self, floor: str, find_stored: Callable[[str, str], StoredAnswer | None]) -> None:
        self._floor, self._find_stored = floor, find_stored
        self._recent: OrderedDict[tuple[str, str], tuple[str, Reply]] = OrderedDict()

    def remember(self, request: CommandRequest, reply: Reply) -> None:
        if isinstance(reply, Refusal) and (
            reply.code is Code.ID_USED or request.sender_key in self._recent
        ):
            return  # the id belongs to another command, or this one has been answered already
        self._recent[request.sender_key] = request.digest, reply
        if len(self._recent) > MAX_CACHED_ANSWERS:
            self._recent.popitem(last=False)

    def forget_refusals(self) -> None:
        """Another owner may have carried out meanwhile what was refused here."""
        for id, (_, reply) in tuple(self._recent.items()):
            if isinstance(reply, Refusal):
                del self._recent[id]

    def find_cached(self, request: CommandRequest) -> Reply | None:
        """The cached answer; a refusal if the id was used for another command."""
        cached = self._recent.get(request.sender_key)
        return None if cached is None else _reply_if_same(request, *cached)

    async def find(self, request: CommandRequest) -> Reply | None:
        """The cached or stored answer. The cache comes first: a copy of the request in the same
        batch may just have fetched the answer."""
        return self.find_cached(request) or await self.find_stored(request)

    async def find_stored(self, request: CommandRequest) -> Reply | None:
        """The answer from the store, which also covers the time before a restart."""
        stored = await asyncio.to_thread(self._find_stored, self._floor, request.id)
        if stored is None:
            return None
        reply = _reply_if_same(request, stored.digest, Acceptance(json.loads(stored.answer)))
        if isinstance(reply, Acceptance):
            self.remember(request, reply)
        return reply


def _reply_if_same(request: CommandRequest, digest: str, reply: Reply) -> Reply:
    return reply if digest == request.digest else refusal(Code.ID_USED, id=request.id)
