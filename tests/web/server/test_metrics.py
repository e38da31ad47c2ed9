"""The metrics of a server."""

from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from headsup.game.table.seating import Sit
from headsup.web.live.client import Client
from tests.support.databases import sqlite_database
from tests.support.postgres import PostgresServer
from tests.support.tables import opening
from tests.support.web.live_server import Live, live


async def figures(there: Live) -> dict[str, float]:
    async with httpx.AsyncClient(base_url=there.address, timeout=30) as http:
        lines = (await http.get("/metrics")).text
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(lines)
        for sample in family.samples
        if not sample.labels
    }


async def test_floors_entries_and_commits_are_counted(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with live(tmp_path, address=address, name="one") as one:
        await one.open_table("T1", opening("galaxy"))
        async with (
            live(tmp_path, address=address, name="two") as two,
            Client.demo(one.address) as ann,
        ):
            before = await figures(one)
            assert before["headsup_floors"] == 1
            await ann.ask("T1", Sit(1, ann.name))
            after, there = await figures(one), await figures(two)
            assert after["headsup_entries_total"] > before["headsup_entries_total"]
            assert after["headsup_commits_total"] > before["headsup_commits_total"]
            assert there["headsup_floors"] == there["headsup_entries_total"] == 0


async def test_a_broken_floor_is_counted_and_the_server_stays_ready_for_the_others(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as there:
        for table in ("T1", "T2"):
            await there.open_table(table, opening("galaxy"))
    database = sqlite_database(tmp_path / "house.db")
    spoil, repair = (
        text(f"UPDATE floors SET length = length {change} WHERE id = 'T1'")
        for change in ("+ 1", "- 1")
    )
    with database.engine.begin() as connection:
        connection.execute(spoil)
    async with live(tmp_path) as there:
        assert await readiness(there) == (200, {"status": "ready", "broken_floors": 1})
        counted = await figures(there)
        assert counted["headsup_floors"] == counted["headsup_floors_broken"] == 1
        with there.house.database.engine.begin() as connection:
            connection.execute(repair)
        await there.house.examine_broken_floors()
        assert await readiness(there) == (200, {"status": "ready", "broken_floors": 0})
        counted = await figures(there)
        assert (counted["headsup_floors"], counted["headsup_floors_broken"]) == (2, 0)
    database.close()


async def readiness(there: Live) -> tuple[int, dict[str, object]]:
    async with httpx.AsyncClient(base_url=there.address, timeout=30) as http:
        answer = await http.get("/ready")
    return answer.status_code, answer.json()
