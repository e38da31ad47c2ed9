"""A dealer's console in a real browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from playwright.async_api import Browser, expect

from headsup.game.table.shuffle import ShuffleSource
from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.floor import PASSWORD, logged_in
from tests.support.browser.visitor import DESKTOP, Visitor
from tests.support.web.live_server import Live

SHOE = replace(DEMO_TABLES[0].opening, shuffle=ShuffleSource.SEALED)


@asynccontextmanager
async def dealing(
    browser: Browser, server: Live, name: str = "Dee", size: tuple[int, int] = DESKTOP
) -> AsyncIterator[Visitor]:
    """A member of staff at the console of T1."""
    context = await logged_in(browser, server, name, size)
    page = await context.new_page()
    visitor = Visitor(page)
    await page.goto(f"{server.address}/console#/T1")
    await page.locator("#due button, #due p").first.wait_for()
    yield visitor
    await context.close()
    assert visitor.complaints == []


async def expect_step(visitor: Visitor, text: str) -> None:
    await expect(visitor.page.locator("#due")).to_contain_text(text)


async def press_space_for(visitor: Visitor, text: str) -> None:
    """Press Space once the console shows that step."""
    await expect_step(visitor, text)
    await visitor.page.keyboard.press("Space")


async def approve(visitor: Visitor, name: str) -> None:
    page = visitor.page
    await page.get_by_label("Supervisor’s name").fill(name)
    await page.get_by_label("Supervisor’s password").fill(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#approval")).to_be_hidden()
    await page.keyboard.press("Escape")  # from the form
