"""The rows derived from decisions: rounds, hands, takings, wallet moves, significant events.

Plain values without a database: a log file and the terminal game pass them on too.
"""

import json
from dataclasses import dataclass

from headsup.game.rulebook.wagers import SeatResult
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The entry that a command led to, by the id that its sender made."""

    id: str
    index: int


@dataclass(frozen=True, slots=True)
class TableName:
    """A table that was opened, whose name no other floor may use."""

    table: str


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The round that entry `index` of the log opens."""

    table: str
    number: int
    index: int
    at: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """One seat's hand, its result and its money in a round."""

    seat: int
    player: str
    staked: Cents
    net: Cents
    award: Cents  # the part of `net` that a progressive pool paid
    category: str  # the hand's key; empty if the hand was not completed
    result: SeatResult


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The round that entry `index` of the log closes; `void` is the cause if the round is void."""

    table: str
    number: int
    index: int
    at: str
    void: str
    hands: tuple[HandResult, ...]


# Stored apart: a day's square cents at the highest stakes do not fit into 64 bits.
SQUARE_CENTS_PER_SQUARE_DOLLAR = 10_000


@dataclass(frozen=True, slots=True)
class Taking:
    """What a table took on one day from one wager, or in buy-ins and the like."""

    table: str
    day: str
    what: str
    count: int
    amount: int  # in cents; micro-dollars for `contribution`
    squares: int = 0  # sum of squared stakes in square cents, to estimate the variance
    net: Cents = 0  # change in the players' money
    award: Cents = 0

    @property
    def figures(self) -> tuple[int, ...]:
        """The values of `FIGURES`, in order."""
        squares, square_cents = divmod(self.squares, SQUARE_CENTS_PER_SQUARE_DOLLAR)
        return self.count, self.amount, squares, square_cents, self.net, self.award


class IncidentKind(TextEnum):
    """The significant events that must be recorded (GLI-19): who, when, where and what."""

    FAILED_LOG_IN = "failed_log_in"
    PROGRAM_ERROR = "program_error"
    AUTHENTICATION_MISMATCH = "authentication_mismatch"  # program or rule books have changed
    UNAVAILABLE = "unavailable"
    LARGE_WIN = "large_win"
    LARGE_WAGER = "large_wager"
    OVERRIDE = "override"
    DATA_CHANGED = "data_changed"  # by something other than this program
    CONFIGURATION = "configuration"
    TIME_CHANGED = "time_changed"
    GAME_PARAMETERS = "game_parameters"
    JACKPOT = "jackpot"
    ADJUSTMENT = "adjustment"
    PERSONAL_DATA = "personal_data"
    DEACTIVATION = "deactivation"
    LARGE_TRANSACTION = "large_transaction"
    NEGATIVE_BALANCE = "negative_balance"
    DATA_LOSS = "data_loss"


@dataclass(frozen=True, slots=True)
class WalletMove:
    """Cents into a person's wallet, or out of it if negative; `part` numbers an entry's moves."""

    person: str
    cents: Cents
    reason: str
    at: str
    table: str
    index: int
    part: int = 0
    by: str = ""  # who handled it at the cage


class SlipKind(TextEnum):
    """What a slip is for; all but counts move chips or cash."""

    OPENING = "opening"
    FILL = "fill"
    CREDIT = "credit"
    BOX = "box"
    BOX_COUNT = "box_count"
    CLOSING = "closing"
    AWARD = "award"  # paid out of a pool


@dataclass(frozen=True, slots=True)
class Slip:
    """A numbered paper of a table with real chips: what was moved or counted, and who signed it.

    `expected` is what the book said; the last four are of the shift that a closing count ends.
    """

    table: str
    slip: int
    kind: SlipKind
    shift: int
    at: str
    signed: str  # by two people
    amount: Cents
    index: int
    pieces: str = "{}"  # JSON: number by denomination in cents
    expected: Cents = 0
    issued: Cents = 0  # what the cage gave a tray that never had a shift
    opening: Cents = 0
    fills: Cents = 0
    credits: Cents = 0
    drop: Cents = 0

    @property
    def pieces_by_denomination(self) -> dict[str, int]:
        """The number of pieces by denomination in cents."""
        return {each: int(number) for each, number in json.loads(self.pieces).items()}


@dataclass(frozen=True, slots=True)
class AccountState:
    """What an account is from an entry of the house's log on."""

    id: str
    name: str
    role: str
    locked: bool
    created_at: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A significant event. `what` is JSON; table and round are empty if it has none; `part` numbers
    an entry's events. `floor` is the one that an event in the house's log is about."""

    kind: IncidentKind
    at: str
    who: str
    what: str
    table: str = ""
    round: int = 0
    index: int = 0
    part: int = 0
    floor: str = ""


@dataclass(frozen=True, slots=True)
class Projection:
    """The rows derived from one entry of a log."""

    round_starts: tuple[RoundStart, ...] = ()
    round_ends: tuple[RoundEnd, ...] = ()
    takings: tuple[Taking, ...] = ()
    moves: tuple[WalletMove, ...] = ()
    incidents: tuple[Incident, ...] = ()
    slips: tuple[Slip, ...] = ()
    accounts: tuple[AccountState, ...] = ()  # a server has written them already
    answers: tuple[StoredAnswer, ...] = ()
    tables: tuple[TableName, ...] = ()
