"""The house's side of sealed shuffles: the secret, and where it is between seal and opening.

How a commitment and a deck follow from a server seed is in `game/sealing.py`; `verifier.py`, which
shares no code with either, shows whether a deck that was dealt is the one that was sealed.

A server seed is in no log, view or message before its round is closed, and nowhere on its own: it
is made anew, whenever it is needed, from one secret of the house and the round's place. So a
server that starts again, or another that takes over the floor, deals and opens what was sealed.
Who can read that secret (`Database.secret`) can foresee the cards: it is for nobody, and its
protection is that of the database.
"""

import hmac
import json
import secrets
from dataclasses import dataclass

from headsup.game.cards import Cards
from headsup.game.sealing import (
    SEED_BYTES,
    Published,
    Seeds,
    commitment_to,
    deck_from,
    write_published,
)


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

    def deck(self, seeds: Seeds) -> Cards:
        return deck_from(self.table, self.round, self.server_seed.hex(), seeds)

    def opened(self, seeds: Seeds) -> dict[str, object]:
        """What is published after the round, for `headsup verify` and `verifier.py`."""
        seed, deck = self.server_seed.hex(), self.deck(seeds)
        return write_published(
            Published(self.table, self.round, self.commitment, seed, seeds, deck)
        )


@dataclass(frozen=True, slots=True)
class Sealer:
    """Makes the seals of one floor's rounds from the secret of the house: the same ones again
    after a restart. Its `repr` never shows the secret."""

    secret: bytes
    floor: str = ""

    def __repr__(self) -> str:
        return f"<Sealer of {self.floor}>"

    def seal(self, table: str, round: int) -> Seal:
        lines = ("headsup seal", json.dumps(self.floor), json.dumps(table), str(round))
        return Seal(
            table, round, hmac.digest(self.secret, "\n".join(lines).encode("ascii"), "sha256")
        )


def fresh_secret() -> bytes:
    """From the operating system, and so that nobody can foresee it."""
    return secrets.token_bytes(SEED_BYTES)
