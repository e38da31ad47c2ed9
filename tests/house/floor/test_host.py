"""A host carries out each command once, and publishes nothing that is not durable."""

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Connection, event, text

from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Code, Refusal
from headsup.game.table.commands import Actor, PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.cards import DECK
from headsup.game.values.money import format_cents
from headsup.house.cash.books import reconcile
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.floor import group_commit
from headsup.house.floor import request as request_module
from headsup.house.floor.group_commit import Outcome
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorMoved,
    FloorUnavailable,
    FloorUpdate,
)
from headsup.house.house import House
from headsup.house.people.person import Person, Role
from headsup.house.store import servers
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.protocol import Append, AppendResult
from headsup.house.store.sqlite_file import UnusableDatabase
from tests.support.databases import postgres_database, sqlite_database
from tests.support.house.houses import (
    FLOOR,
    NOON,
    all_done,
    decided,
    logged,
    lose_store,
    noon,
    opened,
    started,
    steal,
    wallets,
    with_wallets,
)
from tests.support.postgres import PostgresServer, running_server
from tests.support.scripted import CHIPS, scripted_commands
from tests.support.tables import STAFF, opening

NOBODY = cast(Actor, None)  # the protocol allows no such command: deciding it raises


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Database]:
    database = sqlite_database(tmp_path / "house.db")
    with_wallets(database)
    yield database
    database.close()


def collect_updates(host: FloorHost) -> list[FloorUpdate]:
    seen: list[FloorUpdate] = []
    host.subscribe(seen.append)
    return seen


async def test_a_command_that_crashes_affects_only_its_sender(
    sqlite: Database,
) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        bad = CommandRequest("bad", "T1", NOBODY, OpenRound())
        replies = await asyncio.gather(
            host.submit(script[1]), host.submit(bad), host.submit(script[2])
        )
        assert [type(reply) for reply in replies] == [Acceptance, Refusal, Acceptance]
        refused = replies[1]
        assert isinstance(refused, Refusal)
        assert refused.code is Code.FAULT
        await all_done(host, script[3:])


async def test_r25_a_table_approved_to_deal_face_up_from_tomorrow_does_not_open_today(
    sqlite: Database,
) -> None:
    async with opened(sqlite) as (_, host):
        tomorrow = opening("washington", face_up=True, face_up_from="2026-02-01")
        refused = await host.submit(CommandRequest("1", "T1", STAFF, tomorrow))
        assert isinstance(refused, Refusal)
        assert refused.code is Code.NEEDS_APPROVAL
        assert "from 2026-02-01 on" in refused.message
        today = opening("washington", face_up=True, face_up_from=NOON[:10])
        assert isinstance(await host.submit(CommandRequest("2", "T1", STAFF, today)), Acceptance)


async def test_a_failing_watcher_does_not_keep_updates_from_others(sqlite: Database) -> None:
    def stumbles(_: FloorUpdate) -> None:
        raise ValueError("a bug in a watcher")

    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        host.subscribe(stumbles)
        seen = collect_updates(host)
        await all_done(host, script)
        assert [update.journal.head for update in seen] == [link.head for link in decided(sqlite)]


async def test_a_command_sent_twice_at_once_is_carried_out_once(sqlite: Database) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:2])
        replies = await asyncio.gather(*(host.submit(script[2]) for _ in range(5)))
        assert set(replies) == {Acceptance(3)}
        other = CommandRequest(script[2].id, "T1", PlayerAt(1), BuyIn(1, 1))
        reply = await host.submit(other)
        assert isinstance(reply, Refusal)
        assert reply.code is Code.ID_USED
        assert await host.submit(script[2]) == Acceptance(3)
    assert len(logged(sqlite)) == 4
    assert wallets(sqlite)[0] == CHIPS


async def test_of_two_commands_with_one_id_the_first_is_carried_out(sqlite: Database) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:2])
        other = CommandRequest(script[2].id, "T1", PlayerAt(1), BuyIn(1, 1))
        first, second = await asyncio.gather(host.submit(script[2]), host.submit(other))
        assert first == Acceptance(3)
        assert isinstance(second, Refusal)
        assert second.code is Code.ID_USED
        assert await host.submit(script[2]) == first


async def test_both_copies_of_a_command_carried_out_long_ago_get_its_answer(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be refused now, and only the store knows it: one copy looks there, the other not."""
    monkeypatch.setattr(request_module, "MAX_CACHED_ANSWERS", 3)
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        old = script[1]
        done = await host.submit(old)
        await all_done(host, script[2:])
        assert host._answers.find_cached(old) is None
        twice = await asyncio.gather(host.submit(old), host.submit(old))
        again = await host.submit(old)
        assert isinstance(done, Acceptance)
        assert [*twice, again] == [done] * 3


async def test_a_command_repeated_after_a_restart_gets_the_same_answer(
    sqlite: Database,
) -> None:
    """Even if it would be refused by now, since the seat is taken or the round is over."""
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        first = [await host.submit(request) for request in script]
    before = logged(sqlite), wallets(sqlite)
    for _ in range(2):
        async with opened(sqlite) as (_, host):
            assert [await host.submit(request) for request in script] == first
            reply = await host.submit(CommandRequest(script[5].id, "T1", STAFF, OpenRound()))
            assert isinstance(reply, Refusal)
            assert reply.code is Code.ID_USED
    assert (logged(sqlite), wallets(sqlite)) == before


async def test_a_sender_who_leaves_does_not_stop_the_floor(sqlite: Database) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:1])
        abandoned = [asyncio.create_task(host.submit(request)) for request in script[1:9]]
        await asyncio.sleep(0)
        for task in abandoned:
            task.cancel()
        await asyncio.gather(*abandoned, return_exceptions=True)
        assert [await host.submit(request) for request in script[1:9]] == [
            Acceptance(index) for index in range(2, 10)
        ]


async def test_accepted_commands_are_finished_before_stopping_and_new_ones_refused(
    sqlite: Database,
) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (house, host):
        waiting = [asyncio.create_task(host.submit(request)) for request in script]
        await asyncio.sleep(0)
        await house.stop()
        assert [await task for task in waiting] == [
            Acceptance(index) for index in range(1, len(script) + 1)
        ]
        with pytest.raises(FloorUnavailable):
            await host.submit(CommandRequest("late", "T1", STAFF, OpenRound()))
    assert len(decided(sqlite)) == len(script)


async def test_an_insufficient_wallet_affects_only_its_owner(sqlite: Database) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (_, host):
        await all_done(host, script[:4])
        asks = [
            CommandRequest("too much", "T1", PlayerAt(1), BuyIn(1, 10 * CHIPS)),
            CommandRequest("enough", "T1", PlayerAt(2), BuyIn(2, CHIPS)),
            CommandRequest("a seat", "T1", PlayerAt(3), Sit(3, "P3")),
        ]
        short, *others = await asyncio.gather(*(host.submit(request) for request in asks))
        assert isinstance(short, Refusal)
        assert short.code is Code.WALLET_SHORT
        assert others == [Acceptance(5), Acceptance(6)]
    (short_of,) = find_incidents(sqlite, IncidentQuery(IncidentKind.NEGATIVE_BALANCE))
    what = {"command": "BuyIn", "player": "P1", "seat": 1, "amount": format_cents(-10 * CHIPS)}
    assert (short_of.who, short_of.table) == ("P1", "T1")
    assert json.loads(short_of.what).items() >= what.items()


# The store.


def no_more_pages(database: Database) -> Any:
    """The disk is full from the next connection on."""

    def fill_disk(connection: Any, _: Any) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}").close()

    event.listen(database.floor_engine, "connect", fill_disk)
    database.floor_engine.dispose()
    return fill_disk


async def accepts(host: FloorHost, request: CommandRequest) -> bool:
    try:
        return isinstance(await host.submit(request), Acceptance)
    except FloorUnavailable:
        return False


async def test_a_full_disk_halts_the_floor_until_there_is_room(sqlite: Database) -> None:
    """Nothing that was not stored is published; afterwards the floor goes on where it was."""
    script = scripted_commands()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:3])
        seen = collect_updates(host)
        fill_disk = no_more_pages(sqlite)
        done = 3
        while await accepts(host, script[done]):
            done += 1
        assert done < len(script)
        assert [update.journal.head.count - 2 for update in seen] == list(range(3, done))
        assert sqlite.head(FLOOR) == host.journal.head
        event.remove(sqlite.floor_engine, "connect", fill_disk)
        sqlite.floor_engine.dispose()
        await house.maintain()
        await all_done(host, script[done:])
    assert len(decided(sqlite)) == len(script)


async def test_a_floor_waits_for_a_lost_database_and_goes_on() -> None:
    """PostgreSQL is stopped in the middle of a round and started again."""
    script = scripted_commands()
    with running_server() as server:
        database = Database(server.new_database())
        database.migrate()
        with_wallets(database)
        async with opened(database) as (_, host):
            await all_done(host, script[:30])
            server.stop()
            waiting = [host.submit(request) for request in script[30:33]]
            lost = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(error) for error in lost] == [FloorUnavailable] * 3
            server.start()
            assert await asyncio.wait_for(host.wait_until_open(), 30)
            await all_done(host, script[30:])
        assert len(decided(database)) == len(script)
        database.close()


async def test_a_late_commit_is_found_in_the_log(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is silent for too long: the floor halts, and nothing is published."""
    script, answers = scripted_commands(), threading.Event()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:5])
        seen = collect_updates(host)
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 0.2)
        event.listen(sqlite.floor_engine, "commit", lambda _: answers.wait(60), once=True)
        with pytest.raises(FloorUnavailable):
            await host.submit(script[5])
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 60)
        assert seen == []
        answers.set()
        await house.maintain()
        assert [update.journal.head.count for update in seen] == [7]
        assert await host.submit(script[5]) == Acceptance(6)
        await all_done(host, script[6:])
    assert len(decided(sqlite)) == len(script)


async def test_a_commit_started_too_late_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floor was taken again meanwhile, and the command is carried out once."""
    with_wallets(database)
    script, keep, late = scripted_commands(), database.commit, list[Outcome]()
    answers, done = threading.Event(), threading.Event()

    def silent(appends: Sequence[Append]) -> list[Outcome]:
        monkeypatch.setattr(host._group_commit, "_append", keep)
        answers.wait(60)
        late.extend(keep(appends))
        done.set()
        return late

    async with opened(database) as (house, host):
        await all_done(host, script[:5])
        monkeypatch.setattr(host._group_commit, "_append", silent)
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 0.2)
        with pytest.raises(FloorUnavailable):
            await host.submit(script[5])
        monkeypatch.setattr(group_commit, "COMMIT_TIMEOUT_SECONDS", 60)
        await house.maintain()
        assert await host.submit(script[5]) == Acceptance(6)
        answers.set()
        assert await asyncio.to_thread(done.wait, 60)
        assert late == [AppendResult.NOT_OWNER]
        await all_done(host, script[6:])
    assert len(decided(database)) == len(script)


async def test_a_commit_whose_answer_was_lost_is_found_in_the_log(sqlite: Database) -> None:
    """The connection broke after the commit: the floor resumes after the entry and publishes it.
    The command, sent again, is answered and not carried out twice."""
    script = scripted_commands()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:5])
        seen = collect_updates(host)

        @event.listens_for(sqlite.floor_engine, "commit", once=True)
        def abandoned(connection: Connection) -> None:
            connection.exec_driver_sql("COMMIT")
            raise OSError("the connection is gone")

        with pytest.raises(FloorUnavailable):
            await host.submit(script[5])
        assert seen == []
        await house.maintain()
        assert [update.journal.head.count for update in seen] == [7]
        assert await host.submit(script[5]) == Acceptance(6)
        await all_done(host, script[6:])
    assert len(decided(sqlite)) == len(script)


async def test_an_automatic_dealer_deals_on_when_the_floor_is_back(sqlite: Database) -> None:
    script = scripted_commands()
    async with opened(sqlite) as (house, host):
        await all_done(host, script[:3])
        rounds: asyncio.Queue[int] = asyncio.Queue()
        host.subscribe(lambda update: rounds.put_nowait(update.journal.floor.tables["T1"].rounds))
        lose_store(host)
        dealer = AutomaticDealer(host, "T1", lambda _: tuple(DECK), Timings(open=0.01))
        await house.maintain()
        assert await asyncio.wait_for(rounds.get(), 60) == 1
        await dealer.stop()


# Owners.


async def test_a_server_that_lost_a_floor_leaves_it_and_sends_commands_elsewhere(
    postgres: PostgresServer,
) -> None:
    database = postgres_database(postgres)
    with_wallets(database)
    script = scripted_commands()
    async with opened(database) as (house, host):
        await all_done(host, script[:3])
        seen = collect_updates(host)
        assert servers.join(database, "two", "two", 60_000_000) is None
        steal(database, "two")
        with pytest.raises(FloorMoved):
            await host.submit(script[3])
        assert house.hosts == {}
        with pytest.raises(FloorMoved) as moved:
            await house.submit(script[3])
        assert moved.value.at == "two"
        assert (seen, len(decided(database))) == ([], 3)
    database.close()


async def test_a_lost_lease_is_noticed_without_a_command(postgres: PostgresServer) -> None:
    database = postgres_database(postgres)
    async with opened(database) as (house, host):
        servers.join(database, "two", "two", 60_000_000)
        steal(database, "two")
        await house.maintain()
        assert host.has_ended
        assert house.hosts == {}
    database.close()


async def test_a_broken_log_closes_only_its_own_floor(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    with_wallets(database)
    script = scripted_commands()
    async with opened(database) as (house, host):
        await all_done(host, script[:20])
        other = await house.open_floor("G")
        assert other is not None
        await all_done(other, scripted_commands(id="T2")[:1])
    with database.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER entries_no_update"))
        connection.execute(
            text("UPDATE entries SET entry = replace(entry, 'T12:0', 'T12:1') WHERE floor = 'F'")
        )
    async with started(database) as house:
        assert list(house.hosts) == ["G"]
        await house.maintain()
        assert [table.id for table in house.tables()] == ["T2"]
        journals = {floor: host.journal for floor, host in house.hosts.items()}
        books = reconcile(database, journals, house.broken_floors)
        opening, third = script[0], scripted_commands(id="T3")[0]
        for floor, request in (("G", opening), ("H", opening), ("F", opening), ("F", third)):
            with pytest.raises(FloorUnavailable, match="is broken"):
                await house.open_table(floor, replace(request, id="once-more"))
        assert isinstance(await house.open_table("G", third), Acceptance)
    (shut,) = books.differences
    assert shut.startswith("floor F: its log is broken, and ")
    missing = books.paid_in - books.in_wallets - books.on_floors
    assert f"{missing // 100}.00 was bought in there" in shut
    database.close()


async def test_a_file_belongs_to_one_server_at_a_time(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    first, second = Database(address), Database(address)
    async with started(first):
        with pytest.raises(UnusableDatabase):
            await House(second, "two", noon).start()
    first.close()
    async with started(second):
        pass
    second.close()


def entry_of(request: CommandRequest) -> dict[str, Any]:
    """The fields of its log entry that identify a request."""
    seat = {"seat": request.by.seat} if isinstance(request.by, PlayerAt) else {}
    by = request.by.name if isinstance(request.by, Staff) else "Ann"
    command = write_command(request.command)
    return {"table": request.table, "by": by, "command": command, **seat}


def test_a_request_is_recognised_in_its_entry_by_who_asked_for_what_where() -> None:
    ann = Person("1", "Ann", Role.PLAYER)
    for request in scripted_commands():
        if isinstance(request.by, PlayerAt):
            request = replace(request, person=ann)
        entry = entry_of(request)
        assert request.led_to(entry)
        assert not request.led_to({**entry, "table": "T2"})
        assert not request.led_to({**entry, "by": "Eve"})
        assert not request.led_to({**entry, "seat": 9})
        assert not request.led_to({**entry, "command": {"command": "Fold", "seat": 9}})
        assert not request.led_to({**entry, "typed": "As Kd"})


def test_what_was_typed_or_due_identifies_a_request_instead_of_its_command() -> None:
    """The same text may stand for other cards in the next round."""
    request = replace(scripted_commands()[0], typed_text="As Kd")
    entry = {**entry_of(request), "typed": "As Kd"}
    assert request.led_to({**entry, "command": {"command": "Proceed"}})
    assert not request.led_to({**entry, "typed": "As Kh"})
    assert not request.led_to({**entry, "due": "deal 7"})
    assert not request.led_to(entry_of(request))


async def test_a8_announced_entries_are_already_stored(sqlite: Database, tmp_path: Path) -> None:
    """Another program reads the file at each update and each answer."""
    elsewhere = Database(f"sqlite:///{tmp_path / 'house.db'}")
    early: list[int] = []

    def on_update(update: FloorUpdate) -> None:
        if elsewhere.head(FLOOR).count < update.journal.head.count:
            early.append(update.journal.head.count)

    async with opened(sqlite) as (_, host):
        host.subscribe(on_update)
        for request in scripted_commands():
            outcome = await host.submit(request)
            assert isinstance(outcome, Acceptance)
            assert elsewhere.head(FLOOR).count == outcome.index + 1
    elsewhere.close()
    assert early == []


async def test_commands_waiting_on_all_floors_share_one_commit(
    sqlite: Database,
) -> None:
    disk = threading.Event()  # a slow disk
    async with started(sqlite) as house:
        for number in range(10):
            request = scripted_commands(id=f"T{number}")[0]
            assert isinstance(await house.open_table(f"F{number}", request), Acceptance)
        event.listen(sqlite.floor_engine, "commit", lambda _: disk.wait(30))
        before = house.group_commit.commits
        asking = [
            asyncio.create_task(house.submit(scripted_commands(id=f"T{n}")[1])) for n in range(10)
        ]
        for _ in range(100):  # turns of the loop, until every floor has decided
            await asyncio.sleep(0)
        disk.set()
        assert all(isinstance(update, Acceptance) for update in await asyncio.gather(*asking))
        assert (
            house.group_commit.commits - before <= 2
        )  # the one under way, and one for all that waited
