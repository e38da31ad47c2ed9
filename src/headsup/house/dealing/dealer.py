"""The automatic dealer of one table: does what `pace` says is due, when it is due.

It goes by the running time of the machine, which no change of the clock or the date touches. What
the table refuses, and what goes wrong, is told and tried again after a while: a dealer does not
leave the table.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable
from itertools import count
from typing import NamedTuple, assert_never
from uuid import uuid4

from headsup.game.refusal import Refusal
from headsup.game.round.commands import CloseBets, DealCards, Proceed, TimeOut
from headsup.game.table.commands import Command, OpenRound, OpenShuffle, SealShuffle, Staff
from headsup.game.table.state import Table
from headsup.house.dealing.pace import (
    DealStep,
    DueStep,
    OpenSealStep,
    ScheduledStep,
    SealStep,
    TimeLeft,
    Timings,
    due_steps,
    time_left,
)
from headsup.house.dealing.shoe import DeckSource
from headsup.house.fairness.sealed_shuffles import ShuffleSealer
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
)

DEALER, CLOCK = Staff("dealer"), Staff("clock")
RETRY_SECONDS = 5.0  # after something that could not be done
PAUSE_POLL_SECONDS = 0.3  # how often a dealer who was told to wait looks up

# Where the dealer says what went wrong: of which table, and what.
ReportProblem = Callable[[str, str], None]


def _log_problem(table: str, trouble: str) -> None:
    logging.getLogger("headsup.dealer").warning("the dealer of %s: %s", table, trouble)


class _EarliestStep(NamedTuple):
    """What is due first, and since when it waits, by the loop's time."""

    since: float
    next: ScheduledStep

    @property
    def at(self) -> float:
        return self.since + self.next.after


class NoShoe(RuntimeError):
    """The table's shuffles are sealed, and the dealer was given nothing to seal them with."""


class AutomaticDealer:
    """`shoe` gives the decks; for a table whose shuffles are sealed it is what seals them.
    `own` gives the table's own pace, where it has one."""

    def __init__(
        self,
        host: FloorHost,
        table: str,
        shoe: DeckSource | ShuffleSealer,
        timings: Timings,
        away: Callable[[], frozenset[int]] = frozenset,
        tell: ReportProblem = _log_problem,
        again: float = RETRY_SECONDS,
        waits: Callable[[], bool] = lambda: False,
        own: Callable[[], Timings | None] = lambda: None,
    ) -> None:
        self._host, self._table, self._shoe = host, table, shoe
        self._timings, self._away, self._tell, self._again = timings, away, tell, again
        self._waits, self._own = waits, own
        self._woken = asyncio.Event()
        self._name, self._asked = uuid4().hex, count()  # an id of its own for every command
        self._since: dict[Hashable, float] = {}  # when each moment that still counts has come
        self._next: tuple[ScheduledStep, ...] = ()  # what is due
        self._first: _EarliestStep | None = None  # of that
        # At what it looked when that was found out.
        self._looked: tuple[Table, Timings, frozenset[int]] | None = None
        self._waits_for: _EarliestStep | None = None  # while asleep until then
        self._unwatch = host.watch(self._happened, table)
        host.clocks[table] = self.clock
        self._task = asyncio.create_task(self._run(), name=f"dealer of {table}")

    def wake(self) -> None:
        """Look again: a player came or went, or somebody said how the table is dealt."""
        self._woken.set()

    def clock(self) -> tuple[TimeLeft, ...]:
        """The time that players have left for their bets or their decisions, as it is now. None
        runs while the table waits, and looking at it then would let it begin."""
        if self._waits():
            return ()
        now = asyncio.get_running_loop().time()
        left = (time_left(one, now - self._since[one.moment]) for one in self._waiting(now))
        return tuple(one for one in left if one is not None)

    async def stop(self) -> None:
        self._host.clocks.pop(self._table, None)
        self._unwatch()
        self._task.cancel()
        await asyncio.wait([self._task])

    def _happened(self, _: FloorUpdate) -> None:
        """Most of what happens does not change what is due first: then there is no need to wake."""
        try:
            soonest = self._soonest(asyncio.get_running_loop().time())
            is_as_before = self._waits_for is not None and soonest == self._waits_for
        except Exception:  # let it be met again where it is told
            is_as_before = False
        if not is_as_before:
            self._woken.set()

    async def _run(self) -> None:
        while await self._host.back():
            try:
                await self._step()
            except Exception as error:
                # By its kind alone: what a failure says of itself may name a card or a seed.
                self._tell(self._table, type(error).__name__)
                await self._woken_within(self._again)

    async def _step(self) -> None:
        self._woken.clear()
        if self._waits():  # whoever had time to decide has all of it again afterwards
            self._since, self._looked = {}, None
            await self._woken_within(PAUSE_POLL_SECONDS)
            return
        now = asyncio.get_running_loop().time()
        soonest = self._soonest(now)
        if soonest is None:
            await self._woken.wait()
            return
        self._waits_for = soonest
        try:
            if await self._woken_within(soonest.at - now):
                return
        finally:
            self._waits_for = None
        now = asyncio.get_running_loop().time()
        if self._waits() or self._soonest(now) != soonest:  # it came in that very moment
            return
        if not await self._do(await self._command(soonest.next.what, now - soonest.since)):
            await self._woken_within(self._again)

    def _soonest(self, now: float) -> "_EarliestStep | None":
        self._waiting(now)
        return self._first

    def _waiting(self, now: float) -> tuple[ScheduledStep, ...]:
        """What is due, each since its moment was first seen."""
        table = self._host.journal.floor.tables[self._table]
        timings, away = self._own() or self._timings, self._away()
        looked = self._looked
        if looked is None or looked[0] is not table or looked[1:] != (timings, away):
            self._next = due_steps(table, timings, away)
            self._since = {one.moment: self._since.get(one.moment, now) for one in self._next}
            waiting = [_EarliestStep(self._since[one.moment], one) for one in self._next]
            self._first = min(waiting, key=lambda one: one.at, default=None)
            self._looked = table, timings, away
        return self._next

    async def _woken_within(self, seconds: float) -> bool:
        # Not `wait_for`, which may swallow the cancelling of a dealer who is woken just then.
        try:
            async with asyncio.timeout(max(seconds, 0)):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True

    async def _command(self, what: DueStep, waited: float) -> Command:
        table = self._host.journal.floor.tables[self._table]
        match what:
            case TimeOut(seat, grace):
                return TimeOut(seat, max(int(waited), grace or 0))
            case SealStep():
                return SealShuffle((await self._sealing.fresh(table)).commitment)
            case DealStep():
                return DealCards(await self._deck(table))
            case OpenSealStep():
                return OpenShuffle((await self._sealing.kept(table)).server_seed.hex())
            case OpenRound() | CloseBets() | Proceed():
                return what
            case _:
                assert_never(what)

    async def _deck(self, table: Table) -> tuple[int, ...]:
        if table.sealed is not None:
            return (await self._sealing.kept(table)).deck(table.sealed.seeds)
        if isinstance(self._shoe, ShuffleSealer):
            raise NoShoe(f"table {table.id} is not sealed")
        return self._shoe(table.rounds)

    @property
    def _sealing(self) -> ShuffleSealer:
        if not isinstance(self._shoe, ShuffleSealer):
            raise NoShoe(f"table {self._table} is sealed")
        return self._shoe

    async def _do(self, command: Command) -> bool:
        """Whether it was done; what the table refuses is not asked again in a hurry."""
        by = CLOCK if isinstance(command, TimeOut) else DEALER
        try:
            id = f"{self._name}-{next(self._asked)}"
            reply = await self._host.ask(CommandRequest(id, self._table, by, command))
        except FloorUnavailable:
            return False
        if isinstance(reply, Refusal):
            self._tell(self._table, f"{type(command).__name__} was refused: {reply.code}")
        return isinstance(reply, Acceptance)
