"""Whoever reads a database, however slowly: page by page, and in nobody's way who writes."""

import pytest

from headsup.game.record.chain import Head, Link
from headsup.house.incidents import significant_events
from headsup.house.store import database as stored
from headsup.house.store.database import Database
from headsup.house.store.engine import MAX_SHARED_CONNECTIONS
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.protocol import AppendResult, Lease
from tests.contracts.test_database import MINUTE, appended, entry, owned

NOON = "2026-01-31T12:00:00Z"


def kept(database: Database, count: int) -> tuple[Lease, list[Link]]:
    """A floor with so many entries."""
    lease, head, links = owned(database), Head(), []
    for number in range(count):
        links.append(entry(head, f"entry {number}"))
        head = links[-1].head
    assert database.keep([appended(lease, Head(), *links)]) == [AppendResult.KEPT]
    return lease, links


def held(database: Database) -> int:
    """Connections that somebody has at this moment."""
    return int(database.engine.pool.checkedout())  # type: ignore[attr-defined]


def test_a_log_is_read_page_by_page_and_no_connection_is_held_in_between(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "PAGE", 3)
    lease, links = kept(database, 9)
    assert list(database.links("F")) == links
    assert list(database.links("F", 2, 6)) == links[2:6]
    assert list(database.texts("F", 1, 8)) == [(link.hash, link.text) for link in links[1:8]]
    read = database.links("F")
    assert next(read) == links[0]
    assert held(database) == 0
    last = links[-1].head
    assert database.keep([appended(lease, last, entry(last, "later"))]) == [AppendResult.KEPT]
    assert list(read) == links[1:]  # as far as it went when it was asked for


def test_significant_events_are_read_page_by_page(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(significant_events, "MAX_LISTED_INCIDENTS", 3)

    def tell(who: str) -> None:
        with database.engine.begin() as connection:
            significant_events.record_incident(connection, IncidentKind.OVERRIDE, who, {}, NOON)

    for number in range(7):
        tell(str(number))
    read = significant_events.iterate_incidents(database)
    assert next(read).who == "0"
    assert held(database) == 0
    tell("later")
    assert [one.who for one in read] == ["1", "2", "3", "4", "5", "6"]


def test_readers_who_hold_every_connection_stop_nobody_who_keeps_a_floor(
    database: Database,
) -> None:
    lease, links = kept(database, 2)
    readers = [database.reading() for _ in range(MAX_SHARED_CONNECTIONS)]
    head = links[-1].head
    more = entry(head, "more")
    assert database.renew([lease], MINUTE) == [lease]
    assert database.holds(lease)
    assert database.keep([appended(lease, head, more)]) == [AppendResult.KEPT]
    assert database.answer("F", "unknown") is None
    for reader in readers:
        reader.close()
    assert database.head("F") == more.head
