"""What a layout must show, on the felt of the page: spots, pays, raises, words and cards."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.oracles.printed import printed_table
from tests.support.browser.decks import PLAIN, dealing
from tests.support.browser.play import TO_READ, sit
from tests.support.browser.visitor import PHONE, TABLET, Visitor, visit
from tests.support.tables import opening
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAPTOP = (1366, 768)
SIZES = {"laptop": LAPTOP, "tablet": TABLET, "phone": PHONE}
Box = dict[str, float]


async def box(place: Locator) -> Box:
    """Where it lies. It has no place for a moment when the page draws it anew."""
    await expect(place).to_be_visible()
    while (found := await place.bounding_box()) is None:
        await expect(place).to_be_visible()
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def centre(box: Box) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_above(upper: Box, lower: Box) -> bool:
    """In the same column, without overlapping."""
    return (
        abs(centre(upper)[0] - centre(lower)[0]) < lower["width"]
        and centre(upper)[1] + upper["height"] / 2 <= centre(lower)[1]
    )


def is_left_of(left: Box, right: Box) -> bool:
    """On the same line, without overlapping."""
    return (
        left["x"] + left["width"] <= right["x"] + 1
        and abs(centre(left)[1] - centre(right)[1]) < right["height"] / 2
    )


@pytest.mark.clause(
    "NY (a)(2)(i)",
    "NY (a)(2)(ii)",
    "NY (a)(2)(iii)",
    "NY (a)(2)(iv)",
    "NY (a)(2)(v)",
)
@pytest.mark.parametrize("size", SIZES)
async def test_ny_a2_the_wagers_lie_where_the_layout_has_them(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("new-york"), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, SIZES[size]) as visitor:
            await sit(visitor)
            await expect(visitor.page.locator("#spots .spot")).to_have_count(6)
            spots = {
                wager: await box(visitor.page.locator(f"#spots .spot.{wager}"))
                for wager in ("ante", "odds", "raise", "trips_plus", "pocket_bonus")
            }
            equals = visitor.page.locator("#spots .equals")
            await expect(equals).to_have_text("=")
            assert is_above(spots["ante"], spots["raise"]), "the Raise lies behind the Ante"
            assert is_left_of(spots["ante"], await box(equals))
            assert is_left_of(await box(equals), spots["odds"])
            assert is_above(spots["trips_plus"], spots["ante"])
            assert is_left_of(spots["trips_plus"], spots["pocket_bonus"])


@pytest.mark.clause("NY (a)(1) dealer")
@pytest.mark.parametrize("size", SIZES)
async def test_ny_a1_the_dealer_is_opposite_the_player(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("new-york"), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, SIZES[size]) as visitor:
            await sit(visitor)
            await visitor.bet("10")
            await visitor.button("Check").wait_for()
            dealer = await box(visitor.page.locator("#dealer"))
            ante = await box(visitor.page.locator("#spots .spot.ante"))
            assert dealer["y"] + dealer["height"] <= ante["y"]


async def printed_on_felt(visitor: Visitor) -> str:
    """What can be read on the felt without a click: the text of visible print in the window."""
    texts = []
    for place in ("#pays", "#raises", "#print", "#inscriptions"):
        found = visitor.page.locator(place)
        if await found.is_visible():
            texts.append(await found.inner_text())
    return " ".join(" ".join(texts).split())


@pytest.mark.clause("NY (a)(2)(vi)", "NY (a)(2)(vii)")
@pytest.mark.parametrize("size", SIZES)
async def test_ny_a2_pays_and_raises_are_printed_on_the_felt(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("new-york"), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, SIZES[size]) as visitor:
            await sit(visitor)
            await visitor.bet("10", trips_plus="5", pocket_bonus="5")
            await visitor.button("Check").wait_for()
            felt = await printed_on_felt(visitor)
            for words in ("1×, 2×, 3× before the flop", "1×, 2× on the flop", "1× on the river"):
                assert words in felt
            ids = {"odds": "1", "bad_beat": "1", "trips_plus": "A", "pocket_bonus": "A"}
            for key, id in ids.items():
                print_of = visitor.page.locator(f"#pays .{key}, #print .{key}")
                shown = [one for one in await print_of.all() if await one.is_visible()]
                assert len(shown) == 1, key
                text = " ".join((await shown[0].inner_text()).split())
                for cell in printed_table("002", key, id).cells.values():
                    pay = {"3:2": "1.5"}.get(cell, cell.removesuffix(":1"))
                    assert f" {pay} " in f" {text} ", (key, cell)
                place = await box(shown[0])
                assert place["y"] + place["height"] <= await dock_top(visitor), f"{key} is hidden"


async def dock_top(visitor: Visitor) -> float:
    return float((await box(visitor.page.locator(".dock")))["y"])


@pytest.mark.clause(
    "GW Layout must beat dealer", "GW Layout raise", "GW Layout to 1", "SH Odds must beat"
)
@pytest.mark.parametrize(
    ("book", "words"),
    [
        (
            "galaxy-wpt",
            (
                "RAISE: 3X on Pocket Cards, 2X on Flop, 1X on River",
                "*Must beat dealer",
                "All Layout Paytables Are to 1",
            ),
        ),
        ("sugarhouse", ("# Must beat the Dealer", "at most $50,000.00 in winnings on Ante, Odds")),
    ],
)
@pytest.mark.parametrize("size", SIZES)
async def test_the_words_of_a_layout_are_printed_on_the_felt(
    browser: Browser, tmp_path: Path, book: str, words: tuple[str, ...], size: str
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", opening(book), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, SIZES[size]) as visitor:
            await sit(visitor)
            await expect(visitor.page.locator("#inscriptions")).to_be_visible()
            felt = await printed_on_felt(visitor)
            assert [text for text in words if text not in felt] == []


@pytest.mark.clause("WA Rules of Play, second paragraph, posted")
async def test_wa_the_four_wager_rule_is_printed_on_the_felt_not_below_it(
    browser: Browser, tmp_path: Path
) -> None:
    rule = "Players may wager on at most four of the wagering options"
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("washington"), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, LAPTOP) as visitor:
            await sit(visitor)
            await visitor.sees(rule, "#felt #inscriptions")
            await expect(visitor.page.locator("#notices")).not_to_contain_text(rule)


@pytest.mark.clause(
    "G 3 packet",
    "G All 6 Bonus hand",
    "WA App. E footnote 4",
    "G All 6 Bonus face down",
)
async def test_g_3_the_all_6_cards_lie_face_down_and_a_chip_taken_up_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    """A "for 1" chip leaves the felt at the button; its light stands for it."""
    async with live(tmp_path) as server:
        await server.open_table("T1", opening("galaxy"), dealing(PLAIN), pace=TO_READ)
        async with visit(browser, server.address, LAPTOP) as visitor:
            await sit(visitor)
            page = visitor.page
            await expect(page.locator(".all-6")).to_have_count(0)
            await visitor.put_down("10", trips_plus="5", progressive="1")
            await expect(page.locator("#spots .progressive .stack")).to_have_count(1)
            await visitor.press("Place bets")
            await visitor.button("Check").wait_for()
            await expect(page.locator(".all-6 [aria-label='a card face down']")).to_have_count(4)
            await expect(page.locator("#spots .progressive .stack")).to_have_count(0)
            await expect(page.locator("#spots .progressive .light.on")).to_have_count(1)
            await expect(page.locator("#spots .trips_plus .stack")).to_have_count(1)
