"""A26: a server whose program files changed opens no tables or rounds."""

import asyncio
import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headsup.game.refusal import Refused
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Sit
from headsup.house.incidents import system_events
from headsup.house.integrity.program_files import (
    Program,
    manifest_text,
    program_files,
    read_manifest,
    running_program,
)
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.version import __version__
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.databases import sqlite_database
from tests.support.house.houses import lose_store, opened, write_manifest
from tests.support.tables import opening
from tests.support.web.office import Office, office
from tests.support.web.requests import APPROVAL, asked_by, said

PROGRAM_FOLDER = Path(system_events.__file__).parents[2]


def copy_program(to: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PROGRAM_FOLDER, to / "headsup", ignore=ignored))


@pytest.mark.slow(seconds=20)
def test_a26_one_byte_changed_in_each_file_in_turn_is_found(tmp_path: Path) -> None:
    folder = copy_program(tmp_path)
    copied, approved = Program(folder), Program(folder, approved=program_files(PROGRAM_FOLDER))
    assert copied.digest == running_program().digest
    for name in program_files(folder):
        path = folder / name
        original = path.read_bytes()
        path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]) if original else b"x")
        assert copied.find_changed_files() == (name,)
        assert approved.find_changed_files() == (name,)
        path.write_bytes(original)
    assert copied.find_changed_files() == approved.find_changed_files() == ()


def test_a26_changed_added_and_replaced_files_are_found(tmp_path: Path) -> None:
    """A byte here and there in the program, and files that were not there."""
    folder = copy_program(tmp_path)
    copied = Program(folder)
    for name in sorted(program_files(folder))[::40]:
        path = folder / name
        original = path.read_bytes()
        path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]) if original else b"x")
        assert copied.find_changed_files() == (name,)
        path.write_bytes(original)
    (folder / "more.py").write_text("")
    assert copied.find_changed_files() == ("more.py",)
    (folder / "more.py").rename(folder / "version.py")
    assert copied.find_changed_files() == ("version.py",)


def own_program(at: Office, folder: Path) -> Path:
    """Give the house a program of one file, and return its path."""
    folder.mkdir()
    path = folder / "rules.toml"
    path.write_text("pays = 3")
    at.house.incident_queue.program = Program(folder)
    return path


def mismatches(at: Office) -> list[str]:
    wanted = IncidentQuery(IncidentKind.AUTHENTICATION_MISMATCH)
    return [incident.what for incident in find_incidents(at.house.database, wanted)]


async def test_a26_a_changed_program_opens_no_table_and_no_round_but_finishes_the_rest(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as sue, asked_by(at, "Ada") as ada:
        path = own_program(at, tmp_path / "program")
        shown = (await ada.get("/api/program")).json()
        assert (shown["files"], shown["changed"], shown["approved"]) == (1, [], False)
        path.write_text("pays = 4")
        table = {"floor": "F2", "table": "T2", "approval": {**APPROVAL, "name": "Sam"}}
        request = said(opening("galaxy"), "opening-2", **table)
        refused = await sue.post("/api/tables", json=request)
        assert (refused.status_code, refused.json()["code"]) == (503, "program_changed")
        assert "rules.toml" in refused.json()["say"]
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        assert (await ada.get("/api/program")).json()["changed"] == ["rules.toml"]
        await at.house.incident_queue.flush()
        (details,) = mismatches(at)
        assert json.loads(details)["changed"] == ["rules.toml"]
        path.write_text("pays = 3")
        opened = await sue.post("/api/tables", json={**request, "id": "opening-3"})
        assert opened.json()["type"] == "reply"


def make_unreadable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file unreadable, even for root."""
    read = Path.read_bytes

    def reading(file: Path) -> bytes:
        if file == path:
            raise PermissionError(13, "Permission denied")
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", reading)


async def test_a26_an_unreadable_file_counts_as_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as sue, asked_by(at, "Ada") as ada:
        make_unreadable(own_program(at, tmp_path / "program"), monkeypatch)
        shown = await ada.get("/api/program")
        assert (shown.status_code, shown.json()["changed"]) == (200, ["rules.toml"])
        table = {"floor": "F2", "table": "T2", "approval": {**APPROVAL, "name": "Sam"}}
        request = said(opening("galaxy"), "opening-2", **table)
        refused = await sue.post("/api/tables", json=request)
        assert (refused.status_code, refused.json()["code"]) == (503, "program_changed")
        assert "rules.toml" in refused.json()["say"]
        await at.house.incident_queue.flush()
        assert len(mismatches(at)) == 1


def test_a26_missing_files_are_named_even_those_of_a_whole_folder(
    tmp_path: Path,
) -> None:
    (tmp_path / "books").mkdir()
    for name in ("one.py", "books/two.toml"):
        (tmp_path / name).write_text(name)
    program = Program(tmp_path)
    (tmp_path / "one.py").unlink()
    assert program.find_changed_files() == ("one.py",)
    (tmp_path / "one.py").symlink_to("one.py")  # leads nowhere
    (tmp_path / "books").rename(tmp_path / "__pycache__")
    assert program.find_changed_files() == ("books/two.toml", "one.py")


def test_a26_a_list_of_files_is_read_strictly(tmp_path: Path) -> None:
    files = {"one.py": "a" * 64, "books/my house.toml": "b" * 64}
    good = manifest_text(files)
    assert read_manifest(write_manifest(good, tmp_path)) == files
    for text in ("", "pays = 3\n", good + "\n", good.upper(), good.replace("  ", " ")):
        with pytest.raises(Refused, match="not a list"):
            read_manifest(write_manifest(text, tmp_path))
    with pytest.raises(Refused, match="cannot be read"):
        read_manifest(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    with pytest.raises(Refused, match="cannot be read: it is not a file"):
        read_manifest(tmp_path / "pipe")


async def test_a26_an_unapproved_program_opens_no_table_and_no_round(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        path = own_program(at, tmp_path / "program")
        approved = program_files(path.parent)
        path.write_text("pays = 4")
        at.house.incident_queue.program = Program(path.parent, approved)
        await at.house.incident_queue.check_program()
        refused = at.house.incident_queue.refusal_for(OpenRound())
        assert refused is not None
        assert "not the approved one (rules.toml)" in refused.message
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        path.write_text("pays = 3")
        at.house.incident_queue.program = Program(path.parent, approved)
        assert await at.house.incident_queue.check_files() == ()
        assert at.house.incident_queue.refusal_for(OpenRound()) is None


def test_a26_the_list_is_printed_and_compared_with_the_files(tmp_path: Path) -> None:
    printed = headsup("manifest").out
    assert printed == manifest_text(program_files())
    assert headsup("manifest", "--json").json == program_files()
    path = write_manifest(printed, tmp_path)
    answer = headsup("manifest", "--check", path)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"All {len(program_files())} files match {path}.\n"
    write_manifest(printed.replace("0", "1", 1), tmp_path)
    answer = headsup("manifest", "--check", path)
    assert answer.code == 1
    assert answer.out.startswith("NOT APPROVED: ")
    report = headsup("manifest", "--check", path, "--json").json
    assert (report["approved"], len(report["changed"])) == (False, 1)
    write_manifest("pays = 3", tmp_path)
    assert "is not a list" in refusal_sentence(headsup("serve", "--approved", path))


def test_a26_a_symbolic_link_in_the_program_is_named(tmp_path: Path) -> None:
    """Python imports a folder rather than the module of the same name."""
    folder, other = tmp_path / "program", tmp_path / "other"
    for place in (folder, other):
        place.mkdir()
    (folder / "rules.py").write_text("PAYS = 3\n")
    (other / "__init__.py").write_text("PAYS = 4\n")
    approved = program_files(folder)
    assert Program(folder, approved).find_changed_files() == ()
    for name, target in (
        ("rules", other),
        ("more.py", tmp_path / "nothing"),
        ("null", "/dev/zero"),
    ):
        link = folder / name
        program = Program(folder, approved)
        link.symlink_to(target)
        assert program.find_changed_files() == (name,)
        assert Program(folder).find_changed_files() == ()  # it was there at the start
        assert Program(folder, approved).find_changed_files() == (name,)
        link.unlink()


def test_a26_compiled_code_beside_the_files_is_named(tmp_path: Path) -> None:
    program = Program(tmp_path)
    (tmp_path / "more.pyc").write_bytes(b"")
    assert program.find_changed_files() == ("more.pyc",)


PRINT_VERSION = """
import os, sys
sys.path.insert(0, sys.argv[1])
from headsup.house.integrity.program_files import restart_without_bytecode
if sys.argv[2] == "restart":
    restart_without_bytecode()
from headsup.version import __version__
print(__version__, os.getpid(), sys.pycache_prefix)
"""


def forge_bytecode(source: Path, forged: str) -> None:
    """Write bytecode of other code, which Python takes for that of the source."""
    times, original = source.stat(), source.read_text()
    cached = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
    for text in (forged, original):
        source.write_text(text)
        os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
        if text is forged:
            py_compile.compile(str(source), str(cached))


@pytest.mark.parametrize("flags", [(), ("-I",)], ids=["", "isolated"])
def test_a26_an_approved_program_runs_no_bytecode_from_its_folder(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    source = copy_program(tmp_path) / "version.py"
    forge_bytecode(source, source.read_text().replace(f'"{__version__}"', f'"9{__version__[1:]}"'))
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    environment.pop("PYTHONPYCACHEPREFIX", None)

    def run(act: str) -> list[str]:
        command = [sys.executable, *flags, "-c", PRINT_VERSION, str(tmp_path), act]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            out, _ = process.communicate(timeout=60)
        return out.replace(str(process.pid), "PID").split()

    assert run("start")[0] != __version__  # the forgery works
    version, process, folder = run("restart")
    assert (version, process) == (__version__, "PID")
    assert folder.startswith(f"{tmp_path}/headsup-bytecode-PID-")
    assert list(tmp_path.glob("headsup-bytecode-*")) == []  # removed at the end


class Unlooked(Program):
    """A program whose files cannot be checked."""

    def find_changed_files(self) -> tuple[str, ...]:
        raise RuntimeError


async def test_a_failing_program_check_neither_stops_the_house_nor_its_hand_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_events, "CHECK_SECONDS", 0)
    database = sqlite_database(tmp_path / "house.db")
    async with opened(database) as (house, host):
        house.incident_queue.program = Unlooked(tmp_path)
        for _ in range(2):  # the diary is written before a floor is taken again
            lose_store(host)
            async with asyncio.timeout(60):
                assert await host.wait_until_open()
    database.close()


async def test_a26_the_program_is_read_again_every_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at:
        own_program(at, tmp_path / "program").write_text("pays = 4")
        await at.house.incident_queue.flush()
        assert mismatches(at) == []
        monkeypatch.setattr(system_events, "CHECK_SECONDS", 0)
        await at.house.incident_queue.flush()
        assert len(mismatches(at)) == 1
