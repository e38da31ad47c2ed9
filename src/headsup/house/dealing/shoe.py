"""The only randomness: a deck in an order that nobody can foresee, or one repeated from a seed.

How bits choose an order is in `game/table/shuffle.py`; here is where the bits come from.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import TypeAlias

from headsup.game.table.shuffle import Bits, bits_from_blocks, shuffle_with_bits
from headsup.game.values.cards import Cards

# Gives the deck of a round by its number.
DeckSource: TypeAlias = Callable[[int], Cards]


def shuffle_deck(bits: Bits = secrets.randbits) -> Cards:
    """A fresh deck in random order; by default from the operating system's secure source."""
    return shuffle_with_bits(bits)


def seeded_bits(shuffle_seed: str, round_number: int) -> Bits:
    """Bits that are the same for the same seed and round, whatever else happens at the table.

    They are those of SHA-256 of "headsup shuffle", the seed, the round and a counter from 0, one
    to a line, read from the highest bit of each digest on. For practice and tests: who knows the
    seed knows the cards.
    """

    def block(counter: int) -> bytes:
        text = f"headsup shuffle\n{shuffle_seed}\n{round_number}\n{counter}"
        return sha256(text.encode()).digest()

    return bits_from_blocks(block)


def practice_seed() -> int:
    """A number that nobody can foresee, to make up hands for practice from."""
    return secrets.randbits(63)
