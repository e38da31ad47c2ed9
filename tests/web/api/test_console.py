"""The dealer's console over HTTP: typed cards, irregularity previews, payouts; and table set-up."""

from pathlib import Path

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import CloseBets, PlaceBets
from headsup.game.table.commands import Staff
from headsup.game.table.meter_control import PlanMeterClosing
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.web.live.protocol import EnterCardsRequest, RefusalMessage
from tests.support.scripted import scripted_commands
from tests.support.tables import BOOKS, opening, stakes
from tests.support.web.office import PASSWORD, PEOPLE, Office, office
from tests.support.web.requests import REAL, asked_by, posted

PLACES = "seat 1=KsKh, seat 4=8c4s, dealer=AcQd, board=Kd9c5h5s2d, all_6=2c3c4c6c"


async def bets_are_closed(at: Office) -> None:
    for name, seat in (("Ann", 1), ("Bob", 4)):
        await at.does(name, Sit(seat, name))
        await at.does(name, BuyIn(seat, 100_000))
    await at.does("Dee", OpenRound())
    for name, seat in (("Ann", 1), ("Bob", 4)):
        await at.does(name, PlaceBets(seat, stakes()))
    await at.does("Dee", CloseBets())


async def test_cards_sent_again_get_the_same_answer(tmp_path: Path) -> None:
    """Even after the round has gone on, by socket and by HTTP."""
    async with office(tmp_path, REAL) as at, asked_by(at, "Dee") as http:
        await bets_are_closed(at)
        url = "/api/tables/T1/cards"
        before = at.host.journal.head
        status, refused = await posted(http, url, id="cards-001", text="KsKs")
        assert (status, refused["code"]) == (409, "duplicate_card")
        assert at.host.journal.head == before
        status, answer = await posted(http, url, id="cards-002", text=PLACES)
        assert (status, answer["type"]) == (200, "reply")
        assert await posted(http, url, id="cards-002", text=PLACES) == (200, answer)
        typed = EnterCardsRequest(id="cards-002", text=PLACES)
        assert (await at.desk.enter_cards(at.people["Dee"], "T1", typed)).model_dump(
            exclude_none=True
        ) == answer
        other = PLACES.replace("KsKh", "KhKs")
        status, refused = await posted(http, url, id="cards-002", text=other)
        assert (status, refused["code"]) == (409, "id_used")


async def test_only_dealers_of_real_cards_enter_them(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await bets_are_closed(at)
        typed = EnterCardsRequest(id="cards-001", text=PLACES)
        for name in PEOPLE:
            answer = await at.desk.enter_cards(at.people[name], "T1", typed)
            assert isinstance(answer, RefusalMessage)
            assert answer.code == "not_allowed", name
        unknown = await at.desk.enter_cards(at.people["Dee"], "T9", typed)
        assert isinstance(unknown, RefusalMessage)
        assert unknown.code == "no_such_table"


async def test_meter_forms_get_the_floors_other_pools_and_the_closing_plan(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, REAL) as at, asked_by(at, "Sue") as http:
        shown = (await http.get("/api/tables/T1/meters")).json()
        assert shown["own"]["meter"] == "T1 meter"
        assert (shown["planned"], shown["others"], shown["cells"]) == (None, [], [])
        asked = CommandRequest("opening-T2", "T2", Staff("house"), opening("galaxy"))
        assert isinstance(await at.house.open_table("T1", asked), Acceptance)
        shown = (await http.get("/api/tables/T1/meters")).json()
        assert [one["meter"] for one in shown["others"]] == ["T2 meter"]
        plan = PlanMeterClosing("2026-12-31", "A-1", "T2 meter")
        await at.does("Sue", plan, approval=("Sam", PASSWORD))
        shown = (await http.get("/api/tables/T1/meters")).json()
        assert shown["planned"] == {
            "date": "2026-12-31",
            "approval": "A-1",
            "to": "T2 meter",
            "place": "this_floor",
            "floor": "",
            "due": False,
        }


async def test_payouts_are_listed_hand_by_hand(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        script = scripted_commands()[1:]
        settled = False
        for asked in script:
            await at.host.submit(asked)
            round = at.host.journal.floor.tables["T1"].round
            shown = (await http.get("/api/tables/T1/payouts")).json()
            if round is None or round.settlement is None:
                assert shown == []
                continue
            assert [one["seat"] for one in shown if one["resolved"]] == list(round.resolved)
            assert len(shown) == len(round.resolved) + bool(round.unresolved_seats())
            for one in shown:
                for line in one["lines"]:
                    stake, net = float(line["stake"]), float(line["net"])
                    back = float(line["pays"]) + float(line["returns"])
                    assert back == pytest.approx(stake + net)
            settled = True
        assert settled


@pytest.mark.parametrize("book", BOOKS)
async def test_every_rule_book_comes_with_its_choices_and_clauses(
    tmp_path: Path, book: str
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        listed = (await http.get("/api/rulebooks")).json()
        assert book in [one["id"] for one in listed]
        whole = (await http.get(f"/api/rulebooks/{book}")).json()
        assert whole["options"]["qualifier"]["clause"]
        assert whole["choices"]["rounding"] == ["down", "up", "nearest"]
        assert "ranks such as 44" in whole["about"]["qualifier"]
        assert all(table["clause"] for tables in whole["paytables"].values() for table in tables)
        assert (await http.get("/api/rulebooks/nothing")).status_code == 404


@pytest.mark.parametrize("book", BOOKS)
async def test_a_table_opens_with_what_its_rule_book_suggests(tmp_path: Path, book: str) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        told = (await http.get(f"/api/rulebooks/{book}")).json()
        approved = {"approval": "letter"} if book.startswith("washington") else {}
        options = {**told["suggested"], **approved}
        command = {**write_command(opening(book)), "options": options}
        body = {"floor": "F2", "table": "T2", "command": command}
        _, found = await posted(http, "/api/tables/check", **body)
        assert (found["refused"], found["wrong"], found["unlimited"]) == (None, [], [])
        without = {key: held for key, held in options.items() if key != "limits"}
        body["command"] = {**command, "options": without}
        _, found = await posted(http, "/api/tables/check", **body)
        if book.startswith("washington"):  # a card room must post the most it takes
            assert "limits.ante.max" in [one["field"] for one in found["wrong"]], found
        else:
            assert "ante" in found["unlimited"]


async def test_all_errors_of_an_opening_are_reported_at_once_by_field(
    tmp_path: Path,
) -> None:
    options = {"meter_contribution": "50%", "limits": {"ante": {"min": "x"}}}
    command = {**write_command(opening("galaxy")), "options": options}
    body = {"floor": "Pit 7", "table": "T2", "command": command}
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        status, found = await posted(http, "/api/tables/check", **body)
        assert status == 200
        wrong = {one["field"]: one["message"] for one in found["wrong"]}
        assert list(wrong) == ["floor", "options.meter_contribution", "limits.ante.min"]
        assert "main-floor" in wrong["floor"]
        assert "dollars" in wrong["options.meter_contribution"]
        body |= {"floor": "F2", "command": write_command(opening("galaxy"))}
        body["command"]["options"] = {}  # type: ignore[index]
        _, found = await posted(http, "/api/tables/check", **body)
        assert [one["field"] for one in found["wrong"]] == ["options.meter_seed"]


async def test_an_invalid_request_is_explained_field_by_field(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        status, found = await posted(http, "/api/tables", id="x" * 8, floor="Pit 7", command={})
        said = found["error"]["message"]
        assert (status, found["error"]["code"]) == (400, "bad_request")
        assert "floor: contains characters that are not allowed" in said
        assert "table: is missing" in said
        assert "String should" not in said


async def test_an_opening_is_checked_without_opening_anything(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        body = {"floor": "F2", "table": "T2", "command": write_command(opening("new-york"))}
        async with asked_by(at, "Sue") as http:
            status, found = await posted(http, "/api/tables/check", **body)
            assert (status, found["refused"]) == (200, None)
            assert found["rules"]["id"] == "new-york"
            bad = write_command(opening("galaxy", meter="nothing"))
            status, found = await posted(http, "/api/tables/check", **{**body, "command": bad})
            assert (status, found["rules"]) == (200, None)
            assert "nothing" in found["refused"]
            status, found = await posted(http, "/api/tables/check", **{**body, "floor": "T1"})
            assert found["meters"] == ["T1 meter"]
        for name in ("Ann", "Dee", "Art"):
            async with asked_by(at, name) as http:
                assert (await posted(http, "/api/tables/check", **body))[0] == 403
        assert at.house.database.floors() == ["T1"]
