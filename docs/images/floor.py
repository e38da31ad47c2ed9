"""Draws console.jpg, display.jpg and office.jpg: one table of real cards, dealt now.

.venv/bin/python docs/images/floor.py
"""

import asyncio
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from headsup.game.round.commands import Raise  # noqa: E402
from headsup.game.table.commands import PlayerAt  # noqa: E402
from headsup.game.table.shuffle import ShuffleSource  # noqa: E402
from headsup.web.demo.tables import DEMO_TABLES  # noqa: E402
from tests.support.browser.chromium import FLAGS, chromium  # noqa: E402
from tests.support.browser.floor import bet, hire, logged_in, open_by_hand, run_command, seat  # noqa: E402
from tests.support.web.live_server import Live, live  # noqa: E402

PLAYERS = {1: "Rosa", 2: "Ben", 4: "Ivy", 5: "Omar"}
CARDS = "2c3c4c6c" + "KsQh9s7h" + "Ad" + "KhJh9h7d" + "Qd" + "Kd9c5h5s2d"
WIDE, SCREEN = (1440, 900), (1920, 1080)
JPEG = {"type": "jpeg", "quality": 82}  # felt and glow are large as anything else


async def main() -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(playwright), headless=True, args=FLAGS
        )
        with tempfile.TemporaryDirectory() as folder:
            async with live(Path(folder), demo=False) as server:
                hire(server, "Dee", "Art")
                table = replace(DEMO_TABLES[0].opening, shuffle=ShuffleSource.ENTERED)
                await open_by_hand(server, table)
                await seat(server, PLAYERS)
                await _draw(browser, server)
        await browser.close()


async def _draw(browser: Browser, server: Live) -> None:
    dealer = await _as(browser, server, "Dee", WIDE)
    console = await dealer.new_page()
    await console.goto(f"{server.address}/console#/T1")
    display = await (await _as(browser, server, "Dee", SCREEN)).new_page()
    await display.goto(f"{server.address}/display#T1")
    await _round(console, server)
    await console.screenshot(path=HERE / "console.jpg", **JPEG)
    for _ in range(4):
        await console.keyboard.press("Space")
        await console.wait_for_timeout(500)
    await display.wait_for_timeout(1500)
    await display.screenshot(path=HERE / "display.jpg", **JPEG)
    office = await (await _as(browser, server, "Art", WIDE)).new_page()
    await office.goto(f"{server.address}/office#/round/T1/1")
    await office.get_by_text("Hands").wait_for()
    await office.screenshot(path=HERE / "office.jpg", **JPEG)


async def _as(browser: Browser, server: Live, name: str, size: tuple[int, int]) -> BrowserContext:
    context = await logged_in(browser, server, name, size)
    await context.add_init_script("localStorage.setItem('headsup', '{\"theme\": \"dark\"}')")
    return context


async def _round(console: Page, server: Live) -> None:
    """Until the second hand is to be paid."""
    await _press(console, "Open the next round")
    await console.get_by_text("Waiting for bets").wait_for()
    for number in PLAYERS:
        await bet(server, number, ante=500 * number, progressive=100, trips_plus=500)
    await _press(console, "No more bets")
    await console.locator("#cards").fill(CARDS)
    await console.get_by_text("All cards are entered").wait_for()
    await console.keyboard.press("Enter")
    await console.get_by_text("Waiting for seat 1").wait_for()
    for number in PLAYERS:
        await run_command(server, PlayerAt(number), Raise(number, 3))
    for step in ("flop", "turn and river", "dealer’s cards", "Read the hands", "seat 5"):
        await _press(console, step)
    await console.get_by_role("button", name="seat 4").wait_for()
    await console.wait_for_timeout(500)


async def _press(console: Page, step: str) -> None:
    await console.locator("#due").get_by_text(step).wait_for()
    await console.keyboard.press("Space")


asyncio.run(main())
