"""Commands for floors that another server owns: they go through the database both servers share.

No server must reach another, know its address or share a key with it: who can open the database is
a server of the house, and nobody else is. The owner decides a forwarded command like any other,
with the id its sender made, so it does not matter who asks again, here or there, before or after
the floor has another owner: what was carried out once is answered and not done again.

An owner that dies leaves its requests open, and the next owner answers them. Where nobody does in
time, whoever asked is told that the floor is not to be had, and may send the command again.
"""

import asyncio
import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from headsup.game.record.command_codec import read_command, write_command
from headsup.game.record.journal import format_actor, parse_actor
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.house.dealing.pace import Timings
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost, FloorUnavailable, Reply
from headsup.house.log import ErrorStreak, log, short_traceback
from headsup.house.people.accounts import Person, Role
from headsup.house.people.rate_limits import MESSAGE_BURST, MESSAGES_PER_SECOND, RateLimiter
from headsup.house.store.database import Database
from headsup.house.store.forwarded_requests import (
    Request,
    answer_requests,
    open_requests,
    put_request,
    read_answers,
    remove_requests,
)

# A dead owner's floors have another within 10 seconds; who asks meanwhile is answered by that one.
WAIT_SECONDS = 12
LOOK_SECONDS = 0.5  # without a signal
CATCH_UP_SECONDS = 2  # until what was carried out elsewhere is known here
# A person has three sockets and HTTP at a server, each with a limit of its own. All other servers
# together let no more through to the owner of a floor than one of them would.
_WAYS = 4


@dataclass(frozen=True, slots=True)
class RelayedRefusal(Refusal):
    """What another server refused, with the sentence it gave."""

    said: str = ""

    @property
    def message(self) -> str:
        return self.said


class Forwarding:
    """Both ends of it in one server. `own` are the floors it owns."""

    def __init__(
        self, database: Database, server: str, own: Callable[[], dict[str, FloorHost]]
    ) -> None:
        self._database, self._server, self._own = database, server, own
        self._waiting: dict[str, asyncio.Future[Reply]] = {}  # by number: what was asked of others
        self._serving: set[str] = set()  # the numbers of what others asked
        self._answers: dict[Request, str] = {}  # to be written
        self._done: set[str] = set()  # the numbers of rows to be removed
        self._rates = RateLimiter(_WAYS * MESSAGE_BURST, _WAYS * MESSAGES_PER_SECOND)
        self._woken = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._trouble = ErrorStreak("no commands can be forwarded")
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._looking = asyncio.create_task(self._look_always(), name="forwarding")

    async def stop(self) -> None:
        """What was asked here and is not answered yet is not to be had."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(FloorUnavailable("the server stops"))
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self._tasks:
            await asyncio.wait(self._tasks)
        try:
            await self._write()
        except SQLAlchemyError as error:
            log.warning("answers for other servers were lost", at=short_traceback(error))

    def wake(self) -> None:
        """There may be something to look at."""
        self._woken.set()

    # Asking.

    async def ask(self, host: FloorHost, asked: CommandRequest) -> Reply:
        """What the owner of the floor answers; `FloorUnavailable` where it has none."""
        request = Request(uuid4().hex, host.lease.floor, self._server, _written(asked))
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[request.number] = waiting
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await asyncio.to_thread(
                    put_request, self._database, request, WAIT_SECONDS * 1_000_000
                )
                reply = await waiting
        except TimeoutError:
            raise FloorUnavailable("the owner of the floor does not answer") from None
        except (SQLAlchemyError, OSError) as error:
            raise FloorUnavailable(type(error).__name__) from error
        finally:
            del self._waiting[request.number]
            self._done.add(request.number)
        if isinstance(reply, Acceptance):
            await _known(host, reply.index)
        return reply

    # While it is open.

    async def _look_always(self) -> None:
        while True:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            try:
                await self._look()
                self._trouble.over()
            except Exception as error:
                self._trouble.seen(error)
                await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        await self._write()
        if self._waiting:
            for number, answer in (
                await asyncio.to_thread(read_answers, self._database, self._server)
            ).items():
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(_read_reply(answer))
        own = self._own()
        if own:
            await self._serve(await asyncio.to_thread(open_requests, self._database, own.keys()))

    async def _serve(self, requests: Collection[Request]) -> None:
        for request in requests:
            if request.number not in self._serving:
                self._serving.add(request.number)
                task = asyncio.create_task(self._answer(request))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(self, request: Request) -> None:
        host = self._own().get(request.floor)
        try:
            reply = (
                FloorUnavailable() if host is None else await self._asked_of(host, request.asked)
            )
        except FloorUnavailable as unavailable:
            reply = unavailable
        if isinstance(reply, FloorUnavailable):  # the next owner answers, or this one later
            self._serving.discard(request.number)
            return
        self._answers[request] = _written_reply(reply)
        self._woken.set()

    async def _asked_of(self, host: FloorHost, text: str) -> Reply:
        try:
            asked = _read(text)
        except Refused as refused:  # of a server that knows more
            return refused.refusal
        except Exception as error:
            log.error("a forwarded command cannot be read", at=short_traceback(error))
            return refusal(Code.FAULT)
        if asked.person is not None and not self._rates.take(asked.person.id):
            return refusal(Code.BUSY, "person", name=asked.person.name)
        return await host.ask(asked)

    async def _write(self) -> None:
        """Answers that are ready, together; and remove what is over."""
        if self._answers:
            answers = dict(self._answers)
            await asyncio.to_thread(answer_requests, self._database, answers)
            for request in answers:
                del self._answers[request]
                self._serving.discard(request.number)
        if self._done:
            done = set(self._done)
            await asyncio.to_thread(remove_requests, self._database, done)
            self._done -= done


async def _known(host: FloorHost, index: int) -> None:
    """What this server carried out for its own people, they see before they are answered: what
    they ask next may build on it."""
    try:
        async with asyncio.timeout(CATCH_UP_SECONDS):
            await host.reached(index)
    except TimeoutError:
        log.warning("a floor is behind its owner", floor=host.lease.floor)


def _written(asked: CommandRequest) -> str:
    person = asked.person
    return json.dumps(
        {
            "id": asked.id,
            "table": asked.table,
            "by": format_actor(asked.by),
            "command": write_command(asked.command),
            "person": None if person is None else [person.id, person.name, person.role.value],
            "pace": None if asked.pace is None else asdict(asked.pace),
            "due": asked.due,
            "typed": asked.typed,
        }
    )


def _read(text: str) -> CommandRequest:
    said: dict[str, Any] = json.loads(text)
    person = None
    if said["person"] is not None:
        id, name, role = said["person"]
        person = Person(id, name, Role(role))
    command = read_command(said["command"])
    timings = said.get("pace")  # a server of an older version sends none
    pace = None if timings is None else Timings(**timings)
    more = said.get("due", ""), said.get("typed", "")
    return CommandRequest(
        said["id"], said["table"], parse_actor(said["by"]), command, person, pace, *more
    )


def _written_reply(reply: Reply) -> str:
    if isinstance(reply, Acceptance):
        return json.dumps({"index": reply.index})
    return json.dumps({"code": reply.code.value, "message": reply.message})


def _read_reply(text: str) -> Reply:
    said = json.loads(text)
    if "index" in said:
        return Acceptance(said["index"])
    return RelayedRefusal(Code(said["code"]), said=said["message"])
