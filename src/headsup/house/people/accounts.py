"""Who people are: accounts, passwords, log-ins and the tickets that open a socket.

A token is 256 random bits that only its holder knows; the database keeps its SHA-256. A log-in
lasts hours; a ticket half a minute, works once, and may be bound to a seat. Three wrong passwords
in a row lock an account until an administrator opens it again (N.J.A.C. 13:69O-1.4(i)).
"""

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from headsup.house.incidents.significant_events import record_incident
from headsup.house.people.account_names import is_valid_name
from headsup.house.people.password_pool import PasswordPool
from headsup.house.people.passwords import HashFunctions, is_valid_password
from headsup.house.people.person import AccountRefusal as AccountRefusal
from headsup.house.people.person import Admission as Admission
from headsup.house.people.person import LogIn as LogIn
from headsup.house.people.person import Person as Person
from headsup.house.people.person import Role as Role
from headsup.house.store.database import Database
from headsup.house.store.house_chain import insert_linked
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.schema import PEOPLE, SESSIONS, WALLET_MOVES, WALLETS
from headsup.house.store.signals import Signal, notify

T = TypeVar("T")
LOG_IN_SECONDS = 12 * 3600
TICKET_SECONDS = 30
INVITATION_SECONDS = 24 * 3600
_FIRST = "first administrator"
_INVITATION = "invitation"
_DISPLAY = "display"
DISPLAY_SECONDS = 30 * 24 * 3600
MAX_FAILED_LOGINS = 3
_PERSON = select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.locked)


class Accounts:
    """The people of one house. `now` is seconds since 1970; Argon2 takes its time on purpose, and
    what hashes or compares a password is asked in `password_pool`."""

    def __init__(
        self, database: Database, now: Callable[[], float], hashing: HashFunctions | None = None
    ) -> None:
        self._engine, self._reading, self._now = database.engine, database.reading, now
        self._hashing, self.proving = hashing or HashFunctions(), PasswordPool()
        # Called, in whatever thread, when somebody may not be in any more who was.
        self.on_end: Callable[[], object] = lambda: None

    # Accounts.

    def create(
        self,
        name: str,
        role: Role,
        password: str | None,
        at: str,
        by: str = "",
        alone: bool = False,
    ) -> Person | AccountRefusal:
        """Without a password nobody can log in, only be let in (`log_in_as`) or invited. `alone`:
        where a second person would have signed (`permissions.takes_two`) and there was none."""
        if unfit := _name_or_password_refusal(name, password):
            return unfit
        hashed = "" if password is None else self._hashing.hashed(password)  # before anybody waits
        try:
            with self._engine.begin() as connection:
                made = _insert_person(connection, name, role, hashed, at)
                if by:
                    self._told(connection, by, "created", made.id, alone)
                return made
        except IntegrityError:
            return AccountRefusal.NAME_TAKEN

    def people(self) -> list[Person]:
        with self._reading() as connection:
            rows = connection.execute(_PERSON.order_by(PEOPLE.c.name)).all()
        return [Person(row.id, row.name, Role(row.role), row.locked) for row in rows]

    def named(self, name: str) -> Person | None:
        with self._reading() as connection:
            row = connection.execute(_PERSON.where(PEOPLE.c.name == name)).one_or_none()
        return None if row is None else Person(row.id, row.name, Role(row.role), row.locked)

    def unlock(self, person: str, by: str = "", alone: bool = False) -> None:
        with self._engine.begin() as connection:
            change = update(PEOPLE).where(PEOPLE.c.id == person).values(locked=False, failures=0)
            connection.execute(change)
            self._told(connection, by, "unlocked", person, alone)

    def deactivate(self, person: str, by: str = "") -> None:
        """Lock an account and end everything that is open under it."""
        with self._engine.begin() as connection:
            connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(locked=True))
            _end_sessions(connection, SESSIONS.c.person == person)
            self._told(connection, by, "locked", person, kind=IncidentKind.DEACTIVATION)
        self.on_end()

    def _told(
        self,
        connection: Connection,
        by: str,
        act: str,
        person: str,
        alone: bool = False,
        kind: IncidentKind = IncidentKind.PERSONAL_DATA,
    ) -> None:
        query = select(PEOPLE.c.name, PEOPLE.c.role).where(PEOPLE.c.id == person)
        if (row := connection.execute(query).one_or_none()) is not None:
            said = {"act": act, "name": row.name, "role": row.role}
            said |= {"alone": "nobody else could approve"} if alone else {}
            record_incident(connection, kind, by or "house", said, format_time(self._now()))

    # Passwords.

    def change_password(self, person: Person, old: str, new: str) -> AccountRefusal | None:
        """By oneself, who must know the old one; every log-in and ticket ends."""
        if not is_valid_password(new):
            return AccountRefusal.BAD_PASSWORD
        compared = self._compared(person.name, old)
        hashed = self._hashing.hashed(new) if compared.right else ""

        def change(connection: Connection, proved: Person) -> None:
            _set_password(connection, proved, hashed)
            _end_sessions(connection, SESSIONS.c.person == proved.id)
            self._told(connection, proved.name, "password changed", proved.id)

        refused = self._proved(compared, change)
        if refused is None:
            self.on_end()
        return refused

    def log_out_everywhere(self, person: str) -> None:
        with self._engine.begin() as connection:
            _end_sessions(connection, SESSIONS.c.person == person)
        self.on_end()

    def invite(self, person: Person, by: str, alone: bool = False) -> str:
        """A token with which that person sets a password, once; the old one and every log-in end
        here and now. Who asked for it never knows the password."""
        with self._engine.begin() as connection:
            locked = {"password": "", "failures": 0, "locked": False}
            connection.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values(**locked))
            _end_sessions(connection, SESSIONS.c.person == person.id)
            self._told(connection, by, "invited", person.id, alone)
            token = self._issued(connection, person.id, _INVITATION, INVITATION_SECONDS)
        self.on_end()
        return token

    def accept(self, token: str, password: str) -> LogIn | AccountRefusal:
        """Set the password that an invitation is for, and come in."""
        if not is_valid_password(password):
            return AccountRefusal.BAD_PASSWORD
        person = self._redeem(token, _INVITATION, once=False)
        if person is None:
            return AccountRefusal.BAD_INVITATION
        hashed = self._hashing.hashed(password)
        with self._engine.begin() as connection:
            _lock_person(connection, person.id)
            mine = (SESSIONS.c.token == _digest(token), SESSIONS.c.scope == _INVITATION)
            if not connection.execute(delete(SESSIONS).where(*mine)).rowcount:
                return AccountRefusal.BAD_INVITATION  # used, or ended by a lock or by a newer one
            _set_password(connection, person, hashed)
            self._told(connection, person.name, "password set", person.id)
            return self._entered(connection, person)

    # The first administrator.

    def first_invitation(self) -> str | None:
        """A token that makes one administrator, once; None where there is one who can come in:
        where all are locked, nobody else could open an account again. Servers that start together
        have one each; the first that is used ends the others."""
        with self._reading() as connection:
            if _count_administrators(connection):
                return None
        return self._issue("", _FIRST, INVITATION_SECONDS)

    def become_first(self, token: str, name: str, password: str) -> LogIn | AccountRefusal:
        now, own = self._now(), _digest(token)
        valid = (SESSIONS.c.scope == _FIRST, SESSIONS.c.expires >= int(now))
        good = select(SESSIONS.c.token).where(*valid).order_by(SESSIONS.c.token)
        with self._reading() as connection:
            if own not in connection.execute(good).scalars().all():
                return AccountRefusal.BAD_INVITATION
        if unfit := _name_or_password_refusal(name, password):
            return unfit
        hashed = self._hashing.hashed(password)
        try:
            with self._engine.begin() as connection:
                # All of them, in one order: who uses another at the same moment waits here.
                if own not in connection.execute(good.with_for_update()).scalars().all():
                    raise _TooLate
                connection.execute(delete(SESSIONS).where(SESSIONS.c.scope == _FIRST))
                made = _insert_person(
                    connection, name, Role.ADMINISTRATOR, hashed, format_time(now)
                )
                if _count_administrators(connection) > 1:
                    raise _TooLate
                said = {"act": "first administrator", "name": name}
                record_incident(
                    connection, IncidentKind.PERSONAL_DATA, name, said, format_time(now)
                )
                return self._entered(connection, made)
        except IntegrityError:
            return AccountRefusal.NAME_TAKEN
        except _TooLate:
            return AccountRefusal.BAD_INVITATION

    # Wallets.

    def deposit(self, person: Person, cents: int, reason: str, at: str) -> bool:
        """Money into a player's wallet, or out of it; False where it holds too little."""
        move = {"person": person.name, "cents": cents, "reason": reason, "floor": "", "index": 0}
        held = (WALLETS.c.person == person.name, WALLETS.c.cents + cents >= 0)
        with self._engine.begin() as connection:
            change = update(WALLETS).where(*held).values(cents=WALLETS.c.cents + cents)
            if not connection.execute(change).rowcount:
                return False
            insert_linked(connection, WALLET_MOVES, [{**move, "at": at, "table": "", "by": ""}])
        return True

    # Coming in.

    def log_in(self, name: str, password: str) -> LogIn | AccountRefusal:
        return self._proved(self._compared(name, password), self._entered)

    def prove(self, name: str, password: str) -> Person | AccountRefusal:
        """Who has this name and password: to come in, or to approve what another asks.

        The same time and the same answer for a wrong name and a wrong password.
        """
        return self._proved(self._compared(name, password), lambda _, person: person)

    def _compared(self, name: str, password: str) -> "_PasswordCheck":
        """Takes its time, and keeps nobody waiting: what is stored may be another afterwards."""
        with self._reading() as connection:
            row = connection.execute(select(PEOPLE).where(PEOPLE.c.name == name)).one_or_none()
        right = self._hashing.matches(row.password if row is not None else "", password)
        if row is None:
            return _PasswordCheck(None, "", False)
        return _PasswordCheck(Person(row.id, row.name, Role(row.role)), row.password, right)

    def _proved(
        self, compared: "_PasswordCheck", then: Callable[[Connection, Person], T]
    ) -> T | AccountRefusal:
        """What is done for who has proved it: only while the password compared is the one stored,
        and before it can become another."""
        person = compared.person
        with self._engine.begin() as connection:
            if person is None:  # what was typed may be a password in the wrong field
                self._failed(connection, "", "unknown name")
                return AccountRefusal.WRONG
            held = _lock_person(connection, person.id)
            if held.locked:
                self._failed(connection, person.name, "locked")
                return AccountRefusal.LOCKED
            right = compared.right and held.password == compared.known
            failures = 0 if right else held.failures + 1
            change = {"failures": failures, "locked": failures >= MAX_FAILED_LOGINS}
            connection.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values(**change))
            if right:
                return then(connection, person)
            self._failed(connection, person.name, "wrong password")
            if change["locked"]:
                kind = IncidentKind.DEACTIVATION
                self._told(connection, "", "locked after failures", person.id, kind=kind)
                _end_sessions(connection, SESSIONS.c.person == person.id)
        if change["locked"]:
            self.on_end()
        return AccountRefusal.WRONG

    def _failed(self, connection: Connection, who: str, why: str) -> None:
        kind = IncidentKind.FAILED_LOG_IN
        record_incident(connection, kind, who, {"why": why}, format_time(self._now()))

    def log_in_as(self, person: Person) -> LogIn:
        """Let a person in without a password: a guest or one of the staff of the demonstration."""
        return LogIn(person, self._issue(person.id, "", LOG_IN_SECONDS))

    def _entered(self, connection: Connection, person: Person) -> LogIn:
        return LogIn(person, self._issued(connection, person.id, "", LOG_IN_SECONDS))

    def who(self, token: str) -> Person | None:
        """The person behind a log-in that has not ended."""
        return self._redeem(token, "", once=False)

    def log_out(self, token: str) -> None:
        """End this log-in and whatever was opened under it; another of the same person stays."""
        own = _digest(token)
        with self._engine.begin() as connection:  # a ticket that is redeemed just now goes as well
            _end_sessions(connection, or_(SESSIONS.c.token == own, SESSIONS.c.under == own))
        self.on_end()

    def still_good(self, under: Collection[str]) -> frozenset[str]:
        """Those of these log-ins and displays' keys that have not ended."""
        valid = (SESSIONS.c.token.in_(under), SESSIONS.c.expires >= int(self._now()))
        with self._reading() as connection:
            return frozenset(connection.execute(select(SESSIONS.c.token).where(*valid)).scalars())

    # Tickets and invitations: each good for one thing, once.

    def ticket(self, person: Person, scope: str, token: str, place: str = "") -> str:
        """For who holds this log-in, or this key of a display."""
        whole = f"socket {scope} {place}".strip()
        return self._issue(person.id, whole, TICKET_SECONDS, _digest(token))

    def redeem_ticket(self, token: str, scope: str) -> Admission | None:
        """None also where what it was given for has ended meanwhile."""
        good = SESSIONS.alias("good")
        # A server of an older version, while it is replaced, does not say what a ticket is for.
        own = (good.c.person == SESSIONS.c.person) & good.c.scope.in_(("", _DISPLAY))
        query = select(good.c.token, SESSIONS.c.scope).join_from(
            *(SESSIONS, good),
            or_(good.c.token == SESSIONS.c.under, and_(SESSIONS.c.under == "", own)),
        )
        is_good = (SESSIONS.c.token == _digest(token), good.c.expires >= int(self._now()))
        with self._reading() as connection:
            row = connection.execute(query.where(*is_good).limit(1)).one_or_none()
        if row is None or not f"{row.scope} ".startswith(f"socket {scope} "):
            return None
        person = self._redeem(token, row.scope, once=True)
        place = row.scope.removeprefix(f"socket {scope}").strip()
        return None if person is None else Admission(person, row.token, place)

    def display_key(self, person: Person) -> str:
        """What a screen without a log-in shows TableVision with; it ends with the account."""
        return self._issue(person.id, _DISPLAY, DISPLAY_SECONDS)

    def display_maker(self, key: str) -> Person | None:
        return self._redeem(key, _DISPLAY, once=False)

    def _issue(self, person: str, scope: str, seconds: int, under: str = "") -> str:
        with self._engine.begin() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires < int(self._now())))
            return self._issued(connection, person, scope, seconds, under)

    def _issued(
        self, connection: Connection, person: str, scope: str, seconds: int, under: str = ""
    ) -> str:
        token = secrets.token_urlsafe(32)
        row = {
            "token": _digest(token),
            "person": person,
            "scope": scope,
            "expires": int(self._now()) + seconds,
            "under": under,
        }
        connection.execute(insert(SESSIONS), row)
        return token

    def _redeem(self, token: str, scope: str, once: bool) -> Person | None:
        valid = (
            SESSIONS.c.token == _digest(token),
            SESSIONS.c.scope == scope,
            SESSIONS.c.expires >= int(self._now()),
        )
        found = _PERSON.join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id).where(*valid)
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


@dataclass(frozen=True, slots=True)
class _PasswordCheck:
    """A password that was typed beside the one known of this person: its hash, as it was then."""

    person: Person | None
    known: str
    right: bool


class _TooLate(Exception):
    """Another was first."""


def format_time(now: float) -> str:
    """Seconds since 1970 as the log writes a time."""
    at = datetime.fromtimestamp(now, UTC).isoformat(timespec="microseconds")
    return at.replace("+00:00", "Z")


def _name_or_password_refusal(name: str, password: str | None) -> AccountRefusal | None:
    if not is_valid_name(name):
        return AccountRefusal.BAD_NAME
    if password is not None and not is_valid_password(password):
        return AccountRefusal.BAD_PASSWORD
    return None


def _insert_person(connection: Connection, name: str, role: Role, hashed: str, at: str) -> Person:
    person = Person(secrets.token_hex(8), name, role)
    row = {"id": person.id, "name": name, "role": role.value, "password": hashed}
    new = {"failures": 0, "locked": False, "created_at": at}
    connection.execute(insert(PEOPLE), row | new)
    if role is Role.PLAYER:
        connection.execute(insert(WALLETS), {"person": person.name, "cents": 0})
    return person


def _lock_person(connection: Connection, person: str) -> "Row[bool, int, str]":
    """As it is stored, and stays until this transaction ends."""
    query = select(PEOPLE.c.locked, PEOPLE.c.failures, PEOPLE.c.password)
    return connection.execute(query.where(PEOPLE.c.id == person).with_for_update()).one()


def _set_password(connection: Connection, person: Person, hashed: str) -> None:
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values(password=hashed))


def _count_administrators(connection: Connection) -> int:
    """Those who are not locked."""
    query = select(func.count()).select_from(PEOPLE).where(PEOPLE.c.locked.is_(False))
    return connection.execute(query.where(PEOPLE.c.role == Role.ADMINISTRATOR.value)).scalar_one()


def _end_sessions(connection: Connection, which: ColumnElement[bool]) -> None:
    """End log-ins; every server that holds a socket of theirs is told to close it."""
    gone = connection.execute(delete(SESSIONS).where(which).returning(SESSIONS.c.person))
    notify(connection, [(Signal.GONE, person) for person in sorted(set(gone.scalars()))])


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
