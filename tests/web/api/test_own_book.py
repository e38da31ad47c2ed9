"""A house's own rule book, from its text to an open table."""

from pathlib import Path
from typing import Any

from headsup.game.record.message_codec import write_command
from headsup.game.table.opening import OpenTable
from headsup.house.store.incidents import IncidentQuery
from headsup.house.store.incidents import find_incidents as incidents
from headsup.house.store.projection_rows import IncidentKind
from tests.support.web.office import PASSWORD, office
from tests.support.web.requests import asked_by, posted

RIVERSIDE = Path("docs/examples/my-house.toml").read_text(encoding="utf-8")
BOOKS = "/api/rulebooks"


def opened_by(rules: str, table: str) -> dict[str, Any]:
    approval = {"name": "Sam", "password": PASSWORD}
    place = {"id": f"opening-{table}", "floor": table, "table": table, "approval": approval}
    return {**place, "command": write_command(OpenTable(rules))}


async def test_an_own_book_is_shown_like_a_shipped_one_and_opens_a_table(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        tried = {"text": RIVERSIDE, "file": "riverside.toml"}
        _, found = await posted(http, BOOKS, **tried)
        assert found["wrong"] == []
        book = found["book"]
        assert (book["id"], book["in_use"]["trips_plus"]) == ("riverside", "Riverside")
        assert set(book) == set((await http.get(f"{BOOKS}/galaxy")).json())
        assert book["suggested"] == {
            "limits": {"all_6": {"min": "1.00", "max": "50.00", "step": "1.00"}}
        }
        assert (await posted(http, "/api/tables", **opened_by(found["rules"], "R1")))[0] == 200
        tables = {one["id"]: one for one in (await http.get("/api/tables")).json()}
        assert (tables["R1"]["rules"], tables["R1"]["ante_min"]) == ("riverside", "10.00")
        told = incidents(at.house.database, IncidentQuery(IncidentKind.CONFIGURATION, table="R1"))
        assert '"rules":"riverside"' in told[0].what
        assert '"title":"Heads Up Hold\'em at the Riverside"' in told[0].what


async def test_a_book_without_an_id_is_known_by_its_title(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        assert (await posted(http, "/api/tables", **opened_by(RIVERSIDE, "R2")))[0] == 200
        tables = {one["id"]: one["rules"] for one in (await http.get("/api/tables")).json()}
        assert tables["R2"] == "heads-up-hold-em-at-the-riverside"
        for text, id in (
            ('extends = "galaxy"', "own-book"),
            ('extends = "galaxy"\ntitle = "Galaxy"', "galaxy-house"),
        ):
            assert (await posted(http, BOOKS, text=text))[1]["book"]["id"] == id


async def test_every_mistake_of_a_book_is_reported_and_players_may_not_check_books(
    tmp_path: Path,
) -> None:
    stake = 'extends = "new-york"\n[options]\nprogressive_stake = "5.00"\n'
    wrong = stake + "[limits]\nante = { min = 9, max = 5 }"
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        _, found = await posted(http, BOOKS, text=wrong)
        assert found["book"] is None
        assert [one["field"] for one in found["wrong"]] == [
            "options.progressive_stake",
            "limits.ante",
        ]
        _, found = await posted(http, BOOKS, text="this is no TOML")
        assert [one["field"] for one in found["wrong"]] == ["toml"]
        async with asked_by(at, "Dee") as dealer:
            assert (await posted(dealer, BOOKS, text=RIVERSIDE))[0] == 403
