"""`headsup serve` from its start to its end, and what it refuses."""

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
from websockets.asyncio.client import connect

from headsup.house.integrity.program_files import manifest_text, program_files
from headsup.house.store.engine import database_location
from headsup.house.store.file_lock import FileLock
from headsup.web.client import Client
from tests.cli.run import headsup, refused
from tests.house.integrity.test_program_files import signed
from tests.web.serving import HEADSUP, serving

SOON = 5  # seconds from a finished install to a table one can sit at


@pytest.mark.slow(seconds=5)
def test_tables_are_there_soon_and_again_after_a_restart(tmp_path: Path) -> None:
    """Ended each time while the solver warms up beside them."""
    before = os.times()
    for told in (signal.SIGTERM, signal.SIGINT):
        with (
            serving(tmp_path, "--demo") as (process, address),
            httpx.Client(base_url=address, timeout=30) as http,
        ):
            assert http.post("/api/demo").status_code == 200
            tables = http.get("/api/tables").json()
            process.send_signal(told)
            assert process.wait(60) == 0
        books = {table["rules"] for table in tables}
        assert books == {"galaxy", "new-york", "washington", "sugarhouse"}
    log = (tmp_path / "errors").read_text()
    assert log.count('"table opened"') == 4
    assert "Traceback" not in log
    # What the two starts took of one processor: how long a machine with nothing else to do needs.
    after = os.times()
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 2 * SOON


@pytest.mark.slow(seconds=3)
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_make_run_ends_with_its_server(tmp_path: Path, told: signal.Signals) -> None:
    """Its output ends when nobody can write there any more: neither make nor the server."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with subprocess.Popen(
        ["make", "run", "STAMP=", f"BIN={Path(sys.executable).parent}", "PORT=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**outside, "XDG_DATA_HOME": str(tmp_path), "HEADSUP_CACHE_DIR": str(tmp_path)},
        start_new_session=True,
    ) as make:
        assert make.stdout is not None
        address = make.stdout.readline().split()[-1]
        assert httpx.get(f"{address}/health").status_code == 200
        # Ctrl-C is for all at the terminal; of a program, the signal may be for make alone.
        (os.killpg if told is signal.SIGINT else os.kill)(make.pid, told)
        make.communicate(timeout=60)
        assert make.returncode in (0, 2, -told)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health")


def test_where_everything_is_kept_is_said_at_the_start(tmp_path: Path) -> None:
    """A relative path is told whole: who looks for the file may be in another folder."""
    with subprocess.Popen(
        [*HEADSUP, "serve", "--demo", "--port", "0", "--database", "sqlite:///here.db"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HEADSUP_CACHE_DIR": str(tmp_path / "cache")},
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline().strip() for _ in range(4)]
        process.kill()
    assert said[0].startswith("headsup serves tables at http://127.0.0.1:")
    assert said[1:] == [
        f"Everything is kept in {tmp_path / 'here.db'}",
        "This is a new demonstration: nothing was kept there before.",
        "Open it in a browser and sit down; Ctrl-C ends it.",
    ]


@pytest.mark.slow(seconds=4)
def test_what_is_new_is_said_and_what_is_another_houses_is_refused(tmp_path: Path) -> None:
    """By a house or a file of anchors that is new, a mistyped name is noticed."""
    anchors, new = tmp_path / "anchors", "This is a new house: nothing was kept there before."
    begun = f"A new file of anchors is begun: {anchors}"
    for lines in ([begun, new], ["No administrator can come in."]):
        with serving(tmp_path, "--anchors", str(anchors)) as (process, _):
            assert process.stdout is not None
            for line in lines:
                assert process.stdout.readline().startswith(line)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    other = f"sqlite:///{tmp_path / 'other.db'}"
    words = ("serve", "--port", 0, "--database", other, "--anchors")
    said = refused(headsup(*words, anchors))
    assert f"{anchors}: these anchors are of a house, and nothing is kept in the database" in said
    (tmp_path / "elsewhere").mkdir()
    with serving(tmp_path / "elsewhere", "--anchors", str(tmp_path / "others")) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    here = f"sqlite:///{tmp_path / 'house.db'}"
    before = (tmp_path / "others").read_bytes()
    assert before
    said = refused(headsup("serve", "--database", here, "--anchors", tmp_path / "others"))
    assert "these anchors are of another house than the database" in said
    assert (tmp_path / "others").read_bytes() == before


@pytest.mark.parametrize(
    "hidden", ["me:secret@db.example/house", "db.example/house?password=secret"]
)
def test_where_everything_is_kept_is_said_without_a_password(hidden: str) -> None:
    assert database_location(f"postgresql://{hidden}") == "postgresql://db.example/house"


@pytest.mark.slow(seconds=40)
async def test_the_solver_warms_up_beside_the_tables_and_automatic_players_end_up_with_it(
    tmp_path: Path,
) -> None:
    """The cache is empty: compiling takes half a minute, and nobody waits for it."""
    with serving(tmp_path, "--demo") as (process, address):
        async with (
            Client.demo(address) as ann,
            httpx.AsyncClient(base_url=address, timeout=30) as http,
            asyncio.timeout(600),
        ):
            await ann.watch("Galaxy", "rail")
            async for news in ann.news():  # a whole round without it
                if any(event["event"] == "RoundClosed" for event in news.events):
                    break
            here = (await http.get("/api/here")).json()
            assert here["automatic_players"] in ("warming_up", "solved")
            async for _ in ann.news():
                here = (await http.get("/api/here")).json()
                if here["automatic_players"] == "solved":
                    break
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


async def test_who_is_connected_is_told_that_the_server_stops(tmp_path: Path) -> None:
    with serving(tmp_path, "--demo") as (process, address):
        async with httpx.AsyncClient(base_url=address, timeout=30) as http, asyncio.timeout(60):
            (await http.post("/api/demo")).raise_for_status()
            ticket = (await http.post("/api/ticket")).json()["ticket"]
            async with connect(f"{address.replace('http', 'ws', 1)}/ws") as wire:
                await wire.send(json.dumps({"type": "hello", "ticket": ticket}))
                assert json.loads(await wire.recv())["type"] == "welcome"
                process.send_signal(signal.SIGTERM)
                told = [json.loads(text) async for text in wire]
        assert told == [{"type": "closing", "code": "server_stops"}]
        assert await asyncio.to_thread(process.wait, 60) == 0


def test_a_demonstration_that_nobody_approved_starts_without_tables_and_says_why(
    tmp_path: Path,
) -> None:
    files = program_files()
    whole = signed(manifest_text(files), tmp_path / "whole")
    del files["version.py"]
    short = signed(manifest_text(files), tmp_path / "short")
    for approved, tables in ((short, 0), (whole, 4)):
        held = ("--demo", "--approved", str(approved.path), "--key", str(approved.key))
        with (
            serving(tmp_path, *held) as (process, address),
            httpx.Client(base_url=address, timeout=30) as http,
        ):
            assert http.post("/api/demo").status_code == 200
            assert len(http.get("/api/tables").json()) == tables
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        log = (tmp_path / "errors").read_text()
        assert log.count('"no table is opened"') == 4
        assert "not the one that was approved (version.py)" in log
        assert log.count('"table opened"') == tables
        assert "Traceback" not in log


@pytest.mark.slow
def test_a_server_that_cannot_say_where_it_is_ends_with_everything_done(tmp_path: Path) -> None:
    """Standard output is full: one sentence, and the floors are free for the next server."""
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
        "headsup: the answer cannot be written: No space left on device"
    )


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(headsup("serve", "--port", port))
        assert said == (
            f"127.0.0.1 port {port} is not to be had: Address already in use; "
            "name another with --port (make run PORT=8500)"
        )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "casino.example"])
def test_the_demonstration_is_for_this_machine_alone(host: str) -> None:
    assert "this machine alone" in refused(headsup("serve", "--demo", "--host", host))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nothing", "is no database address"),
        ("mysql://me:secret@there/x", "SQLite or PostgreSQL"),
        ("sqlite:////nowhere/at/all.db", "No such file or directory"),
        ("postgresql://me:secret@127.0.0.1:1/x", "Connection refused"),
    ],
)
def test_an_unusable_database_is_one_sentence(address: str, words: str) -> None:
    sentence = refused(headsup("serve", "--port", 0, "--database", address))
    assert words in sentence
    assert "secret" not in sentence


def test_a_database_that_another_server_uses_is_one_sentence(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    claim = FileLock(tmp_path / "house.db")
    sentence = refused(headsup("serve", "--port", 0, "--database", address))
    claim.release()
    assert "is open in another server" in sentence


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "headsup.web.server.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'headsup[server]'" in refused(headsup("serve"))
