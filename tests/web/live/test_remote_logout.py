"""Logging out closes sockets on every server, and a seat is watched from one server at a time."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect

from headsup.game.record.message_codec import write_command
from headsup.game.table.seating import Sit
from headsup.game.words.catalogue import Catalogue
from headsup.house import clock
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Admission, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.schema import SESSIONS
from headsup.web.api import displays
from headsup.web.live import remote_logout
from headsup.web.live.client import Client
from headsup.web.live.handshake import serve_socket
from headsup.web.live.sockets import MAX_SOCKETS_PER_DISPLAY, Socket, Sockets
from headsup.web.server.operations import Metrics
from headsup.web.server.security import SESSION_COOKIE
from tests.support.postgres import PostgresServer
from tests.support.web.live_server import Live, live
from tests.support.web.office import TABLE, office
from tests.support.web.wires import SECONDS, hears

PASSWORD = "correct horse battery"
SIT = Sit(1, "Ann")


async def ended(client: Client) -> str:
    """The reason for which the server closed the client's socket."""
    await asyncio.wait([client._reader])
    return client.closed


async def test_a15_logging_out_closes_sockets_on_other_servers_by_signal(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_logout, "LOGIN_CHECK_SECONDS", 3600.0)  # never by the periodic check
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
        Client.demo(one.address) as ann,
        Client.demo(two.address) as bob,
    ):
        token = ann._http.cookies[SESSION_COOKIE]
        async with Client.holding(two.address, token) as there:
            await hears(two.house.database)
            while len(two.sockets.login_keys()) < 2:
                await asyncio.sleep(0.01)
            assert (await ann._http.post("/api/logout")).status_code == 204
            async with asyncio.timeout(SECONDS):
                assert await ended(there) == "logged_out"
                assert await ended(ann) == "logged_out"
        assert bob.closed == ""


async def test_a_ticket_opens_no_socket_after_its_holder_has_logged_out(tmp_path: Path) -> None:
    async with live(tmp_path) as there, Client.demo(there.address) as ann:
        ticket = (await ann._http.post("/api/ticket")).json()["ticket"]
        await ann._http.post("/api/logout")
        assert there.accounts.redeem_ticket(ticket, "table") is None


async def test_a_ticket_ends_with_its_log_in(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        ann = at.people["Ann"]
        desk, phone = (at.accounts.log_in_as(ann).token for _ in range(2))
        tickets = {at.accounts.ticket(ann, "table", token): token for token in (desk, phone)}
        at.accounts.log_out(desk)
        with at.house.database.read_connection() as connection:
            left = connection.execute(select(SESSIONS.c.under).where(SESSIONS.c.under != ""))
            assert len(left.all()) == 1
        redeemed = {tickets[one]: at.accounts.redeem_ticket(one, "table") for one in tickets}
        assert redeemed[desk] is None
        assert redeemed[phone] is not None


async def test_logging_out_while_a_ticket_is_redeemed_closes_the_socket(
    tmp_path: Path,
) -> None:
    """The log-out comes after redeeming the ticket and before the socket is registered."""
    async with office(tmp_path) as at:
        token = at.accounts.log_in_as(at.people["Ann"]).token
        ticket = at.accounts.ticket(at.people["Ann"], "table", token)
        sockets, metrics = Sockets(Metrics()), Metrics()
        heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        sent: list[str] = []

        async def send(message: Any) -> None:
            if message["type"] == "websocket.send":
                sent.append(message["text"])

        def redeem(ticket: str) -> Admission | None:
            admitted = at.accounts.redeem_ticket(ticket, "table")
            at.accounts.log_out(token)
            return admitted

        def made(wire: WebSocket, admitted: Admission, _: Catalogue) -> Socket:
            return Socket(
                *(wire, admitted.person, at.house, at.desk, sockets, metrics, admitted.login_digest)
            )

        sit = {"type": "ask", "id": "sit-down-1", "table": TABLE, "command": write_command(SIT)}
        heard.put_nowait({"type": "websocket.connect"})
        for said in ({"type": "hello", "protocol": 2, "ticket": ticket}, sit):
            heard.put_nowait({"type": "websocket.receive", "text": json.dumps(said)})
        wire = WebSocket({"type": "websocket", "headers": []}, heard.get, send)
        async with asyncio.timeout(SECONDS):
            await serve_socket(wire, redeem, made, sockets, at.accounts.live_tokens)
        assert [json.loads(one) for one in sent] == [{"type": "closing", "code": "logged_out"}]
        table = at.house.table(TABLE)
        assert table is not None
        assert table.players == {}


async def test_a_log_out_without_a_signal_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite has no signals, and the log-out happens in another process."""
    monkeypatch.setattr(remote_logout, "LOGIN_CHECK_SECONDS", 0.05)
    async with (
        live(tmp_path) as there,
        Client.demo(there.address) as ann,
        Client.demo(there.address) as bob,
    ):
        database = Database(f"sqlite:///{tmp_path / 'house.db'}")
        Accounts(database).log_out(ann._http.cookies[SESSION_COOKIE])
        database.close()
        async with asyncio.timeout(SECONDS):
            assert await ended(ann) == "logged_out"
        assert bob.closed == ""


async def test_logging_out_closes_only_this_log_ins_sockets(tmp_path: Path) -> None:
    async with live(tmp_path) as there:
        desk, phone = (staff(there, "Dee")[0], log_in(there, "Dee"))
        async with (
            Client.holding(there.address, desk) as at_desk,
            Client.holding(there.address, phone) as on_phone,
        ):
            ticket = (await on_phone._http.post("/api/ticket")).json()["ticket"]
            await at_desk._http.post("/api/logout")
            async with asyncio.timeout(SECONDS):
                assert await ended(at_desk) == "logged_out"
            assert (await on_phone._http.get("/api/me")).status_code == 200
            assert on_phone.closed == ""
            assert there.accounts.redeem_ticket(ticket, "table") is not None
            said = {"old": PASSWORD, "new": f"{PASSWORD} again"}
            async with Client.holding(there.address, log_in(there, "Dee")) as third:
                assert (await third._http.post("/api/password", json=said)).status_code == 204
                async with asyncio.timeout(SECONDS):
                    assert await ended(on_phone) == await ended(third) == "logged_out"


def log_in(server: Live, name: str) -> str:
    person = server.accounts.find_by_name(name)
    assert person is not None
    return server.accounts.log_in_as(person).token


@asynccontextmanager
async def display(server: Live, key: str) -> AsyncIterator[ClientConnection]:
    """A display opened with this link, after its welcome."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        ticket = (await http.post("/api/displays/ticket", json={"key": key})).json()["ticket"]
    async with connect(f"{server.address.replace('http', 'ws')}/ws", compression=None) as wire:
        await wire.send(json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}))
        assert json.loads(await wire.recv())["type"] == "welcome"
        yield wire


async def why_closed(wire: ClientConnection) -> str:
    async with asyncio.timeout(SECONDS):
        return str(json.loads(await wire.recv())["code"])


def staff(server: Live, name: str) -> tuple[str, str]:
    """The token of a log-in, and the key of a display link that this person made."""
    person = server.accounts.create(name, Role.DEALER, PASSWORD, clock.now())
    assert isinstance(person, Person)
    return server.accounts.log_in_as(person).token, server.accounts.display_key(person)


async def guess(server: Live, name: str, password: str = "not the password") -> str:
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        said = await http.post("/api/login", json={"name": name, "password": password})
    assert said.status_code == 401
    return str(said.json()["error"]["code"])


async def test_three_failures_lock_on_every_server_and_close_sockets_and_displays(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_logout, "LOGIN_CHECK_SECONDS", 3600.0)
    address = postgres.new_database()
    async with (
        live(tmp_path, address=address, name="one") as one,
        live(tmp_path, address=address, name="two") as two,
    ):
        (dee, of_dee), (_, of_dan) = staff(one, "Dee"), staff(one, "Dan")
        async with (
            Client.holding(two.address, dee) as there,
            display(two, of_dee) as screen,
            display(two, of_dan) as other,
        ):
            await hears(two.house.database)
            for server in (one, two, one):  # guesses are counted across servers
                assert await guess(server, "Dee") == "wrong_name_or_password"
            assert await guess(two, "Dee", PASSWORD) == "locked"
            assert await why_closed(screen) == "logged_out"
            async with asyncio.timeout(SECONDS):
                assert await ended(there) == "logged_out"
            await other.send('{"type": "ping"}')
            assert json.loads(await other.recv())["type"] == "pong"


async def test_a_display_outlives_its_makers_log_out_but_not_the_account(tmp_path: Path) -> None:
    async with live(tmp_path) as there:
        token, key = staff(there, "Dee")
        async with display(there, key) as screen:
            async with Client.holding(there.address, token) as dee:
                await dee._http.post("/api/logout")
                async with asyncio.timeout(SECONDS):
                    assert await ended(dee) == "logged_out"
            await screen.send('{"type": "ping"}')
            assert json.loads(await screen.recv())["type"] == "pong"
            person = there.accounts.find_by_name("Dee")
            assert person is not None
            await asyncio.to_thread(there.accounts.deactivate, person.id, "Ada")
            assert await why_closed(screen) == "logged_out"


async def test_a_link_opens_a_limited_number_of_displays_and_replaces_the_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(displays, "TICKET_BURST", 1000)
    async with live(tmp_path) as there, AsyncExitStack() as held:
        key, other = staff(there, "Dee")[1], staff(there, "Sue")[1]
        apart = await held.enter_async_context(display(there, other))
        screens = [
            await held.enter_async_context(display(there, key))
            for _ in range(MAX_SOCKETS_PER_DISPLAY)
        ]
        await held.enter_async_context(display(there, key))
        assert await why_closed(screens[0]) == "replaced"
        for screen in (apart, *screens[1:]):
            await screen.send('{"type": "ping"}')
            assert json.loads(await screen.recv())["type"] == "pong"
