"""Runs one floor: queues its commands, decides them in batches, commits them, then publishes.

Nothing is published before it is durable. The commands of a batch share one append; after the
commit their senders get the answers, and then subscribers get the updates. A command that is sent
again gets the same answer as before.

A command that cannot be decided is a bug and affects its sender alone. If the store fails, the
floor halts: everybody who waits for an answer gets `FloorUnavailable`, until the house takes the
floor again from its log (`resume`). If another server takes the floor, its host here ends, and
everybody who waits gets `FloorMoved`: they send their command there.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from headsup.game.record.chain import Link
from headsup.game.record.journal import (
    Checkpoint,
    Header,
    Journal,
    ReplayedEntry,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import PlayerAt
from headsup.game.table.payout_corrections import (
    CorrectPayout,
)
from headsup.game.table.state import ReportingThresholds, SettledRound
from headsup.game.values.money import format_cents
from headsup.house.dealing.pace import TimeLeft
from headsup.house.floor.decide import BatchDecision, BatchFacts, Gate, decide_batch
from headsup.house.floor.decide import FloorUpdate as FloorUpdate
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.request import Acceptance as Acceptance
from headsup.house.floor.request import Answers
from headsup.house.floor.request import CommandRequest as CommandRequest
from headsup.house.floor.request import Reply as Reply
from headsup.house.log import log, short_traceback
from headsup.house.store.projection_rows import IncidentKind, WalletMove
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    StoreLost,
)

MAX_QUEUED_COMMANDS = 1_000  # per floor; further commands are refused as busy
SERVER_STOPPING = "the server is stopping"
OWNED_ELSEWHERE = "another server owns the floor"


Subscriber: TypeAlias = Callable[[FloorUpdate], None]


class FloorUnavailable(RuntimeError):
    """Nobody can serve the floor right now, for instance because the store is down."""


class FloorMoved(FloorUnavailable):
    """Another server owns the floor. The command was not carried out here; it can be sent there.
    `at` is that server's name in addresses, if it is known."""

    def __init__(self, reason: str = OWNED_ELSEWHERE, at: str = "") -> None:
        super().__init__(reason)
        self.at = at


def _unavailable(reason: str) -> FloorUnavailable:
    return FloorMoved() if reason == OWNED_ELSEWHERE else FloorUnavailable(reason)


@dataclass(slots=True)
class _PendingRequest:
    request: CommandRequest
    future: "asyncio.Future[Reply]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    is_answered: bool = False  # also if nobody waits for the answer any more


class FloorHost:
    """Runs one floor while this server owns it."""

    def __init__(
        self,
        lease: Lease,
        journal: Journal,
        group_commit: GroupCommit,
        find_entry: Callable[[str, str], Link | None],
        now: Callable[[], str],
        on_halt: Callable[[], None] = lambda: None,
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
        # By table, "" for the whole floor; in the order in which they are called.
        self._subscribers: dict[str, dict[Subscriber, None]] = {}
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        # The time players have left, for tables with an automatic dealer.
        self.time_left_by_table: dict[str, Callable[[], tuple[TimeLeft, ...]]] = {}
        self.halt_reason = ""  # empty while this server runs the floor
        self._ended = False
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
        subscribers = self._subscribers.setdefault(table, {})
        subscribers[subscriber] = None

        def unsubscribe() -> None:
            subscribers.pop(subscriber, None)

        return unsubscribe

    def time_left(self, table: str) -> tuple[TimeLeft, ...]:
        """The time players at a table have left; empty where a person deals."""
        return clock() if (clock := self.time_left_by_table.get(table)) else ()

    async def submit(self, request: CommandRequest) -> Reply:
        """Queue a command and return its answer once it is durable."""
        if self.halt_reason:
            raise _unavailable(self.halt_reason)
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

    @property
    def has_ended(self) -> bool:
        """Whether this server will not run the floor again through this host."""
        return self._ended or self.halt_reason == SERVER_STOPPING

    async def wait_until_open(self) -> bool:
        """Wait until this server runs the floor; False if the host ends first."""
        while self.halt_reason and not self.has_ended:
            self._changed.clear()
            await self._changed.wait()
        return not self.halt_reason

    def end(self) -> None:
        """End the host, because another server owns the floor. What was not committed is neither
        answered nor published."""
        was_running, self.halt_reason, self._ended = not self.halt_reason, OWNED_ELSEWHERE, True
        self._changed.set()
        if was_running:
            self._fail_all(self._take_queued(), OWNED_ELSEWHERE)
            if self._task is not None:
                self._task.cancel()

    def resume(self, lease: Lease, entries: Iterable[ReplayedEntry]) -> None:
        """Run a halted floor again, after publishing what was added to its log meanwhile: the last
        commit may have succeeded after all."""
        if not self.halt_reason or self.has_ended:
            raise RuntimeError(f"floor {lease.floor} has not halted")
        for entry in entries:
            self.journal = entry.journal
            if entry.events:
                self._publish(FloorUpdate(entry.journal, entry.table, entry.events))
        self._answers.forget_refusals()
        self.lease, self.halt_reason = lease, ""
        self._changed.set()
        self.start()

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
                reason = str(error) if isinstance(error, FloorUnavailable) else type(error).__name__
                log.error(
                    "floor halted", floor=self.lease.floor, why=reason, at=short_traceback(error)
                )
                self._halt(pending, reason)
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
        facts = BatchFacts(
            self._now(),
            Header(self.lease.floor, self._house),
            self._thresholds(),
            self._gate,
            await self._find_settled_rounds(requests),
        )
        listed = [pending.request for pending in requests]
        earlier = [self._answers.find_cached(request) for request in listed]
        batch = decide_batch(self.journal, listed, facts, earlier)
        replies = list[tuple[_PendingRequest, Reply]]()
        for pending, reply in zip(requests, batch.replies, strict=True):
            if isinstance(reply, Exception):
                self._report_bug(pending, reply)
            elif isinstance(reply, Refusal):
                # It may be refused precisely because it was carried out before.
                replies.append((pending, await self._answers.find(pending.request) or reply))
            else:
                replies.append((pending, reply))
        if batch.links and not await self._commit(batch, [pending for pending, _ in replies]):
            return False
        if not batch.links and any(isinstance(reply, Refusal) for _, reply in replies):
            await self._check_lease()
        # No await from here on, so that subscribers cannot miss some of the batch's updates.
        self.journal = batch.journal
        for pending, reply in replies:
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
            raise FloorMoved

    async def _commit(self, batch: BatchDecision, requests: list[_PendingRequest]) -> bool:
        append = Append(self.lease, self.journal.head, batch.links, batch.projections)
        try:
            result = await self._group_commit.commit(append)
        except StoreLost:
            self.failed_at = asyncio.get_running_loop().time()
            self.failures += 1
            raise
        except Exception as error:
            if len(requests) > 1:
                return False
            self._report_bug(requests[0], error)
            return False
        if result is AppendResult.STORED:
            self.failed_at, self.failures = -inf, 0
            return True
        if result is AppendResult.NOT_OWNER:
            raise FloorMoved
        if len(requests) == 1:
            await self._reply_rejected(result, requests[0], append.moves)
        return False

    async def _reply_rejected(
        self, result: AppendResult, pending: _PendingRequest, moves: tuple[WalletMove, ...]
    ) -> None:
        """Answer a request whose append the store rejected. The floor is unchanged."""
        if result is AppendResult.WALLET_SHORT:
            self._report_short_wallet(pending.request, moves)
            self._reply(pending, refusal(Code.WALLET_SHORT))
            return
        if result is AppendResult.NAME_TAKEN:
            self._reply(pending, refusal(Code.TABLE_OPEN, table=pending.request.table))
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
            subscribers = self._subscribers.get(table, {})
            for subscriber in tuple(subscribers):
                try:
                    subscriber(update)
                except Exception as error:
                    log.error("a subscriber failed", table=update.table, at=short_traceback(error))
                    subscribers.pop(subscriber, None)

    def _halt(self, pending: list[_PendingRequest], reason: str) -> None:
        self.halt_reason = self.halt_reason or reason
        self._fail_all(pending + self._take_queued(), reason)
        self._on_halt()

    def _take_queued(self) -> list[_PendingRequest]:
        taken = []
        while not self._queue.empty():
            if (request := self._queue.get_nowait()) is not None:
                taken.append(request)
        return taken

    def _fail_all(self, pending: list[_PendingRequest], reason: str) -> None:
        for request in pending:
            if not request.future.done():
                request.future.set_exception(_unavailable(reason))
