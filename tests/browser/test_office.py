"""The back office in a real browser: searching and replaying rounds, setting up tables."""

import asyncio
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Route, expect

from headsup.game.round.commands import Raise
from headsup.game.round.state import Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.money import show_dollars
from headsup.house import clock
from headsup.house.dealing.pace import Timings
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.people.person import Role
from headsup.house.store.projection_rows import IncidentKind
from tests.support.browser.floor import (
    PASSWORD,
    bet,
    hire,
    logged_in,
    open_by_hand,
    run_command,
    seat,
)
from tests.support.browser.office import GALAXY, SLOW, working
from tests.support.browser.play import round_of
from tests.support.browser.visitor import DESKTOP, PHONE, Visitor, check_accessibility, spoken
from tests.support.postgres import PostgresServer
from tests.support.web.live_server import Live, live

pytestmark = pytest.mark.asyncio(loop_scope="session")
RIVERSIDE = Path("docs/examples/my-house.toml")
SEATED = {1: "Ann", 3: "Bob"}


async def played(server: Live) -> Round:
    """Play one round at T1: two players, both raising."""
    await server.open_table("T1", GALAXY, decks=lambda _: shuffle_deck(), pace=SLOW)
    await seat(server, SEATED)
    await run_command(server, Staff("dealer"), OpenRound())
    await bet(server, 1, trips_plus=500)
    await bet(server, 3)
    while round_of(server).phase.value != "pocket":
        await server.happens("T1")
    await run_command(server, PlayerAt(1), Raise(1, 3))
    await run_command(server, PlayerAt(3), Raise(3, 3))
    while round_of(server).phase.value != "closed":
        await server.happens("T1")
    return round_of(server)


async def test_an_auditor_finds_a_round_and_replays_it_step_by_step(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Art")
        round = await played(server)
        settlement = round.settlement
        assert settlement is not None
        async with working(browser, server, "Art", "rounds") as visitor:
            page, keyboard = visitor.page, visitor.page.keyboard
            await page.get_by_label("Player").fill("Nobody")
            await keyboard.press("Enter")
            await visitor.sees("No rounds found")
            await page.get_by_label("Player").fill("Bob")
            await keyboard.press("Enter")
            await check_accessibility(visitor.page)
            await page.get_by_role("link", name="T1 · 1").click()
            await visitor.sees("T1, round 1")
            felt = page.locator("#replayed")
            for number in (1, 3):
                net = settlement.seat(number).net
                sign = "+" if net > 0 else ""
                await expect(felt).to_contain_text(f"{sign}{show_dollars(net)}".replace("-", "−"))
                # How the hand ended against the dealer's, whatever its wagers came to together.
                cells = page.locator("tr", has=page.get_by_role("link", name=SEATED[number]))
                shown = await cells.locator("td, th").all_inner_texts()
                raised = next(
                    line.result.value
                    for line in settlement.seat(number).lines
                    if line.wager is Wager.RAISE
                )
                assert shown[3] == {"win": "won", "lose": "lost", "push": "push"}[raised]
            assert await visitor.cards("#replayed .dealer") == [
                spoken(card) for card in round.deal.dealer
            ]
            await check_accessibility(visitor.page)
            await page.locator("h1").click()
            await keyboard.press("Home")
            await expect(page.locator("#now")).to_contain_text("1 of ")
            assert "of clubs" not in await felt.inner_html()
            steps = int(str(await page.locator("#step").get_attribute("max"))) + 1
            for step in range(2, steps + 1):
                await keyboard.press("ArrowRight")
                await expect(page.locator("#now")).to_contain_text(f"{step} of {steps}")
            # As seat 1 saw it: that player's cards from the deal on, nobody else's.
            await page.get_by_label("Viewed by").select_option("seat 1")
            await visitor.sees("as seen by: seat 1")
            await page.get_by_text("All steps").click()
            await (
                page.get_by_role("button", name="Cards are dealt")
                .or_(page.get_by_role("button", name="You have"))
                .first.click()
            )
            own = [spoken(card) for card in round.seats[1].hole]
            assert await visitor.cards("#replayed .at-1") == own
            assert await visitor.cards("#replayed .at-3") == ["a card face down"] * 2


async def test_a_new_house_shows_the_first_steps(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Ada", "Dee")
        async with working(browser, server, "Ada", "tables") as visitor:
            steps = visitor.page.locator("#page ol li")
            await expect(steps).to_have_count(4)
            await expect(steps.first).to_contain_text("Create a supervisor account")
            await expect(steps.first).not_to_contain_text("Done")
            hire(server, "Sue")
            await visitor.page.reload()
            await expect(steps.first).to_contain_text("Done")
            await check_accessibility(visitor.page)
            await visitor.page.set_viewport_size({"width": 1280, "height": 850})
            bar = await visitor.page.locator(".bar").bounding_box()
            assert bar is not None
            assert bar["height"] < 60  # one line of links
            await visitor.page.get_by_role("link", name="Set up a table").click()
            await visitor.sees("Table name")
        async with working(browser, server, "Dee", "tables") as visitor:
            await visitor.sees("No tables are open yet")


async def test_a_real_house_does_not_offer_a_guided_round(browser: Browser, tmp_path: Path) -> None:
    async with live(tmp_path, demo=False) as server:
        await server.open_table("T1", GALAXY, decks=lambda _: shuffle_deck(), pace=SLOW)
        server.accounts.create("Ann", Role.PLAYER, PASSWORD, clock.now())
        context = await logged_in(browser, server, "Ann", DESKTOP)
        page = await context.new_page()
        await page.goto(server.address)
        greeting = page.locator("#greeting")
        await expect(greeting).to_contain_text("Bring cash to a supervisor")
        await expect(greeting.get_by_role("button")).to_have_count(0)
        await context.close()


async def fill_bonus_cells(visitor: Visitor) -> None:
    """Bonus cells are filled in below the chosen paytable."""
    page = visitor.page
    await page.get_by_label("Rule book").select_option("washington")
    approval = page.locator("#permits input").first
    await expect(page.locator("[data-wrong='options.approval']")).to_contain_text("approval")
    await approval.fill("WSGC 2013-117")
    await page.get_by_role("radio", name="HH/PB-2").check()
    group = page.get_by_role("group", name="Pocket Bonus, HH/PB-2")
    await expect(page.locator("[data-wrong='bonus.pocket_bonus']")).not_to_be_empty()
    await expect(visitor.button("Open the table")).to_be_disabled()
    aces = group.get_by_label("Pair of Aces")
    await aces.fill("many")
    await expect(aces).to_have_attribute("aria-invalid", "true")
    for name, pay in {"Pair of Aces": "50", "Ace-Face Suited": "20", "Pair *": "4"}.items():
        await group.get_by_label(name).fill(pay)
    await group.get_by_label("Ace-Face *", exact=True).fill("10")
    await visitor.sees("Ready to open")
    await check_accessibility(visitor.page)


async def test_a_supervisor_sets_up_a_table_and_sees_its_edges(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue", "Sam")
        async with working(browser, server, "Sue", "setup") as visitor:
            page = visitor.page
            # Everything has a default except the name.
            await visitor.sees("name the table and its floor")
            await page.get_by_label("Table name").fill("Pit 7")
            await expect(page.get_by_label("Floor (tables")).to_have_value("Pit-7")
            await visitor.sees("Ready to open")
            # All errors are shown at once, beside their fields.
            contribution = page.get_by_label("Meter contribution")
            await contribution.fill("50%")
            await page.get_by_label("Floor (tables").fill("Pit 7")
            await page.get_by_label("Betting time").fill("-1")
            await expect(contribution).to_have_attribute("aria-invalid", "true")
            await expect(page.locator("[data-wrong='options.meter_contribution']")).to_contain_text(
                "dollars"
            )
            await expect(page.locator("[data-wrong=floor]")).to_contain_text("main-floor")
            await expect(page.locator("[data-wrong='pace.betting']")).not_to_be_empty()
            await expect(visitor.button("Open the table")).to_be_disabled()
            await check_accessibility(visitor.page)
            await page.get_by_label("Floor (tables").fill("pit-7")
            await page.get_by_label("Betting time").fill("40")
            await fill_bonus_cells(visitor)
            await page.get_by_label("Rule book").select_option("sugarhouse")
            await visitor.sees("Ready to open")
            await expect(page.locator("#bonus")).to_be_empty()
            await expect(page.get_by_role("group", name="Trips Plus")).to_contain_text("40 to 1")
            await page.get_by_label("Ante maximum").fill("")
            await visitor.sees("no maximum on Ante")
            await page.get_by_label("Ante maximum").fill("200.00")
            await page.get_by_label("Ante minimum").fill("15.00")
            await expect(page.locator("#checked")).not_to_contain_text("Warning")
            # Each choice shows its edge, or that it is being computed.
            pays = page.get_by_role("group", name="Pocket Bonus").locator(".edge")
            await expect(pays.first).to_contain_text("%", timeout=240_000)
            await check_accessibility(visitor.page)
            await visitor.press("Open the table")
            await page.get_by_label("Supervisor’s name").fill("Sam")
            await page.get_by_label("Supervisor’s password").fill(PASSWORD)
            await visitor.press("Approve")
            await expect(page.locator("#page table")).to_contain_text("Pit 7")
            table = server.house.table("Pit 7")
            assert table is not None
            assert table.rules.id == "sugarhouse"
            assert server.house.pace("Pit 7") == Timings(betting=40)
            assert "15.00" in await page.locator("#page table").inner_text()


# Edge labels that are wider than their choice, and pays that take two lines.
BROKEN = """() => {
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getClientRects().length;
  };
  const labels = [...document.querySelectorAll(".choice label")];
  const pays = [...document.querySelectorAll(".pays li span + span")];
  const wide = labels.filter((one) => one.scrollWidth > one.clientWidth);
  return [...wide, ...pays.filter((one) => lines(one) > 1)].map((one) => one.textContent);
}"""


async def test_a_player_advantage_fits_beside_its_paytable(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue")
        losing = [
            {"key": "progressive", "id": str(number), "edge": "-25.2326%"} for number in (7, 8)
        ]

        async def answer(route: Route) -> None:
            await route.fulfill(json={"computing": False, "failed": False, "edges": losing})

        async with working(browser, server, "Sue", "tables") as visitor:
            page = visitor.page
            await page.set_viewport_size({"width": 1440, "height": 900})
            await page.route("**/api/edges", answer)
            await page.goto(f"{server.address}/office#/setup")
            await page.get_by_label("Table name").fill("Pit 7")
            group = page.get_by_role("group", name="Progressive")
            await expect(group.locator(".edge.bad")).to_have_text(
                ["−25.2326%: player advantage"] * 2
            )
            assert await page.evaluate(BROKEN) == []


async def test_edges_that_could_not_be_computed_can_be_asked_for_again(
    browser: Browser, tmp_path: Path
) -> None:
    edges = [{"key": "progressive", "id": "7", "edge": "25.2326%"}]
    answers: list[dict[str, Any]] = [
        {"computing": False, "failed": True, "edges": []},
        {"computing": False, "failed": False, "edges": edges},
    ]

    async def answer(route: Route) -> None:
        await route.fulfill(json=answers.pop(0))

    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue")
        async with working(browser, server, "Sue", "tables") as visitor:
            await visitor.page.route("**/api/edges", answer)
            await visitor.page.goto(f"{server.address}/office#/setup")
            await visitor.sees("The house edge could not be computed.")
            await visitor.page.locator("button[name='edges again']").click()
            await visitor.sees("25.2326%", "#choices")
            await expect(visitor.page.locator("#edges-failed")).to_be_empty()


async def test_a_supervisor_sets_up_a_table_with_the_houses_own_rule_book(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue", "Sam")
        async with working(browser, server, "Sue", "setup") as visitor:
            page = visitor.page
            await page.get_by_label("Table name").fill("Pit 8")
            await visitor.sees("Ready to open")
            await page.get_by_label("Rule book").select_option(label="your own (a TOML file)…")
            await visitor.sees("Choose the file of your rule book")
            await expect(visitor.button("Open the table")).to_be_disabled()
            await page.get_by_label("or paste its text").fill(
                'extends = "galaxy"\nseat = 3\nid = 7'
            )
            await visitor.press("Check the rule book")
            await visitor.sees("The book has 2 errors")
            await check_accessibility(visitor.page)
            await page.get_by_label("Choose a file").set_input_files(RIVERSIDE)
            await visitor.sees("my-house: Heads Up Hold'em at the Riverside")
            trips = page.get_by_role("group", name="Trips Plus")
            await expect(trips.get_by_role("radio", checked=True)).to_have_accessible_name(
                re.compile("Riverside")
            )
            await visitor.sees("Ready to open")
            await check_accessibility(visitor.page)
            await visitor.press("Open the table")
            await page.get_by_label("Supervisor’s name").fill("Sam")
            await page.get_by_label("Supervisor’s password").fill(PASSWORD)
            await visitor.press("Approve")
            await expect(page.locator("#page table")).to_contain_text("Pit 8")
            table = server.house.table("Pit 8")
            assert table is not None
            assert (table.rules.id, table.rules.meter_seed) == ("my-house", 10_000_000_000)
            await page.get_by_role("link", name="Events").click()
            await visitor.sees("rule book: my-house")


async def test_a_rule_book_that_loads_late_does_not_replace_a_later_choice(
    browser: Browser, tmp_path: Path
) -> None:
    requested, go = asyncio.Event(), asyncio.Event()

    async def late(route: Route) -> None:
        requested.set()
        await go.wait()
        await route.continue_()

    async with live(tmp_path, demo=False) as server:
        hire(server, "Sue")
        async with working(browser, server, "Sue", "setup") as visitor:
            page = visitor.page
            await page.get_by_label("Table name").fill("Pit 9")
            await visitor.sees("Ready to open")
            await page.route("**/api/rulebooks/washington", late)
            await page.get_by_label("Rule book").select_option("washington")
            await requested.wait()
            await page.get_by_label("Rule book").select_option(label="your own (a TOML file)…")
            async with page.expect_response("**/api/rulebooks/washington"):
                go.set()
            await page.get_by_label("Table name").fill("Pit 10")
            await visitor.sees("Choose the file of your rule book")
            await expect(visitor.button("Open the table")).to_be_disabled()


async def test_books_events_and_win_and_hold_link_to_their_rounds(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Art")
        await played(server)
        await open_by_hand(server, GALAXY, "T2", floor="T1")
        await seat(server, {1: "Cleo"}, "T2")
        async with working(browser, server, "Art", "books") as visitor:
            page = visitor.page
            await visitor.sees("Wallets, floors, trays and meters agree")
            await check_accessibility(visitor.page)
            for part in ("tables", "rounds", "round/T1/1", "events", "books"):
                await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
                await page.goto(f"{server.address}/office#/{part}")
                await page.locator("#page h1").wait_for()
                assert await visitor.width() <= PHONE[0], part
                assert await page.get_by_role("link", name="Console").count() == 0, part
                if part == "events":
                    whole = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
                    assert await page.locator("#page > .panel").evaluate_all(whole), "cut off"
            await page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
            log = page.get_by_role("link", name="Log (for headsup audit)")
            async with page.expect_download() as download:
                await log.click()
            file = tmp_path / "taken-away.log"
            await (await download.value).save_as(file)
            assert '"TableOpened"' in file.read_text()
            await page.get_by_role("link", name="Events").click()
            await visitor.sees("Configuration changed")
            await visitor.sees("Table opened; ")
            assert not re.search("[a-z]_[a-z]|[{}]", await page.locator("#page").inner_text())
            choices = await page.get_by_label("What").locator("option").all_inner_texts()
            assert len(choices) == 1 + len(IncidentKind)
            assert "Data lost or restored" in choices
            await check_accessibility(visitor.page)
            await page.get_by_role("link", name="Win and hold").click()
            await page.locator(".chart").wait_for()
            taken = await page.locator("#page table").first.inner_text()
            assert "T1" in taken
            assert "$1,000.00" in taken  # two players bought in
            rows = page.locator("#page section", has_text="by wager").locator("tbody tr")
            cells = [await row.locator("td").nth(2).inner_text() for row in await rows.all()]
            *parts, win = (Fraction(re.sub("[$,]", "", one.replace("−", "-"))) for one in cells)
            assert sum(parts) == win
            unplayed = page.locator("#page tr", has=page.get_by_role("rowheader", name="T2"))
            await expect(unplayed).to_contain_text("no rounds yet")
            await check_accessibility(visitor.page)
            await page.locator("#page table").first.get_by_role("link", name="1").click()
            await expect(page.get_by_role("link", name="T1 · 1")).to_be_visible()


async def test_the_office_shows_the_servers_and_their_floors(
    browser: Browser, tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.new_database()
    async with live(tmp_path, demo=False, address=address, name="north") as server:
        hire(server, "Ada", "Sue")
        for table in ("T1", "T2"):
            await open_by_hand(server, replace(GALAXY, shuffle=ShuffleSource.SYSTEM), table)
        async with (
            live(tmp_path, demo=False, address=address, name="south"),
            working(browser, server, "Ada", "tables") as visitor,
        ):
            servers = visitor.page.locator("#servers")
            await expect(servers.get_by_role("row", name="north")).to_contain_text("T1, T2")
            await expect(servers.get_by_role("row", name="south")).to_contain_text("/at/south/")
            await check_accessibility(visitor.page)


async def test_an_administrator_manages_accounts_and_a_supervisor_takes_deposits(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Ada", "Sue", "Dee")
        async with working(browser, server, "Ada", "people") as visitor:
            page = visitor.page
            await page.get_by_label("Name").fill("Cy")
            await visitor.press("Create account")
            await visitor.sees("Send Cy this link to set a password")
            invitation = page.get_by_label("Invitation for Cy")
            link = await invitation.input_value()
            await visitor.press("Copy")
            await visitor.sees("Copied.")
            await invitation.focus()
            assert await page.evaluate("getSelection().toString()") == link
            await visitor.press("Lock Dee")
            await visitor.sees("locked")
            await visitor.press("Unlock Dee")
            await visitor.sees("Approval by a supervisor or another administrator")
            await page.get_by_label("Approver’s name").fill("Sue")
            await page.get_by_label("Approver’s password").fill(PASSWORD)
            await check_accessibility(visitor.page)
            await visitor.press("Approve")
            await expect(page.get_by_role("button", name="Lock Dee", exact=True)).to_be_visible()
            # The browser logs the first refusal, which says that it takes two people.
            visitor.complaints = [one for one in visitor.complaints if "403" not in one]
            await check_accessibility(visitor.page)
            guest = await browser.new_context()
            welcome = await guest.new_page()
            await welcome.goto(link)
            await expect(welcome.locator("#what")).to_contain_text("You have been invited")
            await guest.close()
        async with working(browser, server, "Sue", "people/Cy") as visitor:
            page = visitor.page
            await page.get_by_label("Amount").fill("250.00")
            await visitor.press("Deposit")
            await visitor.sees("Cy: $250.00 in the wallet")
            await visitor.sees("deposit")
            await check_accessibility(visitor.page)


async def test_two_people_correct_a_payout_of_an_earlier_round(
    browser: Browser, tmp_path: Path
) -> None:
    async with live(tmp_path, demo=False) as server:
        hire(server, "Dee", "Sue")
        await played(server)
        host = server.house.host_of("T1")
        assert host is not None
        before = host.journal.floor.chips("T1", 3)
        async with working(browser, server, "Dee", "round/T1/1") as visitor:
            page = visitor.page
            await page.get_by_text("Correct a payout of this round").click()
            await page.locator("select[name=seat]").select_option("3")
            await page.get_by_label("Pay the player").fill("12.50")
            await page.get_by_label("Reason").fill("paid 2 to 1 for 3 to 1")
            await visitor.press("Correct payout")
            await expect(page.locator("#approval")).to_contain_text("Bob, round 1 of T1: +$12.50")
            await page.get_by_label("Supervisor’s name").fill("Sue")
            await page.get_by_label("Supervisor’s password").fill(PASSWORD)
            await visitor.press("Approve")
            await expect(page.locator("#approval")).to_be_hidden()
        assert host.journal.floor.chips("T1", 3) == before + 1_250
