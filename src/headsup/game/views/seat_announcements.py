"""Finds the seats that need their own announcement; all others share one."""

from collections.abc import Collection
from typing import assert_never

from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.table.events import (
    BonusCellSet,
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    CouponCancelled,
    CouponIssued,
    EquipmentRestored,
    EquipmentWentDown,
    Event,
    FlagCorrected,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PlayerLeft,
    PlayerSat,
    PoolTransferred,
    RoundOpened,
    SealLost,
    SeedAdded,
    SensorRead,
    ShuffleOpened,
    ShuffleSealed,
    TableClosed,
    TableOpened,
    WagersCountedByHand,
    WagersRegistered,
)


def seats_announced_separately(event: Event, seats: Collection[int]) -> Collection[int]:
    """The occupied seats that must be sent their own version of this event."""
    match event:
        case Checked(seat) | Raised(seat) | Folded(seat):
            return (seat,)
        case SensorRead(seat) | BoughtIn(seat) | CashedOut(seat):
            return (seat,)
        case CardsDealt() | PayoutCorrected() | CouponIssued() | CouponCancelled():
            return seats
        case BetsPlaced() | BetsWithdrawn() | HandResolved() | PlayerSat() | PlayerLeft():
            return ()
        case FlopRevealed() | TurnAndRiverRevealed() | DealerRevealed() | BoardCompleted():
            return ()
        case TableOpened() | RoundOpened() | BetsClosed() | RoundSettled() | RoundClosed():
            return ()
        case ShuffleSealed() | SeedAdded() | ShuffleOpened() | SealLost():
            return ()
        case WagersRegistered() | WagersCountedByHand() | HandVoided() | RoundVoided():
            return ()
        case DecisionReopened() | TimeExtended() | IrregularityReported():
            return ()
        case (
            MeterCorrected()
            | MeterFrozen()
            | MeterUnfrozen()
            | MeterClosingPlanned()
            | PoolTransferred()
            | BonusEnded()
            | BonusPrizeSet()
            | BonusCellSet()
            | FlagCorrected()
            | EquipmentWentDown()
            | EquipmentRestored()
            | TableClosed()
        ):
            return ()
        case _:
            assert_never(event)
