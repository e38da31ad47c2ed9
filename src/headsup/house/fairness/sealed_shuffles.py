"""The house's side of sealed shuffles: the secret, and where it is between seal and opening.

How a commitment and a deck follow from a server seed is in `game/table/sealing.py`; `verifier.py`,
which shares no code with either, shows whether a deck that was dealt is the one that was sealed.

A server seed is in no log, view or message before its round is closed. Until then the house keeps
it under its commitment, apart from the log (`seal_store.py`): so a server that starts again, or
another that takes over the floor, deals and opens what was sealed. Each is drawn anew from the
operating system: a house that goes on from a backup, or a copy that is served beside it, seals
nothing that was ever published. At a table in the terminal, which ends with its program, they are
made from one secret that no file holds.
"""

import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from headsup.game.table.sealing import (
    SEED_BYTES,
    PlayerSeeds,
    PublishedShuffle,
    commitment_to,
    deck_from,
    write_published,
)
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards


@dataclass(frozen=True, slots=True)
class Seal:
    """One round's secret and where it belongs. Its `repr` never shows the secret."""

    table: str
    round: int
    server_seed: bytes

    def __repr__(self) -> str:
        return f"<Seal of {self.table} round {self.round}: {self.commitment}>"

    @property
    def commitment(self) -> str:
        return commitment_to(self.table, self.round, self.server_seed.hex())

    def deck(self, seeds: PlayerSeeds) -> Cards:
        return deck_from(self.table, self.round, self.server_seed.hex(), seeds)

    def opened(self, seeds: PlayerSeeds) -> dict[str, object]:
        """What is published after the round, for `headsup verify` and `verifier.py`."""
        seed, deck = self.server_seed.hex(), self.deck(seeds)
        return write_published(
            PublishedShuffle(self.table, self.round, self.commitment, seed, seeds, deck)
        )


@runtime_checkable
class ShuffleSealer(Protocol):
    """What seals the shuffles of a table."""

    async def fresh(self, table: Table) -> Seal:
        """One for the round that comes next: found again from the moment it is told."""

    async def kept(self, table: Table) -> Seal:
        """The one that the table is sealed with."""


@dataclass(frozen=True, slots=True)
class SecretSealer:
    """Makes the seals of one floor's rounds from one secret: the same ones again as long as it is
    known. Its `repr` never shows the secret."""

    secret: bytes
    floor: str = ""

    def __repr__(self) -> str:
        return f"<Sealer of {self.floor}>"

    def seal(self, table: str, round: int) -> Seal:
        lines = ("headsup seal", json.dumps(self.floor), json.dumps(table), str(round))
        return Seal(
            table, round, hmac.digest(self.secret, "\n".join(lines).encode("ascii"), "sha256")
        )

    async def fresh(self, table: Table) -> Seal:
        return self.seal(table.id, table.rounds + 1)

    async def kept(self, table: Table) -> Seal:
        return self.seal(table.id, table.rounds if table.sealed is None else table.sealed.round)


def fresh_secret() -> bytes:
    """From the operating system, and so that nobody can foresee it."""
    return secrets.token_bytes(SEED_BYTES)
