"""The dealer's console in a real browser, by keyboard: real cards and irregularities."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from headsup.game.round.commands import Raise
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import Cause
from headsup.game.table.commands import PlayerAt
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import card_name
from headsup.game.values.money import show_dollars
from headsup.house.dealing.pace import Timings
from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.console import SHOE, approve, dealing, expect_step, press_space_for
from tests.support.browser.floor import (
    PASSWORD,
    bet,
    hire,
    logged_in,
    open_by_hand,
    run_command,
    seat,
)
from tests.support.browser.play import round_of
from tests.support.browser.visitor import DESKTOP, Visitor, check_accessibility
from tests.support.tables import TRIPS_6, opening
from tests.support.web.live_server import live

pytestmark = pytest.mark.asyncio(loop_scope="session")
TABLET = (1024, 768)
REAL_CARDS = replace(DEMO_TABLES[0].opening, shuffle=ShuffleSource.ENTERED)
# All 6's four cards, then each seat, the dealer and the board, as this book deals them.
CARDS = "KsKhAdAc7h2s9s9hKd9c5h5s2d2c3c"


async def test_a_new_table_appears_in_an_open_console(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee")
        context = await logged_in(browser, server, "Dee", DESKTOP)
        page = await context.new_page()
        await page.goto(f"{server.address}/console")
        await expect(page.locator("#tables")).to_contain_text("No tables are open yet")
        await open_by_hand(server, SHOE)
        await page.get_by_role("link", name="T1").click()
        await expect(page.locator("#due")).to_contain_text("No players are seated yet")
        await context.close()


@pytest.mark.parametrize("size", [DESKTOP, TABLET], ids=["desktop", "tablet"])
async def test_a_dealer_runs_a_round_of_real_cards_by_keyboard(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee")
        await open_by_hand(server, REAL_CARDS)
        await seat(server, {1: "Ann", 4: "Bob"})
        async with dealing(browser, server, size=size) as visitor:
            keyboard = visitor.page.keyboard
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1, trips_plus=500, progressive=100)
            await bet(server, 4, ante=2_000)
            await press_space_for(visitor, "No more bets")
            # The field has the focus, so the dealer can type.
            await expect_step(visitor, "Next: all 6")
            await keyboard.type("KsKhKs")
            await expect_step(visitor, "Ks")
            await expect(visitor.page.locator("#typed .bad")).to_be_visible()
            await expect(visitor.page.locator("#deal")).to_be_disabled()
            for _ in range(2):
                await keyboard.press("Backspace")
            await expect_step(visitor, "Next: all 6")
            await keyboard.type(CARDS[4:])
            await expect_step(visitor, "All cards are entered")
            assert await visitor.cards("#spots > li:nth-child(2)") == [
                "seven of hearts",
                "nine of hearts",
            ]
            await check_accessibility(visitor.page)
            await keyboard.press("Enter")
            await expect_step(visitor, "Waiting for seat 1 (Ann), seat 4 (Bob)")
            dealt = round_of(server).deal.board
            assert "".join(map(card_name, dealt)) in CARDS
            hidden = await visitor.page.locator("#felt").inner_html()
            assert hidden.count("a card face down") == 6  # two seats and the dealer
            await run_command(server, PlayerAt(1), Raise(1, 3))
            await run_command(server, PlayerAt(4), Raise(4, 3))
            await press_space_for(visitor, "Turn up the flop")
            wagers = visitor.page.locator(".position.at-1 dt")
            in_order = ["Ante", "Odds", "Raise", "Trips Plus", "Progressive"]
            assert await wagers.all_inner_texts() == in_order
            await press_space_for(visitor, "Turn up the turn and river")
            await press_space_for(visitor, "Turn over the dealer’s cards")
            await press_space_for(visitor, "Read the hands")
            await press_space_for(visitor, "Pay and take: seat 4 (Bob)")
            await press_space_for(visitor, "Pay and take: seat 1 (Ann)")
            await expect_step(visitor, "Close the round")
            assert await wagers.all_inner_texts() == in_order
            settlement = round_of(server).settlement
            assert settlement is not None
            sheet = await visitor.page.locator("#panel").inner_text()
            for number in (1, 4):
                for line in settlement.seat(number).lines:
                    if line.net > 0:
                        assert f"pay {show_dollars(line.net)}" in sheet
                    elif line.net < 0:
                        assert f"take {show_dollars(line.stake)}" in sheet
            await check_accessibility(visitor.page)
            assert await visitor.width() <= size[0]
            await press_space_for(visitor, "Close the round")
            await press_space_for(visitor, "Open the next round")
            log = visitor.page.locator("#log p")
            lines = await log.all_inner_texts()
            results = [line for line in lines if "Net " in line or "dealer’s hand" in line]
            assert len(results) == 3
            await visitor.page.reload()
            for result in results:  # from the log, although another round has begun
                await expect(log.filter(has_text=result)).to_have_count(1)


async def test_an_irregularity_shows_its_effect_before_a_supervisor_approves_it(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Ann", 2: "Bob"})
        async with dealing(browser, server) as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1, trips_plus=500)
            await bet(server, 2)
            await press_space_for(visitor, "No more bets")
            await press_space_for(visitor, "Deal from the shoe")
            await expect_step(visitor, "Waiting for seat 1")
            await keyboard.press("i")
            await page.get_by_role("button", name="Dealer card exposed").focus()
            await keyboard.press("Enter")
            outlook = page.locator("#outlook")
            await expect(outlook).to_contain_text("Ante $10.00, Odds $10.00")
            await expect(outlook).to_contain_text("Trips Plus $5.00")
            assert round_of(server).void is None  # shown before it is done
            await check_accessibility(visitor.page)
            await page.get_by_label("Note for the record").fill("the dealer's second card")
            await keyboard.press("Enter")
            await page.get_by_label("Supervisor’s name").fill("Dee")
            await page.get_by_label("Supervisor’s password").fill(PASSWORD)
            await keyboard.press("Enter")
            await expect(page.locator("#approval [role=alert]")).to_contain_text("Dee")
            await check_accessibility(visitor.page)
            await page.get_by_label("Supervisor’s name").fill("Sue")
            await page.get_by_label("Supervisor’s password").fill("a guess that is wrong")
            await keyboard.press("Enter")
            await expect(page.locator("#approval [role=alert]")).to_contain_text("password")
            assert round_of(server).void is None
            await page.get_by_label("Supervisor’s password").fill(PASSWORD)
            await keyboard.press("Enter")
            await expect(page.locator("#felt .alarm")).to_contain_text("dealer card exposed")
            void = round_of(server).void
            assert void is not None
            assert void.cause is Cause.DEALER_CARD_EXPOSED
            await press_space_for(visitor, "Settle the void round")
            await press_space_for(visitor, "Pay and take: seat 2")
            await keyboard.press("p")
            await expect(page.locator("#panel")).to_contain_text("return")


async def test_equipment_down_meter_corrected_time_and_display(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Ann"})
        async with dealing(browser, server) as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await keyboard.press("t")
            await page.get_by_text("Report equipment down").first.click()
            await page.get_by_label("Reason").fill("no light at seat 4")
            await keyboard.press("Enter")
            await expect(page.locator("#panel .alarm")).to_contain_text("no light at seat 4")
            await expect(page.locator("#felt .meter")).to_contain_text("Display frozen")
            await keyboard.press("Escape")
            await keyboard.press("m")
            await expect(page.locator("#panel")).to_contain_text("Correct the meter")
            await expect(page.locator("#panel")).not_to_contain_text("Unfreeze")
            await keyboard.press("Escape")
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1, progressive=100)
            await press_space_for(visitor, "No more bets")
            await expect_step(visitor, "count the wagers by hand")
            await page.get_by_role("button", name="Go to the sheet").click()
            await page.get_by_text("Count by hand").first.click()
            await page.get_by_label("wagers on the felt").fill("2")
            await keyboard.press("Enter")
            await expect(page.locator("#refused")).to_contain_text("2")
            await page.get_by_label("wagers on the felt").fill("1")
            await keyboard.press("Enter")
            await expect_step(visitor, "Deal from the shoe")
            await keyboard.press("Escape")
            await press_space_for(visitor, "Deal from the shoe")
            await expect_step(visitor, "Waiting for seat 1")
            await keyboard.press("s")
            await page.get_by_text("Give more time").first.click()
            await page.get_by_label("Seconds").fill("45")
            await keyboard.press("Enter")
            await expect(page.locator("#log")).to_contain_text("45 more seconds")
            await page.get_by_role("button", name="Create a link").click()
            link = await page.get_by_role("link", name="the display").get_attribute("href")
            assert link is not None
            assert link.startswith(f"{server.address}/display#T1/")
            await expect(page.get_by_label("Address of the display")).to_have_value(link)
            await check_accessibility(visitor.page)
            assert round_of(server).phase is Phase.POCKET
            await keyboard.press("Escape")
            await keyboard.press("b")
            await keyboard.type("a fire drill")  # replaces the reason that is proposed
            await keyboard.press("Enter")
            await expect_step(visitor, "Paused: a fire drill")
            await keyboard.press("b")
            await expect_step(visitor, "Waiting for seat 1")
            await page.get_by_text("Pause the table, with a reason").click()
            await page.get_by_label("Reason for the pause").fill("the lights are out")
            await keyboard.press("Enter")
            await expect_step(visitor, "Paused: the lights are out")
            await keyboard.press("Escape")
            await keyboard.press("b")
            await expect_step(visitor, "Waiting for seat 1")


async def open_form(visitor: Visitor, title: str) -> Locator:
    """Open a form of the sheet by its digit; its first field gets the focus."""
    summary = visitor.page.locator("#panel summary").filter(has_text=title)
    await expect(summary).to_be_visible()
    await visitor.page.keyboard.press(str(await summary.get_attribute("aria-keyshortcuts")))
    form = visitor.page.locator("#panel details[open]").filter(has_text=title)
    await expect(form.locator(":focus")).to_have_count(1)
    return form


async def test_a_sensor_reading_is_entered_and_resolved_if_it_does_not_match_the_felt(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, REAL_CARDS)
        await seat(server, {1: "Ann"})
        async with dealing(browser, server) as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1)
            await keyboard.press("t")
            form = await open_form(visitor, "Enter a sensor reading")
            await keyboard.type("3")  # a free seat
            await form.get_by_label("Sensor reading").select_option("a chip")
            await check_accessibility(visitor.page)
            await keyboard.press("Enter")
            await expect(form).to_have_count(0)  # sent and closed
            await keyboard.press("Escape")
            await press_space_for(visitor, "No more bets")
            await expect_step(visitor, "Lights and chips do not match")
            await expect(page.get_by_role("listitem", name="Seat 3: lit")).to_be_visible()
            form = await open_form(visitor, "Resolve a light")
            await keyboard.type("3")
            await form.get_by_label("Reason").fill("a chip that rolled")
            await keyboard.press("Enter")
            await approve(visitor, "Sue")
            await expect_step(visitor, "Next: all 6")


async def test_two_supervisors_schedule_a_closing_transfer_a_pool_and_set_prizes(
    browser: Browser, tmp_path: Path
) -> None:
    bonus = opening("washington", jackpot_regime="bonus", meter_contribution="0", **TRIPS_6)
    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue", "Sam")
        await open_by_hand(server, SHOE)
        await open_by_hand(server, SHOE, "T2", floor="T1")
        await open_by_hand(server, bonus, "W1")
        async with dealing(browser, server, "Sue") as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await keyboard.press("m")
            form = await open_form(visitor, "Schedule the end of the wager")
            await form.get_by_label("No wagers from").fill("2026-11-01")
            await form.get_by_label("Approved by").fill("letter of 1 December")
            await check_accessibility(visitor.page)
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            panel = page.locator("#panel")
            await expect(panel).to_contain_text(
                "ends on 2026-11-01, by an approved plan; then its pool goes to T2 meter"
            )
            form = await open_form(visitor, "Transfer the pool")
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            await expect(panel).to_contain_text("This table has no meter")
            host = server.house.host_of("T1")
            assert host is not None
            assert host.journal.floor.meters["T1 meter"].pool == 0
            await page.goto(f"{server.address}/console#/T2")
            await keyboard.press("m")
            form = await open_form(visitor, "Schedule the end of the wager")
            await expect(
                form.locator("input[name=floor]")
            ).to_be_visible()  # no other meter on this floor
            await form.get_by_label("Move the pool to").select_option("outside")
            await expect(form.locator("input[name=floor]")).to_be_hidden()
            await form.get_by_label("No wagers from").fill("2026-11-02")
            await form.get_by_label("Meter or game").fill("Keno 2")
            await form.get_by_label("Approved by").fill("letter of 2 December")
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            await expect(panel).to_contain_text(
                "ends on 2026-11-02, by an approved plan; then its pool goes to Keno 2"
            )
            await page.goto(f"{server.address}/console#/W1")
            await keyboard.press("m")
            await expect(panel).to_contain_text("Bonus cell")
            form = await open_form(visitor, "Post a new Bonus Jackpot prize")
            await page.get_by_label("Prize ($)").fill("7500")
            await form.get_by_label("Reason").fill("weekend")
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            await expect(panel.locator("h3")).to_contain_text("$7,500.00")
            form = await open_form(visitor, "Change the pay of a Bonus cell")
            await form.get_by_label("Cell").select_option("trips_plus/flush")
            await form.get_by_label("Pays").fill("7")
            await form.get_by_label("Reason").fill("weekend")
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            table = server.house.table("W1")
            assert table is not None
            assert table.rules.paytables["trips_plus"].pays["flush"].amount == 7
            form = await open_form(visitor, "End the Bonus Jackpot")
            await form.get_by_label("Reason").fill("the weekend is over")
            await keyboard.press("Enter")
            await approve(visitor, "Sam")
            await expect(panel).to_contain_text("This table has no meter")


async def test_a_supervisor_sets_the_pace_and_a_dealer_reads_it(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Ann"})
        async with dealing(browser, server, "Sue") as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await page.get_by_role("tab", name="Pace").wait_for()
            await keyboard.press("c")
            panel = page.locator("#panel")
            await expect(panel).to_contain_text("The house default")
            await page.get_by_label("Betting time").fill("45")
            await page.get_by_label("Before each street").fill("2.5")
            await seat(server, {2: "Bob"})  # must not clear what was typed
            await expect(page.locator("#felt")).to_contain_text("Bob")
            await check_accessibility(visitor.page)
            await keyboard.press("Enter")
            await expect(panel).to_contain_text("Set for this table by Sue")
            assert server.house.pace("T1") == Timings(betting=45, card=2.5)
            assert await visitor.width() <= DESKTOP[0]
            async with dealing(browser, server, "Dee") as dealer:
                await dealer.page.get_by_role("tab", name="Pace").click()
                await expect(dealer.page.locator("#panel")).to_contain_text(
                    "Before each street: 2.5"
                )
                assert await dealer.page.locator("#panel input").count() == 0
            await page.get_by_role("button", name="Back to the default").click()
            await expect(panel).to_contain_text("The house default")
            assert server.house.pace("T1") is None


async def test_an_administrator_sets_the_pace_and_the_display_messages_in_the_office(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Ada")
        await open_by_hand(server, SHOE)
        await open_by_hand(server, REAL_CARDS, "T2")
        context = await logged_in(browser, server, "Ada", DESKTOP)
        page = await context.new_page()
        visitor = Visitor(page)
        await page.goto(f"{server.address}/office#/tables")
        await page.get_by_role("link", name="Pace of T1").click()
        await page.get_by_label("Betting time").fill("30")
        await check_accessibility(visitor.page)
        await page.get_by_role("button", name="Use this pace").click()
        await expect(page.locator("#page")).to_contain_text("Set for this table by Ada")
        assert server.house.pace("T1") == Timings(betting=30)
        await page.get_by_role("link", name="Pace of T2").click()
        await expect(page.locator("#page")).to_contain_text("A person deals at this table")
        # R89: the house's own messages on the displays.
        await page.get_by_label("Messages").fill("Welcome.\n\n  Stud on Friday \n")
        await page.get_by_role("button", name="Save messages").click()
        await expect(page.get_by_label("Messages")).to_have_value("Welcome.\nStud on Friday")
        await expect(
            page.get_by_role("status").filter(has_text="The displays show them now.")
        ).to_be_visible()
        await context.close()


async def test_an_irregularity_is_reported_for_no_seat_that_was_not_chosen(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        hire(server, "Dee")
        await open_by_hand(server, SHOE)
        await seat(server, {1: "Ann", 2: "Bob"})
        async with dealing(browser, server) as visitor:
            page = visitor.page
            await press_space_for(visitor, "Open the next round")
            await expect_step(visitor, "Waiting for bets")
            await bet(server, 1)
            await bet(server, 2)
            await press_space_for(visitor, "No more bets")
            await press_space_for(visitor, "Deal from the shoe")
            await expect_step(visitor, "Waiting for seat 1")
            await page.keyboard.press("i")
            await page.locator("#panel .choices button", has_text="seats 1, 2").first.click()
            way = page.locator("select[name=way]")
            await expect(way).to_have_value("")
            await expect(way).to_be_focused()
            await expect(page.locator("button[name=report]")).to_have_count(0)
            await way.select_option(label=await way.locator("option").last.inner_text())
            await expect(page.locator("#outlook")).to_be_visible()
            await expect(page.locator("button[name=report]")).to_be_visible()
