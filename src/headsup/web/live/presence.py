"""Who is at the tables, from whichever server: which seats need not be waited for, because their
player looks at the table from nowhere, and which tables a dealer took over and left."""

import asyncio
from collections.abc import Callable, Mapping

from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.house.store.presence import share_presence
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log

PRESENCE_CHECK_SECONDS = 0.5
SHARE_SECONDS = 2.0  # between servers
PRESENCE_TTL_SECONDS = 6  # what a server said of itself that says no more
CONSOLE_GRACE_SECONDS = 3.0  # a console that is loaded again has not left its table
_DEALT_TABLES_KEY = ""  # no table's name: under it a server says at which tables somebody may deal


class Presence:
    """`give_back` is after how many seconds a table that nobody deals is the automatic dealer's
    again; None where that is for people to say: whoever took it over may be on a break."""

    def __init__(
        self,
        house: House,
        sockets: Sockets,
        left: float = CONSOLE_GRACE_SECONDS,
        give_back: float | None = None,
    ) -> None:
        self._house, self._sockets = house, sockets
        self._left, self._give_back = left, give_back
        self._since: dict[str, float] = {}  # when it was first seen that nobody deals a table
        self._elsewhere: Mapping[str, frozenset[str]] = {}
        self._known = house.alone  # before the other servers were heard, nobody is away

    def away(self, table: str) -> frozenset[int]:
        found = self._house.table(table)
        if found is None or not self._known:
            return frozenset()
        here = self._sockets.watching(table) | self._elsewhere.get(table, frozenset())
        return frozenset(seat for seat, name in found.players.items() if name not in here)

    def left(self) -> frozenset[str]:
        """The tables that wait for a person, and at whose console nobody stands who may deal."""
        if not self._known:
            return frozenset()
        dealt = self._sockets.dealt() | self._elsewhere.get(_DEALT_TABLES_KEY, frozenset())
        attendances = self._house.attendances
        waiting = {one.id for one in self._house.tables() if attendances.of(one.id).waits}
        return frozenset(waiting - dealt)

    async def look_always(self, changed: Callable[[str], None]) -> None:
        """Until cancelled; `changed` is told of every table to which somebody came or from which
        somebody went."""
        before: dict[str, frozenset[int]] = {}
        shared, loop = -SHARE_SECONDS, asyncio.get_running_loop()
        while True:
            if not self._house.alone and loop.time() >= shared + SHARE_SECONDS:
                shared = loop.time()
                await self._share()
            now = {table.id: self.away(table.id) for table in self._house.tables()}
            for table in now:
                if now[table] != before.get(table, frozenset()):
                    changed(table)
            before = now
            await self._look_who_deals(loop.time())
            await asyncio.sleep(PRESENCE_CHECK_SECONDS)

    async def _look_who_deals(self, now: float) -> None:
        self._since = {table: self._since.get(table, now) for table in self.left()}
        gone = {table: now - since for table, since in self._since.items()}
        told = (table for table, seconds in gone.items() if seconds >= self._left)
        for table in self._house.attendances.leave(told):
            self._sockets.show_again(table)
        for table, seconds in gone.items():
            if self._give_back is not None and seconds >= self._give_back:
                await self._back_to_the_house(table)

    async def _back_to_the_house(self, table: str) -> None:
        try:
            await self._house.attend(table, DealingMode())
            log.info("a table is the house's again", table=table)
        except Exception as error:  # the next look tries again
            log.warning("a table was not given back", table=table, at=short_traceback(error))

    async def _share(self) -> None:
        database, server = self._house.database, self._house.server
        good = PRESENCE_TTL_SECONDS * 1_000_000
        watched = {**self._sockets.watched(), _DEALT_TABLES_KEY: self._sockets.dealt()}
        try:
            self._elsewhere = await asyncio.to_thread(
                share_presence, database, server, watched, good
            )
            self._known = True
        except Exception as error:
            log.warning("who is where is not known", at=short_traceback(error))
            self._known = False
