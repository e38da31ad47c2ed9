"""Projections and cash can be read back on every database."""

import asyncio
import json
import threading
import time
from dataclasses import replace

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DataError

from headsup.game.round.commands import PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.views.viewers import parse_viewer
from headsup.house.cash.books import reconcile
from headsup.house.cash.cashier import CashMove, CashRefusal, move_cash
from headsup.house.cash.takings import table_takings
from headsup.house.history.exports import count_closed_entries
from headsup.house.history.recall import replay_round, round_notation
from headsup.house.incidents.system_events import MAX_QUEUED_INCIDENTS, IncidentQueue
from headsup.house.people.accounts import LOG_IN_SECONDS, Accounts
from headsup.house.people.person import AccountRefusal, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.incidents import (
    IncidentQuery,
    find_incidents,
    iterate_incidents,
)
from headsup.house.store.projection_rows import Incident, IncidentKind, Projection, Taking
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.rounds import RoundQuery, find_rounds, hands_of, locate_round, recent_hands
from headsup.house.store.schema import SESSIONS
from headsup.house.store.wallets import list_moves
from tests.support.house.houses import FLOOR, NOON, all_done, noon, opened, with_wallets
from tests.support.scripted import scripted_commands


async def test_rounds_are_found_by_every_criterion(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, scripted_commands(rounds=2))
        journal = host.journal
    assert [hand.number for hand in recent_hands(database, "P1")] == [3, 2, 1]
    for sought, numbers in (
        (RoundQuery(), [3, 2, 1]),
        (RoundQuery(player="P2", result="fold"), [2, 1]),
        (RoundQuery(irregular=True), [3]),
        (RoundQuery(jackpot=True), []),
        (RoundQuery(table="T1", number=2, since=NOON), [2]),
        (RoundQuery(min_amount=1, limit=1), [2]),
        (RoundQuery(category="royal_flush", before=NOON), []),
    ):
        assert [round.number for round in find_rounds(database, sought)] == numbers, sought
    place = locate_round(database, "T1", 2)
    assert place is not None
    assert len(hands_of(database, place)) == 6
    assert len(replay_round(database, place, parse_viewer("seat 1")).steps) > 20
    assert round_notation(database, place) is not None
    assert database.find_settled_round(FLOOR, "T1", 1) is not None
    assert count_closed_entries(database, FLOOR) == journal.head.count
    with database.read_connection() as connection:
        (taken,) = table_takings(connection)
    assert (taken.rounds, taken.drop) == (3, 600_000)
    assert reconcile(database, {FLOOR: journal}).differences == ()
    (void,) = find_incidents(database, IncidentQuery(IncidentKind.OVERRIDE))
    assert (void.table, void.round) == ("T1", 3)


async def test_a_stake_below_a_dollar_counts_in_the_squares(database: Database) -> None:
    with_wallets(database)
    half_dollars = [
        replace(request, command=PlaceBets(request.command.seat, {Wager.ANTE: 50, Wager.ODDS: 50}))
        if isinstance(request.command, PlaceBets)
        else request
        for request in scripted_commands()
    ]
    async with opened(database) as (_, host):
        await all_done(host, half_dollars)
    with database.read_connection() as connection:
        (taken,) = table_takings(connection)
    ante = taken.wagers[Wager.ANTE]
    assert (ante.hands, ante.handle, ante.squares) == (6, 300, 6 * 50**2)


@pytest.mark.parametrize("stake", [50, 250, 1_000_000_000])
def test_squared_stakes_are_exact_from_cents_to_the_highest(database: Database, stake: int) -> None:
    """A few squares of the highest stake in cents would already not fit into 64 bits."""
    taking = Taking("T1", NOON[:10], Wager.ANTE, 1, stake, stake * stake)
    for _ in range(2):
        with database.engine.begin() as connection:
            write_projections(connection, [(FLOOR, Projection(takings=20 * (taking,)))])
    with database.read_connection() as connection:
        (taken,) = table_takings(connection)
    assert taken.wagers[Wager.ANTE].squares == 40 * stake * stake


async def test_takings_are_kept_by_day_and_add_up(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, scripted_commands())
    day = NOON[:10]
    with database.read_connection() as connection:
        assert table_takings(connection, until=day) == []
        assert table_takings(connection, since=day) == table_takings(connection)


def test_cash_is_moved_once_and_never_below_zero(database: Database) -> None:
    accounts = Accounts(database, lambda _: 1_000.0)
    accounts.create("Ann", Role.PLAYER, None, NOON)
    move = CashMove("cash-0001", "Ann", 500, "", "Sue")
    assert move_cash(database, move, NOON) == 500
    assert move_cash(database, move, NOON) == 500
    out = CashMove("cash-0002", "Ann", -501, "", "Sue")
    assert move_cash(database, out, NOON) is CashRefusal.TOO_LITTLE
    assert (
        move_cash(database, CashMove("cash-0001", "Ann", 5, "", "Sue"), NOON) is CashRefusal.ID_USED
    )
    assert [entry.cents for entry in list_moves(database, "Ann")] == [500]
    (short,) = find_incidents(database, IncidentQuery(IncidentKind.NEGATIVE_BALANCE))
    assert short.who == "Sue"


def test_a_failed_log_in_is_recorded(database: Database) -> None:
    accounts = Accounts(database, lambda _: 1_000.0)
    assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
    (incident,) = find_incidents(database, IncidentQuery(IncidentKind.FAILED_LOG_IN))
    assert incident.at == "1970-01-01T00:16:40.000000Z"


async def test_the_diary_recognises_an_unchanged_program(database: Database) -> None:
    for _ in range(2):
        diary = IncidentQueue(database, "server", noon)
        await diary.check_program()
        await diary.flush()
    assert len(find_incidents(database, IncidentQuery(IncidentKind.CONFIGURATION))) == 1
    assert find_incidents(database, IncidentQuery(IncidentKind.AUTHENTICATION_MISMATCH)) == []


async def test_an_incident_is_recorded_once_whichever_server_reports_it(
    database: Database,
) -> None:
    diary = IncidentQueue(database, "server", noon)
    diary.add(IncidentKind.UNAVAILABLE, {"why": "first"})
    writing = [asyncio.create_task(diary.flush()) for _ in range(3)]
    await asyncio.sleep(0)
    diary.add(IncidentKind.UNAVAILABLE, {"why": "told meanwhile"})
    await asyncio.gather(*writing)
    await diary.flush()
    incidents = find_incidents(database, IncidentQuery(IncidentKind.UNAVAILABLE))
    assert [json.loads(incident.what)["why"] for incident in incidents] == [
        "told meanwhile",
        "first",
    ]


async def test_incidents_beyond_the_queue_are_counted_and_the_count_is_an_incident(
    database: Database,
) -> None:
    queue = IncidentQueue(database, "server", noon)
    for _ in range(MAX_QUEUED_INCIDENTS + 7):
        queue.add(IncidentKind.UNAVAILABLE, {"why": "a storm"})
    await queue.flush()
    await queue.flush()
    *storm, last = iterate_incidents(database)
    assert (len(storm), last.kind) == (MAX_QUEUED_INCIDENTS, IncidentKind.DATA_LOSS)
    what = json.loads(last.what)
    assert what == {"act": "events_dropped", "events": 7, "server": "server"}


async def test_an_incident_is_written_once_when_the_server_stops_meanwhile(
    database: Database,
) -> None:
    queue = IncidentQueue(database, "one", lambda: NOON)
    started, go_on, write = threading.Event(), threading.Event(), queue._write

    def slowly(batch: tuple[tuple[str, Incident], ...]) -> None:
        started.set()
        assert go_on.wait(60)
        write(batch)

    queue._write = slowly  # type: ignore[method-assign]
    queue.add(IncidentKind.UNAVAILABLE, {"why": "a test"})
    flushing = asyncio.create_task(queue.flush())
    await asyncio.to_thread(started.wait, 60)
    flushing.cancel()
    await asyncio.wait([flushing])
    go_on.set()
    await queue.flush()
    async with asyncio.timeout(60):
        while not (found := find_incidents(database, IncidentQuery(IncidentKind.UNAVAILABLE))):
            await asyncio.sleep(0.01)
    assert len(found) == 1


def test_a_zero_byte_is_refused_as_bad_input(database: Database) -> None:
    """SQLite finds nothing; PostgreSQL's error is answered as a bad request."""
    if database.is_alone:
        assert recent_hands(database, "\0") == []
    else:
        with pytest.raises(DataError):
            recent_hands(database, "\0")


def test_attempts_that_no_password_can_make_good_are_recorded_once_a_minute(
    database: Database,
) -> None:
    """Anybody can make any number of them; each record is an entry of the house's log."""
    now = 1_000.0
    accounts = Accounts(database, lambda _: now)
    ann = accounts.create("Ann", Role.PLAYER, "correct horse battery", NOON)
    assert isinstance(ann, Person)
    accounts.deactivate(ann.id, "Ada")
    for seconds in (0.0, 1.0, 59.0, 60.0, 61.0):
        now = 1_000.0 + seconds
        assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
        assert accounts.verify_password("Ann", "a password") is AccountRefusal.LOCKED
    found = find_incidents(database, IncidentQuery(IncidentKind.FAILED_LOG_IN))
    assert [(one.who, json.loads(one.what)) for one in reversed(found)] == [
        ("", {"why": "unknown name"}),
        ("Ann", {"why": "locked"}),
        ("", {"why": "unknown name", "before": 2}),
        ("Ann", {"why": "locked", "before": 2}),
    ]


def test_log_ins_last_by_the_databases_clock(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One server whose clock is wrong ends no log-in of the house, and begins none that lasts."""
    created = Accounts(database).create("Ann", Role.PLAYER, None, NOON)
    assert isinstance(created, Person)
    token = Accounts(database).log_in_as(created).token
    for wrong in (-10 * LOG_IN_SECONDS, 10 * LOG_IN_SECONDS):
        now = time.time() + wrong
        with monkeypatch.context() as patched:
            patched.setattr(time, "time", lambda now=now: now)
            there = Accounts(database)
            assert there.person_for_token(token) == created
            made_there = there.log_in_as(created).token
        assert Accounts(database).person_for_token(made_there) == created
        with database.read_connection() as connection:
            ends = connection.execute(select(SESSIONS.c.expires)).scalars().all()
        assert all(abs(end - time.time() - LOG_IN_SECONDS) < 60 for end in ends)
    with database.engine.begin() as connection:
        connection.execute(update(SESSIONS).values(expires=int(time.time()) - 10))
    assert Accounts(database).person_for_token(token) is None
