"""Where the order of a table's cards comes from: the game is told, and has no chance of its own.

Every order is equally likely if the bits are: Fisher–Yates, and each bounded draw takes just
enough random bits and throws them away when they are too large (rejection), so that there is no
bias at all.
"""

from collections.abc import Callable
from typing import TypeAlias

from headsup.game.values.cards import DECK, Cards
from headsup.game.values.str_enum import TextEnum


class ShuffleSource(TextEnum):
    NOT_STATED = "not_stated"  # as in a written round, whose cards are named
    SYSTEM = "operating_system"  # nobody can foresee them
    SEED = "seed"  # the same cards again: who knows the seed knows them all
    SEALED = "sealed"  # committed to before the bets and opened after the round (`sealing`)
    ENTERED = "entered"  # real cards at a real table, entered by its dealer


# Gives that many random bits as a number.
Bits: TypeAlias = Callable[[int], int]


def shuffle_with_bits(bits: Bits) -> Cards:
    """The deck in the order that the bits choose."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = draw_below(last + 1, bits)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def draw_below(bound: int, bits: Bits) -> int:
    """A number from 0 to bound - 1, each equally likely."""
    if bound < 1:
        raise ValueError(f"nothing lies below {bound}")
    width = (bound - 1).bit_length()
    while True:
        drawn = bits(width)
        if drawn < bound:
            return drawn


def bits_from_blocks(block: Callable[[int], bytes]) -> Bits:
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
