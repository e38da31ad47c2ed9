"""One real browser for all tests of the pages."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.support.browser.chromium import FLAGS, chromium
from tests.support.web.live_server import Live, live

PATIENCE = 30_000  # milliseconds: enough for a busy machine; no test measures speed with it
expect.set_options(timeout=PATIENCE)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def school(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    """One house for all training tests: its solver takes longer to start than a table."""
    async with live(tmp_path_factory.mktemp("school")) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def page(browser: Browser, school: Live) -> AsyncIterator[Page]:
    """An idle page, to run modules in."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{school.address}/welcome")
    yield page
    await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        program = chromium(playwright)
        browser = await playwright.chromium.launch(
            executable_path=program, headless=True, args=FLAGS
        )
        yield browser
        await browser.close()
