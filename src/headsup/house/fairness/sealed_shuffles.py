"""Makes the server seeds of sealed shuffles.

`game/table/sealing.py` derives the commitment and the deck from a server seed. `verifier.py`, which
shares no code with either, checks whether the deck that was dealt is the one that was sealed.

No log, view or message contains a server seed before its round is closed. Until then the seed is
stored under its commitment (`seal_store.py`), so that a server that restarts or takes over the
floor can deal and open what was sealed. Every seed is new random data: a house restored from a
backup, or a copy of it, never repeats a seed that was published. A table in the terminal derives
its seeds from one secret that is never written to a file.
"""

import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from headsup.game.refusal import Code, refusal
from headsup.game.table.sealed_shuffles import deals_other_cards
from headsup.game.table.sealing import (
    SEED_BYTES,
    PlayerSeeds,
    PublishedShuffle,
    SealedShuffle,
    commitment_to,
    deck_from,
    write_published,
)
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.game.values.str_enum import TextEnum


@dataclass(frozen=True, slots=True)
class Seal:
    """The server seed of one round. Its `repr` does not show the seed."""

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

    def publish(self, seeds: PlayerSeeds) -> dict[str, object]:
        """What is published after the round, for `headsup verify` and `verifier.py`."""
        seed, deck = self.server_seed.hex(), self.deck(seeds)
        return write_published(
            PublishedShuffle(self.table, self.round, self.commitment, seed, seeds, deck)
        )


class SealFault(TextEnum):
    """Why a seal cannot be dealt from or opened."""

    MISSING = "missing"
    ALTERED = "altered"  # the stored seed does not lead to the commitment
    DECK = "deck"  # other cards were dealt


class LostSeal(RuntimeError):
    """The seal of a table cannot be dealt from or opened. The text names no seed."""

    def __init__(self, sealed: SealedShuffle, fault: SealFault) -> None:
        super().__init__(f"the seal of round {sealed.round} is lost: {fault.value}")
        self.sealed, self.fault = sealed, fault

    @property
    def sentence(self) -> str:
        return refusal(Code.SEAL_LOST, self.fault.value, round=self.sealed.round).message


def checked_seal(table: Table, sealed: SealedShuffle, server_seed: bytes | None) -> Seal:
    """The seal with this stored seed; raises LostSeal unless it is the one the log promises."""
    if server_seed is None:
        raise LostSeal(sealed, SealFault.MISSING)
    seal = Seal(table.id, sealed.round, server_seed)
    if seal.commitment != sealed.commitment:
        raise LostSeal(sealed, SealFault.ALTERED)
    if deals_other_cards(table, seal.deck(sealed.seeds)):
        raise LostSeal(sealed, SealFault.DECK)
    return seal


@runtime_checkable
class ShuffleSealer(Protocol):
    """Seals the shuffles of tables."""

    async def seal_next(self, table: Table) -> Seal:
        """Make the next round's seal. It is stored before anybody sees its commitment."""

    async def current_seal(self, table: Table) -> Seal:
        """The seal of the round that the table is sealed for; raises LostSeal if it is not there
        as it was sealed."""


@dataclass(frozen=True, slots=True)
class SecretSealer:
    """Derives the seals of a floor's rounds from one secret, always the same ones. Its `repr` does
    not show the secret."""

    secret: bytes
    floor: str = ""

    def __repr__(self) -> str:
        return f"<Sealer of {self.floor}>"

    def seal(self, table: str, round: int) -> Seal:
        lines = ("headsup seal", json.dumps(self.floor), json.dumps(table), str(round))
        return Seal(
            table, round, hmac.digest(self.secret, "\n".join(lines).encode("ascii"), "sha256")
        )

    async def seal_next(self, table: Table) -> Seal:
        return self.seal(table.id, table.rounds + 1)

    async def current_seal(self, table: Table) -> Seal:
        return self.seal(table.id, table.rounds if table.sealed is None else table.sealed.round)


def fresh_secret() -> bytes:
    """Unpredictable bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)
