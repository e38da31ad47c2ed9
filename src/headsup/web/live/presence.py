"""Knows who is at the tables, across all servers.

Dealers do not wait for seats whose player has no socket watching the table. A table that a dealer
took over and then left is reported, and after a while returned to the automatic dealer.
"""

import asyncio
from collections.abc import Callable, Mapping

from headsup.game.table.state import DealingMode
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.house.store.presence import share_presence
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log

PRESENCE_CHECK_SECONDS = 0.5
SHARE_SECONDS = 2.0  # between servers
PRESENCE_TTL_SECONDS = 6  # after which another server's presence no longer counts
CONSOLE_GRACE_SECONDS = 3.0  # a console that is reloaded has not left its table
_DEALT_TABLES_KEY = ""  # not a table name: under it, a server lists the tables with a dealer


class Presence:
    """Which seats are absent, and which tables their dealer has left.

    `return_after` is the number of seconds after which a table without a dealer goes back to the
    automatic one. None leaves that to people: the dealer may be on a break.
    """

    def __init__(
        self,
        house: House,
        sockets: Sockets,
        console_grace: float = CONSOLE_GRACE_SECONDS,
        return_after: float | None = None,
    ) -> None:
        self._house, self._sockets = house, sockets
        self._console_grace, self._return_after = console_grace, return_after
        self._abandoned_since: dict[str, float] = {}  # by table
        self._elsewhere: Mapping[str, frozenset[str]] = {}
        # Until the other servers have reported, nobody counts as absent.
        self._peers_known = house.is_alone

    def absent_seats(self, table: str) -> frozenset[int]:
        """The seats whose player watches the table on no server."""
        state = self._house.table(table)
        if state is None or not self._peers_known:
            return frozenset()
        present = self._sockets.watcher_names(table) | self._elsewhere.get(table, frozenset())
        return frozenset(seat for seat, name in state.players.items() if name not in present)

    def abandoned_tables(self) -> frozenset[str]:
        """The tables that wait for a person, with no dealer or supervisor at the console."""
        if not self._peers_known:
            return frozenset()
        dealt = self._sockets.dealt_tables() | self._elsewhere.get(_DEALT_TABLES_KEY, frozenset())
        attendances = self._house.dealing_modes
        waiting = {
            table.id for table in self._house.tables() if attendances.get(table.id).stops_dealer
        }
        return frozenset(waiting - dealt)

    async def run(self, changed: Callable[[str], None]) -> None:
        """Check until cancelled; `changed` is called for each table where somebody came or went."""
        before: dict[str, frozenset[int]] = {}
        shared_at, loop = -SHARE_SECONDS, asyncio.get_running_loop()
        while True:
            if not self._house.is_alone and loop.time() >= shared_at + SHARE_SECONDS:
                shared_at = loop.time()
                await self._share()
            try:
                now = {table.id: self.absent_seats(table.id) for table in self._house.tables()}
                for table in now:
                    if now[table] != before.get(table, frozenset()):
                        changed(table)
                before = now
                await self._check_dealers(loop.time())
            except Exception as error:  # the next check tries again
                log.error("checking presence failed", at=short_traceback(error))
            await asyncio.sleep(PRESENCE_CHECK_SECONDS)

    async def _check_dealers(self, now: float) -> None:
        self._abandoned_since = {
            table: self._abandoned_since.get(table, now) for table in self.abandoned_tables()
        }
        seconds_alone = {table: now - since for table, since in self._abandoned_since.items()}
        left = (table for table, seconds in seconds_alone.items() if seconds >= self._console_grace)
        for table in self._house.dealing_modes.set_unattended(left):
            self._sockets.resend_view(table)
        for table, seconds in seconds_alone.items():
            if self._return_after is not None and seconds >= self._return_after:
                await self._return_table(table)

    async def _return_table(self, table: str) -> None:
        try:
            await self._house.set_dealing_mode(table, DealingMode())
            log.info("table returned to the automatic dealer", table=table)
        except Exception as error:  # the next check tries again
            log.warning("returning a table failed", table=table, at=short_traceback(error))

    async def _share(self) -> None:
        database, server = self._house.database, self._house.server
        ttl_microseconds = PRESENCE_TTL_SECONDS * 1_000_000
        watchers = {
            **self._sockets.watchers_by_table(),
            _DEALT_TABLES_KEY: self._sockets.dealt_tables(),
        }
        try:
            self._elsewhere = await asyncio.to_thread(
                share_presence, database, server, watchers, ttl_microseconds
            )
            self._peers_known = True
        except Exception as error:
            log.warning("sharing presence failed", at=short_traceback(error))
            self._peers_known = False
