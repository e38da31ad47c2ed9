"""What every store must do for a floor's log: store a decision whole or not at all, at its head,
for its owner."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Head, Link, format_link, make_link
from headsup.house.store.protocol import Append, AppendResult, Lease, Store
from tests.support.logs import record_rounds

NOON = "2026-01-31T12:00:00Z"


def own_floor(store: Store, owner: str = "one") -> Lease:
    lease = store.take_lease("F", owner)
    assert lease is not None
    return lease


def log_of(count: int, after: Head | None = None, what: str = "entry") -> list[Link]:
    links, head = [], after or Head()
    for number in range(count):
        links.append(make_link(head, {what: number}))
        head = links[-1].head
    return links


def append_all(store: Store, lease: Lease, after: Head, *links: Link) -> AppendResult | Exception:
    (result,) = store.commit([Append(lease, after, links)])
    return result


def texts(links: list[Link]) -> list[tuple[str, str]]:
    return [(link.hash, link.text) for link in links]


def test_a_floor_begins_empty_and_is_opened_once(store: Store) -> None:
    store.open_floor("F")
    assert (store.floors(), store.head("F"), list(store.entry_texts("F"))) == (["F"], Head(), [])


def test_stored_entries_are_read_back_in_order(store: Store) -> None:
    lease, head, links = own_floor(store), Head(), log_of(6)
    for part in (links[:1], links[1:4], links[4:]):
        assert append_all(store, lease, head, *part) is AppendResult.STORED
        head = part[-1].head
        assert store.head("F") == head
    assert list(store.entry_texts("F")) == texts(links)
    assert list(store.entry_texts("F", 4)) == texts(links[4:])
    assert list(store.entry_texts("F", 2, 4)) == texts(links[2:4])
    assert list(store.entry_texts("F", 9)) == []


def test_a_real_log_survives_a_round_trip(store: Store) -> None:
    log = record_rounds(2, seed=3, books=("galaxy", "new-york"))
    lease, head = own_floor(store), Head()
    for link in log.links:
        assert append_all(store, lease, head, link) is AppendResult.STORED
        head = link.head
    lines = [
        format_link(Link(index, hash, text))
        for index, (hash, text) in enumerate(store.entry_texts("F"))
    ]
    assert lines == log.lines
    assert audit(lines, store.head("F")).is_valid


def test_an_append_follows_the_head_or_leaves_no_trace(store: Store) -> None:
    lease, first = own_floor(store), log_of(2)
    assert append_all(store, lease, Head(), *first) is AppendResult.STORED
    again = log_of(1, what="other")
    assert append_all(store, lease, Head(), *again) is AppendResult.NOT_OWNER
    longer = log_of(3)
    assert (
        append_all(store, lease, longer[-1].head, *log_of(1, longer[-1].head))
        is AppendResult.NOT_OWNER
    )
    other_hash = Head(2, "0" * 64)
    assert append_all(store, lease, other_hash, *log_of(1, other_hash)) is AppendResult.NOT_OWNER
    assert (store.head("F"), list(store.entry_texts("F"))) == (first[-1].head, texts(first))


def test_only_the_owner_writes(store: Store) -> None:
    lease = own_floor(store)
    for stranger in (Lease("F", "two", lease.fence), Lease("F", "one", lease.fence - 1)):
        assert append_all(store, stranger, Head(), *log_of(1)) is AppendResult.NOT_OWNER
    assert store.head("F") == Head()


def test_taking_a_floor_raises_its_fence_and_locks_out_the_old_owner(store: Store) -> None:
    first = own_floor(store)
    second = store.take_lease("F", "two")
    assert second is not None
    assert second.fence > first.fence
    assert append_all(store, first, Head(), *log_of(1)) is AppendResult.NOT_OWNER
    assert append_all(store, second, Head(), *log_of(1)) is AppendResult.STORED


def test_of_two_writers_at_one_place_only_one_succeeds(store: Store) -> None:
    lease = own_floor(store)
    batches = [[Append(lease, Head(), tuple(log_of(1, what=f"w{n}")))] for n in range(2)]
    with ThreadPoolExecutor(1) as threads:
        results = [outcome for (outcome,) in threads.map(store.commit, batches)]
    assert Counter(results) == {AppendResult.STORED: 1, AppendResult.NOT_OWNER: 1}
    assert store.head("F").count == 1


def test_a_missing_floor_is_empty(store: Store) -> None:
    assert (store.head("G"), list(store.entry_texts("G"))) == (Head(), [])
    assert store.take_lease("G", "one") is None


def test_an_owner_may_take_its_floor_again(store: Store) -> None:
    first = own_floor(store)
    second = own_floor(store)
    assert second.fence > first.fence
    assert append_all(store, first, Head(), *log_of(1)) is AppendResult.NOT_OWNER


@pytest.mark.parametrize("count", [0, 1, 50])
def test_a_batch_is_stored_completely(store: Store, count: int) -> None:
    links = log_of(count)
    assert append_all(store, own_floor(store), Head(), *links) is AppendResult.STORED
    assert store.head("F").count == count
