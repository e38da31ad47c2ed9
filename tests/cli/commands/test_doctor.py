"""`headsup doctor` finds what is wrong and says what to do."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from headsup.analysis.kernels.base import shipped_code
from headsup.cli.doctor import checks
from headsup.house.store.database import Database
from tests.support.cli.run import Answer, headsup


class Found(NamedTuple):
    code: int
    findings: dict[str, dict[str, str]]

    def state(self, what: str) -> str:
        return self.findings[what]["state"]

    def remedy(self, what: str) -> str:
        return self.findings[what]["remedy"]


def examine(folder: Path, *words: str, **environment: str) -> Found:
    folders = {"XDG_DATA_HOME": str(folder), "HEADSUP_CACHE_DIR": str(folder / "cache")}
    answer = headsup("doctor", "--json", *words, stdin=b"", **{**folders, **environment})
    assert answer.err == ""
    assert answer.json["well"] == (answer.code == 0)
    return Found(answer.code, {row["what"]: row for row in answer.json["findings"]})


def test_a_good_installation_is_well(tmp_path: Path) -> None:
    found = examine(tmp_path)
    assert found.code == 0
    for what in ("Python", "headsup", "extra server", "compiled code", "cache", "database"):
        assert found.state(what) == "good"
    assert all(row["remedy"] for row in found.findings.values() if row["state"] != "good")


def test_people_read_one_line_for_each_finding(tmp_path: Path) -> None:
    answer: Answer = headsup("doctor", HEADSUP_CACHE_DIR=str(tmp_path / "cache"))
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0].startswith("ok     Python")
    assert lines[-1] == "All is well."


def test_a_damaged_cache_is_found_and_left_alone(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    damaged = cache / "0123.strategy"
    damaged.write_bytes(b"not what was written")
    found = examine(tmp_path)
    assert (found.code, found.state("cache")) == (1, "wrong")
    assert damaged.name in found.findings["cache"]["text"]
    assert found.remedy("cache") == "headsup cache --clear"
    assert damaged.is_file()


def test_a_cache_that_nobody_can_write_is_wrong(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = examine(tmp_path, HEADSUP_CACHE_DIR=str(blocked))
    assert (found.code, found.state("cache")) == (1, "wrong")
    assert "HEADSUP_CACHE_DIR" in found.remedy("cache")


def test_a_full_disk_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MIN_FREE_BYTES", 1 << 62)
    found = examine(tmp_path)
    assert (found.code, found.state("data folder")) == (1, "wrong")


def test_damaged_compiled_code_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "linux-x86_64.code"
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr(shipped_code, "shipped_file", lambda: path)
    found = examine(tmp_path)
    assert (found.code, found.state("compiled code")) == (1, "wrong")
    assert "reinstall" in found.remedy("compiled code")


def test_a_processor_without_shipped_code_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_code, "shipped_file", lambda: None)
    found = examine(tmp_path)
    assert (found.code, found.state("compiled code")) == (0, "note")


def test_a_clock_before_the_program_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda: 1e9)
    found = examine(tmp_path)
    assert (found.code, found.state("clock")) == (1, "wrong")


def test_the_named_database_is_opened(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    missing = examine(tmp_path, "--database", address)
    assert (missing.code, missing.state("database")) == (1, "wrong")
    assert "no such file" in missing.findings["database"]["text"]
    database = Database(address)
    database.migrate()
    database.open_floor("main")
    database.close()
    found = examine(tmp_path, "--database", address)
    assert (found.code, found.state("database")) == (0, "good")
    assert "1 floor" in found.findings["database"]["text"]


def test_a_file_that_is_no_database_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    file.write_text("a letter")
    found = examine(tmp_path, "--database", f"sqlite:///{file}")
    assert (found.code, found.state("database")) == (1, "wrong")


class Server(http.server.BaseHTTPRequestHandler):
    """A server, or a proxy before it, that passes sockets on or does not."""

    passes_sockets = True

    def do_GET(self) -> None:
        is_socket = self.path == "/ws" and self.headers["Upgrade"] == "websocket"
        self.send_response(101 if is_socket and self.passes_sockets else 200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Deaf(Server):
    passes_sockets = False


@contextmanager
def serving(handler: type[Server]) -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_server_that_answers_is_well(tmp_path: Path) -> None:
    with serving(Server) as address:
        found = examine(tmp_path, "--public", address)
    assert found.code == 0
    assert found.state("server") == found.state("sockets") == "good"
    assert found.state("encryption") == "note"


def test_a_proxy_that_does_not_pass_sockets_on_is_wrong(tmp_path: Path) -> None:
    with serving(Deaf) as address:
        found = examine(tmp_path, "--public", address)
    assert (found.code, found.state("server"), found.state("sockets")) == (1, "good", "wrong")
    assert "Upgrade" in found.remedy("sockets")


@pytest.mark.parametrize("public", ["http://127.0.0.1:9", "tables.example", "ftp://tables.example"])
def test_a_server_that_does_not_answer_is_wrong(public: str, tmp_path: Path) -> None:
    found = examine(tmp_path, "--public", public)
    assert (found.code, found.state("server")) == (1, "wrong")
