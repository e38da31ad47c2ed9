"""Runs one floor: queues its commands, decides them in batches, commits them, then publishes.

Nothing is published before it is durable. The commands of a batch share one append; after the
commit their senders get the answers, and then subscribers get the updates. A command that is sent
again gets the same answer as before.

A command that cannot be decided is a bug and affects its sender alone. If the store fails, or
another server takes the floor, the floor halts: everybody who waits for an answer gets
`FloorUnavailable`, until the house takes the floor again from its log (`resume`). While another
server owns the floor, the host follows the entries which that server writes (`follow`).
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from headsup.game.record.chain import Link
from headsup.game.record.journal import (
    NO_ORIGIN,
    Checkpoint,
    Header,
    Journal,
    Origin,
    ReplayedEntry,
    actor_name,
    decide_at,
    record_checkpoint,
    record_decision,
    start_log,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.events import Event
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import (
    CorrectPayout,
    is_of_earlier_round,
    refuse_correction,
)
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.state import Floor, ReportingThresholds, SettledRound
from headsup.game.values.money import format_cents
from headsup.house.dealing.pace import TimeLeft, pace_of
from headsup.house.floor.gate import HOUSE, Gate
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.floor.request import Acceptance as Acceptance
from headsup.house.floor.request import Answers, RequestContent
from headsup.house.floor.request import CommandRequest as CommandRequest
from headsup.house.floor.request import Reply as Reply
from headsup.house.log import log, short_traceback
from headsup.house.store.projection_rows import IncidentKind, Projection, WalletMove
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    StoreLost,
)

MAX_QUEUED_COMMANDS = 1_000  # per floor; further commands are refused as busy
# How many entries per table are replayed at most when a floor is opened, at 0.1 ms each. Writing
# checkpoints more often would hold up other tables.
CHECKPOINT_ENTRIES_PER_TABLE = 40
SERVER_STOPPING = "the server is stopping"
OWNED_ELSEWHERE = "another server owns the floor"


@dataclass(frozen=True, slots=True)
class FloorUpdate:
    """One durable decision: its events at a table, and the journal after it."""

    journal: Journal
    table: str
    events: tuple[Event, ...]


Subscriber: TypeAlias = Callable[[FloorUpdate], None]


class FloorUnavailable(RuntimeError):
    """This server cannot serve the floor: another one owns it, or the store is down."""


@dataclass(slots=True)
class _PendingRequest:
    request: CommandRequest
    future: "asyncio.Future[Reply]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    is_answered: bool = False  # also if nobody waits for the answer any more


@dataclass(slots=True)
class _Batch:
    """Commands that are decided but not committed yet."""

    journal: Journal
    at: str
    header: Header  # of the log, if this is its first decision
    thresholds: ReportingThresholds
    gate: Gate
    links: list[Link] = field(default_factory=list)
    updates: list[FloorUpdate] = field(default_factory=list)
    accepted: dict[str, tuple[RequestContent, Acceptance]] = field(default_factory=dict)  # by id
    replies: list[tuple[_PendingRequest, Reply]] = field(default_factory=list)
    projections: list[Projection] = field(default_factory=list)
    checkpoint: Checkpoint | None = None
    # The rounds that corrections are about, by table and number, as far as they were settled.
    settled: Mapping[tuple[str, int], SettledRound | None] = field(default_factory=dict)

    def decide(self, request: CommandRequest) -> Reply:
        """Decide one more command, on top of those before it."""
        content = request.content
        if (earlier := self.accepted.get(request.id)) is not None:
            is_same = earlier[0] == content
            return earlier[1] if is_same else refusal(Code.ID_USED, id=request.id)
        table = self.journal.floor.tables.get(request.table)
        command = request.command
        if refused := self.gate.refusal_for(request, table):
            return refused
        if table and isinstance(command, CorrectPayout) and is_of_earlier_round(table, command):
            settled = self.settled.get((table.id, command.round))
            if refused := refuse_correction(settled, command):
                return refused
        decision = decide_at(self.journal, self.at, request.table, request.by, command)
        if isinstance(decision, Refusal):
            return decision
        if not self.links:
            self._begin()
        if table is not None and table.thresholds != self.thresholds and not table.closed:
            self._apply(request.table, HOUSE, SetThresholds(*self.thresholds))
        index = self._record(request.table, request.by, command, decision, request.origin)
        acceptance = Acceptance(index)
        if request.id:
            self.accepted[request.id] = content, acceptance
        if request.pace is not None and isinstance(request.by, Staff):
            pace = pace_of(request.pace, request.by.name, self.at)
            self._apply(request.table, request.by, SetPace(pace))
        return acceptance

    def _apply(self, table: str, by: Actor, command: Command) -> None:
        """Decide a command of the house itself, which cannot be refused here."""
        decision = decide_at(self.journal, self.at, table, by, command)
        if isinstance(decision, Refusal):
            raise RuntimeError(f"{type(command).__name__} was refused: {decision.code}")
        self._record(table, by, command, decision)

    def _record(
        self,
        table: str,
        by: Actor,
        command: Command,
        events: tuple[Event, ...],
        origin: Origin = NO_ORIGIN,
    ) -> int:
        """Record a decision; returns the index of its entry."""
        before = self.journal.floor
        self.journal, links = record_decision(
            self.journal, self.at, table, by, command, events, origin
        )
        name = actor_name(before, table, by, command)
        decision = FloorDecision(before, self.journal, table, name, events, origin.id)
        self.links += links
        self.updates.append(FloorUpdate(self.journal, table, events))
        self.projections.append(project_decision(decision))
        return links[-1].index

    def _begin(self) -> None:
        """What comes before the first decision of a log, and of a batch if a checkpoint is due."""
        journal = self.journal
        if journal.head.count == 0:
            self.journal, header = start_log(self.header)
            self.links.append(header)
        elif journal.head.count >= journal.checked + entries_per_checkpoint(journal.floor):
            self.checkpoint = record_checkpoint(journal, self.at)
            self.journal = self.checkpoint.journal
            self.links.append(self.checkpoint.link)


def entries_per_checkpoint(floor: Floor) -> int:
    return CHECKPOINT_ENTRIES_PER_TABLE * len(floor.tables)


class FloorHost:
    """Runs one floor if this server owns it; otherwise follows its owner's log."""

    def __init__(
        self,
        lease: Lease,
        journal: Journal,
        group_commit: GroupCommit,
        find_entry: Callable[[str, str], Link | None],
        now: Callable[[], str],
        on_halt: Callable[[], None] = lambda: None,
        halt_reason: str = "",
        report_incident: Callable[
            [IncidentKind, dict[str, object], str, str, str], None
        ] = lambda *_: None,
        thresholds: Callable[[], ReportingThresholds] = ReportingThresholds,
        gate: Gate | None = None,
        holds_lease: Callable[[Lease], bool] | None = None,
        house: str = "",
        on_checkpoint: Callable[[Checkpoint], None] = lambda _: None,
        find_settled_round: Callable[[str, str, int], SettledRound | None] = lambda *_: None,
    ) -> None:
        """`find_entry` finds the entry that a command led to, by floor and id.
        `report_incident` takes significant events that no decision of the floor made;
        `thresholds` gives the current reporting thresholds; `gate` has the house's checks.
        `holds_lease` asks the store whether a lease is still current; None if no other server can
        take it. `house` is the house's identity. `on_checkpoint` stores snapshots.
        `find_settled_round` finds an earlier round by floor, table and number."""
        self.lease, self.journal, self._house = lease, journal, house
        self._on_checkpoint, self._find_settled_round = on_checkpoint, find_settled_round
        self._report_incident, self._thresholds = report_incident, thresholds
        self._gate, self._holds_lease = gate or Gate(), holds_lease
        self.lease_good_until = inf  # by the loop's clock, if the lease is not renewed
        self._group_commit, self._now, self._on_halt = group_commit, now, on_halt
        self._answers = Answers(lease.floor, find_entry)
        self._queue: asyncio.Queue[_PendingRequest | None] = asyncio.Queue(MAX_QUEUED_COMMANDS)
        self._subscribers: dict[str, set[Subscriber]] = {}  # by table; "" for the whole floor
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        # The time players have left, for tables with an automatic dealer.
        self.time_left_by_table: dict[str, Callable[[], tuple[TimeLeft, ...]]] = {}
        self.halt_reason = halt_reason  # empty while this server runs the floor
        self.failed_at = -inf  # the store's last failure, by the loop's clock; -inf after a commit
        self.failures = 0  # failures of the store since the last commit

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"floor {self.lease.floor}")

    async def stop(self) -> None:
        """Accept no more commands, finish those already queued, and end."""
        halt_reason, self.halt_reason = self.halt_reason, SERVER_STOPPING
        self._changed.set()
        if self._task is not None and not halt_reason:
            await self._queue.put(None)
            await self._task

    def subscribe(self, subscriber: Subscriber, table: str = "") -> Callable[[], None]:
        """Call `subscriber` with each update of the floor, or of one table, in order. Returns a
        function that unsubscribes."""
        self._subscribers.setdefault(table, set()).add(subscriber)
        return lambda: self._subscribers[table].discard(subscriber)

    def time_left(self, table: str) -> tuple[TimeLeft, ...]:
        """The time players at a table have left; empty where a person deals."""
        return clock() if (clock := self.time_left_by_table.get(table)) else ()

    async def submit(self, request: CommandRequest) -> Reply:
        """Queue a command and return its answer once it is durable."""
        if self.halt_reason:
            raise FloorUnavailable(self.halt_reason)
        pending = _PendingRequest(request)
        try:
            self._queue.put_nowait(pending)
        except asyncio.QueueFull:
            return refusal(Code.BUSY, floor=self.lease.floor)
        return await pending.future

    async def find_acceptance(self, request: CommandRequest) -> Acceptance | None:
        """The stored acceptance, if the command was carried out before on any server."""
        reply = await self._answers.find_stored(request)
        return reply if isinstance(reply, Acceptance) else None

    async def wait_until_open(self) -> bool:
        """Wait until this server runs the floor; False if the server stops first."""
        while self.halt_reason and self.halt_reason != SERVER_STOPPING:
            self._changed.clear()
            await self._changed.wait()
        return not self.halt_reason

    def halt(self, reason: str) -> None:
        """Halt the floor on this server. What was not committed is neither answered nor
        published."""
        if self.halt_reason:
            return
        self._stop_serving([], reason)
        if self._task is not None:
            self._task.cancel()

    def resume(self, lease: Lease, entries: Iterable[ReplayedEntry]) -> None:
        """Run a halted floor again, after applying what was added to its log meanwhile."""
        if not self.halt_reason or self.halt_reason == SERVER_STOPPING:
            raise RuntimeError(f"floor {lease.floor} has not halted")
        self.follow(entries)
        self._answers.forget_refusals()
        self.lease, self.halt_reason = lease, ""
        self._changed.set()
        self.start()

    def follow(self, entries: Iterable[ReplayedEntry]) -> None:
        """Apply and publish new entries of the log. Does nothing while this server runs the floor,
        since then nobody else adds entries."""
        for entry in entries if self.halt_reason else ():
            if entry.journal.head.count <= self.journal.head.count:
                continue  # applied by an earlier call
            self.journal = entry.journal
            if entry.events:
                self._publish(FloorUpdate(entry.journal, entry.table, entry.events))

    async def wait_for_entry(self, index: int) -> None:
        """Wait until the entry is known on this server."""
        grown = asyncio.Event()
        unsubscribe = self.subscribe(lambda _: grown.set())
        try:
            while self.journal.head.count <= index:
                grown.clear()
                await grown.wait()
        finally:
            unsubscribe()

    # The floor's task.

    async def _run(self) -> None:
        while True:
            queued = [await self._queue.get()]
            pending = [request for request in queued if request is not None]
            try:
                await self._group_commit.wait_turn(self.lease.floor)
                while not self._queue.empty():
                    queued.append(self._queue.get_nowait())
                pending = [request for request in queued if request is not None]
                await self._process(pending)
            except asyncio.CancelledError:
                self._fail_all(pending, self.halt_reason or SERVER_STOPPING)
                raise
            except Exception as error:
                reason = error if isinstance(error, FloorUnavailable) else type(error).__name__
                log.error(
                    "floor halted",
                    floor=self.lease.floor,
                    why=str(reason),
                    at=short_traceback(error),
                )
                self._stop_serving(pending, f"floor {self.lease.floor}: {reason}")
                return
            if len(pending) < len(queued):  # None: stop
                return

    async def _process(self, pending: list[_PendingRequest]) -> None:
        """Process the requests as one batch; if the store rejects it, one at a time."""
        if await self._process_batch(pending):
            return
        for request in pending:
            if not request.is_answered:
                await self._process_batch([request])

    async def _process_batch(self, requests: list[_PendingRequest]) -> bool:
        """Decide and commit some requests and answer them; False if the batch was not committed.
        Refusals wait for the commit too: they may depend on a decision that is not committed."""
        header = Header(self.lease.floor, self._house)
        batch = _Batch(self.journal, self._now(), header, self._thresholds(), self._gate)
        batch.settled = await self._find_settled_rounds(requests)
        for pending in requests:
            try:
                reply = self._answers.find_cached(pending.request) or batch.decide(pending.request)
            except Exception as error:
                self._report_bug(pending, error)
                continue
            batch.replies.append((pending, reply))
        for position, (pending, reply) in enumerate(batch.replies):
            if isinstance(reply, Refusal):
                # It may be refused precisely because it was carried out before.
                earlier = await self._answers.find(pending.request)
                batch.replies[position] = pending, earlier or reply
        if batch.links and not await self._commit(batch):
            return False
        if not batch.links and any(isinstance(reply, Refusal) for _, reply in batch.replies):
            await self._check_lease()
        # No await from here on, so that subscribers cannot miss some of the batch's updates.
        self.journal = batch.journal
        for pending, reply in batch.replies:
            self._reply(pending, reply)
        for update in batch.updates:
            self._publish(update)
        if batch.checkpoint is not None:
            self._on_checkpoint(batch.checkpoint)
        return True

    async def _find_settled_rounds(
        self, requests: list[_PendingRequest]
    ) -> dict[tuple[str, int], SettledRound | None]:
        """Look up the rounds that these requests want to correct; a table knows its last only."""
        found: dict[tuple[str, int], SettledRound | None] = {}
        for request in (pending.request for pending in requests):
            command = request.command
            if isinstance(command, CorrectPayout) and command.round:
                place = self.lease.floor, request.table, command.round
                found[place[1:]] = await asyncio.to_thread(self._find_settled_round, *place)
        return found

    async def _check_lease(self) -> None:
        """Check the lease before answering with refusals alone. Nothing was appended, so the store
        has not checked it, and the state they are based on may be out of date."""
        if asyncio.get_running_loop().time() > self.lease_good_until:
            raise FloorUnavailable("the lease has run out")
        if self._holds_lease and not await asyncio.to_thread(self._holds_lease, self.lease):
            raise FloorUnavailable(OWNED_ELSEWHERE)

    async def _commit(self, batch: _Batch) -> bool:
        append = self._append_of(batch)
        try:
            result = await self._group_commit.commit(append)
        except StoreLost:
            self.failed_at = asyncio.get_running_loop().time()
            self.failures += 1
            raise
        except Exception as error:
            if len(batch.replies) > 1:
                return False
            self._report_bug(batch.replies[0][0], error)
            return False
        if result is AppendResult.STORED:
            self.failed_at, self.failures = -inf, 0
            return True
        if result is AppendResult.NOT_OWNER:
            raise FloorUnavailable(OWNED_ELSEWHERE)
        if len(batch.replies) == 1:
            await self._reply_rejected(result, batch.replies[0][0], append.moves)
        return False

    def _append_of(self, batch: _Batch) -> Append:
        return Append(
            self.lease,
            self.journal.head,
            tuple(batch.links),
            tuple(batch.projections),
        )

    async def _reply_rejected(
        self, result: AppendResult, pending: _PendingRequest, moves: tuple[WalletMove, ...]
    ) -> None:
        """Answer a request whose append the store rejected. The floor is unchanged."""
        if result is AppendResult.WALLET_SHORT:
            self._report_short_wallet(pending.request, moves)
            self._reply(pending, refusal(Code.WALLET_SHORT))
            return
        earlier = await self._answers.find_stored(pending.request)
        self._reply(pending, earlier or refusal(Code.ID_USED, id=pending.request.id))

    def _report_short_wallet(self, request: CommandRequest, moves: tuple[WalletMove, ...]) -> None:
        """Report that a wallet held less than the command, alone in its batch, needed."""
        for move in (move for move in moves if move.cents < 0):
            details: dict[str, object] = {
                "command": type(request.command).__name__,
                "player": move.person,
                "seat": getattr(request.command, "seat", None),
                "amount": format_cents(move.cents),
            }
            actor = move.person if isinstance(request.by, PlayerAt) else request.by.name
            floor_and_table = self.lease.floor, request.table
            self._report_incident(IncidentKind.NEGATIVE_BALANCE, details, *floor_and_table, actor)

    # Answering and publishing.

    def _reply(self, pending: _PendingRequest, reply: Reply) -> None:
        self._answers.remember(pending.request, reply)
        pending.is_answered = True
        if not pending.future.done():
            pending.future.set_result(reply)

    def _report_bug(self, pending: _PendingRequest, error: Exception) -> None:
        """Report a command that raised. It had no effect, and the answer is not remembered."""
        request = pending.request
        command = type(request.command).__name__
        trace = short_traceback(error)
        log.error("a command failed", table=request.table, command=command, at=trace)
        details: dict[str, object] = {"command": command, "at": trace}
        floor_and_table = self.lease.floor, request.table
        self._report_incident(IncidentKind.PROGRAM_ERROR, details, *floor_and_table, "house")
        pending.is_answered = True
        if not pending.future.done():
            pending.future.set_result(refusal(Code.FAULT))

    def _publish(self, update: FloorUpdate) -> None:
        for table in ("", update.table):
            subscribers = self._subscribers.get(table, set())
            for subscriber in tuple(subscribers):
                try:
                    subscriber(update)
                except Exception as error:
                    log.error("a subscriber failed", table=update.table, at=short_traceback(error))
                    subscribers.discard(subscriber)

    def _stop_serving(self, pending: list[_PendingRequest], reason: str) -> None:
        self.halt_reason = self.halt_reason or reason
        while not self._queue.empty():
            if (request := self._queue.get_nowait()) is not None:
                pending.append(request)
        self._fail_all(pending, reason)
        self._on_halt()

    def _fail_all(self, pending: list[_PendingRequest], reason: str) -> None:
        for request in pending:
            if not request.future.done():
                request.future.set_exception(FloorUnavailable(reason))
