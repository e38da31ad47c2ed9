"""The state of a floor: its tables, its meters, and the ledger that connects them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from headsup.game.bank.ledger import (
    Account,
    Ledger,
    Transfer,
    bank_account,
    coupon_account,
    guests_account,
    player_account,
    post,
    tray_account,
)
from headsup.game.bank.meter import Meter
from headsup.game.refusal import Refusal
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import BARE_FELT, Felt, is_guest_name
from headsup.game.table.coupons import NO_COUPONS, Coupons
from headsup.game.table.sealing import PublishedShuffle, SealedShuffle
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.tabulator import Tabulator, tabulator_for
from headsup.game.values.money import MICROS_PER_CENT, Cents


@lru_cache(maxsize=65536)  # needed for every wager
def _purse(table: str, name: str) -> Account:
    return guests_account(table) if is_guest_name(name) else player_account(f"{table}/{name}")


@lru_cache(maxsize=65536)
def _tray(table: str, name: str) -> Account:
    return tray_account(table) if is_guest_name(name) else bank_account(table)


class ReportingThresholds(NamedTuple):
    """An amount of cents that reaches its threshold is significant (`reporting.py`)."""

    win: Cents = 1_000_000
    wager: Cents = 500_000  # of one seat in one round
    transaction: Cents = 1_000_000

    def is_large(self, cents: Cents) -> bool:
        """Whether a cash move of this amount, in or out, is significant."""
        return abs(cents) >= self.transaction


DEFAULT_THRESHOLDS = ReportingThresholds()


class Pace(NamedTuple):
    """A table's own pace: milliseconds before each step, who set it and when (`pacing.py`)."""

    open: int
    betting: int
    all_in: int
    deal: int
    card: int
    resolve: int
    close: int
    by: str
    at: str

    @property
    def steps(self) -> Mapping[str, int]:
        return {name: value for name, value in self._asdict().items() if type(value) is int}


class DealingMode(NamedTuple):
    """How a table is dealt (`dealing.py`): by default automatically.

    `paused` is the reason for a pause, shown to everybody; empty while the table plays.
    """

    paused: str = ""
    by_hand: bool = False  # a dealer at the console does each step

    @property
    def stops_dealer(self) -> bool:
        """Whether the automatic dealer must not deal."""
        return bool(self.paused) or self.by_hand


AUTOMATIC = DealingMode()


class SettledRound(NamedTuple):
    """A round whose wagers were paid, and who played in it."""

    number: int
    players: tuple[tuple[int, str], ...]  # seat and player, by seat

    def player(self, seat: int) -> str | None:
        return dict(self.players).get(seat)


class Table(NamedTuple):
    id: str
    rules: TableRules
    clockwise: bool = False
    meter: str = ""
    players: Mapping[int, str] = MappingProxyType({})
    rounds: int = 0  # rounds opened so far
    round: Round | None = None
    tabulator: Tabulator | None = None  # if the table counts a wager (Washington App. E)
    since: Mapping[int, int] = MappingProxyType(
        {}
    )  # seat → the first round that its player can be in
    discontinued: bool = False  # the house has ended a Bonus Jackpot of fixed prizes
    last_settled: SettledRound | None = None
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED
    sealed: SealedShuffle | None = None  # for the next round, or the one being played
    opened: PublishedShuffle | None = None  # the last shuffle that was opened
    closed: str = ""  # why the table was closed; empty while it is open
    coupons: Coupons = NO_COUPONS
    thresholds: ReportingThresholds = DEFAULT_THRESHOLDS
    pace: Pace | None = None  # None is the house's usual pace
    dealing: DealingMode = AUTOMATIC
    felt: Felt = BARE_FELT

    @property
    def is_playing(self) -> bool:
        """Whether a round is open; the next may not begin before it is closed."""
        return self.round is not None and self.round.phase is not Phase.CLOSED

    def in_round(self, seat: int) -> bool:
        return self.is_playing and self.round is not None and seat in self.round.seats

    def with_round(self, round: Round, tabulator: Tabulator | None) -> "Table":
        """The table with another state of its round.

        Every event of a round needs this, and `_replace` takes four times as long.
        """
        return tuple.__new__(Table, (*self[:6], round, tabulator, *self[8:]))

    def is_guest(self, seat: int) -> bool:
        """Whether somebody without an account sits there; the dealer acts for them (R109)."""
        return seat in self.felt.guests

    def purse(self, seat: int) -> Account:
        """Where the seat's stakes come from: the chips of its player, or those guests carry."""
        return self.purse_of(self.players[seat])

    def tray(self, seat: int) -> Account:
        """What pays the seat and takes its lost wagers. Accounts and guests share no tray."""
        return _tray(self.id, self.players[seat])

    def coupon_account(self, seat: int) -> Account:
        """The account of the player's unspent coupons; also one for each table."""
        return coupon_account(self.id, self.players[seat])

    def purse_of(self, name: str) -> Account:
        """A player has one account for each table; guests are counted together."""
        return _purse(self.id, name)

    def tray_of(self, name: str) -> Account:
        return _tray(self.id, name)


class Floor(NamedTuple):
    ledger: Ledger = Ledger()
    meters: Mapping[str, Meter] = MappingProxyType({})  # both sorted by name
    tables: Mapping[str, Table] = MappingProxyType({})

    def chips(self, table: str, seat: int) -> Cents:
        """The chips of the seat's player, without those on the felt; never asked for a guest."""
        return self.chips_of_seat(self.tables[table], seat)

    def chips_of_seat(self, table: Table, seat: int) -> Cents:
        return self.ledger.balance(table.purse(seat)) // MICROS_PER_CENT

    def meter_of(self, table: str) -> Meter | None:
        return self.meters.get(self.tables[table].meter)

    def offers(self, table_id: str, wager: Wager) -> bool:
        """Whether the table takes this wager now; a jackpot that has ended is no longer offered."""
        ended = wager is Wager.PROGRESSIVE and self.jackpot_ended(table_id)
        return not ended and self.tables[table_id].rules.offers(wager)

    def jackpot_ended(self, table_id: str) -> bool:
        """Whether its wager is no longer taken; the pool may still wait to be moved (R84)."""
        meter = self.meter_of(table_id)
        return self.tables[table_id].discontinued or (meter is not None and not meter.is_offered)


def new_table(
    id: str,
    rules: TableRules,
    clockwise: bool = False,
    meter: str = "",
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED,
) -> Table:
    return Table(id, rules, clockwise, meter, tabulator=tabulator_for(rules), shuffle=shuffle)


def needs_meter(rules: TableRules) -> bool:
    """Whether some hand wins a share of a pool; the house pays fixed prizes itself (R75)."""
    paytable = rules.paytables.get(Wager.PROGRESSIVE) if rules.offers(Wager.PROGRESSIVE) else None
    return paytable is not None and any(row.pay.kind is PayKind.POOL for row in paytable.rows)


# Building blocks of `evolve`: a floor with one thing changed.

T = TypeVar("T")


class BrokenRecord(ValueError):
    """A recorded event cannot have happened on this floor."""


def unwrap_change(change: T | Refusal, where: str) -> T:
    """The change that a recorded event makes; a refusal means that the record is broken."""
    if isinstance(change, Refusal):
        raise BrokenRecord(f"{where}: {change.message}")
    return change


def with_part(parts: Mapping[str, T], name: str, part: T) -> Mapping[str, T]:
    """The tables or meters with one of them replaced or added."""
    if name in parts:
        return {**parts, name: part}
    return dict(sorted([*parts.items(), (name, part)]))


def with_table(floor: Floor, table: Table) -> Floor:
    return Floor(floor.ledger, floor.meters, with_part(floor.tables, table.id, table))


def with_meter(floor: Floor, meter: Meter) -> Floor:
    meters = with_part(floor.meters, meter.rules.name, meter)
    return Floor(floor.ledger, meters, floor.tables)


def with_transfers(floor: Floor, transfers: Iterable[Transfer]) -> Floor:
    return Floor(post(floor.ledger, transfers), floor.meters, floor.tables)
