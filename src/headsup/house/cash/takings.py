"""What tables took: drop, handle, win and hold, as exact numbers, by table and by wager.

Drop is what was bought in, handle what was staked and not void. Win is what the house kept of it:
not what a pool paid, nor what went onto a meter, which is the players'.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection, func, select

from headsup.game.rulebook.wagers import WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros
from headsup.house.floor.projections import BUY_IN, CASH_OUT, CONTRIBUTION, CORRECTION, ROUND
from headsup.house.store.projection_tables import Taking
from headsup.house.store.schema import TAKINGS


@dataclass(frozen=True, slots=True)
class WagerTakings:
    hands: int
    handle: Cents
    squares: int  # of the stakes, in square dollars
    net: Cents  # the players'
    award: Cents

    @property
    def win(self) -> Cents:
        """The house's, before what goes onto a meter."""
        return self.award - self.net


@dataclass(frozen=True, slots=True)
class TableTakings:
    floor: str
    table: str
    rounds: int
    drop: Cents
    cashed_out: Cents
    corrected: Cents  # to the players
    contributed: Micros
    wagers: Mapping[Wager, WagerTakings]

    @property
    def handle(self) -> Cents:
        return sum(one.handle for one in self.wagers.values())

    @property
    def tray(self) -> Micros:
        """What the chip tray has gained, breakage included, while no round is open."""
        won = sum(one.win for one in self.wagers.values()) - self.corrected
        return won * MICROS_PER_CENT

    @property
    def win(self) -> Micros:
        return self.tray - self.contributed

    @property
    def hold(self) -> Fraction | None:
        """Of the drop; None where nobody bought in."""
        return Fraction(self.win, self.drop * MICROS_PER_CENT) if self.drop else None


def table_takings(
    connection: Connection,
    since: str | None = None,
    until: str | None = None,
    table: str | None = None,
    floor: str | None = None,
) -> list[TableTakings]:
    """By table, of the days from `since` to before `until` (`2026-01-31`, UTC)."""
    row = TAKINGS.c
    figures = (row.count, row.amount, row.squares, row.net, row.award)
    query = select(row.floor, row.table, row.what, *(func.sum(one) for one in figures))
    for condition in (
        None if since is None else row.day >= since,
        None if until is None else row.day < until,
        None if table is None else row.table == table,
        None if floor is None else row.floor == floor,
    ):
        if condition is not None:
            query = query.where(condition)
    query = query.group_by(row.floor, row.table, row.what)
    found: dict[tuple[str, str], dict[str, Taking]] = {}
    for place, id, what, *sums in connection.execute(query):
        taken = Taking(id, "", what, *(int(one) for one in sums))
        found.setdefault((place, id), {})[what] = taken
    return [_build_table_takings(place, id, taken) for (place, id), taken in sorted(found.items())]


def _build_table_takings(floor: str, table: str, taken: Mapping[str, Taking]) -> TableTakings:
    def of(what: str) -> Taking:
        return taken.get(what, Taking(table, "", what, 0, 0))

    return TableTakings(
        floor,
        table,
        rounds=of(ROUND).count,
        drop=of(BUY_IN).amount,
        cashed_out=of(CASH_OUT).amount,
        corrected=of(CORRECTION).net,
        contributed=of(CONTRIBUTION).amount,
        wagers={wager: _wager(taken[wager.value]) for wager in WAGERS if wager.value in taken},
    )


def _wager(taking: Taking) -> WagerTakings:
    return WagerTakings(taking.count, taking.amount, taking.squares, taking.net, taking.award)
