"""What is noted beside the log is found again on every database: rounds, takings, cash."""

import asyncio
import json

import pytest
from sqlalchemy.exc import DataError

from headsup.game.views.viewers import parse_viewer
from headsup.house.cash.cashier import CashMove, NotMoved, move_cash, moves_of
from headsup.house.cash.reconciliation import reconcile
from headsup.house.cash.takings import table_takings
from headsup.house.history.exports import closed_until
from headsup.house.history.recall import (
    Sought,
    found_rounds,
    hands_of,
    own_rounds,
    place_of,
    replayed,
    written_round,
)
from headsup.house.history.round_proof import recalled_round
from headsup.house.incidents.significant_events import IncidentsWanted, listed
from headsup.house.incidents.system_events import Diary
from headsup.house.people.accounts import Accounts, NoEntry, Role
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import IncidentKind
from tests.house.houses import FLOOR, NOON, all_done, noon, opened, with_wallets
from tests.scripted import evening


async def test_an_evening_is_found_again(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, evening(rounds=2))
        journal = host.journal
    assert [hand.number for hand in own_rounds(database, "P1")] == [3, 2, 1]
    for sought, numbers in (
        (Sought(), [3, 2, 1]),
        (Sought(player="P2", result="fold"), [2, 1]),
        (Sought(irregular=True), [3]),
        (Sought(jackpot=True), []),
        (Sought(table="T1", number=2, since=NOON), [2]),
        (Sought(least=1, limit=1), [2]),
        (Sought(category="royal_flush", before=NOON), []),
    ):
        assert [found.number for found in found_rounds(database, sought)] == numbers, sought
    place = place_of(database, "T1", 2)
    assert place is not None
    assert len(hands_of(database, place)) == 6
    assert len(replayed(database, place, parse_viewer("seat 1")).steps) > 20
    assert written_round(database, place) is not None
    assert recalled_round(database, journal.floor.tables["T1"], 1) is not None
    assert closed_until(database, FLOOR) == journal.head.count
    with database.reading() as connection:
        (taken,) = table_takings(connection)
    assert (taken.rounds, taken.drop) == (3, 600_000)
    assert reconcile(database, {FLOOR: journal}).differences == ()
    (void,) = listed(database, IncidentsWanted(IncidentKind.OVERRIDE))
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
    assert move_cash(database, out, NOON) is NotMoved.TOO_LITTLE
    assert move_cash(database, CashMove("cash-0001", "Ann", 5, "", "Sue"), NOON) is NotMoved.ID_USED
    assert [entry.cents for entry in moves_of(database, "Ann")] == [500]
    (short,) = listed(database, IncidentsWanted(IncidentKind.NEGATIVE_BALANCE))
    assert short.who == "Sue"


def test_a_failed_log_in_is_kept_though_it_came_to_nothing(database: Database) -> None:
    accounts = Accounts(database, lambda: 1_000.0)
    assert accounts.prove("Nobody", "a password") is NoEntry.WRONG
    (found,) = listed(database, IncidentsWanted(IncidentKind.FAILED_LOG_IN))
    assert found.at == "1970-01-01T00:16:40.000000Z"


async def test_the_diary_knows_the_program_again(database: Database) -> None:
    for _ in range(2):
        diary = Diary(database, "server", noon)
        await diary.check_program()
        await diary.write()
    assert len(listed(database, IncidentsWanted(IncidentKind.CONFIGURATION))) == 1
    assert listed(database, IncidentsWanted(IncidentKind.AUTHENTICATION_MISMATCH)) == []


async def test_what_the_diary_is_told_is_written_once_whoever_has_it_written(
    database: Database,
) -> None:
    diary = Diary(database, "server", noon)
    diary.tell(IncidentKind.UNAVAILABLE, {"why": "first"})
    writing = [asyncio.create_task(diary.write()) for _ in range(3)]
    await asyncio.sleep(0)
    diary.tell(IncidentKind.UNAVAILABLE, {"why": "told meanwhile"})
    await asyncio.gather(*writing)
    await diary.write()
    found = listed(database, IncidentsWanted(IncidentKind.UNAVAILABLE))
    assert [json.loads(one.what)["why"] for one in found] == ["told meanwhile", "first"]


def test_a_zero_byte_is_the_askers_mistake(database: Database) -> None:
    """SQLite finds nothing by it; what PostgreSQL says of it is answered as a bad request."""
    if database.alone:
        assert own_rounds(database, "\0") == []
    else:
        with pytest.raises(DataError):
            own_rounds(database, "\0")
