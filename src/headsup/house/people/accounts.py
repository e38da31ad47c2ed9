"""Accounts, passwords, log-ins, and tickets that open a socket.

A token is 256 random bits that only its holder knows; the database stores its SHA-256. A log-in
lasts for hours. A ticket lasts half a minute, works once, and may be bound to a seat. Three wrong
passwords in a row lock an account until an administrator unlocks it (N.J.A.C. 13:69O-1.4(i)).
"""

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from math import inf
from typing import TypeVar

from headsup.house.people.passwords import HashFunctions, PasswordPool, is_valid_password
from headsup.house.people.permissions import ApproverCount
from headsup.house.people.person import (
    AccountRefusal,
    Admission,
    LogIn,
    Person,
    Role,
    is_valid_name,
    name_appearance,
)
from headsup.house.store import people as store
from headsup.house.store.database import Database
from headsup.house.store.engine import Connection
from headsup.house.store.errors import KeyTaken
from headsup.house.store.house_log import CashMoved, house_transaction, record_account, record_cash
from headsup.house.store.incidents import record_incident
from headsup.house.store.projection_rows import AccountState, IncidentKind
from headsup.house.store.wallets import change_wallet

T = TypeVar("T")
LOG_IN_SECONDS = 12 * 3600
TICKET_SECONDS = 30
INVITATION_SECONDS = 24 * 3600
_FIRST = "first administrator"
_INVITATION = "invitation"
_DISPLAY = "display"
DISPLAY_SECONDS = 30 * 24 * 3600
MAX_FAILED_LOGINS = 3
POINTLESS_SECONDS = 60.0
MAX_POINTLESS = 1_000  # remembered; one more forgets the oldest


class Accounts:
    """The accounts of one house.

    `clock` gives seconds since 1970, by default those of the database: one server whose clock is
    wrong must not end the log-ins of the whole house.

    Methods that take a password block for long, as Argon2 is slow on purpose: call them in the
    password pool.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[Connection], float] | None = None,
        hashing: HashFunctions | None = None,
    ) -> None:
        self._engine, self._reading = database.engine, database.read_connection
        self._now = clock or (lambda connection: database.now(connection) / 1_000_000)
        # By name and reason, when such an attempt was last recorded, and how many came since.
        self._pointless: dict[tuple[str, str], tuple[float, int]] = {}
        self._hashing, self.password_pool = hashing or HashFunctions(), PasswordPool()
        # Called when sessions have ended, in any thread.
        self.on_session_end: Callable[[], object] = lambda: None

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
        """Create an account. Without a password it needs `log_in_as` or an invitation.

        `alone` means that a second person should have approved, but there was none.
        """
        if refused := _name_or_password_refusal(name, password):
            return refused
        # Hash before the transaction: it is slow.
        hashed = "" if password is None else self._hashing.hash(password)
        try:
            with house_transaction(self._engine) as connection:
                person = _insert_person(connection, name, role, hashed, at, by)
                if by:
                    self._record_change(connection, by, "created", person.id, alone)
                return person
        except (KeyTaken, _NameTaken):
            return AccountRefusal.NAME_TAKEN

    def people(self) -> list[Person]:
        with self._reading() as connection:
            return list(map(_person, store.list_accounts(connection)))

    def find_by_name(self, name: str) -> Person | None:
        with self._reading() as connection:
            account = store.find_account(connection, name)
        return None if account is None else _person(account)

    def count_approvers(self, asker: str, roles: Collection[Role]) -> ApproverCount:
        """Count the other people of these roles who could approve; `asker` is a person's id."""
        names = [role.value for role in roles]
        with self._reading() as connection:
            locked = store.locked_approvers(connection, asker, names)
        return ApproverCount(len(locked), sum(not is_locked for is_locked in locked))

    def unlock(self, person: str, by: str = "", alone: bool = False) -> None:
        with house_transaction(self._engine) as connection:
            store.set_failures(connection, person, 0, locked=False)
            self._record_change(connection, by, "unlocked", person, alone)

    def deactivate(self, person: str, by: str = "") -> None:
        """Lock an account and end all its sessions."""
        with house_transaction(self._engine) as connection:
            store.set_locked(connection, person)
            store.end_sessions_of(connection, person)
            self._record_change(connection, by, "locked", person, kind=IncidentKind.DEACTIVATION)
        self.on_session_end()

    def _record_change(
        self,
        connection: Connection,
        by: str,
        act: str,
        person: str,
        alone: bool = False,
        kind: IncidentKind = IncidentKind.PERSONAL_DATA,
    ) -> None:
        if (account := store.account_by_id(connection, person)) is not None:
            details = {"act": act, "name": account.name, "role": account.role}
            details |= {"alone": "nobody else could approve"} if alone else {}
            at = format_time(self._now(connection))
            record_account(connection, at, by or "house", person)
            record_incident(connection, kind, by or "house", details, at)

    # Passwords.

    def change_password(self, person: Person, old: str, new: str) -> AccountRefusal | None:
        """Change one's own password, given the old one. All sessions of the person end."""
        if not is_valid_password(new):
            return AccountRefusal.BAD_PASSWORD
        check = self._check_password(person.name, old)
        hashed = self._hashing.hash(new) if check.is_right else ""

        def change(connection: Connection, person: Person) -> None:
            store.set_password(connection, person.id, hashed)
            store.end_sessions_of(connection, person.id)
            self._record_change(connection, person.name, "password changed", person.id)

        refused = self._finish_check(check, change)
        if refused is None:
            self.on_session_end()
        return refused

    def log_out_everywhere(self, person: str) -> None:
        with self._engine.begin() as connection:
            store.end_sessions_of(connection, person)
        self.on_session_end()

    def invite(self, person: Person, by: str, alone: bool = False) -> str:
        """A token with which the person can set a password, once.

        The old password and all sessions end at once. Nobody else ever knows the new password.
        """
        with house_transaction(self._engine) as connection:
            store.set_password(connection, person.id, "")
            store.set_failures(connection, person.id, 0, locked=False)
            store.end_sessions_of(connection, person.id)
            self._record_change(connection, by, "invited", person.id, alone)
            token = self._insert_token(connection, person.id, _INVITATION, INVITATION_SECONDS)
        self.on_session_end()
        return token

    def accept_invitation(self, token: str, password: str) -> LogIn | AccountRefusal:
        """Set the password that an invitation is for, and log in."""
        if not is_valid_password(password):
            return AccountRefusal.BAD_PASSWORD
        person = self._redeem(token, _INVITATION, once=False)
        if person is None:
            return AccountRefusal.BAD_INVITATION
        hashed = self._hashing.hash(password)
        with house_transaction(self._engine) as connection:
            store.lock_credentials(connection, person.id)
            if not store.delete_session(connection, _digest(token), _INVITATION):
                # It was used meanwhile, or ended by a lock or a newer invitation.
                return AccountRefusal.BAD_INVITATION
            store.set_password(connection, person.id, hashed)
            self._record_change(connection, person.name, "password set", person.id)
            return self._log_in(connection, person)

    # The first administrator.

    def first_invitation(self) -> str | None:
        """A token that creates an administrator, once; None if one can log in.

        If all administrators are locked, a new one is needed to unlock them. Servers that start
        together issue a token each; the first to be used ends the others.
        """
        with self._reading() as connection:
            if _count_administrators(connection):
                return None
        return self._issue("", _FIRST, INVITATION_SECONDS)

    def create_first_administrator(
        self, token: str, name: str, password: str
    ) -> LogIn | AccountRefusal:
        digest = _digest(token)
        with self._reading() as connection:
            now = self._now(connection)
            if digest not in store.sessions_of_scope(connection, _FIRST, int(now)):
                return AccountRefusal.BAD_INVITATION
        if refused := _name_or_password_refusal(name, password):
            return refused
        hashed = self._hashing.hash(password)
        try:
            with house_transaction(self._engine) as connection:
                # Lock all of them, in one order: another token used at the same time waits here.
                if digest not in store.sessions_of_scope(connection, _FIRST, int(now), lock=True):
                    raise _AlreadyUsed
                store.delete_scope(connection, _FIRST)
                person = _insert_person(
                    connection, name, Role.ADMINISTRATOR, hashed, format_time(now), name
                )
                if _count_administrators(connection) > 1:
                    raise _AlreadyUsed
                details = {"act": "first administrator", "name": name}
                record_incident(
                    connection, IncidentKind.PERSONAL_DATA, name, details, format_time(now)
                )
                return self._log_in(connection, person)
        except (KeyTaken, _NameTaken):
            return AccountRefusal.NAME_TAKEN
        except _AlreadyUsed:
            return AccountRefusal.BAD_INVITATION

    # Wallets.

    def deposit(self, person: Person, cents: int, reason: str, at: str) -> bool:
        """Move money into a player's wallet, or out of it; False if it holds too little."""
        with house_transaction(self._engine) as connection:
            if (balance := change_wallet(connection, person.name, cents)) is None:
                return False
            record_cash(connection, at, "", CashMoved(person.name, cents, reason, balance))
        return True

    # Log-ins.

    def log_in(self, name: str, password: str) -> LogIn | AccountRefusal:
        return self._finish_check(self._check_password(name, password), self._log_in)

    def verify_password(self, name: str, password: str) -> Person | AccountRefusal:
        """The person with this name and password, to approve another's request.

        A wrong name takes as long, and gets the same answer, as a wrong password.
        """
        return self._finish_check(self._check_password(name, password), lambda _, person: person)

    def _check_password(self, name: str, password: str) -> "_PasswordCheck":
        """Compare the password without a transaction: it is slow, and others need not wait."""
        with self._reading() as connection:
            row = store.find_credentials(connection, name)
        is_right = self._hashing.matches(row.password if row is not None else "", password)
        if row is None:
            return _PasswordCheck(None, "", False)
        return _PasswordCheck(Person(row.id, row.name, Role(row.role)), row.password, is_right)

    def _finish_check(
        self, check: "_PasswordCheck", then: Callable[[Connection, Person], T]
    ) -> T | AccountRefusal:
        """Run `then` if the password is right and still the stored one, in one transaction.

        A wrong password is counted, and locks the account at the third.
        """
        person = check.person
        with house_transaction(self._engine) as connection:
            if person is None:  # do not store the name: it may be a password in the wrong field
                self._record_pointless_log_in(connection, "", "unknown name")
                return AccountRefusal.WRONG
            stored = store.lock_credentials(connection, person.id)
            if stored.locked:
                self._record_pointless_log_in(connection, person.name, "locked")
                return AccountRefusal.LOCKED
            is_right = check.is_right and stored.password == check.stored_hash
            failures = 0 if is_right else stored.failures + 1
            is_locked = failures >= MAX_FAILED_LOGINS
            store.set_failures(connection, person.id, failures, is_locked)
            if is_right:
                return then(connection, person)
            self._record_failed_log_in(connection, person.name, "wrong password")
            if is_locked:
                kind = IncidentKind.DEACTIVATION
                self._record_change(connection, "", "locked after failures", person.id, kind=kind)
                store.end_sessions_of(connection, person.id)
        if is_locked:
            self.on_session_end()
        return AccountRefusal.WRONG

    def _record_pointless_log_in(self, connection: Connection, name: str, why: str) -> None:
        """Record an attempt that no password could have made good, but only one a minute of each
        kind, with the number of those before it: anybody can make any number of them."""
        now = self._now(connection)
        last, more = self._pointless.pop((name, why), (-inf, 0))
        if last <= now < last + POINTLESS_SECONDS:
            self._pointless[name, why] = last, more + 1
            return
        self._pointless[name, why] = now, 0
        if len(self._pointless) > MAX_POINTLESS:
            del self._pointless[next(iter(self._pointless))]
        self._record_failed_log_in(connection, name, why, more)

    def _record_failed_log_in(
        self, connection: Connection, name: str, why: str, more: int = 0
    ) -> None:
        details: dict[str, object] = {"why": why} | ({"before": more} if more else {})
        kind, at = IncidentKind.FAILED_LOG_IN, format_time(self._now(connection))
        record_incident(connection, kind, name, details, at)

    def log_in_as(self, person: Person) -> LogIn:
        """Log in without a password: for guests and the staff of a demonstration."""
        return LogIn(person, self._issue(person.id, "", LOG_IN_SECONDS))

    def _log_in(self, connection: Connection, person: Person) -> LogIn:
        return LogIn(person, self._insert_token(connection, person.id, "", LOG_IN_SECONDS))

    def person_for_token(self, token: str) -> Person | None:
        """The person behind a log-in that has not ended."""
        return self._redeem(token, "", once=False)

    def log_out(self, token: str) -> None:
        """End this log-in and the tickets issued under it, but no other log-in of the person."""
        digest = _digest(token)
        with self._engine.begin() as connection:
            store.end_log_in(connection, digest)
        self.on_session_end()

    def live_tokens(self, digests: Collection[str]) -> frozenset[str]:
        """Which of these log-ins and display keys have not ended."""
        with self._reading() as connection:
            return store.live_sessions(connection, digests, int(self._now(connection)))

    # Tickets and display keys.

    def ticket(self, person: Person, scope: str, token: str, place: str = "") -> str:
        """A ticket for the holder of this log-in or display key."""
        full_scope = f"socket {scope} {place}".strip()
        return self._issue(person.id, full_scope, TICKET_SECONDS, _digest(token))

    def redeem_ticket(self, token: str, scope: str) -> Admission | None:
        """Use up a ticket; None if it is invalid or its log-in has ended."""
        with self._reading() as connection:
            now = int(self._now(connection))
            found = store.ticket_scope(connection, _digest(token), now)
        if found is None or not f"{found[1]} ".startswith(f"socket {scope} "):
            return None
        log_in, full_scope = found
        person = self._redeem(token, full_scope, once=True)
        place = full_scope.removeprefix(f"socket {scope}").strip()
        return None if person is None else Admission(person, log_in, place)

    def display_key(self, person: Person) -> str:
        """A key for a TableVision screen, which has no log-in; it ends with the account."""
        return self._issue(person.id, _DISPLAY, DISPLAY_SECONDS)

    def display_maker(self, key: str) -> Person | None:
        return self._redeem(key, _DISPLAY, once=False)

    def _issue(self, person: str, scope: str, seconds: int, under: str = "") -> str:
        with self._engine.begin() as connection:
            store.delete_expired(connection, int(self._now(connection)))
            return self._insert_token(connection, person, scope, seconds, under)

    def _insert_token(
        self, connection: Connection, person: str, scope: str, seconds: int, under: str = ""
    ) -> str:
        token = secrets.token_urlsafe(32)
        expires = int(self._now(connection)) + seconds
        session = store.Session(_digest(token), person, scope, expires, under)
        store.add_session(connection, session)
        return token

    def _redeem(self, token: str, scope: str, once: bool) -> Person | None:
        digest = _digest(token)

        def find(connection: Connection) -> store.Account | None:
            return store.session_holder(connection, digest, scope, int(self._now(connection)))

        if not once:
            with self._reading() as connection:
                account = find(connection)
        else:
            with self._engine.begin() as connection:
                account = find(connection)
                if not store.delete_session(connection, digest, scope):
                    account = None  # another socket was first
        return None if account is None or account.locked else _person(account)


@dataclass(frozen=True, slots=True)
class _PasswordCheck:
    """Whether a password was right, and the hash that it was compared with."""

    person: Person | None
    stored_hash: str
    is_right: bool


class _AlreadyUsed(Exception):
    """Another invitation for the first administrator was used first."""


def format_time(now: float) -> str:
    """Seconds since 1970 in the log's time format."""
    time = datetime.fromtimestamp(now, UTC).isoformat(timespec="microseconds")
    return time.replace("+00:00", "Z")


def _name_or_password_refusal(name: str, password: str | None) -> AccountRefusal | None:
    if not is_valid_name(name):
        return AccountRefusal.BAD_NAME
    if password is not None and not is_valid_password(password):
        return AccountRefusal.BAD_PASSWORD
    return None


class _NameTaken(Exception):
    """There is an account whose name is or looks the same."""


def _insert_person(
    connection: Connection, name: str, role: Role, hashed: str, at: str, by: str
) -> Person:
    appearance = name_appearance(name)
    if any(name_appearance(other) == appearance for other in store.account_names(connection)):
        raise _NameTaken
    person = Person(secrets.token_hex(8), name, role)
    account = AccountState(person.id, name, role.value, False, at)
    store.add_account(connection, account, hashed, with_wallet=role is Role.PLAYER)
    record_account(connection, at, by, person.id)
    return person


def _person(account: store.Account) -> Person:
    return Person(account.id, account.name, Role(account.role), account.locked)


def _count_administrators(connection: Connection) -> int:
    """How many administrators are not locked."""
    return store.count_unlocked(connection, Role.ADMINISTRATOR.value)


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
