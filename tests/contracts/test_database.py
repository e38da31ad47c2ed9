"""What every database must do for a floor: keep all of a decision or none, for its owner alone."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from headsup.game.record.chain import GENESIS, Head, Link
from headsup.game.record.chain import make_link as chained
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.store import engine
from headsup.house.store.database import Database
from headsup.house.store.protocol import (
    Append,
    AppendResult,
    Lease,
    PartialCommit,
    StoredAnswer,
    StoreLost,
    WalletMove,
)
from headsup.house.store.schema import ENTRIES, FLOORS, WALLETS
from tests.postgres import Server

MINUTE = 60_000_000


def owned(database: Database, floor: str = "F", owner: str = "one") -> Lease:
    database.open_floor(floor)
    lease = database.take(floor, owner, MINUTE)
    assert lease is not None
    return lease


def entry(head: Head, what: str = "something") -> Link:
    return chained(head, {"what": what})


def appended(lease: Lease, head: Head, *links: Link, **more: tuple[object, ...]) -> Append:
    return Append(lease, head, links, "2026-01-31T12:00:00Z", **more)  # type: ignore[arg-type]


def test_what_is_kept_is_read_back_in_order(database: Database) -> None:
    lease, head, links = owned(database), Head(), []
    for number in range(5):
        link = entry(head, f"entry {number}")
        assert database.keep([appended(lease, head, link)]) == [AppendResult.KEPT]
        links.append(link)
        head = link.head
    assert list(database.texts("F")) == [(link.hash, link.text) for link in links]
    assert list(database.texts("F", 3)) == [(link.hash, link.text) for link in links[3:]]
    assert database.head("F") == head


def test_a_floor_begins_empty_and_is_opened_once(database: Database) -> None:
    database.open_floor("F")
    database.open_floor("F")
    assert database.floors() == ["F"]
    assert database.head("F") == Head(0, GENESIS)


def test_only_the_owner_writes(database: Database) -> None:
    lease, link = owned(database), entry(Head())
    assert database.take("F", "two", MINUTE) is None
    stranger = Lease("F", "two", lease.fence)
    assert database.keep([appended(stranger, Head(), link)]) == [AppendResult.NOT_OWNER]
    assert database.head("F") == Head()


def test_an_owner_who_was_taken_for_dead_cannot_write_any_more(database: Database) -> None:
    database.open_floor("F")
    first = database.take("F", "one", -1)
    second = database.take("F", "two", MINUTE)
    assert first is not None
    assert second is not None
    assert second.fence > first.fence
    assert database.renew([first], MINUTE) == []
    assert database.keep([appended(first, Head(), entry(Head()))]) == [AppendResult.NOT_OWNER]
    assert database.keep([appended(second, Head(), entry(Head()))]) == [AppendResult.KEPT]


def test_a_released_floor_is_free_at_once(database: Database) -> None:
    lease = owned(database)
    database.release([lease])
    assert database.take("F", "two", MINUTE) is not None


def test_an_entry_is_appended_only_to_the_head(database: Database) -> None:
    lease, first = owned(database), entry(Head())
    assert database.keep([appended(lease, Head(), first)]) == [AppendResult.KEPT]
    assert database.keep([appended(lease, Head(), entry(Head(), "other"))]) == [
        AppendResult.NOT_OWNER
    ]
    assert database.head("F") == first.head


def test_a_command_is_answered_once(database: Database) -> None:
    lease, link = owned(database), entry(Head())
    answer = StoredAnswer("command 1", "digest", "1")
    assert database.keep([appended(lease, Head(), link, answers=(answer,))]) == [AppendResult.KEPT]
    again = appended(lease, link.head, entry(link.head), answers=(answer,))
    assert database.keep([again]) == [AppendResult.ANSWERED]
    assert database.head("F") == link.head
    assert database.answer("F", "command 1") == answer
    assert database.answer("F", "command 2") is None


def test_a_row_that_is_there_already_is_no_answer_that_was_given_before(
    database: Database,
) -> None:
    """A bug, or another's hand in the database: nobody is told that the command was answered."""
    lease, link = owned(database), entry(Head())
    with database.engine.begin() as connection:
        there = {"floor": "F", "index": link.index, "hash": link.hash, "entry": "another"}
        connection.execute(insert(ENTRIES), there)
    answer = StoredAnswer("command 1", "digest", "1")
    with pytest.raises(PartialCommit) as raised:
        database.keep([appended(lease, Head(), link, answers=(answer,))])
    assert [type(one) for one in raised.value.outcomes] == [IntegrityError]
    assert database.head("F") == Head()


def test_a_database_that_is_lost_before_it_says_what_was_answered_is_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease, link = owned(database), entry(Head())
    answer = StoredAnswer("command 1", "digest", "1")
    assert database.keep([appended(lease, Head(), link, answers=(answer,))]) == [AppendResult.KEPT]

    def lost(*_: object) -> None:
        raise OperationalError("SELECT", {}, OSError("gone"))

    monkeypatch.setattr(database, "answer", lost)
    again = appended(lease, link.head, entry(link.head), answers=(answer,))
    with pytest.raises(PartialCommit) as raised:
        database.keep([again])
    assert [type(one) for one in raised.value.outcomes] == [StoreLost]


def test_wallets_move_with_the_entry_and_never_below_zero(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(insert(WALLETS), {"person": "Ann", "cents": 100})
    lease, link = owned(database), entry(Head())
    moves = (WalletMove("Ann", -100, "buy_in"),)
    assert database.keep([appended(lease, Head(), link, moves=moves)]) == [AppendResult.KEPT]
    assert database.wallet("Ann") == 0
    short = appended(lease, link.head, entry(link.head), moves=(WalletMove("Ann", -1, "buy_in"),))
    assert database.keep([short]) == [AppendResult.WALLET_SHORT]
    assert (database.wallet("Ann"), database.head("F")) == (0, link.head)


def test_one_floors_trouble_is_not_anothers(database: Database) -> None:
    """Floors that share a commit: what cannot be kept leaves no trace, the rest is kept."""
    leases = [owned(database, floor) for floor in "ABC"]
    stale = Lease("B", "one", leases[1].fence - 1)
    link = entry(Head())
    batch = [appended(lease, Head(), link) for lease in (leases[0], stale, leases[2])]
    assert database.keep(batch) == [AppendResult.KEPT, AppendResult.NOT_OWNER, AppendResult.KEPT]
    assert [database.head(floor).count for floor in "ABC"] == [1, 0, 1]


async def test_what_was_kept_is_told_so_though_others_of_its_commit_are_stale_or_raise(
    database: Database,
) -> None:
    leases = [owned(database, floor) for floor in "ABCD"]
    leases[1] = Lease("B", "one", leases[1].fence - 1)
    links = [entry(Head()) for _ in leases]
    links[2] = links[2]._replace(text="\ud800")  # no database takes it
    keeper = GroupCommit(database.keep)
    appends = [appended(lease, Head(), link) for lease, link in zip(leases, links, strict=True)]
    told = await asyncio.gather(*map(keeper.keep, appends), return_exceptions=True)
    await keeper.close()
    assert [told[0], told[1], told[3]] == [
        AppendResult.KEPT,
        AppendResult.NOT_OWNER,
        AppendResult.KEPT,
    ]
    assert isinstance(told[2], UnicodeError)
    assert [database.head(floor).count for floor in "ABCD"] == [1, 0, 0, 1]


def test_of_two_writers_of_one_place_one_is_kept(database: Database) -> None:
    lease = owned(database)
    batches = [[appended(lease, Head(), entry(Head(), f"writer {n}"))] for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        kept = [outcome for (outcome,) in threads.map(database.keep, batches)]
    assert sorted(kept) == [AppendResult.KEPT] + [AppendResult.NOT_OWNER] * 7
    assert database.head("F").count == 1


@pytest.mark.parametrize("table", ["entries", "answers", "wallet_moves", "incidents"])
@pytest.mark.parametrize("act", ["DELETE FROM {0}", "UPDATE {0} SET floor = 'x'"])
def test_a_record_is_never_changed_or_deleted(database: Database, table: str, act: str) -> None:
    """A3: append-only, also for who speaks SQL to the database."""
    with database.engine.begin() as connection:
        connection.execute(insert(WALLETS), {"person": "Ann", "cents": 100})
        connection.execute(
            text("INSERT INTO incidents (at, kind, who, place, what) VALUES ('', '', '', '', '')")
        )
    lease = owned(database)
    answer, move = StoredAnswer("command 1", "digest", "1"), WalletMove("Ann", -1, "buy_in")
    append = appended(lease, Head(), entry(Head()), answers=(answer,), moves=(move,))
    assert database.keep([append]) == [AppendResult.KEPT]
    column = "who" if table == "incidents" else "floor"
    with pytest.raises(DBAPIError, match="append-only"), database.engine.begin() as connection:
        connection.execute(text(act.format(table).replace("floor", column)))


def test_a_secret_is_made_once_and_is_the_same_for_all_servers(database: Database) -> None:
    made = [bytes([number]) * 32 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        given = set(pool.map(lambda one: database.secret("shuffles", lambda: one), made))
    assert len(given) == 1
    assert given < set(made)
    assert database.secret("another", lambda: b"x" * 32) == b"x" * 32


def test_an_owner_that_was_stopped_in_a_transaction_holds_nobody_up(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows are passed over while it holds them, and free before its lease has run out."""
    monkeypatch.setattr(engine, "IDLE_MS", 300)
    database = Database(postgres.new_database())
    database.migrate()
    for floor in ("F", "G"):
        database.open_floor(floor)
        assert database.take(floor, "stopped", -1) is not None
    stopped = database.engine.connect()
    stopped.execute(update(FLOORS).where(FLOORS.c.id == "F").values(length=1))
    assert database.take("F", "next", MINUTE) is None
    assert database.take("G", "next", MINUTE) is not None
    with database.reading() as other:
        while database.take("F", "next", MINUTE) is None:  # until its session is ended
            other.execute(text("SELECT pg_sleep(0.05)"))
    with pytest.raises(DBAPIError, match="idle-in-transaction"):
        stopped.execute(text("SELECT 1"))
    stopped.invalidate()
    stopped.close()
    assert database.head("F") == Head()
    database.close()
