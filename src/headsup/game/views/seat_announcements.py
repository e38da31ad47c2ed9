"""Which seats are told of an event otherwise than the others: for all the rest it is told once."""

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
    """Of the seats that are taken those that may be told of it otherwise than others are: what is
    their player's own."""
    match event:
        case Checked(own) | Raised(own) | Folded(own):
            return (own,)
        case SensorRead(own) | BoughtIn(own) | CashedOut(own):
            return (own,)
        case CardsDealt() | PayoutCorrected():
            return seats
        case BetsPlaced() | BetsWithdrawn() | HandResolved() | PlayerSat() | PlayerLeft():
            return ()
        case FlopRevealed() | TurnAndRiverRevealed() | DealerRevealed() | BoardCompleted():
            return ()
        case TableOpened() | RoundOpened() | BetsClosed() | RoundSettled() | RoundClosed():
            return ()
        case ShuffleSealed() | SeedAdded() | ShuffleOpened():
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
