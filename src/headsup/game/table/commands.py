"""The commands that a table accepts, and who may send them."""

from dataclasses import dataclass

from headsup.game.round.commands import RoundCommand
from headsup.game.table.chips.held_awards import AwardCommand
from headsup.game.table.chips.held_awards import PayAward as PayAward
from headsup.game.table.chips.held_awards import RefuseAward as RefuseAward
from headsup.game.table.chips.held_awards import VerifyAward as VerifyAward
from headsup.game.table.chips.shifts import CloseShift as CloseShift
from headsup.game.table.chips.shifts import CountBox as CountBox
from headsup.game.table.chips.shifts import CreditTray as CreditTray
from headsup.game.table.chips.shifts import FillTray as FillTray
from headsup.game.table.chips.shifts import OpenShift as OpenShift
from headsup.game.table.chips.shifts import PullBox as PullBox
from headsup.game.table.chips.shifts import SetFelt as SetFelt
from headsup.game.table.chips.shifts import ShiftCommand
from headsup.game.table.coupon_control import CancelCoupon as CancelCoupon
from headsup.game.table.coupon_control import CouponCommand
from headsup.game.table.coupon_control import IssueCoupon as IssueCoupon
from headsup.game.table.dealing import SetDealing as SetDealing
from headsup.game.table.equipment import CorrectFlag as CorrectFlag
from headsup.game.table.equipment import CountByHand as CountByHand
from headsup.game.table.equipment import EquipmentCommand
from headsup.game.table.equipment import ReadSensor as ReadSensor
from headsup.game.table.equipment import ReportEquipmentDown as ReportEquipmentDown
from headsup.game.table.equipment import RestoreEquipment as RestoreEquipment
from headsup.game.table.meter_control import CorrectMeter as CorrectMeter
from headsup.game.table.meter_control import EndBonus as EndBonus
from headsup.game.table.meter_control import FreezeMeter as FreezeMeter
from headsup.game.table.meter_control import MeterCommand
from headsup.game.table.meter_control import PlanMeterClosing as PlanMeterClosing
from headsup.game.table.meter_control import ReceivePool as ReceivePool
from headsup.game.table.meter_control import SetBonusPrize as SetBonusPrize
from headsup.game.table.meter_control import TransferPool as TransferPool
from headsup.game.table.opening import CloseTable as CloseTable
from headsup.game.table.opening import OpenTable as OpenTable
from headsup.game.table.opening import SetBonusCell as SetBonusCell
from headsup.game.table.pacing import SetPace as SetPace
from headsup.game.table.payout_corrections import CorrectPayout as CorrectPayout
from headsup.game.table.reporting import SetThresholds as SetThresholds
from headsup.game.table.rounds import OpenRound as OpenRound
from headsup.game.table.sealed_shuffles import AddSeed as AddSeed
from headsup.game.table.sealed_shuffles import OpenShuffle as OpenShuffle
from headsup.game.table.sealed_shuffles import ReportLostSeal as ReportLostSeal
from headsup.game.table.sealed_shuffles import SealCommand
from headsup.game.table.sealed_shuffles import SealShuffle as SealShuffle
from headsup.game.table.seating import BuyIn as BuyIn
from headsup.game.table.seating import CashOut as CashOut
from headsup.game.table.seating import Leave as Leave
from headsup.game.table.seating import SeatingCommand
from headsup.game.table.seating import Sit as Sit
from headsup.game.table.seating import SitGuest as SitGuest


@dataclass(frozen=True, slots=True)
class PlayerAt:
    """A player, who may act for one seat only."""

    seat: int


@dataclass(frozen=True, slots=True)
class Staff:
    """The dealer or another member of staff."""

    name: str = "dealer"


Actor = PlayerAt | Staff

TableCommand = (
    OpenTable
    | CloseTable
    | SeatingCommand
    | CouponCommand
    | OpenRound
    | CorrectPayout
    | SetBonusCell
    | SealCommand
    | MeterCommand
    | EquipmentCommand
    | ShiftCommand
    | AwardCommand
    | SetDealing
    | SetPace
    | SetThresholds
)
Command = RoundCommand | TableCommand
