"""One real browser for all tests of the pages."""

import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Playwright, async_playwright, expect

from tests.support.programs import skip_without
from tests.support.web.live_server import Live, live

# For each window Chromium loads the pages of its address bar, which a headless browser never shows:
# half of a window's cost. Only the last such list counts, so it repeats Playwright's own entries.
SWITCHED_OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)

# There is no sandbox for root. The rest prevents network requests.
FLAGS = [
    f"--disable-features={','.join(SWITCHED_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE = 30_000  # milliseconds: enough for a busy machine; no test measures speed with it
expect.set_options(timeout=PATIENCE)


def chromium(playwright: Playwright) -> str:
    """The system's Chromium, or the one that Playwright installed."""
    for program in ("chromium", "chromium-browser", playwright.chromium.executable_path):
        if found := shutil.which(program):
            return found
    return skip_without("Chromium", ", and `playwright install chromium` does without root")


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
