"""A house and a demonstration are never in one database, whoever comes first and however."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from headsup.game.refusal import Refused
from headsup.house.integrity.database_kind import PLAY_MONEY_REASON, ensure_database_kind
from headsup.house.people.accounts import Accounts, Person, Role
from headsup.house.people.demo_staff import ensure_demo_approver
from headsup.house.store.database import Database

NO_DEMO = "there: a house is kept there"
NO_HOUSE = "there: a demonstration with play money is kept there: serve it with --demo"


def kept(database: Database, demo: bool) -> str:
    """What is said to who starts there; nothing where it starts."""
    try:
        ensure_database_kind(database, demo, "there", "now")
    except Refused as told:
        return str(told)
    return ""


def person(accounts: Accounts, name: str, role: Role) -> Person:
    made = accounts.create(name, role, None, "now")
    assert isinstance(made, Person)
    return made


def test_a_house_nobody_works_in_yet_is_no_place_for_a_demonstration(database: Database) -> None:
    assert kept(database, demo=False) == ""
    assert Accounts(database, time.time).first_invitation()  # which nobody has used yet
    assert kept(database, demo=True).startswith(NO_DEMO)
    assert kept(database, demo=False) == ""


def test_what_holds_nobody_and_nothing_is_new_once(database: Database) -> None:
    assert ensure_database_kind(database, False, "there", "now")
    assert not ensure_database_kind(database, False, "there", "now")


@pytest.mark.parametrize("there", ["a floor", "somebody"])
def test_a_database_of_before_there_were_marks_is_not_new(database: Database, there: str) -> None:
    if there == "a floor":
        database.open_floor("F")
    else:
        person(Accounts(database, time.time), "Ann", Role.PLAYER)
    assert not ensure_database_kind(database, False, "there", "now")


def test_no_house_opens_a_demonstration_whoever_a_visitor_made(database: Database) -> None:
    assert kept(database, demo=True) == ""
    person(Accounts(database, time.time), "Joe", Role.SUPERVISOR)
    assert kept(database, demo=False).startswith(NO_HOUSE)
    assert kept(database, demo=True) == ""


def test_of_two_who_start_at_once_one_is_refused_unless_they_are_alike(database: Database) -> None:
    together = Barrier(8)

    def start(demo: bool) -> str:
        together.wait(30)
        return kept(database, demo)

    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(start, [False, True] * 4))
    houses, demos = set(said[0::2]), set(said[1::2])
    assert len(houses) == len(demos) == 1
    assert (houses == {""}) != (demos == {""})


def test_play_money_of_before_there_were_marks_is_no_houses(database: Database) -> None:
    accounts = Accounts(database, time.time)
    guest = person(accounts, "Guest 1", Role.PLAYER)
    assert accounts.deposit(guest, 100_000, PLAY_MONEY_REASON, "now")
    assert kept(database, demo=False).startswith(NO_HOUSE)
    person(accounts, "Joe", Role.SUPERVISOR)  # it is marked now: staff make it no house
    assert kept(database, demo=False).startswith(NO_HOUSE)
    assert kept(database, demo=True) == ""


def test_staff_of_before_there_were_marks_are_a_houses(database: Database) -> None:
    accounts = Accounts(database, time.time)
    person(accounts, "Sue", Role.SUPERVISOR)
    assert accounts.deposit(person(accounts, "Ann", Role.PLAYER), 100_000, "deposit", "now")
    assert kept(database, demo=True).startswith(NO_DEMO)
    assert kept(database, demo=False) == ""


def test_a_demonstration_that_lent_a_second_person_is_one(database: Database) -> None:
    ensure_demo_approver(Accounts(database, time.time), database, "now")
    assert kept(database, demo=False).startswith(NO_HOUSE)
    assert kept(database, demo=True) == ""


@pytest.mark.parametrize("demo", [False, True])
def test_books_in_which_play_money_was_mixed_are_opened_by_neither(
    database: Database, demo: bool
) -> None:
    accounts = Accounts(database, time.time)
    person(accounts, "Sue", Role.SUPERVISOR)
    assert accounts.deposit(
        person(accounts, "Guest 1", Role.PLAYER), 100_000, PLAY_MONEY_REASON, "now"
    )
    said = "there: play money of a demonstration is kept there among the books of a house"
    assert kept(database, demo).startswith(said)
    assert kept(database, not demo).startswith(said)
