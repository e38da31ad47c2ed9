"""A command as it is asked of a house, and what it was answered, for when it is sent again."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256

from headsup.game.record.codec.base import quote_json
from headsup.game.record.command_codec import command_text
from headsup.game.record.journal import format_actor
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Actor, Command
from headsup.house.dealing.pace import Timings
from headsup.house.people.accounts import Person, Role
from headsup.house.store.protocol import StoredAnswer

MAX_CACHED_ANSWERS = 500  # answers of one floor held in memory; older ones are in the store


@dataclass(frozen=True)
class CommandRequest:
    """One command, who sends it and the id its sender made. `person` is who it comes from where
    the house does not ask itself: whether they may is decided with the command. `pace` is for a
    table that is to be opened with one of its own. `due` is the key of the step that it does, and
    it is refused where that is not due any more; `typed` are the words it was made from. Either is
    what its sender said: the command follows from it, and from how the table stood."""

    id: str
    table: str
    by: Actor
    command: Command
    person: Person | None = None
    pace: Timings | None = None
    due: str = ""
    typed: str = ""

    @property
    def own_id(self) -> tuple[str, str]:
        """The id among those of its sender."""
        return "" if self.person is None else self.person.id, self.id

    @cached_property
    def digest(self) -> str:
        """Of all that is said, and of who says it: the same id with another is another command,
        also where another player sits in that seat by now."""
        said = [quote_json(self.table), quote_json(format_actor(self.by)), self._wanted()]
        if self.person is not None and self.person.role is Role.PLAYER:
            said.append(quote_json(self.person.name))
        if self.pace is not None:
            said.append(quote_json(json.dumps(asdict(self.pace))))
        return sha256(f"[{','.join(said)}]".encode("ascii")).hexdigest()

    def _wanted(self) -> str:
        if self.due or self.typed:
            return f"[{quote_json(self.due)},{quote_json(self.typed)}]"
        return command_text(self.command)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The command was carried out: its entry is the `index`-th of the floor's log."""

    index: int


Reply = Acceptance | Refusal


def stored_answer_for(asked: CommandRequest, outcome: Acceptance) -> StoredAnswer:
    return StoredAnswer(asked.id, asked.digest, str(outcome.index))


class Answers:
    """What the commands of one floor were answered.

    The store keeps what was carried out for ever, beside the entry. A refusal had no effect and is
    remembered for a while only, for its sender alone: nobody spoils another's id by guessing it.
    """

    def __init__(self, floor: str, look_up: Callable[[str, str], StoredAnswer | None]) -> None:
        self._floor, self._look_up = floor, look_up
        self._recent: OrderedDict[tuple[str, str], tuple[str, Reply]] = OrderedDict()

    def remember(self, asked: CommandRequest, reply: Reply) -> None:
        if isinstance(reply, Refusal) and (
            reply.code is Code.ID_USED or asked.own_id in self._recent
        ):
            return  # the id is that of another command, or of this one as it was answered before
        self._recent[asked.own_id] = asked.digest, reply
        if len(self._recent) > MAX_CACHED_ANSWERS:
            self._recent.popitem(last=False)

    def forget_refusals(self) -> None:
        """Another owner of the floor may have carried out meanwhile what was refused here."""
        for id, (_, reply) in tuple(self._recent.items()):
            if isinstance(reply, Refusal):
                del self._recent[id]

    def recent(self, asked: CommandRequest) -> Reply | None:
        """What it was answered not long ago; an id that stood for another command is refused."""
        held = self._recent.get(asked.own_id)
        return None if held is None else _reply_if_same(asked, *held)

    async def before(self, asked: CommandRequest) -> Reply | None:
        """What it was answered, not long ago or ever: a copy that came with it may have asked the
        store just now."""
        return self.recent(asked) or await self.stored(asked)

    async def stored(self, asked: CommandRequest) -> Reply | None:
        """The same out of the store, which knows what was carried out before a restart as well."""
        kept = await asyncio.to_thread(self._look_up, self._floor, asked.id)
        if kept is None:
            return None
        reply = _reply_if_same(asked, kept.digest, Acceptance(json.loads(kept.answer)))
        if isinstance(reply, Acceptance):
            self.remember(asked, reply)
        return reply


def _reply_if_same(asked: CommandRequest, digest: str, reply: Reply) -> Reply:
    return reply if digest == asked.digest else refusal(Code.ID_USED, id=asked.id)
