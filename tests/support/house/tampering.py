"""Tampers with a database by SQL."""

from sqlalchemy import Connection, text

from headsup.house.store.database import Database
from headsup.house.store.triggers import triggers

RECORDS = ("entries", "answers", "wallet_moves", "incidents", "rounds", "rounds_ended", "hands")
CHANGED = (*RECORDS, "takings", "floors", "people")


def without_triggers(database: Database) -> None:
    with database.engine.begin() as connection:
        for name in RECORDS:
            if database.is_alone:
                for act in ("update", "delete"):
                    connection.execute(text(f"DROP TRIGGER {name}_no_{act}"))
            else:
                connection.execute(text(f"DROP TRIGGER {name}_kept ON {name}"))


def put_back_triggers(connection: Connection) -> None:
    """As somebody would who wants to hide what they did."""
    dialect = connection.dialect.name
    catalogue = (
        "SELECT name FROM sqlite_master"
        if dialect == "sqlite"
        else ("SELECT tgname FROM pg_trigger")
    )
    there = set(connection.execute(text(catalogue)).scalars())
    for trigger in triggers(dialect):
        if trigger.name not in there:
            connection.execute(text(trigger.statement))


class Changing:
    """Changes rows of a table, and restores them afterwards."""

    def __init__(self, database: Database, *statements: str) -> None:
        self._database, self._statements = database, statements
        self._before: dict[str, list[dict[str, object]]] = {}

    def __enter__(self) -> None:
        with self._database.engine.begin() as connection:
            for table in CHANGED:
                rows = connection.execute(text(f"SELECT * FROM {table}"))
                self._before[table] = [dict(row._mapping) for row in rows]
            for statement in self._statements:
                assert connection.execute(text(statement)).rowcount == 1, statement

    def __exit__(self, *_: object) -> None:
        with self._database.engine.begin() as connection:
            for table, rows in self._before.items():
                self._put_back(connection, table, rows)

    def _put_back(self, connection: Connection, table: str, rows: list[dict[str, object]]) -> None:
        now = connection.execute(text(f"SELECT * FROM {table}"))
        if sorted(map(str, rows)) == sorted(str(dict(row._mapping)) for row in now):
            return
        connection.execute(text(f"DELETE FROM {table}"))
        names = ", ".join(f'"{name}"' for name in rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), rows)
