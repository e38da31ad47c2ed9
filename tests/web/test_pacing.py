"""How fast a table is dealt: shown to the staff, set by the office within bounds."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headsup.game.shuffle import Shuffle
from headsup.house.pace import LONGEST, Timings
from tests.tables import opening
from tests.web.office import TABLE, office
from tests.web.test_protocol_http import asked_by

URL = f"/api/tables/{TABLE}/pace"
USUAL = {
    "open": 1.0,
    "betting": 20.0,
    "all_in": 1.5,
    "deal": 0.8,
    "card": 1.2,
    "resolve": 1.2,
    "close": 4.0,
}
SEALED = replace(opening("galaxy"), shuffle=Shuffle.SEALED)


async def test_a_supervisor_sets_a_tables_pace_and_lets_it_go_at_the_usual_one(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Sue") as http:
        first = (await http.get(URL)).json()
        assert (first["seconds"], first["usual"]) == (USUAL, USUAL)
        assert (first["by"], first["longest"], first["may_set"]) == ("", LONGEST, True)
        slower = {**USUAL, "betting": 45, "card": 2.5}
        answer = await http.post(URL, json={"seconds": slower})
        assert answer.status_code == 200, answer.text
        async with asked_by(at, "Dee") as dealer:
            shown = (await dealer.get(URL)).json()
        assert (shown["seconds"], shown["usual"]) == (slower, USUAL)
        assert (shown["by"], shown["may_set"]) == ("Sue", False)
        assert at.house.paces[TABLE].timings == Timings(betting=45, card=2.5)
        again = (await http.post(URL, json={"seconds": None})).json()
        assert (again["seconds"], again["by"], again["at"]) == (USUAL, "", "")


@pytest.mark.parametrize("seconds", [-0.1, LONGEST + 1])
async def test_seconds_out_of_bounds_are_refused_in_words(tmp_path: Path, seconds: float) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Ada") as http:
        answer = await http.post(URL, json={"seconds": {**USUAL, "close": seconds}})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (409, "bad_timing")
        assert "from 0 to 600" in error["message"]
        assert at.house.paces == {}


@pytest.mark.parametrize("seconds", [{"betting": 3}, {**USUAL, "card": "2"}, {**USUAL, "x": 1}])
async def test_a_pace_that_is_not_whole_cannot_be_read(
    tmp_path: Path, seconds: dict[str, Any]
) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Ada") as http:
        assert (await http.post(URL, json={"seconds": seconds})).status_code == 400
        assert at.house.paces == {}


async def test_where_a_person_deals_there_is_no_pace_to_set(tmp_path: Path) -> None:
    by_hand = replace(SEALED, shuffle=Shuffle.ENTERED)
    async with office(tmp_path, by_hand) as at, asked_by(at, "Sue") as http:
        refused = await http.post(URL, json={"seconds": USUAL})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "dealt_by_a_person")
        assert (await http.get("/api/tables/T9/pace")).status_code == 404
