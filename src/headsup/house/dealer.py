"""The automatic dealer of one table: does what `pace` says is due, when it is due."""

import asyncio
import logging
from collections.abc import Callable
from uuid import uuid4

from headsup.game.round.commands import DealCards
from headsup.game.table.commands import Command, Staff
from headsup.game.table.state import Table
from headsup.house.host import Asked, CarriedOut, Happened, Host, Unavailable
from headsup.house.pace import DealNow, Next, Timings, due
from headsup.house.shoe import Decks

DEALER, CLOCK = Staff("dealer"), Staff("clock")
AGAIN_SECONDS = 5.0  # after something that could not be done
_log = logging.getLogger("headsup.dealer")


class AutomaticDealer:
    def __init__(
        self,
        host: Host,
        table: str,
        decks: Decks,
        timings: Timings,
        away: Callable[[], frozenset[int]] = frozenset,
    ) -> None:
        self._host, self._table, self._decks = host, table, decks
        self._timings, self._away = timings, away
        self._woken = asyncio.Event()
        self._stands: object = None
        self._since = 0.0
        self._unwatch = host.watch(self._happened)
        self._task = asyncio.create_task(self._run(), name=f"dealer of {table}")

    def wake(self) -> None:
        """Look again: a player came or went."""
        self._woken.set()

    async def stop(self) -> None:
        self._unwatch()
        self._task.cancel()
        await asyncio.wait([self._task])

    def _happened(self, happened: Happened) -> None:
        if happened.table == self._table:
            self._woken.set()

    async def _run(self) -> None:
        while await self._host.back():
            try:
                await self._step()
            except Exception:
                _log.exception("the dealer of %s stumbled and goes on", self._table)
                await asyncio.sleep(AGAIN_SECONDS)

    async def _step(self) -> None:
        self._woken.clear()
        table = self._host.journal.floor.tables[self._table]
        next = due(table, self._timings, self._away())
        if next is None:
            await self._woken.wait()
            return
        left = next.after - self._stood(table, next)
        if await self._woken_within(max(left, 0)):
            return
        if not await self._do(table, next):
            await self._woken_within(AGAIN_SECONDS)

    async def _woken_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def _stood(self, table: Table, next: Next) -> float:
        """How long the table has stood as it does; a further bet does not start it anew, the
        next hand to be resolved does."""
        now = asyncio.get_running_loop().time()
        round = table.round
        place = None if round is None else (round.number, round.phase, len(round.resolved))
        stands = (place, next.what)
        if stands != self._stands:
            self._stands, self._since = stands, now
        return now - self._since

    async def _do(self, table: Table, next: Next) -> bool:
        """Whether it was done; what the table refuses is not asked again in a hurry."""
        match next.what:
            case DealNow():
                command: Command = DealCards(self._decks(table.rounds))
            case due_now:
                command = due_now
        try:
            reply = await self._host.ask(Asked(uuid4().hex, self._table, DEALER, command))
        except Unavailable:
            return False
        return isinstance(reply, CarriedOut)
