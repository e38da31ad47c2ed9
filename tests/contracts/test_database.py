"""What every database must do for a floor: store a decision whole or not at all, for its owner."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from headsup.game.record.chain import GENESIS, Head
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.store import engine
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import Projection, StoredAnswer
from headsup.house.store.protocol import AppendResult, Lease, StoreLost
from headsup.house.store.schema import ENTRIES, FLOORS, WALLETS
from tests.support.house.entries import append_entry, entry, own_floor
from tests.support.house.houses import moved
from tests.support.postgres import PostgresServer

MINUTE = 60_000_000


def test_stored_entries_are_read_back_in_order(database: Database) -> None:
    lease, head, links = own_floor(database), Head(), []
    for number in range(5):
        link = entry(head, f"entry {number}")
        assert database.commit([append_entry(lease, head, link)]) == [AppendResult.STORED]
        links.append(link)
        head = link.head
    assert list(database.entry_texts("F")) == [(link.hash, link.text) for link in links]
    assert list(database.entry_texts("F", 3)) == [(link.hash, link.text) for link in links[3:]]
    assert database.head("F") == head


def test_a_floor_begins_empty_and_is_opened_once(database: Database) -> None:
    database.open_floor("F")
    database.open_floor("F")
    assert database.floors() == ["F"]
    assert database.head("F") == Head(0, GENESIS)


def test_only_the_owner_writes(database: Database) -> None:
    lease, link = own_floor(database), entry(Head())
    stranger = Lease("F", "two", lease.fence)
    assert database.commit([append_entry(stranger, Head(), link)]) == [AppendResult.NOT_OWNER]
    assert database.head("F") == Head()


def test_an_owner_declared_dead_can_no_longer_write(database: Database) -> None:
    database.open_floor("F")
    first = database.take_lease("F", "one")
    second = database.take_lease("F", "two")
    assert first is not None
    assert second is not None
    assert second.fence > first.fence
    assert database.commit([append_entry(first, Head(), entry(Head()))]) == [AppendResult.NOT_OWNER]
    assert database.commit([append_entry(second, Head(), entry(Head()))]) == [AppendResult.STORED]


def test_a_lease_is_held_by_its_owner_with_its_fence_alone(database: Database) -> None:
    """After a failover that lost a change of owner, two servers may have the same fence."""
    lease = own_floor(database)
    assert database.holds_lease(lease)
    assert not database.holds_lease(Lease("F", "two", lease.fence))
    assert not database.holds_lease(Lease("F", "one", lease.fence - 1))
    assert not database.holds_lease(Lease("G", "one", lease.fence))


def test_the_end_of_a_log_is_what_its_row_says_and_what_is_stored(database: Database) -> None:
    assert database.log_end("F") is None
    lease = own_floor(database)
    assert database.log_end("F") == (Head(), 0)
    link = entry(Head())
    database.commit([append_entry(lease, Head(), link)])
    assert database.log_end("F") == (link.head, 1)
    with database.engine.begin() as connection:
        connection.execute(update(FLOORS).values(length=3))
    assert database.log_end("F") == (Head(3, link.hash), 1)


def test_entries_are_appended_only_at_the_head(database: Database) -> None:
    lease, first = own_floor(database), entry(Head())
    assert database.commit([append_entry(lease, Head(), first)]) == [AppendResult.STORED]
    assert database.commit([append_entry(lease, Head(), entry(Head(), "other"))]) == [
        AppendResult.NOT_OWNER
    ]
    assert database.head("F") == first.head


def test_a_command_is_answered_once(database: Database) -> None:
    lease, link = own_floor(database), entry(Head())
    answer = Projection(answers=(StoredAnswer("command 1", 0),))
    assert database.commit([append_entry(lease, Head(), link, projections=(answer,))]) == [
        AppendResult.STORED
    ]
    again = append_entry(lease, link.head, entry(link.head), projections=(answer,))
    assert database.commit([again]) == [AppendResult.ANSWERED]
    assert database.head("F") == link.head
    assert database.find_entry("F", "command 1") == link
    assert database.find_entry("F", "command 2") is None


def test_a_duplicate_row_is_not_taken_for_a_repeated_answer(
    database: Database,
) -> None:
    """It is a bug, or somebody tampered: the command does not count as answered."""
    lease, link = own_floor(database), entry(Head())
    with database.engine.begin() as connection:
        there = {"floor": "F", "index": link.index, "hash": link.hash, "entry": "another"}
        connection.execute(insert(ENTRIES), there)
    answer = Projection(answers=(StoredAnswer("command 1", 0),))
    (outcome,) = database.commit([append_entry(lease, Head(), link, projections=(answer,))])
    assert isinstance(outcome, IntegrityError)
    assert database.head("F") == Head()


def test_a_database_lost_before_its_answers_are_read_is_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease, link = own_floor(database), entry(Head())
    answer = Projection(answers=(StoredAnswer("command 1", 0),))
    assert database.commit([append_entry(lease, Head(), link, projections=(answer,))]) == [
        AppendResult.STORED
    ]

    def lost(*_: object) -> None:
        raise OperationalError("SELECT", {}, OSError("gone"))

    monkeypatch.setattr(database, "find_entry", lost)
    again = append_entry(lease, link.head, entry(link.head), projections=(answer,))
    (outcome,) = database.commit([again])
    assert isinstance(outcome, StoreLost)


def test_wallets_move_with_the_entry_and_never_below_zero(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(insert(WALLETS), {"person": "Ann", "cents": 100})
    lease, link = own_floor(database), entry(Head())
    bought_in = append_entry(lease, Head(), link, projections=moved(("Ann", -100, "buy_in")))
    assert database.commit([bought_in]) == [AppendResult.STORED]
    assert database.wallet("Ann") == 0
    projections = moved(("Ann", -1, "buy_in"), index=2)
    short = append_entry(lease, link.head, entry(link.head), projections=projections)
    assert database.commit([short]) == [AppendResult.WALLET_SHORT]
    assert (database.wallet("Ann"), database.head("F")) == (0, link.head)


def test_the_failure_of_one_floor_does_not_affect_others(database: Database) -> None:
    """Floors share a commit: a rejected append leaves no trace, the others are stored."""
    leases = [own_floor(database, floor) for floor in "ABC"]
    stale = Lease("B", "one", leases[1].fence - 1)
    link = entry(Head())
    batch = [append_entry(lease, Head(), link) for lease in (leases[0], stale, leases[2])]
    assert database.commit(batch) == [
        AppendResult.STORED,
        AppendResult.NOT_OWNER,
        AppendResult.STORED,
    ]
    assert [database.head(floor).count for floor in "ABC"] == [1, 0, 1]


async def test_stored_appends_are_confirmed_even_if_others_in_the_commit_fail(
    database: Database,
) -> None:
    leases = [own_floor(database, floor) for floor in "ABCD"]
    leases[1] = Lease("B", "one", leases[1].fence - 1)
    links = [entry(Head()) for _ in leases]
    links[2] = links[2]._replace(text="\ud800")  # no database accepts it
    keeper = GroupCommit(database.commit)
    appends = [append_entry(lease, Head(), link) for lease, link in zip(leases, links, strict=True)]
    outcomes = await asyncio.gather(*map(keeper.commit, appends), return_exceptions=True)
    await keeper.close()
    assert [outcomes[0], outcomes[1], outcomes[3]] == [
        AppendResult.STORED,
        AppendResult.NOT_OWNER,
        AppendResult.STORED,
    ]
    assert isinstance(outcomes[2], UnicodeError)
    assert [database.head(floor).count for floor in "ABCD"] == [1, 0, 0, 1]


def test_of_two_writers_at_one_place_only_one_succeeds(database: Database) -> None:
    lease = own_floor(database)
    batches = [[append_entry(lease, Head(), entry(Head(), f"writer {n}"))] for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        outcomes = [outcome for (outcome,) in threads.map(database.commit, batches)]
    assert Counter(outcomes) == {AppendResult.STORED: 1, AppendResult.NOT_OWNER: 7}
    assert database.head("F").count == 1


@pytest.mark.parametrize("table", ["entries", "answers", "wallet_moves", "incidents"])
@pytest.mark.parametrize("act", ["DELETE FROM {0}", "UPDATE {0} SET floor = 'x'"])
def test_a_record_is_never_changed_or_deleted(database: Database, table: str, act: str) -> None:
    """A3: append-only, even with direct SQL."""
    with database.engine.begin() as connection:
        connection.execute(insert(WALLETS), {"person": "Ann", "cents": 100})
        connection.execute(
            text(
                'INSERT INTO incidents (at, kind, who, place, what, log, floor, "table", round,'
                """ "index", part) VALUES ('', '', '', '', '', '', '', '', 0, 0, 0)"""
            )
        )
    lease = own_floor(database)
    answer = Projection(answers=(StoredAnswer("command 1", 0),))
    projections = (answer, *moved(("Ann", -1, "buy_in")))
    append = append_entry(lease, Head(), entry(Head()), projections=projections)
    assert database.commit([append]) == [AppendResult.STORED]
    column = "who" if table == "incidents" else "floor"
    with pytest.raises(DBAPIError, match="append-only"), database.engine.begin() as connection:
        connection.execute(text(act.format(table).replace("floor", column)))


def test_a_secret_is_created_once_and_shared_by_all_servers(database: Database) -> None:
    made = [bytes([number]) * 32 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        secrets = set(
            pool.map(lambda secret: database.get_or_create_secret("shuffles", lambda: secret), made)
        )
    assert len(secrets) == 1
    assert secrets < set(made)
    assert database.get_or_create_secret("another", lambda: b"x" * 32) == b"x" * 32


def test_an_owner_stopped_in_a_transaction_does_not_block_others(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its locked rows are skipped, and unlocked before its lease has run out."""
    monkeypatch.setattr(engine, "IDLE_MS", 300)
    database = Database(postgres.new_database())
    database.migrate()
    for floor in ("F", "G"):
        database.open_floor(floor)
        assert database.take_lease(floor, "stopped") is not None
    stopped = database.engine.connect()
    stopped.execute(update(FLOORS).where(FLOORS.c.id == "F").values(length=1))
    assert database.take_lease("F", "next") is None
    assert database.take_lease("G", "next") is not None
    with database.read_connection() as other:
        while database.take_lease("F", "next") is None:  # until the database ends its session
            other.execute(text("SELECT pg_sleep(0.05)"))
    with pytest.raises(DBAPIError, match="idle-in-transaction"):
        stopped.execute(text("SELECT 1"))
    stopped.invalidate()
    stopped.close()
    assert database.head("F") == Head()
    database.close()
