"""`headsup serve` from start to end, and what it refuses."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy import make_url
from websockets.asyncio.client import connect

from headsup.house import clock
from headsup.house.house import House
from headsup.house.integrity.program_files import manifest_text, program_files
from headsup.house.people.accounts import Accounts
from headsup.house.store.engine import database_location
from headsup.house.store.sqlite_file import FileLock
from headsup.web.demo.tables import DEMO_TABLES
from headsup.web.live.client import Client
from headsup.web.server import server
from headsup.web.server.app import create_app
from headsup.web.server.settings import Settings
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.databases import sqlite_database
from tests.support.house.houses import write_manifest
from tests.support.postgres import PostgresServer, running_server
from tests.support.web.serving import ANNOUNCED, HEADSUP, serving

SOON = 5  # seconds from the start to a table one can sit down at


@pytest.mark.slow(seconds=5)
def test_tables_open_soon_and_again_after_a_restart(tmp_path: Path) -> None:
    """Stopped each time while the solver is warming up."""
    before = os.times()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        with (
            serving(tmp_path, "--demo") as (process, address),
            httpx.Client(base_url=address, timeout=30) as http,
        ):
            assert http.post("/api/demo").status_code == 200
            tables = http.get("/api/tables").json()
            process.send_signal(stop_signal)
            assert process.wait(60) == 0
        books = {table["rules"] for table in tables}
        assert books == {"galaxy", "galaxy-wpt", "new-york", "washington", "sugarhouse"}
    log = (tmp_path / "errors").read_text()
    assert log.count('"table opened"') == 5
    assert "Traceback" not in log
    # The processor time of both starts: what they take on an idle machine.
    after = os.times()
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 2 * SOON


@pytest.mark.slow(seconds=3)
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_make_run_ends_with_its_server(tmp_path: Path, told: signal.Signals) -> None:
    """Its output ends when neither make nor the server can write to it any more."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with subprocess.Popen(
        ["make", "run", "RUNS=", f"BIN={Path(sys.executable).parent}", "PORT=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**outside, "XDG_DATA_HOME": str(tmp_path), "HEADSUP_CACHE_DIR": str(tmp_path)},
        start_new_session=True,
    ) as make:
        assert make.stdout is not None
        address = make.stdout.readline().split()[-1]
        assert httpx.get(f"{address}/health", timeout=30).status_code == 200
        # Ctrl-C at a terminal reaches all processes; a signal from a program may reach make only.
        (os.killpg if told is signal.SIGINT else os.kill)(make.pid, told)
        make.communicate(timeout=60)
        assert make.returncode in (0, 2, -told)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health")


def test_the_start_prints_where_data_is_stored(tmp_path: Path) -> None:
    """A relative path is printed as an absolute one."""
    with subprocess.Popen(
        [*HEADSUP, "serve", "--demo", "--port", "0", "--database", "sqlite:///here.db"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HEADSUP_CACHE_DIR": str(tmp_path / "cache")},
    ) as process:
        assert process.stdout is not None
        printed = [process.stdout.readline().strip() for _ in range(4)]
        process.kill()
    assert printed[0].startswith("headsup serves tables at http://127.0.0.1:")
    assert printed[1:] == [
        f"Data is stored in {tmp_path / 'here.db'}",
        "This is a new demonstration: the database was empty.",
        "Open it in a browser and sit down. Press Ctrl-C to stop.",
    ]


@pytest.mark.slow(seconds=4)
def test_new_databases_are_announced_and_those_of_another_house_refused(tmp_path: Path) -> None:
    """A new house or anchor file gives away a mistyped name."""
    anchors, new = tmp_path / "anchors", "This is a new house: the database was empty."
    begun = f"Starting a new anchor file: {anchors}"
    for lines in ([begun, new], ["There is no administrator yet."]):
        with serving(tmp_path, "--anchors", str(anchors)) as (process, _):
            assert process.stdout is not None
            for line in lines:
                assert process.stdout.readline().startswith(line)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    other = f"sqlite:///{tmp_path / 'other.db'}"
    words = ("serve", "--port", 0, "--database", other, "--anchors")
    message = refusal_sentence(headsup(*words, anchors))
    assert f"{anchors}: these anchors belong to a house, but the database is empty" in message
    (tmp_path / "elsewhere").mkdir()
    with serving(tmp_path / "elsewhere", "--anchors", str(tmp_path / "others")) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    here = f"sqlite:///{tmp_path / 'house.db'}"
    before = (tmp_path / "others").read_bytes()
    assert before
    message = refusal_sentence(
        headsup("serve", "--database", here, "--anchors", tmp_path / "others")
    )
    assert "these anchors belong to another house than the database" in message
    assert (tmp_path / "others").read_bytes() == before


@pytest.mark.parametrize(
    "hidden", ["me:secret@db.example/house", "db.example/house?password=secret"]
)
def test_the_database_location_is_printed_without_its_password(hidden: str) -> None:
    assert database_location(f"postgresql://{hidden}") == "postgresql://db.example/house"


@pytest.mark.slow(seconds=10)
async def test_automatic_players_and_coach_are_ready_when_the_first_page_is(tmp_path: Path) -> None:
    """On a machine where nothing was ever solved: their strategies come with the program."""
    with serving(tmp_path, "--demo") as (process, address):
        async with (
            Client.demo(address) as ann,
            httpx.AsyncClient(base_url=address, timeout=30) as http,
            asyncio.timeout(60),
        ):
            table = await ann.watch("Galaxy", "rail")
            async for moment in table.moments():
                if any(event["event"] == "RoundClosed" for event in moment.events):
                    break  # they have bet and decided
            here = (await http.get("/api/here")).json()
            assert here["automatic_players"] == "solved"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


class FailingHouse(House):
    """Takes its floors and then fails."""

    has_stopped = False

    async def start(self) -> None:
        await super().start()
        raise RuntimeError("the disk is full")

    async def stop(self) -> None:
        await super().stop()
        self.has_stopped = True


async def test_a_house_that_fails_to_start_is_stopped(tmp_path: Path) -> None:
    """Otherwise its floors stay taken until their leases expire."""
    database = sqlite_database(tmp_path / "house.db")
    house = FailingHouse(database, "server", clock.now)
    app = create_app(house, Accounts(database), Settings("", "server"))
    with pytest.raises(RuntimeError, match="disk is full"):
        async with app.router.lifespan_context(app):
            pass
    assert house.has_stopped
    database.close()


async def test_clients_are_told_that_the_server_stops(tmp_path: Path) -> None:
    with serving(tmp_path, "--demo") as (process, address):
        async with httpx.AsyncClient(base_url=address, timeout=30) as http, asyncio.timeout(60):
            (await http.post("/api/demo")).raise_for_status()
            ticket = (await http.post("/api/ticket")).json()["ticket"]
            async with connect(f"{address.replace('http', 'ws', 1)}/ws") as wire:
                await wire.send(json.dumps({"type": "hello", "protocol": 2, "ticket": ticket}))
                assert json.loads(await wire.recv())["type"] == "welcome"
                process.send_signal(signal.SIGTERM)
                messages = [json.loads(text) async for text in wire]
        assert messages == [{"type": "closing", "code": "server_stops"}]
        assert await asyncio.to_thread(process.wait, 60) == 0


@pytest.mark.slow(seconds=10)
def test_a_demonstration_that_nobody_approved_starts_without_tables_and_says_why(
    tmp_path: Path,
) -> None:
    files = program_files()
    whole = write_manifest(manifest_text(files), tmp_path / "whole")
    del files["version.py"]
    short = write_manifest(manifest_text(files), tmp_path / "short")
    for approved, tables in ((short, 0), (whole, len(DEMO_TABLES))):
        held = ("--demo", "--approved", str(approved))
        with (
            serving(tmp_path, *held) as (process, address),
            httpx.Client(base_url=address, timeout=30) as http,
        ):
            assert http.post("/api/demo").status_code == 200
            assert len(http.get("/api/tables").json()) == tables
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        log = (tmp_path / "errors").read_text()
        assert log.count('"table not opened"') == len(DEMO_TABLES)
        assert "not the approved one (version.py)" in log
        assert log.count('"table opened"') == tables
        assert "Traceback" not in log


@pytest.mark.slow
def test_a_server_that_cannot_print_its_address_stops_in_good_order(tmp_path: Path) -> None:
    """If standard output is full, it prints one sentence and releases its floors."""
    database = f"sqlite:///{tmp_path / 'house.db'}"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*HEADSUP, "serve", "--database", database, "--port", "0"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "headsup: cannot write the output: No space left on device"
    )


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refusal_sentence(headsup("serve", "--port", port))
        assert message == (
            f"cannot listen on 127.0.0.1 port {port}: Address already in use; "
            "name another port with --port (make run PORT=8500)"
        )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "casino.example"])
def test_the_demonstration_is_for_this_machine_only(host: str) -> None:
    assert "this machine only" in refusal_sentence(headsup("serve", "--demo", "--host", host))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nothing", "is not a database address"),
        ("mysql://me:secret@there/x", "SQLite or PostgreSQL"),
        ("sqlite:////nowhere/at/all.db", "No such file or directory"),
        ("postgresql://me:secret@127.0.0.1:1/x", "Connection refused"),
    ],
)
def test_an_unusable_database_is_one_sentence(
    address: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "DATABASE_WAIT_SECONDS", 0)
    sentence = refusal_sentence(headsup("serve", "--port", 0, "--database", address))
    assert words in sentence
    assert "secret" not in sentence


@pytest.mark.slow
def test_a_server_waits_for_its_database_and_says_so() -> None:
    """As after a power cut, when both start together."""
    with running_server() as postgres:
        address = postgres.new_database()
        postgres.stop()
        arguments = ["serve", "--port", "0", "--database", address]
        with subprocess.Popen(
            [*HEADSUP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stderr is not None
                assert process.stdout is not None
                line = process.stderr.readline()
                assert line.startswith("Waiting for the database at postgresql")
                assert "password" not in line
                postgres.start()
                assert process.stdout.readline().startswith(ANNOUNCED)
            finally:
                process.kill()


def test_a_wrong_answer_of_a_database_is_not_waited_for(postgres: PostgresServer) -> None:
    url = make_url(postgres.new_database()).set(database="no_such_database")
    address = url.render_as_string(hide_password=False)
    sentence = refusal_sentence(headsup("serve", "--port", 0, "--database", address))
    assert "does not exist" in sentence


def test_a_database_that_another_server_uses_is_one_sentence(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    claim = FileLock(tmp_path / "house.db")
    sentence = refusal_sentence(headsup("serve", "--port", 0, "--database", address))
    claim.release()
    assert "is in use by another server" in sentence


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "headsup.web.server.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'headsup[server]'" in refusal_sentence(headsup("serve"))
