"""Deals tables automatically: does the steps that `pace` schedules, when they are due.

A dealer goes by the machine's running time, so changes of the clock or the date do not matter. If
the table refuses a step or something fails, the dealer reports it and tries again after a while. It
never gives up.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable
from typing import NamedTuple, assert_never

from headsup.game.refusal import Refusal
from headsup.game.round.commands import CloseBets, DealCards, Proceed, TimeOut
from headsup.game.table.commands import Command, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import OpenShuffle, SealShuffle
from headsup.game.table.shuffle import ShuffleSource
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
from headsup.house.dealing.shoe import DeckSource, shuffle_deck
from headsup.house.fairness.sealed_shuffles import LostSeal, ShuffleSealer
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
)
from headsup.house.house import House
from headsup.house.log import log

DEALER, CLOCK = Staff("dealer"), Staff("clock")
RETRY_SECONDS = 5.0  # after a step that was refused, or keeps failing
FIRST_RETRY_SECONDS = 0.1  # after the second failure in a row; then it doubles
PAUSE_POLL_SECONDS = 0.3  # how often a held dealer checks whether it may go on

# Called with the table and the problem.
ReportProblem = Callable[[str, str], None]


def _log_problem(table: str, problem: str) -> None:
    logging.getLogger("headsup.dealer").warning("dealer of table %s: %s", table, problem)


class _EarliestStep(NamedTuple):
    """The step that is due first, and since when it has been waiting, by the loop's clock."""

    since: float
    scheduled: ScheduledStep

    @property
    def due_at(self) -> float:
        return self.since + self.scheduled.delay


class NoShoe(RuntimeError):
    """The table's shuffles are sealed, and the dealer has no sealer, or the other way round."""


class AutomaticDealer:
    """Deals one table.

    `shoe` gives the decks, or seals them for a table with sealed shuffles. `absent_seats` are not
    waited for. While `is_held` is true the dealer deals nothing, but still opens the seal of a
    closed round. `own_pace` gives the table's own pace, or None for the usual `timings`.
    """

    def __init__(
        self,
        host: FloorHost,
        table: str,
        shoe: DeckSource | ShuffleSealer,
        timings: Timings,
        absent_seats: Callable[[], frozenset[int]] = frozenset,
        report: ReportProblem = _log_problem,
        retry_seconds: float = RETRY_SECONDS,
        is_held: Callable[[], bool] = lambda: False,
        own_pace: Callable[[], Timings | None] = lambda: None,
    ) -> None:
        self._host, self._table, self._shoe = host, table, shoe
        self._timings, self._absent_seats = timings, absent_seats
        self._report, self._retry_seconds = report, retry_seconds
        self._is_held, self._own_pace = is_held, own_pace
        self._woken = asyncio.Event()
        self._failures = 0  # steps in a row that raised
        self._since: dict[Hashable, float] = {}  # when each current moment was first seen
        self._due: tuple[ScheduledStep, ...] = ()
        self._earliest: _EarliestStep | None = None  # of those due
        # What the due steps were worked out from.
        self._inputs: tuple[Table, Timings, frozenset[int], bool] | None = None
        self._sleeping_until: _EarliestStep | None = None
        self._unsubscribe = host.subscribe(self._on_update, table)
        host.time_left_by_table[table] = self.clock
        self._task = asyncio.create_task(self._run(), name=f"dealer of {table}")

    def wake(self) -> None:
        """Check again what is due: a player came or went, or the dealing mode or pace changed."""
        self._woken.set()

    def clock(self) -> tuple[TimeLeft, ...]:
        """The time players have left to bet or decide. Empty while the dealer is held: no time
        runs then, and working it out would start it."""
        if self._is_held():
            return ()
        now = asyncio.get_running_loop().time()
        times = (time_left(step, now - self._since[step.moment]) for step in self._steps_due(now))
        return tuple(time for time in times if time is not None)

    async def stop(self) -> None:
        self._host.time_left_by_table.pop(self._table, None)
        self._unsubscribe()
        self._task.cancel()
        await asyncio.wait([self._task])

    def _on_update(self, _: FloorUpdate) -> None:
        """Wake only if another step is due first now; most updates do not change that."""
        try:
            earliest = self._find_earliest(asyncio.get_running_loop().time())
            is_unchanged = self._sleeping_until is not None and earliest == self._sleeping_until
        except Exception:  # raised again in `_run`, which reports it
            is_unchanged = False
        if not is_unchanged:
            self._woken.set()

    async def _run(self) -> None:
        while await self._host.wait_until_open():
            try:
                await self._step()
            except LostSeal:  # the sealer has reported it, and the table waits for staff
                await self._wait_for_wake(self._retry_seconds)
            except FloorUnavailable:
                await self._wait_after_failure()
            except Exception as error:
                # Only the class: the error's text may name a card or a seed.
                self._report(self._table, type(error).__name__)
                await self._wait_after_failure()

    async def _wait_after_failure(self) -> None:
        """Not at all after the first failure, which may be over; then longer with each."""
        delay = FIRST_RETRY_SECONDS * (2 ** min(self._failures, 10) - 1)
        self._failures += 1
        await self._wait_for_wake(min(delay, self._retry_seconds))

    async def _step(self) -> None:
        self._woken.clear()
        now = asyncio.get_running_loop().time()
        earliest = self._find_earliest(now)
        if earliest is None and self._is_held():
            await self._wait_for_wake(PAUSE_POLL_SECONDS)
            return
        if earliest is None:
            await self._woken.wait()
            return
        self._sleeping_until = earliest
        try:
            if await self._wait_for_wake(earliest.due_at - now):
                return
        finally:
            self._sleeping_until = None
        now = asyncio.get_running_loop().time()
        if self._find_earliest(now) != earliest:  # changed at the last moment
            return
        command = await self._make_command(earliest.scheduled.step, now - earliest.since)
        if not await self._submit(command):
            await self._wait_for_wake(self._retry_seconds)

    def _find_earliest(self, now: float) -> "_EarliestStep | None":
        self._steps_due(now)
        return self._earliest

    def _steps_due(self, now: float) -> tuple[ScheduledStep, ...]:
        """The steps due now. Also notes when each of their moments was first seen.

        While the dealer is held there are no others, so afterwards players have their whole time
        again.
        """
        table = self._host.journal.floor.tables[self._table]
        timings, absent = self._own_pace() or self._timings, self._absent_seats()
        inputs, is_held = self._inputs, self._is_held()
        if inputs is None or inputs[0] is not table or inputs[1:] != (timings, absent, is_held):
            steps = due_steps(table, timings, absent)
            self._due = tuple(step for step in steps if _may_do_held(step)) if is_held else steps
            self._since = {step.moment: self._since.get(step.moment, now) for step in self._due}
            waiting = [_EarliestStep(self._since[step.moment], step) for step in self._due]
            self._earliest = min(waiting, key=lambda step: step.due_at, default=None)
            self._inputs = table, timings, absent, is_held
        return self._due

    async def _wait_for_wake(self, seconds: float) -> bool:
        # Not `wait_for`: it may swallow a cancellation that comes together with the event.
        try:
            async with asyncio.timeout(max(seconds, 0)):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True

    async def _make_command(self, step: DueStep, waited: float) -> Command:
        table = self._host.journal.floor.tables[self._table]
        match step:
            case TimeOut(seat, grace):
                return TimeOut(seat, max(int(waited), grace or 0))
            case SealStep():
                return SealShuffle((await self._sealer.seal_next(table)).commitment)
            case DealStep():
                return DealCards(await self._deck(table))
            case OpenSealStep():
                return OpenShuffle((await self._sealer.current_seal(table)).server_seed.hex())
            case OpenRound():
                if table.sealed is not None:  # found out before bets are taken on a lost seal
                    await self._sealer.current_seal(table)
                return step
            case CloseBets() | Proceed():
                return step
            case _:
                assert_never(step)

    async def _deck(self, table: Table) -> tuple[int, ...]:
        if table.sealed is not None:
            return (await self._sealer.current_seal(table)).deck(table.sealed.seeds)
        if isinstance(self._shoe, ShuffleSealer):
            raise NoShoe(f"table {table.id} is not sealed")
        return self._shoe(table.rounds)

    @property
    def _sealer(self) -> ShuffleSealer:
        if not isinstance(self._shoe, ShuffleSealer):
            raise NoShoe(f"table {self._table} is sealed")
        return self._shoe

    async def _submit(self, command: Command) -> bool:
        """Submit a command and report a refusal. Returns whether to go on without a wait."""
        by = CLOCK if isinstance(command, TimeOut) else DEALER
        reply = await self._host.submit(CommandRequest("", self._table, by, command))
        self._failures = 0
        if isinstance(reply, Refusal):
            self._report(self._table, f"{type(command).__name__} was refused: {reply.code}")
        return isinstance(reply, Acceptance)


def _may_do_held(scheduled: ScheduledStep) -> bool:
    """Opening a seal deals nothing, and the house must not withhold it."""
    return isinstance(scheduled.step, OpenSealStep)


# All dealers of a server.


class Dealers:
    """The automatic dealers of a server: one for every table that is not dealt by a person.

    A dealer works while this server owns the table's floor. `absent_seats` gives the seats of a
    table that need not be waited for.
    """

    def __init__(
        self,
        house: House,
        pace: Timings,
        absent_seats: Callable[[str], frozenset[int]] | None = None,
    ) -> None:
        self._house, self._pace = house, pace
        house.usual_pace = pace
        self._absent_seats = absent_seats or (lambda _: frozenset())
        self._dealers: dict[str, AutomaticDealer] = {}
        self._stopping: set[asyncio.Task[None]] = set()
        self._unsubscribers: list[Callable[[], None]] = []

    def start(self) -> None:
        self._unsubscribers.append(self._house.on_floor(self._add_floor))
        self._house.on_floor_moved.append(self._remove_floor)

    async def stop(self) -> None:
        for unsubscribe in self._unsubscribers:
            unsubscribe()
        self._house.on_floor_moved.remove(self._remove_floor)
        if self._stopping:
            await asyncio.wait(self._stopping)
        for dealer in self._dealers.values():
            await dealer.stop()

    def wake(self, table: str) -> None:
        """Let a table's dealer check again what is due."""
        if (dealer := self._dealers.get(table)) is not None:
            dealer.wake()

    def _add_floor(self, host: FloorHost) -> None:
        def on_update(update: FloorUpdate) -> None:
            self._add_table(host, update.table)

        self._unsubscribers.append(host.subscribe(on_update))
        for table in host.journal.floor.tables:
            self._add_table(host, table)

    def _remove_floor(self, host: FloorHost) -> None:
        for table in host.journal.floor.tables:
            self._stop_dealer(table)

    def _add_table(self, host: FloorHost, id: str) -> None:
        table = host.journal.floor.tables[id]
        if table.closed:
            self._stop_dealer(id)
        # A seeded deal repeats an earlier one.
        dealt_here = not table.shuffle.by_hand and table.shuffle is not ShuffleSource.SEED
        if id in self._dealers or table.closed or not dealt_here:
            return
        self._dealers[id] = AutomaticDealer(
            host,
            id,
            self._shoe_for(host, id),
            self._pace,
            lambda: self._absent_seats(id),
            _log_table_problem,
            is_held=lambda: self._house.dealing_modes.get(id).stops_dealer,
            own_pace=lambda: self._house.pace(id),
        )

    def _stop_dealer(self, id: str) -> None:
        """Stop the dealer of a table that was closed or has moved."""
        if (dealer := self._dealers.pop(id, None)) is not None:
            task = asyncio.create_task(dealer.stop(), name=f"end of the dealer of {id}")
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    def _shoe_for(self, host: FloorHost, id: str) -> DeckSource | ShuffleSealer:
        if host.journal.floor.tables[id].shuffle is ShuffleSource.SEALED:
            return self._house.sealer_of(id)
        return lambda _: shuffle_deck()


def _log_table_problem(table: str, problem: str) -> None:
    log.warning("automatic dealer is stuck", table=table, why=problem)
