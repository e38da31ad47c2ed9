"""Coming in and going out: log-in, log-out, who am I, and tickets for sockets."""

import asyncio
from collections.abc import Callable
from typing import Annotated, ParamSpec, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.house.people.accounts import MOST_FAILURES, Accounts, LogIn, NoEntry, Person, Role
from headsup.house.people.permissions import Act, may
from headsup.web.server.errors import ApiError
from headsup.web.server.security import COOKIE, Rates, same_origin
from headsup.web.server.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
router = APIRouter(prefix="/api", tags=["people"])
# Ten attempts at once from one address, then one in six seconds: guessing takes for ever.
_attempts = Rates(burst=10, per_second=1 / 6)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class LogInAsked(_Strict):
    """Name and password of an account."""

    name: str = Field(min_length=1, max_length=40)
    password: str = Field(min_length=1, max_length=256)


class PersonShown(_Strict):
    """Somebody who has come in; `wallet` is a player's money that is on no table, in dollars."""

    name: str
    role: Role
    wallet: str | None = Field(None, examples=["500.00"])


class TicketGiven(_Strict):
    ticket: str


def accounts_of(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def known_person(request: Request) -> Person | None:
    """The holder of the cookie, if there is one."""
    token = request.cookies.get(COOKIE, "")
    return await asyncio.to_thread(accounts_of(request).who, token) if token else None


async def person_of(request: Request) -> Person:
    """Who asks: the holder of the cookie, asking from one of our own pages."""
    if request.method != "GET" and not same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    person = await known_person(request)
    if person is None:
        raise ApiError(401, "not_logged_in")
    return person


Asker = Annotated[Person, Depends(person_of)]


def limited(request: Request) -> None:
    """For who has proved nothing yet: from one of our own pages, and not too often."""
    if not same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    address = request.client.host if request.client else ""
    if not _attempts.take(address):
        raise ApiError(429, "too_many_attempts")


def not_looked_too_often(request: Request, person: Person) -> None:
    """What every page asks for by itself, far less often than this."""
    if not request.app.state.look_rates.take(person.id):
        raise ApiError(429, "too_many_requests")


async def proving(request: Request, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What hashes or compares a password; raises where too many wait for that."""
    try:
        return await accounts_of(request).proving.run(work, *args, **kwargs)
    except Refused as refused:
        raise ApiError(503, refused.code.value, refused.message) from None


def allowed(person: Person, act: Act) -> None:
    """Raises where it is not for this person."""
    if not may(person, act):
        raise ApiError(403, "not_allowed", "that is not for you to ask")


@router.post("/login", response_model=PersonShown)
async def log_in(asked: LogInAsked, request: Request, response: Response) -> PersonShown:
    """Come in; the answer sets a cookie that proves it from then on."""
    limited(request)
    accounts = accounts_of(request)
    result = await proving(request, accounts.log_in, asked.name, asked.password)
    if result is NoEntry.LOCKED:
        locked = refusal(Code.LOCKED, most=MOST_FAILURES)
        raise ApiError(401, locked.code, locked.message)
    if isinstance(result, NoEntry):
        raise ApiError(401, result.value)
    give_cookie(response, result, settings_of(request))
    return await shown(request, result.person)


@router.post("/logout", status_code=204)
async def log_out(request: Request, response: Response, _: Asker) -> None:
    """Go; every socket that this log-in opened is closed, and no other."""
    token = request.cookies.get(COOKIE, "")
    await asyncio.to_thread(accounts_of(request).log_out, token)
    response.delete_cookie(COOKIE)


@router.get("/me", response_model=PersonShown)
async def me(request: Request, person: Asker) -> PersonShown:
    return await shown(request, person)


async def shown(request: Request, person: Person) -> PersonShown:
    wallet = None
    if person.role is Role.PLAYER:
        database = request.app.state.house.database
        wallet = format_cents(await asyncio.to_thread(database.wallet, person.name))
    return PersonShown(name=person.name, role=person.role, wallet=wallet)


def give_cookie(response: Response, entered: LogIn, settings: Settings, name: str = COOKIE) -> None:
    response.set_cookie(
        name, entered.token, httponly=True, samesite="strict", secure=settings.secure, path="/"
    )
