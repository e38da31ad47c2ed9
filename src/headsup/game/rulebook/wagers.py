"""The wagers of the game, and what can happen to them."""

from enum import IntEnum
from typing import Literal, TypeAlias

from headsup.game.values.str_enum import TextEnum


class Wager(TextEnum):
    ANTE = "ante"
    ODDS = "odds"
    RAISE = "raise"
    TRIPS_PLUS = "trips_plus"
    POCKET_BONUS = "pocket_bonus"
    ALL_6 = "all_6"
    PROGRESSIVE = "progressive"


WAGERS = tuple(Wager)
SideWager: TypeAlias = Literal[Wager.TRIPS_PLUS, Wager.POCKET_BONUS, Wager.ALL_6, Wager.PROGRESSIVE]
SIDE_WAGERS: tuple[SideWager, ...] = (
    Wager.TRIPS_PLUS,
    Wager.POCKET_BONUS,
    Wager.ALL_6,
    Wager.PROGRESSIVE,
)


def felt_name(key: str) -> str:
    """`all_6` as "All 6": the name of a wager or paytable unless the rule book has another."""
    return str(key).replace("_", " ").title()


class Street(TextEnum):
    """When a Raise is made, as the felt names it."""

    POCKET = "pocket"
    FLOP = "flop"
    RIVER = "river"


class Comparison(IntEnum):
    """The player's hand against the dealer's."""

    __hash__ = int.__hash__

    LOSE = 0
    TIE = 1
    WIN = 2


class Result(TextEnum):
    """How one wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"


class SeatResult(TextEnum):
    """How a seat's hand ended against the dealer's, whatever its wagers won or lost together."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    FOLD = "fold"
    VOID = "void"
