"""What a table knows of real chips on its felt: guests, settings, the shift, slips (R109)."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, Micros

# How a record names whoever has no account: by seat. No account and no member of staff may have
# such a name, so no log-in can act for that seat, look from it or find its hands again.
SEAT_NAME = re.compile(r"seat ([1-9]\d?)", re.ASCII)


class FeltSettings(NamedTuple):
    """What the house sets for one table. It is no part of the rules, and changes no fingerprint."""

    shift_required: bool = False  # no round with guests while the tray is not counted in
    lock_above: Cents = 0  # awards of a pool above it are held until they are verified; 0 for none
    tax_notice: Cents = 0  # from this amount a paid award needs the number of a tax slip; 0: never


class Shift(NamedTuple):
    """An open shift, and what it has taken until now."""

    number: int
    opening: Cents  # as counted
    start: Micros  # what the house had at this table in chips and cash
    fills: Cents = 0
    credits: Cents = 0
    drop: Cents = 0


class Box(NamedTuple):
    """A box that was pulled and waits for the count room."""

    amount: Cents  # of cash, by the book
    shift: int


class Reseed(NamedTuple):
    """What an award has cost the house in new seed, and how many had left the meter by then."""

    awards: int = 0
    amount: Micros = 0


class HeldAward(NamedTuple):
    """A share of the pool that waits to be verified, refused or paid (R108)."""

    seat: int
    player: str
    round: int
    amount: Cents
    cards: Cards  # the winner's two and the board
    awards: int  # that had left the meter, this one included
    reseed: Micros
    verified: bool = False


class Felt(NamedTuple):
    guests: Mapping[int, str] = MappingProxyType({})  # seat → a label for people, maybe empty
    settings: FeltSettings = FeltSettings()
    shift: Shift | None = None
    shifts: int = 0  # opened so far
    slips: int = 0  # written so far; each has its number
    boxes: Mapping[int, Box] = MappingProxyType({})  # by the slip with which they were pulled
    held: Mapping[int, HeldAward] = MappingProxyType({})
    awards: int = 0  # held so far
    reseeds: Mapping[int, Reseed] = MappingProxyType({})  # by the seats that won in this round


BARE_FELT = Felt()


def seat_name(seat: int) -> str:
    return f"seat {seat}"


def is_guest_name(name: str) -> bool:
    return SEAT_NAME.fullmatch(name) is not None
