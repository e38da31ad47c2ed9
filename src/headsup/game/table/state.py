"""One moment of a floor: its tables, its meters, and the ledger between them."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.bank.ledger import Account, Ledger, player_account
from headsup.game.bank.meter import Meter
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.round_history import RoundHistory
from headsup.game.table.sealing import PublishedShuffle, SealedShuffle
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.tabulator import Tabulator, tabulator_for
from headsup.game.values.money import MICROS_PER_CENT, Cents
from headsup.game.values.trie import Trie


@lru_cache(maxsize=65536)
def _chips(table: str, name: str) -> Account:
    return player_account(f"{table}/{name}")


class Table(NamedTuple):
    id: str
    rules: TableRules
    clockwise: bool = False
    meter: str = ""
    players: Mapping[int, str] = MappingProxyType({})
    rounds: int = 0  # rounds opened so far
    round: Round | None = None
    tabulator: Tabulator | None = None  # where a wager is counted (Washington App. E)
    since: Mapping[int, int] = MappingProxyType({})  # seat → the first round its player can be in
    discontinued: bool = False  # a Bonus Jackpot of fixed prizes that the house has ended
    past: RoundHistory = RoundHistory()  # the rounds that were settled
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED
    sealed: SealedShuffle | None = None  # the shuffle of the next round, or of the one being played
    opened: PublishedShuffle | None = None  # the last that was opened
    closed: str = ""  # why nobody plays here any more

    @property
    def playing(self) -> bool:
        """A round is open: the next may not begin before it is closed."""
        return self.round is not None and self.round.phase is not Phase.CLOSED

    def in_round(self, seat: int) -> bool:
        return self.playing and self.round is not None and seat in self.round.seats

    def with_round(self, round: Round, tabulator: Tabulator | None) -> "Table":
        """Made at every event of a round, and so by its values: `_replace` costs four times as
        much."""
        return tuple.__new__(Table, (*self[:6], round, tabulator, *self[8:]))

    def chips_account(self, seat: int) -> Account:
        """A player's chips at this table; chips do not move from table to table by themselves."""
        return self.chips_of(self.players[seat])

    def chips_of(self, name: str) -> Account:
        return _chips(self.id, name)


class Floor(NamedTuple):
    ledger: Ledger = Ledger()
    meters: Trie[Meter] = Trie()
    tables: Trie[Table] = Trie()

    def chips(self, table: str, seat: int) -> Cents:
        """A player's chips that are not on the felt."""
        return self.chips_at(self.tables[table], seat)

    def chips_at(self, table: Table, seat: int) -> Cents:
        return self.ledger.balance(table.chips_account(seat)) // MICROS_PER_CENT

    def meter_of(self, table: str) -> Meter | None:
        return self.meters.get(self.tables[table].meter)

    def offers(self, table_id: str, wager: Wager) -> bool:
        """What the table takes at this moment: a jackpot that has ended is offered no more."""
        ended = wager is Wager.PROGRESSIVE and self.jackpot_ended(table_id)
        return not ended and self.tables[table_id].rules.offers(wager)

    def jackpot_ended(self, table_id: str) -> bool:
        meter = self.meter_of(table_id)
        return self.tables[table_id].discontinued or (meter is not None and meter.ended)


def new_table(
    id: str,
    rules: TableRules,
    clockwise: bool = False,
    meter: str = "",
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED,
) -> Table:
    return Table(id, rules, clockwise, meter, tabulator=tabulator_for(rules), shuffle=shuffle)


def needs_meter(rules: TableRules) -> bool:
    """Where some hand wins a share of a pool; fixed prizes are the house's (R75)."""
    paytable = rules.paytables.get(Wager.PROGRESSIVE) if rules.offers(Wager.PROGRESSIVE) else None
    return paytable is not None and any(row.pay.kind is PayKind.POOL for row in paytable.rows)
