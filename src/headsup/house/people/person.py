"""Persons of a house: their roles, and what they have when they have come in."""

from dataclasses import dataclass

from headsup.game.values.str_enum import TextEnum


class Role(TextEnum):
    """What a person is in this house; what each may do is in `permissions`."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str
    role: Role
    locked: bool = False


class AccountRefusal(TextEnum):
    """Why nobody was let in or no account made."""

    WRONG = "wrong_name_or_password"
    LOCKED = "locked"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    BAD_PASSWORD = "bad_password"
    BAD_INVITATION = "bad_invitation"


@dataclass(frozen=True, slots=True)
class LogIn:
    """A person who has just come in, and the token that proves it from now on."""

    person: Person
    token: str


@dataclass(frozen=True, slots=True)
class Admission:
    """Whom a ticket lets in, as long as the log-in or display's key that it was given for is good:
    `under`, as the database keeps it. `place` is where alone; empty for everywhere."""

    person: Person
    under: str
    place: str = ""
