"""A server for its own machine alone answers to no name that somebody made lead there."""

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
from tests.cli.run import headsup, refused
from tests.web.live_server import live
from tests.web.office import Office, office
from tests.web.serving import serving

EVIL = {"host": "evil.example:8433", "origin": "http://evil.example:8433"}


def asking(at: Office, settings: Settings) -> httpx.AsyncClient:
    app = create_app(at.house, at.accounts, settings)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8433")


async def test_a_page_that_was_led_here_reaches_no_door_and_no_training_file(
    tmp_path: Path,
) -> None:
    notebook = tmp_path / "training.jsonl"
    notebook.write_text("what the owner practised\n")
    settings = Settings("", "server", demo=True, notebook=str(notebook))
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
        assert "--public" not in error["message"]  # which a demonstration does not take
        assert notebook.read_text() == "what the owner practised\n"
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
async def test_a_house_of_this_machine_alone_is_asked_by_loopback_names(
    tmp_path: Path, host: str, status: int
) -> None:
    async with office(tmp_path) as at:
        async with asking(at, Settings("", "server", alone=True)) as http:
            answer = await http.get("/health", headers={"host": host})
        assert answer.status_code == status
        if status == 403:
            assert "--public" in answer.json()["error"]["message"]
        async with asking(at, Settings("", "server")) as http:  # a proxy names it as it likes
            assert (await http.get("/health", headers={"host": host})).status_code == 200


async def test_no_socket_is_opened_under_a_foreign_name(tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        port = urlsplit(server.address).port
        for name, opens in (("evil.example", False), ("localhost", True)):
            address, origin = f"ws://{name}:{port}/ws", {"Origin": f"http://{name}:{port}"}
            wire = connect(address, host="127.0.0.1", port=port, additional_headers=origin)
            if opens:
                async with wire:
                    continue
            with pytest.raises(InvalidStatus) as told:
                async with wire:
                    pass
            assert told.value.response.status_code == 403


@pytest.mark.slow
def test_a_server_that_was_started_for_this_machine_checks_who_is_asked_for(
    tmp_path: Path,
) -> None:
    """And the database in which it started is that of a house from then on."""
    with serving(tmp_path) as (_, address), httpx.Client(base_url=address, timeout=30) as http:
        assert http.get("/health").status_code == 200
        assert http.get("/health", headers=EVIL).status_code == 403
    there = f"sqlite:///{tmp_path / 'house.db'}"
    said = refused(headsup("serve", "--demo", "--port", 0, "--database", there))
    assert "a house is kept there: no place for --demo" in said


def test_a_house_says_what_to_do_where_a_demonstration_is_kept(tmp_path: Path) -> None:
    there = f"sqlite:///{tmp_path / 'played.db'}"
    played = Database(there)
    played.migrate()
    ensure_database_kind(played, True, "there", "now")
    played.close()
    said = refused(headsup("serve", "--port", 0, "--database", there))
    assert f"{there}: a demonstration with play money is kept there: serve it with --demo" in said
