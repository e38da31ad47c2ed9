"""The parts that a view of a table consists of, as JSON values.

Amounts are whole cents and times milliseconds. A key that may be missing holds its default while it
is missing: nothing, no, none. A part is replaced as a whole, and no part is ever null.
"""

from typing import Any, Literal, NotRequired, TypedDict


class TablePart(TypedDict):
    id: str
    rules: str
    title: str
    seats: int
    cards: Literal["house", "entered"]  # where they come from: the house's shoe, or a real deck
    in_turn: NotRequired[bool]  # players decide one after another, so decisions are not hidden


WagerPart = TypedDict(
    "WagerPart",
    {
        "key": str,
        "label": str,
        "short": str,
        "spot": list[int],  # row and column of its circle at a seat
        "side": NotRequired[bool],  # a side wager
        "later": NotRequired[bool],  # staked during the round, not before it
        "with": NotRequired[str],  # staked together with this wager, in the same amount
        "price": NotRequired[int],  # it takes exactly this stake
        "min": NotRequired[int],
        "max": NotRequired[int],
        "step": NotRequired[int],
        "light": NotRequired[bool],  # the tabulator counts it, and its light shows that
        "shortcut": NotRequired[str],
    },
)


class MadeHand(TypedDict):
    name: str
    best: str


class MeterPart(TypedDict):
    shows: int
    frozen: NotRequired[str]
    prize: str
    notices: list[str]


class TabulatorPart(TypedDict):
    lights: dict[str, list[int]]
    counts: dict[str, int]
    down: NotRequired[str]


class VoidedPart(TypedDict):
    clause: str
    house_rule: NotRequired[bool]
    settles: list[str]  # the wagers that are settled nevertheless


class RoundPart(TypedDict):
    number: int
    phase: str
    text: str  # the phase in words
    open: NotRequired[bool]  # bets are taken
    dealt: NotRequired[bool]
    over: NotRequired[bool]
    board: NotRequired[str]
    board_down: NotRequired[int]
    dealer: NotRequired[str]
    dealer_hand: NotRequired[MadeHand]
    unqualified: NotRequired[bool]  # the dealer does not qualify
    all_6: NotRequired[str]
    resolved: NotRequired[list[int]]  # seats, in the order in which their hands were resolved
    void: NotRequired[str]
    void_text: NotRequired[str]
    voided: NotRequired[VoidedPart]


class DecisionPart(TypedDict):
    action: Literal["raise", "check", "fold", "owes", "hidden"]
    text: str
    street: NotRequired[str]
    multiple: NotRequired[int]
    amount: NotRequired[int]


class SeatPart(TypedDict):
    """A wagering seat as everybody sees it."""

    stakes: dict[str, int]
    coupons: NotRequired[dict[str, int]]
    hole: NotRequired[str]
    decision: NotRequired[DecisionPart]
    hand: NotRequired[MadeHand]
    void: NotRequired[str]
    void_text: NotRequired[str]
    voided: NotRequired[VoidedPart]


class LinePart(TypedDict):
    """How one wager settled: `pays` is what the house or the pool adds to what `returns`."""

    wager: str
    stake: int
    result: str
    net: int
    pays: int
    returns: int
    why: str
    clause: str
    outcome: str
    table: NotRequired[str]  # the posted paytable that pays it
    award: NotRequired[int]
    gesture: NotRequired[str]


class ResultPart(TypedDict):
    result: str
    net: int
    lines: list[LinePart]
    special: NotRequired[str]


class NextHandPart(ResultPart):
    seat: int


class ClockPart(TypedDict):
    until: int
    of: int  # seconds in all


class ClocksPart(TypedDict):
    bets: NotRequired[ClockPart]
    seats: NotRequired[dict[str, ClockPart]]


class WhyPart(TypedDict):
    why: str


class CouponPart(TypedDict):
    coupon: int
    player: str
    wager: str
    amount: int
    expires: str


class BeyondPart(TypedDict):
    """A Raise that the rules allow and the seat's chips do not."""

    multiple: int
    label: str
    amount: int


class YouPart(TypedDict):
    """What one seat sees beside what everybody sees."""

    seat: int
    chips: int
    hole: NotRequired[str]
    decision: NotRequired[DecisionPart]
    reads: NotRequired[MadeHand]
    draws: NotRequired[list[str]]
    beyond: NotRequired[list[BeyondPart]]
    coupons: NotRequired[list[CouponPart]]
    clock: NotRequired[ClockPart]


class LastHandPart(TypedDict):
    seat: int
    category: str
    result: str
    award: NotRequired[int]


class LastPart(TypedDict):
    number: int
    dealer: str
    unqualified: NotRequired[bool]
    hands: list[LastHandPart]


class MayItem(TypedDict):
    """A command that the viewer may send as it is."""

    command: dict[str, Any]
    label: str
    hint: NotRequired[str]
    amount: NotRequired[int]
    keys: NotRequired[list[str]]


class Option(TypedDict):
    set: dict[str, Any]  # the fields of the command that it sets
    label: str


class Field(TypedDict):
    name: str
    label: str
    kind: Literal[
        "text", "date", "cents", "micros", "whole", "yes", "choice", "counts", "stakes", "pool"
    ]
    options: NotRequired[list[Option]]
    min: NotRequired[int]
    max: NotRequired[int]
    value: NotRequired[int]


class FormPart(TypedDict):
    """A command with fields to fill in."""

    command: dict[str, Any]
    label: str
    fields: list[Field]
    sheet: NotRequired[str]
    two_persons: NotRequired[bool]


class DuePart(TypedDict):
    """The next step. With `can`, `ask` with its `key` as `due` does it."""

    step: str
    key: str
    text: str
    seats: NotRequired[list[int]]
    places: NotRequired[list[str]]  # of the cards to type, in the order of the deal
    can: NotRequired[bool]
    empty: NotRequired[bool]  # a round without bets may be closed
    sheet: NotRequired[str]  # where it is done


class DeskPart(TypedDict):
    due: DuePart
    deals: Literal["house", "hand", "entered"]
    attend: list[Literal["pause", "resume", "take_over", "hand_back"]]
    notice: NotRequired[str]  # why the round must stop, and what to do
    owing: NotRequired[list[int]]
    coupons: NotRequired[list[CouponPart]]
