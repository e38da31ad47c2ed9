"""Provably fair shuffles: sealed before anyone bets, opened after the round is settled.

Before betting opens the house draws 256 secret bits, the server seed, and publishes a commitment
to it. Players may add seeds of their own until bets close. The deck follows from the server seed
and the players' seeds alone, so the house cannot choose it after seeing the bets, and no player
can foresee it. After settlement the server seed is published, and `verifier.py`, which shares no
code with this file, shows whether the deck that was dealt is the one that was sealed.

- commitment = SHA-256 of the lines `headsup commitment`, table, round, server seed in hex
- bits = HMAC-SHA-256 keyed with the server seed, over the lines `headsup shuffle`, table, round,
  the players' seeds and a counter from 0, each digest read from its highest bit on
- the deck = Fisher–Yates from the last card down, each draw by rejection (`shoe.shuffled`)

Tables and seeds stand in those lines as JSON in ASCII, so that no text can imitate another.
"""

import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from headsup.game.cards import Cards, format_cards
from headsup.house.shoe import Bits, bits_of, shuffled

SEED_BYTES = 32  # 256 bits: a commitment to fewer could be searched
MAX_PLAYER_SEED = 64  # characters


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
        lines = ("headsup commitment", _text(self.table), str(self.round), self.server_seed.hex())
        return sha256("\n".join(lines).encode("ascii")).hexdigest()

    def deck(self, player_seeds: Mapping[int, str]) -> Cards:
        """The deck that these seeds make, whatever is bet and whoever plays."""
        return shuffled(_stream(self, player_seeds))

    def opened(self, player_seeds: Mapping[int, str]) -> dict[str, object]:
        """What is published after the round, for `headsup verify` and `verifier.py`."""
        return {
            "fair": 1,
            "table": self.table,
            "round": self.round,
            "commitment": self.commitment,
            "server_seed": self.server_seed.hex(),
            "player_seeds": {str(seat): seed for seat, seed in sorted(player_seeds.items())},
            "deck": format_cards(self.deck(player_seeds)),
        }


def seal(table: str, round: int, draw: Callable[[int], bytes] = secrets.token_bytes) -> Seal:
    """A fresh secret from the operating system, to be committed to before betting opens."""
    return Seal(table, round, draw(SEED_BYTES))


def _stream(seal: Seal, player_seeds: Mapping[int, str]) -> Bits:
    seeds = json.dumps([[seat, seed] for seat, seed in sorted(player_seeds.items())])
    start = "\n".join(("headsup shuffle", _text(seal.table), str(seal.round), seeds))

    def block(counter: int) -> bytes:
        return hmac.digest(seal.server_seed, f"{start}\n{counter}".encode("ascii"), "sha256")

    return bits_of(block)


def _text(text: str) -> str:
    return json.dumps(text)
