"""Whether the books of the house agree: wallets, what moved in and out of them, floors and meters.

What was paid into wallets and not paid out is in a wallet or on a floor. A floor's cage is the
other side of its buy-ins and cash-outs, so what moved between wallets and a floor is what its cage
holds. Each meter shows what is in its account, all accounts of a floor together hold nothing, and
a table's tray has gained what its rounds say it won.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select

from headsup.game.balances import AccountKind
from headsup.game.money import MICROS_PER_CENT, Cents, Micros, format_cents, format_micros
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.house.floorbooks import FloorBooks, floor_books
from headsup.house.store.database import Database
from headsup.house.store.schema import FLOORS, ROUNDS, WALLET_MOVES, WALLETS
from headsup.house.takings import TableTakings, table_takings


@dataclass(frozen=True, slots=True)
class Books:
    """What was found, and where it does not agree."""

    paid_in: Cents  # into wallets from outside, less what was paid out
    in_wallets: Cents
    on_floors: Cents  # bought in, less what was cashed out
    differences: tuple[str, ...]
    floors: tuple[FloorBooks, ...] = ()


def reconcile(database: Database, journals: Mapping[str, Journal]) -> Books:
    """Of these floors, each as far as its journal goes, and of all wallets at this moment."""
    paid_in, by_person, wallets = _outside(database)
    found = [_unlike(f"wallet {name}", wallets.get(name, 0), by_person.get(name, 0))
             for name in sorted({*wallets, *by_person})]  # fmt: skip
    on_floors, floors = 0, []
    for name, journal in journals.items():
        floor, moved = journal.floor, _moved(database, name, journal.head.count)
        on_floors -= moved
        found.append(_unlike(f"floor {name}", -_cage(floor), -moved * MICROS_PER_CENT))
        floors.append(floor_books(name, journal, _taken(database, name, journal)))
        found += floors[-1].differences
    differences = tuple(difference for difference in found if difference)
    return Books(paid_in, sum(wallets.values()), on_floors, differences, tuple(floors))


def _taken(database: Database, name: str, journal: Journal) -> dict[str, TableTakings]:
    """What the tables of a floor took, where that is known of all their rounds and is of the very
    moment of the journal."""
    begun = ROUNDS.c
    counted = select(begun.table, func.count()).where(begun.floor == name).group_by(begun.table)
    with database.reading() as connection:
        if connection.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        length = select(FLOORS.c.length).where(FLOORS.c.id == name)
        if connection.execute(length).scalar_one_or_none() != journal.head.count:
            return {}
        rounds = {table: int(count) for table, count in connection.execute(counted)}
        found = table_takings(connection, floor=name)
    tables = journal.floor.tables
    return {
        one.table: one
        for one in found
        if one.table in tables and tables[one.table].rounds == rounds.get(one.table, 0)
    }


def _outside(database: Database) -> tuple[Cents, dict[str, Cents], dict[str, Cents]]:
    """At one moment: what came from outside, what moved in each wallet, what each holds."""
    moved = func.coalesce(func.sum(WALLET_MOVES.c.cents), 0)
    people = select(WALLET_MOVES.c.person, moved).group_by(WALLET_MOVES.c.person)
    with database.reading() as connection:
        if connection.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        paid_in = connection.execute(select(moved).where(WALLET_MOVES.c.floor == "")).scalar_one()
        by_person = {name: int(cents) for name, cents in connection.execute(people)}
        wallets = {row.person: row.cents for row in connection.execute(select(WALLETS))}
    return int(paid_in), by_person, wallets


def _moved(database: Database, floor: str, count: int) -> Cents:
    """Into wallets from this floor, with the first so many entries of its log."""
    moves = WALLET_MOVES.c
    query = select(func.coalesce(func.sum(moves.cents), 0)).where(
        moves.floor == floor, moves.index < count
    )
    with database.reading() as connection:
        return int(connection.execute(query).scalar_one())


def _cage(floor: Floor) -> Micros:
    return sum(held for account, held in floor.ledger if account.kind is AccountKind.CAGE)


def _unlike(what: str, holds: int, moved: int) -> str:
    if holds == moved:
        return ""
    show = format_micros if what.startswith("floor ") else format_cents
    return f"{what} holds {show(holds)}, and {show(moved)} moved there"
