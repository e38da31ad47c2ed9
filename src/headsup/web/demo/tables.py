"""Runs the tables of the demonstration, their dealers and their automatic players.

Tables are opened once and survive a restart. Automatic players come when somebody first opens the
lobby or a table, and always leave one seat free. They keep seats and chips while nobody is there,
so that drop and hold reflect play, not visits. They bet only after the people at their table, who
may take all the time they like. A table that a visitor took over and left goes back to the
automatic dealer after a while.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from uuid import uuid4

from headsup.game.refusal import Code, Refusal
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import Leave
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.frozen_json import FrozenJson
from headsup.house import clock
from headsup.house.dealing.dealer import Dealers
from headsup.house.dealing.pace import Timings
from headsup.house.floor.host import CommandRequest, FloorUnavailable
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person
from headsup.web.api.suggestions import suggested_options
from headsup.web.demo.bots import Bot
from headsup.web.demo.house import PLAY_MONEY_CENTS, PLAY_MONEY_REASON, find_bot_account
from headsup.web.live.client import Client, Declined
from headsup.web.live.presence import CONSOLE_GRACE_SECONDS, Presence
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log
from headsup.web.workers.strategist import Strategist

PACE = Timings(open=0.4, betting=25.0, all_in=0.6, deal=0.3, card=0.7, resolve=0.6, close=1.5)
HOUSE_STAFF = Staff("house")
AUTOMATIC = "(automatic)"  # ends the names of automatic players
ATTENDANT_SECONDS = 0.5  # between checks of who is there
HAND_BACK_SECONDS = 20.0  # until a table its dealer left goes back to the automatic one
RECONNECT_SECONDS = 3.0  # until a disconnected automatic player comes back


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table of the demonstration, and the names of its automatic players."""

    id: str
    book: str
    players: tuple[str, ...]
    shuffle: ShuffleSource = ShuffleSource.SEALED

    @property
    def opening(self) -> OpenTable:
        rules = table_rules(self.book)
        options = suggested_options(rules)
        if "approval" in rules.options:
            options["approval"] = "a demonstration"
        return OpenTable(self.book, options=FrozenJson(options), shuffle=self.shuffle)


DEMO_TABLES = (
    DemoTable("Galaxy", "galaxy", ("Robin", "Sasha", "Kim")),
    DemoTable("New York", "new-york", ("Noor", "Alex", "Toni")),
    DemoTable("Washington", "washington", ("Jules", "Mika", "Charlie", "Eli")),
    DemoTable("SugarHouse", "sugarhouse", ("Bo", "Dana", "Kai", "Luca", "Sam")),
    # A visitor deals it with a real deck, to people around the kitchen table.
    DemoTable("Your deck", "galaxy-wpt", (), ShuffleSource.TURNED_OVER),
)


@dataclass(slots=True)
class Demo:
    """The dealers, automatic players and presence of one demo server."""

    house: House
    accounts: Accounts
    sockets: Sockets
    address: str
    strategist: Strategist
    tables: Sequence[DemoTable] = DEMO_TABLES
    pace: Timings = PACE
    think_seconds: tuple[float, float] = (0.5, 1.6)  # shortest and longest, of automatic players
    console_grace: float = CONSOLE_GRACE_SECONDS
    hand_back_after: float = HAND_BACK_SECONDS
    departed: set[str] = field(default_factory=set)  # guests who have logged out for good

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.strategist.stop)
            self.strategist.warm_up()
            presence = Presence(self.house, self.sockets, self.console_grace, self.hand_back_after)
            dealers = Dealers(self.house, self.pace, presence.absent_seats)
            dealers.start()
            stack.push_async_callback(dealers.stop)
            presence_task = asyncio.create_task(presence.run(dealers.wake), name="presence")
            stack.callback(presence_task.cancel)
            for table in self.tables:
                await self._open(table)
                attendant = _Attendant(self, table, dealers)
                attendant.start()
                stack.push_async_callback(attendant.stop)
            yield

    async def _open(self, table: DemoTable) -> None:
        if self.house.table(table.id) is None:
            request = CommandRequest(
                f"opening-{table.id}".replace(" ", "-"), table.id, HOUSE_STAFF, table.opening
            )
            try:
                forbidden = self.house.incident_queue.refusal_for(request.command)
                outcome = forbidden or await self.house.open_table(table.id, request)
            except (BrokenLog, FloorUnavailable):
                return  # the house has logged the broken log, or another server opens the floor
            if isinstance(outcome, Refusal) and outcome.code is Code.PROGRAM_CHANGED:
                log.warning("table not opened", table=table.id, why=outcome.message)
                return
            if isinstance(outcome, Refusal):
                raise RuntimeError(f"{table.id}: {outcome.message}")
            log.info("table opened", table=table.id)


class _Attendant:
    """Looks after one table: brings its automatic players, has them make room, wakes its dealer."""

    def __init__(self, demo: Demo, table: DemoTable, dealers: Dealers) -> None:
        self._demo, self._table, self._dealers = demo, table, dealers
        self._bots: dict[str, _SeatedBot] = {}
        self._watchers: frozenset[str] = frozenset()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._attend(), name=f"attendant of {self._table.id}")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for seated in self._bots.values():
            seated.task.cancel()
        if self._bots:
            await asyncio.wait([seated.task for seated in self._bots.values()])

    def _may_bet(self) -> bool:
        """Whether automatic players may bet: while people watch, once one of those at the table has
        bet."""
        table = self._demo.house.table(self._table.id)
        if table is None or table.round is None:
            return False
        people = {name for name in self._watchers if not is_automatic(name)}
        seats = {seat for seat, name in table.players.items() if name in people}
        return bool(people) and (not seats or bool(seats & table.round.seats.keys()))

    async def _attend(self) -> None:
        while True:
            try:
                await self._tend()
            except Exception as error:
                log.error(
                    "tending a demo table failed", table=self._table.id, at=short_traceback(error)
                )
            await asyncio.sleep(ATTENDANT_SECONDS)

    async def _tend(self) -> None:
        table = self._demo.house.table(self._table.id)
        if table is None or table.closed:
            return
        watchers = self._demo.sockets.watcher_names(self._table.id)
        if watchers != self._watchers:
            self._watchers = watchers
            self._dealers.wake(self._table.id)
            for seated in self._bots.values():
                seated.wake()
        humans = {name for name in watchers if not is_automatic(name)}
        humans |= {name for name in self._demo.sockets.lobby_names() if not is_automatic(name)}
        if humans:
            self._demo.strategist.start_coach()
        await self._free_seats(table)
        guests = [name for name in table.players.values() if not is_automatic(name)]
        wanted_count = max(table.rules.book.seats - len(guests) - 1, 0)
        for name in self._table.players[wanted_count:]:
            if name in self._bots:
                self._bots[name].leave()
        for name in self._table.players[:wanted_count]:
            if humans and name not in self._bots:
                await self._seat(name, table.players, table.rules)

    async def _free_seats(self, table: Table) -> None:
        """Stand up for guests who have logged out. A refusal, as in mid-round, is tried again."""
        for seat, name in table.players.items():
            if name in self._demo.departed:
                leave = CommandRequest(uuid4().hex, table.id, HOUSE_STAFF, Leave(seat))
                await self._demo.house.submit(leave)

    async def _seat(self, name: str, players: Mapping[int, str], rules: TableRules) -> None:
        person = await asyncio.to_thread(
            find_bot_account, self._demo.accounts, f"{name} {AUTOMATIC}"
        )
        own_seats = [seat for seat, player in players.items() if player == person.name]
        taken = {*players, *(seated.seat for seated in self._bots.values())}
        free = [seat for seat in range(1, rules.book.seats + 1) if seat not in taken]
        if not own_seats and not free:
            return
        seat = (own_seats or free)[0]
        seated = _SeatedBot(self._demo, self._table, person, seat, rules, self._may_bet)
        self._bots[name] = seated
        seated.task.add_done_callback(lambda _: self._bots.pop(name, None))


class _SeatedBot:
    """One automatic player at its seat; reconnects when its connection is lost."""

    def __init__(
        self,
        demo: Demo,
        table: DemoTable,
        person: Person,
        seat: int,
        rules: TableRules,
        may_bet: Callable[[], bool],
    ) -> None:
        self._demo, self._table, self._may_bet = demo, table, may_bet
        self._person, self.seat, self._rules = person, seat, rules
        self._bot: Bot | None = None
        self._leaving = False
        self.task = asyncio.create_task(self._play(), name=person.name)

    def wake(self) -> None:
        """Check again what to do: somebody came or went."""
        if self._bot is not None:
            self._bot.wake()

    def leave(self) -> None:
        self._leaving = True
        if self._bot is not None:
            self._bot.leave()

    async def _play(self) -> None:
        accounts, address = self._demo.accounts, self._demo.address
        while not self._leaving:
            try:
                login = await asyncio.to_thread(accounts.log_in_as, self._person)
                async with Client.holding(address, login.token) as client:
                    self._bot = Bot(
                        client,
                        self._table.id,
                        self.seat,
                        self._demo.strategist.decider_for(self._table.book),
                        choose_stakes(self._rules, self.seat),
                        self._refill,
                        self._demo.think_seconds,
                        self._may_bet,
                        leaving=self._leaving,
                    )
                    await self._bot.play()
            except (Declined, OSError) as error:
                if isinstance(error, Declined) and error.code == "seat_taken":
                    return  # somebody took the seat first: the attendant finds another
                log.warning("automatic player disconnected", who=self._person.name, why=str(error))
            if not self._leaving:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _refill(self) -> None:
        accounts = self._demo.accounts
        await asyncio.to_thread(
            accounts.deposit, self._person, PLAY_MONEY_CENTS, PLAY_MONEY_REASON, clock.now()
        )


def is_automatic(name: str) -> bool:
    return name.endswith(f" {AUTOMATIC}")


def choose_stakes(rules: TableRules, seat: int) -> dict[Wager, int]:
    """The stakes of the automatic player at this seat: an Ante of one to three times the minimum,
    and some side wagers at their minimum; which and how many depends on the seat number."""
    ante = rules.limits[Wager.ANTE].min * (1 + seat % 3)
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    side_wagers = islice(offered[seat % 2 :], min(seat % 4, rules.max_side_wagers))
    sides: dict[Wager, int] = {
        wager: rules.progressive_stake if wager is Wager.PROGRESSIVE else rules.limits[wager].min
        for wager in side_wagers
    }
    return {Wager.ANTE: ante, Wager.ODDS: ante, **sides}
