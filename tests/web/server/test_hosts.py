"""A server for its own machine refuses foreign host names (DNS rebinding)."""

from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from headsup.house.integrity.database_kind import ensure_database_kind
from headsup.house.store.database import Database
from headsup.web.server.app import create_app
from headsup.web.server.settings import Settings
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.web.live_server import live
from tests.support.web.office import Office, office
from tests.support.web.serving import serving

EVIL = {"host": "evil.example:8433", "origin": "http://evil.example:8433"}


def asking(at: Office, settings: Settings) -> httpx.AsyncClient:
    app = create_app(at.house, at.accounts, settings)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8433")


async def test_a_rebound_page_reaches_no_route_and_no_training_file(
    tmp_path: Path,
) -> None:
    settings = Settings("", "server", demo=True)
    async with office(tmp_path) as at, asking(at, settings) as http:
        http.cookies.set("headsup", at.accounts.log_in_as(at.people["Ann"]).token)
        for verb, path in (
            ("POST", "/api/demo"),
            ("POST", "/api/demo/money"),
            ("POST", "/api/demo/staff"),
            ("GET", "/api/demo/second"),
            ("DELETE", "/api/training/notes"),
            ("GET", "/api/training/score"),
            ("GET", "/api/me"),
            ("GET", "/"),
        ):
            answer = await http.request(verb, path, headers=EVIL)
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (403, "foreign_host"), path
            assert "content-security-policy" in answer.headers
        assert error["message"].startswith("'evil.example:8433' is not this machine")
        assert "--public" not in error["message"]  # not available in a demonstration
        assert len(at.accounts.people()) == len(at.people)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LocalHost:8433", 200),
        ("127.0.0.1:8433", 200),
        ("127.0.1.1", 200),
        ("[::1]:8433", 200),
        ("[::1]", 200),
        ("", 403),
        ("evil.example", 403),
        ("localhost.evil.example:8433", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil@127.0.0.1", 403),
        ("127.0.0.1:8433:evil.example", 403),
        ("[::1].evil.example", 403),
        ("[127.0.0.1", 403),
        ("192.168.1.7:8433", 403),
        ("0.0.0.0:8433", 403),
    ],
)
async def test_a_house_for_this_machine_answers_only_to_loopback_names(
    tmp_path: Path, host: str, status: int
) -> None:
    async with office(tmp_path) as at:
        async with asking(at, Settings("", "server", loopback_only=True)) as http:
            answer = await http.get("/health", headers={"host": host})
        assert answer.status_code == status
        if status == 403:
            assert "--public" in answer.json()["error"]["message"]
        async with asking(at, Settings("", "server")) as http:  # a proxy may send any host name
            assert (await http.get("/health", headers={"host": host})).status_code == 200


async def test_no_socket_is_opened_under_a_foreign_host_name(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        port = urlsplit(server.address).port
        for name, opens in (("evil.example", False), ("localhost", True)):
            address, origin = f"ws://{name}:{port}/ws", {"Origin": f"http://{name}:{port}"}
            wire = connect(address, host="127.0.0.1", port=port, additional_headers=origin)
            if opens:
                async with wire:
                    continue
            with pytest.raises(InvalidStatus) as refusal:
                async with wire:
                    pass
            assert refusal.value.response.status_code == 403


@pytest.mark.slow
def test_a_server_started_for_this_machine_checks_the_host_name(
    tmp_path: Path,
) -> None:
    """And its database is marked as that of a house from then on."""
    with serving(tmp_path) as (_, address), httpx.Client(base_url=address, timeout=30) as http:
        assert http.get("/health").status_code == 200
        assert http.get("/health", headers=EVIL).status_code == 403
    there = f"sqlite:///{tmp_path / 'house.db'}"
    message = refusal_sentence(headsup("serve", "--demo", "--port", 0, "--database", there))
    assert "this database belongs to a house; --demo cannot use it" in message


def test_a_house_on_a_demo_database_says_what_to_do(tmp_path: Path) -> None:
    there = f"sqlite:///{tmp_path / 'played.db'}"
    played = Database(there)
    played.migrate()
    ensure_database_kind(played, True, "there", "now")
    played.close()
    message = refusal_sentence(headsup("serve", "--port", 0, "--database", there))
    assert (
        f"{there}: this database holds a demonstration's play money: serve it with --demo"
        in message
    )
