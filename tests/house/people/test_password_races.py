"""Passwords that change while one is compared: what is stored at the end decides."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headsup.house.people.accounts import AccountRefusal, Accounts, LogIn, Person, Role
from headsup.house.people.passwords import HashFunctions, hash_password, verify_password
from headsup.house.store.database import Database
from tests.postgres import running_server

OLD, NEW, OTHER = "the old password", "the new password", "yet another one"
Meanwhile = Callable[[], object]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        found = Database(f"sqlite:///{tmp_path / 'house.db'}")
        found.migrate()
        yield found
        found.close()
        return
    with running_server() as server:
        found = Database(server.new_database())
        found.migrate()
        yield found
        found.close()


class House:
    """Dee's account, and a way to do something while a password of hers is worked on."""

    def __init__(self, database: Database) -> None:
        self.database, self.accounts = database, Accounts(database, lambda: 1_000.0)
        made = self.accounts.create("Dee", Role.DEALER, OLD, "")
        assert isinstance(made, Person)
        self.dee = made

    def slow(self, meanwhile: Meanwhile) -> Accounts:
        """The same accounts, to which this happens between Argon2 and the answer."""

        def compared(known: str, password: str) -> bool:
            right = verify_password(known, password)
            meanwhile()
            return right

        def hashed(password: str) -> str:
            meanwhile()
            return hash_password(password)

        return Accounts(self.database, lambda: 1_000.0, HashFunctions(hashed, compared))

    def comes_in(self, password: str) -> bool:
        return isinstance(self.accounts.log_in("Dee", password), LogIn)


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


def test_a_log_in_that_began_before_a_new_link_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.invite(house.dee, "Ada"))
    assert slow.log_in("Dee", OLD) is AccountRefusal.WRONG
    assert slow.prove("Dee", OLD) is AccountRefusal.WRONG


def test_a_log_in_that_began_before_the_password_changed_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.change_password(house.dee, OLD, NEW))
    assert slow.log_in("Dee", OLD) is AccountRefusal.WRONG
    assert house.comes_in(NEW)


def test_a_log_in_before_either_ends_with_it(house: House) -> None:
    for password, end in (
        (OLD, lambda: house.accounts.change_password(house.dee, OLD, NEW)),
        (NEW, lambda: house.accounts.invite(house.dee, "Ada")),
    ):
        entered = house.accounts.log_in("Dee", password)
        assert isinstance(entered, LogIn)
        end()
        assert house.accounts.who(entered.token) is None


def test_a_log_in_that_began_before_the_lock_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.deactivate(house.dee.id, "Ada"))
    assert slow.log_in("Dee", OLD) is AccountRefusal.LOCKED


def test_a_change_that_began_before_a_new_link_leaves_the_link_good(house: House) -> None:
    links: list[str] = []

    def invited_once() -> None:
        if not links:
            links.append(house.accounts.invite(house.dee, "Ada"))

    assert house.slow(invited_once).change_password(house.dee, OLD, NEW) is AccountRefusal.WRONG
    assert not house.comes_in(NEW)
    assert isinstance(house.accounts.accept(links[0], OTHER), LogIn)
    assert house.comes_in(OTHER)


def test_a_new_link_after_a_change_ends_what_was_changed_to(house: House) -> None:
    assert house.accounts.change_password(house.dee, OLD, NEW) is None
    link = house.accounts.invite(house.dee, "Ada")
    assert not house.comes_in(NEW)
    assert isinstance(house.accounts.accept(link, OTHER), LogIn)


def test_of_two_changes_at_once_one_is_made(house: House) -> None:
    slow = house.slow(lambda: house.accounts.change_password(house.dee, OLD, NEW))
    assert slow.change_password(house.dee, OLD, OTHER) is AccountRefusal.WRONG
    assert house.comes_in(NEW)


@pytest.mark.parametrize("ended", ["a newer link", "a lock", "another with the same link"])
def test_a_link_that_ends_while_it_is_taken_sets_no_password(house: House, ended: str) -> None:
    link = house.accounts.invite(house.dee, "Ada")
    slow = house.slow(
        {
            "a newer link": lambda: house.accounts.invite(house.dee, "Ada"),
            "a lock": lambda: house.accounts.deactivate(house.dee.id, "Ada"),
            "another with the same link": lambda: house.accounts.accept(link, OTHER),
        }[ended]
    )
    assert slow.accept(link, NEW) is AccountRefusal.BAD_INVITATION
    house.accounts.unlock(house.dee.id, "Ada")
    assert not house.comes_in(NEW)
    assert house.comes_in(OTHER) is (ended == "another with the same link")
