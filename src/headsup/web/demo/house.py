"""Guests and staff of the demonstration: play money and no passwords, in one click.

Works only on a server started with `--demo`, and only for requests from the same machine, by its
loopback name (`web/server/security.py`). A visitor may also become a member of staff, to try the
console and the office, and is the same guest again afterwards.
"""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request, Response

from headsup.house import clock
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import AccountRefusal, LogIn, Person, Role
from headsup.house.store.database import Database
from headsup.web.api.login import (
    CurrentPerson,
    PersonResponse,
    StrictModel,
    accounts_of,
    describe_person,
    give_cookie,
    person_from_cookie,
    run_in_password_pool,
    settings_of,
)
from headsup.web.server.errors import ApiError
from headsup.web.server.security import SESSION_COOKIE, is_same_origin

# Demo staff. A demonstration has a database of its own (`house/integrity/database_kind.py`).
# Commands for two people still need two: the second is a supervisor whose password the staff are
# shown.

_NAME_SUFFIX = "(demonstration)"
DEMO_STAFF_NAMES: Mapping[Role, str] = {
    role: f"{role.value.capitalize()} {_NAME_SUFFIX}" for role in Role if role is not Role.PLAYER
}
DEMO_APPROVER_NAME = f"Second supervisor {_NAME_SUFFIX}"
_BY = "demonstration"


@dataclass(frozen=True, slots=True)
class DemoApprover:
    """The second person who approves commands of the demo staff."""

    name: str
    password: str


def is_demo_staff(person: Person) -> bool:
    return person.name in DEMO_STAFF_NAMES.values()


def ensure_demo_staff(accounts: Accounts, role: Role, at: str) -> Person:
    """The demo account of this role, created when first used; like a guest, without a password."""
    return _ensure_account(accounts, DEMO_STAFF_NAMES[role], role, None, at)


def ensure_demo_approver(accounts: Accounts, database: Database, at: str) -> DemoApprover:
    """The approver and a password that works, whatever a visitor did to the account before."""
    password = _password(database)
    person = _ensure_account(accounts, DEMO_APPROVER_NAME, Role.SUPERVISOR, password, at)
    if isinstance(accounts.verify_password(DEMO_APPROVER_NAME, password), AccountRefusal):
        accounts.accept_invitation(accounts.invite(person, _BY), password)
    return DemoApprover(DEMO_APPROVER_NAME, password)


def _password(database: Database) -> str:
    return database.get_or_create_secret(
        "demonstration", lambda: secrets.token_urlsafe(9).encode()
    ).decode()


def _ensure_account(
    accounts: Accounts, name: str, role: Role, password: str | None, at: str
) -> Person:
    person = accounts.find_by_name(name)
    if person is None:
        created = accounts.create(name, role, password, at, _BY)
        person = created if isinstance(created, Person) else accounts.find_by_name(name)
    if person is None:
        raise RuntimeError(f"cannot create the account {name}")
    if person.locked:
        accounts.unlock(person.id, _BY)
    return person


PLAY_MONEY_CENTS = 100_000
PLAY_MONEY_REASON = "play_money"
GUEST_COOKIE = "headsup-guest"  # the log-in of a guest who has become demo staff
_LOOPBACK = ("127.0.0.1", "::1", "testclient")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # set by proxies
GUEST_BURST, GUESTS_PER_SECOND = 40, 1.0

router = APIRouter(prefix="/api", tags=["demonstration"])


class DemoStaffRequest(StrictModel):
    """Which member of the demo staff to become."""

    role: Literal["dealer", "supervisor", "auditor", "administrator"]


class DemoApproverResponse(StrictModel):
    """The supervisor who approves what demo staff may not do alone."""

    name: str
    password: str


@router.post("/demo", response_model=PersonResponse)
async def demo(request: Request, response: Response) -> PersonResponse:
    """Come in as a guest with $1,000.00 of play money; after playing staff, as the same guest as
    before."""
    _check_demo(request)
    accounts, guest_token = accounts_of(request), request.cookies.get(GUEST_COOKIE, "")
    guest = await asyncio.to_thread(accounts.person_for_token, guest_token) if guest_token else None
    if guest is not None and guest.role is Role.PLAYER:
        login = LogIn(guest, guest_token)
    else:
        login = await asyncio.to_thread(create_guest, accounts)
    response.delete_cookie(GUEST_COOKIE)
    give_cookie(response, login, settings_of(request))
    return await describe_person(request, login.person)


@router.post("/demo/staff", response_model=PersonResponse)
async def staff(body: DemoStaffRequest, request: Request, response: Response) -> PersonResponse:
    """Become a dealer, supervisor, auditor or administrator of the demonstration."""
    _check_demo(request)
    accounts, token = accounts_of(request), request.cookies.get(SESSION_COOKIE, "")
    guest = await person_from_cookie(request)
    person = await asyncio.to_thread(ensure_demo_staff, accounts, Role(body.role), clock.now())
    login = await asyncio.to_thread(accounts.log_in_as, person)
    if guest is not None and guest.role is Role.PLAYER:
        give_cookie(response, LogIn(guest, token), settings_of(request), GUEST_COOKIE)
    give_cookie(response, login, settings_of(request))
    return await describe_person(request, person)


@router.get("/demo/second", response_model=DemoApproverResponse)
async def get_demo_approver(request: Request, person: CurrentPerson) -> DemoApproverResponse:
    """The name and password of the supervisor who approves for the demo staff."""
    _check_demo(request)
    if not is_demo_staff(person):
        raise ApiError(403, "not_allowed", "only the staff of the demonstration may see this")
    database = request.app.state.house.database
    accounts = accounts_of(request)
    approver = await run_in_password_pool(
        request, ensure_demo_approver, accounts, database, clock.now()
    )
    return DemoApproverResponse(name=approver.name, password=approver.password)


@router.post("/demo/money", response_model=PersonResponse)
async def more_money(request: Request, person: CurrentPerson) -> PersonResponse:
    """Give a guest another $1,000.00 of play money."""
    _check_demo(request)
    if person.role is Role.PLAYER:
        accounts = accounts_of(request)
        await asyncio.to_thread(
            accounts.deposit, person, PLAY_MONEY_CENTS, PLAY_MONEY_REASON, clock.now()
        )
    return await describe_person(request, person)


def _check_demo(request: Request) -> None:
    settings = settings_of(request)
    address = request.client.host if request.client else ""
    through_proxy = any(header in request.headers for header in _FORWARDED)
    if not settings.demo or address not in _LOOPBACK or through_proxy:
        raise ApiError(403, "no_demonstration")
    if not is_same_origin(request, settings.origins):
        raise ApiError(403, "foreign_origin")
    if not request.app.state.guest_rates.take(address):
        raise ApiError(429, "too_many_attempts")


def create_guest(accounts: Accounts) -> LogIn:
    """Create an account without a password, so nobody can log in to it again."""
    names = {person.name for person in accounts.people()}
    for number in range(1, 10_000):
        name = f"Guest {number}"
        if name in names:
            continue
        person = _create_player(accounts, name)
        if isinstance(person, Person):
            return accounts.log_in_as(person)
        if person is not AccountRefusal.NAME_TAKEN:  # otherwise another guest took the name first
            break
    raise ApiError(503, "no_room")


def find_bot_account(accounts: Accounts, name: str) -> Person:
    """The account of an automatic player; it survives a restart."""
    matches = (person for person in accounts.people() if person.name == name)
    person = next(matches, None) or _create_player(accounts, name)
    if isinstance(person, AccountRefusal):
        raise RuntimeError(f"{name}: {person.value}")
    return person


def _create_player(accounts: Accounts, name: str) -> Person | AccountRefusal:
    person = accounts.create(name, Role.PLAYER, None, clock.now())
    if isinstance(person, Person):
        accounts.deposit(person, PLAY_MONEY_CENTS, PLAY_MONEY_REASON, clock.now())
    return person
