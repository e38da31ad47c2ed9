"""The staff of the demonstration: people whom a visitor may be, to try the console and the office.

A demonstration keeps its play money and its people in a database of its own
(`house/integrity/database_kind.py`). What takes two persons still does: the second is a supervisor
whose password the demonstration tells its staff.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from headsup.house.integrity.database_kind import DEMO_SECRET
from headsup.house.people.accounts import AccountRefusal, Accounts, Person, Role
from headsup.house.store.database import Database

_NAME_SUFFIX = "(demonstration)"  # the names
DEMO_STAFF_NAMES: Mapping[Role, str] = {
    role: f"{role.value.capitalize()} {_NAME_SUFFIX}" for role in Role if role is not Role.PLAYER
}
DEMO_APPROVER_NAME = f"Second supervisor {_NAME_SUFFIX}"
_BY = "demonstration"


@dataclass(frozen=True, slots=True)
class DemoApprover:
    """Who approves what the staff of the demonstration ask."""

    name: str
    password: str


def is_demo_staff(person: Person) -> bool:
    return person.name in DEMO_STAFF_NAMES.values()


def ensure_demo_staff(accounts: Accounts, role: Role, at: str) -> Person:
    """The one of this role, made at the first visit; without a password, like a guest."""
    return _ensure_account(accounts, DEMO_STAFF_NAMES[role], role, None, at)


def ensure_demo_approver(accounts: Accounts, database: Database, at: str) -> DemoApprover:
    """Whatever a visitor did to that account, the password told is the one that is good."""
    password = _password(database)
    person = _ensure_account(accounts, DEMO_APPROVER_NAME, Role.SUPERVISOR, password, at)
    if isinstance(accounts.prove(DEMO_APPROVER_NAME, password), AccountRefusal):
        accounts.accept(accounts.invite(person, _BY), password)
    return DemoApprover(DEMO_APPROVER_NAME, password)


def _password(database: Database) -> str:
    return database.secret(DEMO_SECRET, lambda: secrets.token_urlsafe(9).encode()).decode()


def _ensure_account(
    accounts: Accounts, name: str, role: Role, password: str | None, at: str
) -> Person:
    person = accounts.named(name)
    if person is None:
        made = accounts.create(name, role, password, at, _BY)
        person = made if isinstance(made, Person) else accounts.named(name)
    if person is None:
        raise RuntimeError(f"{name} cannot be made")
    if person.locked:
        accounts.unlock(person.id, _BY)
    return person
