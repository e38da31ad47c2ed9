"""Which seats are told of an event otherwise than the others: for all the rest it is told once."""

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


def is_told_apart(event: Event, seat: int) -> bool:
    """Whether a seat may be told of it otherwise than other seats are: what is its player's own."""
    match event:
        case Checked(own) | Raised(own) | Folded(own):
            return own == seat
        case SensorRead(own) | BoughtIn(own) | CashedOut(own):
            return own == seat
        case CardsDealt() | PayoutCorrected():
            return True
        case BetsPlaced() | BetsWithdrawn() | HandResolved() | PlayerSat() | PlayerLeft():
            return False
        case FlopRevealed() | TurnAndRiverRevealed() | DealerRevealed() | BoardCompleted():
            return False
        case TableOpened() | RoundOpened() | BetsClosed() | RoundSettled() | RoundClosed():
            return False
        case ShuffleSealed() | SeedAdded() | ShuffleOpened():
            return False
        case WagersRegistered() | WagersCountedByHand() | HandVoided() | RoundVoided():
            return False
        case DecisionReopened() | TimeExtended() | IrregularityReported():
            return False
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
            return False
        case _:
            assert_never(event)
