"""One event of each kind, made by a floor."""

from dataclasses import replace
from functools import cache
from typing import get_args

from headsup.game.bank.meter import PoolPlace
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.held_awards import PayAward, PayWay, RefuseAward, VerifyAward
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
)
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.dealing import SetDealing
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.events import Event
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    MeterClosingDue,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.sealing import commitment_to
from headsup.game.table.seating import BuyIn, Leave, Sit, SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Pace
from headsup.game.values.cards import parse_cards
from tests.support.tables import STAFF, TRIPS_6, irregularity_report, opened, opening, stakes

KINDS = [kind.__name__ for kind in get_args(Event)]


@cache
def every_kind() -> dict[str, Event]:
    """One event of each kind, made by a floor."""
    play = opened("new-york", seats=(1, 2, 3), chips=50_000)
    play.does(SetFelt(FeltSettings(False, 100), ("Sue", "Tom")))
    play.does(OpenRound(), PlaceBets(3, stakes()), WithdrawBets(3), Leave(3))
    for seat in (1, 2):
        play.does(PlaceBets(seat, stakes(trips_plus=500, progressive=100)))
    play.does(CloseBets())
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(ExtendTime(2, 30), TimeOut(2, 150), Raise(1, 3))
    play.reaches(Phase.RIVER)
    play.does(Fold(2))
    play.reaches(Phase.SETTLED)
    play.does(VerifyAward(1, ("Dee", "Sue")), PayAward(1, PayWay.ACCOUNT, ("Dee", "Sue")))
    play.reaches(Phase.CLOSED)
    play.does(SitGuest(5, "Tom"), OpenShift(2_000_000, ("Dee", "Sue")), BuyIn(5, 10_000))
    play.does(FillTray(50_000, ("Dee", "Sue")), CreditTray(20_000, ("Dee", "Sue")))
    play.does(PullBox(("Dee", "Sue")), CountBox(5, 9_900, ("Sue", "Tom")))
    play.does(CloseShift(2_010_000, ("Dee", "Sue")))
    play.does(SetFelt(FeltSettings(), ("Sue", "Tom")))
    play.does(CorrectPayout(1, -250, "paid twice – see camera 4", "Dee", "Sue"))
    play.does(CorrectMeter(-10, "recount", ("Sue", "Tom")), FreezeMeter("down"), FreezeMeter(""))
    play.bets({1: stakes(trips_plus=500), 2: stakes(trips_plus=500)})
    play.deals()
    play.does(Check(1), irregularity_report("missed_raise", 1, "correct"))
    play.does(
        irregularity_report("player_card_count", 2), irregularity_report("dealer_card_exposed")
    )
    play.reaches(Phase.CLOSED)
    play.id = "T2"
    play.does(opening("new-york"))
    play.id = "T1"
    play.does(PlanMeterClosing("2026-12-31", "A-1", "T2 meter"), TransferPool("T2 meter"))
    play.id = "T3"
    play.does(opening("washington", jackpot_regime="bonus", meter_contribution="0"))
    play.does(SetBonusPrize(1, "weekend", "Sue"), EndBonus("over", "Sue"))
    play.id = "T4"
    play.does(opening("washington", **TRIPS_6))
    play.does(SetBonusCell("trips_plus", "flush", "6", "weekend", ("Sue", "Tom")))
    play.id = "T9"
    play.does(opening("new-york"), Sit(1, "Bea"), BuyIn(1, 50_000))
    play.does(SetFelt(FeltSettings(False, 100), ("Sue", "Tom")))
    play.bets({1: stakes(progressive=100)})
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.reaches(Phase.SETTLED)
    play.does(RefuseAward(1, "marked card", ("Dee", "Sue")))
    counted = Wager.PROGRESSIVE
    play.id = "T2"
    play.does(Sit(1, "Ann"), BuyIn(1, 50_000), OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(ReadSensor(1, counted, chip=False), CloseBets())
    play.does(CorrectFlag(1, counted, True, "rolled off", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    play.does(ReportEquipmentDown("power"), OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(CloseBets(), CountByHand({counted: 1}))
    play.reaches(Phase.CLOSED)
    play.does(RestoreEquipment(("Sue", "Tom")))
    play.id = "T5"
    play.does(replace(opening("sugarhouse"), shuffle=ShuffleSource.SEALED), Sit(1, "Ann"))
    play.does(SealShuffle(commitment_to("T5", 1, "0" * 64)), OpenRound(), AddSeed(1, "luck"))
    play.does(Proceed(), OpenShuffle("0" * 64))
    play.does(SealShuffle("0" * 64), ReportLostSeal("gone", ("Sue", "Tom")))
    play.does(Leave(1), CloseTable("sold", "Sue"))
    play.id = "T6"
    play.does(opening("new-york", coupons=True))
    play.does(IssueCoupon("P1", Wager.ANTE, 1_000, "2026-12-31", ("Dee", "Sue")))
    play.does(CancelCoupon(1, "issued twice", ("Dee", "Sue")))
    play.does(ReceivePool("Main / T9 meter", 700_000, "A-3", ("Sue", "Tom")))
    play.does(PlanMeterClosing("2026-12-31", "A-4", "Keno", PoolPlace.OUTSIDE))
    play.happens("T6", MeterClosingDue())
    play.does(SetDealing("a break", by_hand=False), SetThresholds(100, 200, 300))
    play.does(SetPace(Pace(*(500,) * 7, "Sue", "2026-01-31T12:00:00Z")))
    play.id = "T7"
    play.does(replace(opening("galaxy"), shuffle=ShuffleSource.TURNED_OVER), Sit(1, "Ann"))
    play.does(BuyIn(1, 50_000), SitGuest(2), OpenRound(), PlaceBets(1, stakes(all_6=500)))
    play.does(PlaceBets(2, stakes()), by=STAFF)
    play.does(CloseBets(), CorrectStakes(2, stakes(2_500), "told wrongly"))
    play.does(DealFaceDown(), Raise(1, 3))
    play.does(Raise(2, 3), by=STAFF)
    play.does(CorrectDecision(2, 0, "told wrongly"))
    play.does(TurnOver("board", parse_cards("Kd9c5h")))
    play.does(Check(2), by=STAFF)
    play.does(TurnOver("board", parse_cards("5s2d")))
    play.does(Fold(2), by=STAFF)
    for place, cards in (("dealer", "AcQd"), ("all_6", "3c3d4h6s"), ("seat 1", "KsKh")):
        play.does(TurnOver(place, parse_cards(cards)))
    play.does(CorrectCards("seat 1", parse_cards("KsJh"), "read wrongly"))
    play.does(Proceed(), Proceed())
    # The first settlement has an award from the pool, the void one has not.
    return {type(event).__name__: event for _, event in reversed(play.log)}
