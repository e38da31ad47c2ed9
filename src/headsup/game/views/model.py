"""What a viewer is shown, as values: text is made of them by a screen or on the wire.

What may not be seen is not in them: a hidden hand is no cards, a hidden decision is
`HiddenDecision`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.state import Phase
from headsup.game.rulebook.irregularity import Cause
from headsup.game.rulebook.model import Pay
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.wagers import Result, Street, Wager
from headsup.game.table.sealing import PublishedShuffle, SealedShuffle
from headsup.game.values.cards import Cards
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents, Micros
from headsup.game.values.str_enum import TextEnum
from headsup.game.views.posted import PostedView, PrizeRow


@dataclass(frozen=True, slots=True)
class HiddenDecision:
    """All act at once: another's choice is not shown before the street closes (R34)."""


@dataclass(frozen=True, slots=True)
class OwedDecision:
    """The seat has a decision to make on the street now open."""


VisibleDecision: TypeAlias = (
    HasRaised | HasChecked | HasFolded | Undecided | OwedDecision | HiddenDecision
)


class Gesture(TextEnum):
    """How the dealer shows a push: either way is right (Galaxy 11(a), R50)."""

    PUSHED_BACK = "pushed back"
    TAPPED = "tapped"


class Prize(TextEnum):
    """Whose money the Progressive wager is played for (R82)."""

    PROGRESSIVE = "progressive"
    BONUS_JACKPOT = "bonus_jackpot"


@dataclass(frozen=True, slots=True)
class VoidView:
    """Why hands are void, by which clause, and whether that is a house rule (R96)."""

    cause: Cause
    clause: str
    house_rule: bool


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as the dealer announces it (New York (e)(10))."""

    category: Category
    name: str
    best: Cards


@dataclass(frozen=True, slots=True)
class RaiseAmount:
    """A Raise that the rules permit, and what it comes to for this seat's Ante."""

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
    table: str | None  # the posted paytable that has the row, if one has


@dataclass(frozen=True, slots=True)
class ResultView:
    net: Cents
    wagers: Mapping[Wager, LineView]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One wagering seat, as far as the viewer may know it."""

    stakes: Mapping[Wager, Cents]
    coupons: tuple[Wager, ...]  # the stakes that are promotional coupons (R12)
    hole: Cards
    decision: VisibleDecision
    void: Cause | None
    voided: VoidView | None
    raises: tuple[RaiseAmount, ...]
    grace_seconds: int  # for the decision it owes, with what the dealer has added (R33)
    hand: HandView | None
    reads: HandView | None  # what one's own cards make with the board that lies open
    draws: tuple[str, ...]  # and what they are one card short of, in words


@dataclass(frozen=True, slots=True)
class RoundView:
    number: int
    phase: Phase
    board: Cards
    board_down: int  # board cards that lie face down
    dealer: Cards
    all_6: Cards
    void: Cause | None
    voided: VoidView | None
    seats: Mapping[int, SeatView]
    results: Mapping[int, ResultView] | None
    dealer_category: Category | None
    dealer_qualifies: bool | None
    dealer_hand: HandView | None


@dataclass(frozen=True, slots=True)
class MeterView:
    """The figure on the display, with the words that must stand beside it (R83)."""

    shows: Micros  # in whole cents
    frozen: str
    prize: Prize
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TabulatorView:
    """The counted wagers of the round, by seat and by number, and why it does not count."""

    lights: Mapping[Wager, tuple[int, ...]]  # at these seats, until the next round's button
    counts: Mapping[Wager, int]
    down: str


@dataclass(frozen=True, slots=True)
class FairView:
    """Where shuffles are sealed: the one that is, and the last that was opened."""

    sealed: SealedShuffle | None
    opened: PublishedShuffle | None


@dataclass(frozen=True, slots=True)
class TableView:
    """What everyone at the table sees alike, the rail included."""

    table: str
    rules: str
    players: Mapping[int, str]
    meter: MeterView | None
    round: RoundView | None
    offered: tuple[Wager, ...]
    posted: PostedView
    tabulator: TabulatorView | None
    fair: FairView | None
    closed: str | None  # why nobody plays here any more


class ActionName(TextEnum):
    CHECK = "check"
    RAISE = "raise"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class LegalAction:
    """What a seat may decide now; `amount` is what a Raise of this multiple costs."""

    action: ActionName
    multiple: int | None = None
    amount: Cents | None = None


@dataclass(frozen=True, slots=True)
class PlayerView(TableView):
    """From a seat: the own cards besides, the chips, what may be decided."""

    you: int
    chips: Cents | None
    legal: tuple[LegalAction, ...] | None


@dataclass(frozen=True, slots=True)
class DealerView(TableView):
    """The dealer's console: who still owes a decision; no card that is face down."""

    owing: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RoundStatus:
    number: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class LastHand:
    """A hand that was turned up, how it came out against the dealer's, and what it won of the
    meter."""

    seat: int
    category: Category
    result: Result
    award: Cents
    folded: bool  # and turned up only for a side wager


@dataclass(frozen=True, slots=True)
class LastRound:
    """The results of a round in words: the display shows no card, neither early nor late."""

    number: int
    dealer: Category
    qualifies: bool
    hands: tuple[LastHand, ...]


@dataclass(frozen=True, slots=True)
class TableVisionView:
    """The display at the table: meter, everything posted, required notices (R83, R89)."""

    table: str
    rules: str
    meter: MeterView | None
    prize: Prize | None
    paytable: tuple[PrizeRow, ...] | None  # of what the meter is played for
    notices: tuple[str, ...]
    round: RoundStatus | None
    offered: tuple[Wager, ...]
    posted: PostedView
    fair: FairView | None
    last: LastRound | None  # once every hand of it is resolved


View: TypeAlias = TableView | PlayerView | DealerView | TableVisionView
