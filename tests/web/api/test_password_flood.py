"""A flood of log-in attempts is turned away, and play goes on."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest

from headsup.game.refusal import Code, Refused
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.people.passwords import (
    MAX_WAITING_PASSWORDS,
    THREADS,
    HashFunctions,
    PasswordPool,
    verify_password,
)
from headsup.web.api import login as coming_in
from tests.support.web.office import PASSWORD, Office, office
from tests.support.web.requests import APPROVAL, asked_by, code, stranger

SOON = 60  # seconds; no test measures speed with it
FEW = 2  # threads for all other work


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the rate limit per address: a flood comes from many addresses."""
    monkeypatch.setattr(coming_in, "ATTEMPT_BURST", 1000)


class Held:
    """A password check that waits until it is released."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()

    def matches(self, known: str, password: str) -> bool:
        self.begun.set()
        assert self.go.wait(SOON)
        return verify_password(known, password)


@asynccontextmanager
async def flooded(at: Office, http: httpx.AsyncClient) -> AsyncIterator[list[httpx.Response]]:
    """Fill the queue of password checks; the list holds the answers once the flood is over."""
    held, answers = Held(), list[httpx.Response]()
    at.accounts._hashing = HashFunctions(matches=held.matches)
    said = {"name": "Nobody", "password": "a guess"}
    asked = [
        asyncio.create_task(http.post("/api/login", json=said))
        for _ in range(THREADS + MAX_WAITING_PASSWORDS)
    ]
    try:
        room = at.accounts.password_pool._room
        async with asyncio.timeout(SOON):
            while room._value or not held.begun.is_set():
                await asyncio.sleep(0)
        yield answers
    finally:
        held.go.set()
        answers += await asyncio.gather(*asked)


async def test_a_log_in_is_refused_at_once_when_too_many_are_waiting(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, stranger(at) as http, asked_by(at, "Ada") as ada:
        async with flooded(at, http) as answers:
            log_in = {"name": "Dee", "password": PASSWORD}
            told = await http.post("/api/login", json=log_in)
            assert await code(told) == (503, "busy")
            assert told.json()["error"]["message"] == (
                "too many passwords are being checked right now; try again in a moment"
            )
            for client, url, asked in (
                (http, "/api/invitations", {"token": "x", "password": PASSWORD}),
                (http, "/api/first", {"token": "x", "name": "Eve", "password": PASSWORD}),
                (ada, "/api/password", {"old": PASSWORD, "new": "another good password"}),
                (ada, "/api/people", {"name": "Pia", "role": "player", "password": PASSWORD}),
                (ada, "/api/people/Dee/invitation", {"approval": APPROVAL}),
            ):
                assert await code(await client.post(url, json=asked)) == (503, "busy")
            assert await at.code("Dee", FreezeMeter(""), ("Sue", PASSWORD)) == "busy"
        assert {answer.status_code for answer in answers} == {401}
        assert (await http.post("/api/login", json=log_in)).status_code == 200


async def test_play_goes_on_while_all_password_threads_are_busy(tmp_path: Path) -> None:
    """Even with few threads for all other work."""
    with ThreadPoolExecutor(FEW) as shared:
        asyncio.get_running_loop().set_default_executor(shared)
        async with (
            office(tmp_path) as at,
            stranger(at) as http,
            asked_by(at, "Ann") as ann,
            flooded(at, http),
            asyncio.timeout(SOON),
        ):
            await asyncio.to_thread(at.house.database.floors)
            await at.does("Ann", Sit(1, "Ann"))
            await at.does("Ann", BuyIn(1, 10_000))
            assert (await ann.get("/api/me")).status_code == 200


async def test_failed_and_cancelled_password_checks_free_their_place() -> None:
    proving, go = PasswordPool(threads=1, waiting=1), Event()
    with pytest.raises(ZeroDivisionError):
        await proving.run(divmod, 1, 0)
    first = asyncio.create_task(proving.run(go.wait, SOON))
    second = asyncio.create_task(proving.run(go.wait, SOON))
    await asyncio.sleep(0)
    with pytest.raises(Refused) as full:
        await proving.run(go.wait)
    assert full.value.code is Code.BUSY
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    third = asyncio.create_task(proving.run(go.is_set))
    await asyncio.sleep(0)
    go.set()
    assert await first
    assert await third
