"""The dealer's page for real cards: what it shows, and what a line does."""

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from httpx import AsyncClient

from headsup.game.round.commands import Check, PlaceBets
from headsup.game.table.opening import OpenTable
from headsup.game.table.shuffle import ShuffleSource
from tests.support.tables import opening, stakes
from tests.support.web.dealer import seated
from tests.support.web.office import TABLE, office
from tests.support.web.requests import asked_by

URL = f"/api/tables/{quote(TABLE)}/deal"
_NUMBERS = count(1)


def real_cards(book: str = "galaxy-wpt") -> OpenTable:
    return replace(opening(book), shuffle=ShuffleSource.TURNED_OVER)


async def screen(http: AsyncClient) -> dict[str, Any]:
    answer = await http.get(URL)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


async def types(http: AsyncClient, *lines: str) -> dict[str, Any]:
    """Send lines, each for the step that is shown. Returns the last screen."""
    shown: dict[str, Any] = await screen(http)
    for text in lines:
        body = {"id": f"line-{next(_NUMBERS):04}", "key": shown["key"], "text": text}
        answer = await http.post(URL, json=body)
        assert answer.status_code == 200, (text, answer.text)
        shown = answer.json()
    return shown


async def test_a_round_of_guests_is_dealt_with_lines_alone(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at, asked_by(at, "Dee") as http:
        shown = await types(http, "+1 Ann", "+2", "10 b5; 25", "", "", "*", "9h8h2h")
        assert (shown["place"], shown["cards"]) == ("board", 2)
        shown = await types(http, "7c7d", "7s9d", "jhtd")
        assert shown["prompt"] == "Pay and take seat 2, and collect its cards."
        (hand,) = shown["hands"]
        assert (hand["seat"], hand["hand"]) == (2, "straight, jack high")
        assert [(m["label"], m["move"], m["amount"]) for m in hand["moves"]] == [
            ("Ante", "take", "25.00"),
            ("Odds", "pay", "100.00"),
            ("Raise", "take", "75.00"),
        ]
        assert shown["lying"]["Jh"] == "seat 2"
        shown = await types(http, "9c9s")
        assert [hand["paid"] for hand in shown["hands"]] == [True, False]
        assert shown["space"] == "Seat 1 is paid; close the round."
        shown = await types(http, "")
        assert (shown["step"], shown["can_repeat"]) == ("open_round", True)
        await types(http, "=")
        round = at.host.journal.floor.tables[TABLE].round
        assert round is not None
        assert sorted(round.seats) == [1, 2]


async def test_what_a_line_means_is_said_before_it_is_sent(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at, asked_by(at, "Dee") as http:
        await types(http, "+1", "+2")
        before = at.host.journal.head
        meant = await http.post(f"{URL}/preview", json={"text": "10; 25 t5"})
        assert meant.json()["meaning"] == (
            "Open the round. seat 1: Ante and Odds $10.00; "
            "seat 2: Ante and Odds $25.00, Trips Plus $5.00."
        )
        wrong = await http.post(f"{URL}/preview", json={"text": "10 q"})
        assert "side bet" in wrong.json()["wrong"]
        assert at.host.journal.head == before


async def test_a_line_for_a_step_that_has_passed_does_nothing(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at, asked_by(at, "Dee") as http:
        await types(http, "+1")
        key = (await screen(http))["key"]
        await types(http, "10")
        late = await http.post(URL, json={"id": "late-line", "key": key, "text": "25"})
        assert (late.status_code, late.json()["error"]["code"]) == (409, "not_due_any_more")


async def test_a_card_is_refused_where_it_cannot_lie(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at, asked_by(at, "Dee") as http:
        shown = await types(http, "+1", "10", "", "", "*", "9h8h2h")
        body = {"id": "same-card", "key": shown["key"], "text": "9h7d"}
        answer = await http.post(URL, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "duplicate_card")
        assert "lies at board already" in answer.json()["error"]["message"]


async def test_players_with_accounts_are_waited_for(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        await types(http, "+2", "2:10")
        await at.does("P1", PlaceBets(1, stakes()))
        shown = await types(http, "", "", "0")
        assert shown["prompt"] == "Deciding on their own screens: seat 1."
        await at.does("P1", Check(1))
        assert (await screen(http))["place"] == "board"


async def test_only_dealers_of_such_a_table_may_type(tmp_path: Path) -> None:
    async with office(tmp_path, real_cards()) as at:
        for name, status in (("P1", 403), ("Ada", 403), ("Sue", 200)):
            async with asked_by(at, name) as http:
                assert (await http.get(URL)).status_code == status, name
    shoe = tmp_path / "shoe"
    shoe.mkdir()
    async with office(shoe) as at, asked_by(at, "Dee") as http:
        answer = await http.get(URL)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "cards_known")
