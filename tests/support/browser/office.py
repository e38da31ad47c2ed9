"""The back office in a real browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from playwright.async_api import Browser

from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.floor import logged_in
from tests.support.browser.visitor import DESKTOP, Visitor
from tests.support.web.live_server import QUICK, Live

GALAXY = DEMO_TABLES[0].opening


SLOW = replace(QUICK, betting=600, all_in=0.05, open=600)  # one round, then nothing


@asynccontextmanager
async def working(browser: Browser, server: Live, name: str, at: str) -> AsyncIterator[Visitor]:
    """A member of staff in the office."""
    context = await logged_in(browser, server, name, DESKTOP)
    page = await context.new_page()
    visitor = Visitor(page)
    await page.goto(f"{server.address}/office#/{at}")
    yield visitor
    await context.close()
    assert visitor.complaints == []
