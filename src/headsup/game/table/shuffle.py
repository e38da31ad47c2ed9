"""Shuffles a deck with given random bits, and names the sources they may come from.

The game makes no random choices itself. If all bits are equally likely, so are all orders: the
shuffle is Fisher–Yates, and each draw takes just enough bits and tries again if the number is too
large (rejection), so there is no bias.
"""

from collections.abc import Callable
from typing import TypeAlias

from headsup.game.values.cards import DECK, Cards
from headsup.game.values.str_enum import TextEnum


class ShuffleSource(TextEnum):
    NOT_STATED = "not_stated"  # for example in a written round, which lists its cards
    SYSTEM = "operating_system"  # unpredictable
    SEED = "seed"  # repeatable: anyone with the seed knows all cards
    SEALED = "sealed"  # committed before the bets, opened after the round (`sealing`)
    ENTERED = "entered"  # real cards, which the dealer enters before play
    TURNED_OVER = "turned_over"  # real cards, known when the dealer turns them over

    @property
    def by_hand(self) -> bool:
        """Whether a person deals a real deck and enters its cards, instead of the house."""
        return self in (ShuffleSource.ENTERED, ShuffleSource.TURNED_OVER)

    @property
    def known_at_once(self) -> bool:
        """Whether the house knows all cards of a round when they are dealt."""
        return self is not ShuffleSource.TURNED_OVER


# A function that returns so many random bits as a number.
Bits: TypeAlias = Callable[[int], int]


def shuffle_with_bits(bits: Bits) -> Cards:
    """Shuffle the deck with these bits."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = draw_below(last + 1, bits)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def draw_below(bound: int, bits: Bits) -> int:
    """A number from 0 to bound - 1, each equally likely."""
    if bound < 1:
        raise ValueError(f"cannot draw a number below {bound}")
    width = (bound - 1).bit_length()
    while True:
        number = bits(width)
        if number < bound:
            return number


def bits_from_blocks(block: Callable[[int], bytes]) -> Bits:
    """The bits of blocks 0, 1, 2 …, each read from its highest bit."""
    pool, available, counter = 0, 0, 0

    def bits(count: int) -> int:
        nonlocal pool, available, counter
        while available < count:
            added = block(counter)
            pool = pool << 8 * len(added) | int.from_bytes(added, "big")
            available, counter = available + 8 * len(added), counter + 1
        available -= count
        number, pool = pool >> available, pool & ((1 << available) - 1)
        return number

    return bits
