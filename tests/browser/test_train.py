"""The training page in a real browser: drill, chart, explorer, progress, summary."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from headsup import advise
from headsup.game.values.cards import format_cards, parse_cards
from headsup.library.game import ActionOption
from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.play import GALAXY, SOLVED, TO_READ, round_of, sit
from tests.support.browser.visitor import (
    DESKTOP,
    PHONE,
    Visitor,
    check_accessibility,
    spoken,
    visit,
)
from tests.support.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def values(within: Locator) -> dict[str, str]:
    """The exact value of each option shown."""
    found = {}
    for line in await within.locator(".values li").all():
        name = await line.locator(".name").inner_text()
        found[name] = await line.locator(".ev").get_attribute("value") or ""
    return found


async def advice_values(hole: str, board: str = "") -> dict[str, str]:
    """The library's values for the same hand, computed while the server keeps running."""
    advice = await asyncio.to_thread(advise, hole, board)
    return {_name(one): f"{one.ev.numerator}/{one.ev.denominator}" for one in advice.options}


def _name(option: ActionOption) -> str:
    name = option.action.capitalize()
    return f"{name} {option.multiple}×" if option.multiple else name


async def part(visitor: Visitor, name: str) -> Locator:
    await visitor.page.get_by_role("link", name=name, exact=True).click()
    return visitor.page.locator("main section:not([hidden])")


async def test_training_from_the_first_question_to_the_summary(
    browser: Browser, school: Live, tmp_path: Path
) -> None:
    await school.open_table("Olympia", DEMO_TABLES[2].opening)
    async with visit(browser, f"{school.address}/train") as visitor:
        page, keyboard = visitor.page, visitor.page.keyboard
        # The drill, with the keyboard alone.
        question = page.locator("#drill-question")
        await question.locator(".decide button").first.wait_for(timeout=SOLVED)
        assert await values(question) == {}
        await keyboard.press(
            await question.locator("[aria-keyshortcuts]").last.get_attribute("aria-keyshortcuts")
            or ""
        )
        await expect(question.locator(".next")).to_be_focused()
        assert len(await values(question)) == 2
        await visitor.sees("of 1 correct")
        await keyboard.press("n")
        await question.locator(".decide").wait_for(timeout=SOLVED)
        await page.get_by_label("Street").select_option("river")
        await page.get_by_label("Hands").select_option("pair")
        about = question.locator(".about")
        await expect(about).to_contain_text("River", timeout=SOLVED)
        await expect(about).not_to_contain_text("pair")  # half of the answer
        await page.keyboard.press("r")
        await expect(question.locator(".next")).to_be_visible()
        await expect(about).to_contain_text("River · a pair of your own")
        # The chart: one stop for the tab key, arrows from cell to cell.
        chart = await part(visitor, "Chart")
        await chart.locator(".cell").first.wait_for(timeout=SOLVED)
        assert await chart.locator(".cell").count() == 169
        assert await chart.locator('.cell[tabindex="0"]').count() == 1
        await chart.locator('[data-place="0 0"]').focus()
        await keyboard.press("ArrowRight")
        await expect(chart.locator("#chart-cell h2")).to_contain_text("AKs")
        assert await values(chart) == await advice_values("AsKs")
        # The explorer: cards clicked, and typed.
        explorer = await part(visitor, "Explorer")
        await explorer.get_by_role("button", name="Clear").click()
        for card in parse_cards("QhJh10h9c2d"):
            await explorer.get_by_role("button", name=spoken(card), exact=True).click()
        await expect(explorer.locator("#explore-values h2")).to_contain_text("Flop", timeout=SOLVED)
        assert await values(explorer) == await advice_values("QhJh", "Th9c2d")
        await explorer.get_by_label("Board").fill("10h 9c 2d 3s")
        await expect(explorer.locator("#explore-values")).to_contain_text("4 given")
        await explorer.get_by_label("Board").fill("10♥ 9c 2D 3s 4c")
        await expect(explorer.locator("#explore-values h2")).to_contain_text(
            "River", timeout=SOLVED
        )
        assert await values(explorer) == await advice_values("QhJh", "Th9c2d3s4c")
        # The rules of a table: Washington calls a Raise a Play.
        await page.get_by_label("Rules").select_option("Olympia")
        await expect(explorer.locator("#explore-values")).to_contain_text("Play 1×", timeout=SOLVED)
        # The recorded decisions, and a file of them.
        progress = await part(visitor, "Progress")
        await expect(progress.locator(".figure").last).to_contain_text("of 2 decisions were best")
        async with page.expect_download() as download:
            await progress.get_by_role("link", name="Save the evening’s summary").click()
        file = tmp_path / "summary.html"
        await (await download.value).save_as(file)
        who = await page.locator("#who").inner_text()
        assert who in file.read_text("utf-8")
        async with page.expect_download() as download:
            await progress.get_by_role("button", name="Save it as a picture").click()
        picture = tmp_path / "summary.png"
        await (await download.value).save_as(picture)
        assert picture.read_bytes().startswith(b"\x89PNG")
        await progress.get_by_role("button", name="Delete my history").click()
        await page.get_by_role("button", name="Delete", exact=True).click()
        await visitor.sees("No decisions are recorded yet")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_coach_at_the_table_before_and_after_a_decision(
    browser: Browser, school: Live, size: tuple[int, int]
) -> None:
    table = f"Desk {size[0]}"
    await school.open_table(table, GALAXY, pace=TO_READ)
    async with visit(browser, school.address, size) as visitor:
        await sit(visitor, table)
        coach = visitor.page.locator("#coach")
        await expect(coach.locator(".coach-body")).to_be_empty()
        await visitor.page.get_by_label("Coach").select_option("before")
        await visitor.bet("10")
        await coach.locator(".values").wait_for(timeout=SOLVED)
        hole = format_cards(round_of(school, table).seats[1].hole)
        shown = await values(coach)
        assert len(shown) >= 2
        await check_accessibility(visitor.page, size[0])
        async with visitor.page.expect_popup() as opened:
            await coach.get_by_role("link", name="Exact values").click()
        explorer = await opened.value
        await expect(explorer.get_by_label("Rules")).to_have_value(table)
        await explorer.locator("#explore-values .values").wait_for(timeout=SOLVED)
        # Another test compares the explorer's values with the library's.
        assert await values(explorer.locator("#explore-values")) == shown
        typed = await explorer.locator("#explore-hole").input_value()
        assert typed.replace(" ", "") == hole
        await explorer.close()
        await visitor.page.locator("#table-title").focus()
        for mode in ("off", "after"):
            await visitor.page.keyboard.press("k")
            await expect(visitor.page.get_by_label("Coach")).to_have_value(mode)
        await expect(coach.locator(".coach-body")).to_be_empty()
        await visitor.press("Check")
        await expect(coach).to_contain_text("Pocket: ", timeout=SOLVED)
        assert await values(coach) == shown
        assert await coach.locator(".chosen .name").inner_text() == "Check"
        await expect(coach).to_contain_text("of 1 best")
        await visitor.press("Check")
        await expect(coach).to_contain_text("Flop: ", timeout=SOLVED)
        await visitor.press("Fold")
        await expect(coach).to_contain_text("River: ", timeout=SOLVED)
        await check_accessibility(visitor.page, size[0])
        await visitor.page.goto(f"{school.address}/train#progress")
        progress = visitor.page.locator("#progress")
        await expect(progress.locator(".figure").first).to_contain_text("of 3 decisions")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_every_part_of_the_training_is_accessible(
    browser: Browser, school: Live, size: tuple[int, int]
) -> None:
    async with visit(browser, f"{school.address}/train", size) as visitor:
        page = visitor.page
        await page.locator(".decide button").first.wait_for(timeout=SOLVED)
        await check_accessibility(visitor.page, size[0])
        await page.locator(".decide button").first.click()
        await page.locator(".next").wait_for(timeout=SOLVED)
        await check_accessibility(visitor.page, size[0])
        for name, there in (
            ("Chart", ".cell"),
            ("Explorer", "#explore-values table"),
            ("Progress", ".figure"),
        ):
            await part(visitor, name)
            await page.locator(there).first.wait_for(timeout=SOLVED)
            await check_accessibility(visitor.page, size[0])


async def test_a_real_house_requires_a_log_in_to_train(browser: Browser, tmp_path: Path) -> None:
    async with (
        live(tmp_path, demo=False) as server,
        visit(browser, f"{server.address}/train") as visitor,
    ):
        await visitor.button("Log in").wait_for()
        await check_accessibility(visitor.page, DESKTOP[0])
