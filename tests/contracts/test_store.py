"""What every store must do for the log of a floor: all of a decision or none, at its head, by its
owner."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Head, Link, format_link, make_link
from headsup.house.store.protocol import Append, AppendResult, Lease, Store
from tests.logs import recorded

NOON = "2026-01-31T12:00:00Z"
MINUTE = 60_000_000


def owned(store: Store, owner: str = "one") -> Lease:
    lease = store.take("F", owner, MINUTE)
    assert lease is not None
    return lease


def log_of(count: int, after: Head | None = None, what: str = "entry") -> list[Link]:
    links, head = [], after or Head()
    for number in range(count):
        links.append(make_link(head, {what: number}))
        head = links[-1].head
    return links


def keep(store: Store, lease: Lease, after: Head, *links: Link) -> AppendResult:
    (kept,) = store.keep([Append(lease, after, links, NOON)])
    return kept


def texts(links: list[Link]) -> list[tuple[str, str]]:
    return [(link.hash, link.text) for link in links]


def test_a_floor_begins_empty_and_is_opened_once(store: Store) -> None:
    store.open_floor("F")
    assert (store.floors(), store.head("F"), list(store.texts("F"))) == (["F"], Head(), [])


def test_what_is_kept_is_read_back_in_order(store: Store) -> None:
    lease, head, links = owned(store), Head(), log_of(6)
    for part in (links[:1], links[1:4], links[4:]):
        assert keep(store, lease, head, *part) is AppendResult.KEPT
        head = part[-1].head
        assert store.head("F") == head
    assert list(store.texts("F")) == texts(links)
    assert list(store.texts("F", 4)) == texts(links[4:])
    assert list(store.texts("F", 2, 4)) == texts(links[2:4])
    assert list(store.texts("F", 9)) == []


def test_a_real_log_comes_back_as_it_was(store: Store) -> None:
    log = recorded(2, seed=3, books=("galaxy", "new-york"))
    lease, head = owned(store), Head()
    for link in log.links:
        assert keep(store, lease, head, link) is AppendResult.KEPT
        head = link.head
    lines = [
        format_link(Link(index, hash, text)) for index, (hash, text) in enumerate(store.texts("F"))
    ]
    assert lines == log.lines
    assert audit(lines, store.head("F")).holds


def test_an_append_follows_the_head_or_leaves_no_trace(store: Store) -> None:
    lease, first = owned(store), log_of(2)
    assert keep(store, lease, Head(), *first) is AppendResult.KEPT
    again = log_of(1, what="other")
    assert keep(store, lease, Head(), *again) is AppendResult.NOT_OWNER
    longer = log_of(3)
    assert (
        keep(store, lease, longer[-1].head, *log_of(1, longer[-1].head)) is AppendResult.NOT_OWNER
    )
    other_hash = Head(2, "0" * 64)
    assert keep(store, lease, other_hash, *log_of(1, other_hash)) is AppendResult.NOT_OWNER
    assert (store.head("F"), list(store.texts("F"))) == (first[-1].head, texts(first))


def test_only_the_owner_writes(store: Store) -> None:
    lease = owned(store)
    assert store.take("F", "two", MINUTE) is None
    for stranger in (Lease("F", "two", lease.fence), Lease("F", "one", lease.fence - 1)):
        assert keep(store, stranger, Head(), *log_of(1)) is AppendResult.NOT_OWNER
    assert store.head("F") == Head()


def test_a_taken_floor_has_a_greater_fence_and_the_old_owner_is_out(store: Store) -> None:
    first = owned(store)
    second = store.take("F", "two", MINUTE, force=True)
    assert second is not None
    assert second.fence > first.fence
    assert store.renew([first, second], MINUTE) == [second]
    assert keep(store, first, Head(), *log_of(1)) is AppendResult.NOT_OWNER
    assert keep(store, second, Head(), *log_of(1)) is AppendResult.KEPT


def test_a_released_floor_is_free_at_once(store: Store) -> None:
    lease = owned(store)
    store.release([lease])
    assert store.take("F", "two", MINUTE) is not None


def test_of_two_writers_of_one_place_one_is_kept(store: Store) -> None:
    lease = owned(store)
    batches = [[Append(lease, Head(), tuple(log_of(1, what=f"w{n}")), NOON)] for n in range(2)]
    with ThreadPoolExecutor(1) as threads:
        kept = [outcome for (outcome,) in threads.map(store.keep, batches)]
    assert sorted(kept) == [AppendResult.KEPT, AppendResult.NOT_OWNER]
    assert store.head("F").count == 1


def test_a_floor_that_is_not_there_is_empty(store: Store) -> None:
    assert (store.head("G"), list(store.texts("G"))) == (Head(), [])
    assert store.take("G", "one", MINUTE) is None


def test_an_owner_may_take_its_floor_again(store: Store) -> None:
    first = owned(store)
    second = owned(store)
    assert second.fence > first.fence
    assert keep(store, first, Head(), *log_of(1)) is AppendResult.NOT_OWNER


@pytest.mark.parametrize("count", [0, 1, 50])
def test_a_batch_is_kept_whole(store: Store, count: int) -> None:
    links = log_of(count)
    assert keep(store, owned(store), Head(), *links) is AppendResult.KEPT
    assert store.head("F").count == count
