"""What happened in a round. The state follows from these events alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from headsup.game.round.audience import (
    AT_THE_TABLE,
    Audience,
    DecisionOf,
    HeadlineOnly,
    Sentence,
    TableAndDisplay,
)
from headsup.game.rulebook.model import Cause, Resolution, RuleBook
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Settlement
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, show_dollars


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: Mapping[Wager, int] = field(default_factory=dict)  # the coupons' numbers (R12)

    audience = AT_THE_TABLE

    def sentence(self, book: RuleBook) -> Sentence:
        placed = ", ".join(
            f"{book.label(wager)} {show_dollars(cents)}" + (" by coupon" * (wager in self.coupons))
            for wager, cents in self.stakes.items()
        )
        return f"Seat {self.seat} bets {placed}."


@dataclass(frozen=True, slots=True)
class BetsWithdrawn:
    seat: int

    audience = AT_THE_TABLE

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} withdraws its bets."


@dataclass(frozen=True, slots=True)
class BetsClosed:
    audience = TableAndDisplay("No more bets.")

    def sentence(self, _: RuleBook) -> Sentence:
        return self.audience.headline


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in order, and the place of each dealt card."""

    deck: Cards
    places: tuple[str, ...]

    def sentence(self, _: RuleBook) -> Sentence:
        return "The cards are dealt."


@dataclass(frozen=True, slots=True)
class Checked:
    """With `auto` a time-out decided, after `waited` seconds; None if the player had left."""

    seat: int
    street: Street
    auto: bool = False
    waited: int | None = None

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} checks{_timeout_suffix(self.auto)}."


@dataclass(frozen=True, slots=True)
class Raised:
    seat: int
    street: Street
    multiple: int

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} raises {self.multiple}× on the {self.street}."


@dataclass(frozen=True, slots=True)
class Folded:
    seat: int
    auto: bool = False
    waited: int | None = None

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} folds{_timeout_suffix(self.auto)}."


@dataclass(frozen=True, slots=True)
class TimeExtended:
    seat: int
    seconds: int

    audience = AT_THE_TABLE

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} gets {self.seconds} more seconds."


@dataclass(frozen=True, slots=True)
class FlopRevealed:
    cards: Cards

    def sentence(self, _: RuleBook) -> Sentence:
        return "The flop: ", self.cards


@dataclass(frozen=True, slots=True)
class TurnAndRiverRevealed:
    cards: Cards

    def sentence(self, _: RuleBook) -> Sentence:
        return "Turn and river: ", self.cards


@dataclass(frozen=True, slots=True)
class DealerRevealed:
    cards: Cards

    def sentence(self, _: RuleBook) -> Sentence:
        return "The dealer shows ", self.cards


@dataclass(frozen=True, slots=True)
class IrregularityReported:
    cause: Cause
    seat: int | None
    resolution: Resolution
    dealer: str
    supervisor: str
    note: str

    def sentence(self, _: RuleBook) -> Sentence:
        return irregularity_sentence(self.cause, self.seat, self.resolution)


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The clause that voids the hand, and whether it applies as a house rule (R96)."""

    seat: int
    cause: Cause
    clause: str
    house_rule: bool

    audience = TableAndDisplay("A hand is void.")

    def sentence(self, _: RuleBook) -> Sentence:
        why = _void_reason(self.cause, self.clause, self.house_rule)
        return f"Seat {self.seat}'s hand is void: {why}."


@dataclass(frozen=True, slots=True)
class RoundVoided:
    cause: Cause
    clause: str
    house_rule: bool

    audience = TableAndDisplay("The round is void.")

    def sentence(self, _: RuleBook) -> Sentence:
        return f"The round is void: {_void_reason(self.cause, self.clause, self.house_rule)}."


@dataclass(frozen=True, slots=True)
class DecisionReopened:
    """A Raise was missed: the check or fold recorded for the seat is taken back (R95)."""

    seat: int

    audience = AT_THE_TABLE

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} decides again: its Raise was missed."


@dataclass(frozen=True, slots=True)
class BoardCompleted:
    """The rest of the board, shown after a void that still settles a wager (New York (j)(2))."""

    cards: Cards

    audience = AT_THE_TABLE

    def sentence(self, _: RuleBook) -> Sentence:
        return "The rest of the board: ", self.cards


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The results of all wagers are known and the dealer's hand is announced.

    The hands are then resolved one by one (`HandResolved`).
    """

    settlement: Settlement

    audience = HeadlineOnly("The dealer settles, hand by hand.")

    def sentence(self, _: RuleBook) -> Sentence:
        return self.audience.headline


@dataclass(frozen=True, slots=True)
class HandResolved:
    """One hand is turned up, announced and settled, and its cards are picked up.

    Only then does the dealer go on to the next (New York (e)(9)–(10)).
    """

    seat: int

    audience = AT_THE_TABLE

    def sentence(self, _: RuleBook) -> Sentence:
        return f"Seat {self.seat} is settled, and its cards are picked up."


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """`picked_up` lists whose cards went to the discard rack, in order (NY (e)(11), R99)."""

    picked_up: tuple[str, ...] = ()

    audience = TableAndDisplay("The round is closed.")

    def sentence(self, _: RuleBook) -> Sentence:
        return self.audience.headline


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


# Parts of sentences.


def irregularity_sentence(cause: Cause, seat: int | None, resolution: Resolution) -> str:
    where = f" at seat {seat}" if seat else ""
    return f"Irregularity{where}: {cause.words}; {_resolution_word(resolution)}."


def _resolution_word(resolution: Resolution) -> str:
    match resolution:
        case Resolution.VOID:
            return "void"
        case Resolution.CORRECT:
            return "corrected"
        case Resolution.PLAY_ON:
            return "played on"
        case _:
            assert_never(resolution)


def _void_reason(cause: Cause, clause: str, house_rule: bool) -> str:
    return f"{cause.words} ({clause}{', a house rule' if house_rule else ''})"


def _timeout_suffix(auto: bool) -> str:
    return ", out of time" if auto else ""
