"""What may be asked of a round, by players at their seat and by the dealer."""

from collections.abc import Mapping
from dataclasses import dataclass

from headsup.game.rulebook.irregularity import Cause, Resolution
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """All of a seat's wagers before the cards, and which of them are promotional coupons (R12);
    placing again replaces them."""

    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: tuple[Wager, ...] = ()


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
    """The seat did not act in time: it checks, checks, then folds (R33).

    `waited` are the seconds since it was to decide, by the house's clock; None where the player
    has gone by their own word, and nobody is waited for.
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
    """The shuffled deck, from the house; a round never shuffles."""

    deck: Cards


@dataclass(frozen=True, slots=True)
class Proceed:
    """The dealer does what is due: flop, turn and river, own cards, settlement, close.

    A round that nobody bets in is closed at once.
    """


@dataclass(frozen=True, slots=True)
class ReportIrregularity:
    """The dealer reports, a supervisor approves."""

    cause: Cause
    dealer: str
    supervisor: str
    seat: int | None = None
    resolution: Resolution = Resolution.VOID
    note: str = ""


PlayerCommand = PlaceBets | WithdrawBets | Check | Raise | Fold
DealerCommand = CloseBets | DealCards | Proceed | ReportIrregularity | TimeOut | ExtendTime
RoundCommand = PlayerCommand | DealerCommand
