"""What is noted beside the log is found again on every database: rounds, takings, cash."""

import asyncio
import json

import pytest
from sqlalchemy.exc import DataError

from headsup.game.views.viewers import parse_viewer
from headsup.house.cash.cashier import CashMove, CashRefusal, list_moves, move_cash
from headsup.house.cash.reconciliation import reconcile
from headsup.house.cash.takings import table_takings
from headsup.house.history.exports import count_closed_entries
from headsup.house.history.recall import (
    RoundQuery,
    find_rounds,
    hands_of,
    locate_round,
    recent_hands,
    replay_round,
    round_notation,
)
from headsup.house.history.round_proof import prove_round
from headsup.house.incidents.significant_events import IncidentQuery, find_incidents
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.people.accounts import AccountRefusal, Accounts, Role
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import IncidentKind
from tests.house.houses import FLOOR, NOON, all_done, noon, opened, with_wallets
from tests.scripted import evening


async def test_an_evening_is_found_again(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, evening(rounds=2))
        journal = host.journal
    assert [hand.number for hand in recent_hands(database, "P1")] == [3, 2, 1]
    for sought, numbers in (
        (RoundQuery(), [3, 2, 1]),
        (RoundQuery(player="P2", result="fold"), [2, 1]),
        (RoundQuery(irregular=True), [3]),
        (RoundQuery(jackpot=True), []),
        (RoundQuery(table="T1", number=2, since=NOON), [2]),
        (RoundQuery(least=1, limit=1), [2]),
        (RoundQuery(category="royal_flush", before=NOON), []),
    ):
        assert [found.number for found in find_rounds(database, sought)] == numbers, sought
    place = locate_round(database, "T1", 2)
    assert place is not None
    assert len(hands_of(database, place)) == 6
    assert len(replay_round(database, place, parse_viewer("seat 1")).steps) > 20
    assert round_notation(database, place) is not None
    assert prove_round(database, journal.floor.tables["T1"], 1) is not None
    assert count_closed_entries(database, FLOOR) == journal.head.count
    with database.reading() as connection:
        (taken,) = table_takings(connection)
    assert (taken.rounds, taken.drop) == (3, 600_000)
    assert reconcile(database, {FLOOR: journal}).differences == ()
    (void,) = find_incidents(database, IncidentQuery(IncidentKind.OVERRIDE))
    assert (void.table, void.round) == ("T1", 3)


async def test_takings_of_two_days_are_apart_and_add_up(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, evening())
    day = NOON[:10]
    with database.reading() as connection:
        assert table_takings(connection, until=day) == []
        assert table_takings(connection, since=day) == table_takings(connection)


def test_cash_is_moved_once_and_never_below_nothing(database: Database) -> None:
    accounts = Accounts(database, lambda: 1_000.0)
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


def test_a_failed_log_in_is_kept_though_it_came_to_nothing(database: Database) -> None:
    accounts = Accounts(database, lambda: 1_000.0)
    assert accounts.prove("Nobody", "a password") is AccountRefusal.WRONG
    (found,) = find_incidents(database, IncidentQuery(IncidentKind.FAILED_LOG_IN))
    assert found.at == "1970-01-01T00:16:40.000000Z"


async def test_the_diary_knows_the_program_again(database: Database) -> None:
    for _ in range(2):
        diary = IncidentQueue(database, "server", noon)
        await diary.check_program()
        await diary.write()
    assert len(find_incidents(database, IncidentQuery(IncidentKind.CONFIGURATION))) == 1
    assert find_incidents(database, IncidentQuery(IncidentKind.AUTHENTICATION_MISMATCH)) == []


async def test_what_the_diary_is_told_is_written_once_whoever_has_it_written(
    database: Database,
) -> None:
    diary = IncidentQueue(database, "server", noon)
    diary.tell(IncidentKind.UNAVAILABLE, {"why": "first"})
    writing = [asyncio.create_task(diary.write()) for _ in range(3)]
    await asyncio.sleep(0)
    diary.tell(IncidentKind.UNAVAILABLE, {"why": "told meanwhile"})
    await asyncio.gather(*writing)
    await diary.write()
    found = find_incidents(database, IncidentQuery(IncidentKind.UNAVAILABLE))
    assert [json.loads(one.what)["why"] for one in found] == ["told meanwhile", "first"]


def test_a_zero_byte_is_the_askers_mistake(database: Database) -> None:
    """SQLite finds nothing by it; what PostgreSQL says of it is answered as a bad request."""
    if database.alone:
        assert recent_hands(database, "\0") == []
    else:
        with pytest.raises(DataError):
            recent_hands(database, "\0")
