"""One task owns one floor and works its queue; nothing is told before it is durable.

Commands that wait together are decided together, kept in one append, and then told: first the
answers to those who asked, then what happened to everyone who watches. A command sent again is
answered as before.

A command that cannot be decided is a bug, and nobody's but its sender's trouble. When the store is
gone, or another server has the floor, the floor halts: whoever waits is told so and nothing else,
until the house takes it again from its log (`resume`). Meanwhile it follows what its owner, on
another server, writes there (`follow`).
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from headsup.game.record.chain import Link
from headsup.game.record.journal import Journal, decide_at, record_events
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Command, PlayerAt
from headsup.game.table.events import Event
from headsup.game.values.money import format_cents
from headsup.house.cash.thresholds import ReportingThresholds
from headsup.house.dealing.pace import TablePace, TimeLeft
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.log_reader import LogStep
from headsup.house.floor.next_step import step_key
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.floor.request import Acceptance as Acceptance
from headsup.house.floor.request import Answers, stored_answer_for
from headsup.house.floor.request import CommandRequest as CommandRequest
from headsup.house.floor.request import Reply as Reply
from headsup.house.floor.wallet_moves import wallet_moves
from headsup.house.log import log, short_traceback
from headsup.house.people.permissions import permission_refusal
from headsup.house.store.paces import pace_incident
from headsup.house.store.projection_tables import IncidentKind, Projection
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    StoredAnswer,
    StoreLost,
    WalletMove,
)

MAX_QUEUED_COMMANDS = 1_000  # commands of one floor; a floor that is so far behind takes no more
SERVER_STOPPING = "the server stops"
OWNED_ELSEWHERE = "another server owns the floor"


@dataclass(frozen=True, slots=True)
class FloorUpdate:
    """One decision that is durable: its events at a table, and the journal after it."""

    journal: Journal
    table: str
    events: tuple[Event, ...]


Subscriber: TypeAlias = Callable[[FloorUpdate], None]


class FloorUnavailable(RuntimeError):
    """The floor is not to be had here now: its owner has changed or the store is gone."""


@dataclass(slots=True)
class _PendingRequest:
    asked: CommandRequest
    done: "asyncio.Future[Reply]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    answered: bool = False  # also where nobody waits for the answer any more


@dataclass(slots=True)
class _Batch:
    """What was decided and is not kept yet."""

    journal: Journal
    at: str
    large: ReportingThresholds
    forbids: Callable[[Command], Refusal | None]
    links: list[Link] = field(default_factory=list)
    happened: list[FloorUpdate] = field(default_factory=list)
    moves: list[WalletMove] = field(default_factory=list)
    accepted: dict[str, Acceptance] = field(default_factory=dict)  # by the sender's id
    answers: dict[str, StoredAnswer] = field(default_factory=dict)
    replies: list[tuple[_PendingRequest, Reply]] = field(default_factory=list)
    notes: list[Projection] = field(default_factory=list)
    paces: list[tuple[str, TablePace]] = field(default_factory=list)

    def decide(self, asked: CommandRequest) -> Reply:
        """Decide one more command, on top of those before it."""
        digest = asked.digest
        if (before := self.answers.get(asked.id)) is not None:
            same = before.digest == digest
            return self.accepted[asked.id] if same else refusal(Code.ID_USED, id=asked.id)
        floor = self.journal.floor
        table = floor.tables.get(asked.table)
        if asked.person and (forbids := permission_refusal(asked.person, table, asked.command)):
            return forbids
        if asked.due and (table is None or step_key(table) != asked.due):
            return refusal(Code.NOT_DUE_ANY_MORE)
        if forbids := self.forbids(asked.command):
            return forbids
        decision = decide_at(self.journal, self.at, asked.table, asked.by, asked.command)
        if isinstance(decision, Refusal):
            return decision
        journal, written = record_events(self.journal, self.at, asked.table, asked.by, decision)
        moves = wallet_moves(floor, asked.table, decision, written[-1].index)
        decided = FloorDecision(floor, journal, asked.table, asked.by, decision, self.large)
        outcome = Acceptance(written[-1].index)
        self.answers[asked.id] = stored_answer_for(asked, outcome)
        self.accepted[asked.id] = outcome
        self.journal = journal
        self.moves += moves
        self.links += written
        self.happened.append(FloorUpdate(journal, asked.table, decision))
        self.notes.append(project_decision(decided))
        if asked.pace is not None:
            pace = TablePace(asked.pace, decided.who, self.at)
            told = pace_incident(asked.table, pace.timings, pace.by, pace.at)
            self.notes.append(Projection(incidents=(told,)))
            self.paces.append((asked.table, pace))
        return outcome


class FloorHost:
    """One floor: its owner, or while it has another on another server, who follows it."""

    def __init__(
        self,
        lease: Lease,
        journal: Journal,
        keeper: GroupCommit,
        answer: Callable[[str, str], StoredAnswer | None],
        now: Callable[[], str],
        on_lost: Callable[[], None] = lambda: None,
        lost: str = "",
        tell: Callable[[IncidentKind, dict[str, object], str, str, str], None] = lambda *_: None,
        large: Callable[[], ReportingThresholds] = ReportingThresholds,
        forbids: Callable[[Command], Refusal | None] = lambda _: None,
        holds: Callable[[Lease], bool] | None = None,
    ) -> None:
        """`tell` hears of significant events that are no decision of the floor; `thresholds` says
        which amounts are large at this moment; `forbids` what is not begun here, and why. `holds`
        asks the store whether a lease is still the floor's; None where no other can take it."""
        self.lease, self.journal, self._significant, self._large = lease, journal, tell, large
        self._forbids, self._holds = forbids, holds
        self.good_until = inf  # by the time of the loop, if the lease is not renewed
        self._keeper, self._now, self._on_lost = keeper, now, on_lost
        self._answers = Answers(lease.floor, answer)
        self._queue: asyncio.Queue[_PendingRequest | None] = asyncio.Queue(MAX_QUEUED_COMMANDS)
        self._watchers: dict[str, set[Subscriber]] = {}  # by table; "" for all of the floor
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        # How long players at a table have left, where an automatic dealer keeps the time.
        self.clocks: dict[str, Callable[[], tuple[TimeLeft, ...]]] = {}
        self.lost = lost  # why the floor is not to be had here
        self.failed_at = -inf  # when the store last failed, by the loop's clock; kept since: never
        self.failures = 0  # of the store since something was last kept

    def start(self) -> None:
        self._task = asyncio.create_task(self._work(), name=f"floor {self.lease.floor}")

    async def stop(self) -> None:
        """Take no more, finish what was accepted, and end."""
        halted, self.lost = self.lost, SERVER_STOPPING
        self._changed.set()
        if self._task is not None and not halted:
            await self._queue.put(None)
            await self._task

    def watch(self, watcher: Subscriber, table: str = "") -> Callable[[], None]:
        """Be told of every entry, or those of one table, once it is durable, in order; call the
        result to stop."""
        self._watchers.setdefault(table, set()).add(watcher)
        return lambda: self._watchers[table].discard(watcher)

    def clock(self, table: str) -> tuple[TimeLeft, ...]:
        """The time that players at a table have left; nothing where a person deals."""
        return clock() if (clock := self.clocks.get(table)) else ()

    async def ask(self, asked: CommandRequest) -> Reply:
        """The answer to a command, once it is durable; the same answer when it is sent again."""
        if self.lost:
            raise FloorUnavailable(self.lost)
        waiting = _PendingRequest(asked)
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            return refusal(Code.BUSY, floor=self.lease.floor)
        return await waiting.done

    async def kept(self, asked: CommandRequest) -> Acceptance | None:
        """What it was answered where it was carried out before, here or on another server."""
        reply = await self._answers.stored(asked)
        return reply if isinstance(reply, Acceptance) else None

    async def back(self) -> bool:
        """Returns True as soon as the floor is to be had; False when it has ended here."""
        while self.lost and self.lost != SERVER_STOPPING:
            self._changed.clear()
            await self._changed.wait()
        return not self.lost

    def lose(self, why: str) -> None:
        """The floor halts here: whoever waits is told, nobody is told what was not kept."""
        if self.lost:
            return
        self._halt([], why)
        if self._task is not None:
            self._task.cancel()

    def resume(self, lease: Lease, steps: Iterable[LogStep]) -> None:
        """Go on with a floor that is ours again, after what its log holds beyond our journal."""
        if not self.lost or self.lost == SERVER_STOPPING:
            raise RuntimeError(f"floor {lease.floor} has not halted")
        self.follow(steps)
        self._answers.forget_refusals()
        self.lease, self.lost = lease, ""
        self._changed.set()
        self.start()

    def follow(self, steps: Iterable[LogStep]) -> None:
        """Know and tell what the log holds beyond our journal; a floor of one's own has no more."""
        for step in steps if self.lost else ():
            if step.journal.head.count <= self.journal.head.count:
                continue  # another look was quicker
            self.journal = step.journal
            if step.events:
                self._tell(FloorUpdate(step.journal, step.table, step.events))

    async def reached(self, index: int) -> None:
        """Returns once that entry is known here."""
        grown = asyncio.Event()
        unwatch = self.watch(lambda _: grown.set())
        try:
            while self.journal.head.count <= index:
                grown.clear()
                await grown.wait()
        finally:
            unwatch()

    # The task.

    async def _work(self) -> None:
        while True:
            batch = [await self._queue.get()]
            waiting = [one for one in batch if one is not None]
            try:
                await self._keeper.turn(self.lease.floor)
                while not self._queue.empty():
                    batch.append(self._queue.get_nowait())
                waiting = [one for one in batch if one is not None]
                await self._decide(waiting)
            except asyncio.CancelledError:
                self._release(waiting, self.lost or SERVER_STOPPING)
                raise
            except Exception as error:
                why = error if isinstance(error, FloorUnavailable) else type(error).__name__
                log.error(
                    "a floor halts", floor=self.lease.floor, why=str(why), at=short_traceback(error)
                )
                self._halt(waiting, f"floor {self.lease.floor}: {why}")
                return
            if len(waiting) < len(batch):
                return

    async def _decide(self, waiting: list[_PendingRequest]) -> None:
        """Decide all, keep all; where the store says no to some, one at a time."""
        if await self._try(waiting):
            return
        for one in waiting:
            if not one.answered:
                await self._try([one])

    async def _try(self, waiting: list[_PendingRequest]) -> bool:
        """Whether all of them are answered. What is refused is told with the rest: it may be
        refused for something that is not kept in the end."""
        batch = _Batch(self.journal, self._now(), self._large(), self._forbids)
        for one in waiting:
            try:
                reply = self._answers.recent(one.asked) or batch.decide(one.asked)
            except Exception as error:
                self._fault(one, error)
                continue
            batch.replies.append((one, reply))
        for place, (one, reply) in enumerate(batch.replies):
            if isinstance(reply, Refusal):
                # Perhaps it was carried out long ago, and is refused for that very reason.
                batch.replies[place] = one, await self._answers.before(one.asked) or reply
        if batch.links and not await self._keep(batch):
            return False
        if not batch.links and any(isinstance(reply, Refusal) for _, reply in batch.replies):
            await self._sure()
        # From here on nothing waits: who is told of one entry is told of all.
        self.journal = batch.journal
        for one, reply in batch.replies:
            self._reply(one, reply)
        for one_thing in batch.happened:
            self._tell(one_thing)
        return True

    async def _sure(self) -> None:
        """Nothing was kept, so no fence was passed: what is refused here may be so no longer."""
        if asyncio.get_running_loop().time() > self.good_until:
            raise FloorUnavailable("the lease has run out")
        if self._holds and not await asyncio.to_thread(self._holds, self.lease):
            raise FloorUnavailable(OWNED_ELSEWHERE)

    async def _keep(self, batch: _Batch) -> bool:
        answers, moves = tuple(batch.answers.values()), tuple(batch.moves)
        append = Append(
            *(self.lease, self.journal.head, tuple(batch.links), batch.at, answers, moves),
            notes=tuple(batch.notes),
            paces=tuple(batch.paces),
        )
        try:
            kept = await self._keeper.keep(append)
        except StoreLost:
            self.failed_at = asyncio.get_running_loop().time()
            self.failures += 1
            raise
        except Exception as error:
            if len(batch.replies) > 1:
                return False
            self._fault(batch.replies[0][0], error)
            return False
        if kept is AppendResult.KEPT:
            self.failed_at, self.failures = -inf, 0
            return True
        if kept is AppendResult.NOT_OWNER:
            raise FloorUnavailable(OWNED_ELSEWHERE)
        if len(batch.replies) == 1:
            await self._not_kept(kept, batch.replies[0][0], batch)
        return False

    async def _not_kept(self, kept: AppendResult, one: _PendingRequest, batch: _Batch) -> None:
        """Nothing of the append was kept, and the floor is as it was."""
        if kept is AppendResult.WALLET_SHORT:
            self._tell_short(one.asked, batch)
            self._reply(one, refusal(Code.WALLET_SHORT))
            return
        before = await self._answers.stored(one.asked)
        self._reply(one, before or refusal(Code.ID_USED, id=one.asked.id))

    def _tell_short(self, asked: CommandRequest, batch: _Batch) -> None:
        """Whose wallet holds less than the command, alone in its batch, would have taken."""
        for move in (move for move in batch.moves if move.cents < 0):
            said: dict[str, object] = {
                "command": type(asked.command).__name__,
                "player": move.person,
                "seat": getattr(asked.command, "seat", None),
                "amount": format_cents(move.cents),
            }
            who = move.person if isinstance(asked.by, PlayerAt) else asked.by.name
            place = self.lease.floor, asked.table
            self._significant(IncidentKind.NEGATIVE_BALANCE, said, *place, who)

    # Telling.

    def _reply(self, one: _PendingRequest, reply: Reply) -> None:
        self._answers.remember(one.asked, reply)
        one.answered = True
        if not one.done.done():
            one.done.set_result(reply)

    def _fault(self, one: _PendingRequest, error: Exception) -> None:
        """A bug: nothing was done, and it is not remembered as an answer."""
        what = type(one.asked.command).__name__
        log.error(
            "a command failed", table=one.asked.table, command=what, at=short_traceback(error)
        )
        said: dict[str, object] = {"command": what, "at": short_traceback(error)}
        place = self.lease.floor, one.asked.table
        self._significant(IncidentKind.PROGRAM_ERROR, said, *place, "house")
        one.answered = True
        if not one.done.done():
            one.done.set_result(refusal(Code.FAULT))

    def _tell(self, happened: FloorUpdate) -> None:
        for of in ("", happened.table):
            watchers = self._watchers.get(of, set())
            for watcher in tuple(watchers):
                try:
                    watcher(happened)
                except Exception as error:
                    log.error("a watcher failed", table=happened.table, at=short_traceback(error))
                    watchers.discard(watcher)

    def _halt(self, waiting: list[_PendingRequest], why: str) -> None:
        self.lost = self.lost or why
        while not self._queue.empty():
            if (one := self._queue.get_nowait()) is not None:
                waiting.append(one)
        self._release(waiting, why)
        self._on_lost()

    def _release(self, waiting: list[_PendingRequest], why: str) -> None:
        for one in waiting:
            if not one.done.done():
                one.done.set_exception(FloorUnavailable(why))
