"""Real houses and demonstrations never share a database."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from headsup.game.refusal import Refused
from headsup.house.integrity.database_kind import ensure_database_kind
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database

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
    assert Accounts(database).first_invitation()  # which nobody has used yet
    assert refusal_at_start(database, demo=True).startswith(NO_DEMO)
    assert refusal_at_start(database, demo=False) == ""


def test_an_empty_database_is_new_only_once(database: Database) -> None:
    assert ensure_database_kind(database, False, "there", "now")
    assert not ensure_database_kind(database, False, "there", "now")


def test_no_house_opens_the_database_of_a_demonstration(database: Database) -> None:
    assert refusal_at_start(database, demo=True) == ""
    person(Accounts(database), "Joe", Role.SUPERVISOR)
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
