"""The staff of the demonstration: people whom a visitor may be, to try the console and the office.

A demonstration keeps its play money and its people in a database of its own, which is marked: no
house opens it in earnest, and no demonstration opens that of a house in which people work. So
nobody is let into a real house by way of a demonstration. What takes two persons still does: the
second is a supervisor whose password the demonstration tells its staff.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from headsup.game.refusal import Code, Refused
from headsup.house.accounts import Accounts, NoEntry, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.schema import SECRETS

_AFTER = "(demonstration)"  # the names
STAFF: Mapping[Role, str] = {
    role: f"{role.value.capitalize()} {_AFTER}" for role in Role if role is not Role.PLAYER
}
SECOND = f"Second supervisor {_AFTER}"
_MARK = "demonstration"  # of the database: the secret that the second one's password is
_BY = "demonstration"


@dataclass(frozen=True, slots=True)
class SecondPerson:
    """Who approves what the staff of the demonstration ask."""

    name: str
    password: str


def keep_apart(database: Database, accounts: Accounts, demo: bool, where: str) -> None:
    """Refuses a house the database of a demonstration, and the other way round; before anybody
    can come in."""
    with database.reading() as connection:
        query = select(SECRETS.c.name).where(SECRETS.c.name == _MARK)
        marked = connection.execute(query).one_or_none() is not None
    if marked and not demo:
        raise Refused(Code.DEMO_NOT_HERE, "play_money", where=where)
    if demo and not marked:
        if any(person.role is not Role.PLAYER for person in accounts.people()):
            raise Refused(Code.DEMO_NOT_HERE, "house", where=where)
        _password(database)


def is_demo_staff(person: Person) -> bool:
    return person.name in STAFF.values()


def demo_staff(accounts: Accounts, role: Role, at: str) -> Person:
    """The one of this role, made at the first visit; without a password, like a guest."""
    return _there(accounts, STAFF[role], role, None, at)


def second_person(accounts: Accounts, database: Database, at: str) -> SecondPerson:
    """Whatever a visitor did to that account, the password told is the one that is good."""
    password = _password(database)
    person = _there(accounts, SECOND, Role.SUPERVISOR, password, at)
    if isinstance(accounts.prove(SECOND, password), NoEntry):
        accounts.accept(accounts.invite(person, _BY), password)
    return SecondPerson(SECOND, password)


def _password(database: Database) -> str:
    return database.secret(_MARK, lambda: secrets.token_urlsafe(9).encode()).decode()


def _there(accounts: Accounts, name: str, role: Role, password: str | None, at: str) -> Person:
    person = accounts.named(name)
    if person is None:
        made = accounts.create(name, role, password, at, _BY)
        person = made if isinstance(made, Person) else accounts.named(name)
    if person is None:
        raise RuntimeError(f"{name} cannot be made")
    if person.locked:
        accounts.unlock(person.id, _BY)
    return person
