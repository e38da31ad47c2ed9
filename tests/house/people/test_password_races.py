"""Passwords that change while one is being checked: the stored one decides in the end."""

from collections.abc import Callable

import pytest

from headsup.house.people.accounts import Accounts
from headsup.house.people.passwords import HashFunctions, hash_password, verify_password
from headsup.house.people.person import AccountRefusal, LogIn, Person, Role
from headsup.house.store.database import Database

OLD, NEW, OTHER = "the old password", "the new password", "yet another one"
Meanwhile = Callable[[], object]


class House:
    """Dee's account, and a way to do something while her password is being checked."""

    def __init__(self, database: Database) -> None:
        self.database, self.accounts = database, Accounts(database, lambda _: 1_000.0)
        made = self.accounts.create("Dee", Role.DEALER, OLD, "")
        assert isinstance(made, Person)
        self.dee = made

    def slow(self, meanwhile: Meanwhile) -> Accounts:
        """The same accounts, calling `meanwhile` between Argon2 and the answer."""

        def on_compare(known: str, password: str) -> bool:
            right = verify_password(known, password)
            meanwhile()
            return right

        def on_hash(password: str) -> str:
            meanwhile()
            return hash_password(password)

        return Accounts(self.database, lambda _: 1_000.0, HashFunctions(on_hash, on_compare))

    def logs_in(self, password: str) -> bool:
        return isinstance(self.accounts.log_in("Dee", password), LogIn)


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


def test_a_log_in_that_began_before_a_new_link_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.invite(house.dee, "Ada"))
    assert slow.log_in("Dee", OLD) is AccountRefusal.WRONG
    assert slow.verify_password("Dee", OLD) is AccountRefusal.WRONG


def test_a_log_in_that_began_before_the_password_changed_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.change_password(house.dee, OLD, NEW))
    assert slow.log_in("Dee", OLD) is AccountRefusal.WRONG
    assert house.logs_in(NEW)


def test_a_log_in_made_before_the_change_ends_with_it(house: House) -> None:
    for password, end in (
        (OLD, lambda: house.accounts.change_password(house.dee, OLD, NEW)),
        (NEW, lambda: house.accounts.invite(house.dee, "Ada")),
    ):
        entered = house.accounts.log_in("Dee", password)
        assert isinstance(entered, LogIn)
        end()
        assert house.accounts.person_for_token(entered.token) is None


def test_a_log_in_that_began_before_the_lock_is_refused(house: House) -> None:
    slow = house.slow(lambda: house.accounts.deactivate(house.dee.id, "Ada"))
    assert slow.log_in("Dee", OLD) is AccountRefusal.LOCKED


def test_a_change_that_began_before_a_new_link_leaves_the_link_valid(house: House) -> None:
    links: list[str] = []

    def invite() -> None:
        if not links:
            links.append(house.accounts.invite(house.dee, "Ada"))

    assert house.slow(invite).change_password(house.dee, OLD, NEW) is AccountRefusal.WRONG
    assert not house.logs_in(NEW)
    assert isinstance(house.accounts.accept_invitation(links[0], OTHER), LogIn)
    assert house.logs_in(OTHER)


def test_a_new_link_after_a_change_ends_the_new_password(house: House) -> None:
    assert house.accounts.change_password(house.dee, OLD, NEW) is None
    link = house.accounts.invite(house.dee, "Ada")
    assert not house.logs_in(NEW)
    assert isinstance(house.accounts.accept_invitation(link, OTHER), LogIn)


def test_of_two_changes_at_once_only_one_succeeds(house: House) -> None:
    slow = house.slow(lambda: house.accounts.change_password(house.dee, OLD, NEW))
    assert slow.change_password(house.dee, OLD, OTHER) is AccountRefusal.WRONG
    assert house.logs_in(NEW)


@pytest.mark.parametrize("ended", ["a newer link", "a lock", "another with the same link"])
def test_a_link_that_expires_during_use_sets_no_password(house: House, ended: str) -> None:
    link = house.accounts.invite(house.dee, "Ada")
    slow = house.slow(
        {
            "a newer link": lambda: house.accounts.invite(house.dee, "Ada"),
            "a lock": lambda: house.accounts.deactivate(house.dee.id, "Ada"),
            "another with the same link": lambda: house.accounts.accept_invitation(link, OTHER),
        }[ended]
    )
    assert slow.accept_invitation(link, NEW) is AccountRefusal.BAD_INVITATION
    house.accounts.unlock(house.dee.id, "Ada")
    assert not house.logs_in(NEW)
    assert house.logs_in(OTHER) is (ended == "another with the same link")
