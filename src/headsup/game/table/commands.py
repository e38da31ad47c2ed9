"""The commands that a table accepts besides those of its rounds, and who may send them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from headsup.game.round.commands import RoundCommand
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.round_history import RoundProof
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.frozen_json import NO_OPTIONS, FrozenJson
from headsup.game.values.money import Cents, Micros


@dataclass(frozen=True, slots=True)
class PlayerAt:
    """A player, who may act for one seat only."""

    seat: int


@dataclass(frozen=True, slots=True)
class Staff:
    """The dealer or another member of staff."""

    name: str = "dealer"


Actor = PlayerAt | Staff
# How a record names a player. Staff may not have such a name.
SEAT_NAME = re.compile(r"seat ([1-9]\d?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table: its rules (book, paytables, options), how seats act, and its meter.

    `rules` is the id of a shipped book or the whole text of a book, never a path
    (`rules_from_record`). `meter` names an open meter to link to; if it is empty, the table opens
    its own if it needs one.
    """

    rules: str
    paytables: tuple[tuple[str, str], ...] = ()
    options: FrozenJson = NO_OPTIONS
    clockwise: bool = False
    meter: str = ""
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close a table for good; its record, name and meter stay."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Sit:
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Stand up; any chips left are cashed out."""

    seat: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class CashOut:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class IssueCoupon:
    """Give a person a promotional coupon for one wager of exactly this amount (R12).

    `expires` is the last day on which it can be staked. Two people approve it.
    """

    player: str
    wager: Wager
    amount: Cents
    expires: str  # like 2026-12-31
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CancelCoupon:
    """Take an unspent coupon back, such as one that has expired; two people approve it."""

    coupon: int
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class OpenRound:
    pass


@dataclass(frozen=True, slots=True)
class SealShuffle:
    """The house commits to the shuffle of the next round (`game/table/sealing.py`)."""

    commitment: str


@dataclass(frozen=True, slots=True)
class AddSeed:
    """A player's text, mixed into a sealed shuffle until bets close; another one replaces it."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenShuffle:
    """After the round, publish the server seed that the house committed to, in hex."""

    server_seed: str


@dataclass(frozen=True, slots=True)
class ReportLostSeal:
    """Give up a seal that cannot be opened. Two people sign, and every audit names it."""

    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CorrectPayout:
    """Correct a wrong payout with a further entry (R95).

    A positive `amount` goes to the player, a negative one comes back. The round is the last one
    settled unless `recalled` proves an earlier one; `seat` is the player's seat in that round.
    `player` is needed if somebody else sits there now.
    """

    seat: int
    amount: Cents
    reason: str
    dealer: str
    supervisor: str
    player: str = ""
    recalled: RoundProof | None = None


@dataclass(frozen=True, slots=True)
class CorrectMeter:
    """Correct the meter; the correction is documented and approved by two people."""

    amount: Micros
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class FreezeMeter:
    """Freeze the display of the meter; an empty reason lets it run again. Both need a dealer and a
    supervisor. The pool goes on growing meanwhile (R88).
    """

    reason: str


@dataclass(frozen=True, slots=True)
class PlanMeterClosing:
    """Record the approved plan to end the wager: its date and the pool's new meter (NY (k)(5))."""

    date: str  # like 2026-12-31
    approval: str
    to: str


@dataclass(frozen=True, slots=True)
class TransferPool:
    """Carry out the approved plan: move the whole pool to the other meter (New York (k)(5))."""

    to: str


@dataclass(frozen=True, slots=True)
class SetBonusPrize:
    """Post a new Bonus Jackpot prize (Washington App. D note 5)."""

    prize: Micros
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class SetBonusCell:
    """Change the amount in a "Bonus" cell of a paytable, between rounds (Washington App. A–D)."""

    key: str
    outcome: str
    pay: str
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class EndBonus:
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ReadSensor:
    """A sensor at a real table reports that a chip was placed or taken away."""

    seat: int
    wager: Wager
    chip: bool


@dataclass(frozen=True, slots=True)
class CorrectFlag:
    """A supervisor resolves a mismatch between flag and felt before the deal (R87)."""

    seat: int
    wager: Wager
    wagered: bool
    reason: str
    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class ReportEquipmentDown:
    """The tabulator is down: wagers are counted by hand and the display is frozen (R88)."""

    reason: str


@dataclass(frozen=True, slots=True)
class CountByHand:
    """The dealer's count of the wagers on the felt, in place of the tabulator's button."""

    counts: Mapping[Wager, int]


@dataclass(frozen=True, slots=True)
class RestoreEquipment:
    """The tabulator works again; two people approve what was counted by hand."""

    approvals: tuple[str, str]


SealCommand = SealShuffle | AddSeed | OpenShuffle | ReportLostSeal
EquipmentCommand = ReadSensor | CorrectFlag | ReportEquipmentDown | CountByHand | RestoreEquipment
MeterCommand = (
    CorrectMeter | FreezeMeter | PlanMeterClosing | TransferPool | SetBonusPrize | EndBonus
)
TableCommand = (
    OpenTable
    | CloseTable
    | Sit
    | Leave
    | BuyIn
    | CashOut
    | IssueCoupon
    | CancelCoupon
    | OpenRound
    | CorrectPayout
    | SetBonusCell
    | SealCommand
    | MeterCommand
    | EquipmentCommand
)
Command = RoundCommand | TableCommand
