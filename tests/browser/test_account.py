"""A player's account and recent rounds, in a real browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from headsup.game.round.commands import Raise
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house import clock
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.people.person import Person, Role
from tests.support.browser.floor import (
    CHIPS,
    PASSWORD,
    bet,
    logged_in,
    open_by_hand,
    run_command,
    seat,
)
from tests.support.browser.office import GALAXY, SLOW
from tests.support.browser.play import round_of
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
NEW = "another horse battery"


async def played(server: Live) -> None:
    """Play a round with Ann, who has a password, and Bob."""
    await server.open_table("T1", GALAXY, decks=lambda _: shuffle_deck(), pace=SLOW)
    ann = server.accounts.create("Ann", Role.PLAYER, PASSWORD, clock.now())
    assert isinstance(ann, Person)
    server.accounts.deposit(ann, CHIPS, "play_money", clock.now())
    await run_command(server, PlayerAt(2), Sit(2, "Ann"))
    await run_command(server, PlayerAt(2), BuyIn(2, CHIPS))
    await seat(server, {3: "Bob"})
    await run_command(server, Staff("dealer"), OpenRound())
    await bet(server, 2)
    await bet(server, 3)
    while round_of(server).phase.value != "pocket":
        await server.happens("T1")
    await run_command(server, PlayerAt(2), Raise(2, 3))
    await run_command(server, PlayerAt(3), Raise(3, 3))
    while round_of(server).phase.value != "closed":
        await server.happens("T1")


async def test_a_player_replays_their_rounds_changes_the_password_and_logs_out(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        await played(server)
        context = await logged_in(browser, server, "Ann", DESKTOP)
        page = await context.new_page()
        visitor = Visitor(page)
        await page.goto(server.address)
        await page.get_by_role("link", name="Your rounds").click()
        await visitor.sees("Replays of your last ten rounds")
        await check_accessibility(page)
        await page.get_by_role("link", name="Replay: T1 · 1").click()
        await visitor.sees("Replay, as seen from seat 2")
        round = round_of(server)
        own = [spoken(card) for card in round.seats[2].hole]
        assert await visitor.cards("#replayed .at-2") == own
        await page.locator("h1").click()
        await page.keyboard.press("Home")
        await expect(page.locator("#now")).to_contain_text("1 of ")
        await check_accessibility(page)
        await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert await visitor.width() <= PHONE[0]
        await page.goto(f"{server.address}/rounds#/")
        await visitor.sees("Replays of your last ten rounds")
        async with page.expect_download() as begun:
            await page.get_by_role("link", name="download the published data").click()
        assert (await begun.value).suggested_filename == "fair-rounds.jsonl"
        assert await visitor.width() <= PHONE[0]
        hidden = "panel => panel.scrollWidth - panel.clientWidth"
        assert await page.locator("#page > .panel").evaluate(hidden) == 0
        await page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        await page.get_by_role("link", name="Back to your seat").click()

        # At the table the account is in the settings, as the bar has no space.
        await visitor.press("Settings")
        await page.get_by_text("Change your password").click()
        form = page.locator("form[name=password]")
        wrong = {
            "do not match": (PASSWORD, NEW, PASSWORD),
            "wrong name or password": ("wrong password", NEW, NEW),
        }
        for message, typed in wrong.items():
            for name, text in zip(("old", "new", "again"), typed, strict=True):
                await form.locator(f"[name={name}]").fill(text)
            await visitor.press("Change password")
            await expect(form.get_by_role("alert")).to_contain_text(message)
        await check_accessibility(page)
        await form.locator("[name=old]").fill(PASSWORD)
        await visitor.press("Change password")
        await visitor.sees("Your password has been changed")
        await page.get_by_label("Name").fill("Ann")
        await page.get_by_label("Password").fill(NEW)
        await visitor.press("Log in")
        await visitor.press("Log out")
        await visitor.sees("You have logged out")
        assert (await context.request.get(f"{server.address}/api/me")).status == 401
        await check_accessibility(page)
        await context.close()


async def test_r95_a_player_sees_the_amount_and_reason_of_a_correction(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        await played(server)
        ann = await logged_in(browser, server, "Ann", (390, 844))
        page = await ann.new_page()
        await page.goto(f"{server.address}/#/table/T1")
        await expect(page.locator("#own-title")).to_contain_text("You, seat 2")
        taken = CorrectPayout(2, -500, "paid twice", "Dee", "Sue")
        await run_command(server, Staff("dealer"), taken)
        text = "corrected: $5.00 was taken from your chips. Reason: paid twice"
        await expect(page.locator("#log")).to_contain_text(text)
        # Also on a phone, which hides the log; and until it is dismissed.
        note = page.locator("#corrected")
        await expect(note).to_contain_text(text)
        await expect(note).to_be_in_viewport(ratio=1)
        await check_accessibility(page)
        await note.get_by_role("button", name="OK").click()
        await expect(note).to_be_empty()
        await page.goto(f"{server.address}/rounds")
        await expect(page.locator("#page")).to_contain_text("corrected by −$5.00: paid twice")
        await page.get_by_role("link", name="Replay: T1 · 1").click()
        await expect(page.locator("#page")).to_contain_text("corrected by −$5.00: paid twice")
        await ann.close()


async def test_a_new_table_says_that_it_waits_and_fits_its_seat_buttons_on_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await open_by_hand(server, GALAXY)
        async with visit(browser, f"{server.address}/#/table/T1", (360, 800)) as visitor:
            await visitor.sees("Waiting for the first round", "#phase")
            plates = visitor.page.locator("#seats button.plate .name")
            await expect(plates).to_have_count(6)
            fit = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
            assert await plates.evaluate_all(fit)


async def test_a_guest_who_logs_out_returns_as_a_new_guest(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, server.address) as visitor:
            await visitor.sees("Guest 1", "#who")
            await visitor.page.locator("#tools button[name='log out']").click()
            await visitor.page.locator("button[name='log out for good']").click()
            await visitor.sees("You have logged out. If you come back, you will be a new guest")
            await visitor.page.get_by_role("link", name="Continue as a guest").click()
            await visitor.sees("Guest 2", "#who")


async def test_a_guest_is_asked_before_logging_out(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path) as server, visit(browser, server.address) as visitor:
        log_out = visitor.page.locator("button[name='log out']").first
        await log_out.click()
        await visitor.sees("you cannot come back as Guest 1", "#panel")
        await visitor.press("Stay")
        await expect(visitor.page.locator("#who")).to_contain_text("Guest 1")
        await log_out.click()
        await visitor.page.locator("button[name='log out for good']").click()
        await visitor.sees("You have logged out.")


async def test_a_setting_of_one_tab_does_not_undo_that_of_another(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server, visit(browser, server.address) as visitor:
        other = await visitor.page.context.new_page()
        await other.goto(f"{server.address}/train")
        for page, name, value in ((visitor.page, "theme", "dark"), (other, "suits", "four")):
            remember = "(its) => import('/lib/settings.js').then((one) => one.remember(...its))"
            await page.evaluate(remember, [name, value])
        await expect(other.locator("html")).to_have_attribute("data-theme", "dark")
        assert await other.evaluate("JSON.parse(localStorage.headsup).theme") == "dark"
        assert await other.evaluate("JSON.parse(localStorage.headsup).suits") == "four"


@pytest.mark.parametrize("page", ["rounds#/%/1/1", "train#explore/%/%", "#/table/%"])
async def test_a_malformed_address_leaves_no_dead_page(
    browser: Browser, tmp_path: Path, page: str
) -> None:
    async with live(tmp_path) as server, visit(browser, server.address) as visitor:
        await visitor.page.locator("#who .wallet").wait_for()
        other = Visitor(await visitor.page.context.new_page())
        await other.page.goto(f"{server.address}/{page}")
        await expect(other.page.locator("#who")).to_contain_text("Guest 1")
        assert [one for one in other.complaints if "status of 4" not in one] == []
