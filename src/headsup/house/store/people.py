"""Stores accounts and sessions: log-ins, tickets and invitations, each by the hash of its token."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from headsup.house.store.projection_rows import AccountState
from headsup.house.store.schema import PEOPLE, SESSIONS, WALLETS
from headsup.house.store.signals import Signal, notify

# Accounts.


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    name: str
    role: str
    locked: bool


@dataclass(frozen=True, slots=True)
class Credentials:
    """What decides whether somebody may log in."""

    id: str
    name: str
    role: str
    locked: bool
    failures: int  # since the last right password
    password: str  # hashed; empty if none was set


_ACCOUNT = select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.role, PEOPLE.c.locked)
_CREDENTIALS = _ACCOUNT.add_columns(PEOPLE.c.failures, PEOPLE.c.password)


def list_accounts(connection: Connection) -> list[Account]:
    """All accounts, by name."""
    return [Account(*row) for row in connection.execute(_ACCOUNT.order_by(PEOPLE.c.name))]


def find_account(connection: Connection, name: str) -> Account | None:
    row = connection.execute(_ACCOUNT.where(PEOPLE.c.name == name)).one_or_none()
    return None if row is None else Account(*row)


def account_by_id(connection: Connection, id: str) -> Account | None:
    row = connection.execute(_ACCOUNT.where(PEOPLE.c.id == id)).one_or_none()
    return None if row is None else Account(*row)


def find_credentials(connection: Connection, name: str) -> Credentials | None:
    row = connection.execute(_CREDENTIALS.where(PEOPLE.c.name == name)).one_or_none()
    return None if row is None else Credentials(*row)


def lock_credentials(connection: Connection, id: str) -> Credentials:
    """Read an account's row and lock it until the transaction ends."""
    query = _CREDENTIALS.where(PEOPLE.c.id == id).with_for_update()
    return Credentials(*connection.execute(query).one())


def add_account(
    connection: Connection, account: AccountState, password: str, with_wallet: bool
) -> None:
    """Add an account; raises `KeyTaken` if the name is."""
    row = {
        "id": account.id,
        "name": account.name,
        "role": account.role,
        "password": password,
        "failures": 0,
        "locked": account.locked,
        "created_at": account.created_at,
    }
    connection.execute(insert(PEOPLE), row)
    if with_wallet:
        connection.execute(insert(WALLETS), {"person": account.name, "cents": 0})


def set_failures(connection: Connection, id: str, failures: int, locked: bool) -> None:
    _set(connection, id, failures=failures, locked=locked)


def set_locked(connection: Connection, id: str) -> None:
    _set(connection, id, locked=True)


def set_password(connection: Connection, id: str, password: str) -> None:
    _set(connection, id, password=password)


def _set(connection: Connection, id: str, **values: object) -> None:
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == id).values(**values))


def account_names(connection: Connection) -> list[str]:
    return list(connection.execute(select(PEOPLE.c.name)).scalars())


def locked_approvers(connection: Connection, asker: str, roles: Collection[str]) -> list[bool]:
    """Of each other person of these roles with a password, whether they are locked."""
    others = (PEOPLE.c.id != asker, PEOPLE.c.password != "", PEOPLE.c.role.in_(roles))
    return list(connection.execute(select(PEOPLE.c.locked).where(*others)).scalars())


def count_unlocked(connection: Connection, role: str) -> int:
    query = select(func.count()).select_from(PEOPLE).where(PEOPLE.c.locked.is_(False))
    return connection.execute(query.where(PEOPLE.c.role == role)).scalar_one()


# Sessions.


@dataclass(frozen=True, slots=True)
class Session:
    token: str  # hashed
    person: str
    scope: str
    expires: int  # seconds since 1970
    under: str = ""


def add_session(connection: Connection, session: Session) -> None:
    row = {
        "token": session.token,
        "person": session.person,
        "scope": session.scope,
        "expires": session.expires,
        "under": session.under,
    }
    connection.execute(insert(SESSIONS), row)


def delete_expired(connection: Connection, now: int) -> None:
    connection.execute(delete(SESSIONS).where(SESSIONS.c.expires < now))


def delete_scope(connection: Connection, scope: str) -> None:
    connection.execute(delete(SESSIONS).where(SESSIONS.c.scope == scope))


def delete_session(connection: Connection, token: str, scope: str) -> bool:
    """Delete a session; False if it is not there any more."""
    this = (SESSIONS.c.token == token, SESSIONS.c.scope == scope)
    return bool(connection.execute(delete(SESSIONS).where(*this)).rowcount)


def session_holder(connection: Connection, token: str, scope: str, now: int) -> Account | None:
    """The account behind a session that has not ended, locked or not."""
    valid = (SESSIONS.c.token == token, SESSIONS.c.scope == scope, SESSIONS.c.expires >= now)
    query = _ACCOUNT.join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id).where(*valid)
    row = connection.execute(query).one_or_none()
    return None if row is None else Account(*row)


def ticket_scope(connection: Connection, token: str, now: int) -> tuple[str, str] | None:
    """The log-in that a ticket belongs to and its scope, if that log-in has not ended."""
    log_in = SESSIONS.alias("good")
    query = select(log_in.c.token, SESSIONS.c.scope).join_from(
        SESSIONS, log_in, log_in.c.token == SESSIONS.c.under
    )
    valid = (SESSIONS.c.token == token, log_in.c.expires >= now)
    row = connection.execute(query.where(*valid).limit(1)).one_or_none()
    return None if row is None else (row.token, row.scope)


def live_sessions(connection: Connection, tokens: Collection[str], now: int) -> frozenset[str]:
    """Which of these have not ended."""
    valid = (SESSIONS.c.token.in_(tokens), SESSIONS.c.expires >= now)
    return frozenset(connection.execute(select(SESSIONS.c.token).where(*valid)).scalars())


def sessions_of_scope(
    connection: Connection, scope: str, now: int, lock: bool = False
) -> list[str]:
    """The tokens with this scope. With `lock` nobody else uses one until the transaction ends."""
    valid = (SESSIONS.c.scope == scope, SESSIONS.c.expires >= now)
    query = select(SESSIONS.c.token).where(*valid).order_by(SESSIONS.c.token)
    return list(connection.execute(query.with_for_update() if lock else query).scalars())


def end_sessions_of(connection: Connection, person: str) -> None:
    _end(connection, SESSIONS.c.person == person)


def end_log_in(connection: Connection, token: str) -> None:
    """End a log-in and the tickets issued under it."""
    _end(connection, or_(SESSIONS.c.token == token, SESSIONS.c.under == token))


def _end(connection: Connection, condition: ColumnElement[bool]) -> None:
    """End sessions, and notify all servers so that they close the sockets."""
    deleted = connection.execute(delete(SESSIONS).where(condition).returning(SESSIONS.c.person))
    notify(connection, [(Signal.LOGGED_OUT, person) for person in sorted(set(deleted.scalars()))])
