"""A server behind nginx with the configuration from the docs: pages, sockets, origins, cookies and
client addresses."""

import asyncio
import json
from collections.abc import Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from headsup.game.refusal import Code, Refused
from headsup.house import clock
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.web.server.settings import proxy_networks, public_origins
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.web.proxy import NAME, ORIGIN, nginx, proxied
from tests.support.web.serving import serving

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    nginx()
    folder = tmp_path_factory.mktemp("proxy")
    folder.chmod(0o755)
    database = Database(f"sqlite:///{folder / 'house.db'}")
    database.migrate()
    accounts = Accounts(database)
    assert isinstance(accounts.create("Ann", Role.PLAYER, PASSWORD, clock.now()), Person)
    database.close()
    with (
        serving(folder, "--public", ORIGIN, "--proxy", "127.0.0.1") as (_, address),
        proxied(folder, address) as proxy,
    ):
        yield proxy


def asking(proxy: str, source: str = "127.0.0.1") -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=source)
    headers = {"host": NAME, "origin": ORIGIN}
    return httpx.Client(base_url=proxy, transport=transport, headers=headers)


def log_in(http: httpx.Client, password: str, **headers: str) -> httpx.Response:
    body = {"name": "Ann" if password == PASSWORD else "Nobody", "password": password}
    return http.post("/api/login", json=body, headers=headers)


async def test_people_log_in_through_the_proxy_and_open_a_socket(behind: str) -> None:
    def come_in() -> str:
        with asking(behind, "127.0.0.5") as http:
            assert http.get("/").status_code == 200
            assert log_in(http, PASSWORD, origin="https://evil.example").status_code == 403
            entered = log_in(http, PASSWORD)
            assert entered.status_code == 200
            cookie = entered.headers["set-cookie"]
            assert "Secure" in cookie
            headers = {"cookie": cookie.partition(";")[0]}
            ticket = http.post("/api/ticket", headers=headers)
            assert ticket.status_code == 200
            return str(ticket.json()["ticket"])

    ticket = await asyncio.to_thread(come_in)
    address = f"{behind.replace('http', 'ws')}/ws"
    with pytest.raises(InvalidStatus):
        async with connect(address, origin="https://evil.example", additional_headers={}):  # type: ignore[arg-type]
            pass
    async with connect(address, origin=ORIGIN, compression=None) as wire:  # type: ignore[arg-type]
        await wire.send(json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}))
        assert json.loads(await wire.recv())["type"] == "welcome"


@pytest.mark.slow
def test_attempts_are_counted_by_the_real_client_address(behind: str) -> None:
    with asking(behind, "127.0.0.2") as guesser, asking(behind, "127.0.0.3") as other:
        statuses: list[int] = []
        while 429 not in statuses and len(statuses) < 60:  # one attempt is forgiven every 6 seconds
            forged = {"x-forwarded-for": f"10.1.1.{len(statuses)}"}
            statuses.append(log_in(guesser, "wrong wrong", **forged).status_code)
        assert set(statuses) == {401, 429}
        assert log_in(other, "wrong wrong").status_code == 401


@pytest.mark.slow
def test_operations_routes_are_not_reachable_through_the_proxy(behind: str) -> None:
    with asking(behind) as http:
        assert {http.get(path).status_code for path in ("/metrics", "/ready", "/health")} == {404}


@pytest.mark.parametrize(
    "address", ["tables.example", "ftp://tables.example", "https://tables.example/felt", "https://"]
)
def test_a_public_address_must_be_an_origin(address: str) -> None:
    with pytest.raises(Refused) as refusal:
        public_origins((address,))
    assert refusal.value.code is Code.BAD_ARGUMENTS


def test_a_proxy_must_be_an_address_or_a_network() -> None:
    good = ("127.0.0.1", "10.0.0.0/24", "::1", "fd00::/8")
    assert proxy_networks(good) == good
    for address in ("nonsense", "", "*", "10.0.0.1/24", "proxy.example", "10.0.0.0/33"):
        with pytest.raises(Refused) as refusal:
            proxy_networks((*good, address))
        assert refusal.value.code is Code.BAD_ARGUMENTS
    assert "nonsense" in refusal_sentence(headsup("serve", "--proxy", "nonsense"))


def test_the_demonstration_is_not_served_through_a_proxy() -> None:
    sentence = refusal_sentence(headsup("serve", "--demo", "--public", ORIGIN))
    assert "this machine only" in sentence
