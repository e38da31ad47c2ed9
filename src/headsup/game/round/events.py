"""What happened in a round. Events are facts: state is folded from them and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

from headsup.game.rulebook.irregularity import Cause, Resolution
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Settlement
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: tuple[Wager, ...] = ()  # those made by promotional coupon (R12)


@dataclass(frozen=True, slots=True)
class BetsWithdrawn:
    seat: int


@dataclass(frozen=True, slots=True)
class BetsClosed:
    pass


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in order, and the place of each card that is in play."""

    deck: Cards
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """`auto`: a time-out decided, after so many seconds; None where the player had gone."""

    seat: int
    street: Street
    auto: bool = False
    waited: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    seat: int
    street: Street
    multiple: int


@dataclass(frozen=True, slots=True)
class Folded:
    seat: int
    auto: bool = False
    waited: int | None = None


@dataclass(frozen=True, slots=True)
class TimeExtended:
    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class FlopRevealed:
    cards: Cards


@dataclass(frozen=True, slots=True)
class TurnAndRiverRevealed:
    cards: Cards


@dataclass(frozen=True, slots=True)
class DealerRevealed:
    cards: Cards


@dataclass(frozen=True, slots=True)
class IrregularityReported:
    cause: Cause
    seat: int | None
    resolution: Resolution
    dealer: str
    supervisor: str
    note: str


@dataclass(frozen=True, slots=True)
class HandVoided:
    """By which clause; a house rule is marked as one (R96)."""

    seat: int
    cause: Cause
    clause: str
    house_rule: bool


@dataclass(frozen=True, slots=True)
class RoundVoided:
    cause: Cause
    clause: str
    house_rule: bool


@dataclass(frozen=True, slots=True)
class DecisionReopened:
    """A Raise was missed: the check or fold that was noted for the seat is taken back (R95)."""

    seat: int


@dataclass(frozen=True, slots=True)
class BoardCompleted:
    """After a void that still settles a wager: the rest of the board is shown (New York (j)(2))."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """What every wager wins or loses is worked out, and the dealer's hand announced; the hands
    follow one by one."""

    settlement: Settlement


@dataclass(frozen=True, slots=True)
class HandResolved:
    """One hand is turned up and announced, paid and taken, and its cards are picked up before
    the dealer goes on to the next (New York (e)(9)–(10))."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """`picked_up`: whose cards went to the discard rack, in order (New York (e)(11), R99)."""

    picked_up: tuple[str, ...] = ()


RoundEvent = (
    BetsPlaced
    | BetsWithdrawn
    | BetsClosed
    | CardsDealt
    | Checked
    | Raised
    | Folded
    | TimeExtended
    | FlopRevealed
    | TurnAndRiverRevealed
    | DealerRevealed
    | IrregularityReported
    | HandVoided
    | RoundVoided
    | DecisionReopened
    | BoardCompleted
    | RoundSettled
    | HandResolved
    | RoundClosed
)
