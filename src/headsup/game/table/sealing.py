"""Sealed shuffles: committed to before anyone bets, opened after the round is closed.

Before betting opens the house publishes a commitment to 256 secret bits, the server seed. Players
may add seeds of their own until bets close. The deck follows from the server seed and the players'
seeds alone, so the house cannot choose it after it has seen the bets, and no player can foresee
it. When the round is closed the server seed is published.

- commitment = SHA-256 of the lines `headsup commitment`, table, round, server seed in hex
- bits = HMAC-SHA-256 keyed with the server seed, over the lines `headsup shuffle`, table, round,
  the players' seeds and a counter from 0, each digest read from its highest bit on
- the deck = Fisher–Yates from the last card down, each draw by rejection (`shuffle.ordered`)

Tables and seeds stand in those lines as JSON in ASCII, so that no text can imitate another.
Here is only the arithmetic: a game is told commitments and seeds, and has no secret of its own.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.table.shuffle import bits_from_blocks, shuffle_with_bits
from headsup.game.values.cards import Cards, format_cards

SEED_BYTES = 32  # 256 bits: a commitment to fewer could be searched
MAX_PLAYER_SEED_CHARACTERS = 64  # characters
_HEX = frozenset("0123456789abcdef")

# Seat → what its player wants mixed in.
PlayerSeeds = Mapping[int, str]


class SealedShuffle(NamedTuple):
    """A round's shuffle that is committed to, as everyone may know it."""

    round: int
    commitment: str
    seeds: PlayerSeeds = MappingProxyType({})


class PublishedShuffle(NamedTuple):
    """A round's shuffle opened: all that is needed to check it."""

    table: str
    round: int
    commitment: str
    server_seed: str
    seeds: PlayerSeeds
    deck: Cards


def is_256_bits(text: str) -> bool:
    """64 hexadecimal digits in lower case: the one spelling of a seed or a commitment."""
    return len(text) == 2 * SEED_BYTES and _HEX.issuperset(text)


def is_player_seed(text: str) -> bool:
    return 0 < len(text) <= MAX_PLAYER_SEED_CHARACTERS and text.isprintable()


def commitment_to(table: str, round: int, server_seed: str) -> str:
    lines = ("headsup commitment", json.dumps(table), str(round), server_seed)
    return sha256("\n".join(lines).encode("ascii")).hexdigest()


def deck_from(table: str, round: int, server_seed: str, seeds: PlayerSeeds) -> Cards:
    """The deck that these seeds make, whatever is bet and whoever plays."""
    mixed = json.dumps([[seat, seed] for seat, seed in sorted(seeds.items())])
    start = "\n".join(("headsup shuffle", json.dumps(table), str(round), mixed))
    key = bytes.fromhex(server_seed)

    def block(counter: int) -> bytes:
        return hmac.digest(key, f"{start}\n{counter}".encode("ascii"), "sha256")

    return shuffle_with_bits(bits_from_blocks(block))


def write_published(published: PublishedShuffle) -> dict[str, object]:
    """As `headsup verify` and the stand-alone verifier read it."""
    return {
        "fair": 1,
        "table": published.table,
        "round": published.round,
        "commitment": published.commitment,
        "server_seed": published.server_seed,
        "player_seeds": {str(seat): seed for seat, seed in sorted(published.seeds.items())},
        "deck": format_cards(published.deck),
    }
