"""What settlement takes and returns: the deal, the seats' plays, lines and results."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from headsup.game.round.decision import Decision, HasFolded, HasRaised
from headsup.game.rulebook.model import Cause, IrregularityRule, Pay
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.wagers import Result, SeatResult, Wager
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, Micros


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards that all seats share."""

    dealer: Cards
    board: Cards
    all_6: Cards = ()


class SeatPlay(NamedTuple):
    """One seat's cards, stakes and decision.

    `void` is the irregularity that voided the hand: its stakes are returned, except for wagers that
    the irregularity still settles. A void hand may be undecided. Seats with the same `player` share
    that player's cap; a seat without a name counts as a player of its own.
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
        """The Raise as a multiple of the Ante; 0 if the hand did not raise."""
        return self.decision.multiple if isinstance(self.decision, HasRaised) else 0

    @property
    def folded(self) -> bool:
        return isinstance(self.decision, HasFolded)


@dataclass(frozen=True, slots=True)
class Line:
    """How one wager settles.

    `net` is the change in the player's money, `award` the part of it paid from the pool.
    """

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
    breakage: Micros = 0  # what the player lost by rounding to chips (or gained, if negative)
    shortfall: Cents = 0  # what a cap cut off
    cause: Cause | None = None  # of the void
    coupon: bool = False  # the stake is a promotional coupon, not money (R12)


class SeatSettlement(NamedTuple):
    seat: int
    strength: int
    lines: tuple[Line, ...]

    @property
    def net(self) -> Cents:
        return sum(line.net for line in self.lines)

    @property
    def result(self) -> SeatResult:
        """The Raise tells it: the Ante also pushes if the dealer does not qualify."""
        for line in self.lines:
            if line.wager is Wager.RAISE:
                return SeatResult(line.result.value)
        folded = any(line.outcome is Outcome.FOLD for line in self.lines)
        return SeatResult.FOLD if folded else SeatResult.VOID


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled round; `seats` are in the order in which the dealer settles them (R97)."""

    dealer_strength: int
    dealer_qualifies: bool | None  # None: no hand is needed to qualify, or no hand was dealt
    seats: tuple[SeatSettlement, ...]
    meter_before: Micros | None
    meter_after: Micros | None

    def seat(self, number: int) -> SeatSettlement:
        return next(seat for seat in self.seats if seat.seat == number)

    def has_seat(self, number: int) -> bool:
        return any(seat.seat == number for seat in self.seats)

    def with_seat(self, settled: SeatSettlement) -> "Settlement":
        """The settlement with this result of the seat, in place of an earlier one or at the end."""
        if not self.has_seat(settled.seat):
            return replace(self, seats=(*self.seats, settled))
        seats = tuple(settled if seat.seat == settled.seat else seat for seat in self.seats)
        return replace(self, seats=seats)

    def without_seats(self, numbers: Collection[int]) -> "Settlement":
        return replace(self, seats=tuple(seat for seat in self.seats if seat.seat not in numbers))
