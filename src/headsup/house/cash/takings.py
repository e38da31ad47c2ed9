"""Drop, handle, win and hold as exact numbers, by table and by wager.

Drop is what was bought in, handle what was staked in rounds that were not void. Win is what the
house kept of it, less contributions to meters. Awards that a meter pays are not the house's loss:
meters belong to the players.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from headsup.game.rulebook.wagers import WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros
from headsup.house.floor.projections import BUY_IN, CASH_OUT, CONTRIBUTION, CORRECTION, ROUND
from headsup.house.store.engine import Connection
from headsup.house.store.projection_rows import Taking
from headsup.house.store.wallets import sum_takings


@dataclass(frozen=True, slots=True)
class WagerTakings:
    hands: int
    handle: Cents
    squares: int  # of the stakes, in square cents
    net: Cents  # the players'
    award: Cents

    @property
    def win(self) -> Cents:
        """The house's win before contributions to a meter."""
        return self.award - self.net


@dataclass(frozen=True, slots=True)
class TableTakings:
    floor: str
    table: str
    rounds: int
    drop: Cents
    cashed_out: Cents
    corrected: Cents  # paid to players by corrections
    contributed: Micros
    wagers: Mapping[Wager, WagerTakings]

    @property
    def handle(self) -> Cents:
        return sum(wager.handle for wager in self.wagers.values())

    @property
    def tray(self) -> Micros:
        """What the chip tray has gained, breakage included, while no round is open."""
        won = sum(wager.win for wager in self.wagers.values()) - self.corrected
        return won * MICROS_PER_CENT

    @property
    def win(self) -> Micros:
        return self.tray - self.contributed

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop; None if nobody bought in."""
        return Fraction(self.win, self.drop * MICROS_PER_CENT) if self.drop else None


def table_takings(
    connection: Connection,
    since: str | None = None,
    until: str | None = None,
    table: str | None = None,
    floor: str | None = None,
) -> list[TableTakings]:
    """Takings by table, from day `since` up to but not including `until` (`2026-01-31`, UTC)."""
    sums = sum_takings(connection, since, until, table, floor)
    return [
        _build_table_takings(floor_id, table_id, takings)
        for (floor_id, table_id), takings in sorted(sums.items())
    ]


def _build_table_takings(floor: str, table: str, takings: Mapping[str, Taking]) -> TableTakings:
    def under(heading: str) -> Taking:
        return takings.get(heading, Taking(table, "", heading, 0, 0))

    return TableTakings(
        floor,
        table,
        rounds=under(ROUND).count,
        drop=under(BUY_IN).amount,
        cashed_out=under(CASH_OUT).amount,
        corrected=under(CORRECTION).net,
        contributed=under(CONTRIBUTION).amount,
        wagers={
            wager: _wager_takings(takings[wager.value])
            for wager in WAGERS
            if wager.value in takings
        },
    )


def _wager_takings(taking: Taking) -> WagerTakings:
    return WagerTakings(taking.count, taking.amount, taking.squares, taking.net, taking.award)
