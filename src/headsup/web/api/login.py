"""Coming in and going out: log-in, log-out, who am I, and tickets for sockets."""

import asyncio
from collections.abc import Callable
from typing import Annotated, ParamSpec, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.house.people.accounts import (
    MAX_FAILED_LOGINS,
    AccountRefusal,
    Accounts,
    LogIn,
    Person,
    Role,
)
from headsup.house.people.permissions import Act, may
from headsup.web.server.errors import ApiError
from headsup.web.server.security import SESSION_COOKIE, RateLimiter, is_same_origin
from headsup.web.server.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
router = APIRouter(prefix="/api", tags=["people"])
# Ten attempts at once from one address, then one in six seconds: guessing takes for ever.
_attempts = RateLimiter(burst=10, per_second=1 / 6)


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class LoginRequest(StrictModel):
    """Name and password of an account."""

    name: str = Field(min_length=1, max_length=40)
    password: str = Field(min_length=1, max_length=256)


class PersonResponse(StrictModel):
    """Somebody who has come in; `wallet` is a player's money that is on no table, in dollars."""

    name: str
    role: Role
    wallet: str | None = Field(None, examples=["500.00"])


class TicketResponse(StrictModel):
    ticket: str


def accounts_of(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def person_from_cookie(request: Request) -> Person | None:
    """The holder of the cookie, if there is one."""
    token = request.cookies.get(SESSION_COOKIE, "")
    return await asyncio.to_thread(accounts_of(request).who, token) if token else None


async def require_person(request: Request) -> Person:
    """Who asks: the holder of the cookie, asking from one of our own pages."""
    if request.method != "GET" and not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    person = await person_from_cookie(request)
    if person is None:
        raise ApiError(401, "not_logged_in")
    return person


CurrentPerson = Annotated[Person, Depends(require_person)]


def limit_login_attempts(request: Request) -> None:
    """For who has proved nothing yet: from one of our own pages, and not too often."""
    if not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    address = request.client.host if request.client else ""
    if not _attempts.take(address):
        raise ApiError(429, "too_many_attempts")


def limit_reads(request: Request, person: Person) -> None:
    """What every page asks for by itself, far less often than this."""
    if not request.app.state.look_rates.take(person.id):
        raise ApiError(429, "too_many_requests")


async def run_in_password_pool(
    request: Request, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """What hashes or compares a password; raises where too many wait for that."""
    try:
        return await accounts_of(request).proving.run(work, *args, **kwargs)
    except Refused as refused:
        raise ApiError(503, refused.code.value, refused.message) from None


def require_permission(person: Person, act: Act) -> None:
    """Raises where it is not for this person."""
    if not may(person, act):
        raise ApiError(403, "not_allowed", "that is not for you to ask")


@router.post("/login", response_model=PersonResponse)
async def log_in(asked: LoginRequest, request: Request, response: Response) -> PersonResponse:
    """Come in; the answer sets a cookie that proves it from then on."""
    limit_login_attempts(request)
    accounts = accounts_of(request)
    result = await run_in_password_pool(request, accounts.log_in, asked.name, asked.password)
    if result is AccountRefusal.LOCKED:
        locked = refusal(Code.LOCKED, most=MAX_FAILED_LOGINS)
        raise ApiError(401, locked.code, locked.message)
    if isinstance(result, AccountRefusal):
        raise ApiError(401, result.value)
    give_cookie(response, result, settings_of(request))
    return await describe_person(request, result.person)


@router.post("/logout", status_code=204)
async def log_out(request: Request, response: Response, _: CurrentPerson) -> None:
    """Go; every socket that this log-in opened is closed, and no other."""
    token = request.cookies.get(SESSION_COOKIE, "")
    await asyncio.to_thread(accounts_of(request).log_out, token)
    response.delete_cookie(SESSION_COOKIE)


@router.get("/me", response_model=PersonResponse)
async def me(request: Request, person: CurrentPerson) -> PersonResponse:
    return await describe_person(request, person)


async def describe_person(request: Request, person: Person) -> PersonResponse:
    wallet = None
    if person.role is Role.PLAYER:
        database = request.app.state.house.database
        wallet = format_cents(await asyncio.to_thread(database.wallet, person.name))
    return PersonResponse(name=person.name, role=person.role, wallet=wallet)


def give_cookie(
    response: Response, entered: LogIn, settings: Settings, name: str = SESSION_COOKIE
) -> None:
    response.set_cookie(
        name, entered.token, httponly=True, samesite="strict", secure=settings.secure, path="/"
    )
