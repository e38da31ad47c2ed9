"""Finds the command that led to given events.

The auditor decides that command again and compares the events, so no rule of the game has to be
written a second time to check the first.
"""

from collections.abc import Sequence
from typing import assert_never

from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    TimeOut,
    WithdrawBets,
)
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
    RoundEvent,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.table.commands import Command
from headsup.game.table.coupon_control import (
    CancelCoupon,
    CouponCancelled,
    CouponIssued,
    IssueCoupon,
)
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
    SensorRead,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.events import Event, TableEvent
from headsup.game.table.meter_control import (
    BonusEnded,
    BonusPrizeSet,
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    MeterClosingDue,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PlanMeterClosing,
    PoolReceived,
    PoolTransferred,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import (
    BonusCellSet,
    CloseTable,
    OpenTable,
    SetBonusCell,
    TableClosed,
    TableOpened,
)
from headsup.game.table.payout_corrections import CorrectPayout, PayoutCorrected
from headsup.game.table.rounds import OpenRound, RoundOpened
from headsup.game.table.sealed_shuffles import (
    AddSeed,
    OpenShuffle,
    ReportLostSeal,
    SealLost,
    SealShuffle,
    SeedAdded,
    ShuffleOpened,
    ShuffleSealed,
)
from headsup.game.table.seating import (
    BoughtIn,
    BuyIn,
    CashedOut,
    CashOut,
    Leave,
    PlayerLeft,
    PlayerSat,
    Sit,
)


def command_for(events: Sequence[Event]) -> Command | None:
    """The command that led to these events; None if the first only ever follows another event."""
    for event in events:
        # `CashedOut` before it is part of leaving, not a command of its own.
        if isinstance(event, PlayerLeft):
            return Leave(event.seat)
    event = events[0]
    if isinstance(event, RoundEvent):
        return _round_command(event)
    return _table_command(event)


def _round_command(event: RoundEvent) -> Command | None:
    match event:
        case Checked(seat, _, auto, waited):
            return TimeOut(seat, waited) if auto else Check(seat)
        case Raised(seat, _, multiple):
            return Raise(seat, multiple)
        case Folded(seat, auto, waited):
            return TimeOut(seat, waited) if auto else Fold(seat)
        case TimeExtended(seat, seconds):
            return ExtendTime(seat, seconds)
        case BetsPlaced(seat, stakes, coupons):
            return PlaceBets(seat, stakes, coupons)
        case BetsWithdrawn(seat):
            return WithdrawBets(seat)
        case BetsClosed():
            return CloseBets()
        case CardsDealt(deck):
            return DealCards(deck)
        case IrregularityReported(cause, seat, resolution, dealer, supervisor, note):
            return ReportIrregularity(cause, dealer, supervisor, seat, resolution, note)
        case HandVoided() | RoundVoided() | DecisionReopened():
            return None
        case (
            FlopRevealed()
            | TurnAndRiverRevealed()
            | DealerRevealed()
            | BoardCompleted()
            | RoundSettled()
            | HandResolved()
            | RoundClosed()
        ):
            return Proceed()
        case _:
            assert_never(event)


def _table_command(event: TableEvent) -> Command | None:
    match event:
        case TableOpened(rules, paytables, options, clockwise, meter, opens_meter, _, shuffle):
            linked = "" if opens_meter else meter
            return OpenTable(rules, paytables, options, clockwise, linked, shuffle)
        case PlayerSat(seat, player):
            return Sit(seat, player)
        case PlayerLeft(seat):
            return Leave(seat)
        case BoughtIn(seat, amount):
            return BuyIn(seat, amount)
        case CashedOut(seat, amount):
            return CashOut(seat, amount)
        case CouponIssued(_, player, wager, amount, expires, approvals):
            return IssueCoupon(player, wager, amount, expires, approvals)
        case CouponCancelled(coupon, _, reason, approvals):
            return CancelCoupon(coupon, reason, approvals)
        case RoundOpened():
            return OpenRound()
        case ShuffleSealed(_, commitment):
            return SealShuffle(commitment)
        case SeedAdded(seat, text):
            return AddSeed(seat, text)
        case ShuffleOpened(_, _, server_seed):
            return OpenShuffle(server_seed)
        case SealLost(_, _, reason, approvals):
            return ReportLostSeal(reason, approvals)
        case PayoutCorrected(seat, amount, _, reason, dealer, supervisor, player, recalled):
            return CorrectPayout(seat, amount, reason, dealer, supervisor, player, recalled)
        case MeterCorrected(amount, reason, approvals):
            return CorrectMeter(amount, reason, approvals)
        case MeterFrozen(reason):
            return FreezeMeter(reason)
        case MeterUnfrozen():
            return FreezeMeter("")
        case MeterClosingPlanned(date, approval, to, place, floor):
            return PlanMeterClosing(date, approval, to, place, floor)
        case PoolTransferred(to, _, approvals):
            return TransferPool(to, approvals)
        case PoolReceived(sender, amount, approval, approvals):
            return ReceivePool(sender, amount, approval, approvals)
        case MeterClosingDue():
            return None  # follows the opening of a round
        case BonusPrizeSet(prize, reason, by):
            return SetBonusPrize(prize, reason, by)
        case BonusCellSet(key, outcome, pay, reason, approvals):
            return SetBonusCell(key, outcome, pay, reason, approvals)
        case TableClosed(reason, by):
            return CloseTable(reason, by)
        case BonusEnded(reason, by):
            return EndBonus(reason, by)
        case SensorRead(seat, wager, chip):
            return ReadSensor(seat, wager, chip)
        case WagersRegistered():
            return None
        case WagersCountedByHand(counts):
            return CountByHand(counts)
        case FlagCorrected(seat, wager, wagered, reason, dealer, supervisor):
            return CorrectFlag(seat, wager, wagered, reason, dealer, supervisor)
        case EquipmentWentDown(reason):
            return ReportEquipmentDown(reason)
        case EquipmentRestored(approvals):
            return RestoreEquipment(approvals)
        case _:
            assert_never(event)
