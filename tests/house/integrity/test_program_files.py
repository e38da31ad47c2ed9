"""A26: a server whose program files changed opens no tables or rounds."""

import asyncio
import json
import marshal
import os
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from headsup.game.refusal import Refused
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Sit
from headsup.house.incidents import system_events
from headsup.house.incidents.significant_events import IncidentQuery, find_incidents
from headsup.house.integrity.manifest import SignedManifest
from headsup.house.integrity.program_files import (
    Program,
    manifest_text,
    program_files,
    running_program,
)
from headsup.house.store.ownership import read_owners
from headsup.house.store.projection_rows import IncidentKind
from tests.cli.run import headsup, refusal_sentence
from tests.databases import sqlite_database
from tests.house.houses import FLOOR, opened
from tests.tables import opening
from tests.web.live.test_protocol_http import APPROVAL, asked_by, said
from tests.web.office import Office, office


def test_a26_one_byte_changed_in_each_file_in_turn_is_found(tmp_path: Path) -> None:
    """The program itself, copied."""
    here = Path(system_events.__file__).parents[2]
    for name in program_files(here):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((here / name).read_bytes())
    copied = Program(tmp_path)
    assert copied.digest == running_program().digest
    assert copied.find_changed_files() == ()
    for name in sorted(program_files(tmp_path))[::40]:
        path = tmp_path / name
        original = path.read_bytes()
        path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]) if original else b"x")
        assert copied.find_changed_files() == (name,)
        path.write_bytes(original)
    (tmp_path / "more.py").write_text("")
    assert copied.find_changed_files() == ("more.py",)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "more.bin").write_text("")
    (tmp_path / "more.py").rename(tmp_path / "version.py")
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
        assert "rules.toml" in refused.json()["message"]
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        assert (await ada.get("/api/program")).json()["changed"] == ["rules.toml"]
        await at.house.incident_queue.flush()
        (details,) = mismatches(at)
        assert json.loads(details)["changed"] == ["rules.toml"]
        path.write_text("pays = 3")
        opened = await sue.post("/api/tables", json={**request, "id": "opening-3"})
        assert opened.json()["type"] == "answered"


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
        assert "rules.toml" in refused.json()["message"]
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


def sign_list(text: str, folder: Path) -> SignedManifest:
    """A list of files signed by a laboratory with its own key."""
    folder.mkdir(exist_ok=True)
    private = Ed25519PrivateKey.generate()
    pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "lab.pem").write_bytes(pem)
    (folder / "list").write_text(text)
    (folder / "list.sig").write_bytes(private.sign(text.encode()))
    return SignedManifest(folder / "list", folder / "lab.pem")


def test_a26_only_the_list_of_files_that_was_signed_is_valid(tmp_path: Path) -> None:
    files = {"one.py": "a" * 64, "books/my house.toml": "b" * 64}
    good = sign_list(manifest_text(files), tmp_path)
    assert good.files() == files
    for file in (good.path, good.path.with_name("list.sig")):
        original = file.read_bytes()
        for at in range(0, len(original), 16):  # a bit in each part of it
            file.write_bytes(original[:at] + bytes([original[at] ^ 1]) + original[at + 1 :])
            with pytest.raises(Refused, match="not this key's signature"):
                good.files()
        file.write_bytes(original)
    assert good.files() == files
    other = sign_list(manifest_text(files), tmp_path / "other")
    with pytest.raises(Refused, match="not this key's signature"):
        SignedManifest(good.path, other.key).files()
    with pytest.raises(Refused, match="not a public Ed25519 key"):
        SignedManifest(good.path, good.path).files()
    with pytest.raises(Refused, match="cannot be read"):
        SignedManifest(tmp_path / "nothing", good.key).files()
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    with pytest.raises(Refused, match="cannot be read: it is not a file"):
        SignedManifest(tmp_path / "pipe", good.key).files()
    for text in ("", "pays = 3\n", manifest_text(files) + "\n", manifest_text(files).upper()):
        with pytest.raises(Refused, match="not a list"):
            sign_list(text, tmp_path).files()


async def test_a26_an_unapproved_program_opens_no_table_and_no_round(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        path = own_program(at, tmp_path / "program")
        good = sign_list(manifest_text(program_files(path.parent)), tmp_path / "lab")
        path.write_text("pays = 4")
        at.house.incident_queue.program = Program(path.parent, good.files)
        await at.house.incident_queue.check_program()
        refused = at.house.incident_queue.refusal_for(OpenRound())
        assert refused is not None
        assert "not the approved one (rules.toml)" in refused.message
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        path.write_text("pays = 3")
        at.house.incident_queue.program = Program(path.parent, good.files)
        assert await at.house.incident_queue.check_files() == ()
        assert at.house.incident_queue.refusal_for(OpenRound()) is None
        good.path.with_name("list.sig").write_bytes(b"")
        assert await at.house.incident_queue.check_files() == ("the signed list of files",)


def test_a26_the_list_is_printed_and_compared_with_files_and_server(tmp_path: Path) -> None:
    printed = headsup("manifest").out
    assert printed == manifest_text(program_files())
    assert headsup("manifest", "--json").json == program_files()
    good = sign_list(printed, tmp_path)
    checking = "manifest", "--check", good.path, "--key", good.key
    answer = headsup(*checking)
    assert (answer.code, answer.err) == (0, "")
    assert f"match the list approved by {good.signer()}" in answer.out
    other = sign_list(printed.replace("0", "1", 1), tmp_path)
    answer = headsup(*checking)
    assert answer.code == 1
    assert answer.out.startswith("NOT APPROVED: ")
    report = headsup(*checking, "--json").json
    assert (report["approved"], report["signer"], len(report["changed"])) == (
        False,
        other.signer(),
        1,
    )
    other.path.write_text(printed)
    serving = "serve", "--approved", other.path, "--key", other.key
    assert "is not this key's signature" in refusal_sentence(headsup(*serving))
    assert "only with --key" in refusal_sentence(headsup("serve", "--approved", other.path))


def test_a26_a_symbolic_link_in_the_program_is_named(tmp_path: Path) -> None:
    """Python imports a folder rather than the module of the same name."""
    folder, other = tmp_path / "program", tmp_path / "other"
    for place in (folder, other):
        place.mkdir()
    (folder / "rules.py").write_text("PAYS = 3\n")
    (other / "__init__.py").write_text("PAYS = 4\n")
    good = sign_list(manifest_text(program_files(folder)), tmp_path / "lab")
    assert Program(folder, good.files).find_changed_files() == ()
    for name, target in (
        ("rules", other),
        ("more.py", tmp_path / "nothing"),
        ("null", "/dev/zero"),
    ):
        link = folder / name
        program = Program(folder, good.files)
        link.symlink_to(target)
        assert program.find_changed_files() == (name,)
        assert Program(folder).find_changed_files() == ()  # it was there at the start
        assert Program(folder, good.files).find_changed_files() == (name,)
        link.unlink()


def test_a26_compiled_code_beside_the_files_is_named(tmp_path: Path) -> None:
    program = Program(tmp_path)
    (tmp_path / "more.pyc").write_bytes(b"")
    assert program.find_changed_files() == ("more.pyc",)


def write_bytecode(path: Path, code: CodeType, flags: int = 0) -> Path:
    """Write bytecode for a file, with a valid header."""
    stat, to = path.stat(), Path(cache_from_source(path))
    numbers = (flags, *((int(stat.st_mtime), stat.st_size) if not flags else (0, 0)))
    head = MAGIC_NUMBER + b"".join(number.to_bytes(4, "little") for number in numbers)
    to.parent.mkdir(exist_ok=True, parents=True)
    to.write_bytes(head + marshal.dumps(code))
    return to


def test_a26_cached_bytecode_that_differs_from_its_source_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    folder = tmp_path / "program"
    folder.mkdir()
    path = folder / "rules.py"
    path.write_text(
        "def pays():\n    try:\n        return 3\n    except OSError:\n        return 4\n"
    )
    own = compile(path.read_bytes(), "rules.py", "exec")
    good = sign_list(manifest_text(program_files(folder)), tmp_path / "lab")
    program = Program(folder, good.files)
    cache = write_bytecode(path, own)
    named = (cache.relative_to(folder).as_posix(),)
    right = cache.read_bytes()
    assert program.find_changed_files() == ()
    (inner, *_) = (one for one in own.co_consts if isinstance(one, CodeType))
    uncaught = inner.replace(co_exceptiontable=b"")
    for forged in (
        compile(path.read_text().replace("3", "5"), "rules.py", "exec"),
        own.replace(co_consts=tuple(uncaught if one is inner else one for one in own.co_consts)),
    ):
        for flags in (0, 1):  # by time and size, and without any look at the file
            write_bytecode(path, forged, flags)
            assert program.find_changed_files() == named
            assert Program(folder).find_changed_files() == ()
    for odd in (b"", right[:8], right[:20], right[:16] + b"\xff", right[:16] + marshal.dumps(3)):
        cache.write_bytes(odd)
        assert program.find_changed_files() == named
    cache.write_bytes(right[:8] + b"\0\0\0\0" + right[12:16] + b"of another time: not run")
    assert program.find_changed_files() == ()
    cache.unlink()
    cache.mkdir()
    assert program.find_changed_files() == named


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
        assert FLOOR in read_owners(database)
        house.incident_queue.program = Unlooked(tmp_path)
        for _ in range(2):  # the diary is written before a floor is taken again
            host.halt("a test")
            async with asyncio.timeout(60):
                assert await host.wait_until_open()
    assert read_owners(database) == {}
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
