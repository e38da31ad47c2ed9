"""HTTP clients of a house, what they send, and what they read."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx

from headsup.game.record.message_codec import write_command
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.people.person import LogIn
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.web.server.app import create_app
from headsup.web.server.security import SESSION_COOKIE
from headsup.web.server.settings import Settings
from tests.support.tables import opening
from tests.support.web.office import PASSWORD, Office

ADDRESS = "http://house.test"


APPROVAL = {"name": "Sue", "password": PASSWORD}


@asynccontextmanager
async def asked_by(at: Office, name: str, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client logged in under this name."""
    app = create_app(at.house, at.accounts, Settings("", "server"))
    entered = at.accounts.log_in_as(at.people[name])
    assert isinstance(entered, LogIn)
    cookies = {SESSION_COOKIE: entered.token}
    transport = httpx.ASGITransport(app)
    try:
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, cookies=cookies, headers=headers
        ) as http:
            yield http
    finally:
        await app.state.solver.stop()


def said(command: Any, id: str = "command-1", **more: Any) -> dict[str, Any]:
    return {"id": id, "command": write_command(command), **more}


@asynccontextmanager
async def stranger(at: Office) -> AsyncIterator[httpx.AsyncClient]:
    """A client that is not logged in."""
    app = create_app(at.house, at.accounts, Settings("", "server"))
    transport = httpx.ASGITransport(app)
    try:
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http:
            yield http
    finally:
        await app.state.solver.stop()


async def code(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json() if answer.content else {}
    return answer.status_code, body.get("error", {}).get("code", "")


def incidents(at: Office, kind: IncidentKind) -> list[Any]:
    return find_incidents(at.house.database, IncidentQuery(kind))


def cash(cents: int, id: str = "cash-0001", **more: Any) -> dict[str, Any]:
    return {"id": id, "cents": cents, **more}


async def got(at: Office, who: str, url: str, status: int = 200) -> Any:
    async with asked_by(at, who) as http:
        answer = await http.get(url)
        assert answer.status_code == status, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.text


REAL = replace(opening("galaxy"), shuffle=ShuffleSource.ENTERED)


async def posted(http: httpx.AsyncClient, url: str, **body: Any) -> tuple[int, Any]:
    answer = await http.post(url, json=body)
    return answer.status_code, answer.json()


def state(at: Office) -> tuple[object, ...]:
    database = at.house.database
    people = tuple((person.name, person.role, person.locked) for person in at.accounts.people())
    return at.host.journal.head, tuple(sorted(database.wallets().items())), people
