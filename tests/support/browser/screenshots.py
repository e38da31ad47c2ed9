"""Takes the screenshots of the pages for the documentation: real tables, real browser, fixed cards.

make screenshots
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, async_playwright

from headsup.game.round.commands import Check, PlaceBets, Raise
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Command, PlayerAt
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.cards import DECK, parse_cards
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.people.person import Person, Role
from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.chromium import FLAGS, chromium
from tests.support.browser.visitor import GUIDED, PHONE, Visitor
from tests.support.web.live_server import QUICK, Live, live

IMAGES = Path(__file__).parents[3] / "docs" / "images"
TABLE = DEMO_TABLES[0]
OWN = 4
COMPANY = {1: "Robin", 2: "Sasha", 3: "Kim", 5: "Noor", 6: "Alex"}
HOLES = {1: "As7s", 2: "9d9h", 3: "Kd4c", 4: "QhJh", 5: "6c3d", 6: "AdTc"}
SHARED = {DEALER: "KhTd", BOARD: "Ts9c2d8sKc"}


@dataclass(frozen=True)
class Picture:
    """One file: its size, its theme, and the moment of the round."""

    name: str
    size: tuple[int, int]
    moment: Literal["lobby", "betting", "flop", "settled"]
    theme: Literal["dark", "light"] = "dark"
    scale: float = 1


PICTURES = (
    Picture("lobby", (1440, 900), "lobby"),
    Picture("table", (1440, 900), "flop"),
    Picture("betting", (768, 1024), "betting"),
    Picture("settled", (1440, 900), "settled", "light"),
    Picture("phone", PHONE, "flop", scale=2),
    Picture("large", (1920, 1080), "settled"),
)


def deck(_round: int) -> tuple[int, ...]:
    cards = {seat_place(seat): parse_cards(text) for seat, text in HOLES.items()}
    cards |= {place: parse_cards(text) for place, text in SHARED.items()}
    used = {card for held in cards.values() for card in held}
    rest = [card for card in DECK if card not in used]
    return build_deck(deal_order("hand", tuple(HOLES), True), {**cards, ALL_6: rest[:4]})


class Company:
    """The other players at the table."""

    def __init__(self, server: Live) -> None:
        self._server, self._requests = server, 0

    async def run_command(self, seat: int, command: Command) -> None:
        self._requests += 1
        request = CommandRequest(f"picture-{self._requests}", TABLE.id, PlayerAt(seat), command)
        reply = await self._server.house.submit(request)
        assert isinstance(reply, Acceptance), reply

    async def sit_down(self) -> None:
        for seat, name in COMPANY.items():
            person = self._server.accounts.create(name, Role.PLAYER, None, "")
            assert isinstance(person, Person), person
            self._server.accounts.deposit(person, 100_000, "play_money", "")
            await self.run_command(seat, Sit(seat, name))
            await self.run_command(seat, BuyIn(seat, 50_000))

    async def place_bets(self) -> None:
        for seat in COMPANY:
            ante = 500 * (1 + seat % 3)
            stakes: dict[Wager, int] = {Wager.ANTE: ante, Wager.ODDS: ante}
            if seat % 2:
                stakes[Wager.TRIPS_PLUS] = 500
            if seat % 3 == 0:
                stakes[Wager.PROGRESSIVE] = 100
            await self.run_command(seat, PlaceBets(seat, stakes))

    async def decide_on_pocket(self) -> None:
        """On the pocket cards, the pair and the aces raise and the rest check."""
        for seat in COMPANY:
            raises = seat in (1, 2, 6)
            await self.run_command(seat, Raise(seat, 3) if raises else Check(seat))

    async def decide_on_flop(self) -> None:
        for seat in (3, 5):
            await self.run_command(seat, Raise(seat, 2) if seat == 3 else Check(seat))

    async def decide_on_river(self) -> None:
        await self.run_command(5, Raise(5, 1))


@asynccontextmanager
async def table() -> AsyncIterator[Live]:
    with tempfile.TemporaryDirectory() as folder:
        async with live(Path(folder)) as server:
            for other in DEMO_TABLES[1:]:
                await server.open_table(other.id, other.opening)
            pace = replace(QUICK, betting=600, close=600)
            await server.open_table(TABLE.id, TABLE.opening, deck, pace)
            yield server


async def take(browser: Browser, picture: Picture) -> None:
    async with table() as server:
        company = Company(server)
        await company.sit_down()
        width, height = picture.size
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=picture.theme,
            device_scale_factor=picture.scale,
            reduced_motion="reduce",
        )
        await context.add_init_script(GUIDED)
        page = await context.new_page()
        page.set_default_timeout(30_000)
        await page.goto(server.address)
        visitor = Visitor(page)
        await visitor.button(f"Sit here: {TABLE.id}").wait_for()
        await page.get_by_text("Noor").wait_for()
        if picture.moment != "lobby":
            await _play(visitor, company, picture.moment)
        await page.mouse.move(0, 0)
        # The felt's gradient has thousands of greens: JPEG takes half the space of PNG.
        await page.screenshot(path=IMAGES / f"{picture.name}.jpg", type="jpeg", quality=84)
        await context.close()


async def _play(visitor: Visitor, company: Company, moment: str) -> None:
    await visitor.press(f"Sit here: {TABLE.id}, seat {OWN}")
    await visitor.put_down("10", trips_plus="5", progressive="1")
    if moment == "betting":
        return
    await visitor.press("Place bets")
    await company.place_bets()
    await visitor.button("Check").wait_for()
    await company.decide_on_pocket()
    await visitor.press("Check")
    await visitor.button("Raise 2×").wait_for()
    if moment == "flop":
        return
    await company.decide_on_flop()
    await visitor.press("Raise 2×")
    await visitor.page.locator("#log").get_by_text("Turn and river").wait_for()
    await company.decide_on_river()
    await visitor.page.locator("#phase").get_by_text("You win").wait_for()


async def main(names: list[str]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(playwright), args=FLAGS)
        for picture in PICTURES:
            if not names or picture.name in names:
                await take(browser, picture)
                print(IMAGES / f"{picture.name}.jpg")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
