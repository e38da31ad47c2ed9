"""A player at a demonstration table, in a real browser."""

from dataclasses import replace

from playwright.async_api import expect

from headsup.game.round.state import Round
from headsup.web.demo.tables import DEMO_TABLES
from tests.support.browser.visitor import Visitor
from tests.support.web.live_server import QUICK, Live

GALAXY = DEMO_TABLES[0].opening


TO_READ = replace(QUICK, close=600)  # results stay on the page


UNHURRIED = replace(QUICK, betting=600)  # betting stays open


TO_THINK = replace(QUICK, betting=600, all_in=600)  # waits for all bets


def round_of(server: Live, table: str = "T1") -> Round:
    found = server.house.table(table)
    assert found is not None
    assert found.round is not None
    return found.round


async def sit(visitor: Visitor, table: str = "T1") -> None:
    await visitor.press(f"Sit here: {table}")
    await visitor.sees("Your chips")


async def results(visitor: Visitor) -> dict[str, list[str]]:
    """The lines of the results, by wager: reason, stake, result, net."""
    await expect(visitor.page.locator("#results")).to_be_visible()
    lines = {}
    await visitor.page.evaluate("document.querySelector('#results details').open = true")
    clauses = visitor.page.locator("button[name=clauses]")
    if await clauses.get_attribute("aria-pressed") == "false":
        await clauses.click()
    for row in await visitor.page.locator("#results tbody tr").all():
        head = await row.locator("th").evaluate("cell => cell.firstChild.textContent")
        why = await row.locator("th small").inner_text()
        lines[head] = [why, *await row.locator("td").all_inner_texts()]
    return lines


# Milliseconds for the solver's first answer, compiled on a busy machine.
SOLVED = 240_000
