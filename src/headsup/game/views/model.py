"""The values that views consist of; screens and sockets turn them into text.

They never contain what the viewer may not see: a hidden hand has no cards, and a hidden decision
is a `HiddenDecision`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import Cause, Pay
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.wagers import Result, SeatResult, Street, Wager
from headsup.game.table.sealing import PublishedShuffle, SealedShuffle
from headsup.game.values.cards import Cards
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents, Micros
from headsup.game.values.str_enum import TextEnum
from headsup.game.views.posted import PostedView, PrizeRow


@dataclass(frozen=True, slots=True)
class HiddenDecision:
    """Another seat's decision while all act at once; shown when the street closes (R34)."""


@dataclass(frozen=True, slots=True)
class OwedDecision:
    """The seat has a decision to make on the open street."""


VisibleDecision: TypeAlias = (
    HasRaised | HasChecked | HasFolded | Undecided | OwedDecision | HiddenDecision
)


class Gesture(TextEnum):
    """How the dealer shows a push; both ways are permitted (Galaxy 11(a), R50)."""

    PUSHED_BACK = "pushed back"
    TAPPED = "tapped"


class Prize(TextEnum):
    """What the Progressive wager is played for: the players' pool or the house's prize (R82)."""

    PROGRESSIVE = "progressive"
    BONUS_JACKPOT = "bonus_jackpot"


@dataclass(frozen=True, slots=True)
class VoidView:
    """Why a hand is void, under which clause, and whether that is a house rule (R96).

    Stakes are returned, except of the wagers that it `settles` nevertheless.
    """

    cause: Cause
    clause: str
    house_rule: bool
    settles: tuple[Wager, ...]


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as the dealer announces it (New York (e)(10))."""

    category: Category
    name: str
    best: Cards


@dataclass(frozen=True, slots=True)
class RaiseAmount:
    """A Raise that the rules permit, and its cost with this seat's Ante."""

    street: Street
    multiple: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class LineView:
    """How one wager settled."""

    stake: Cents
    result: Result
    net: Cents
    why: str
    clause: str
    pay: Pay | None
    award: Cents
    shortfall: Cents
    gesture: Gesture | None
    outcome: Outcome
    table: str | None  # the posted paytable that pays this line, if any


@dataclass(frozen=True, slots=True)
class ResultView:
    """How a seat's round ended: the hand's result, and apart from it the money of all wagers."""

    result: SeatResult
    net: Cents
    wagers: Mapping[Wager, LineView]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One wagering seat, as far as the viewer may see it."""

    stakes: Mapping[Wager, Cents]
    coupons: Mapping[Wager, int]  # the promotional coupons staked, by their numbers (R12)
    hole: Cards
    decision: VisibleDecision
    void: Cause | None
    voided: VoidView | None
    raises: tuple[RaiseAmount, ...]
    grace_seconds: int  # for its decision, including the dealer's extensions (R33)
    hand: HandView | None
    reads: HandView | None  # the hand that the viewer's own cards make so far
    draws: tuple[str, ...]  # what that hand is one card short of, in words


@dataclass(frozen=True, slots=True)
class RoundView:
    number: int
    phase: Phase
    board: Cards
    board_down: int  # board cards lying face down
    dealer: Cards
    all_6: Cards
    void: Cause | None
    voided: VoidView | None
    seats: Mapping[int, SeatView]
    results: Mapping[int, ResultView] | None
    dealer_category: Category | None
    dealer_qualifies: bool | None  # None: not announced yet, or no hand is needed to qualify
    dealer_hand: HandView | None


@dataclass(frozen=True, slots=True)
class MeterView:
    """The figure on the display, with the notices required beside it (R83)."""

    shows: Micros  # in whole cents
    frozen: str
    prize: Prize
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TabulatorView:
    """The round's registered wagers, and why the tabulator is not counting if it is down."""

    lights: Mapping[Wager, tuple[int, ...]]  # the lit seats, until the next round's button
    counts: Mapping[Wager, int]
    down: str


@dataclass(frozen=True, slots=True)
class FairView:
    """At a table with sealed shuffles: the sealed one, and the last one opened."""

    sealed: SealedShuffle | None
    opened: PublishedShuffle | None


@dataclass(frozen=True, slots=True)
class TableView:
    """What everyone at the table sees, including the rail."""

    table: str
    rules: str
    players: Mapping[int, str]
    meter: MeterView | None
    round: RoundView | None
    offered: tuple[Wager, ...]
    posted: PostedView
    tabulator: TabulatorView | None
    fair: FairView | None
    closed: str | None  # why the table was closed
    guests: Mapping[int, str] | None  # seats without accounts, and their labels (R109)


class ActionName(TextEnum):
    CHECK = "check"
    RAISE = "raise"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A decision that the seat may make now; `amount` is the cost of a Raise."""

    action: ActionName
    multiple: int | None = None
    amount: Cents | None = None


@dataclass(frozen=True, slots=True)
class CouponView:
    """An unspent promotional coupon, on the felt or not (R12)."""

    coupon: int
    player: str
    wager: Wager
    amount: Cents
    expires: str


@dataclass(frozen=True, slots=True)
class PlayerView(TableView):
    """A player's view: also their own cards, chips, coupons and legal decisions."""

    you: int
    chips: Cents | None
    legal: tuple[LegalAction, ...] | None
    coupons: tuple[CouponView, ...] | None  # None where the table takes no coupons


@dataclass(frozen=True, slots=True)
class DealerView(TableView):
    """The view of the dealer's console: the seats that still have to act and everybody's coupons,
    but no hidden card."""

    owing: tuple[int, ...] | None
    coupons: tuple[CouponView, ...] | None


@dataclass(frozen=True, slots=True)
class RoundStatus:
    number: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class LastHand:
    """A hand that was turned up, its result against the dealer, and its share of the meter."""

    seat: int
    category: Category
    result: SeatResult  # a folded hand is turned up only for a side wager
    award: Cents


@dataclass(frozen=True, slots=True)
class LastRound:
    """The results of a round for the display, which never shows cards."""

    number: int
    dealer: Category
    qualifies: bool | None  # None: no hand is needed to qualify
    hands: tuple[LastHand, ...]


@dataclass(frozen=True, slots=True)
class TableVisionView:
    """The view of the TableVision display: meter, posted rules, required notices (R83, R89)."""

    table: str
    rules: str
    meter: MeterView | None
    prize: Prize | None
    paytable: tuple[PrizeRow, ...] | None  # the Progressive's
    notices: tuple[str, ...]
    round: RoundStatus | None
    offered: tuple[Wager, ...]
    posted: PostedView
    fair: FairView | None
    last: LastRound | None  # once all its hands are resolved


View: TypeAlias = TableView | PlayerView | DealerView | TableVisionView
