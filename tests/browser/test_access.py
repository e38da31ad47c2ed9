"""Accessibility: no violation that axe finds, on large and small screens, in both themes."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser.play import GALAXY, TO_READ, results, sit
from tests.support.browser.visitor import DESKTOP, PHONE, TABLET, check_accessibility, visit
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("size", "theme"),
    [(DESKTOP, "dark"), (TABLET, "light"), (PHONE, "dark"), (DESKTOP, "light")],
    ids=["desktop dark", "tablet light", "phone dark", "desktop light"],
)
async def test_every_moment_of_a_round_is_accessible(
    browser: Browser, tmp_path: Path, size: tuple[int, int], theme: Literal["dark", "light"]
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address, size, theme, newcomer=True) as visitor:
            await visitor.button("Sit here: T1").wait_for()
            await check_accessibility(visitor.page, size[0])
            await sit(visitor)
            await visitor.button("Place bets").wait_for()
            await check_accessibility(visitor.page, size[0])
            await visitor.press("No guide, thanks")
            # All betting controls are on the screen, whatever its size.
            for name in ("place", "undo", "clear", "rebet", "double", "ante", "progressive"):
                await expect(visitor.page.locator(f"button[name={name}]")).to_be_in_viewport()
            await visitor.bet("10", trips_plus="5")
            await visitor.press("Check")
            await visitor.button("Raise 2×").wait_for()
            await check_accessibility(visitor.page, size[0])
            await visitor.press("Raise 2×")
            await results(visitor)
            await check_accessibility(visitor.page, size[0])


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_every_panel_is_accessible(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address, size) as visitor:
            await sit(visitor)
            for name in ("rules", "fair", "settings"):
                if size is PHONE:
                    await visitor.press("Menu")
                await visitor.page.locator(f"#tools [name={name}]").click()
                await expect(visitor.page.get_by_role("dialog")).to_be_visible()
                await check_accessibility(visitor.page, size[0])
                await visitor.page.keyboard.press("Escape")
                await expect(visitor.page.get_by_role("dialog")).to_have_count(0)


async def test_the_log_in_is_accessible(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server, visit(browser, server.address) as visitor:
        await visitor.button("Log in").wait_for()
        await check_accessibility(visitor.page, DESKTOP[0])
        box = await visitor.page.locator("#log-in").bounding_box()
        assert box is not None
        assert abs(box["x"] + box["width"] / 2 - DESKTOP[0] / 2) < 1, "in the middle"


async def test_an_unknown_address_links_back_to_the_lobby(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, f"{server.address}/table/T1", PHONE) as visitor:
            await visitor.sees("Page not found")
            await check_accessibility(visitor.page, PHONE[0])
            await visitor.page.get_by_role("link", name="All tables").click()
            await visitor.button("Sit here: T1").wait_for()
            visitor.complaints = [one for one in visitor.complaints if "404" not in one]


@pytest.mark.parametrize("named", ["T9", "%", "T%C3"])
async def test_an_unknown_table_leads_to_the_lobby(
    browser: Browser, tmp_path: Path, named: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, f"{server.address}/#/table/{named}") as visitor:
            await visitor.button("Sit here: T1").wait_for()
            if named == "T9":
                await visitor.sees("There is no table 'T9'")
            await check_accessibility(visitor.page, DESKTOP[0])


async def test_events_are_logged_in_the_live_region(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_READ)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.bet()
            await visitor.press("Check")
            await visitor.press("Raise 2×")
            await results(visitor)
            log = visitor.page.get_by_role("log")
            assert await log.get_attribute("aria-live") == "polite"
            lines = await log.locator("p").all_inner_texts()
            starts = ["You bet", "No more bets", "You have", "You check", "Flop:", "You: Raise 2×"]
            starts += ["Turn and river:", "The dealer has", "The dealer’s hand:"]
            own_results = ("You win", "You lose", "You push")
            logged = [line for line in lines if line.startswith((*starts, *own_results))]
            *before, last = logged
            assert all(line.startswith(start) for line, start in zip(before, starts, strict=True))
            assert last.startswith(own_results)
