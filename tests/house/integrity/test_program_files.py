"""A26: a server is what it was when it started, or it begins nothing more."""

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
from headsup.game.table.commands import OpenRound, Sit
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
from headsup.house.store.projection_tables import IncidentKind
from tests.cli.run import headsup, refused
from tests.databases import in_a_file
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
    assert copied.changed() == ()
    for name in sorted(program_files(tmp_path))[::40]:
        path = tmp_path / name
        kept = path.read_bytes()
        path.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]) if kept else b"x")
        assert copied.changed() == (name,)
        path.write_bytes(kept)
    (tmp_path / "more.py").write_text("")
    assert copied.changed() == ("more.py",)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "more.bin").write_text("")
    (tmp_path / "more.py").rename(tmp_path / "version.py")
    assert copied.changed() == ("version.py",)


def own_program(at: Office, folder: Path) -> Path:
    """A program of one file that the house is made of; where it is."""
    folder.mkdir()
    path = folder / "rules.toml"
    path.write_text("pays = 3")
    at.house.diary.program = Program(folder)
    return path


def mismatches(at: Office) -> list[str]:
    wanted = IncidentQuery(IncidentKind.AUTHENTICATION_MISMATCH)
    return [one.what for one in find_incidents(at.house.database, wanted)]


async def test_a26_a_program_that_was_changed_opens_no_table_and_no_round_and_finishes_the_rest(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as sue, asked_by(at, "Ada") as ada:
        path = own_program(at, tmp_path / "program")
        shown = (await ada.get("/api/program")).json()
        assert (shown["files"], shown["changed"], shown["approved"]) == (1, [], False)
        path.write_text("pays = 4")
        table = {"floor": "F2", "table": "T2", "approval": {**APPROVAL, "name": "Sam"}}
        asked = said(opening("galaxy"), "opening-2", **table)
        refused = await sue.post("/api/tables", json=asked)
        assert (refused.status_code, refused.json()["code"]) == (503, "program_changed")
        assert "rules.toml" in refused.json()["message"]
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        assert (await ada.get("/api/program")).json()["changed"] == ["rules.toml"]
        await at.house.diary.write()
        (told,) = mismatches(at)
        assert json.loads(told)["changed"] == ["rules.toml"]
        path.write_text("pays = 3")
        opened = await sue.post("/api/tables", json={**asked, "id": "opening-3"})
        assert opened.json()["type"] == "answered"


def unreadable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a test that may read everything."""
    read = Path.read_bytes

    def reading(one: Path) -> bytes:
        if one == path:
            raise PermissionError(13, "Permission denied")
        return read(one)

    monkeypatch.setattr(Path, "read_bytes", reading)


async def test_a26_a_file_that_cannot_be_read_is_named_as_one_that_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as sue, asked_by(at, "Ada") as ada:
        unreadable(own_program(at, tmp_path / "program"), monkeypatch)
        shown = await ada.get("/api/program")
        assert (shown.status_code, shown.json()["changed"]) == (200, ["rules.toml"])
        table = {"floor": "F2", "table": "T2", "approval": {**APPROVAL, "name": "Sam"}}
        asked = said(opening("galaxy"), "opening-2", **table)
        refused = await sue.post("/api/tables", json=asked)
        assert (refused.status_code, refused.json()["code"]) == (503, "program_changed")
        assert "rules.toml" in refused.json()["message"]
        await at.house.diary.write()
        assert len(mismatches(at)) == 1


def test_a26_files_that_vanished_are_named_and_so_are_those_of_a_whole_folder(
    tmp_path: Path,
) -> None:
    (tmp_path / "books").mkdir()
    for name in ("one.py", "books/two.toml"):
        (tmp_path / name).write_text(name)
    program = Program(tmp_path)
    (tmp_path / "one.py").unlink()
    assert program.changed() == ("one.py",)
    (tmp_path / "one.py").symlink_to("one.py")  # leads nowhere
    (tmp_path / "books").rename(tmp_path / "__pycache__")
    assert program.changed() == ("books/two.toml", "one.py")


def signed(text: str, folder: Path) -> SignedManifest:
    """A list of files as a laboratory signs it, with a key of its own."""
    folder.mkdir(exist_ok=True)
    private = Ed25519PrivateKey.generate()
    pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "lab.pem").write_bytes(pem)
    (folder / "list").write_text(text)
    (folder / "list.sig").write_bytes(private.sign(text.encode()))
    return SignedManifest(folder / "list", folder / "lab.pem")


def test_a26_a_list_of_files_counts_as_it_was_signed_and_no_other(tmp_path: Path) -> None:
    files = {"one.py": "a" * 64, "books/my house.toml": "b" * 64}
    good = signed(manifest_text(files), tmp_path)
    assert good.files() == files
    for file in (good.path, good.path.with_name("list.sig")):
        kept = file.read_bytes()
        for at in range(0, len(kept), 16):  # a bit in each part of it
            file.write_bytes(kept[:at] + bytes([kept[at] ^ 1]) + kept[at + 1 :])
            with pytest.raises(Refused, match="not the signature"):
                good.files()
        file.write_bytes(kept)
    assert good.files() == files
    other = signed(manifest_text(files), tmp_path / "other")
    with pytest.raises(Refused, match="not the signature"):
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
            signed(text, tmp_path).files()


async def test_a26_a_program_that_nobody_has_approved_opens_no_table_and_no_round_from_its_start(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        path = own_program(at, tmp_path / "program")
        good = signed(manifest_text(program_files(path.parent)), tmp_path / "lab")
        path.write_text("pays = 4")
        at.house.diary.program = Program(path.parent, good.files)
        await at.house.diary.check_program()
        refused = at.house.diary.forbids(OpenRound())
        assert refused is not None
        assert "not the one that was approved (rules.toml)" in refused.message
        assert await at.code("Dee", OpenRound()) == "program_changed"
        await at.does("Ann", Sit(1, "Ann"))  # what was begun goes on
        path.write_text("pays = 3")
        at.house.diary.program = Program(path.parent, good.files)
        assert await at.house.diary.authenticate() == ()
        assert at.house.diary.forbids(OpenRound()) is None
        good.path.with_name("list.sig").write_bytes(b"")
        assert await at.house.diary.authenticate() == ("the signed list of files",)


def test_a26_the_list_is_printed_compared_and_held_against_what_is_served(tmp_path: Path) -> None:
    printed = headsup("manifest").out
    assert printed == manifest_text(program_files())
    assert headsup("manifest", "--json").json == program_files()
    good = signed(printed, tmp_path)
    checking = "manifest", "--check", good.path, "--key", good.key
    answer = headsup(*checking)
    assert (answer.code, answer.err) == (0, "")
    assert f"as approved by {good.signer()}" in answer.out
    other = signed(printed.replace("0", "1", 1), tmp_path)
    answer = headsup(*checking)
    assert answer.code == 1
    assert answer.out.startswith("NOT APPROVED: ")
    found = headsup(*checking, "--json").json
    assert (found["approved"], found["signer"], len(found["changed"])) == (False, other.signer(), 1)
    other.path.write_text(printed)
    serving = "serve", "--approved", other.path, "--key", other.key
    assert "is not the signature" in refused(headsup(*serving))
    assert "only with --key" in refused(headsup("serve", "--approved", other.path))


def test_a26_a_link_in_the_program_is_named_wherever_it_leads(tmp_path: Path) -> None:
    """Python imports a folder before the module of its name."""
    folder, other = tmp_path / "program", tmp_path / "other"
    for place in (folder, other):
        place.mkdir()
    (folder / "rules.py").write_text("PAYS = 3\n")
    (other / "__init__.py").write_text("PAYS = 4\n")
    good = signed(manifest_text(program_files(folder)), tmp_path / "lab")
    assert Program(folder, good.files).changed() == ()
    for name, target in (
        ("rules", other),
        ("more.py", tmp_path / "nothing"),
        ("null", "/dev/zero"),
    ):
        link = folder / name
        program = Program(folder, good.files)
        link.symlink_to(target)
        assert program.changed() == (name,)
        assert Program(folder).changed() == ()  # it was there at the start
        assert Program(folder, good.files).changed() == (name,)
        link.unlink()


def test_a26_compiled_code_beside_the_files_is_named_as_one_of_them(tmp_path: Path) -> None:
    program = Program(tmp_path)
    (tmp_path / "more.pyc").write_bytes(b"")
    assert program.changed() == ("more.pyc",)


def kept(path: Path, code: CodeType, flags: int = 0) -> Path:
    """What Python keeps of a file, with a head that is right."""
    stat, to = path.stat(), Path(cache_from_source(path))
    numbers = (flags, *((int(stat.st_mtime), stat.st_size) if not flags else (0, 0)))
    head = MAGIC_NUMBER + b"".join(one.to_bytes(4, "little") for one in numbers)
    to.parent.mkdir(exist_ok=True, parents=True)
    to.write_bytes(head + marshal.dumps(code))
    return to


def test_a26_kept_code_that_is_not_what_its_file_says_is_named_where_a_list_is_held_against_it(
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
    good = signed(manifest_text(program_files(folder)), tmp_path / "lab")
    program = Program(folder, good.files)
    cache = kept(path, own)
    named = (cache.relative_to(folder).as_posix(),)
    right = cache.read_bytes()
    assert program.changed() == ()
    (inner, *_) = (one for one in own.co_consts if isinstance(one, CodeType))
    uncaught = inner.replace(co_exceptiontable=b"")
    for forged in (
        compile(path.read_text().replace("3", "5"), "rules.py", "exec"),
        own.replace(co_consts=tuple(uncaught if one is inner else one for one in own.co_consts)),
    ):
        for flags in (0, 1):  # by time and size, and without any look at the file
            kept(path, forged, flags)
            assert program.changed() == named
            assert Program(folder).changed() == ()
    for odd in (b"", right[:8], right[:20], right[:16] + b"\xff", right[:16] + marshal.dumps(3)):
        cache.write_bytes(odd)
        assert program.changed() == named
    cache.write_bytes(right[:8] + b"\0\0\0\0" + right[12:16] + b"of another time: not run")
    assert program.changed() == ()
    cache.unlink()
    cache.mkdir()
    assert program.changed() == named


class Unlooked(Program):
    """A program whose files cannot be looked at, for whatever reason."""

    def changed(self) -> tuple[str, ...]:
        raise RuntimeError


async def test_a_look_at_the_program_that_fails_ends_no_tending_and_keeps_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_events, "CHECK_SECONDS", 0)
    database = in_a_file(tmp_path / "house.db")
    async with opened(database) as (house, host):
        assert FLOOR in read_owners(database)
        house.diary.program = Unlooked(tmp_path)
        for _ in range(2):  # the diary is written before a floor is taken again
            host.lose("a test")
            async with asyncio.timeout(60):
                assert await host.back()
    assert read_owners(database) == {}
    database.close()


async def test_a26_the_program_is_read_again_every_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at:
        own_program(at, tmp_path / "program").write_text("pays = 4")
        await at.house.diary.write()
        assert mismatches(at) == []
        monkeypatch.setattr(system_events, "CHECK_SECONDS", 0)
        await at.house.diary.write()
        assert len(mismatches(at)) == 1
