"""Who people are: accounts, passwords, log-ins and the tickets that open a socket.

A token is 256 random bits that only its holder knows; the database keeps its SHA-256. A log-in
lasts hours, a ticket half a minute, is good for one table and seat, and works once. Three wrong
passwords in a row lock an account until an administrator opens it again (N.J.A.C. 13:69O-1.4(i)).
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from headsup.game.table.commands import SEAT_NAME
from headsup.game.word import Word
from headsup.house.store.database import Database
from headsup.house.store.schema import PEOPLE, SESSIONS, WALLET_MOVES, WALLETS

LOG_IN_SECONDS = 12 * 3600
TICKET_SECONDS = 30
INVITATION_SECONDS = 24 * 3600
DISPLAY_SECONDS = 30 * 24 * 3600
MOST_FAILURES = 3
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
LONGEST_NAME = 40


class Role(Word):
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


class NoEntry(Word):
    """Why nobody was let in or no account made."""

    WRONG = "wrong_name_or_password"
    LOCKED = "locked"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    BAD_PASSWORD = "bad_password"


@dataclass(frozen=True, slots=True)
class LogIn:
    """A person who has just come in, and the token that proves it from now on."""

    person: Person
    token: str


class Accounts:
    """The people of one house. `now` is seconds since 1970; Argon2 takes its time on purpose."""

    def __init__(self, database: Database, now: Callable[[], float]) -> None:
        self._engine = database.engine
        self._reading = database.reading
        self._now = now

    # Accounts.

    def create(self, name: str, role: Role, password: str | None, at: str) -> Person | NoEntry:
        """Without a password nobody can log in, only be let in (`log_in_as`)."""
        if not 1 <= len(name) <= LONGEST_NAME or not _plain(name):
            return NoEntry.BAD_NAME
        if password is not None and not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            return NoEntry.BAD_PASSWORD
        person = Person(secrets.token_hex(8), name, role)
        row = {
            "id": person.id,
            "name": name,
            "role": role.value,
            "password": "" if password is None else _hasher().hash(password),
            "failures": 0,
            "locked": False,
            "created_at": at,
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(PEOPLE), row)
                if role is Role.PLAYER:
                    connection.execute(insert(WALLETS), {"person": person.name, "cents": 0})
        except IntegrityError:
            return NoEntry.NAME_TAKEN
        return person

    def people(self) -> list[Person]:
        query = select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.locked)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(PEOPLE.c.name)).all()
        return [Person(row.id, row.name, Role(row.role), row.locked) for row in rows]

    def unlock(self, person: str) -> None:
        with self._engine.begin() as connection:
            change = update(PEOPLE).where(PEOPLE.c.id == person).values(locked=False, failures=0)
            connection.execute(change)

    def deactivate(self, person: str) -> None:
        """Lock an account and end everything that is open under it."""
        with self._engine.begin() as connection:
            connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(locked=True))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.person == person))

    def deposit(self, person: Person, cents: int, reason: str, at: str) -> bool:
        """Money into a player's wallet, or out of it; False where it holds too little."""
        move = {
            "person": person.name,
            "cents": cents,
            "reason": reason,
            "floor": "",
            "index": 0,
            "at": at,
        }
        held = (WALLETS.c.person == person.name, WALLETS.c.cents + cents >= 0)
        with self._engine.begin() as connection:
            change = update(WALLETS).where(*held).values(cents=WALLETS.c.cents + cents)
            if not connection.execute(change).rowcount:
                return False
            connection.execute(insert(WALLET_MOVES), move)
        return True

    # Coming in.

    def log_in(self, name: str, password: str) -> LogIn | NoEntry:
        person = self.prove(name, password)
        return person if isinstance(person, NoEntry) else self.log_in_as(person)

    def prove(self, name: str, password: str) -> Person | NoEntry:
        """Who has this name and password: to come in, or to approve what another asks.

        The same time and the same answer for a wrong name and a wrong password.
        """
        with self._reading() as connection:
            row = connection.execute(select(PEOPLE).where(PEOPLE.c.name == name)).one_or_none()
        known = row.password if row is not None and row.password else _dummy()
        right = _matches(known, password[: LONGEST_PASSWORD + 1])
        if row is None:
            return NoEntry.WRONG
        with self._engine.begin() as connection:
            query = select(PEOPLE.c.locked, PEOPLE.c.failures).where(PEOPLE.c.id == row.id)
            held = connection.execute(query.with_for_update()).one()
            if held.locked:
                return NoEntry.LOCKED
            failures = 0 if right else held.failures + 1
            change = {"failures": failures, "locked": failures >= MOST_FAILURES}
            connection.execute(update(PEOPLE).where(PEOPLE.c.id == row.id).values(**change))
        return Person(row.id, row.name, Role(row.role)) if right else NoEntry.WRONG

    def log_in_as(self, person: Person) -> LogIn:
        """Let a person in who has proved who they are, or is a guest of the demonstration."""
        return LogIn(person, self._issue(person.id, "", LOG_IN_SECONDS))

    def who(self, token: str) -> Person | None:
        """The person behind a log-in that has not ended."""
        return self._redeem(token, "", once=False)

    def log_out(self, token: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.token == _digest(token)))

    # Tickets and invitations: each good for one thing, once.

    def ticket(self, person: Person, scope: str) -> str:
        return self._issue(person.id, f"socket {scope}", TICKET_SECONDS)

    def redeem_ticket(self, token: str, scope: str) -> Person | None:
        return self._redeem(token, f"socket {scope}", once=True)

    def display_key(self, person: Person) -> str:
        """What a screen without a log-in shows TableVision with; it ends with the account."""
        return self._issue(person.id, "display", DISPLAY_SECONDS)

    def display_ticket(self, key: str) -> str | None:
        person = self._redeem(key, "display", once=False)
        return None if person is None else self.ticket(person, "display")

    def _issue(self, person: str, scope: str, seconds: int) -> str:
        token = secrets.token_urlsafe(32)
        row = {
            "token": _digest(token),
            "person": person,
            "scope": scope,
            "expires": int(self._now()) + seconds,
        }
        with self._engine.begin() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires < int(self._now())))
            connection.execute(insert(SESSIONS), row)
        return token

    def _redeem(self, token: str, scope: str, once: bool) -> Person | None:
        valid = (
            SESSIONS.c.token == _digest(token),
            SESSIONS.c.scope == scope,
            SESSIONS.c.expires >= int(self._now()),
        )
        found = (
            select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.locked)
            .join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id)
            .where(*valid)
        )
        if not once:
            with self._reading() as connection:
                row = connection.execute(found).one_or_none()
        else:
            with self._engine.begin() as connection:
                row = connection.execute(found).one_or_none()
                gone = connection.execute(delete(SESSIONS).where(*valid))
                row = row if gone.rowcount else None  # another socket was first
        if row is None or row.locked:
            return None
        return Person(row.id, row.name, Role(row.role))


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


# What the house signs with; a person of that name could be taken for it in the record.
_THE_HOUSE = frozenset({"dealer", "clock", "house"})


def _plain(name: str) -> bool:
    if SEAT_NAME.fullmatch(name) or name.casefold() in _THE_HOUSE:
        return False
    return name.isprintable() and name == name.strip() and "/" not in name


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _dummy() -> str:
    """A hash that no password matches, so that an unknown name takes as long as a known one."""
    return _hasher().hash(secrets.token_urlsafe(32))


def _matches(known: str, password: str) -> bool:
    try:
        return _hasher().verify(known, password)
    except (VerificationError, InvalidHashError):
        return False
