"""Thresholds: set by an administrator with a supervisor, for every server, and recorded."""

from pathlib import Path
from typing import Any

import pytest

from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from tests.support.house.houses import started
from tests.support.postgres import PostgresServer
from tests.support.web.office import PASSWORD, Office, office
from tests.support.web.requests import asked_by
from tests.support.web.wires import hears

URL = "/api/thresholds"
APPROVAL = {"name": "Sue", "password": PASSWORD}
LESS: dict[str, Any] = {"win": 5_000, "wager": 2_000, "transaction": 10_000}


def incident_details(at: Office, kind: IncidentKind) -> list[str]:
    return [one.what for one in find_incidents(at.house.database, IncidentQuery(kind))]


async def test_a25_thresholds_are_set_by_two_people_recorded_and_stored(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        await at.does("Ann", Sit(1, "Ann"))
        await at.does("Ann", BuyIn(1, 10_000))
        assert incident_details(at, IncidentKind.LARGE_TRANSACTION) == []
        alone = await http.post(URL, json=LESS)
        assert (alone.status_code, alone.json()["error"]["code"]) == (403, "needs_two_people")
        answer = await http.post(URL, json={**LESS, "approval": APPROVAL})
        assert (answer.status_code, answer.json()) == (200, LESS)
        (change, *_) = find_incidents(at.house.database, IncidentQuery(IncidentKind.CONFIGURATION))
        assert change.who == "Ada / Sue"
        assert f'"transaction": {DEFAULT_THRESHOLDS.transaction}' in change.what
        assert f'"transaction": {LESS["transaction"]}' in change.what
        await at.does("Ann", BuyIn(1, 9_999))
        await at.does("Ann", BuyIn(1, 10_000))
        assert len(incident_details(at, IncidentKind.LARGE_TRANSACTION)) == 1
        async with asked_by(at, "Sue") as supervisor:
            cash = {"id": "cash-0001", "cents": 10_000}
            taken = await supervisor.post("/api/people/Bob/deposit", json=cash)
            assert taken.status_code == 403  # it needs two now
    async with office(tmp_path) as again:
        assert again.house.thresholds == ReportingThresholds(**LESS)


@pytest.mark.parametrize("cents", [0, -1, 10**12 + 1])
async def test_a_threshold_out_of_bounds_is_refused_with_a_sentence(
    tmp_path: Path, cents: int
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        answer = await http.post(URL, json={**LESS, "wager": cents, "approval": APPROVAL})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (409, "bad_threshold")
        assert "wager: a threshold must be from $0.01" in error["message"]
        assert at.house.thresholds == DEFAULT_THRESHOLDS


async def test_other_servers_use_the_same_thresholds(postgres: PostgresServer) -> None:
    database = Database(postgres.new_database())
    database.migrate()
    async with started(database, "one") as one, started(database, "two") as two:
        await hears(database)
        await one.set_thresholds(ReportingThresholds(**LESS), "Ada / Sue")
        await two.maintain()
        assert one.thresholds == two.thresholds == ReportingThresholds(**LESS)
    database.close()
