"""Forwards commands to the server that owns the floor, through the database both servers share.

Servers need not reach each other, know addresses or share keys: whatever can open the database is
a server of the house. The owner decides a forwarded command like any other, by the id its sender
made. So a command can be sent again to any server, even after the floor has changed hands: it is
carried out once.

If an owner dies, the next owner answers its open requests. If nobody answers in time, the sender
gets `FloorUnavailable` and may send the command again.
"""

import asyncio
import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from headsup.game.record.message_codec import read_command, write_command
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.table.commands import PlayerAt, Staff
from headsup.house.dealing.pace import Timings
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost, FloorUnavailable, Reply
from headsup.house.log import ErrorStreak, log, short_traceback
from headsup.house.people.person import Person, Role
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

# A dead owner's floors have a new owner within 10 seconds, which answers what was sent meanwhile.
WAIT_SECONDS = 12
POLL_SECONDS = 0.5  # between two polls if no notification comes
CATCH_UP_SECONDS = 2  # how long to wait for the entry to arrive here
# A person has three sockets and HTTP at each server, each with its own rate limit. The owner of the
# floor limits what all other servers forward for a person to what one server would accept.
_CHANNELS_PER_PERSON = 4


@dataclass(frozen=True, slots=True)
class RelayedRefusal(Refusal):
    """A refusal by another server, with the sentence it sent."""

    sentence: str = ""

    @property
    def message(self) -> str:
        return self.sentence


class Forwarding:
    """Sends requests to other servers and answers theirs. `owned` gives this server's floors."""

    def __init__(
        self, database: Database, server: str, owned: Callable[[], dict[str, FloorHost]]
    ) -> None:
        self._database, self._server, self._owned = database, server, owned
        self._waiting: dict[str, asyncio.Future[Reply]] = {}  # our requests, by number
        self._serving: set[str] = set()  # numbers of requests from other servers
        self._answers: dict[Request, str] = {}  # not written yet
        self._done: set[str] = set()  # numbers of rows to delete
        self._rates = RateLimiter(
            _CHANNELS_PER_PERSON * MESSAGE_BURST, _CHANNELS_PER_PERSON * MESSAGES_PER_SECOND
        )
        self._woken = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._errors = ErrorStreak("cannot forward commands")
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._loop = asyncio.create_task(self._run(), name="forwarding")

    async def stop(self) -> None:
        """Fail our open requests and finish those of other servers."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(FloorUnavailable("the server is stopping"))
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait([self._loop])
        if self._tasks:
            await asyncio.wait(self._tasks)
        try:
            await self._write_results()
        except SQLAlchemyError as error:
            log.warning("answers for other servers were lost", at=short_traceback(error))

    def wake(self) -> None:
        """Look at once: there may be new requests or answers."""
        self._woken.set()

    # Sending requests.

    async def submit(self, host: FloorHost, command_request: CommandRequest) -> Reply:
        """Send a command to the floor's owner and return its answer; raises `FloorUnavailable` if
        none comes in time."""
        text = _write_request(command_request)
        request = Request(uuid4().hex, host.lease.floor, self._server, text)
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[request.number] = waiting
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await asyncio.to_thread(
                    put_request, self._database, request, WAIT_SECONDS * 1_000_000
                )
                reply = await waiting
        except TimeoutError:
            raise FloorUnavailable("the floor's owner does not answer") from None
        except (SQLAlchemyError, OSError) as error:
            raise FloorUnavailable(type(error).__name__) from error
        finally:
            del self._waiting[request.number]
            self._done.add(request.number)
        if isinstance(reply, Acceptance):
            await _wait_until_known(host, reply.index)
        return reply

    # The task.

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            try:
                await self._look()
                self._errors.recovered()
            except Exception as error:
                self._errors.failed(error)
                await asyncio.sleep(POLL_SECONDS)

    async def _look(self) -> None:
        await self._write_results()
        if self._waiting:
            for number, answer in (
                await asyncio.to_thread(read_answers, self._database, self._server)
            ).items():
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(_read_reply(answer))
        owned = self._owned()
        if owned:
            await self._serve(await asyncio.to_thread(open_requests, self._database, owned.keys()))

    async def _serve(self, requests: Collection[Request]) -> None:
        for request in requests:
            if request.number not in self._serving:
                self._serving.add(request.number)
                task = asyncio.create_task(self._answer(request))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(self, request: Request) -> None:
        host = self._owned().get(request.floor)
        try:
            reply = (
                FloorUnavailable() if host is None else await self._decide(host, request.payload)
            )
        except FloorUnavailable as unavailable:
            reply = unavailable
        if isinstance(reply, FloorUnavailable):  # the next owner answers it, or this one later
            self._serving.discard(request.number)
            return
        self._answers[request] = _write_reply(reply)
        self._woken.set()

    async def _decide(self, host: FloorHost, text: str) -> Reply:
        try:
            request = _read_request(text)
        except Refused as refused:  # from a server of a newer version
            return refused.refusal
        except Exception as error:
            log.error("cannot read a forwarded command", at=short_traceback(error))
            return refusal(Code.FAULT)
        if request.person is not None and not self._rates.take(request.person.id):
            return refusal(Code.BUSY, "person", name=request.person.name)
        return await host.submit(request)

    async def _write_results(self) -> None:
        """Write the answers that are ready, and delete the rows of requests that are over."""
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


async def _wait_until_known(host: FloorHost, index: int) -> None:
    """Wait until this server has the entry, so that its users see the result before the answer:
    their next command may build on it."""
    try:
        async with asyncio.timeout(CATCH_UP_SECONDS):
            await host.wait_for_entry(index)
    except TimeoutError:
        log.warning("floor has not caught up with its owner", floor=host.lease.floor)


def _write_request(request: CommandRequest) -> str:
    person = request.person
    return json.dumps(
        {
            "id": request.id,
            "table": request.table,
            "by": asdict(request.by),
            "command": write_command(request.command),
            "person": None if person is None else [person.id, person.name, person.role.value],
            "pace": None if request.pace is None else asdict(request.pace),
            "due": request.expected_step,
            "typed": request.typed_text,
        }
    )


def _read_request(text: str) -> CommandRequest:
    fields: dict[str, Any] = json.loads(text)
    person = None
    if fields["person"] is not None:
        id, name, role = fields["person"]
        person = Person(id, name, Role(role))
    command = read_command(fields["command"])
    by = PlayerAt(**fields["by"]) if "seat" in fields["by"] else Staff(**fields["by"])
    pace = None if fields["pace"] is None else Timings(**fields["pace"])
    return CommandRequest(
        fields["id"],
        fields["table"],
        by,
        command,
        person,
        pace,
        expected_step=fields["due"],
        typed_text=fields["typed"],
    )


def _write_reply(reply: Reply) -> str:
    if isinstance(reply, Acceptance):
        return json.dumps({"index": reply.index})
    return json.dumps({"code": reply.code.value, "message": reply.message})


def _read_reply(text: str) -> Reply:
    fields = json.loads(text)
    if "index" in fields:
        return Acceptance(fields["index"])
    return RelayedRefusal(Code(fields["code"]), sentence=fields["message"])
