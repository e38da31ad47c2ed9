"""Runs a house: all floors of one database, and this server's part in them.

`start` takes this server's share of the floors that nobody owns and continues them from their logs.
While the house is open it renews its lease, takes floors that halted or whose owner is dead, gives
floors to servers that own too few, and writes snapshots. `stop` finishes the commands it has
accepted and frees the floors.

A server knows nothing of the floors that others own, except where they are: clients are led there.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, assert_never
from uuid import uuid4

from headsup.game.record.journal import Journal
from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.table.commands import Staff
from headsup.game.table.dealing import SetDealing
from headsup.game.table.decide import decide
from headsup.game.table.pacing import SetPace
from headsup.game.table.state import AUTOMATIC, DealingMode, Floor, ReportingThresholds, Table
from headsup.house.cluster.log_verifier import LogVerifier
from headsup.house.cluster.membership import LEASE_SECONDS, RENEW_SECONDS, Membership
from headsup.house.cluster.placement import receivers, shares
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.dealing.pace import Timings, pace_of, timings_of
from headsup.house.fairness.lost_seals import LostSeals, prepare_seal
from headsup.house.fairness.seal_store import DatabaseSealer
from headsup.house.floor.broken_floors import EXAMINE_SECONDS, MIN_EXAMINE_REST, BrokenFloors
from headsup.house.floor.decide import HOUSE, Gate
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.host import (
    OWNED_ELSEWHERE,
    CommandRequest,
    FloorHost,
    FloorMoved,
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
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.servers import Occupancy
from headsup.house.store.settings import (
    put_reporting_thresholds,
    read_known_rounds,
    read_reporting_thresholds,
)
from headsup.house.store.signals import Signal, keep_listening

DEALER_AWAY = "taken over by a dealer, who is away"
# What only staff can do, in words for everybody at the table.
AWAITED_STAFF = {
    DealerStep.COUNT_BY_HAND: "the equipment is down, and a dealer must count the wagers by hand",
    DealerStep.VERIFY_AWARD: "an award is held, and two people must verify or refuse it",
    DealerStep.CORRECT_FLAG: "lights and chips do not match, and a supervisor must resolve it",
}
SETTINGS_SECONDS = 5.0  # until settings are read again if no signal comes
ANCHOR_SECONDS = 30  # entries newer than the last anchor could be rewritten unnoticed
MAX_STORE_FAILURES = 3  # failed commits of one floor in a row
FIRST_RETRY_SECONDS = 0.1  # before a halted floor is taken again; doubles with each failure
# A server receives floors only after this time, so that one which keeps crashing gets none.
MIN_UPTIME_SECONDS = 30.0
MAX_GIVEN_AT_A_TIME = 8
DRAIN_SECONDS = 10.0  # how long a server that stops waits for rounds to end
DRAIN_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A floor that another server runs; `at` is that server's name in addresses."""

    at: str


class House:
    def __init__(
        self,
        database: Database,
        server: str,
        now: Callable[[], str],
        anchors: Path | None = None,
        at: str = "",
        min_uptime_seconds: float = MIN_UPTIME_SECONDS,
    ) -> None:
        """`anchors` is the file that the heads of the logs are appended to. `at` is the server's
        name in addresses if the house has several."""
        self.database, self.server, self._now = database, server, now
        self.membership = Membership(database, server, at)
        self.is_alone = database.is_alone
        self._min_uptime_seconds = min_uptime_seconds
        self.group_commit = GroupCommit(database.commit)
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
        self.lost_seals = LostSeals(self.incident_queue, self.table, self._pause_for_lost_seal)
        self.hosts: dict[str, FloorHost] = {}  # of the floors that this server owns
        self._floor_of: dict[str, str] = {}
        self.broken_floors = BrokenFloors(self.incident_queue.add)
        self._avoided_until: dict[str, float] = {}  # floors that failed here again and again
        self._take_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._maintain_lock = asyncio.Lock()
        # Held while settings are read or written, so that an older read never overwrites a newer.
        self._settings_lock = asyncio.Lock()
        self._settings_due = 0.0  # when they are read again
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._floor_listeners: list[Callable[[FloorHost], None]] = []
        # Called with a host that has ended because another server owns the floor.
        self.on_floor_moved: list[Callable[[FloorHost], None]] = []
        # Called when a person's log-ins may have ended on another server.
        self.on_log_out: Callable[[], None] = lambda: None
        # Gives the tables of this server as the lobby shows them, for the other servers.
        self.describe_lobby: Callable[[], list[dict[str, Any]]] = list
        self._errors = ErrorStreak("the store does not answer")
        self._examination_errors = ErrorStreak("broken floors cannot be examined")

    async def start(self) -> None:
        await asyncio.to_thread(self.database.claim)
        await asyncio.to_thread(self.database.migrate)
        await self.membership.join()
        await self.incident_queue.check_program()
        await self._reload_settings()  # before anything is dealt
        if self.is_alone:
            for floor in await asyncio.to_thread(self.database.floors):
                await self._take_unless_broken(floor)
        else:
            await self.maintain()
            listening = keep_listening(self.database.engine, self._handle_signal, self._woken.set)
            self._tasks.append(asyncio.create_task(listening, name="signals"))
            verifier = LogVerifier(self.database, self._is_first, self.incident_queue.add)
            self._tasks.append(asyncio.create_task(verifier.run(), name="log verifier"))
        await log_failure(self.incident_queue.flush)
        self._tasks.append(asyncio.create_task(self._maintain_always(), name="house"))
        self._tasks.append(asyncio.create_task(self._examine_always(), name="broken floors"))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        for host in self.hosts.values():
            await host.stop()
        await self.group_commit.close()
        await self._snapshots.finish()
        await log_failure(self.anchor)
        await log_failure(self.incident_queue.flush)
        try:
            await self.membership.leave()
        except Exception as error:  # the lease runs out by itself
            log.warning("floors not freed", at=short_traceback(error))

    async def drain(self, seconds: float = DRAIN_SECONDS) -> None:
        """Before a planned stop, give all floors to the other servers, each between two rounds.
        When the time is up, floors move in the middle of a round."""
        if self.is_alone:
            return
        self.membership.is_draining = True
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        try:
            while self.hosts:
                occupancy = await self.membership.occupancy()
                if not await self._give_floors(occupancy, in_play=loop.time() >= deadline):
                    return
                await asyncio.sleep(DRAIN_LOOK_SECONDS)
        except Exception as error:  # the rest is freed when the server stops
            log.warning("floors not given away", at=short_traceback(error))

    def owned_floors(self) -> dict[str, FloorHost]:
        """The floors this server runs."""
        return {floor: host for floor, host in self.hosts.items() if not host.halt_reason}

    def on_floor(self, listener: Callable[[FloorHost], None]) -> Callable[[], None]:
        """Call `listener` with every floor that this server runs, now and later. Returns a function
        that unsubscribes."""
        self._floor_listeners.append(listener)
        for host in tuple(self.hosts.values()):
            listener(host)
        return lambda: self._floor_listeners.remove(listener)

    # Taking and losing floors.

    async def open_floor(self, floor: str) -> FloorHost:
        """Run a floor, which is created if there is none. Raises FloorUnavailable if it is owned
        elsewhere."""
        await asyncio.to_thread(self.database.open_floor, floor)
        if (host := await self.take_floor(floor)) is None:
            raise FloorMoved
        return host

    async def take_floor(self, floor: str) -> FloorHost | None:
        """Run a floor from its log; None if a living server owns it."""
        async with self._take_locks[floor]:
            if (host := self.hosts.get(floor)) is not None:
                return host
            requested = asyncio.get_running_loop().time()
            if (lease := await self.membership.take(floor)) is None:
                return None
            try:
                journal = await asyncio.to_thread(self._snapshots.load, floor)
            except BrokenLog:
                if await self.membership.holds(lease):
                    raise
                return None  # another server has taken it meanwhile, and judges the log
            host = FloorHost(
                lease,
                journal,
                self.group_commit,
                self.database.find_entry,
                self._now,
                partial(self._on_halt, floor),
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
            host.lease_good_until = self.membership.good_until(requested)
            self.hosts[floor] = host
        host.subscribe(lambda update: self._on_update(floor, update))
        host.start()
        for table in journal.floor.tables:
            self._floor_of[table] = floor
        for listener in tuple(self._floor_listeners):
            listener(host)
        return host

    def _on_update(self, floor: str, update: FloorUpdate) -> None:
        self._floor_of[update.table] = floor

    def _on_halt(self, floor: str) -> None:
        host = self.hosts.get(floor)
        if host is not None and host.halt_reason == OWNED_ELSEWHERE and not self.is_alone:
            self._drop(host)
        self._woken.set()

    def _drop(self, host: FloorHost) -> None:
        """Stop running a floor that another server owns."""
        floor = host.lease.floor
        host.end()
        if self.hosts.get(floor) is host:
            del self.hosts[floor]
            for table in host.journal.floor.tables:
                self._floor_of.pop(table, None)
            log.info("floor left", floor=floor)
            for listener in tuple(self.on_floor_moved):
                listener(host)

    async def locate(self, table: str) -> FloorHost | Elsewhere | None:
        """Where a table is run: here, or by another server; None if there is no such table. A floor
        that nobody runs is taken."""
        if (host := self.host_of(table)) is not None or self.is_alone:
            return host
        floor = await asyncio.to_thread(self.database.floor_of_table, table)
        return await self._locate_floor(floor) if floor else None

    async def _locate_floor(self, floor: str) -> FloorHost | Elsewhere | None:
        for _ in range(2):  # somebody else may take it first
            if (place := await self.membership.place(floor)) is None:
                return None
            if place.owner is not None and place.owner.name != self.server:
                return Elsewhere(place.owner.at)
            if floor in self.broken_floors:
                break
            if self.membership.is_draining:
                break
            await self._take_unless_broken(floor)
            if (host := self.hosts.get(floor)) is not None:
                return host
        raise FloorUnavailable(f"nobody runs floor {floor}")

    # Other servers.

    def _handle_signal(self, signal: Signal, about: str) -> None:
        match signal:
            case Signal.GIVEN:
                if about == self.server:
                    self._woken.set()
            case Signal.FREED:
                self._woken.set()
            case Signal.SETTING_CHANGED:
                self._settings_due = 0.0
                self._woken.set()
            case Signal.LOGGED_OUT:
                self.on_log_out()
            case _:
                assert_never(signal)

    async def _renew(self) -> None:
        """Renew the lease, leave the floors that were lost, and run those that were given."""
        requested = asyncio.get_running_loop().time()
        held = await self.membership.renew(json.dumps(self.describe_lobby()))
        for host in tuple(self.hosts.values()):
            if host.lease in held:
                host.lease_good_until = self.membership.good_until(requested)
            elif await self.membership.holds(host.lease):
                pass  # taken during the renewal
            else:
                self._drop(host)
        if not self.membership.is_draining:
            for floor in sorted({lease.floor for lease in held} - self.hosts.keys()):
                await self._take_unless_broken(floor)

    async def _take_share(self, occupancy: Occupancy) -> None:
        """Take this server's share of the floors that nobody runs."""
        if not occupancy.free or not self.membership.may_take:
            return
        now = asyncio.get_running_loop().time()
        draining = {server.name for server in occupancy.servers if server.is_draining}
        counts = self._counts(occupancy)
        room = shares(counts, len(occupancy.free), draining)[self.server] - counts[self.server]
        for floor in occupancy.free:
            if room <= 0:
                return
            if floor not in self.broken_floors and self._avoided_until.get(floor, 0) <= now:
                await self._take_unless_broken(floor)
                room -= floor in self.hosts

    async def _give_floors(self, occupancy: Occupancy, in_play: bool = False) -> bool:
        """Give floors to servers that own too few. Returns whether any server can receive some."""
        draining = {server.name for server in occupancy.servers if server.is_draining}
        draining |= {self.server} if self.membership.is_draining else set()
        others = [server for server in occupancy.servers if server.name not in draining]
        ready = {one.name for one in others if one.up_seconds >= self._min_uptime_seconds}
        if self.membership.is_draining:
            ready = ready or {server.name for server in others}
        chosen = receivers(self.server, self._counts(occupancy), draining, ready - {self.server})
        hosts = [host for host in self.owned_floors().values() if in_play or not is_in_play(host)]
        most = None if self.membership.is_draining else MAX_GIVEN_AT_A_TIME
        for host, receiver in zip(hosts[:most], chosen, strict=False):
            if await self.membership.give(host.lease, host.journal.head.count, receiver):
                self._drop(host)
        return bool(ready)

    async def _is_first(self) -> bool:
        """Whether this server does what only one server of the house does."""
        servers = (await self.membership.occupancy()).servers
        return bool(servers) and servers[0].name == self.server

    def _counts(self, occupancy: Occupancy) -> dict[str, int]:
        names = {self.server, *(server.name for server in occupancy.servers)}
        return {name: occupancy.counts.get(name, 0) for name in names}

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
        """Renew the lease, take and give floors, and take halted floors again."""
        async with self._maintain_lock:
            if not self.is_alone:
                await self._renew()
                if self._settings_due <= asyncio.get_running_loop().time():
                    await self._reload_settings()
                occupancy = await self.membership.occupancy()
                await self._take_share(occupancy)
                if not self.membership.is_draining:  # else `drain` gives them
                    await self._give_floors(occupancy)
            for floor, host in tuple(self.hosts.items()):
                if host.halt_reason and floor not in self.broken_floors:
                    await self._take_again(floor, host)

    async def anchor(self) -> None:
        """Append the heads of the floors that have grown to the anchor file."""
        if self.anchor_writer is not None:
            # Of other servers' floors, the database knows the heads.
            heads = {} if self.is_alone else await asyncio.to_thread(self.database.heads)
            heads |= {floor: host.journal.head for floor, host in self.hosts.items()}
            await self.anchor_writer.add(heads, self._now())

    async def _take_again(self, floor: str, host: FloorHost) -> None:
        """Resume a halted floor, after the entries that its log has by now."""
        if not self.is_alone and host.failures >= MAX_STORE_FAILURES:
            await self._leave_to_others(floor, host)
            return
        requested = asyncio.get_running_loop().time()
        lease = await self.membership.take(floor)
        if lease is None:
            self._drop(host)
            return
        try:
            new_steps = replay_to_end(self.database, floor, host.journal)
            steps = await asyncio.to_thread(list, new_steps)
        except BrokenLog as broken:
            if await self.membership.holds(lease):  # otherwise its new owner judges the log
                self.broken_floors.shut(floor, broken)
            return
        host.lease_good_until = self.membership.good_until(requested)
        self.incident_queue.add(IncidentKind.UNAVAILABLE, {"why": host.halt_reason}, floor)
        host.resume(lease, steps)
        log.info("floor resumed", floor=floor, entries=host.journal.head.count)

    async def _leave_to_others(self, floor: str, host: FloorHost) -> None:
        """Free a floor that fails here again and again. Other servers take it; this one does so
        only after two lease periods."""
        self._avoided_until[floor] = asyncio.get_running_loop().time() + 2 * LEASE_SECONDS
        await self.membership.free(host.lease)
        self._drop(host)

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
                await asyncio.to_thread(list, steps)
        except BrokenLog as broken:
            self.broken_floors.shut(floor, broken)
            return
        self.broken_floors.reopen(floor)
        self._woken.set()  # take the floor if it is free

    # Tables.

    async def set_dealing_mode(self, table: str, mode: DealingMode, by: str = HOUSE.name) -> None:
        """Set a table's dealing mode."""
        await self._apply(table, SetDealing(*mode), by)

    async def set_pace(self, table: str, timings: Timings | None, by: str = HOUSE.name) -> None:
        """Set a table's pace; None restores the usual pace."""
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
        self._settings_due = asyncio.get_running_loop().time() + SETTINGS_SECONDS
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

    async def read_journals(self) -> dict[str, Journal]:
        """Every floor with an intact log: those of this server as they are, and the others read
        from their logs."""
        journals = {floor: host.journal for floor, host in self.hosts.items()}
        for floor in await asyncio.to_thread(self.database.floors):
            if floor not in journals and floor not in self.broken_floors:
                with suppress(BrokenLog):
                    journals[floor] = await asyncio.to_thread(self._snapshots.load, floor)
        return journals

    async def read_floor(self, floor: str) -> Floor:
        """A floor as it is, whichever server runs it; an empty one if there is none."""
        if (host := self.hosts.get(floor)) is not None:
            return host.journal.floor
        if floor not in await asyncio.to_thread(self.database.floors):
            return Floor()
        return (await asyncio.to_thread(self._snapshots.load, floor)).floor

    async def read_table(self, id: str) -> Table | None:
        """A table as it is, whichever server runs it."""
        if (table := self.table(id)) is not None or self.is_alone:
            return table
        floor = await asyncio.to_thread(self.database.floor_of_table, id)
        return (await self.read_floor(floor)).tables.get(id) if floor else None

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

    async def _pause_for_lost_seal(self, table: Table, reason: str) -> None:
        """Whoever lets an open round go on has to deal by hand, and so can end it."""
        mode = self.dealing_modes.get(table.id)
        if not mode.paused:
            by_hand = mode.by_hand or table.is_playing
            await self.set_dealing_mode(table.id, DealingMode(reason, by_hand))

    async def submit(self, request: CommandRequest) -> Reply | None:
        """The answer to a command for a table of this server; None if there is no such table.
        Raises FloorMoved if another server runs it.

        A table that closes opens its seal first.
        """
        located = await self.locate(request.table)
        if located is None:
            return None
        if isinstance(located, Elsewhere):
            raise FloorMoved(at=located.at)
        if refused := await self._prepare_seal(request):
            return await located.find_acceptance(request) or refused
        return await located.submit(request)

    async def _prepare_seal(self, request: CommandRequest) -> Refusal | None:
        if (table := self.table(request.table)) is None:
            return None
        sealer = self.sealer_of(table.id)
        return await prepare_seal(table, request.command, sealer, self.lost_seals, self.submit)

    async def open_table(self, floor: str, request: CommandRequest) -> Reply:
        """Open a table, and its floor if there is none. No two tables of the house have the same
        name: a request for a name in use is decided, and so refused, by that table's floor."""
        known = await asyncio.to_thread(self.database.floor_of_table, request.table)
        host = await self.host_to_open(known or floor)
        if host is None:
            decision = decide(Floor(), request.table, request.by, request.command)
            if isinstance(decision, Refusal):
                return decision
            host = await self.open_floor(floor)
        return await host.submit(request)

    async def host_to_open(self, floor: str) -> FloorHost | None:
        """The host of a floor that is to get a table; None if there is no such floor. Raises
        FloorMoved if another server runs it."""
        if floor in self.broken_floors:
            raise FloorUnavailable(f"the log of floor {floor} is broken")
        if (host := self.hosts.get(floor)) is not None or self.is_alone:
            return host
        located = await self._locate_floor(floor)
        if isinstance(located, Elsewhere):
            raise FloorMoved(at=located.at)
        return located


def is_in_play(host: FloorHost) -> bool:
    """Whether a round is open. Floors do not move then, since players' clocks would start again."""
    return any(table.is_playing for table in host.journal.floor.tables.values())


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
