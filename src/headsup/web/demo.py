"""The demonstration: a newcomer sits down in one click, with play money.

Only where the server was started with `--demo`, and only for who asks from this very machine.
"""

import asyncio

from fastapi import APIRouter, Request, Response

from headsup.house import clock
from headsup.house.accounts import Accounts, LogIn, NoEntry, Person, Role
from headsup.web.errors import ApiError
from headsup.web.people import Asker, PersonShown, accounts_of, give_cookie, settings_of, shown
from headsup.web.security import Rates, same_origin

PLAY_MONEY = 100_000  # cents
_LOOPBACK = ("127.0.0.1", "::1", "testclient")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy asks for another
_guests = Rates(burst=40, per_second=1)

router = APIRouter(prefix="/api", tags=["demonstration"])


@router.post("/demo", response_model=PersonShown)
async def demo(request: Request, response: Response) -> PersonShown:
    """Come in as a guest with $1,000.00 of play money."""
    settings = settings_of(request)
    _check_demo(request)
    entered = await asyncio.to_thread(new_guest, accounts_of(request))
    give_cookie(response, entered, settings)
    return await shown(request, entered.person)


@router.post("/demo/money", response_model=PersonShown)
async def more_money(request: Request, person: Asker) -> PersonShown:
    """Another $1,000.00 of play money for a guest who has lost the last."""
    _check_demo(request)
    if person.role is Role.PLAYER:
        accounts = accounts_of(request)
        await asyncio.to_thread(accounts.deposit, person, PLAY_MONEY, "play_money", clock.now())
    return await shown(request, person)


def _check_demo(request: Request) -> None:
    settings = settings_of(request)
    address = request.client.host if request.client else ""
    through_proxy = any(header in request.headers for header in _FORWARDED)
    if not settings.demo or address not in _LOOPBACK or through_proxy:
        raise ApiError(403, "no_demonstration")
    if not same_origin(request, settings.origins):
        raise ApiError(403, "foreign_origin")
    if not _guests.take(address):
        raise ApiError(429, "too_many_attempts")


def new_guest(accounts: Accounts) -> LogIn:
    """An account that nobody can log in to again: it has no password."""
    known = {person.name for person in accounts.people()}
    for number in range(1, 10_000):
        name = f"Guest {number}"
        if name in known:
            continue
        person = _created(accounts, name)
        if isinstance(person, Person):
            return accounts.log_in_as(person)
        if person is not NoEntry.NAME_TAKEN:  # else another guest was quicker
            break
    raise ApiError(503, "no_room")


def automatic_player(accounts: Accounts, name: str) -> Person:
    """The account of an automatic player, the same one after a restart."""
    known = (person for person in accounts.people() if person.name == name)
    person = next(known, None) or _created(accounts, name)
    if isinstance(person, NoEntry):
        raise RuntimeError(f"{name}: {person.value}")
    return person


def _created(accounts: Accounts, name: str) -> Person | NoEntry:
    person = accounts.create(name, Role.PLAYER, None, clock.now())
    if isinstance(person, Person):
        accounts.deposit(person, PLAY_MONEY, "play_money", clock.now())
    return person
