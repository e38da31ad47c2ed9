"""Which seats need not be waited for: those whose player looks at the table from no server."""

import asyncio
from collections.abc import Callable, Mapping

from headsup.house.house import House
from headsup.house.log import places
from headsup.house.store.presence import share_presence
from headsup.web.log import log
from headsup.web.sockets import Sockets

LOOK_SECONDS = 0.5
SHARE_SECONDS = 2.0  # between servers
GOOD_SECONDS = 6  # what a server said of itself that says no more


class Presence:
    def __init__(self, house: House, sockets: Sockets) -> None:
        self._house, self._sockets = house, sockets
        self._elsewhere: Mapping[str, frozenset[str]] = {}
        self._known = house.alone  # before the other servers were heard, nobody is away

    def away(self, table: str) -> frozenset[int]:
        found = self._house.table(table)
        if found is None or not self._known:
            return frozenset()
        here = self._sockets.watching(table) | self._elsewhere.get(table, frozenset())
        return frozenset(seat for seat, name in found.players.items() if name not in here)

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
            await asyncio.sleep(LOOK_SECONDS)

    async def _share(self) -> None:
        database, server = self._house.database, self._house.server
        good = GOOD_SECONDS * 1_000_000
        try:
            self._elsewhere = await asyncio.to_thread(
                share_presence, database, server, self._sockets.watched(), good
            )
            self._known = True
        except Exception as error:
            log.warning("who is where is not known", at=places(error))
            self._known = False
