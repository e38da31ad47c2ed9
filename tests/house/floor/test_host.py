"""One host, one floor: what it was asked is answered once, and nothing is told that is not kept."""

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Connection, event, text

from headsup.game.record.chain import Json, canonical_json
from headsup.game.record.command_codec import write_command
from headsup.game.record.journal import format_actor, record_events
from headsup.game.refusal import Code, Refusal
from headsup.game.table.commands import Actor, BuyIn, OpenRound, PlayerAt, Sit
from headsup.game.table.events import PlayerLeft
from headsup.game.values.cards import DECK
from headsup.game.values.money import format_cents
from headsup.house.cash.reconciliation import reconcile
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.floor import group_commit
from headsup.house.floor import request as asked_module
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
)
from headsup.house.house import House
from headsup.house.incidents.significant_events import IncidentQuery, find_incidents
from headsup.house.store.database import Database
from headsup.house.store.engine import UnusableDatabase
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.protocol import Append, AppendResult
from tests.databases import in_a_file
from tests.house.houses import (
    FLOOR,
    NOON,
    all_done,
    logged,
    noon,
    opened,
    started,
    wallets,
    with_wallets,
)
from tests.postgres import running_server
from tests.scripted import CHIPS, evening
from tests.tables import STAFF, opening

NOBODY = cast(Actor, None)  # no command of the protocol is asked by nobody: deciding it is a bug


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = in_a_file(tmp_path / "house.db")
    with_wallets(database)
    yield database
    database.close()


def told(host: FloorHost) -> list[FloorUpdate]:
    seen: list[FloorUpdate] = []
    host.watch(seen.append)
    return seen


async def test_a_command_that_cannot_be_decided_is_its_senders_trouble_alone(
    sqlite: Database,
) -> None:
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        bad = CommandRequest("bad", "T1", NOBODY, OpenRound())
        replies = await asyncio.gather(host.ask(script[1]), host.ask(bad), host.ask(script[2]))
        assert [type(reply) for reply in replies] == [Acceptance, Refusal, Acceptance]
        refused = replies[1]
        assert isinstance(refused, Refusal)
        assert refused.code is Code.FAULT
        await all_done(host, script[3:])


async def test_r25_a_table_that_deals_face_up_from_tomorrow_on_does_not_open_today(
    sqlite: Database,
) -> None:
    async with opened(sqlite) as (_, host):
        tomorrow = opening("washington", face_up=True, face_up_from="2026-02-01")
        refused = await host.ask(CommandRequest("1", "T1", STAFF, tomorrow))
        assert isinstance(refused, Refusal)
        assert refused.code is Code.NEEDS_APPROVAL
        assert "from 2026-02-01 on" in refused.message
        today = opening("washington", face_up=True, face_up_from=NOON[:10])
        assert isinstance(await host.ask(CommandRequest("2", "T1", STAFF, today)), Acceptance)


async def test_who_watches_and_stumbles_does_not_keep_the_others_from_it(sqlite: Database) -> None:
    def stumbles(_: FloorUpdate) -> None:
        raise ValueError("a bug in a watcher")

    script = evening()
    async with opened(sqlite) as (_, host):
        host.watch(stumbles)
        seen = told(host)
        await all_done(host, script)
        assert [one.journal.head.count for one in seen] == list(range(2, len(script) + 2))


async def test_a_command_that_comes_twice_at_once_is_done_once(sqlite: Database) -> None:
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:2])
        replies = await asyncio.gather(*(host.ask(script[2]) for _ in range(5)))
        assert set(replies) == {Acceptance(3)}
        other = CommandRequest(script[2].id, "T1", PlayerAt(1), BuyIn(1, 1))
        reply = await host.ask(other)
        assert isinstance(reply, Refusal)
        assert reply.code is Code.ID_USED
        assert await host.ask(script[2]) == Acceptance(3)
    assert len(logged(sqlite)) == 4
    assert wallets(sqlite)[0] == CHIPS


async def test_one_id_for_two_commands_at_once_is_done_for_the_first(sqlite: Database) -> None:
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:2])
        other = CommandRequest(script[2].id, "T1", PlayerAt(1), BuyIn(1, 1))
        first, second = await asyncio.gather(host.ask(script[2]), host.ask(other))
        assert first == Acceptance(3)
        assert isinstance(second, Refusal)
        assert second.code is Code.ID_USED
        assert await host.ask(script[2]) == first


async def test_what_was_carried_out_long_ago_and_comes_twice_at_once_is_answered_so_both_times(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused now, and known to the store alone: one copy asks it, the other does not."""
    monkeypatch.setattr(asked_module, "MAX_CACHED_ANSWERS", 3)
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        old = script[1]
        done = await host.ask(old)
        await all_done(host, script[2:])
        assert host._answers.recent(old) is None
        twice = await asyncio.gather(host.ask(old), host.ask(old))
        again = await host.ask(old)
        assert isinstance(done, Acceptance)
        assert [*twice, again] == [done] * 3


async def test_what_was_answered_before_a_restart_is_answered_the_same_after_it(
    sqlite: Database,
) -> None:
    """Also where it would be refused by now: the seat is taken, the round is over."""
    script = evening()
    async with opened(sqlite) as (_, host):
        first = [await host.ask(asked) for asked in script]
    before = logged(sqlite), wallets(sqlite)
    for _ in range(2):
        async with opened(sqlite) as (_, host):
            assert [await host.ask(asked) for asked in script] == first
            reply = await host.ask(CommandRequest(script[5].id, "T1", STAFF, OpenRound()))
            assert isinstance(reply, Refusal)
            assert reply.code is Code.ID_USED
    assert (logged(sqlite), wallets(sqlite)) == before


async def test_a_sender_who_has_gone_does_not_stop_the_floor(sqlite: Database) -> None:
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        gone = [asyncio.create_task(host.ask(asked)) for asked in script[1:9]]
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        assert [await host.ask(asked) for asked in script[1:9]] == [
            Acceptance(index) for index in range(2, 10)
        ]


async def test_what_was_accepted_is_finished_before_the_end_and_no_more_is_taken(
    sqlite: Database,
) -> None:
    script = evening()
    async with opened(sqlite) as (house, host):
        waiting = [asyncio.create_task(host.ask(asked)) for asked in script]
        await asyncio.sleep(0)
        await house.stop()
        assert [await task for task in waiting] == [
            Acceptance(index) for index in range(1, len(script) + 1)
        ]
        with pytest.raises(FloorUnavailable):
            await host.ask(CommandRequest("late", "T1", STAFF, OpenRound()))
    assert len(logged(sqlite)) == len(script) + 1


async def test_a_wallet_that_is_short_is_nobody_elses_trouble(sqlite: Database) -> None:
    script = evening()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:4])
        asks = [
            CommandRequest("too much", "T1", PlayerAt(1), BuyIn(1, 10 * CHIPS)),
            CommandRequest("enough", "T1", PlayerAt(2), BuyIn(2, CHIPS)),
            CommandRequest("a seat", "T1", PlayerAt(3), Sit(3, "P3")),
        ]
        short, *others = await asyncio.gather(*(host.ask(asked) for asked in asks))
        assert isinstance(short, Refusal)
        assert short.code is Code.WALLET_SHORT
        assert others == [Acceptance(5), Acceptance(6)]
    (short_of,) = find_incidents(sqlite, IncidentQuery(IncidentKind.NEGATIVE_BALANCE))
    what = {"command": "BuyIn", "player": "P1", "seat": 1, "amount": format_cents(-10 * CHIPS)}
    assert (short_of.who, short_of.table) == ("P1", "T1")
    assert json.loads(short_of.what).items() >= what.items()


# The store.


def no_more_pages(database: Database) -> Any:
    """From the next connection on the disk is full."""

    def full(connection: Any, _: Any) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}").close()

    event.listen(database.keeping, "connect", full)
    database.keeping.dispose()
    return full


async def accepts(host: FloorHost, asked: CommandRequest) -> bool:
    try:
        return isinstance(await host.ask(asked), Acceptance)
    except FloorUnavailable:
        return False


async def test_a_full_disk_halts_the_floor_until_there_is_room(sqlite: Database) -> None:
    """Nothing is told of what was not kept; then it goes on exactly where it was."""
    script = evening()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:3])
        seen = told(host)
        full = no_more_pages(sqlite)
        done = 3
        while await accepts(host, script[done]):
            done += 1
        assert done < len(script)
        assert [one.journal.head.count - 2 for one in seen] == list(range(3, done))
        assert sqlite.head(FLOOR) == host.journal.head
        event.remove(sqlite.keeping, "connect", full)
        sqlite.keeping.dispose()
        await house.tend()
        await all_done(host, script[done:])
    assert len(logged(sqlite)) == len(script) + 1


async def test_a_lost_database_is_waited_for_and_the_floor_goes_on() -> None:
    """PostgreSQL is stopped in the middle of a round and started again."""
    script = evening()
    with running_server() as server:
        database = Database(server.new_database())
        database.migrate()
        with_wallets(database)
        async with opened(database) as (_, host):
            await all_done(host, script[:30])
            server.stop()
            waiting = [host.ask(asked) for asked in script[30:33]]
            lost = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(error) for error in lost] == [FloorUnavailable] * 3
            server.start()
            assert await asyncio.wait_for(host.back(), 30)
            await all_done(host, script[30:])
        assert len(logged(database)) == len(script) + 1
        database.close()


async def test_a_commit_that_comes_through_after_all_is_found_in_the_log(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store was silent for too long: the floor halts, nothing is told, and nobody waits."""
    script, answers = evening(), threading.Event()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:5])
        seen = told(host)
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 0.2)
        event.listen(sqlite.keeping, "commit", lambda _: answers.wait(60), once=True)
        with pytest.raises(FloorUnavailable):
            await host.ask(script[5])
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 60)
        assert seen == []
        answers.set()
        await house.tend()
        assert [one.journal.head.count for one in seen] == [7]
        assert await host.ask(script[5]) == Acceptance(6)
        await all_done(host, script[6:])
    assert len(logged(sqlite)) == len(script) + 1


async def test_a_commit_that_is_begun_too_late_is_kept_out(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floor was taken again meanwhile, and what was asked is carried out once."""
    with_wallets(database)
    script, keep, late = evening(), database.keep, list[AppendResult]()
    answers, done = threading.Event(), threading.Event()

    def silent(appends: Sequence[Append]) -> list[AppendResult]:
        monkeypatch.setattr(host._keeper, "_keep", keep)
        answers.wait(60)
        late.extend(keep(appends))
        done.set()
        return late

    async with opened(database) as (house, host):
        await all_done(host, script[:5])
        monkeypatch.setattr(host._keeper, "_keep", silent)
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 0.2)
        with pytest.raises(FloorUnavailable):
            await host.ask(script[5])
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 60)
        await house.tend()
        assert await host.ask(script[5]) == Acceptance(6)
        answers.set()
        assert await asyncio.to_thread(done.wait, 60)
        assert late == [AppendResult.NOT_OWNER]
        await all_done(host, script[6:])
    assert len(logged(database)) == len(script) + 1


async def test_a_commit_whose_answer_was_lost_is_found_in_the_log(sqlite: Database) -> None:
    """The connection broke after the commit: the floor goes on behind it, and who watches hears of
    it; the command sent again is answered and not done twice."""
    script = evening()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:5])
        seen = told(host)

        @event.listens_for(sqlite.keeping, "commit", once=True)
        def gone(connection: Connection) -> None:
            connection.exec_driver_sql("COMMIT")
            raise OSError("the connection is gone")

        with pytest.raises(FloorUnavailable):
            await host.ask(script[5])
        assert seen == []
        await house.tend()
        assert [one.journal.head.count for one in seen] == [7]
        assert await host.ask(script[5]) == Acceptance(6)
        await all_done(host, script[6:])
    assert len(logged(sqlite)) == len(script) + 1


async def test_an_automatic_dealer_deals_on_when_the_floor_is_back(sqlite: Database) -> None:
    script = evening()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:3])
        rounds: asyncio.Queue[int] = asyncio.Queue()
        host.watch(lambda news: rounds.put_nowait(news.journal.floor.tables["T1"].rounds))
        host.lose("the store is gone")
        dealer = AutomaticDealer(host, "T1", lambda _: tuple(DECK), Timings(open=0.01))
        await house.tend()
        assert await asyncio.wait_for(rounds.get(), 60) == 1
        await dealer.stop()


# Owners.


async def test_a_host_that_lost_its_floor_tells_nobody_and_follows_when_it_has_it_again(
    database: Database,
) -> None:
    with_wallets(database)
    script = evening()
    async with opened(database, alone=False) as (house, host):
        await all_done(host, script[:3])
        seen = told(host)
        taken = database.take(FLOOR, "two", 60_000_000, force=True)
        assert taken is not None
        with pytest.raises(FloorUnavailable):
            await host.ask(script[3])
        await house.tend()
        with pytest.raises(FloorUnavailable):
            await host.ask(script[3])
        journal, links = record_events(host.journal, NOON, "T1", PlayerAt(1), (PlayerLeft(1),))
        assert database.keep([Append(taken, host.journal.head, links, NOON)]) == [AppendResult.KEPT]
        assert seen == []
        database.release([taken])
        await house.tend()
        assert host.journal == journal
        assert [one.events for one in seen] == [(PlayerLeft(1),)]
        assert isinstance(await host.ask(script[3]), Acceptance)


async def test_a_lease_that_was_lost_is_noticed_without_a_command(database: Database) -> None:
    async with opened(database, alone=False) as (house, host):
        database.take(FLOOR, "two", 60_000_000, force=True)
        await house.tend()
        assert host.lost


async def test_the_floors_of_a_dead_server_are_taken_over(database: Database) -> None:
    with_wallets(database)
    script = evening()
    dead = House(database, "dead", noon, alone=False)
    await dead.start()
    host = await dead.open_floor(FLOOR)
    assert host is not None
    await all_done(host, script[:20])
    async with started(database, alone=False) as house:
        mine = house.host_of("T1")
        assert mine is not None
        assert mine.lost  # and followed
        assert mine.journal == host.journal
        database.renew([host.lease], -1)  # as if its time had run out
        await house.tend()
        assert not mine.lost
        await all_done(mine, script[20:])
        with pytest.raises(FloorUnavailable):
            await host.ask(script[20])
    await dead.stop()


async def test_a_broken_log_keeps_its_own_floor_shut_and_no_other(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    with_wallets(database)
    script = evening()
    async with opened(database) as (house, host):
        await all_done(host, script[:20])
        other = await house.open_floor("G")
        assert other is not None
        await all_done(other, evening(id="T2")[:1])
    with database.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_update"))
        connection.execute(
            text("UPDATE entries SET entry = replace(entry, 'T12:0', 'T12:1') WHERE floor = 'F'")
        )
    async with started(database) as house:
        assert list(house.hosts) == ["G"]
        await house.tend()
        assert [table.id for table in house.tables()] == ["T2"]
        journals = {floor: host.journal for floor, host in house.hosts.items()}
        books = reconcile(database, journals, house.shut)
        opening, third = script[0], evening(id="T3")[0]
        for floor, asked in (("G", opening), ("H", opening), ("F", opening), ("F", third)):
            with pytest.raises(FloorUnavailable, match="stays shut"):
                await house.open_table(floor, replace(asked, id="once-more"))
        assert isinstance(await house.open_table("G", third), Acceptance)
    (shut,) = books.differences
    assert shut.startswith("floor F: its log does not hold, and ")
    missing = books.paid_in - books.in_wallets - books.on_floors
    assert f"{missing // 100}.00 was bought in there" in shut
    database.close()


async def test_a_file_belongs_to_one_server_at_a_time(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    one, two = Database(address), Database(address)
    async with started(one):
        with pytest.raises(UnusableDatabase):
            await House(two, "two", noon).start()
    one.close()
    async with started(two):
        pass
    two.close()


def test_a_command_is_known_by_the_hash_of_what_is_said_as_canonical_json() -> None:
    for asked in evening():
        said: list[Json] = [asked.table, format_actor(asked.by), write_command(asked.command)]
        assert asked.digest == sha256(canonical_json(said).encode()).hexdigest()


async def test_a8_whoever_is_told_finds_it_kept_already(sqlite: Database, tmp_path: Path) -> None:
    """Another program reads the file at the moment of each telling and each answer."""
    elsewhere = Database(f"sqlite:///{tmp_path / 'house.db'}")
    early: list[int] = []

    def told_now(news: FloorUpdate) -> None:
        if elsewhere.head(FLOOR).count < news.journal.head.count:
            early.append(news.journal.head.count)

    async with opened(sqlite) as (_, host):
        host.watch(told_now)
        for asked in evening():
            outcome = await host.ask(asked)
            assert isinstance(outcome, Acceptance)
            assert elsewhere.head(FLOOR).count == outcome.index + 1
    elsewhere.close()
    assert early == []


async def test_commands_of_all_floors_that_wait_at_the_same_moment_share_one_commit(
    sqlite: Database,
) -> None:
    disk = threading.Event()  # which takes its time
    async with started(sqlite) as house:
        for number in range(10):
            asked = evening(id=f"T{number}")[0]
            assert isinstance(await house.open_table(f"F{number}", asked), Acceptance)
        event.listen(sqlite.keeping, "commit", lambda _: disk.wait(30))
        before = house.keeper.commits
        asking = [asyncio.create_task(house.ask(evening(id=f"T{n}")[1])) for n in range(10)]
        for _ in range(100):  # turns of the loop: everybody has decided
            await asyncio.sleep(0)
        disk.set()
        assert all(isinstance(one, Acceptance) for one in await asyncio.gather(*asking))
        assert house.keeper.commits - before <= 2  # the one under way, and that of all who waited
