"""The automatic dealers of a server: one for every table whose cards nobody enters.

A dealer works while this server owns the table's floor, and waits otherwise: whichever server owns
a floor deals its tables, from the moment it takes it to the moment it loses it.
"""

import asyncio
from collections.abc import Callable

from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.dealing.shoe import DeckSource, shuffle_deck
from headsup.house.fairness.sealed_shuffles import ShuffleSealer
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.house import House
from headsup.house.log import log

# Real cards are dealt by a person; what is dealt from a seed is a repetition, and no house's play.
_NO_AUTOMATIC_DEALER = frozenset({ShuffleSource.ENTERED, ShuffleSource.SEED})


class Dealers:
    """`away` says which seats of a table need not be waited for."""

    def __init__(
        self, house: House, pace: Timings, away: Callable[[str], frozenset[int]] | None = None
    ) -> None:
        self._house, self._pace = house, pace
        house.usual_pace = pace
        self._away = away or (lambda _: frozenset())
        self._dealers: dict[str, AutomaticDealer] = {}
        self._coming: dict[str, asyncio.Task[None]] = {}
        self._leaving: list[Callable[[], None]] = []

    def start(self) -> None:
        self._leaving.append(self._house.welcome(self._floor))
        self._leaving.append(self._house.watch_attended(self.wake))

    async def stop(self) -> None:
        for leave in self._leaving:
            leave()
        for task in self._coming.values():
            task.cancel()
        if self._coming:
            await asyncio.wait(self._coming.values())
        for dealer in self._dealers.values():
            await dealer.stop()

    def wake(self, table: str) -> None:
        """A player came to the table or left it, or it is to be dealt otherwise than before."""
        if (dealer := self._dealers.get(table)) is not None:
            dealer.wake()

    def _floor(self, host: FloorHost) -> None:
        def happened(news: FloorUpdate) -> None:
            self._table(host, news.table)

        self._leaving.append(host.watch(happened))
        for table in host.journal.floor.tables:
            self._table(host, table)

    def _table(self, host: FloorHost, id: str) -> None:
        if id in self._coming or host.journal.floor.tables[id].shuffle in _NO_AUTOMATIC_DEALER:
            return
        self._coming[id] = asyncio.create_task(self._come(host, id), name=f"dealer for {id}")

    async def _come(self, host: FloorHost, id: str) -> None:
        """When the table is ours for the first time."""
        if await host.back():
            self._dealers[id] = AutomaticDealer(
                *(host, id, self._shoe(host, id), self._pace, lambda: self._away(id), _log_problem),
                waits=lambda: self._house.attendances.of(id).waits,
                own=lambda: self._own(id),
            )

    def _own(self, id: str) -> Timings | None:
        pace = self._house.paces.get(id)
        return None if pace is None else pace.timings

    def _shoe(self, host: FloorHost, id: str) -> DeckSource | ShuffleSealer:
        if host.journal.floor.tables[id].shuffle is ShuffleSource.SEALED:
            return self._house.sealer_of(id)
        return lambda _: shuffle_deck()


def _log_problem(table: str, trouble: str) -> None:
    log.warning("a dealer is held up", table=table, why=trouble)
