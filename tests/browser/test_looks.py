"""Animations, settings, the sealed shuffle, layout details and the size of a download."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser.decks import BEATEN, dealing
from tests.support.browser.play import GALAXY, TO_READ, TO_THINK, sit
from tests.support.browser.visitor import DESKTOP, PHONE, Visitor, visit
from tests.support.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Records the total time of each animation that is started.
WATCHED = """(() => {
  const animate = Element.prototype.animate;
  window.moved = [];
  Element.prototype.animate = function (frames, options) {
    if (!this.closest(".ring")) window.moved.push((options.delay ?? 0) + options.duration);
    return animate.call(this, frames, options);
  };
})()"""

LONG = 50_000  # microseconds of one task, long enough to drop frames


async def long_frames(
    browser: Browser, visitor: Visitor, act: Callable[[], Awaitable[None]]
) -> int:
    """How many tasks are too long for smooth animation during an action. Measured in time of the
    page's own thread, which a busy machine does not stretch."""
    await browser.start_tracing(page=visitor.page, categories=["toplevel", "devtools.timeline"])
    await act()
    events = json.loads(await browser.stop_tracing())["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    works = [
        event["tdur"]
        for event in events
        if event["name"].endswith("::RunTask")
        and "tdur" in event
        and (event["pid"], event["tid"]) in threads
    ]
    assert len(works) > 50  # the deal was seen
    return sum(work > LONG for work in works)


async def animation_times(visitor: Visitor) -> list[float]:
    found: list[float] = await visitor.page.evaluate("window.moved")
    return found


@pytest.mark.parametrize("still", [False, True], ids=["moving", "still"])
async def test_animations_are_short_and_can_be_turned_off(
    browser: Browser, tmp_path: Path, still: bool
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, dealing(BEATEN), pace=TO_READ)
        async with visit(browser, server.address, still=still) as visitor:
            await visitor.page.evaluate(WATCHED)
            await sit(visitor)
            await visitor.put_down("10")

            async def plays() -> None:
                await visitor.press("Place bets")
                await visitor.press("Raise 3×")
                await expect(visitor.page.locator("#results")).to_be_visible()

            assert await long_frames(browser, visitor, plays) == 0
            times = await animation_times(visitor)
            if still:
                assert times == []
            else:
                assert len(times) >= 9  # cards dealt, board and dealer turned over, chips taken
                assert max(times) < 1000
                await visitor.page.keyboard.press("Shift")  # any key skips them
                ended = "async () => !(await import('/table/motion.js')).isMoving()"
                await visitor.page.wait_for_function(f"({ended})()")


async def test_settings_are_remembered(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, server.address) as visitor:
            await visitor.press("Settings")
            for choice in ("light", "four colors", "none"):
                await visitor.page.get_by_role("radio", name=choice, exact=True).check()
            await visitor.page.get_by_role("button", name="Close").click()
            await visitor.press("Sound off")
            await visitor.page.reload()
            await visitor.button("Sound on").wait_for()
            html = visitor.page.locator("html")
            for name, value in {"theme": "light", "suits": "four", "motion": "none"}.items():
                await expect(html).to_have_attribute(f"data-{name}", value)


async def test_the_seal_is_shown_before_betting_and_players_can_add_a_seed(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY, pace=TO_THINK)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            await visitor.press("Fair deal")
            table = server.house.table("T1")
            assert table is not None
            assert table.sealed is not None
            await visitor.sees(table.sealed.commitment, "#panel")
            await visitor.page.get_by_label("Add your own seed").fill("red and black")
            await visitor.press("Add seed")
            await visitor.sees("Guest 1: red and black", "#panel")
            await visitor.sees("headsup verify", "#panel")


IN_SIGHT = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const stage = box(".stage");
  const cards = [...document.querySelectorAll("#own-hand .card")];
  const within = ({ top, bottom, right }) =>
    top >= stage.top && bottom <= stage.bottom && right <= stage.right;
  return cards.length === 2 && cards.every((one) => within(one.getBoundingClientRect()));
}"""


# The results cover neither cards nor spots.
APART = """() => {
  const results = document.querySelector("#results").getBoundingClientRect();
  const others = [...document.querySelectorAll("#own .card, #own .spot, #felt .board .card")];
  return others.map((one) => one.getBoundingClientRect()).every(({ top, bottom, left, right }) =>
    bottom <= results.top || top >= results.bottom ||
    right <= results.left || left >= results.right);
}"""


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (780, 435), (1440, 900)])
async def test_the_players_cards_are_fully_visible_with_the_coach_on(
    browser: Browser, school: Live, size: tuple[int, int]
) -> None:
    table = f"Looked at on {size[0]}"
    await school.open_table(table, GALAXY, dealing(BEATEN), pace=TO_READ)
    async with visit(browser, school.address, size) as visitor:
        await sit(visitor, table)
        await visitor.page.get_by_label("Coach").select_option("before")
        await visitor.put_down("10", progressive="1")
        dock = visitor.page.locator(".dock")
        before = await dock.bounding_box()
        # A spot keeps its name under the chips.
        await expect(visitor.page.locator(".spot.progressive .word")).to_have_text("Progressive")
        await visitor.press("Place bets")
        await visitor.button("Check").wait_for()
        await expect(visitor.page.locator(".coach-body")).not_to_be_empty()
        assert await visitor.page.evaluate(IN_SIGHT)
        assert await dock.bounding_box() == before  # and nothing has moved
        await expect(visitor.button("Check")).to_be_in_viewport(ratio=1)
        header = await visitor.page.locator("header").bounding_box()
        assert header is not None
        assert header["height"] < 60  # one row
        if size in (PHONE, DESKTOP):
            await visitor.press("Raise 3×")
            summary = visitor.page.locator("#results summary")
            await expect(summary).to_be_in_viewport(ratio=1)
            assert await visitor.page.evaluate(APART)
        if size == DESKTOP:
            await expect(visitor.page.locator("button[name=clauses]")).to_be_in_viewport(ratio=1)


GAP = """() => {
  const button = document.querySelector("[name=start]").getBoundingClientRect();
  const [above] = [...document.querySelectorAll(".greeting p:not(.rows)")].slice(-1);
  const [below] = document.querySelectorAll(".tables .panel");
  const bottom = above.getBoundingClientRect().bottom;
  return Math.min(button.top - bottom, below.getBoundingClientRect().top - button.bottom);
}"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_first_button_of_the_lobby_has_space_around_it(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, server.address, size, newcomer=True) as visitor:
            await visitor.button("Show me a round").wait_for()
            assert await visitor.page.evaluate(GAP) >= 12


PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length"
WEIGHED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


async def test_a_first_visit_downloads_little(browser: Browser, tmp_path: Path) -> None:
    """The bytes of a first look at a table."""
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, server.address) as visitor:
            await sit(visitor)
            weight = await visitor.page.evaluate(WEIGHED)
            assert 50_000 < weight < 300_000
            # Painted within a second of processor time, which a busy machine does not stretch.
            session = await visitor.page.context.new_cdp_session(visitor.page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            await visitor.page.reload()
            await visitor.sees("Your chips")
            assert await visitor.page.evaluate(PAINTED) == 1
            metrics = (await session.send("Performance.getMetrics"))["metrics"]
            assert 0 < next(one["value"] for one in metrics if one["name"] == "TaskDuration") < 1


ADD = """async ({ posted, chips, steps }) => {
  const bets = await import("/lib/bets.js");
  let draft = bets.NO_BETS;
  for (const [what, ...more] of steps) {
    if (what === "add") draft = bets.add(draft, ...more, posted, chips);
    else if (what === "double") draft = bets.double(draft, posted, chips);
    else if (what === "rebet") draft = bets.rebet(draft, more[0], ["ante", "odds"], chips);
    else draft = bets[what](draft, ...more);
  }
  return draft;
}"""
POSTED = {
    "limits": [
        {"wager": "ante", "min": "5.00", "max": "100.00"},
        {"wager": "trips_plus", "min": "1.00", "max": "50.00"},
    ],
    "progressive_stake": "1.00",
    "single_wager_max": None,
}


@pytest.mark.parametrize(
    ("steps", "stakes", "note"),
    [
        ([["add", "ante", 2500]], {"ante": 2500, "odds": 2500}, ""),
        ([["add", "odds", 100]], {"ante": 500, "odds": 500}, ""),  # raised to the minimum
        ([["add", "trips_plus", 10000]], {"trips_plus": 5000}, ""),  # and cut to the maximum
        ([["add", "trips_plus", 5000]] * 2, {"trips_plus": 5000}, "max"),
        ([["add", "progressive", 2500]], {"progressive": 100}, ""),  # it has one price
        ([["add", "progressive", 100]] * 2, {}, ""),
        ([["add", "ante", 10000]] * 2, {"ante": 10000, "odds": 10000}, "max"),
        ([["add", "ante", 500], ["add", "ante", 100], ["undo"]], {"ante": 500, "odds": 500}, ""),
        ([["add", "ante", 500], ["remove", "ante"]], {}, ""),
        ([["add", "ante", 500], ["clear"], ["undo"]], {"ante": 500, "odds": 500}, ""),
        ([["add", "ante", 2500], ["double"]], {"ante": 5000, "odds": 5000}, ""),
        ([["rebet", {"ante": 500, "odds": 500, "all_6": 100}]], {"ante": 500, "odds": 500}, ""),
        ([["rebet", {"ante": 20000, "odds": 20000}]], {}, "chips"),
    ],
)
async def test_bets_stay_within_the_posted_limits_and_the_players_chips(
    page: Page, steps: list[Any], stakes: dict[str, int], note: str
) -> None:
    draft = await page.evaluate(ADD, {"posted": POSTED, "chips": 20_000, "steps": steps})
    assert (draft["stakes"], draft["note"]) == (stakes, note)
