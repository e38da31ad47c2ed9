"""What happened in a round. The state follows from these events alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Settlement
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: Mapping[Wager, int] = field(default_factory=dict)  # the coupons' numbers (R12)


@dataclass(frozen=True, slots=True)
class BetsWithdrawn:
    seat: int


@dataclass(frozen=True, slots=True)
class BetsClosed:
    pass


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in order, and the place of each dealt card."""

    deck: Cards
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """With `auto` a time-out decided, after `waited` seconds; None if the player had left."""

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
    """The clause that voids the hand, and whether it applies as a house rule (R96)."""

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
    """A Raise was missed: the check or fold recorded for the seat is taken back (R95)."""

    seat: int


@dataclass(frozen=True, slots=True)
class BoardCompleted:
    """The rest of the board, shown after a void that still settles a wager (New York (j)(2))."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The results of all wagers are known and the dealer's hand is announced.

    The hands are then resolved one by one (`HandResolved`).
    """

    settlement: Settlement


@dataclass(frozen=True, slots=True)
class HandResolved:
    """One hand is turned up, announced and settled, and its cards are picked up.

    Only then does the dealer go on to the next (New York (e)(9)–(10)).
    """

    seat: int


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """`picked_up` lists whose cards went to the discard rack, in order (NY (e)(11), R99)."""

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
