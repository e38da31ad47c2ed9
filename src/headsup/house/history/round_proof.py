"""Proves that a settled round was played at a table, so that its payout can be corrected (R95).

The proof is a Merkle path from the round to a peak of the table's history. The lower hashes are
computed from the hands of the 64 rounds around it, the upper ones are stored whenever a block of
rounds is complete, so a proof is as quick after a million rounds as after a hundred. If a stored
hash is missing, all rounds of the table are read once and the missing ones stored.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from headsup.game.record.journal import Journal
from headsup.game.table.round_history import (
    RoundProof,
    SettledRound,
    make_round_proof,
    merkle_rows,
    peak_height,
)
from headsup.game.table.state import Table
from headsup.house.floor.log_reader import BrokenLog, apply_entries
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import MIN_HASH_HEIGHT, HistoryHash
from headsup.house.store.projection_tables import write_history_hashes
from headsup.house.store.schema import HANDS, PAST_BLOCKS, ROUNDS, ROUNDS_ENDED

# Backfill after a start: an older server on the same database stores no hashes. Rounds that are
# in the log alone are left to the first proof, as reading the log may take long.

MAX_BACKFILL_ROUNDS = 500_000  # per table; this many take seconds
PAUSE_SECONDS = 0.2  # between tables


def store_missing_hashes(
    database: Database, floor: str, table: str, rounds: Sequence[SettledRound]
) -> int:
    """Write the hashes that are missing for these rounds. Returns how many there were."""
    block = PAST_BLOCKS.c
    query = select(block.height, block.place).where(block.floor == floor, block.table == table)
    with database.read_connection() as connection:
        stored = {(height, place) for height, place in connection.execute(query)}
    missing = [
        hash for hash in history_hashes(table, rounds) if (hash.height, hash.place) not in stored
    ]
    if missing:
        with database.engine.begin() as connection:
            write_history_hashes(connection, [(floor, hash) for hash in missing])
    return len(missing)


def tables_missing_hashes(database: Database, floor: str, tables: Iterable[Table]) -> list[Table]:
    """The tables with fewer stored hashes than their history should have."""
    block = PAST_BLOCKS.c
    query = (
        select(block.table, func.count().label("hashes"))
        .where(block.floor == floor)
        .group_by(block.table)
    )
    with database.read_connection() as connection:
        stored = {row.table: row.hashes for row in connection.execute(query)}
    return [
        table for table in tables if stored.get(table.id, 0) < _expected_hashes(table.past.rounds)
    ]


def _expected_hashes(rounds: int) -> int:
    return sum(rounds >> height for height in range(MIN_HASH_HEIGHT, rounds.bit_length()))


def backfill_table(database: Database, floor: str, table: Table) -> int:
    """Write one table's missing hashes. Returns how many there were. Blocks: run in a thread."""
    if table.past.rounds > MAX_BACKFILL_ROUNDS:
        return 0
    rounds = past_rounds(database, floor, (table,), logged=False).get(table.id)
    # The last round may not be stored yet.
    return store_missing_hashes(database, floor, table.id, rounds[:-1]) if rounds else 0


async def backfill_floors(database: Database, journals: Mapping[str, Journal]) -> None:
    """Write the missing hashes of all these floors. Failures wait for the first proof."""
    for floor, journal in journals.items():
        try:
            tables = tuple(journal.floor.tables.values())
            for table in await asyncio.to_thread(tables_missing_hashes, database, floor, tables):
                made = await asyncio.to_thread(backfill_table, database, floor, table)
                log.info("missing history hashes stored", floor=floor, table=table.id, made=made)
                await asyncio.sleep(PAUSE_SECONDS)
        except Exception as error:
            log.warning("history hashes not stored", floor=floor, at=short_traceback(error))


# All settled rounds of a table, for when stored hashes are missing.


def past_rounds(
    database: Database, floor: str, tables: Collection[Table], logged: bool = True
) -> dict[str, list[SettledRound]]:
    """All settled rounds by table, verified against the table's history.

    They are read from the hands, else from the log if `logged`; that may take long. A table is
    left out if neither gives its history.
    """
    with database.read_connection() as connection:
        by_hands = {table.id: _rounds_from_hands(connection, floor, table) for table in tables}
    verified = {
        table.id: by_hands[table.id] for table in tables if table.past.matches(by_hands[table.id])
    }
    others = [table for table in tables if table.id not in verified] if logged else []
    by_log = _rounds_from_log(database, floor, {table.id for table in others}) if others else {}
    for table in others:
        rounds = by_log[table.id][: table.past.rounds]
        if table.past.matches(rounds):
            verified[table.id] = rounds
    return verified


def _rounds_from_hands(connection: Connection, floor: str, table: Table) -> list[SettledRound]:
    """The rounds whose hands are stored, and the last: settled but not closed, it has none yet."""
    hand, last = HANDS.c, table.past.last
    query = select(hand.number, hand.seat, hand.player).where(
        hand.floor == floor, hand.table == table.id
    )
    players: dict[int, list[tuple[int, str]]] = {}
    for number, seat, player in connection.execute(query.order_by(hand.number, hand.seat)):
        players.setdefault(number, []).append((seat, player))
    rounds = [SettledRound(number, tuple(seats)) for number, seats in players.items()]
    if last is not None and last.number not in players:
        rounds.append(last)
    return rounds[: table.past.rounds]


def _rounds_from_log(
    database: Database, floor: str, tables: Collection[str]
) -> dict[str, list[SettledRound]]:
    """The rounds as far as the log can be replayed."""
    rounds: dict[str, list[SettledRound]] = {table: [] for table in tables}
    with suppress(BrokenLog):  # rounds before the break are still verified by the history
        for entry in apply_entries(floor, Journal(), database.entry_texts(floor)):
            if entry.table in rounds:
                _add_last(rounds[entry.table], entry.journal.floor.tables.get(entry.table))
    return rounds


def _add_last(rounds: list[SettledRound], table: Table | None) -> None:
    last = table.past.last if table is not None else None
    if last is not None and (not rounds or rounds[-1].number != last.number):
        rounds.append(last)


def history_hashes(table: str, rounds: Sequence[SettledRound]) -> Iterator[HistoryHash]:
    """The hashes that should be stored for these rounds."""
    for height, row in enumerate(merkle_rows(rounds)):
        if height >= MIN_HASH_HEIGHT:
            for place, hash in enumerate(row):
                last = rounds[(place + 1 << height) - 1]
                yield HistoryHash(table, height, place, last.number, hash)


_BLOCK = 1 << MIN_HASH_HEIGHT


def prove_round(database: Database, table: Table, number: int) -> RoundProof | None:
    """The proof of one round; None if it was not settled or its history cannot be read."""
    last = table.past.last
    if last is None or not 0 < number <= last.number:
        return None
    with database.read_connection() as connection:
        floor = _floor_of(connection, table, number)
        if floor is None or _ended_without_hands(connection, floor, table, number):
            return None
        proof = _StoredHistory(connection, floor, table).prove(number)
    if proof is not None and table.past.proves(proof):
        return proof
    return _prove_from_all(database, floor, table, number)


def _floor_of(connection: Connection, table: Table, number: int) -> str | None:
    """The table's floor, from this round or a later one: old rounds may have no row."""
    query = select(ROUNDS.c.floor).where(ROUNDS.c.table == table.id, ROUNDS.c.number >= number)
    floor = connection.execute(query.order_by(ROUNDS.c.number).limit(1)).scalar_one_or_none()
    return None if floor is None else str(floor)


def _ended_without_hands(connection: Connection, floor: str, table: Table, number: int) -> bool:
    ended = ROUNDS_ENDED.c
    query = select(ended.hands).where(
        ended.floor == floor, ended.table == table.id, ended.number == number
    )
    return connection.execute(query).scalar_one_or_none() == 0


def _prove_from_all(database: Database, floor: str, table: Table, number: int) -> RoundProof | None:
    rounds = past_rounds(database, floor, (table,)).get(table.id)
    if rounds is None:
        return None
    with suppress(SQLAlchemyError):  # the next proof will try again
        store_missing_hashes(database, floor, table.id, rounds[:-1])  # the last may not be stored
    index = next((i for i, round in enumerate(rounds) if round.number == number), None)
    return None if index is None else make_round_proof(rounds, index)


class _StoredHistory:
    """A table's history as far as its hashes and hands are in the database."""

    def __init__(self, connection: Connection, floor: str, table: Table) -> None:
        self._connection, self._table = connection, table
        self._blocks = (PAST_BLOCKS.c.floor == floor, PAST_BLOCKS.c.table == table.id)
        self._hands = (HANDS.c.floor == floor, HANDS.c.table == table.id)

    def prove(self, number: int) -> RoundProof | None:
        block = self._block_of(number)
        rounds = self._rounds(block)
        index = next((i for i, round in enumerate(rounds) if round.number == number), None)
        if index is None or (place := block * _BLOCK + index) >= self._table.past.rounds:
            return None
        if len(rounds) < min(_BLOCK, self._table.past.rounds - block * _BLOCK):
            return None  # some rounds of the block are missing
        height, rows = peak_height(place, self._table.past.rounds), merkle_rows(rounds)
        low = [rows[level][(index >> level) ^ 1] for level in range(min(height, MIN_HASH_HEIGHT))]
        high = [self._hash(level, (place >> level) ^ 1) for level in range(MIN_HASH_HEIGHT, height)]
        return RoundProof(rounds[index], place, (*low, *high))

    def _block_of(self, number: int) -> int:
        """The block that contains a round: a complete one, else the one after all of them."""
        block = PAST_BLOCKS.c
        query = select(block.place).where(
            *self._blocks, block.height == MIN_HASH_HEIGHT, block.number >= number
        )
        place = self._connection.execute(query.order_by(block.number).limit(1)).scalar_one_or_none()
        return self._table.past.rounds // _BLOCK if place is None else int(place)

    def _rounds(self, block: int) -> list[SettledRound]:
        """The settled rounds of a block, including a last one that is not closed yet."""
        after, until = self._last_round_of(block - 1), self._last_round_of(block)
        hand = HANDS.c
        query = select(hand.number, hand.seat, hand.player).where(
            *self._hands, hand.number > (after or 0)
        )
        if until is not None:
            query = query.where(hand.number <= until)
        players: dict[int, list[tuple[int, str]]] = {}
        for number, seat, player in self._connection.execute(
            query.order_by(hand.number, hand.seat)
        ):
            players.setdefault(number, []).append((seat, player))
        rounds = [SettledRound(number, tuple(seats)) for number, seats in players.items()]
        last = self._table.past.last
        if until is None and last is not None and last.number not in players:
            rounds.append(last)
        return rounds[:_BLOCK]

    def _last_round_of(self, block: int) -> int | None:
        """The number of a block's last round; None if the block is not complete."""
        row = PAST_BLOCKS.c
        query = select(row.number).where(
            *self._blocks, row.height == MIN_HASH_HEIGHT, row.place == block
        )
        return self._connection.execute(query).scalar_one_or_none()

    def _hash(self, height: int, place: int) -> str:
        row = PAST_BLOCKS.c
        query = select(row.hash).where(*self._blocks, row.height == height, row.place == place)
        return self._connection.execute(query).scalar_one_or_none() or ""
