"""One example of every command, for the protocol reference, the schemas and the tests."""

from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReadCards,
    ReportIrregularity,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.rulebook.model import Cause, Resolution
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
from headsup.game.table.commands import Command
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.dealing import SetDealing
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, OpenTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.sealing import commitment_to
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit, SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Pace
from headsup.game.values.cards import DECK, parse_cards
from headsup.game.values.frozen_json import FrozenJson

OPENING = OpenTable(
    "galaxy",
    (("trips_plus", "3"),),
    FrozenJson({"meter_seed": "10000.00", "meter_contribution": "0.25"}),
    shuffle=ShuffleSource.SYSTEM,
)

_SERVER_SEED = "0123456789abcdef" * 4

# Amounts are in cents, a meter's in millionths of a dollar.
EXAMPLES: tuple[Command, ...] = (
    PlaceBets(1, {Wager.ANTE: 1_000, Wager.ODDS: 1_000, Wager.TRIPS_PLUS: 500}),
    WithdrawBets(1),
    Check(1),
    Raise(1, 3),
    Fold(1),
    CloseBets(),
    DealCards(DECK),
    DealFaceDown(),
    TurnOver("seat 6", parse_cards("9c9s")),
    ReadCards("dealer", parse_cards("KdTh")),
    CorrectCards("seat 6", parse_cards("9c9d"), "read wrongly"),
    CorrectDecision(3, 2, "told wrongly"),
    CorrectStakes(3, {Wager.ANTE: 2_500, Wager.ODDS: 2_500}, "told wrongly"),
    Proceed(),
    ReportIrregularity(
        Cause.PLAYER_CARD_EXPOSED, "", "", seat=1, resolution=Resolution.VOID, note="second card"
    ),
    TimeOut(1, 120),
    ExtendTime(1, 60),
    OPENING,
    CloseTable("the season is over", ""),
    Sit(1, "Ann"),
    SitGuest(3, "Tom"),
    Leave(1),
    BuyIn(1, 50_000),
    CashOut(1, 20_000),
    IssueCoupon("Ann", Wager.ANTE, 1_000, "2026-12-31", ("", "")),
    CancelCoupon(1, "expired", ("", "")),
    OpenRound(),
    CorrectPayout(
        1,
        1_500,
        "paid 2 to 1 for 3 to 1",
        "",
        "",
        player="Ann",
        round=12,
    ),
    SetBonusCell("trips_plus", "royal_flush", "60", "posted from today", ("", "")),
    SealShuffle(commitment_to("T1", 1, _SERVER_SEED)),
    AddSeed(1, "rain in May"),
    OpenShuffle(_SERVER_SEED),
    ReportLostSeal("the database was altered", ("", "")),
    CorrectMeter(-250_000, "counted twice in round 12", ("", "")),
    FreezeMeter("the display is dark"),
    PlanMeterClosing("2026-12-31", "letter of 2026-10-01", "T2"),
    TransferPool("T2", ("", "")),
    ReceivePool("High limit / T7 meter", 12_345_670_000, "letter of 2026-10-01", ("", "")),
    SetBonusPrize(500_000_000, "weekend prize", ""),
    EndBonus("the promotion is over", ""),
    ReadSensor(1, Wager.PROGRESSIVE, True),
    CorrectFlag(1, Wager.PROGRESSIVE, True, "the chip lay on the line", "", ""),
    ReportEquipmentDown("no light at seat 4"),
    CountByHand({Wager.PROGRESSIVE: 3}),
    RestoreEquipment(("", "")),
    SetFelt(FeltSettings(True, 1_000_000, 120_000), ("Sue", "Sam")),
    OpenShift(0, ("Dee", "Sue"), {500: 400, 2_500: 200, 10_000: 130}),
    FillTray(500_000, ("Dee", "Sue")),
    CreditTray(250_000, ("Dee", "Sue")),
    PullBox(("Dee", "Sue")),
    CountBox(4, 730_000, ("Sue", "Sam")),
    CloseShift(0, ("Dee", "Sue"), {500: 397, 2_500: 200, 10_000: 128}),
    VerifyAward(1, ("Dee", "Sue")),
    RefuseAward(1, "the cards are those of another round", ("Dee", "Sue")),
    PayAward(1, PayWay.TRAY, ("Dee", "Sue"), "W-2G 4711"),
    SetDealing("fire drill", False),
    SetPace(Pace(1_000, 45_000, 1_500, 800, 1_200, 1_200, 4_000, "Sue", "2026-01-31T12:00:00Z")),
    SetThresholds(1_000_000, 500_000, 1_000_000),
)


def example_of(kind: type[object]) -> Command:
    return next(command for command in EXAMPLES if type(command) is kind)
