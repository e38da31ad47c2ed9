"""Names that do not fit into a URL: refused for anything new, still readable in old logs."""

from pathlib import Path
from typing import Any

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.commands import Staff
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import AccountRefusal, Person, Role
from headsup.web.live.examples import OPENING
from tests.support.tables import opening
from tests.support.web.office import PASSWORD, office
from tests.support.web.requests import APPROVAL, asked_by

FOLDED = (".", "..")
DIVIDED = "T/2"


def wanted(floor: str, table: str) -> dict[str, Any]:
    said = {"command": write_command(OPENING), "approval": APPROVAL}
    return {"id": "opening-2", "floor": floor, "table": table, **said}


@pytest.mark.parametrize(
    ("floor", "table"),
    [("main", DIVIDED), *(("main", name) for name in FOLDED), *((name, "T2") for name in FOLDED)],
)
async def test_a_table_needs_a_name_that_fits_a_url(tmp_path: Path, floor: str, table: str) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        asked = wanted(floor, table)
        told = await http.post("/api/tables", json=asked)
        assert (told.status_code, told.json()["code"]) == (409, "bad_name")
        assert "not . or .." in told.json()["say"]
        tried = {key: asked[key] for key in ("floor", "table", "command")}
        checked = (await http.post("/api/tables/check", json=tried)).json()
        (wrong,) = checked["wrong"]
        assert wrong["field"] == ("floor" if floor in FOLDED else "table")
        assert checked["refused"] == told.json()["say"]


@pytest.mark.parametrize("name", [*FOLDED, "Pia/2"])
async def test_an_account_needs_a_name_that_fits_a_url(tmp_path: Path, name: str) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        assert at.accounts.create(name, Role.PLAYER, PASSWORD, "") is AccountRefusal.BAD_NAME
        told = await http.post("/api/people", json={"name": name, "role": "player"})
        assert (told.status_code, told.json()["error"]["code"]) == (409, "bad_name")
        assert "without slashes" in told.json()["error"]["message"]


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "\u0410nn",  # a Cyrillic A
        "\u0391nn",  # a Greek one
        "\uff21\uff4e\uff4e",  # full width
    ],
)
async def test_a_name_that_looks_like_another_is_taken(tmp_path: Path, name: str) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        assert at.accounts.create(name, Role.PLAYER, PASSWORD, "") is AccountRefusal.NAME_TAKEN
        told = await http.post("/api/people", json={"name": name, "role": "player"})
        assert (told.status_code, told.json()["error"]["code"]) == (409, "name_taken")


async def test_accents_are_part_of_one_letter(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for name, created in (("Ren\u00e9", True), ("Rene\u0301", False), ("Rene", True)):
            answer = at.accounts.create(name, Role.PLAYER, PASSWORD, "")
            assert isinstance(answer, Person) is created, name


async def test_an_old_log_with_such_a_name_is_still_valid(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        asked = CommandRequest("opening-2", DIVIDED, Staff("house"), opening("galaxy"))
        assert isinstance(await at.house.open_table("old", asked), Acceptance)
    async with office(tmp_path) as at:
        assert at.house.table(DIVIDED) is not None
