"""Stores the server seeds of sealed shuffles in the database until they are published.

A seed is on disk, under its commitment, before anybody sees the commitment, so every server can
find it. Whoever can write to the database can change it there, so each seed is compared with the
commitment in the log whenever it is read. By the time the next round is sealed, the seed of the
last one is published in the log, and its row here is deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable

from headsup.game.table.state import Table
from headsup.house.fairness.sealed_shuffles import (
    LostSeal,
    Seal,
    checked_seal,
    fresh_secret,
)
from headsup.house.store.database import Database

# Called with a table and why its seal is lost.
ReportLoss = Callable[[Table, LostSeal], Awaitable[None]]


async def _ignore_loss(_table: Table, _lost: LostSeal) -> None:
    pass


class DatabaseSealer:
    """Seals the tables of one floor. Its `repr` shows no seed."""

    def __init__(
        self, database: Database, floor: str, report_loss: ReportLoss = _ignore_loss
    ) -> None:
        self._database, self._floor, self._report_loss = database, floor, report_loss
        self._last: Seal | None = None

    def __repr__(self) -> str:
        return f"<KeptSeals of {self._floor}>"

    async def seal_next(self, table: Table) -> Seal:
        seal = Seal(table.id, table.rounds + 1, fresh_secret())
        published = "" if table.opened is None else _secret_name(table.opened.commitment)
        name = _secret_name(seal.commitment)
        await asyncio.to_thread(
            self._database.store_secret, name, seal.server_seed, replaces=published
        )
        self._last = seal
        return seal

    async def current_seal(self, table: Table) -> Seal:
        """The table's seal as the log promises it. A lost one is reported, and raises LostSeal."""
        try:
            self._last = await self._read_seal(table)
        except LostSeal as lost:
            await self._report_loss(table, lost)
            raise
        return self._last

    async def _read_seal(self, table: Table) -> Seal:
        if table.sealed is None:
            raise ValueError(f"table {table.id} is not sealed")
        if self._last is not None and self._last.commitment == table.sealed.commitment:
            return checked_seal(table, table.sealed, self._last.server_seed)
        return await asyncio.to_thread(find_seal, table, self._database.find_secret)


def find_seal(table: Table, find_secret: Callable[[str], bytes | None]) -> Seal:
    """The stored seal of a sealed table; raises LostSeal if it is not what the log promises."""
    if (sealed := table.sealed) is None:
        raise ValueError(f"table {table.id} is not sealed")
    seed = find_secret(_secret_name(sealed.commitment))
    return checked_seal(table, sealed, seed)


def _secret_name(commitment: str) -> str:
    return f"seal {commitment}"
