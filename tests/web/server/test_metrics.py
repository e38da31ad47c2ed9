"""The figures that those who run a server watch."""

from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from headsup.game.table.commands import Sit
from headsup.web.client import Client
from tests.postgres import Server
from tests.tables import opening
from tests.web.live_server import Live, live


async def figures(there: Live) -> dict[str, float]:
    async with httpx.AsyncClient(base_url=there.address, timeout=30) as http:
        text = (await http.get("/metrics")).text
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.labels
    }


async def test_floors_entries_and_commits_are_counted_where_they_are(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.new_database()
    async with live(tmp_path, address=address, name="one") as one:
        await one.open_table("T1", opening("galaxy"))
        async with (
            live(tmp_path, address=address, name="two") as two,
            Client.demo(two.address) as ann,
        ):
            before = await figures(one)
            assert before["headsup_floors"] == 1
            assert before["headsup_floors_followed"] == 0
            await ann.ask("T1", Sit(1, ann.name))
            after, there = await figures(one), await figures(two)
            assert after["headsup_entries_total"] > before["headsup_entries_total"]
            assert after["headsup_commits_total"] > before["headsup_commits_total"]
            assert there["headsup_floors"] == there["headsup_entries_total"] == 0
            assert there["headsup_floors_followed"] == 1
