"""One real browser for all tests of the page."""

import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Playwright, async_playwright, expect

from tests.programs import missing
from tests.web.live_server import Live, live

# For every window Chromium would load the pages of its address bar, which no headless one shows:
# half of what a window costs. Only the last such list counts, so the others are Playwright's own.
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

# As root there is no sandbox; the rest keeps it from calling anyone.
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

PATIENCE = 30_000  # milliseconds: a busy machine is slow, and no test asks how fast it is
expect.set_options(timeout=PATIENCE)


def chromium(playwright: Playwright) -> str:
    """The system's, or the one that a user without root has let Playwright fetch."""
    for program in ("chromium", "chromium-browser", playwright.chromium.executable_path):
        if found := shutil.which(program):
            return found
    return missing("Chromium", ", and `playwright install chromium` does without root")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def school(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Live]:
    """One house for all who train: its solver takes longer to come than a table to be opened."""
    async with live(tmp_path_factory.mktemp("school")) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def page(browser: Browser, school: Live) -> AsyncIterator[Page]:
    """A page that does nothing by itself, to try modules in."""
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
