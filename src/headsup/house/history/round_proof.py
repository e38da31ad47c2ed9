"""What shows a table that a settled round was played at it, for a payout to be corrected (R95).

A path from the round to a peak of the table's past takes a hash of each height. The lowest ones are
made of the rounds about it, out of the hands that were played; those over a whole block are kept
when it is complete. So it takes as long after a hundred rounds as after a million. Where such a
hash is not kept, all rounds of the table are gone through once, and those that miss are kept then
(`backfill` does the same beforehand).
"""

from contextlib import suppress

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from headsup.game.table.round_history import (
    RoundProof,
    SettledRound,
    make_round_proof,
    merkle_rows,
    peak_height,
)
from headsup.game.table.state import Table
from headsup.house.history.backfill import store_missing_hashes
from headsup.house.history.past_rounds import past_rounds
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import MIN_HASH_HEIGHT
from headsup.house.store.schema import HANDS, PAST_BLOCKS, ROUNDS, ROUNDS_ENDED

_BLOCK = 1 << MIN_HASH_HEIGHT


def prove_round(database: Database, table: Table, number: int) -> RoundProof | None:
    """None where the round was not settled, or not all that is needed is known here."""
    last = table.past.last
    if last is None or not 0 < number <= last.number:
        return None
    with database.reading() as connection:
        floor = _floor_of(connection, table, number)
        if floor is None or _ended_without_hands(connection, floor, table, number):
            return None
        found = _StoredHistory(connection, floor, table).recalled(number)
    if found is not None and table.past.holds(found):
        return found
    return _prove_from_all(database, floor, table, number)


def _floor_of(connection: Connection, table: Table, number: int) -> str | None:
    """By this round, or the next that is noted: a table may be older than its notes."""
    query = select(ROUNDS.c.floor).where(ROUNDS.c.table == table.id, ROUNDS.c.number >= number)
    found = connection.execute(query.order_by(ROUNDS.c.number).limit(1)).scalar_one_or_none()
    return None if found is None else str(found)


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
    with suppress(SQLAlchemyError):  # the next who asks goes through all of them again
        store_missing_hashes(database, floor, table.id, rounds[:-1])  # the last may not be kept yet
    at = next((at for at, one in enumerate(rounds) if one.number == number), None)
    return None if at is None else make_round_proof(rounds, at)


class _StoredHistory:
    """The past of a table as it is kept."""

    def __init__(self, connection: Connection, floor: str, table: Table) -> None:
        self._connection, self._table = connection, table
        self._blocks = (PAST_BLOCKS.c.floor == floor, PAST_BLOCKS.c.table == table.id)
        self._hands = (HANDS.c.floor == floor, HANDS.c.table == table.id)

    def recalled(self, number: int) -> RoundProof | None:
        block = self._block_of(number)
        rounds = self._rounds(block)
        at = next((at for at, one in enumerate(rounds) if one.number == number), None)
        if at is None or (place := block * _BLOCK + at) >= self._table.past.rounds:
            return None
        if len(rounds) < min(_BLOCK, self._table.past.rounds - block * _BLOCK):
            return None  # they are not the whole block
        height, rows = peak_height(place, self._table.past.rounds), merkle_rows(rounds)
        low = [rows[level][(at >> level) ^ 1] for level in range(min(height, MIN_HASH_HEIGHT))]
        high = [self._hash(level, (place >> level) ^ 1) for level in range(MIN_HASH_HEIGHT, height)]
        return RoundProof(rounds[at], place, (*low, *high))

    def _block_of(self, number: int) -> int:
        """In which a round is; where it is in none that is complete, the one after them."""
        held = PAST_BLOCKS.c
        query = select(held.place).where(
            *self._blocks, held.height == MIN_HASH_HEIGHT, held.number >= number
        )
        found = self._connection.execute(query.order_by(held.number).limit(1)).scalar_one_or_none()
        return self._table.past.rounds // _BLOCK if found is None else int(found)

    def _rounds(self, block: int) -> list[SettledRound]:
        """The settled rounds of a block; one that is settled and not closed is in no hands yet."""
        after, until = self._last_of(block - 1), self._last_of(block)
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
        rounds = [SettledRound(number, tuple(held)) for number, held in players.items()]
        last = self._table.past.last
        if until is None and last is not None and last.number not in players:
            rounds.append(last)
        return rounds[:_BLOCK]

    def _last_of(self, block: int) -> int | None:
        """The number of its last round; None where it is not complete."""
        held = PAST_BLOCKS.c
        query = select(held.number).where(
            *self._blocks, held.height == MIN_HASH_HEIGHT, held.place == block
        )
        return self._connection.execute(query).scalar_one_or_none()

    def _hash(self, height: int, place: int) -> str:
        held = PAST_BLOCKS.c
        query = select(held.hash).where(*self._blocks, held.height == height, held.place == place)
        return self._connection.execute(query).scalar_one_or_none() or ""
