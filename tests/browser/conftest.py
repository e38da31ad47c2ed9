"""One real browser for all tests of the page."""

import os
import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

# As root there is no sandbox; the rest keeps it from calling anyone.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MISSING = "there is no Chromium here: `make test` installs it where it may (apt-get, as root)"


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    program = chromium()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, headless=True, args=FLAGS
        )
        yield browser
        await browser.close()
