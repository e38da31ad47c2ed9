"""Knows who is at the tables that this server runs.

Dealers do not wait for seats whose player has no socket watching the table. A table that a dealer
took over and then left is reported, and after a while returned to the automatic dealer.
"""

import asyncio
from collections.abc import Callable

from headsup.game.table.state import DealingMode
from headsup.house.floor.host import FloorHost
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log

PRESENCE_CHECK_SECONDS = 0.5
RETURN_SECONDS = 10.0  # for everybody to come here after a floor has moved to this server
CONSOLE_GRACE_SECONDS = 3.0  # a console that is reloaded has not left its table


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
        self._taken_at: dict[str, float] = {}  # by table, when its floor moved here
        if not house.is_alone:
            house.on_floor(self._note_floor)

    def _note_floor(self, host: FloorHost) -> None:
        for table in host.journal.floor.tables:
            self._taken_at[table] = asyncio.get_running_loop().time()

    def _is_settled(self, table: str) -> bool:
        """Whether those at the table have had the time to come to this server."""
        taken_at = self._taken_at.get(table)
        return taken_at is None or asyncio.get_running_loop().time() >= taken_at + RETURN_SECONDS

    def absent_seats(self, table: str) -> frozenset[int]:
        """The seats whose player does not watch the table."""
        state = self._house.table(table)
        if state is None or not self._is_settled(table):
            return frozenset()
        present = self._sockets.watcher_names(table)
        return frozenset(seat for seat, name in state.players.items() if name not in present)

    def abandoned_tables(self) -> frozenset[str]:
        """The tables that wait for a person, with no dealer or supervisor at the console."""
        dealt, attendances = self._sockets.dealt_tables(), self._house.dealing_modes
        return frozenset(
            table.id
            for table in self._house.tables()
            if attendances.get(table.id).stops_dealer
            and table.id not in dealt
            and self._is_settled(table.id)
        )

    async def run(self, changed: Callable[[str], None]) -> None:
        """Check until cancelled; `changed` is called for each table where somebody came or went."""
        before: dict[str, frozenset[int]] = {}
        loop = asyncio.get_running_loop()
        while True:
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
            self._sockets.refresh(table)
        for table, seconds in seconds_alone.items():
            if self._return_after is not None and seconds >= self._return_after:
                await self._return_table(table)

    async def _return_table(self, table: str) -> None:
        try:
            await self._house.set_dealing_mode(table, DealingMode())
            log.info("table returned to the automatic dealer", table=table)
        except Exception as error:  # the next check tries again
            log.warning("returning a table failed", table=table, at=short_traceback(error))
