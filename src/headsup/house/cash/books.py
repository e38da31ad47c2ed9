"""Checks that the house's money adds up: wallets, floors, tables and meters.

What was paid into wallets and not paid out is in a wallet or on a floor. A floor's cage holds
what moved between wallets and the floor. Each meter shows what is in its account, all accounts of
a floor sum to zero, and a table's tray has gained what its rounds won. A floor whose log is
unreadable is reported with the money bought in there, so that it does not vanish from the sums.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from headsup.game.bank.balances import Account, AccountKind
from headsup.game.bank.meter import Meter
from headsup.game.record.audit.auditor import meter_account_mismatch
from headsup.game.record.chain import Head
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros, format_cents, format_micros
from headsup.game.views.posted import bonus_notices
from headsup.house.cash.takings import TableTakings, table_takings
from headsup.house.store.database import Database
from headsup.house.store.wallets import (
    has_first_round,
    log_length,
    read_cash_state,
    wrong_sums,
)

_MAY_BE_NEGATIVE = frozenset(
    {
        AccountKind.CAGE,
        AccountKind.BANK,
        AccountKind.SEED,
        AccountKind.ACCRUAL,
        AccountKind.BREAKAGE,
        AccountKind.BONUS,
        AccountKind.ISSUED_COUPON,
        AccountKind.TRANSIT,
        AccountKind.TRAY,
        AccountKind.GUESTS,
        AccountKind.VAULT,
        AccountKind.VARIANCE,
    }
)
# What the house holds at a table, on screens and in chips and cash. Nothing but the game changes
# their sum.
_HOUSE_SIDE = (
    AccountKind.BANK,
    AccountKind.BREAKAGE,
    AccountKind.TRAY,
    AccountKind.DROP,
    AccountKind.VAULT,
    AccountKind.VARIANCE,
)


@dataclass(frozen=True, slots=True)
class TableBooks:
    """One table's money: players' chips, stakes on the felt, the tray, prizes to be paid."""

    table: str
    rounds: int
    playing: bool
    by_kind: Mapping[AccountKind, Micros]


@dataclass(frozen=True, slots=True)
class FloorBooks:
    floor: str
    head: Head
    total: Micros  # of all accounts; anything but zero is an error
    by_kind: Mapping[AccountKind, Micros]
    tables: tuple[TableBooks, ...]
    meters: Mapping[str, Meter]
    notices: Mapping[str, tuple[str, ...]]  # that must stand beside each meter's figure (R83)
    differences: tuple[str, ...]


def floor_books(name: str, journal: Journal, takings: Mapping[str, TableTakings]) -> FloorBooks:
    """The books of one floor. `takings`, by table, must cover all rounds up to the journal's
    head; trays of tables without takings are not checked."""
    floor = journal.floor
    by_kind: dict[AccountKind, Micros] = {}
    by_table: dict[str, dict[AccountKind, Micros]] = {id: {} for id in floor.tables}
    total = 0
    for account, balance in floor.ledger:
        total += balance
        by_kind[account.kind] = by_kind.get(account.kind, 0) + balance
        if (table_balances := by_table.get(account.owner.partition("/")[0])) is not None:
            table_balances[account.kind] = table_balances.get(account.kind, 0) + balance
    tables = tuple(
        TableBooks(id, table.rounds, table.is_playing, by_table[id])
        for id, table in sorted(floor.tables.items())
    )
    differences = (
        *_floor_differences(name, floor, total),
        *_tray_differences(name, tables, takings),
        *_coupon_differences(name, floor, tables),
    )
    meters = dict(sorted(floor.meters.items()))
    notices = {
        table.meter: bonus_notices(table.rules) for table in floor.tables.values() if table.meter
    }
    return FloorBooks(name, journal.head, total, by_kind, tables, meters, notices, differences)


def _floor_differences(name: str, floor: Floor, total: Micros) -> Iterator[str]:
    if total:
        yield f"floor {name}: all accounts together hold {format_micros(total)}, should be 0"
    for account, balance in floor.ledger:
        if balance < 0 and account.kind not in _MAY_BE_NEGATIVE:
            yield f"floor {name}: {_account_name(account)} holds {format_micros(balance)}"
    for meter_name, meter in floor.meters.items():
        if (account_balance := meter_account_mismatch(floor, meter)) is not None:
            shown, held = format_micros(meter.pool), format_micros(account_balance)
            yield f"floor {name}: meter {meter_name} shows {shown}, its account holds {held}"


def _tray_differences(
    name: str, tables: tuple[TableBooks, ...], takings: Mapping[str, TableTakings]
) -> Iterator[str]:
    """Compare each tray's gain with what the rounds won; only while no round is open."""
    for table in tables:
        taken = takings.get(table.table)
        if taken is None or table.playing or taken.rounds > table.rounds:
            continue
        gain = sum(table.by_kind.get(kind, 0) for kind in _HOUSE_SIDE)
        if gain != taken.tray:
            won, gained = format_micros(taken.tray), format_micros(gain)
            yield f"floor {name}: table {table.table} won {won}, its tray gained {gained}"


def _coupon_differences(name: str, floor: Floor, tables: tuple[TableBooks, ...]) -> Iterator[str]:
    """Compare what a table issued and nobody spent with its unspent coupons (R12)."""
    for table in tables:
        held = table.by_kind.get
        booked = -held(AccountKind.ISSUED_COUPON, 0) - held(AccountKind.SPENT_COUPON, 0)
        unspent = floor.tables[table.table].coupons.total * MICROS_PER_CENT
        if booked != unspent:
            shown, expected = format_micros(unspent), format_micros(booked)
            yield f"floor {name}: table {table.table} has coupons of {shown}, should be {expected}"


def _account_name(account: Account) -> str:
    return f"{account.kind.value} {account.owner}"


# The whole house.


@dataclass(frozen=True, slots=True)
class Books:
    """The money of the whole house, and everything that does not add up."""

    paid_in: Cents  # into wallets from outside, less what was paid out
    in_wallets: Cents
    on_floors: Cents  # bought in, less what was cashed out
    differences: tuple[str, ...]
    floors: tuple[FloorBooks, ...] = ()
    remarks: tuple[str, ...] = ()  # worth knowing, but not an error


def reconcile(
    database: Database, journals: Mapping[str, Journal], broken_floors: Collection[str] = ()
) -> Books:
    """Reconcile these floors, each up to its journal's head, with all wallets as they are now.

    `broken_floors` have a log that is not intact. The time taken does not grow with the number
    of moves, as the database stores running sums.
    """
    cash = read_cash_state(
        database, {name: journal.head.count for name, journal in journals.items()}
    )
    wallets = cash.wallets
    by_person: dict[str, Cents] = {}
    by_floor: dict[str, Cents] = {}
    for (floor, person), cents in cash.sums.items():
        by_person[person] = by_person.get(person, 0) + cents
        by_floor[floor] = by_floor.get(floor, 0) + cents
    checks = [
        _difference(f"wallet {name}", wallets.get(name, 0), by_person.get(name, 0))
        for name in sorted({*wallets, *by_person})
    ]
    on_floors, floors = 0, []
    for name, journal in journals.items():
        moved = by_floor.get(name, 0) - cash.later[name]
        on_floors -= moved
        checks.append(_difference(f"floor {name}", -_cage(journal.floor), -moved * MICROS_PER_CENT))
        floors.append(floor_books(name, journal, _takings_at(database, name, journal)))
        checks += floors[-1].differences
    paid_in, in_wallets = by_floor.pop("", 0), sum(wallets.values())
    checks += (*_lost_floor_differences(by_floor, cash.floors, broken_floors), cash.log_error)
    differences = tuple(difference for difference in checks if difference)
    unread = cash.floors.difference(broken_floors, journals)
    remarks = (*_unread_floor_remarks(by_floor, unread), *_transit_remarks(floors))
    return Books(paid_in, in_wallets, on_floors, differences, tuple(floors), remarks)


def _lost_floor_differences(
    by_floor: Mapping[str, Cents], floors: frozenset[str], broken_floors: Collection[str]
) -> Iterator[str]:
    """Floors that are gone or have a broken log, with the money that was bought in there."""
    for name in sorted({*by_floor, *broken_floors}):
        amount = format_cents(-by_floor.get(name, 0))
        if name not in floors:
            yield f"floor {name} is gone: {amount} was bought in there and not cashed out"
        elif name in broken_floors:
            yield (
                f"floor {name}: its log is broken, and {amount} was bought in there and not "
                "cashed out"
            )


def _unread_floor_remarks(by_floor: Mapping[str, Cents], floors: Collection[str]) -> Iterator[str]:
    for name in sorted(by_floor.keys() & floors):
        amount = format_cents(-by_floor[name])
        yield f"floor {name} was not checked: {amount} was bought in there and not cashed out"


def _transit_remarks(floors: Iterable[FloorBooks]) -> Iterator[str]:
    """A pool that left one floor and has not reached the other, or more than was sent (R84)."""
    on_its_way = sum(books.by_kind.get(AccountKind.TRANSIT, 0) for books in floors)
    if on_its_way > 0:
        yield f"a pool of {format_micros(on_its_way)} has left a floor and not reached another"
    elif on_its_way < 0:
        yield f"floors received {format_micros(-on_its_way)} more than other floors sent"


def audit_books(
    database: Database, journals: Mapping[str, Journal], broken_floors: Collection[str] = ()
) -> Books:
    """Reconcile, and also check the stored sums against all wallet moves."""
    books = reconcile(database, journals, broken_floors)
    return replace(books, differences=(*books.differences, *wallet_sum_differences(database)))


def _takings_at(database: Database, name: str, journal: Journal) -> dict[str, TableTakings]:
    """Takings of the tables whose rounds are all in the database; none if the floor has moved on
    since the journal was read."""
    with database.consistent_connection() as connection:
        if log_length(connection, name) != journal.head.count:
            return {}
        tables = journal.floor.tables
        return {
            takings.table: takings
            for takings in table_takings(connection, floor=name)
            if takings.table in tables
            and (
                not tables[takings.table].rounds or has_first_round(connection, name, takings.table)
            )
        }


def wallet_sum_differences(database: Database) -> Iterator[str]:
    """Report stored sums of wallet moves that differ from the moves themselves."""
    for floor, person, actual, recorded in wrong_sums(database):
        source = f"floor {floor}" if floor else "the cage"
        yield (
            f"wallet {person}: moves with {source} add up to {format_cents(actual)}, "
            f"but the stored sum is {format_cents(recorded)}"
        )


def _cage(floor: Floor) -> Micros:
    return sum(balance for account, balance in floor.ledger if account.kind is AccountKind.CAGE)


def _difference(name: str, balance: int, moved: int) -> str:
    if balance == moved:
        return ""
    show = format_micros if name.startswith("floor ") else format_cents
    return f"{name} holds {show(balance)}, but {show(moved)} moved there"
