"""`headsup serve` from its start to its end, and what it refuses."""

import os
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.run import headsup, refused
from tests.web.serving import serving

SOON = 5  # seconds from a finished install to a table one can sit at


def test_tables_are_there_soon_and_again_after_a_restart(tmp_path: Path) -> None:
    before = os.times()
    for told in (signal.SIGTERM, signal.SIGINT):
        with (
            serving(tmp_path, "--demo") as (process, address),
            httpx.Client(base_url=address) as http,
        ):
            assert http.post("/api/demo").status_code == 200
            tables = http.get("/api/tables").json()
            process.send_signal(told)
            assert process.wait(20) == 0
        books = {table["rules"] for table in tables}
        assert books == {"galaxy", "new-york", "washington", "sugarhouse"}
    log = (tmp_path / "errors").read_text()
    assert log.count('"table opened"') == 4
    assert "Traceback" not in log
    # What the two starts took of one processor: how long a machine with nothing else to do needs.
    after = os.times()
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 2 * SOON


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} is not to be had" in refused(headsup("serve", "--port", port))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "casino.example"])
def test_the_demonstration_is_for_this_machine_alone(host: str) -> None:
    assert "this machine alone" in refused(headsup("serve", "--demo", "--host", host))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nothing", "is no database address"),
        ("mysql://me:secret@there/x", "SQLite or PostgreSQL"),
        ("sqlite:////nowhere/at/all.db", "unable to open"),
        ("postgresql://me:secret@127.0.0.1:1/x", "Connection refused"),
    ],
)
def test_an_unusable_database_is_one_sentence(address: str, words: str) -> None:
    sentence = refused(headsup("serve", "--port", 0, "--database", address))
    assert words in sentence
    assert "secret" not in sentence


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "headsup.web.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'headsup[server]'" in refused(headsup("serve"))
