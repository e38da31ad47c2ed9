"""The commands that a round accepts from its players and its dealer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """All of a seat's wagers before the cards; placing again replaces them.

    `coupons` names the wagers that are staked with promotional coupons, and the number of each
    coupon (R12).
    """

    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: Mapping[Wager, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WithdrawBets:
    seat: int


@dataclass(frozen=True, slots=True)
class Check:
    seat: int


@dataclass(frozen=True, slots=True)
class Raise:
    seat: int
    multiple: int


@dataclass(frozen=True, slots=True)
class Fold:
    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The seat did not act in time: it checks, or folds on the river (R33).

    `waited` is how many seconds the seat has had to decide, by the house's clock; None if the
    player said they were leaving, so that nobody waits for them.
    """

    seat: int
    waited: int | None


@dataclass(frozen=True, slots=True)
class ExtendTime:
    """The dealer gives the seat more time for the decision it owes (R33)."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class CloseBets:
    """The dealer announces "no more bets" (New York (c)(2))."""


@dataclass(frozen=True, slots=True)
class DealCards:
    """Deal this deck. The house shuffles it; a round never shuffles."""

    deck: Cards


@dataclass(frozen=True, slots=True)
class DealFaceDown:
    """The hands of a real deck are dealt face down; nobody knows a card of it."""


@dataclass(frozen=True, slots=True)
class TurnOver:
    """The dealer turns over the cards of a place: `board`, `dealer`, `all_6` or `seat 3`."""

    place: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class ReadCards:
    """A card reader tells cards that still lie face down. Nobody is shown them."""

    place: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class CorrectCards:
    """The cards of a place were told wrongly; these are the cards that lie there (R107)."""

    place: str
    cards: Cards
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectDecision:
    """A decision on the last street was told wrongly: the seat raised this multiple, or did not
    raise if it is 0 (R107)."""

    seat: int
    multiple: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectStakes:
    """A seat's wagers were told wrongly; these lie on the felt. The cards are not out (R107)."""

    seat: int
    stakes: Mapping[Wager, Cents]
    reason: str


@dataclass(frozen=True, slots=True)
class Proceed:
    """The dealer takes the next step: flop, turn and river, dealer's cards, settlement, close.

    A round without wagers is closed at once.
    """


@dataclass(frozen=True, slots=True)
class ReportIrregularity:
    """The dealer reports an irregularity and a supervisor approves it."""

    cause: Cause
    dealer: str
    supervisor: str
    seat: int | None = None
    resolution: Resolution = Resolution.VOID
    note: str = ""


PlayerCommand = PlaceBets | WithdrawBets | Check | Raise | Fold
DealerCommand = (
    CloseBets
    | DealCards
    | DealFaceDown
    | TurnOver
    | ReadCards
    | CorrectCards
    | CorrectDecision
    | CorrectStakes
    | Proceed
    | ReportIrregularity
    | TimeOut
    | ExtendTime
)
RoundCommand = PlayerCommand | DealerCommand
