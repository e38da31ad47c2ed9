"""The dealer's page for real cards: a round with fingers alone on a tablet, and with keys alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from headsup.game.table.commands import Staff
from headsup.game.table.shuffle import ShuffleSource
from headsup.house.floor.host import Acceptance, CommandRequest
from tests.support.browser.visitor import visit
from tests.support.tables import opening
from tests.support.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")
TABLET = (1024, 768)


async def open_real_table(server: Live) -> None:
    table = replace(opening("galaxy-wpt"), shuffle=ShuffleSource.TURNED_OVER)
    request = CommandRequest("opening-T1", "T1", Staff("house"), table)
    assert isinstance(await server.house.open_table("T1", request), Acceptance)


async def touch(page: Page, *names: str) -> None:
    for name in names:
        await page.locator(f"button[name='{name}']").click()


async def cards(page: Page, *names: str) -> None:
    await touch(page, *names, "take")


async def test_pad_at_1024(browser: Browser, tmp_path: Path) -> None:
    """Every key is large enough for a finger, and nothing lies below the screen."""
    async with (
        live(tmp_path) as server,
        visit(browser, f"{server.address}/welcome", TABLET) as visitor,
    ):
        await open_real_table(server)
        page = visitor.page
        await page.goto(f"{server.address}/deal#/T1")
        await touch(page, "sit 1", "sit 2")
        await touch(page, "key 1", "key 0", "key ;", "key 2", "key 5", "take")
        await expect(page.locator("#prompt")).to_contain_text("no more bets")
        await touch(page, "due")
        await expect(page.locator("#prompt")).to_contain_text("One card to seats 1, 2")
        await touch(page, "due")
        await touch(page, "raise 1 3", "raise 2 3", "take")
        await expect(page.locator("#prompt")).to_contain_text("flop")
        await cards(page, "9h", "8h", "2h")
        await expect(page.locator("#prompt")).to_contain_text("two cards")
        await cards(page, "7c", "7d")
        await expect(page.locator("#prompt")).to_contain_text("your own hand")
        await cards(page, "7s", "9d")
        await expect(page.locator("button[name='7s']")).to_be_disabled()
        for key in await page.locator("#pad button").all():
            box = await key.bounding_box()
            assert box is not None
            assert box["width"] >= 48
            assert box["height"] >= 48
            assert box["y"] + box["height"] <= TABLET[1]
        await cards(page, "Jh", "Td")
        moves = page.locator("#hand .moves li")
        await expect(moves.nth(1)).to_contain_text("PAY $100")
        size = await moves.nth(1).locator(".move").evaluate("e => getComputedStyle(e).fontSize")
        assert float(size.removesuffix("px")) >= 44, "read from a metre away"
        await cards(page, "9c", "9s")
        await expect(page.locator("#hand h2")).to_contain_text("Seat 1")
        await touch(page, "due")
        await expect(page.locator("button[name='repeat']")).to_be_visible()
        results = await Axe().run(page)
        assert results.violations_count == 0, results.generate_report()


async def test_a_mistyped_card_is_read_back_refused_and_corrected(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        live(tmp_path) as server,
        visit(browser, f"{server.address}/welcome", TABLET) as visitor,
    ):
        await open_real_table(server)
        page = visitor.page
        await page.goto(f"{server.address}/deal#/T1")
        line, prompt = page.locator("#line"), page.locator("#prompt")

        async def types(text: str, then: str) -> None:
            await line.press_sequentially(text)
            if text.strip():
                await line.press("Enter")
            await expect(prompt).to_contain_text(then)

        await expect(prompt).to_contain_text("Nobody is seated")
        await types("+1", "bets")
        await types("10", "no more bets")
        await types(" ", "One card")
        await types(" ", "Who raises?")
        await types("*", "flop")
        await line.fill("9h8h")
        await expect(page.locator("#meaning")).to_contain_text("Board: 9h 8h")
        await line.press("Enter")
        await expect(page.locator("#refused")).to_contain_text("3 cards expected, 2 given")
        await line.fill("")
        await types("9h8h2h", "two cards")
        await types("7c7d", "your own hand")
        await types("7s9d", "seat 1")
        await types("jhts", "Pay and take seat 1")
        await types("fix ts=td", "Pay and take seat 1")
        await expect(page.locator("#seats .card").last).to_have_attribute(
            "aria-label", "ten of diamonds"
        )
        visitor.complaints = [one for one in visitor.complaints if "status of 409" not in one]
