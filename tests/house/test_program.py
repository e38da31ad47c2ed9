"""A26: a server is what it was when it started, or it begins nothing more."""

import asyncio
import json
from pathlib import Path

import pytest

from headsup.game.table.commands import OpenRound, Sit
from headsup.house import diary
from headsup.house.incidents import IncidentsWanted, listed
from headsup.house.program import Program, program_files, running_program
from headsup.house.store.notes import IncidentKind
from headsup.house.store.ownership import owners
from tests.databases import in_a_file
from tests.house.houses import FLOOR, opened
from tests.tables import opening
from tests.web.office import Office, office
from tests.web.test_protocol_http import APPROVAL, asked_by, said


def test_a26_one_byte_changed_in_each_file_in_turn_is_found(tmp_path: Path) -> None:
    """The program itself, copied."""
    here = Path(diary.__file__).parents[1]
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
    wanted = IncidentsWanted(IncidentKind.AUTHENTICATION_MISMATCH)
    return [one.what for one in listed(at.house.database, wanted)]


async def test_a26_a_program_that_was_changed_opens_no_table_and_no_round_and_finishes_the_rest(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as sue, asked_by(at, "Ada") as ada:
        path = own_program(at, tmp_path / "program")
        shown = (await ada.get("/api/program")).json()
        assert (shown["files"], shown["changed"]) == (1, [])
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


class Unlooked(Program):
    """A program whose files cannot be looked at, for whatever reason."""

    def changed(self) -> tuple[str, ...]:
        raise RuntimeError


async def test_a_look_at_the_program_that_fails_ends_no_tending_and_keeps_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diary, "CHECK_SECONDS", 0)
    database = in_a_file(tmp_path / "house.db")
    async with opened(database) as (house, host):
        assert FLOOR in owners(database)
        house.diary.program = Unlooked(tmp_path)
        for _ in range(2):  # the diary is written before a floor is taken again
            host.lose("a test")
            async with asyncio.timeout(60):
                assert await host.back()
    assert owners(database) == {}
    database.close()


async def test_a26_the_program_is_read_again_every_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at:
        own_program(at, tmp_path / "program").write_text("pays = 4")
        await at.house.diary.write()
        assert mismatches(at) == []
        monkeypatch.setattr(diary, "CHECK_SECONDS", 0)
        await at.house.diary.write()
        assert len(mismatches(at)) == 1
