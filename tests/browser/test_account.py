"""One's own log-in and one's own rounds, in a real browser."""

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from headsup.game.round.commands import Raise
from headsup.game.table.commands import BuyIn, CorrectPayout, OpenRound, PlayerAt, Sit, Staff
from headsup.house import clock
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.people.accounts import Person, Role
from tests.browser.floor import CHIPS, PASSWORD, bet, does, logged_in, open_by_hand, seat
from tests.browser.test_office import GALAXY, SLOW
from tests.browser.test_play import round_of
from tests.browser.visitor import DESKTOP, PHONE, Visitor, spoken, visit
from tests.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")
NEW = "another horse battery"


async def without_barriers(page: Page) -> None:
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


async def played(server: Live) -> None:
    """A round of Ann, who has a password, and of Bob."""
    await server.open_table("T1", GALAXY, decks=lambda _: shuffle_deck(), pace=SLOW)
    ann = server.accounts.create("Ann", Role.PLAYER, PASSWORD, clock.now())
    assert isinstance(ann, Person)
    server.accounts.deposit(ann, CHIPS, "play_money", clock.now())
    await does(server, PlayerAt(2), Sit(2, "Ann"))
    await does(server, PlayerAt(2), BuyIn(2, CHIPS))
    await seat(server, {3: "Bob"})
    await does(server, Staff("dealer"), OpenRound())
    await bet(server, 2)
    await bet(server, 3)
    while round_of(server).phase.value != "pocket":
        await server.happens("T1")
    await does(server, PlayerAt(2), Raise(2, 3))
    await does(server, PlayerAt(3), Raise(3, 3))
    while round_of(server).phase.value != "closed":
        await server.happens("T1")


async def test_a_player_sees_the_own_rounds_again_changes_the_password_and_logs_out(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        await played(server)
        context = await logged_in(browser, server, "Ann", DESKTOP)
        page = await context.new_page()
        visitor = Visitor(page)
        await page.goto(server.address)
        await page.get_by_role("link", name="Your rounds").click()
        await visitor.sees("Replays of the last ten")
        await without_barriers(page)
        await page.get_by_role("link", name="Replay: T1 · 1").click()
        await visitor.sees("A replay, as you saw it from seat 2")
        round = round_of(server)
        own = [spoken(card) for card in round.seats[2].hole]
        assert await visitor.cards("#replayed .at-2") == own
        await page.locator("h1").click()
        await page.keyboard.press("Home")
        await expect(page.locator("#now")).to_contain_text("1 of ")
        await without_barriers(page)
        await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert await visitor.width() <= PHONE[0]
        await page.goto(f"{server.address}/rounds#/")
        await visitor.sees("Replays of the last ten")
        async with page.expect_download() as begun:
            await page.get_by_role("link", name="download what was published").click()
        assert (await begun.value).suggested_filename == "fair-rounds.jsonl"
        assert await visitor.width() <= PHONE[0]
        hidden = "panel => panel.scrollWidth - panel.clientWidth"
        assert await page.locator("#page > .panel").evaluate(hidden) == 0
        await page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        await page.get_by_role("link", name="Back to your seat").click()

        # At the table the settings have it, as the bar has no room.
        await visitor.press("Settings")
        await page.get_by_text("Change your password").click()
        form = page.locator("form[name=password]")
        wrong = {
            "not the same": (PASSWORD, NEW, PASSWORD),
            "wrong name or password": ("wrong password", NEW, NEW),
        }
        for said, typed in wrong.items():
            for name, text in zip(("old", "new", "again"), typed, strict=True):
                await form.locator(f"[name={name}]").fill(text)
            await visitor.press("Change it")
            await expect(form.get_by_role("alert")).to_contain_text(said)
        await without_barriers(page)
        await form.locator("[name=old]").fill(PASSWORD)
        await visitor.press("Change it")
        await visitor.sees("Your password is changed")
        await page.get_by_label("Name").fill("Ann")
        await page.get_by_label("Password").fill(NEW)
        await visitor.press("Log in")
        await visitor.press("Log out")
        await visitor.sees("You have logged out")
        assert (await context.request.get(f"{server.address}/api/me")).status == 401
        await without_barriers(page)
        await context.close()


async def test_r95_a_player_reads_what_a_correction_took_and_why(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        await played(server)
        ann = await logged_in(browser, server, "Ann", (390, 844))
        page = await ann.new_page()
        await page.goto(f"{server.address}/#/table/T1")
        await expect(page.locator("#own-title")).to_contain_text("You, seat 2")
        taken = CorrectPayout(2, -500, "paid twice", "Dee", "Sue")
        await does(server, Staff("dealer"), taken)
        said = "corrected: $5.00 is taken from your chips. Reason: paid twice."
        await expect(page.locator("#told")).to_contain_text(said)
        # On a phone, where what happens is not shown, too; and until it is read.
        note = page.locator("#corrected")
        await expect(note).to_contain_text(said)
        await expect(note).to_be_in_viewport(ratio=1)
        await without_barriers(page)
        await note.get_by_role("button", name="OK").click()
        await expect(note).to_be_empty()
        await page.goto(f"{server.address}/rounds")
        await expect(page.locator("#page")).to_contain_text("corrected by −$5.00: paid twice")
        await page.get_by_role("link", name="Replay: T1 · 1").click()
        await expect(page.locator("#page")).to_contain_text("corrected by −$5.00: paid twice")
        await ann.close()


async def test_a_table_where_nothing_was_played_says_so_and_a_phone_has_room_to_sit(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await open_by_hand(server, GALAXY)
        async with visit(browser, f"{server.address}/#/table/T1", (360, 800)) as visitor:
            await visitor.sees("The first round has not begun", "#phase")
            plates = visitor.page.locator("#seats button.plate .name")
            await expect(plates).to_have_count(6)
            fit = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
            assert await plates.evaluate_all(fit)


async def test_a_guest_who_logs_out_comes_back_as_a_new_one(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path) as server:
        await server.open_table("T1", GALAXY)
        async with visit(browser, server.address) as visitor:
            await visitor.sees("Guest 1", "#who")
            await visitor.press("Log out")
            await visitor.sees("You have logged out. A guest comes back as a new one")
            await visitor.page.get_by_role("link", name="Come in as a guest").click()
            await visitor.sees("Guest 2", "#who")
