"""Everything that can happen at a table, and how it changes the floor."""

from headsup.game.refusal import Refusal
from headsup.game.round.events import RoundEvent
from headsup.game.table.chips.held_awards import AwardEvent
from headsup.game.table.chips.held_awards import AwardHeld as AwardHeld
from headsup.game.table.chips.held_awards import AwardPaid as AwardPaid
from headsup.game.table.chips.held_awards import AwardRefused as AwardRefused
from headsup.game.table.chips.held_awards import AwardVerified as AwardVerified
from headsup.game.table.chips.shifts import BoxCounted as BoxCounted
from headsup.game.table.chips.shifts import BoxPulled as BoxPulled
from headsup.game.table.chips.shifts import FeltSet as FeltSet
from headsup.game.table.chips.shifts import ShiftClosed as ShiftClosed
from headsup.game.table.chips.shifts import ShiftEvent
from headsup.game.table.chips.shifts import ShiftOpened as ShiftOpened
from headsup.game.table.chips.shifts import TrayCredited as TrayCredited
from headsup.game.table.chips.shifts import TrayFilled as TrayFilled
from headsup.game.table.coupon_control import CouponCancelled as CouponCancelled
from headsup.game.table.coupon_control import CouponEvent
from headsup.game.table.coupon_control import CouponIssued as CouponIssued
from headsup.game.table.dealing import DealingSet as DealingSet
from headsup.game.table.equipment import EquipmentEvent
from headsup.game.table.equipment import EquipmentRestored as EquipmentRestored
from headsup.game.table.equipment import EquipmentWentDown as EquipmentWentDown
from headsup.game.table.equipment import FlagCorrected as FlagCorrected
from headsup.game.table.equipment import SensorRead as SensorRead
from headsup.game.table.equipment import WagersCountedByHand as WagersCountedByHand
from headsup.game.table.equipment import WagersRegistered as WagersRegistered
from headsup.game.table.meter_control import BonusEnded as BonusEnded
from headsup.game.table.meter_control import BonusPrizeSet as BonusPrizeSet
from headsup.game.table.meter_control import MeterClosingDue as MeterClosingDue
from headsup.game.table.meter_control import MeterClosingPlanned as MeterClosingPlanned
from headsup.game.table.meter_control import MeterCorrected as MeterCorrected
from headsup.game.table.meter_control import MeterEvent
from headsup.game.table.meter_control import MeterFrozen as MeterFrozen
from headsup.game.table.meter_control import MeterUnfrozen as MeterUnfrozen
from headsup.game.table.meter_control import PoolReceived as PoolReceived
from headsup.game.table.meter_control import PoolTransferred as PoolTransferred
from headsup.game.table.opening import BonusCellSet as BonusCellSet
from headsup.game.table.opening import TableClosed as TableClosed
from headsup.game.table.opening import TableOpened as TableOpened
from headsup.game.table.pacing import PaceSet as PaceSet
from headsup.game.table.payout_corrections import PayoutCorrected as PayoutCorrected
from headsup.game.table.reporting import ThresholdsSet as ThresholdsSet
from headsup.game.table.rounds import RoundOpened as RoundOpened
from headsup.game.table.sealed_shuffles import SealEvent
from headsup.game.table.sealed_shuffles import SealLost as SealLost
from headsup.game.table.sealed_shuffles import SeedAdded as SeedAdded
from headsup.game.table.sealed_shuffles import ShuffleOpened as ShuffleOpened
from headsup.game.table.sealed_shuffles import ShuffleSealed as ShuffleSealed
from headsup.game.table.seating import BoughtIn as BoughtIn
from headsup.game.table.seating import CashedOut as CashedOut
from headsup.game.table.seating import GuestSat as GuestSat
from headsup.game.table.seating import PlayerLeft as PlayerLeft
from headsup.game.table.seating import PlayerSat as PlayerSat
from headsup.game.table.seating import SeatingEvent

TableEvent = (
    TableOpened
    | TableClosed
    | SeatingEvent
    | CouponEvent
    | RoundOpened
    | PayoutCorrected
    | BonusCellSet
    | SealEvent
    | MeterEvent
    | EquipmentEvent
    | ShiftEvent
    | AwardEvent
    | DealingSet
    | PaceSet
    | ThresholdsSet
)
Event = RoundEvent | TableEvent

# The answer to a command: what happened, or why nothing did.
Answer = tuple[Event, ...] | Refusal
