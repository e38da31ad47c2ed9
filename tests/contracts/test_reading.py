"""Slow readers of a database read page by page and do not hold up writers."""

import pytest

from headsup.game.record.chain import Head, Link
from headsup.house.store import database as stored
from headsup.house.store import incidents
from headsup.house.store.database import Database
from headsup.house.store.engine import MAX_SHARED_CONNECTIONS
from headsup.house.store.house_log import house_transaction
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.protocol import AppendResult, Lease
from tests.support.house.entries import append_entry, entry, own_floor

NOON = "2026-01-31T12:00:00Z"


def floor_with_entries(database: Database, count: int) -> tuple[Lease, list[Link]]:
    """A floor with `count` entries."""
    lease, head, links = own_floor(database), Head(), []
    for number in range(count):
        links.append(entry(head, f"entry {number}"))
        head = links[-1].head
    assert database.commit([append_entry(lease, Head(), *links)]) == [AppendResult.STORED]
    return lease, links


def connections_in_use(database: Database) -> int:
    """The number of connections in use."""
    return int(database.engine.pool.checkedout())  # type: ignore[attr-defined]


def test_a_log_is_read_page_by_page_and_no_connection_is_held_in_between(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "PAGE", 3)
    lease, links = floor_with_entries(database, 9)
    assert list(database.links("F")) == links
    assert list(database.links("F", 2, 6)) == links[2:6]
    assert list(database.entry_texts("F", 1, 8)) == [(link.hash, link.text) for link in links[1:8]]
    read = database.links("F")
    assert next(read) == links[0]
    assert connections_in_use(database) == 0
    last = links[-1].head
    assert database.commit([append_entry(lease, last, entry(last, "later"))]) == [
        AppendResult.STORED
    ]
    assert list(read) == links[1:]  # up to where it ended when the reading started


def test_significant_events_are_read_page_by_page(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incidents, "MAX_LISTED_INCIDENTS", 3)

    def tell(who: str) -> None:
        with house_transaction(database.engine) as connection:
            incidents.record_incident(connection, IncidentKind.OVERRIDE, who, {}, NOON)

    for number in range(7):
        tell(str(number))
    read = incidents.iterate_incidents(database)
    assert next(read).who == "0"
    assert connections_in_use(database) == 0
    tell("later")
    assert [event.who for event in read] == ["1", "2", "3", "4", "5", "6"]


def test_readers_holding_every_connection_do_not_stop_floor_owners(
    database: Database,
) -> None:
    lease, links = floor_with_entries(database, 2)
    readers = [database.read_connection() for _ in range(MAX_SHARED_CONNECTIONS)]
    head = links[-1].head
    more = entry(head, "more")
    assert database.holds_lease(lease)
    assert database.commit([append_entry(lease, head, more)]) == [AppendResult.STORED]
    assert database.find_entry("F", "unknown") is None
    for reader in readers:
        reader.close()
    assert database.head("F") == more.head
