"""What may be asked of a table beyond its rounds, and who asks."""

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
    """A player, speaking for the one seat that is theirs."""

    seat: int


@dataclass(frozen=True, slots=True)
class Staff:
    """The dealer or the house speaking for the table."""

    name: str = "dealer"


Actor = PlayerAt | Staff
# How a record names a player who speaks; no name for staff.
SEAT_NAME = re.compile(r"seat ([1-9]\d?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Rules as chosen (book, paytables, options), how seats act, and the meter played for.

    `rules` is a shipped book's id or the whole text of one (`load.recorded`), never a path.
    `meter` names an open meter to link to; empty, the table opens one of its own if it needs one.
    """

    rules: str
    paytables: tuple[tuple[str, str], ...] = ()
    options: FrozenJson = NO_OPTIONS
    clockwise: bool = False
    meter: str = ""
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED


@dataclass(frozen=True, slots=True)
class CloseTable:
    """No more rounds here, for good; its record, its name and its meter stay."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Sit:
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Stand up; whatever chips are left are cashed out."""

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
class OpenRound:
    pass


@dataclass(frozen=True, slots=True)
class SealShuffle:
    """The house commits itself to the shuffle of the next round (`game/table/sealing.py`)."""

    commitment: str


@dataclass(frozen=True, slots=True)
class AddSeed:
    """A player's own words, mixed into a sealed shuffle until bets close; again replaces them."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenShuffle:
    """The round is closed: the seed that the house was committed to, in hex."""

    server_seed: str


@dataclass(frozen=True, slots=True)
class CorrectPayout:
    """A wrong payout put right by a further entry (R95); `amount` goes to the player.

    `seat` is the one held in that round: the last one settled, or the one that is `recalled` from
    the record. `player` is named where somebody else sits there now.
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
    """A documented correction of the meter, approved by two people."""

    amount: Micros
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class FreezeMeter:
    """The equipment is down; an empty reason sets the meter running again, which needs a dealer
    and a supervisor (R88)."""

    reason: str


@dataclass(frozen=True, slots=True)
class PlanMeterClosing:
    """The approved plan to end the wager: when, and to which meter the pool goes (NY (k)(5))."""

    date: str  # like 2026-12-31
    approval: str
    to: str


@dataclass(frozen=True, slots=True)
class TransferPool:
    """Carry out the approved plan: the whole pool goes to the other meter (New York (k)(5))."""

    to: str


@dataclass(frozen=True, slots=True)
class SetBonusPrize:
    """Post another Bonus Jackpot prize (Washington App. D note 5)."""

    prize: Micros
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class SetBonusCell:
    """Another amount in a "Bonus" cell of a paytable, between rounds (Washington App. A–D)."""

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
    """A sensor sees a chip, or none any more; from the equipment of a table of felt."""

    seat: int
    wager: Wager
    chip: bool


@dataclass(frozen=True, slots=True)
class CorrectFlag:
    """A supervisor settles a mismatch of flag and felt before the cards (R87)."""

    seat: int
    wager: Wager
    wagered: bool
    reason: str
    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class ReportEquipmentDown:
    """The tabulator does not count: wagers are counted by hand, and the meter is frozen (R88)."""

    reason: str


@dataclass(frozen=True, slots=True)
class CountByHand:
    """The dealer's count of the wagers on the felt, in place of the button."""

    counts: Mapping[Wager, int]


@dataclass(frozen=True, slots=True)
class RestoreEquipment:
    """The tabulator counts again; two people approve what was counted by hand."""

    approvals: tuple[str, str]


SealCommand = SealShuffle | AddSeed | OpenShuffle
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
    | OpenRound
    | CorrectPayout
    | SetBonusCell
    | SealCommand
    | MeterCommand
    | EquipmentCommand
)
Command = RoundCommand | TableCommand
