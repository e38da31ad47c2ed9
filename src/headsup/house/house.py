"""Runs a house: all floors of one database, and this server's part in them.

`start` takes the floors that nobody owns and continues them from their logs. While the house is
open it renews its leases, takes floors that halted or whose owner is dead, and writes snapshots.
`stop` finishes the commands it has accepted and releases the floors.

Floors that another server owns are followed: players and staff see the same here as there, and
their commands are forwarded to the owner.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import assert_never
from uuid import uuid4

from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.table.commands import Staff
from headsup.game.table.dealing import SetDealing
from headsup.game.table.decide import decide
from headsup.game.table.pacing import SetPace
from headsup.game.table.state import AUTOMATIC, DealingMode, Floor, ReportingThresholds, Table
from headsup.house.cluster.forwarding import Forwarding
from headsup.house.cluster.leases import LEASE_MICROSECONDS, LEASE_SECONDS, RENEW_SECONDS, Leases
from headsup.house.cluster.rebalance import Spread, spread_floors
from headsup.house.cluster.replicas import Followers
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.dealing.pace import Timings, pace_of, timings_of
from headsup.house.fairness.lost_seals import LostSeals, prepare_seal
from headsup.house.fairness.seal_store import DatabaseSealer
from headsup.house.floor.broken_floors import EXAMINE_SECONDS, MIN_EXAMINE_REST, BrokenFloors
from headsup.house.floor.decide import HOUSE, Gate
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.host import (
    OWNED_ELSEWHERE,
    SERVER_STOPPING,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
    Reply,
)
from headsup.house.floor.log_reader import BrokenLog, replay_to_end
from headsup.house.floor.next_step import DealerStep, next_step
from headsup.house.floor.snapshots import Snapshots
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.integrity.anchor_file import AnchorWriter
from headsup.house.log import ErrorStreak, log, log_failure, short_traceback
from headsup.house.store.database import Database, is_blocked_by_broken_floor
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.protocol import Lease
from headsup.house.store.settings import (
    put_reporting_thresholds,
    read_known_rounds,
    read_reporting_thresholds,
)
from headsup.house.store.signals import Signal, keep_listening, send_signal

DEALER_AWAY = "taken over by a dealer, who is away"
# What only staff can do, in words for everybody at the table.
AWAITED_STAFF = {
    DealerStep.COUNT_BY_HAND: "the equipment is down, and a dealer must count the wagers by hand",
    DealerStep.CORRECT_FLAG: "lights and chips do not match, and a supervisor must resolve it",
}
ANCHOR_SECONDS = 30  # entries newer than the last anchor could be rewritten unnoticed
MAX_STORE_FAILURES = 3  # failed commits of one floor in a row
FIRST_RETRY_SECONDS = 0.1  # before a halted floor is taken again; doubles with each failure


class House:
    def __init__(
        self,
        database: Database,
        server: str,
        now: Callable[[], str],
        alone: bool | None = None,
        anchors: Path | None = None,
    ) -> None:
        """`anchors` is the file that the heads of the logs are appended to."""
        self.database, self.server, self._now = database, server, now
        self.is_alone = database.is_alone if alone is None else alone
        self.group_commit = GroupCommit(database.commit)
        self._leases = Leases(database, server, self.is_alone, self.owned_floors)
        self.dealing_modes = DealingModes(self.table)
        self.thresholds = ReportingThresholds()
        # By table, the round whose cards somebody may know (`house/integrity/restore_guard.py`).
        self.known_rounds: Mapping[str, int] = {}
        self.usual_pace = Timings()  # for all other tables that this server deals
        self._snapshots = Snapshots(database)
        self.incident_queue = IncidentQueue(database, server, now)
        self.anchor_writer = (
            None if anchors is None else AnchorWriter(anchors, database, self.incident_queue)
        )
        self.lost_seals = LostSeals(
            self.incident_queue, self._refreshed_table, self._pause_for_lost_seal
        )
        self.hosts: dict[str, FloorHost] = {}
        self._floor_of: dict[str, str] = {}
        self.broken_floors = BrokenFloors(self.incident_queue.add)
        self._take_lock, self._maintain_lock = asyncio.Lock(), asyncio.Lock()
        self._open_table_lock = asyncio.Lock()
        # Held while settings are read or written, so that an older read never overwrites a newer.
        self._settings_lock = asyncio.Lock()
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._floor_listeners: list[Callable[[FloorHost], None]] = []
        # Called with the signals of other servers that do not concern floors.
        self.on_signal: Callable[[Signal, str], None] = lambda *_: None
        self._sending: set[asyncio.Task[None]] = set()
        self._errors = ErrorStreak("the store does not answer")
        self._examination_errors = ErrorStreak("broken floors cannot be examined")
        self._followers = Followers(database, self._intact_hosts, self.broken_floors.shut)
        self._forwarding = Forwarding(database, server, self.owned_floors)

    async def start(self) -> None:
        await asyncio.to_thread(self.database.claim)
        await asyncio.to_thread(self.database.migrate)
        await self.incident_queue.check_program()
        await self._reload_settings()  # before anything is dealt
        for floor in await asyncio.to_thread(self.database.floors):
            await self._take_unless_broken(floor)
        await log_failure(self.incident_queue.flush)
        self._tasks.append(asyncio.create_task(self._maintain_always(), name="house"))
        self._tasks.append(asyncio.create_task(self._examine_always(), name="broken floors"))
        if not self.is_alone:
            self._tasks.append(asyncio.create_task(self._leases.renew_always(), name="leases"))
            self._followers.start()
            self._forwarding.start()
            listening = keep_listening(
                self.database.engine, self._handle_signal, self._handle_missed_signals
            )
            self._tasks.append(asyncio.create_task(listening, name="signals"))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._followers.stop()
        owned = self.owned_floors()
        for host in self.hosts.values():
            await host.stop()
        await self._forwarding.stop()
        await self.group_commit.close()
        await self._snapshots.finish()
        await log_failure(self.anchor)
        await log_failure(self.incident_queue.flush)
        leases = [host.lease for host in owned.values()]
        try:
            await self._leases.release(leases)
        except Exception as error:  # they expire by themselves
            log.warning("leases not released", at=short_traceback(error))
        await self._leases.stop()

    def owned_floors(self) -> dict[str, FloorHost]:
        """The floors this server runs."""
        return {floor: host for floor, host in self.hosts.items() if not host.halt_reason}

    def _intact_hosts(self) -> dict[str, FloorHost]:
        return {
            floor: host for floor, host in self.hosts.items() if floor not in self.broken_floors
        }

    def on_floor(self, listener: Callable[[FloorHost], None]) -> Callable[[], None]:
        """Call `listener` with every floor, present and future. Returns a function that
        unsubscribes."""
        self._floor_listeners.append(listener)
        for host in tuple(self.hosts.values()):
            listener(host)
        return lambda: self._floor_listeners.remove(listener)

    async def open_floor(self, floor: str) -> FloorHost:
        if (host := self.hosts.get(floor)) is not None:
            return host
        await asyncio.to_thread(self.database.open_floor, floor)
        return await self.take_floor(floor)

    async def take_floor(self, floor: str) -> FloorHost:
        """Open a floor from its log: as its owner if nobody owns it, otherwise as a follower."""
        async with self._take_lock:
            if (host := self.hosts.get(floor)) is not None:
                return host
            requested = asyncio.get_running_loop().time()
            lease = await self._leases.take(floor, self.is_alone)
            try:
                journal = await asyncio.to_thread(self._snapshots.load, floor)
            except BrokenLog:
                if lease is None or await self._leases.holds(lease):
                    raise
                lease = None  # another server owns the floor: judge the log as it is now
                journal = await asyncio.to_thread(self._snapshots.load, floor)
            host = FloorHost(
                lease or Lease(floor, "", 0),
                journal,
                self.group_commit,
                self.database.find_entry,
                self._now,
                self._woken.set,
                "" if lease else OWNED_ELSEWHERE,
                report_incident=self.incident_queue.add,
                thresholds=lambda: self.thresholds,
                gate=Gate(
                    lambda table: has_known_cards(table, self.known_rounds),
                    self.incident_queue.refusal_for,
                ),
                holds_lease=None if self.is_alone else self.database.holds_lease,
                house=await asyncio.to_thread(self.database.identity),
                on_checkpoint=partial(self._snapshots.write, floor),
                find_settled_round=self.database.find_settled_round,
            )
            host.lease_good_until = self._leases.good_until(requested)
            self.hosts[floor] = host
        host.subscribe(lambda update: self._on_update(floor, update))
        if lease is not None:
            host.start()
        for table in journal.floor.tables:
            self._floor_of.setdefault(table, floor)
        for listener in self._floor_listeners:
            listener(host)
        return host

    def _on_update(self, floor: str, update: FloorUpdate) -> None:
        self._floor_of.setdefault(update.table, floor)

    # Other servers.

    def _handle_signal(self, signal: Signal, about: str) -> None:
        match signal:
            case Signal.GREW:
                if about in self.hosts:
                    self._followers.mark_grown(about)
                else:
                    self._woken.set()  # a new floor
            case Signal.FREED | Signal.SETTING_CHANGED:
                self._woken.set()
            case Signal.ASKED:
                if about in self.owned_floors():
                    self._forwarding.wake()
            case Signal.ANSWERED:
                if about == self.server:
                    self._forwarding.wake()
            case Signal.LOGGED_OUT | Signal.SEATED:
                self.on_signal(signal, about)
            case _:
                assert_never(signal)

    def notify_servers(self, signal: Signal, about: str) -> None:
        """Signal the other servers, if there are any, in the background."""
        if not self.is_alone:
            sending = asyncio.create_task(send_signal(self.database.engine, signal, about))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)

    def _handle_missed_signals(self) -> None:
        """Check everything that a missed signal may have been about."""
        self._woken.set()
        self._forwarding.wake()
        for floor in self.hosts:
            self._followers.mark_grown(floor)

    async def find(self, table: str) -> FloorHost | None:
        """The host of a table's floor, even if another server has only just opened it."""
        if self.host_of(table) is None and not self.is_alone:
            await self._take_others()
            await self._followers.catch_up()
        return self.host_of(table)

    # Maintenance while the house is open.

    async def _maintain_always(self) -> None:
        failures, last_anchor = 0, 0.0
        while True:
            pause = FIRST_RETRY_SECONDS * 2 ** (failures - 1) if failures else RENEW_SECONDS
            await self._wait_for_wake(min(pause, RENEW_SECONDS))
            if (now := asyncio.get_running_loop().time()) >= last_anchor + ANCHOR_SECONDS:
                last_anchor = now
                await log_failure(self.anchor)
            await log_failure(self.incident_queue.flush)
            try:
                await self.maintain()
                failures = 0
                self._errors.recovered()
            except Exception as error:
                failures = min(failures + 1, 10)
                self._errors.failed(error)

    async def _wait_for_wake(self, seconds: float) -> None:
        # Not `wait_for`: it may swallow a cancellation that comes together with the event.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        self._woken.clear()

    async def maintain(self) -> None:
        """Renew the leases, and take every free floor that this server does not run yet."""
        async with self._maintain_lock:
            if not self.is_alone:
                await self._leases.renew()
                await self._reload_settings()
                await self._take_others()
            halted = {floor: host for floor, host in self.hosts.items() if host.halt_reason}
            if halted:
                free = await self._leases.free_floors()
                for floor in sorted(halted.keys() & free & self._intact_hosts().keys()):
                    if not self._leaves_to_others(halted[floor]):
                        await self._take_again(floor, halted[floor])

    def _leaves_to_others(self, host: FloorHost) -> bool:
        """After `MAX_STORE_FAILURES` failed commits in a row, leave the floor to other servers for
        two lease periods."""
        retry_at = host.failed_at + 2 * LEASE_SECONDS
        fails_often = not self.is_alone and host.failures >= MAX_STORE_FAILURES
        return fails_often and asyncio.get_running_loop().time() < retry_at

    async def _take_others(self) -> None:
        """Take or follow floors that this server does not know yet."""
        for floor in await asyncio.to_thread(self.database.floors):
            if floor not in self.hosts:
                await self._take_unless_broken(floor)

    async def anchor(self) -> None:
        """Append the heads of the floors that have grown to the anchor file."""
        if self.anchor_writer is not None:
            heads = {floor: host.journal.head for floor, host in self.hosts.items()}
            await self.anchor_writer.add(heads, self._now())

    async def _take_again(self, floor: str, host: FloorHost) -> None:
        """Resume a halted floor, after the entries that its log has by now."""
        requested = asyncio.get_running_loop().time()
        lease = await self._leases.take(floor)
        if lease is None:
            return
        try:
            new_steps = replay_to_end(self.database, floor, host.journal)
            steps = await asyncio.to_thread(list, new_steps)
        except BrokenLog as broken:
            if await self._leases.holds(lease):  # otherwise `_followers` judge the new owner's log
                self.broken_floors.shut(floor, broken)
            return
        host.lease_good_until = self._leases.good_until(requested)
        if host.halt_reason != OWNED_ELSEWHERE:
            self.incident_queue.add(IncidentKind.UNAVAILABLE, {"why": host.halt_reason}, floor)
        host.resume(lease, steps)
        self._forwarding.wake()  # the last owner may have left requests unanswered
        log.info("floor resumed", floor=floor, entries=host.journal.head.count)

    async def _take_unless_broken(self, floor: str) -> None:
        """Open a floor; if its log is broken, leave it closed and go on with the others."""
        if floor in self.broken_floors:
            return
        try:
            await self.take_floor(floor)
        except BrokenLog as broken:
            self.broken_floors.shut(floor, broken)

    async def _examine_always(self) -> None:
        loop, pause = asyncio.get_running_loop(), EXAMINE_SECONDS
        while True:
            await asyncio.sleep(pause)
            began = loop.time()
            await self.examine_broken_floors()
            pause = max(EXAMINE_SECONDS, MIN_EXAMINE_REST * (loop.time() - began))

    async def examine_broken_floors(self) -> None:
        """Reopen the floors whose logs hold again."""
        for floor in self.broken_floors:
            try:
                await self._reopen_if_intact(floor)
                self._examination_errors.recovered()
            except Exception as error:  # tried again after EXAMINE_SECONDS
                self._examination_errors.failed(error)

    async def _reopen_if_intact(self, floor: str) -> None:
        """Read the log before taking the floor, so that it stays free for a server that can run it.
        Where the floor was open here, the log must go on from what was shown."""
        host = self.hosts.get(floor)
        try:
            if host is None:
                await asyncio.to_thread(self._snapshots.load, floor)
                await self.take_floor(floor)
            else:
                steps = replay_to_end(self.database, floor, host.journal)
                host.follow(await asyncio.to_thread(list, steps))
        except BrokenLog as broken:
            self.broken_floors.shut(floor, broken)
            return
        self.broken_floors.reopen(floor)
        self._woken.set()  # take the floor if it is free

    # Tables.

    async def set_dealing_mode(self, table: str, mode: DealingMode, by: str = HOUSE.name) -> None:
        """Set a table's dealing mode, whichever server runs its floor."""
        await self._apply(table, SetDealing(*mode), by)

    async def set_pace(self, table: str, timings: Timings | None, by: str = HOUSE.name) -> None:
        """Set a table's pace, whichever server deals it; None restores the usual pace."""
        pace = None if timings is None else pace_of(timings, by, self._now())
        await self._apply(table, SetPace(pace), by)

    async def _apply(self, table: str, command: SetDealing | SetPace, by: str) -> None:
        """Submit a command that only the house sends; raises if it is not carried out."""
        reply = await self.submit(CommandRequest(uuid4().hex, table, Staff(by), command))
        if isinstance(reply, Refusal):
            raise Refused.of(reply)
        if reply is None:
            raise Refused(Code.NO_SUCH_TABLE, table=table)

    async def _reload_settings(self) -> None:
        async with self._settings_lock:
            self.thresholds, self.known_rounds = await asyncio.to_thread(self._read_settings)

    def _read_settings(self) -> tuple[ReportingThresholds, dict[str, int]]:
        with self.database.read_connection() as connection:
            return read_reporting_thresholds(connection), read_known_rounds(connection)

    async def set_thresholds(self, thresholds: ReportingThresholds, by: str) -> None:
        """Set the reporting thresholds for every server."""
        async with self._settings_lock:
            await asyncio.to_thread(
                put_reporting_thresholds, self.database.engine, thresholds, by, self._now()
            )
            self.thresholds = thresholds

    async def spread(self, by: str) -> Spread:
        """Spread the floors evenly over all servers."""
        hosts = dict(self.hosts)
        return await asyncio.to_thread(
            spread_floors, self.database, self.server, hosts, by, self._now(), LEASE_MICROSECONDS
        )

    def tables(self) -> list[Table]:
        tables = [self.table(id) for id in self._floor_of]
        return sorted((table for table in tables if table is not None), key=lambda table: table.id)

    def table(self, id: str) -> Table | None:
        host = self.host_of(id)
        return None if host is None else host.journal.floor.tables.get(id)

    def pace(self, table: str) -> Timings | None:
        """A table's own pace; None if it is dealt at the usual one."""
        state = self.table(table)
        return None if state is None or state.pace is None else timings_of(state.pace)

    def host_of(self, table: str) -> FloorHost | None:
        return self.hosts.get(self._floor_of.get(table, ""))

    def sealer_of(self, table: str) -> DatabaseSealer:
        """Seals a table's shuffles, and finds the seals that any server has made."""
        floor = self._floor_of[table]
        return DatabaseSealer(self.database, floor, partial(self.lost_seals.report, floor))

    async def _refreshed_table(self, id: str) -> Table | None:
        """The table as its log has it now, even if another server runs it."""
        host = self.host_of(id)
        if host is not None and host.halt_reason:
            await self._followers.catch_up()
        return self.table(id)

    async def _pause_for_lost_seal(self, table: Table, reason: str) -> None:
        """Whoever lets an open round go on has to deal by hand, and so can end it."""
        mode = self.dealing_modes.get(table.id)
        if not mode.paused:
            by_hand = mode.by_hand or table.is_playing
            await self.set_dealing_mode(table.id, DealingMode(reason, by_hand))

    async def submit(self, request: CommandRequest) -> Reply | None:
        """The answer of the floor's owner, here or on another server; None if there is no such
        table.

        A table that closes opens its seal first.
        """
        if (host := self.host_of(request.table)) is None:
            return None
        if refused := await self._prepare_seal(request):
            return await host.find_acceptance(request) or refused
        return await self._submit(host, request)

    async def _prepare_seal(self, request: CommandRequest) -> Refusal | None:
        if (table := self.table(request.table)) is None:
            return None
        sealer = self.sealer_of(table.id)
        return await prepare_seal(table, request.command, sealer, self.lost_seals, self.submit)

    async def open_table(self, floor: str, request: CommandRequest) -> Reply:
        """Open a table, and its floor if there is none. A lock on the name makes sure that no two
        tables of the house have the same one."""
        async with self._open_table_lock:
            name_lock = await asyncio.to_thread(self.database.lock_table_name, request.table)
            if name_lock is None:
                raise FloorUnavailable(f"another server is opening table {request.table}")
            try:
                reply = await self._open_table(floor, request)
            finally:
                await asyncio.to_thread(name_lock.close)
        return reply

    async def _open_table(self, floor: str, request: CommandRequest) -> Reply:
        host = await self.find(request.table)
        names = floor, request.table
        if host is None and await asyncio.to_thread(
            is_blocked_by_broken_floor, self.database, {*self.broken_floors}, *names
        ):
            raise FloorUnavailable(f"the log of table {request.table}'s floor is broken")
        if (host := host or self.hosts.get(floor)) is None:
            decision = decide(Floor(), request.table, request.by, request.command)
            if isinstance(decision, Refusal):
                return decision
            host = await self.open_floor(floor)
        return await self._submit(host, request)

    async def _submit(self, host: FloorHost, request: CommandRequest) -> Reply:
        if not host.halt_reason:
            try:
                return await host.submit(request)
            except FloorUnavailable:
                if self.is_alone:
                    raise
        if (
            self.is_alone
            or host.lease.floor in self.broken_floors
            or host.halt_reason == SERVER_STOPPING
        ):
            raise FloorUnavailable(host.halt_reason)
        return await self._forwarding.submit(host, request)


class DealingModes:
    """The dealing modes of all tables, and which of them their dealer has left.

    A table has its mode in its log; who is away, only the servers know.
    """

    def __init__(self, find_table: Callable[[str], Table | None]) -> None:
        self._find_table = find_table
        self._unattended: frozenset[str] = frozenset()

    def get(self, table: str) -> DealingMode:
        state = self._find_table(table)
        return AUTOMATIC if state is None else state.dealing

    def pause_reason(self, table: str) -> str:
        """Why nothing is dealt, for everybody to read; empty while the table plays."""
        mode = self.get(table)
        is_dealer_away = mode.by_hand and table in self._unattended
        return mode.paused or (DEALER_AWAY if is_dealer_away else self._awaited(table))

    def _awaited(self, table: str) -> str:
        """What only staff can do before the cards are dealt; empty if nothing."""
        state = self._find_table(table)
        return "" if state is None or state.closed else AWAITED_STAFF.get(next_step(state)[0], "")

    def set_unattended(self, tables: Iterable[str]) -> tuple[str, ...]:
        """Set which tables have lost their dealer. Returns the tables for which that changed."""
        before, self._unattended = self._unattended, frozenset(tables)
        return tuple(sorted(before ^ self._unattended))
