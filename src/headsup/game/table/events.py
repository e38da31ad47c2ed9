"""What happened at a table, apart from the events of its rounds."""

from collections.abc import Mapping
from dataclasses import dataclass

from headsup.game.refusal import Refusal
from headsup.game.round.events import RoundEvent
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.round_history import RoundProof
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.tabulator import Reading
from headsup.game.values.cards import Cards
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import Cents, Micros


@dataclass(frozen=True, slots=True)
class TableOpened:
    rules: str
    paytables: tuple[tuple[str, str], ...]
    options: FrozenJson
    clockwise: bool
    meter: str  # the meter the table plays for; empty if no wager needs one
    opens_meter: bool
    fingerprint: str  # of the rules, so that a record shows exactly what was played
    shuffle: ShuffleSource


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was closed for good."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class PlayerSat:
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    seat: int


@dataclass(frozen=True, slots=True)
class BoughtIn:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class CashedOut:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class CouponIssued:
    coupon: int  # its number at this table
    player: str
    wager: Wager
    amount: Cents
    expires: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CouponCancelled:
    coupon: int
    player: str
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    number: int


@dataclass(frozen=True, slots=True)
class ShuffleSealed:
    """The house has committed to the shuffle of this round, which is not open yet."""

    round: int
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedAdded:
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class ShuffleOpened:
    """Everything needed to check that a closed round's shuffle is the sealed one.

    The deck follows from the seeds, even if no card was dealt.
    """

    round: int
    commitment: str
    server_seed: str
    seeds: Mapping[int, str]
    deck: Cards


@dataclass(frozen=True, slots=True)
class SealLost:
    """The house gave up a seal that it could not open."""

    round: int
    commitment: str
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class PayoutCorrected:
    seat: int
    amount: Cents
    round: int
    reason: str
    dealer: str
    supervisor: str
    player: str
    recalled: RoundProof | None


@dataclass(frozen=True, slots=True)
class MeterCorrected:
    amount: Micros
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class MeterFrozen:
    reason: str


@dataclass(frozen=True, slots=True)
class MeterUnfrozen:
    pass


@dataclass(frozen=True, slots=True)
class MeterClosingPlanned:
    date: str
    approval: str
    to: str


@dataclass(frozen=True, slots=True)
class PoolTransferred:
    to: str


@dataclass(frozen=True, slots=True)
class BonusPrizeSet:
    prize: Micros
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class BonusCellSet:
    """One cell of the table's rules changed; `fingerprint` names the new rules."""

    key: str
    outcome: str
    pay: str
    reason: str
    approvals: tuple[str, str]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class BonusEnded:
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class SensorRead:
    """A sensor reported that a chip was placed or taken away, and what that means."""

    seat: int
    wager: Wager
    chip: bool
    reading: Reading


@dataclass(frozen=True, slots=True)
class WagersRegistered:
    """The dealer pressed the button: the seats counted for each wager (App. E)."""

    flags: Mapping[Wager, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class WagersCountedByHand:
    counts: Mapping[Wager, int]


@dataclass(frozen=True, slots=True)
class FlagCorrected:
    seat: int
    wager: Wager
    wagered: bool
    reason: str
    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class EquipmentWentDown:
    reason: str


@dataclass(frozen=True, slots=True)
class EquipmentRestored:
    approvals: tuple[str, str]


SealEvent = ShuffleSealed | SeedAdded | ShuffleOpened | SealLost
EquipmentEvent = (
    SensorRead
    | WagersRegistered
    | WagersCountedByHand
    | FlagCorrected
    | EquipmentWentDown
    | EquipmentRestored
)
MeterEvent = (
    MeterCorrected
    | MeterFrozen
    | MeterUnfrozen
    | MeterClosingPlanned
    | PoolTransferred
    | BonusPrizeSet
    | BonusEnded
)
TableEvent = (
    TableOpened
    | TableClosed
    | PlayerSat
    | PlayerLeft
    | BoughtIn
    | CashedOut
    | CouponIssued
    | CouponCancelled
    | RoundOpened
    | PayoutCorrected
    | BonusCellSet
    | SealEvent
    | MeterEvent
    | EquipmentEvent
)
Event = RoundEvent | TableEvent

# The answer to a command: what happened, or why nothing did.
Answer = tuple[Event, ...] | Refusal
