"""Writes the house's log: facts that belong to the whole house and to no floor.

Cash at the cage, accounts, and significant events that no decision made are entries of a log like
any floor's: in the same tables, with the same chain, anchors and audit. Its floor name is empty,
and every server appends to it. An entry has an event and no command: `{"at", "by", "events"}`, and
the `id` of a cash move, so that sending it again changes nothing.

A transaction writes its entries at its very end, under a lock on the row with the head of the log.
Nobody who has that lock waits for another, so servers cannot deadlock. A floor's decisions take no
part: their own log covers them.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from headsup.game.record.chain import Head, Json, Link, make_link
from headsup.game.record.journal import Header, header_entry
from headsup.game.values.money import Cents
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.store.projection_rows import (
    AccountState,
    Incident,
    IncidentKind,
    Projection,
    StoredAnswer,
    WalletMove,
)
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.schema import ANSWERS, ENTRIES, FLOORS, PEOPLE, SETTINGS

_WAITING = "facts of this transaction"  # in the connection's info
_LOCK_HEAD = (
    select(FLOORS.c.length, FLOORS.c.hash).where(FLOORS.c.id == HOUSE_LOG).with_for_update()
)

_Fact: TypeAlias = "dict[str, Json]"


# The house's identity.

_IDENTITY = "identity"


def create_identity(connection: Connection) -> None:
    """Give a new house its identity, a random number: it is in every header and every anchor."""
    row = {"name": _IDENTITY, "value": json.dumps(token_hex(8)), "by": "", "at": ""}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(SETTINGS).values(row).on_conflict_do_nothing())


def read_identity(connection: Connection) -> str:
    """The house's identity; empty if the database was never migrated or it was deleted."""
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == _IDENTITY)
    value = connection.execute(query).scalar_one_or_none()
    return "" if value is None else str(json.loads(value))


# Writing.


class CashMoved(NamedTuple):
    """Cents into a wallet, or out of it if negative, and what was in it afterwards."""

    person: str
    cents: Cents
    reason: str
    balance: Cents


class NoHouseLog(RuntimeError):
    """Somebody deleted the row that holds the head of the house's log."""


@contextmanager
def house_transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction in which facts are recorded. They are written, and stand in the log, if the
    transaction is committed."""
    with engine.begin() as connection:
        facts = connection.info[_WAITING] = list[_Fact]()
        try:
            yield connection
        finally:
            del connection.info[_WAITING]
        if facts:
            _append(connection, facts)


def record_cash(connection: Connection, at: str, by: str, event: CashMoved, id: str = "") -> None:
    _record(connection, at, by, {"event": CashMoved.__name__, **event._asdict()}, id)


def find_cash(connection: Connection, id: str) -> tuple[str, CashMoved] | None:
    """Who moved cash under this id, and what; None if nobody did."""
    entry, answer = ENTRIES.c, ANSWERS.c
    is_answer = (entry.floor == answer.floor) & (entry.index == answer.index)
    query = select(entry.entry).join_from(ANSWERS, ENTRIES, is_answer)
    row = connection.execute(query.where(answer.floor == HOUSE_LOG, answer.command == id))
    if (text := row.scalar_one_or_none()) is None:
        return None
    fact = json.loads(text)
    (event,) = fact["events"]
    return fact["by"], CashMoved(*(event[name] for name in CashMoved._fields))


def record_event(connection: Connection, incident: Incident, floor: str = "") -> None:
    """Record a significant event, about this floor if any."""
    event: _Fact = {"event": "Observed", "kind": incident.kind.value, "what": incident.what}
    _record(
        connection, incident.at, incident.who, {**event, "floor": floor, "table": incident.table}
    )


def record_account(connection: Connection, at: str, by: str, person: str) -> None:
    """Record what the account is now, without its password."""
    query = select(PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.locked, PEOPLE.c.created_at)
    row = connection.execute(query.where(PEOPLE.c.id == person)).one()
    event: _Fact = {"event": "AccountSet", "person": person, "name": row.name, "role": row.role}
    _record(connection, at, by, {**event, "locked": row.locked, "created_at": row.created_at})


def _record(connection: Connection, at: str, by: str, event: _Fact, id: str = "") -> None:
    fact: _Fact = {"at": at, "by": by, "events": [event]}
    connection.info[_WAITING].append(fact | ({"id": id} if id else {}))


def _append(connection: Connection, facts: list[_Fact]) -> None:
    row = connection.execute(_LOCK_HEAD).one_or_none()
    if row is None:
        raise NoHouseLog("the head of the house's log is missing")
    head, links = Head(row.length, row.hash), list[Link]()
    header: _Fact = {**header_entry(Header(HOUSE_LOG, read_identity(connection)))}
    for fact in facts if head.count else [header, *facts]:
        links.append(make_link(head, fact))
        head = links[-1].head
    entries = [
        {"floor": HOUSE_LOG, "index": link.index, "hash": link.hash, "entry": link.text}
        for link in links
    ]
    connection.execute(insert(ENTRIES), entries)
    moved = update(FLOORS).where(FLOORS.c.id == HOUSE_LOG)
    connection.execute(moved.values(length=head.count, hash=head.hash))
    projections = (project_fact(link.index, link.entry) for link in links if link.index)
    write_projections(connection, [(HOUSE_LOG, projection) for projection in projections])


def project_fact(index: int, entry: Any) -> Projection:
    """The rows that an entry of the house's log leads to; raises for one that is unreadable."""
    at, by, (event,) = entry["at"], entry["by"], entry["events"]
    match event["event"]:
        case "CashMoved":
            person, cents, reason = event["person"], event["cents"], event["reason"]
            move = WalletMove(person, cents, reason, at, "", index, by=by)
            answers = (StoredAnswer(entry["id"], index),) if "id" in entry else ()
            return Projection(moves=(move,), answers=answers)
        case "Observed":
            kind, what, table = IncidentKind(event["kind"]), event["what"], event["table"]
            incident = Incident(kind, at, by, what, table, index=index, floor=event["floor"])
            return Projection(incidents=(incident,))
        case "AccountSet":
            names = ("person", "name", "role", "locked", "created_at")
            return Projection(accounts=(AccountState(*(event[name] for name in names)),))
        case other:
            raise ValueError(f"unknown event {other}")


def last_entry_difference(connection: Connection) -> str:
    """What is wrong with the end of the house's log, or "". Compares only its last entry and its
    head."""
    head = connection.execute(
        select(FLOORS.c.length, FLOORS.c.hash).where(FLOORS.c.id == HOUSE_LOG)
    ).one_or_none()
    row = ENTRIES.c
    newest = select(row.index, row.hash).where(row.floor == HOUSE_LOG).order_by(row.index.desc())
    last = connection.execute(newest.limit(1)).one_or_none()
    found = Head() if last is None else Head(last[0] + 1, last[1])
    if head is not None and Head(head[0], head[1]) == found:
        return ""
    return "the house's log does not end where its head says"
