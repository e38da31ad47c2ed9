"""Win and hold in a real browser: the band, and when a table is judged."""

from fractions import Fraction
from pathlib import Path

import pytest
from playwright.async_api import Browser, Route, expect

from headsup.game.rulebook.wagers import Wager
from headsup.house.cash.expected_win import expected_win
from headsup.house.cash.takings import TableTakings, WagerTakings
from headsup.web.api.takings import describe_expectation
from tests.support.browser.floor import hire
from tests.support.browser.office import working
from tests.support.browser.visitor import check_accessibility
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")
EDGES = {
    Wager.ANTE: (Fraction(1, 50), Fraction(16)),
    Wager.PROGRESSIVE: (Fraction(4494, 10_000), Fraction(100)),
}


def losing_table(table: str, rounds: int) -> TableTakings:
    """The house lost far more than its band allows."""
    ante = WagerTakings(rounds, 1_000 * rounds, 1_000_000 * rounds, 1_000_000, 0)
    progressive = WagerTakings(rounds, 100 * rounds, 10_000 * rounds, -100 * rounds, 0)
    wagers = {Wager.ANTE: ante, Wager.PROGRESSIVE: progressive}
    return TableTakings("F", table, rounds, 2_000_000, 0, 0, 0, wagers)


async def test_a_table_is_judged_outside_its_band_only_after_enough_rounds(
    browser: Browser, tmp_path: Path
) -> None:
    theories = {
        one: describe_expectation(expected_win(losing_table(one, n), EDGES))
        for one, n in (("T1", 4), ("T2", 40))
    }

    async def answer(route: Route) -> None:
        path = route.request.url.partition("?")[0]
        if path.endswith("/takings"):
            await route.fulfill(json=[one.taken.model_dump() for one in theories.values()])
        else:
            await route.fulfill(json=theories[path.split("/")[-2]].model_dump())

    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue")
        async with working(browser, server, "Sue", "tables") as visitor:
            page = visitor.page
            await page.route("**/api/takings?*", answer)
            await page.route("**/api/tables/*/theory?*", answer)
            await page.get_by_role("link", name="Win and hold").click()
            rows = page.locator("#page table").first.locator("tbody tr")
            await expect(rows.first).to_contain_text("judged after 30 rounds")
            await expect(rows.last).to_contain_text("outside")
            await expect(rows.last).to_contain_text("≈ ")
            await expect(page.locator(".chart .dot.outside")).to_have_count(1)
            await expect(page.locator(".chart .dot.unjudged")).to_have_count(1)
            await visitor.sees("a normal distribution")
            await visitor.sees("without meter contributions")
            await check_accessibility(visitor.page)
