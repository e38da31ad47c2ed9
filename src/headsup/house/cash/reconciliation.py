"""Whether the books of the house agree: wallets, what moved in and out of them, floors and meters.

What was paid into wallets and not paid out is in a wallet or on a floor. A floor's cage is the
other side of its buy-ins and cash-outs, so what moved between wallets and a floor is what its cage
holds. Each meter shows what is in its account, all accounts of a floor together hold nothing, and
a table's tray has gained what its rounds say it won. A floor whose log is not at hand is named with
the money that was bought in there: it would be missing without a word.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select

from headsup.game.bank.balances import AccountKind
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros, format_cents, format_micros
from headsup.house.audit.house_chain import chain_end_difference
from headsup.house.cash.floor_books import FloorBooks, floor_books
from headsup.house.cash.takings import TableTakings, table_takings
from headsup.house.store.database import Database
from headsup.house.store.schema import (
    FLOORS,
    ROUNDS,
    WALLET_MOVES,
    WALLET_SUMS,
    WALLETS,
)


@dataclass(frozen=True, slots=True)
class Books:
    """What was found, and where it does not agree."""

    paid_in: Cents  # into wallets from outside, less what was paid out
    in_wallets: Cents
    on_floors: Cents  # bought in, less what was cashed out
    differences: tuple[str, ...]
    floors: tuple[FloorBooks, ...] = ()
    remarks: tuple[str, ...] = ()  # what is worth knowing, and no difference


def reconcile(
    database: Database, journals: Mapping[str, Journal], shut: Collection[str] = ()
) -> Books:
    """Of these floors, each as far as its journal goes, and of all wallets at this moment; `shut`
    are the floors whose log does not hold. It takes as long however many moves there were: sums
    are kept with each of them."""
    outside = _read_cash_state(database, journals)
    wallets = outside.wallets
    by_person: dict[str, Cents] = {}
    by_floor: dict[str, Cents] = {}
    for (floor, person), cents in outside.sums.items():
        by_person[person] = by_person.get(person, 0) + cents
        by_floor[floor] = by_floor.get(floor, 0) + cents
    found = [
        _difference(f"wallet {name}", wallets.get(name, 0), by_person.get(name, 0))
        for name in sorted({*wallets, *by_person})
    ]
    on_floors, floors = 0, []
    for name, journal in journals.items():
        moved = by_floor.get(name, 0) - outside.later[name]
        on_floors -= moved
        found.append(_difference(f"floor {name}", -_cage(journal.floor), -moved * MICROS_PER_CENT))
        floors.append(floor_books(name, journal, _takings_at(database, name, journal)))
        found += floors[-1].differences
    paid_in, held = by_floor.pop("", 0), sum(wallets.values())
    found += (*_lost_floor_differences(by_floor, outside.floors, shut), outside.chain)
    differences = tuple(difference for difference in found if difference)
    remarks = tuple(_unread_floor_remarks(by_floor, outside.floors.difference(shut, journals)))
    return Books(paid_in, held, on_floors, differences, tuple(floors), remarks)


def _lost_floor_differences(
    by_floor: Mapping[str, Cents], floors: frozenset[str], shut: Collection[str]
) -> Iterator[str]:
    """Floors that nobody can play at or read any more, with the money that went there."""
    for name in sorted({*by_floor, *shut}):
        bought = format_cents(-by_floor.get(name, 0))
        if name not in floors:
            yield f"floor {name} is gone: {bought} was bought in there and not cashed out"
        elif name in shut:
            yield (
                f"floor {name}: its log does not hold, and {bought} was bought in there and not "
                "cashed out"
            )


def _unread_floor_remarks(by_floor: Mapping[str, Cents], floors: Collection[str]) -> Iterator[str]:
    for name in sorted(by_floor.keys() & floors):
        bought = format_cents(-by_floor[name])
        yield f"floor {name} was not looked at: {bought} was bought in there and not cashed out"


def audit_books(
    database: Database, journals: Mapping[str, Journal], shut: Collection[str] = ()
) -> Books:
    """The same, and whether the sums that are kept are those of all moves."""
    books = reconcile(database, journals, shut)
    return replace(books, differences=(*books.differences, *wallet_sum_differences(database)))


def _takings_at(database: Database, name: str, journal: Journal) -> dict[str, TableTakings]:
    """What the tables of a floor took, where that is known of all their rounds and is of the very
    moment of the journal."""
    with database.at_one_moment() as connection:
        length = select(FLOORS.c.length).where(FLOORS.c.id == name)
        if connection.execute(length).scalar_one_or_none() != journal.head.count:
            return {}
        found = table_takings(connection, floor=name)
        tables = journal.floor.tables
        return {
            one.table: one
            for one in found
            if one.table in tables
            and (not tables[one.table].rounds or _has_first_round(connection, name, one.table))
        }


def _has_first_round(connection: Connection, floor: str, table: str) -> bool:
    """Whether rounds of the table are noted since there are any: then all of them are."""
    row = ROUNDS.c
    first = select(row.number).where(row.floor == floor, row.table == table, row.number == 1)
    return connection.execute(first).scalar_one_or_none() is not None


@dataclass(frozen=True, slots=True)
class _CashState:
    """At one moment: what moved in each wallet, what each holds, what moved at each floor with
    entries of its log that its journal does not reach, and the floors that there are."""

    sums: Mapping[tuple[str, str], Cents]  # by floor and person
    wallets: Mapping[str, Cents]
    later: Mapping[str, Cents]
    floors: frozenset[str]
    chain: str  # what is wrong with the end of the house's own, if anything


def _read_cash_state(database: Database, journals: Mapping[str, Journal]) -> _CashState:
    moves, held = WALLET_MOVES.c, WALLET_SUMS.c
    moved = func.coalesce(func.sum(moves.cents), 0)
    with database.at_one_moment() as connection:
        rows = connection.execute(select(held.floor, held.person, held.cents))
        sums = {(floor, person): int(cents) for floor, person, cents in rows}
        wallets = {row.person: row.cents for row in connection.execute(select(WALLETS))}
        later = {}
        for name, journal in journals.items():
            beyond = select(moved).where(moves.floor == name, moves.index >= journal.head.count)
            later[name] = int(connection.execute(beyond).scalar_one())
        floors = frozenset(connection.execute(select(FLOORS.c.id)).scalars())
        chain = chain_end_difference(connection)
    return _CashState(sums, wallets, later, floors, chain)


def wallet_sum_differences(database: Database) -> Iterator[str]:
    """Where what is kept of a wallet's moves is not what they add up to."""
    moves, held = WALLET_MOVES.c, WALLET_SUMS.c
    added = select(moves.floor, moves.person, func.sum(moves.cents))
    with database.at_one_moment() as connection:
        rows = connection.execute(added.group_by(moves.floor, moves.person))
        made = {(floor, person): int(cents) for floor, person, cents in rows}
        rows = connection.execute(select(held.floor, held.person, held.cents))
        kept = {(floor, person): int(cents) for floor, person, cents in rows}
    for floor, person in sorted({*made, *kept}):
        of, sums = made.get((floor, person), 0), kept.get((floor, person), 0)
        if of != sums:
            where = f"floor {floor}" if floor else "the cage"
            moved, summed = format_cents(of), format_cents(sums)
            yield f"wallet {person}: moves with {where} are {moved}, their sum is kept as {summed}"


def _cage(floor: Floor) -> Micros:
    return sum(held for account, held in floor.ledger if account.kind is AccountKind.CAGE)


def _difference(what: str, holds: int, moved: int) -> str:
    if holds == moved:
        return ""
    show = format_micros if what.startswith("floor ") else format_cents
    return f"{what} holds {show(holds)}, and {show(moved)} moved there"
