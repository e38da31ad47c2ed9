"""Log-in and log-out, and the checks that other routes share: person, permission, rates."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, ParamSpec, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.game.words.catalogue import Catalogue
from headsup.game.words.languages import preferred_catalogue
from headsup.house.people.accounts import MAX_FAILED_LOGINS, Accounts
from headsup.house.people.permissions import Act, may
from headsup.house.people.person import AccountRefusal, LogIn, Person, Role
from headsup.house.people.rate_limits import address_group
from headsup.web.server.errors import ApiError
from headsup.web.server.security import SESSION_COOKIE, is_same_origin
from headsup.web.server.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
router = APIRouter(prefix="/api", tags=["people"])
# Ten attempts at once from one address, then one every six seconds: too slow to guess passwords.
ATTEMPT_BURST, ATTEMPTS_PER_SECOND = 10, 1 / 6


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class LoginRequest(StrictModel):
    """Name and password of an account."""

    name: str = Field(min_length=1, max_length=40)
    password: str = Field(min_length=1, max_length=256)


class PersonResponse(StrictModel):
    """The person logged in; `wallet` is a player's money that is not on a table, in dollars."""

    name: str
    role: Role
    wallet: str | None = Field(None, examples=["500.00"])


class TicketResponse(StrictModel):
    """A ticket, and the address of the socket that it opens."""

    ticket: str
    socket: str = Field(examples=["/ws", "/at/b/ws"])


def accounts_of(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def person_from_cookie(request: Request) -> Person | None:
    """The person logged in with the request's cookie, if any."""
    token = request.cookies.get(SESSION_COOKIE, "")
    return await asyncio.to_thread(accounts_of(request).person_for_token, token) if token else None


async def require_person(request: Request) -> Person:
    """The person logged in. Raises if there is none, or if a foreign page sends the request."""
    if request.method != "GET" and not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    person = await person_from_cookie(request)
    if person is None:
        raise ApiError(401, "not_logged_in")
    return person


CurrentPerson = Annotated[Person, Depends(require_person)]


def language_of(request: Request) -> Catalogue:
    """The catalogue for the browser's languages."""
    return preferred_catalogue(request.headers.get("accept-language", ""))


RequestLanguage = Annotated[Catalogue, Depends(language_of)]


def limit_login_attempts(request: Request) -> None:
    """Guard routes that need no log-in: same origin, and a rate limit per address."""
    if not is_same_origin(request, settings_of(request).origins):
        raise ApiError(403, "foreign_origin")
    address = address_group(request.client.host) if request.client else ""
    if not request.app.state.attempt_rates.take(address):
        raise ApiError(429, "too_many_attempts")


def limit_reads(request: Request, person: Person) -> None:
    """Guard routes that pages poll, with a limit far above their own rate."""
    if not request.app.state.read_rates.take(person.id):
        raise ApiError(429, "too_many_requests")


def limit_commands(request: Request, person: str) -> None:
    if not request.app.state.command_rates.take(person):
        raise ApiError(429, "too_many_commands")


async def run_in_password_pool(
    request: Request, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run work that hashes a password; raises if too many such requests are waiting."""
    try:
        return await accounts_of(request).password_pool.run(work, *args, **kwargs)
    except Refused as error:
        raise ApiError(503, error.code.value, error.message) from None


def require_permission(person: Person, act: Act) -> None:
    """Raises 403 if the person may not do this."""
    if not may(person, act):
        raise ApiError(403, "not_allowed", "you are not allowed to do this")


# What a route needs stands in its decorator: `dependencies=[needs(Act.SEE_BOOKS), READ_RATE]`.


def needs(act: Act) -> Any:
    """A dependency: the person logged in must be allowed to do this."""

    def check(person: CurrentPerson) -> None:
        require_permission(person, act)

    return Depends(check)


def _limit_commands(request: Request, person: CurrentPerson) -> None:
    limit_commands(request, person.id)


def _limit_reads(request: Request, person: CurrentPerson) -> None:
    limit_reads(request, person)


COMMAND_RATE = Depends(_limit_commands)  # of the person's commands and other costly requests
READ_RATE = Depends(_limit_reads)
LOGIN_RATE = Depends(limit_login_attempts)


@router.post("/login", response_model=PersonResponse, dependencies=[LOGIN_RATE])
async def log_in(body: LoginRequest, request: Request, response: Response) -> PersonResponse:
    """Log in; the answer sets a cookie."""
    accounts = accounts_of(request)
    result = await run_in_password_pool(request, accounts.log_in, body.name, body.password)
    if result is AccountRefusal.LOCKED:
        refused = refusal(Code.LOCKED, most=MAX_FAILED_LOGINS)
        raise ApiError(401, refused.code, refused.message)
    if isinstance(result, AccountRefusal):
        raise ApiError(401, result.value)
    give_cookie(response, result, settings_of(request))
    return await describe_person(request, result.person)


@router.post("/logout", status_code=204)
async def log_out(request: Request, response: Response, person: CurrentPerson) -> None:
    """Log out; the sockets that this log-in opened are closed."""
    token = request.cookies.get(SESSION_COOKIE, "")
    await asyncio.to_thread(accounts_of(request).log_out, token)
    response.delete_cookie(SESSION_COOKIE)
    demo = getattr(request.app.state, "demo", None)
    if demo is not None and person.role is Role.PLAYER:
        demo.departed.add(person.name)  # a guest has no password and cannot come back


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
    response: Response, login: LogIn, settings: Settings, name: str = SESSION_COOKIE
) -> None:
    response.set_cookie(
        name, login.token, httponly=True, samesite="strict", secure=settings.secure, path="/"
    )
