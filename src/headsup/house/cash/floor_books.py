"""The books of one floor at one moment: where its money is, and whether all of it adds up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headsup.game.bank.balances import Account, AccountKind
from headsup.game.bank.meter import Meter
from headsup.game.record.audit.auditor import meter_account_mismatch
from headsup.game.record.chain import Head
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.game.values.money import Micros, format_micros
from headsup.house.cash.takings import TableTakings

_MAY_OWE = frozenset(
    {
        AccountKind.CAGE,
        AccountKind.BANK,
        AccountKind.SEED,
        AccountKind.ACCRUAL,
        AccountKind.BREAKAGE,
        AccountKind.BONUS,
        AccountKind.COUPON,
    }
)


@dataclass(frozen=True, slots=True)
class TableBooks:
    """Chips of the players, stakes on the felt, the tray with its breakage, prizes on their way."""

    table: str
    rounds: int
    playing: bool
    by_kind: Mapping[AccountKind, Micros]


@dataclass(frozen=True, slots=True)
class FloorBooks:
    floor: str
    head: Head
    total: Micros  # of all accounts: nothing, or something is wrong
    by_kind: Mapping[AccountKind, Micros]
    tables: tuple[TableBooks, ...]
    meters: Mapping[str, Meter]
    differences: tuple[str, ...]


def floor_books(name: str, journal: Journal, takings: Mapping[str, TableTakings]) -> FloorBooks:
    """`takings` are of whole tables, and of this very moment; a table that has none is not held
    against them."""
    floor = journal.floor
    by_kind: dict[AccountKind, Micros] = {}
    by_table: dict[str, dict[AccountKind, Micros]] = {id: {} for id in floor.tables}
    total = 0
    for account, held in floor.ledger:
        total += held
        by_kind[account.kind] = by_kind.get(account.kind, 0) + held
        if (at := by_table.get(account.owner.partition("/")[0])) is not None:
            at[account.kind] = at.get(account.kind, 0) + held
    tables = tuple(
        TableBooks(id, table.rounds, table.playing, by_table[id])
        for id, table in sorted(floor.tables.items())
    )
    wrong = (*_floor_differences(name, floor, total), *_trays(name, tables, takings))
    meters = dict(sorted(floor.meters.items()))
    return FloorBooks(name, journal.head, total, by_kind, tables, meters, wrong)


def _floor_differences(name: str, floor: Floor, total: Micros) -> Iterator[str]:
    if total:
        yield f"floor {name}: all accounts together hold {format_micros(total)}"
    for account, held in floor.ledger:
        if held < 0 and account.kind not in _MAY_OWE:
            yield f"floor {name}: {_account_name(account)} holds {format_micros(held)}"
    for meter_name, meter in floor.meters.items():
        if (held_there := meter_account_mismatch(floor, meter)) is not None:
            shown, there = format_micros(meter.pool), format_micros(held_there)
            yield f"floor {name}: meter {meter_name} shows {shown}, its account {there}"


def _trays(
    name: str, tables: tuple[TableBooks, ...], takings: Mapping[str, TableTakings]
) -> Iterator[str]:
    """While no round is open, the tray has gained what the rounds say it won."""
    for table in tables:
        taken = takings.get(table.table)
        if taken is None or table.playing or taken.rounds > table.rounds:
            continue
        held = table.by_kind.get(AccountKind.BANK, 0) + table.by_kind.get(AccountKind.BREAKAGE, 0)
        if held != taken.tray:
            won, there = format_micros(taken.tray), format_micros(held)
            yield f"floor {name}: table {table.table} won {won}, its tray gained {there}"


def _account_name(account: Account) -> str:
    return f"{account.kind.value} {account.owner}"
