"""The hashes of tables' pasts that miss since an upgrade, made in the background after a start.

An older server that played beside the newest kept none. Whether any miss is seen by counting; only
then a table's rounds are gone through, one table at a time and beside the commands. Where they are
not noted but in the log alone, which may be long, it is left to the first who has one shown.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import func, select

from headsup.game.record.journal import Journal
from headsup.game.table.round_history import SettledRound
from headsup.game.table.state import Table
from headsup.house.history.past_rounds import history_hashes, past_rounds
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import MIN_HASH_HEIGHT, write_history_hashes
from headsup.house.store.schema import PAST_BLOCKS

MAX_BACKFILL_ROUNDS = 500_000  # of a table that is gone through at a start: seconds of work
PAUSE_SECONDS = 0.2  # between tables


def store_missing_hashes(
    database: Database, floor: str, table: str, rounds: Sequence[SettledRound]
) -> int:
    """Make what is not kept of such a past; how many there were."""
    held = PAST_BLOCKS.c
    query = select(held.height, held.place).where(held.floor == floor, held.table == table)
    with database.reading() as connection:
        kept = {(height, place) for height, place in connection.execute(query)}
    missing = [
        block for block in history_hashes(table, rounds) if (block.height, block.place) not in kept
    ]
    if missing:
        with database.engine.begin() as connection:
            write_history_hashes(connection, [(floor, block) for block in missing])
    return len(missing)


def tables_missing_hashes(database: Database, floor: str, tables: Iterable[Table]) -> list[Table]:
    """Those of a floor of which fewer hashes are kept than their pasts have, by counting alone."""
    held = PAST_BLOCKS.c
    query = (
        select(held.table, func.count().label("kept"))
        .where(held.floor == floor)
        .group_by(held.table)
    )
    with database.reading() as connection:
        kept = {row.table: row.kept for row in connection.execute(query)}
    return [
        table for table in tables if kept.get(table.id, 0) < _expected_hashes(table.past.rounds)
    ]


def _expected_hashes(rounds: int) -> int:
    return sum(rounds >> height for height in range(MIN_HASH_HEIGHT, rounds.bit_length()))


def backfill_table(database: Database, floor: str, table: Table) -> int:
    """Make what misses of one table's past; how many there were. Blocks: for a thread."""
    if table.past.rounds > MAX_BACKFILL_ROUNDS:
        return 0
    rounds = past_rounds(database, floor, (table,), logged=False).get(table.id)
    # The last one may not be kept yet.
    return store_missing_hashes(database, floor, table.id, rounds[:-1]) if rounds else 0


async def backfill_floors(database: Database, journals: Mapping[str, Journal]) -> None:
    """Of all these floors, once; what fails is made when somebody asks for it."""
    for floor, journal in journals.items():
        try:
            tables = tuple(journal.floor.tables.values())
            for table in await asyncio.to_thread(tables_missing_hashes, database, floor, tables):
                made = await asyncio.to_thread(backfill_table, database, floor, table)
                log.info("hashes of a past were made", floor=floor, table=table.id, made=made)
                await asyncio.sleep(PAUSE_SECONDS)
        except Exception as error:
            log.warning("a past was not filled", floor=floor, at=short_traceback(error))
