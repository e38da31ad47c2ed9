"""Stores the training notebooks of accounts in the database."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select

from headsup.house.store.database import Database
from headsup.house.store.schema import MEMORIES
from headsup.house.training.notebook import MAX_LINES


class NotebookTable:
    """The notebooks of all accounts; `person` is an account's id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, person: str, lines: Sequence[str]) -> None:
        if lines:
            with self._database.engine.begin() as connection:
                rows = [{"person": person, "line": line} for line in lines]
                connection.execute(insert(MEMORIES), rows)

    def lines(self, person: str) -> list[str]:
        query = select(MEMORIES.c.line).where(MEMORIES.c.person == person)
        newest = query.order_by(MEMORIES.c.number.desc()).limit(MAX_LINES)
        with self._database.read_connection() as connection:
            return list(connection.execute(newest).scalars())[::-1]

    def forget(self, person: str) -> None:
        with self._database.engine.begin() as connection:
            connection.execute(delete(MEMORIES).where(MEMORIES.c.person == person))
