"""The demonstration: a newcomer sits down in one click, with play money.

Only where the server was started with `--demo`, and only for who asks from this very machine.
"""

import asyncio
import secrets

from fastapi import APIRouter, Request, Response

from headsup.house import clock
from headsup.house.accounts import Accounts, LogIn, NoEntry, Person, Role
from headsup.web.errors import ApiError
from headsup.web.people import PersonShown, accounts_of, give_cookie, settings_of
from headsup.web.security import Rates, same_origin

PLAY_MONEY = 100_000  # cents
_LOOPBACK = ("127.0.0.1", "::1", "testclient")
_guests = Rates(burst=40, per_second=1)

router = APIRouter(prefix="/api", tags=["demonstration"])


@router.post("/demo", response_model=PersonShown)
async def demo(request: Request, response: Response) -> PersonShown:
    """Come in as a guest with $1,000.00 of play money."""
    settings = settings_of(request)
    address = request.client.host if request.client else ""
    if not settings.demo or address not in _LOOPBACK:
        raise ApiError(403, "no_demonstration")
    if not same_origin(request, settings.origins):
        raise ApiError(403, "foreign_origin")
    if not _guests.take(address):
        raise ApiError(429, "too_many_attempts")
    entered = await asyncio.to_thread(new_guest, accounts_of(request))
    give_cookie(response, entered, settings)
    return PersonShown(name=entered.person.name, role=entered.person.role)


def new_guest(accounts: Accounts, name: str = "Guest") -> LogIn:
    """An account that nobody can log in to again: its password is thrown away."""
    for number in range(1, 10_000):
        called = name if number == 1 else f"{name} {number}"
        person = accounts.create(called, Role.PLAYER, secrets.token_urlsafe(24), clock.now())
        if isinstance(person, Person):
            accounts.deposit(person, PLAY_MONEY, "play_money", clock.now())
            return accounts.log_in_as(person)
        if person is not NoEntry.NAME_TAKEN:
            break
    raise ApiError(503, "no_room")
