"""Notebooks of accounts, in the house's database."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select

from headsup.house.solo.notebook import MAX_LINES
from headsup.house.store.database import Database
from headsup.house.store.schema import MEMORIES


class NotebookTable:
    """`person` is the id of an account."""

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
        with self._database.reading() as connection:
            return list(connection.execute(newest).scalars())[::-1]

    def forget(self, person: str) -> None:
        with self._database.engine.begin() as connection:
            connection.execute(delete(MEMORIES).where(MEMORIES.c.person == person))
