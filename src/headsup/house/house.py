"""The house: floors in a database, each worked by one host; tables, shoes and dealers.

`start` takes the floors that nobody owns, reads their logs and goes on where they ended. While it
is open it renews its leases, takes floors again that halted or whose owner is dead, and keeps
snapshots. `stop` finishes what was accepted and lets the floors go.

Floors that another server of the same database owns are followed: whoever watches sees the same
here as there, and what is asked of them is forwarded to their owner.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import assert_never

from headsup.game.refusal import Refusal
from headsup.game.table.decide import decide
from headsup.game.table.state import Floor, Table
from headsup.house.cash.thresholds import ReportingThresholds
from headsup.house.cluster.forwarding import Forwarding
from headsup.house.cluster.leases import LEASE_MICROSECONDS, LEASE_SECONDS, RENEW_SECONDS, Leases
from headsup.house.cluster.notifications import keep_listening, send_signal
from headsup.house.cluster.rebalance import Spread, spread_floors
from headsup.house.cluster.replicas import Followers
from headsup.house.dealing.dealing_mode import DealingMode, DealingModes
from headsup.house.dealing.pace import TablePace, Timings
from headsup.house.fairness.seal_store import DatabaseSealer
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.host import (
    OWNED_ELSEWHERE,
    SERVER_STOPPING,
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
    Reply,
)
from headsup.house.floor.log_reader import BrokenLog, replay_to_end
from headsup.house.floor.snapshots import Snapshots
from headsup.house.history.floor_index import is_blocked_by_shut_floor
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.integrity.anchor_file import AnchorWriter
from headsup.house.log import ErrorStreak, log, log_failure, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.dealing_modes import put_dealing_mode, read_dealing_modes
from headsup.house.store.paces import pace_incident, put_pace, read_paces
from headsup.house.store.projection_tables import Incident, IncidentKind
from headsup.house.store.protocol import Lease
from headsup.house.store.settings import (
    put_reporting_thresholds,
    read_known_rounds,
    read_reporting_thresholds,
)
from headsup.house.store.signals import Signal

HOUSE = "house"  # who set what no person did
ANCHOR_SECONDS = 30  # what was written in the last of them can be rewritten unseen
MAX_STORE_FAILURES = 3  # to keep what one floor decided, one after the other
FIRST_RETRY_SECONDS = 0.1  # before a halted floor is taken again; doubled as long as that fails


class House:
    def __init__(
        self,
        database: Database,
        server: str,
        now: Callable[[], str],
        alone: bool | None = None,
        anchors: Path | None = None,
    ) -> None:
        """`anchors` is the file to which the heads of the logs are added."""
        self.database, self.server, self._now = database, server, now
        self.alone = database.alone if alone is None else alone
        self.keeper = GroupCommit(database.keep)
        self._leases = Leases(database, server, self.alone, self.owned)
        self.attendances = DealingModes()
        self.paces: Mapping[str, TablePace] = {}  # of the tables that have one of their own
        self.large = ReportingThresholds()  # which amounts are, as an administrator has set it
        # By table, the round whose cards may be known (`house/integrity/restore_guard.py`).
        self.known: Mapping[str, int] = {}
        self.usual_pace = Timings()  # of the others, as far as this server deals them
        self._snapshots = Snapshots(database)
        self.diary = IncidentQueue(database, server, now)
        self.anchoring = None if anchors is None else AnchorWriter(anchors, database, self.diary)
        self.hosts: dict[str, FloorHost] = {}
        self._floor_of: dict[str, str] = {}
        self.shut: set[str] = set()  # floors whose log does not hold
        self._taking, self._once, self._opening = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        # One reads or writes how tables are attended: what was read before comes never last.
        self._attending = asyncio.Lock()
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._welcoming: list[Callable[[FloorHost], None]] = []
        # What other servers tell that is no business of floors.
        self.on_signal: Callable[[Signal, str], None] = lambda *_: None
        self._attended: list[Callable[[str], None]] = []
        self._telling: set[asyncio.Task[None]] = set()
        self._trouble = ErrorStreak("the store does not answer")
        self._followers = Followers(database, self._whole, self._give_up)
        self._forwarding = Forwarding(database, server, self.owned)

    async def start(self) -> None:
        await asyncio.to_thread(self.database.claim)
        await asyncio.to_thread(self.database.migrate)
        await self.diary.check_program()
        await self._look_who_attends()  # before anything is dealt
        for floor in await asyncio.to_thread(self.database.floors):
            await self._take_if_whole(floor)
        await log_failure(self.diary.write)
        self._tasks.append(asyncio.create_task(self._tend_always(), name="house"))
        if not self.alone:
            self._tasks.append(asyncio.create_task(self._leases.renew_always(), name="leases"))
            self._followers.start()
            self._forwarding.start()
            hearing = keep_listening(self.database.engine, self._heard, self._missed)
            self._tasks.append(asyncio.create_task(hearing, name="signals"))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._followers.stop()
        working = self.owned()
        for host in self.hosts.values():
            await host.stop()
        await self._forwarding.stop()
        await self.keeper.close()
        await self._snapshots.finish({floor: host.journal for floor, host in working.items()})
        await log_failure(self.anchor)
        await log_failure(self.diary.write)
        leases = [host.lease for host in working.values()]
        try:
            await self._leases.release(leases)
        except Exception as error:  # they run out by themselves
            log.warning("the floors could not be released", at=short_traceback(error))
        await self._leases.stop()

    def owned(self) -> dict[str, FloorHost]:
        """The floors that are worked here."""
        return {floor: host for floor, host in self.hosts.items() if not host.lost}

    def _whole(self) -> dict[str, FloorHost]:
        return {floor: host for floor, host in self.hosts.items() if floor not in self.shut}

    def welcome(self, come: Callable[[FloorHost], None]) -> Callable[[], None]:
        """Be told of every floor, those there are and those to come; call the result to stop."""
        self._welcoming.append(come)
        for host in tuple(self.hosts.values()):
            come(host)
        return lambda: self._welcoming.remove(come)

    def watch_attended(self, told: Callable[[str], None]) -> Callable[[], None]:
        """Be told of a table that was paused or taken over, goes on or has another pace, by
        whichever server; call the result to stop."""
        self._attended.append(told)
        return lambda: self._attended.remove(told)

    async def open_floor(self, floor: str) -> FloorHost:
        if (host := self.hosts.get(floor)) is not None:
            return host
        await asyncio.to_thread(self.database.open_floor, floor)
        return await self.take(floor)

    async def take(self, floor: str) -> FloorHost:
        """A floor from where its log ends: our own if it is free, else that of another server."""
        async with self._taking:
            if (host := self.hosts.get(floor)) is not None:
                return host
            asked = asyncio.get_running_loop().time()
            lease = await self._leases.take(floor, self.alone)
            journal = await asyncio.to_thread(self._snapshots.opened, floor, lease is not None)
            held = lease or Lease(floor, "", 0)
            host = FloorHost(
                *(held, journal, self.keeper, self.database.answer, self._now, self._woken.set),
                "" if lease else OWNED_ELSEWHERE,
                tell=self.diary.tell,
                large=lambda: self.large,
                forbids=self.diary.forbids,
                holds=None if self.alone else self.database.holds,
            )
            host.good_until = self._leases.good_from(asked)
            self.hosts[floor] = host
        host.watch(lambda news: self._note(floor, news))
        if lease is not None:
            host.start()
        for table in journal.floor.tables:
            self._floor_of.setdefault(table, floor)
        for come in self._welcoming:
            come(host)
        return host

    def _note(self, floor: str, news: FloorUpdate) -> None:
        self._floor_of.setdefault(news.table, floor)
        if not self.hosts[floor].lost:
            self._snapshots.note(floor, news.journal)

    # Other servers.

    def _heard(self, signal: Signal, about: str) -> None:
        match signal:
            case Signal.GREW:
                if about in self.hosts:
                    self._followers.grew(about)
                else:
                    self._woken.set()  # a floor that is new here
            case Signal.FREED | Signal.ATTENDED:
                self._woken.set()
            case Signal.ASKED:
                if about in self.owned():
                    self._forwarding.wake()
            case Signal.ANSWERED:
                if about == self.server:
                    self._forwarding.wake()
            case Signal.GONE | Signal.SEATED:
                self.on_signal(signal, about)
            case _:
                assert_never(signal)

    def tell(self, signal: Signal, about: str) -> None:
        """Tell the other servers, if there are any; nobody waits for it."""
        if not self.alone:
            told = asyncio.create_task(send_signal(self.database.engine, signal, about))
            self._telling.add(told)
            told.add_done_callback(self._telling.discard)

    def _missed(self) -> None:
        """Nobody knows what the signals said that were not heard."""
        self._woken.set()
        self._forwarding.wake()
        for floor in self.hosts:
            self._followers.grew(floor)

    async def find(self, table: str) -> FloorHost | None:
        """The floor of a table, also of one that another server has opened just now."""
        if self.host_of(table) is None and not self.alone:
            await self._take_others()
            await self._followers.look()
        return self.host_of(table)

    # While it is open.

    async def _tend_always(self) -> None:
        failures, anchored = 0, 0.0
        while True:
            pause = FIRST_RETRY_SECONDS * 2 ** (failures - 1) if failures else RENEW_SECONDS
            await self._woken_within(min(pause, RENEW_SECONDS))
            if (now := asyncio.get_running_loop().time()) >= anchored + ANCHOR_SECONDS:
                anchored = now
                await log_failure(self.anchor)
            await log_failure(self.diary.write)
            try:
                await self.tend()
                failures = 0
                self._trouble.over()
            except Exception as error:
                failures = min(failures + 1, 10)
                self._trouble.seen(error)

    async def _woken_within(self, seconds: float) -> None:
        # Not `wait_for`, which may swallow the cancelling of a house that is woken just then.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        self._woken.clear()

    async def tend(self) -> None:
        """Renew the leases, and take every floor that is to be had and is not worked here."""
        async with self._once:
            if not self.alone:
                await self._leases.renew()
                await self._look_who_attends()
                await self._take_others()
            lost = {floor: host for floor, host in self.hosts.items() if host.lost}
            if lost:
                free = await self._leases.free()
                for floor in sorted(lost.keys() & free - self.shut):
                    if not self._for_others(lost[floor]):
                        await self._take_again(floor, lost[floor])

    def _for_others(self, host: FloorHost) -> bool:
        """Who cannot keep what a floor decides, again and again, leaves it for a while to servers
        that perhaps can."""
        again = host.failed_at + 2 * LEASE_SECONDS
        often = not self.alone and host.failures >= MAX_STORE_FAILURES
        return often and asyncio.get_running_loop().time() < again

    async def _take_others(self) -> None:
        """Take or follow the floors that are new here."""
        for floor in await asyncio.to_thread(self.database.floors):
            if floor not in self.hosts:
                await self._take_if_whole(floor)

    async def anchor(self) -> None:
        """Add the heads of the floors that have moved to the file of anchors."""
        if self.anchoring is not None:
            heads = {floor: host.journal.head for floor, host in self.hosts.items()}
            await self.anchoring.add(heads, self._now())

    async def _take_again(self, floor: str, host: FloorHost) -> None:
        """Go on with a floor that halted here, after whatever its log holds by now."""
        asked = asyncio.get_running_loop().time()
        lease = await self._leases.take(floor)
        if lease is None:
            return
        try:
            more = replay_to_end(self.database, floor, host.journal)
            steps = await asyncio.to_thread(list, more)
        except BrokenLog as broken:
            self._give_up(floor, broken)
            return
        host.good_until = self._leases.good_from(asked)
        if host.lost != OWNED_ELSEWHERE:
            self.diary.tell(IncidentKind.UNAVAILABLE, {"why": host.lost}, floor)
        host.resume(lease, steps)
        self._forwarding.wake()  # what its last owner was asked and has not answered
        log.info("a floor goes on", floor=floor, entries=host.journal.head.count)

    async def _take_if_whole(self, floor: str) -> None:
        """A broken log is an auditor's business, and no reason to keep the other floors shut."""
        if floor in self.shut:
            return
        try:
            await self.take(floor)
        except BrokenLog as broken:
            self._give_up(floor, broken)

    def _give_up(self, floor: str, broken: BrokenLog) -> None:
        log.error("a floor stays shut", floor=floor, why=str(broken))
        kind = IncidentKind.DATA_LOSS if broken.shorter else IncidentKind.DATA_CHANGED
        self.diary.tell(kind, {"why": str(broken)}, floor)
        self.shut.add(floor)

    # Tables.

    async def attend(self, table: str, attendance: DealingMode, by: str = HOUSE) -> None:
        """Pause a table, take it over from its automatic dealer, or let it go on: on whichever
        server it is dealt."""
        kind = IncidentKind.UNAVAILABLE if attendance.paused else IncidentKind.CONFIGURATION
        said = json.dumps({"act": "attendance", **asdict(attendance)}, sort_keys=True)
        told = Incident(kind, self._now(), by, said, table)
        floor = self._floor_of.get(table, "")
        async with self._attending:
            await asyncio.to_thread(put_dealing_mode, self.database, floor, table, attendance, told)
            self.attendances.put(table, attendance)
        self._tell_attended(table)

    async def set_pace(self, table: str, timings: Timings | None, by: str = HOUSE) -> None:
        """How fast a table is dealt, on whichever server; None is the usual pace again."""
        told = pace_incident(table, timings, by, self._now())
        pace = None if timings is None else TablePace(timings, by, told.at)
        floor = self._floor_of.get(table, "")
        async with self._attending:
            await asyncio.to_thread(put_pace, self.database.engine, floor, table, pace, told)
            others = {id: one for id, one in self.paces.items() if id != table}
            self.paces = others if pace is None else {**others, table: pace}
        self._tell_attended(table)

    def _tell_attended(self, table: str) -> None:
        for told in tuple(self._attended):
            told(table)

    async def _look_who_attends(self) -> None:
        async with self._attending:
            kept = await asyncio.to_thread(read_dealing_modes, self.database)
            paces, self.large, self.known = await asyncio.to_thread(self._kept_settings)
            known = self.paces.keys() | paces.keys()
            changed = {table for table in known if self.paces.get(table) != paces.get(table)}
            self.paces = paces
            changed.update(self.attendances.renew(kept))
        for table in sorted(changed):
            self._tell_attended(table)

    def _kept_settings(self) -> tuple[dict[str, TablePace], ReportingThresholds, dict[str, int]]:
        with self.database.reading() as connection:
            return (
                read_paces(connection),
                read_reporting_thresholds(connection),
                read_known_rounds(connection),
            )

    async def set_large(self, large: ReportingThresholds, by: str) -> None:
        """Which amounts are large from now on, on every server."""
        async with self._attending:
            await asyncio.to_thread(
                put_reporting_thresholds, self.database.engine, large, by, self._now()
            )
            self.large = large

    async def spread(self, by: str) -> Spread:
        """Give all servers about as many floors as one another."""
        known = self.database, self.server, dict(self.hosts)
        return await asyncio.to_thread(spread_floors, *known, by, self._now(), LEASE_MICROSECONDS)

    def tables(self) -> list[Table]:
        found = [self.table(id) for id in self._floor_of]
        return sorted((table for table in found if table is not None), key=lambda table: table.id)

    def table(self, id: str) -> Table | None:
        host = self.host_of(id)
        return None if host is None else host.journal.floor.tables.get(id)

    def host_of(self, table: str) -> FloorHost | None:
        return self.hosts.get(self._floor_of.get(table, ""))

    def sealer_of(self, table: str) -> DatabaseSealer:
        """What seals the shuffles of a table, and finds what any server of this database sealed."""
        return DatabaseSealer(self.database, self._floor_of[table])

    async def ask(self, asked: CommandRequest) -> Reply | None:
        """What the owner of the table's floor answers, here or elsewhere; None where there is no
        such table."""
        host = self.host_of(asked.table)
        return None if host is None else await self._ask(host, asked)

    async def open_table(self, floor: str, asked: CommandRequest) -> Reply:
        """A floor is made for a table that opens. No two tables of the house have one name: who
        opens one sees all that were opened before."""
        async with self._opening:
            name = await asyncio.to_thread(self.database.hold_name, asked.table)
            if name is None:
                raise FloorUnavailable("the table is being opened")
            try:
                reply = await self._open(floor, asked)
            finally:
                await asyncio.to_thread(name.close)
        if asked.pace is not None and isinstance(reply, Acceptance):
            await self._look_who_attends()
        return reply

    async def _open(self, floor: str, asked: CommandRequest) -> Reply:
        host = await self.find(asked.table)
        place = self.database, {*self.shut}, floor, asked.table
        if host is None and await asyncio.to_thread(is_blocked_by_shut_floor, *place):
            raise FloorUnavailable(f"the floor of table {asked.table} stays shut")
        if (host := host or self.hosts.get(floor)) is None:
            decision = decide(Floor(), asked.table, asked.by, asked.command)
            if isinstance(decision, Refusal):
                return decision
            host = await self.open_floor(floor)
        return await self._ask(host, asked)

    async def _ask(self, host: FloorHost, asked: CommandRequest) -> Reply:
        if not host.lost:
            try:
                return await host.ask(asked)
            except FloorUnavailable:
                if self.alone:
                    raise
        if self.alone or host.lease.floor in self.shut or host.lost == SERVER_STOPPING:
            raise FloorUnavailable(host.lost)
        return await self._forwarding.ask(host, asked)
