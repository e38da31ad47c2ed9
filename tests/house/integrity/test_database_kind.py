"""Real houses and demonstrations never share a database."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from headsup.game.refusal import Refused
from headsup.house.integrity.database_kind import PLAY_MONEY_REASON, ensure_database_kind
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.web.demo.house import ensure_demo_approver

NO_DEMO = "there: this database belongs to a house"
NO_HOUSE = "there: this database holds a demonstration's play money: serve it with --demo"


def refusal_at_start(database: Database, demo: bool) -> str:
    """Why a server refuses to start there, "" if it starts."""
    try:
        ensure_database_kind(database, demo, "there", "now")
    except Refused as told:
        return str(told)
    return ""


def person(accounts: Accounts, name: str, role: Role) -> Person:
    made = accounts.create(name, role, None, "now")
    assert isinstance(made, Person)
    return made


def test_a_demonstration_cannot_use_the_database_of_a_new_house(database: Database) -> None:
    assert refusal_at_start(database, demo=False) == ""
    assert Accounts(database, time.time).first_invitation()  # which nobody has used yet
    assert refusal_at_start(database, demo=True).startswith(NO_DEMO)
    assert refusal_at_start(database, demo=False) == ""


def test_an_empty_database_is_new_only_once(database: Database) -> None:
    assert ensure_database_kind(database, False, "there", "now")
    assert not ensure_database_kind(database, False, "there", "now")


@pytest.mark.parametrize("there", ["a floor", "somebody"])
def test_a_database_from_before_marks_is_not_new(database: Database, there: str) -> None:
    if there == "a floor":
        database.open_floor("F")
    else:
        person(Accounts(database, time.time), "Ann", Role.PLAYER)
    assert not ensure_database_kind(database, False, "there", "now")


def test_no_house_opens_the_database_of_a_demonstration(database: Database) -> None:
    assert refusal_at_start(database, demo=True) == ""
    person(Accounts(database, time.time), "Joe", Role.SUPERVISOR)
    assert refusal_at_start(database, demo=False).startswith(NO_HOUSE)
    assert refusal_at_start(database, demo=True) == ""


def test_of_two_different_servers_starting_at_once_one_is_refused(database: Database) -> None:
    together = Barrier(8)

    def start(demo: bool) -> str:
        together.wait(30)
        return refusal_at_start(database, demo)

    with ThreadPoolExecutor(8) as threads:
        messages = list(threads.map(start, [False, True] * 4))
    houses, demos = set(messages[0::2]), set(messages[1::2])
    assert len(houses) == len(demos) == 1
    assert (houses == {""}) != (demos == {""})


def test_play_money_from_before_marks_means_a_demonstration(database: Database) -> None:
    accounts = Accounts(database, time.time)
    guest = person(accounts, "Guest 1", Role.PLAYER)
    assert accounts.deposit(guest, 100_000, PLAY_MONEY_REASON, "now")
    assert refusal_at_start(database, demo=False).startswith(NO_HOUSE)
    person(accounts, "Joe", Role.SUPERVISOR)  # it is marked now: staff make it no house
    assert refusal_at_start(database, demo=False).startswith(NO_HOUSE)
    assert refusal_at_start(database, demo=True) == ""


def test_staff_from_before_marks_mean_a_house(database: Database) -> None:
    accounts = Accounts(database, time.time)
    person(accounts, "Sue", Role.SUPERVISOR)
    assert accounts.deposit(person(accounts, "Ann", Role.PLAYER), 100_000, "deposit", "now")
    assert refusal_at_start(database, demo=True).startswith(NO_DEMO)
    assert refusal_at_start(database, demo=False) == ""


def test_a_demonstration_with_a_borrowed_approver_stays_one(database: Database) -> None:
    ensure_demo_approver(Accounts(database, time.time), database, "now")
    assert refusal_at_start(database, demo=False).startswith(NO_HOUSE)
    assert refusal_at_start(database, demo=True) == ""


@pytest.mark.parametrize("demo", [False, True])
def test_books_mixed_with_play_money_are_opened_by_neither_kind(
    database: Database, demo: bool
) -> None:
    accounts = Accounts(database, time.time)
    person(accounts, "Sue", Role.SUPERVISOR)
    assert accounts.deposit(
        person(accounts, "Guest 1", Role.PLAYER), 100_000, PLAY_MONEY_REASON, "now"
    )
    message = "there: this database mixes a demonstration's play money with the books of a house"
    assert refusal_at_start(database, demo).startswith(message)
    assert refusal_at_start(database, not demo).startswith(message)
