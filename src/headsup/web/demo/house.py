"""The demonstration: a newcomer sits down in one click, with play money.

Only where the server was started with `--demo`, and only for who asks from this very machine, by
its own name (`web/server/hosts.py`). A visitor may also be one of the staff, to try the console and
the office, and is the same guest as before afterwards.
"""

import asyncio
from typing import Literal

from fastapi import APIRouter, Request, Response

from headsup.house import clock
from headsup.house.integrity.database_kind import PLAY_MONEY_REASON
from headsup.house.people.accounts import AccountRefusal, Accounts, LogIn, Person, Role
from headsup.house.people.demo_staff import ensure_demo_approver, ensure_demo_staff, is_demo_staff
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
from headsup.web.server.security import SESSION_COOKIE, RateLimiter, is_same_origin

PLAY_MONEY_CENTS = 100_000  # cents
GUEST_COOKIE = "headsup-guest"  # who a visitor was before being one of the staff
_LOOPBACK = ("127.0.0.1", "::1", "testclient")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy asks for another
_guests = RateLimiter(burst=40, per_second=1)

router = APIRouter(prefix="/api", tags=["demonstration"])


class DemoStaffRequest(StrictModel):
    """Which of the staff of the demonstration to be."""

    role: Literal["dealer", "supervisor", "auditor", "administrator"]


class DemoApproverResponse(StrictModel):
    """The supervisor who approves what one's own person of the demonstration may not do alone."""

    name: str
    password: str


@router.post("/demo", response_model=PersonResponse)
async def demo(request: Request, response: Response) -> PersonResponse:
    """Come in as a guest with $1,000.00 of play money; as the guest that one was before one was
    one of the staff."""
    _check_demo(request)
    accounts, before = accounts_of(request), request.cookies.get(GUEST_COOKIE, "")
    guest = await asyncio.to_thread(accounts.who, before) if before else None
    if guest is not None and guest.role is Role.PLAYER:
        entered = LogIn(guest, before)
    else:
        entered = await asyncio.to_thread(create_guest, accounts)
    response.delete_cookie(GUEST_COOKIE)
    give_cookie(response, entered, settings_of(request))
    return await describe_person(request, entered.person)


@router.post("/demo/staff", response_model=PersonResponse)
async def staff(asked: DemoStaffRequest, request: Request, response: Response) -> PersonResponse:
    """Be a dealer, a supervisor, an auditor or an administrator of the demonstration."""
    _check_demo(request)
    accounts, token = accounts_of(request), request.cookies.get(SESSION_COOKIE, "")
    before = await person_from_cookie(request)
    person = await asyncio.to_thread(ensure_demo_staff, accounts, Role(asked.role), clock.now())
    entered = await asyncio.to_thread(accounts.log_in_as, person)
    if before is not None and before.role is Role.PLAYER:
        give_cookie(response, LogIn(before, token), settings_of(request), GUEST_COOKIE)
    give_cookie(response, entered, settings_of(request))
    return await describe_person(request, person)


@router.get("/demo/second", response_model=DemoApproverResponse)
async def get_demo_approver(request: Request, person: CurrentPerson) -> DemoApproverResponse:
    """Who approves for the staff of the demonstration, and with which password."""
    _check_demo(request)
    if not is_demo_staff(person):
        raise ApiError(403, "not_allowed", "that is for the staff of the demonstration")
    database = request.app.state.house.database
    accounts = accounts_of(request)
    found = await run_in_password_pool(
        request, ensure_demo_approver, accounts, database, clock.now()
    )
    return DemoApproverResponse(name=found.name, password=found.password)


@router.post("/demo/money", response_model=PersonResponse)
async def more_money(request: Request, person: CurrentPerson) -> PersonResponse:
    """Another $1,000.00 of play money for a guest who has lost the last."""
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
    if not _guests.take(address):
        raise ApiError(429, "too_many_attempts")


def create_guest(accounts: Accounts) -> LogIn:
    """An account that nobody can log in to again: it has no password."""
    known = {person.name for person in accounts.people()}
    for number in range(1, 10_000):
        name = f"Guest {number}"
        if name in known:
            continue
        person = _create_player(accounts, name)
        if isinstance(person, Person):
            return accounts.log_in_as(person)
        if person is not AccountRefusal.NAME_TAKEN:  # else another guest was quicker
            break
    raise ApiError(503, "no_room")


def find_bot_account(accounts: Accounts, name: str) -> Person:
    """The account of an automatic player, the same one after a restart."""
    known = (person for person in accounts.people() if person.name == name)
    person = next(known, None) or _create_player(accounts, name)
    if isinstance(person, AccountRefusal):
        raise RuntimeError(f"{name}: {person.value}")
    return person


def _create_player(accounts: Accounts, name: str) -> Person | AccountRefusal:
    person = accounts.create(name, Role.PLAYER, None, clock.now())
    if isinstance(person, Person):
        accounts.deposit(person, PLAY_MONEY_CENTS, PLAY_MONEY_REASON, clock.now())
    return person
