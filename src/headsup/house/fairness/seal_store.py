"""The seals of a house: each with a server seed of its own, kept secretly until it is opened.

The seed is on the disk, under its commitment, before anybody is told of the commitment, for every
server of the database. When the next round is sealed, that of the last is published in the log, and
no longer needed here.
"""

import asyncio

from headsup.game.table.state import Table
from headsup.house.fairness.sealed_shuffles import Seal, SecretSealer, fresh_secret
from headsup.house.store.database import Database

_LEGACY_SECRET = "shuffles"  # the one secret from which older versions made all seeds


class LostSeal(RuntimeError):
    """The house does not know what a table was sealed with."""


class DatabaseSealer:
    """Those of one floor's tables. Its `repr` shows no seed."""

    def __init__(self, database: Database, floor: str) -> None:
        self._database, self._floor = database, floor
        self._last: Seal | None = None

    def __repr__(self) -> str:
        return f"<KeptSeals of {self._floor}>"

    async def fresh(self, table: Table) -> Seal:
        seal = Seal(table.id, table.rounds + 1, fresh_secret())
        over = "" if table.opened is None else _name(table.opened.commitment)
        secret = _name(seal.commitment), seal.server_seed
        await asyncio.to_thread(self._database.keep_secret, *secret, over)
        self._last = seal
        return seal

    async def kept(self, table: Table) -> Seal:
        if table.sealed is None:
            raise LostSeal(f"table {table.id} is not sealed")
        round, commitment = table.sealed.round, table.sealed.commitment
        last = self._last
        if last is None or last.commitment != commitment:
            last = await asyncio.to_thread(self._found, table.id, round, commitment)
        self._last = last
        return last

    def _found(self, table: str, round: int, commitment: str) -> Seal:
        if (seed := self._database.kept_secret(_name(commitment))) is not None:
            return Seal(table, round, seed)
        if (secret := self._database.kept_secret(_LEGACY_SECRET)) is not None:
            made = SecretSealer(secret, self._floor).seal(table, round)
            if made.commitment == commitment:
                return made
        raise LostSeal(f"the seal of {table} round {round} is not there")


def _name(commitment: str) -> str:
    return f"seal {commitment}"
