"""The arithmetic of sealed shuffles: commitments, and the deck that seeds lead to.

Before betting opens, the house publishes a commitment to 256 secret bits, the server seed. Players
may add their own seeds until bets close. The deck follows from these seeds alone, so the house
cannot choose it after seeing the bets, and no player can foresee it. After the round the house
publishes the server seed, so that everybody can check.

- commitment = SHA-256 of the lines `headsup commitment`, table, round, server seed in hex
- bits = HMAC-SHA-256 keyed with the server seed, over the lines `headsup shuffle`, table, round,
  the players' seeds and a counter from 0, each digest read from its highest bit on
- deck = Fisher–Yates from the last card down, each draw by rejection (`shuffle_with_bits`)

Tables and seeds are written in those lines as ASCII JSON, so that no text can imitate another.
Nothing in the game is secret: it receives commitments and seeds from the house.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.table.shuffle import bits_from_blocks, shuffle_with_bits
from headsup.game.values.cards import Cards, format_cards

SEED_BYTES = 32  # 256 bits; a shorter seed could be found by search
MAX_PLAYER_SEED_CHARACTERS = 64
_HEX = frozenset("0123456789abcdef")

# Seat → its player's seed.
PlayerSeeds = Mapping[int, str]


class SealedShuffle(NamedTuple):
    """A round's sealed shuffle, as far as it is public."""

    round: int
    commitment: str
    seeds: PlayerSeeds = MappingProxyType({})


class PublishedShuffle(NamedTuple):
    """A round's opened shuffle: everything needed to check it."""

    table: str
    round: int
    commitment: str
    server_seed: str
    seeds: PlayerSeeds
    deck: Cards


def is_256_bits(text: str) -> bool:
    """Whether the text is 64 lower-case hex digits, the only spelling of a seed or commitment."""
    return len(text) == 2 * SEED_BYTES and _HEX.issuperset(text)


def is_player_seed(text: str) -> bool:
    return 0 < len(text) <= MAX_PLAYER_SEED_CHARACTERS and text.isprintable()


def commitment_to(table: str, round: int, server_seed: str) -> str:
    lines = ("headsup commitment", json.dumps(table), str(round), server_seed)
    return sha256("\n".join(lines).encode("ascii")).hexdigest()


def deck_from(table: str, round: int, server_seed: str, seeds: PlayerSeeds) -> Cards:
    """The deck that follows from these seeds."""
    mixed = json.dumps([[seat, seed] for seat, seed in sorted(seeds.items())])
    start = "\n".join(("headsup shuffle", json.dumps(table), str(round), mixed))
    key = bytes.fromhex(server_seed)

    def block(counter: int) -> bytes:
        return hmac.digest(key, f"{start}\n{counter}".encode("ascii"), "sha256")

    return shuffle_with_bits(bits_from_blocks(block))


def write_published(published: PublishedShuffle) -> dict[str, object]:
    """The JSON that `headsup verify` and the stand-alone verifier read."""
    return {
        "fair": 1,
        "table": published.table,
        "round": published.round,
        "commitment": published.commitment,
        "server_seed": published.server_seed,
        "player_seeds": {str(seat): seed for seat, seed in sorted(published.seeds.items())},
        "deck": format_cards(published.deck),
    }
