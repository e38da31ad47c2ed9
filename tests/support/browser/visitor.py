"""A person at the page: what they see and press. The browser must never log an error."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, expect

from headsup.game.values.cards import card_name

DESKTOP, TABLET, PHONE = (1440, 900), (768, 1024), (360, 740)
GUIDED = (
    """if (!localStorage.getItem("headsup")) localStorage.setItem("headsup", '{"guide":"done"}')"""
)
_RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"} | dict(
    zip("23456789", ("two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True)
)
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def spoken(card: int) -> str:
    """A card's name for screen readers."""
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

    async def check_until(self, raised: str) -> None:
        """Check, and wait for the next street's raise button: this street's stays for a moment."""
        await self.press("Check")
        await self.button(raised).wait_for()

    async def sees(self, text: str, within: str = "main") -> None:
        await expect(self.page.locator(within)).to_contain_text(text)

    async def bet(self, ante: str = "10", **sides: str) -> None:
        """Clear the felt, put chips on the spots and place the bets."""
        await self.put_down(ante, **sides)
        await self.press("Place bets")

    async def put_down(self, ante: str = "10", **sides: str) -> None:
        """Clear the felt and put chips on the spots."""
        clear = self.page.locator("button[name=clear]")
        if await clear.is_enabled():
            await clear.click()
        for label, amount in {"ante": ante, **sides}.items():
            rest = int(amount)
            for chip in (100, 25, 5, 1):
                for _ in range(rest // chip):
                    await self.page.locator(f"button[name='chip {chip}00']").click()
                    await self.page.locator(f"#spots button[name={label}]").click()
                rest %= chip

    async def cards(self, within: str) -> list[str]:
        return [
            await card.get_attribute("aria-label") or ""
            for card in await self.page.locator(f"{within} .cards .card").all()
        ]

    async def width(self) -> int:
        wide: int = await self.page.evaluate("document.documentElement.scrollWidth")
        return wide


@asynccontextmanager
async def visit(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESKTOP,
    theme: Literal["light", "dark"] = "light",
    newcomer: bool = False,
    still: bool = True,
) -> AsyncIterator[Visitor]:
    """Open the page; at the end the browser must not have logged any error. Only a newcomer sees
    the guide. `still` turns animations off."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=theme,
        reduced_motion="reduce" if still else "no-preference",
    )
    if not newcomer:
        await context.add_init_script(GUIDED)
    page = await context.new_page()
    page.set_default_timeout(30_000)
    visitor = Visitor(page)
    await page.goto(address)
    yield visitor
    await context.close()
    assert visitor.complaints == []


async def check_accessibility(page: Page, width: int | None = None) -> None:
    """No violation that Axe finds, and no horizontal scrolling at this width."""
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    if width is not None:
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
