"""The triggers that keep records append-only and add up wallets.

They stop mistakes, and people who may write rows but not change the schema. The migration creates
them; the audit finds any that is missing, altered, switched off or foreign.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, text

_APPEND_ONLY = (
    *("entries", "answers", "wallet_moves", "incidents"),
    *("tables", "rounds", "rounds_ended", "hands", "slips"),
)
_ADD = (
    "INSERT INTO wallet_sums (floor, person, cents) VALUES (NEW.floor, NEW.person, NEW.cents) "
    "ON CONFLICT (floor, person) DO UPDATE SET cents = wallet_sums.cents + excluded.cents"
)
# The events of a trigger, as PostgreSQL stores them.
_BEFORE_CHANGE, _AFTER_INSERT = 2 | 8 | 16 | 32, 1 | 4


@dataclass(frozen=True, slots=True)
class Trigger:
    """One trigger, with all that decides what it does."""

    table: str
    name: str
    statement: str  # that creates it
    function: str = ""  # PostgreSQL: the statement that creates its function, ...
    body: str = ""  # ... and what that does
    events: int = 0


def triggers(dialect: str) -> Iterator[Trigger]:
    """All triggers of a database, in the order in which they are created."""
    for table in _APPEND_ONLY:
        if dialect == "sqlite":
            for act in ("UPDATE", "DELETE"):
                name = f"{table}_no_{act.lower()}"
                does = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                yield Trigger(table, name, f"CREATE TRIGGER {name} BEFORE {act} ON {table} {does}")
        else:
            yield _with_function(
                *(table, f"{table}_kept", f"BEGIN RAISE EXCEPTION '{table} is append-only'; END"),
                *("BEFORE UPDATE OR DELETE OR TRUNCATE", "STATEMENT", _BEFORE_CHANGE),
            )
    table, name = "wallet_moves", "wallet_moves_sum"
    if dialect == "sqlite":
        statement = f"CREATE TRIGGER {name} AFTER INSERT ON {table} BEGIN {_ADD}; END"
        yield Trigger(table, name, statement)
    else:
        body = f"BEGIN {_ADD}; RETURN NULL; END"
        yield _with_function(table, name, body, "AFTER INSERT", "ROW", _AFTER_INSERT)


def _with_function(table: str, name: str, body: str, when: str, each: str, events: int) -> Trigger:
    function = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
    statement = f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {name}()"
    return Trigger(table, name, statement, function, f" {body} ", events)


def trigger_differences(connection: Connection) -> Iterator[str]:
    """Sentences about every trigger that is not as the migration made it."""
    dialect = connection.dialect.name
    expected = {
        (one.table, one.name): _sqlite_row(one) if dialect == "sqlite" else _postgresql_row(one)
        for one in triggers(dialect)
    }
    query = _SQLITE if dialect == "sqlite" else _POSTGRESQL
    found = {(row[0], row[1]): tuple(row[2:]) for row in connection.execute(text(query))}
    for table, name in sorted(expected.keys() | found.keys()):
        there, right = found.get((table, name)), expected.get((table, name))
        if there is None:
            yield f"table {table}: trigger {name} is missing"
        elif right is None:
            yield f"table {table}: trigger {name} is not headsup's"
        elif there != right:
            yield f"table {table}: trigger {name} was altered or switched off"


_SQLITE = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
# Rules rewrite statements, so they count as triggers that are not ours.
_POSTGRESQL = """
SELECT c.relname, t.tgname, t.tgenabled::text, t.tgtype::int, t.tgqual IS NULL,
       t.tgattr::text = '', p.prosrc
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
UNION ALL
SELECT tablename, rulename, '', 0, false, false, definition
FROM pg_rules WHERE schemaname = current_schema()
"""


def _sqlite_row(trigger: Trigger) -> tuple[object, ...]:
    return (trigger.statement,)


def _postgresql_row(trigger: Trigger) -> tuple[object, ...]:
    """Switched on, for these events, of every row and column, with this function."""
    return "O", trigger.events, True, True, trigger.body
