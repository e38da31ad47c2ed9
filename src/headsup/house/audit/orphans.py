"""What is no floor's: notes of floors that there are none of, for which no log is gone through, and
what is set for the house."""

from collections.abc import Collection, Iterator

from sqlalchemy import func, select

from headsup.game.values.counts import show_count
from headsup.house.audit.thresholds import read_threshold_history
from headsup.house.store.database import Database
from headsup.house.store.schema import (
    FLOORS,
    HANDS,
    INCIDENTS,
    PAST_BLOCKS,
    ROUNDS,
    ROUNDS_ENDED,
    TAKINGS,
)

_NAMES = {
    ROUNDS: ("beginning of a round", "beginnings of rounds"),
    ROUNDS_ENDED: ("end of a round", "ends of rounds"),
    HANDS: ("hand", "hands"),
    TAKINGS: ("taking", "takings"),
    PAST_BLOCKS: ("hash of a past", "hashes of pasts"),
    INCIDENTS: ("event of an entry", "events of entries"),
}


def find_orphans(database: Database, known: Collection[str]) -> Iterator[str]:
    """`known` are the floors that were looked at; others may have been opened since."""
    with database.at_one_moment() as connection:
        yield from read_threshold_history(connection).differences
        floors = {*known, *connection.execute(select(FLOORS.c.id)).scalars()}
        for table, names in _NAMES.items():
            query = select(table.c.floor, func.count()).group_by(table.c.floor)
            if table is INCIDENTS:
                query = query.where(table.c.index != 0)
            for floor, count in connection.execute(query.order_by(table.c.floor)):
                if floor not in floors:
                    many = show_count(count, *names)
                    yield f"floor {floor}: {many} there, and there is no such floor"
