"""A person at the page: what they can see and press, and that the browser never complains."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, expect

from headsup.game.cards import card_name

DESKTOP, PHONE = (1440, 900), (360, 740)
_RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"} | dict(
    zip("23456789", ("two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True)
)
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def spoken(card: int) -> str:
    """A card as a screen reader says it."""
    name = card_name(card)
    return f"{_RANKS[name[0]]} of {_SUITS[name[1]]}"


class Visitor:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", self._error)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    async def press(self, name: str) -> None:
        await self.button(name).click()

    async def sees(self, text: str, within: str = "main") -> None:
        await expect(self.page.locator(within)).to_contain_text(text)

    async def bet(self, ante: str = "10", **sides: str) -> None:
        await self.page.get_by_label("Ante and Odds").fill(ante)
        for label, amount in sides.items():
            await self.page.get_by_label(label.replace("_", " ")).fill(amount)
        await self.press("Place bets")

    async def cards(self, within: str) -> list[str]:
        return [
            await card.get_attribute("aria-label") or ""
            for card in await self.page.locator(f"{within} .card").all()
        ]

    async def width(self) -> int:
        wide: int = await self.page.evaluate("document.documentElement.scrollWidth")
        return wide


@asynccontextmanager
async def visit(
    browser: Browser, address: str, size: tuple[int, int] = DESKTOP
) -> AsyncIterator[Visitor]:
    """Somebody opens the page; at the end nothing may have gone wrong in the browser."""
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = await context.new_page()
    page.set_default_timeout(15_000)
    visitor = Visitor(page)
    await page.goto(address)
    yield visitor
    await context.close()
    assert visitor.complaints == []
