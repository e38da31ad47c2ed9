"""An unknown address: a browser gets a page with a link back, a program gets JSON."""

from pathlib import Path

import httpx
import pytest

from headsup.web.server.security import HEADERS
from tests.support.web.live_server import live

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
NOWHERE = ("/table/T1", "/table/", "/nothing", "/office/x", "/console/", "/static/../x", "/%00")


async def test_a_browser_gets_a_page_and_a_program_gets_json(tmp_path: Path) -> None:
    async with (
        live(tmp_path) as server,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        for path in NOWHERE:
            shown = await http.get(path, headers=BROWSER)
            assert shown.status_code == 404, path
            assert shown.headers["content-type"].startswith("text/html"), path
            assert '<a class="button main" href="/">' in shown.text, path
            assert "<script>" not in shown.text
            assert {name: shown.headers[name] for name in HEADERS} == HEADERS
            for accepts in ({}, {"accept": "application/json"}):
                response = await http.get(path, headers=accepts)
                assert response.status_code == 404, path
                assert response.json()["error"]["code"] == "no_such_page", path


@pytest.mark.parametrize("path", ["/api/nothing", "/api/tables/T9/due"])
async def test_the_api_never_answers_with_a_page(tmp_path: Path, path: str) -> None:
    async with (
        live(tmp_path) as server,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        response = await http.get(path, headers=BROWSER)
        assert response.status_code in (401, 404)
        assert response.json()["error"]["code"]
