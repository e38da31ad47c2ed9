"""Reads and changes wallets, and sums what is stored of money: moves, running sums and takings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select, update

from headsup.game.values.money import Cents
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.database import Database
from headsup.house.store.house_log import last_entry_difference
from headsup.house.store.projection_rows import (
    SQUARE_CENTS_PER_SQUARE_DOLLAR,
    Slip,
    SlipKind,
    Taking,
)
from headsup.house.store.schema import (
    FLOORS,
    ROUNDS,
    SLIPS,
    TAKINGS,
    WALLET_MOVES,
    WALLET_SUMS,
    WALLETS,
)

MAX_LISTED_MOVES = 200


# One wallet.


@dataclass(frozen=True, slots=True)
class WalletEntry:
    """One move in a wallet's history."""

    number: int
    cents: Cents
    reason: str
    table: str
    by: str
    at: str


def change_wallet(connection: Connection, person: str, cents: Cents) -> Cents | None:
    """The wallet's new balance, locked until the transaction ends; None if it holds too little, or
    if there is none."""
    is_owner, new_cents = WALLETS.c.person == person, WALLETS.c.cents + cents
    change = update(WALLETS).where(is_owner, new_cents >= 0).values(cents=new_cents)
    balance: Cents | None = connection.execute(
        change.returning(WALLETS.c.cents)
    ).scalar_one_or_none()
    return balance


def has_wallet(connection: Connection, person: str) -> bool:
    query = select(WALLETS.c.person).where(WALLETS.c.person == person)
    return connection.execute(query).scalar_one_or_none() is not None


def cash_of_day(connection: Connection, person: str, day: str, paid_in: bool) -> Cents:
    """What the person paid in at the cage on this day; or was paid out, as a negative sum."""
    row = WALLET_MOVES.c
    same_way = row.cents > 0 if paid_in else row.cents < 0
    query = select(func.coalesce(func.sum(row.cents), 0)).where(
        row.person == person, row.floor == "", same_way, row.at >= day, row.at < f"{day}~"
    )
    return int(connection.execute(query).scalar_one())


def list_moves(database: Database, player: str, before: int | None = None) -> list[WalletEntry]:
    """A wallet's moves, newest first; `before` is the number of a move to continue from."""
    row = WALLET_MOVES.c
    columns = (row.number, row.cents, row.reason, row.table, row.by, row.at)
    query = select(*columns).where(row.person == player)
    if before is not None:
        query = query.where(row.number < before)
    with database.read_connection() as connection:
        rows = connection.execute(query.order_by(row.number.desc()).limit(MAX_LISTED_MOVES)).all()
    return [WalletEntry(*row) for row in rows]


# All of them.


@dataclass(frozen=True, slots=True)
class CashState:
    """The database's side of the books, read in one consistent snapshot."""

    sums: Mapping[tuple[str, str], Cents]  # moved, by floor and person
    wallets: Mapping[str, Cents]
    later: Mapping[str, Cents]  # moved at each floor by entries after these
    floors: frozenset[str]
    log_error: str  # what is wrong with the end of the house's log, or ""


def read_cash_state(database: Database, counts: Mapping[str, int]) -> CashState:
    """`counts` says of some floors how many entries of their logs were read."""
    moves = WALLET_MOVES.c
    moved = func.coalesce(func.sum(moves.cents), 0)
    with database.consistent_connection() as connection:
        sums = _stored_sums(connection)
        wallets = {row.person: row.cents for row in connection.execute(select(WALLETS))}
        later = {}
        for name, count in counts.items():
            query = select(moved).where(moves.floor == name, moves.index >= count)
            later[name] = int(connection.execute(query).scalar_one())
        floors = frozenset(connection.execute(select(FLOORS.c.id)).scalars()) - {HOUSE_LOG}
        log_error = last_entry_difference(connection)
    return CashState(sums, wallets, later, floors, log_error)


def _stored_sums(connection: Connection) -> dict[tuple[str, str], Cents]:
    stored = WALLET_SUMS.c
    rows = connection.execute(select(stored.floor, stored.person, stored.cents))
    return {(floor, person): int(cents) for floor, person, cents in rows}


def wrong_sums(database: Database) -> Iterator[tuple[str, str, Cents, Cents]]:
    """Floor, person, the sum of the moves, and the stored sum, where the two differ."""
    moves = WALLET_MOVES.c
    query = select(moves.floor, moves.person, func.sum(moves.cents))
    with database.consistent_connection() as connection:
        rows = connection.execute(query.group_by(moves.floor, moves.person))
        actual = {(floor, person): int(cents) for floor, person, cents in rows}
        stored = _stored_sums(connection)
    for floor, person in sorted({*actual, *stored}):
        sums = actual.get((floor, person), 0), stored.get((floor, person), 0)
        if sums[0] != sums[1]:
            yield floor, person, *sums


# Takings.


def sum_takings(
    connection: Connection,
    since: str | None = None,
    until: str | None = None,
    table: str | None = None,
    floor: str | None = None,
) -> dict[tuple[str, str], dict[str, Taking]]:
    """By floor and table, the sums under each heading, from day `since` up to before `until`."""
    row = TAKINGS.c
    figures = (row.count, row.amount, row.squares, row.square_cents, row.net, row.award)
    query = select(row.floor, row.table, row.what, *(func.sum(figure) for figure in figures))
    for condition in (
        None if since is None else row.day >= since,
        None if until is None else row.day < until,
        None if table is None else row.table == table,
        None if floor is None else row.floor == floor,
    ):
        if condition is not None:
            query = query.where(condition)
    by_table: dict[tuple[str, str], dict[str, Taking]] = {}
    for floor_id, table_id, heading, *sums in connection.execute(
        query.group_by(row.floor, row.table, row.what)
    ):
        count, amount, squares, square_cents, net, award = map(int, sums)
        squares = squares * SQUARE_CENTS_PER_SQUARE_DOLLAR + square_cents
        taking = Taking(table_id, "", heading, count, amount, squares, net, award)
        by_table.setdefault((floor_id, table_id), {})[heading] = taking
    return by_table


def log_length(connection: Connection, floor: str) -> int | None:
    query = select(FLOORS.c.length).where(FLOORS.c.id == floor)
    length: int | None = connection.execute(query).scalar_one_or_none()
    return length


def has_first_round(connection: Connection, floor: str, table: str) -> bool:
    """Whether round 1 of the table was projected; then all later ones were, too."""
    row = ROUNDS.c
    first = select(row.number).where(row.floor == floor, row.table == table, row.number == 1)
    return connection.execute(first).scalar_one_or_none() is not None


# Slips of tables with real chips.


def read_slips(
    connection: Connection, table: str | None = None, floor: str | None = None
) -> list[tuple[str, Slip]]:
    """Every slip with its floor, in the order in which they were written at each table."""
    row = SLIPS.c
    query = select(SLIPS).order_by(row.floor, row.table, row.slip)
    if table is not None:
        query = query.where(row.table == table)
    if floor is not None:
        query = query.where(row.floor == floor)
    return [_slip(found._asdict()) for found in connection.execute(query)]


def _slip(row: dict[str, object]) -> tuple[str, Slip]:
    floor = str(row.pop("floor"))
    slip = Slip(**row)  # type: ignore[arg-type]  # the table has the same columns
    return floor, replace(slip, kind=SlipKind(slip.kind))
