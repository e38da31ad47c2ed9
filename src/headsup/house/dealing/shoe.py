"""Shuffles decks: unpredictably, or from a seed that repeats them.

This is where the random bits come from, for the whole program. How bits choose an order is in
`game/table/shuffle.py`.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import TypeAlias

from headsup.game.table.shuffle import Bits, bits_from_blocks, shuffle_with_bits
from headsup.game.values.cards import Cards

# Gives the deck for a round number.
DeckSource: TypeAlias = Callable[[int], Cards]


def shuffle_deck(bits: Bits = secrets.randbits) -> Cards:
    """A shuffled deck; by default the bits come from the operating system's secure source."""
    return shuffle_with_bits(bits)


def seeded_bits(shuffle_seed: str, round_number: int) -> Bits:
    """Bits that depend on the seed and the round alone.

    They come from SHA-256 of "headsup shuffle", the seed, the round and a counter from 0, one to a
    line; each digest is read from its highest bit. Only for practice and tests: the seed gives away
    the cards.
    """

    def block(counter: int) -> bytes:
        text = f"headsup shuffle\n{shuffle_seed}\n{round_number}\n{counter}"
        return sha256(text.encode()).digest()

    return bits_from_blocks(block)


def practice_seed() -> int:
    """An unpredictable seed for practice hands."""
    return secrets.randbits(63)
