"""What is settled, and what comes of it, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from headsup.game.round.decision import Decision, HasFolded, HasRaised
from headsup.game.rulebook.irregularity import Cause
from headsup.game.rulebook.model import IrregularityRule, Pay
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, Micros


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards all seats share."""

    dealer: Cards
    board: Cards
    all_6: Cards = ()


class SeatPlay(NamedTuple):
    """One seat's cards, stakes and decision.

    `void` is the irregularity that voided the hand: its stakes return, but for what it settles.
    A void may come before the last decision, and then the hand was never folded. Seats that name
    the same `player` share what a cap leaves to each player; without a name a seat is one's own.
    """

    seat: int
    hole: Cards
    stakes: Mapping[Wager, Cents]
    decision: Decision
    void: IrregularityRule | None = None
    player: str = ""
    coupons: tuple[Wager, ...] = ()  # stakes that are promotional coupons (R12)

    @property
    def multiple(self) -> int:
        """Of the Ante, that was raised; 0 where the hand was not."""
        return self.decision.multiple if isinstance(self.decision, HasRaised) else 0

    @property
    def folded(self) -> bool:
        return isinstance(self.decision, HasFolded)


@dataclass(frozen=True, slots=True)
class Line:
    """How one wager settles. `net` is what it changes in the player's money, `award` the part of
    it that is paid from the progressive pool."""

    wager: Wager
    stake: Cents
    result: Result
    net: Cents
    outcome: Outcome
    why: str
    clause: str
    pay: Pay | None = None
    kept: bool = False  # the prize is "for 1": the stake stays with the house
    award: Cents = 0
    breakage: Micros = 0  # what rounding to chips kept from the player (or gave, if negative)
    shortfall: Cents = 0  # what a payout cap cut off
    cause: Cause | None = None  # of a void
    coupon: bool = False  # the stake is a promotional coupon, and no money (R12)


class SeatSettlement(NamedTuple):
    seat: int
    strength: int
    lines: tuple[Line, ...]

    @property
    def net(self) -> Cents:
        return sum(line.net for line in self.lines)


@dataclass(frozen=True, slots=True)
class Settlement:
    """`seats` in the order in which the dealer settles them (R97)."""

    dealer_strength: int
    dealer_qualifies: bool
    seats: tuple[SeatSettlement, ...]
    meter_before: Micros | None
    meter_after: Micros | None

    def seat(self, number: int) -> SeatSettlement:
        return next(seat for seat in self.seats if seat.seat == number)
