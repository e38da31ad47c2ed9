"""A table's pace: visible to staff, set by the office within limits."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.dealing.pace import MAX_STEP_SECONDS, Timings
from tests.support.tables import opening
from tests.support.web.office import TABLE, office
from tests.support.web.requests import APPROVAL, asked_by

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
SEALED = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)


async def test_a_supervisor_sets_a_tables_pace_and_resets_it(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Sue") as http:
        first = (await http.get(URL)).json()
        assert (first["seconds"], first["usual"]) == (USUAL, USUAL)
        assert (first["by"], first["longest"], first["may_set"]) == ("", MAX_STEP_SECONDS, True)
        slower = {**USUAL, "betting": 45, "card": 2.5}
        answer = await http.post(URL, json={"seconds": slower})
        assert answer.status_code == 200, answer.text
        async with asked_by(at, "Dee") as dealer:
            shown = (await dealer.get(URL)).json()
        assert (shown["seconds"], shown["usual"]) == (slower, USUAL)
        assert (shown["by"], shown["may_set"]) == ("Sue", False)
        assert at.house.pace(TABLE) == Timings(betting=45, card=2.5)
        again = (await http.post(URL, json={"seconds": None})).json()
        assert (again["seconds"], again["by"], again["at"]) == (USUAL, "", "")


@pytest.mark.parametrize("seconds", [-0.1, MAX_STEP_SECONDS + 1])
async def test_seconds_out_of_bounds_are_refused_with_a_sentence(
    tmp_path: Path, seconds: float
) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Ada") as http:
        answer = await http.post(URL, json={"seconds": {**USUAL, "close": seconds}})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (409, "bad_timing")
        assert "from 0 to 600" in error["message"]
        assert at.house.pace(TABLE) is None


@pytest.mark.parametrize("seconds", [{"betting": 3}, {**USUAL, "card": "2"}, {**USUAL, "x": 1}])
async def test_an_incomplete_pace_is_invalid(tmp_path: Path, seconds: dict[str, Any]) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Ada") as http:
        assert (await http.post(URL, json={"seconds": seconds})).status_code == 400
        assert at.house.pace(TABLE) is None


async def test_a_table_dealt_by_a_person_has_no_pace(tmp_path: Path) -> None:
    by_hand = replace(SEALED, shuffle=ShuffleSource.ENTERED)
    async with office(tmp_path, by_hand) as at, asked_by(at, "Sue") as http:
        refused = await http.post(URL, json={"seconds": USUAL})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "dealt_by_a_person")
        assert (await http.get("/api/tables/T9/pace")).status_code == 404


async def test_a_table_opens_with_a_pace_of_its_own_once_and_keeps_it(tmp_path: Path) -> None:
    slower = {**USUAL, "betting": 45}
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        body = _set_up(slower)
        first = await http.post("/api/tables", json=body)
        assert first.status_code == 200, first.text
        assert at.house.pace("T2") == Timings(betting=45)
        table = at.house.table("T2")
        assert table is not None
        assert table.pace is not None
        assert table.pace.by == "Ada / Sue"
        await at.house.set_pace("T2", Timings(betting=50))
        assert (await http.post("/api/tables", json=body)).json() == first.json()
        assert at.house.pace("T2") == Timings(betting=50)
        other = await http.post("/api/tables", json={**body, "pace": {**slower, "card": 9}})
        assert (other.status_code, other.json()["code"]) == (409, "id_used")
        told = (await http.get("/api/incidents", params={"table": "T2"})).json()
    acts = [one["what"] for one in told if one["who"] == "Ada / Sue"]
    assert {"act": "pace", "seconds": asdict(Timings(betting=45))} in acts
    async with office(tmp_path) as again:
        assert again.house.pace("T2") == Timings(betting=50)


async def test_every_wrong_pace_is_reported_by_field_before_a_table_opens(tmp_path: Path) -> None:
    wrong = {**USUAL, "betting": -1, "close": MAX_STEP_SECONDS + 1}
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        tried = {key: _set_up(wrong)[key] for key in ("floor", "table", "command", "pace")}
        checked = (await http.post("/api/tables/check", json=tried)).json()
        assert [one["field"] for one in checked["wrong"]] == ["pace.betting", "pace.close"]
        assert all("from 0 to 600" in one["message"] for one in checked["wrong"])
        assert (checked["usual_pace"], checked["longest"]) == (USUAL, MAX_STEP_SECONDS)
        refused = await http.post("/api/tables", json=_set_up(wrong))
        assert (refused.status_code, refused.json()["code"]) == (409, "bad_timing")
        by_hand = _set_up(USUAL, ShuffleSource.ENTERED)
        tried = {key: by_hand[key] for key in tried}
        checked = (await http.post("/api/tables/check", json=tried)).json()
        assert [one["field"] for one in checked["wrong"]] == ["pace"]
        assert (await http.post("/api/tables", json=by_hand)).json()["code"] == "bad_timing"
        assert at.house.table("T2") is None
        assert at.house.pace(TABLE) is None


def _set_up(pace: dict[str, Any], shuffle: ShuffleSource = ShuffleSource.SEALED) -> dict[str, Any]:
    command = write_command(replace(SEALED, shuffle=shuffle))
    where = {"id": "opening-T2", "floor": "F2", "table": "T2"}
    return {**where, "command": command, "pace": pace, "approval": APPROVAL}
