"""The only randomness: a deck in an order that nobody can foresee, or one repeated from a seed.

Every order is equally likely: Fisher–Yates, and each bounded draw takes just enough random bits
and throws them away when they are too large (rejection), so that there is no bias at all.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256

from headsup.game.cards import DECK, Cards

# Gives that many random bits as a number.
Bits = Callable[[int], int]
# Gives the deck of a round by its number.
Decks = Callable[[int], Cards]


def shuffled(bits: Bits = secrets.randbits) -> Cards:
    """A fresh deck in random order; by default from the operating system's secure source."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, bits)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def below(bound: int, bits: Bits) -> int:
    """A number from 0 to bound - 1, each equally likely."""
    if bound < 1:
        raise ValueError(f"nothing lies below {bound}")
    width = (bound - 1).bit_length()
    while True:
        drawn = bits(width)
        if drawn < bound:
            return drawn


def repeatable(shuffle_seed: str, round_number: int) -> Bits:
    """Bits that are the same for the same seed and round, whatever else happens at the table.

    They are those of SHA-256 of "headsup shuffle", the seed, the round and a counter from 0, one
    to a line, read from the highest bit of each digest on. For practice and tests: who knows the
    seed knows the cards.
    """

    def block(counter: int) -> bytes:
        text = f"headsup shuffle\n{shuffle_seed}\n{round_number}\n{counter}"
        return sha256(text.encode()).digest()

    return bits_of(block)


def bits_of(block: Callable[[int], bytes]) -> Bits:
    """The bits of blocks 0, 1, 2 …, each read from its highest bit on."""
    pool, held, counter = 0, 0, 0

    def bits(count: int) -> int:
        nonlocal pool, held, counter
        while held < count:
            drawn = block(counter)
            pool = pool << 8 * len(drawn) | int.from_bytes(drawn, "big")
            held, counter = held + 8 * len(drawn), counter + 1
        held -= count
        taken, pool = pool >> held, pool & ((1 << held) - 1)
        return taken

    return bits
