"""The page's state after messages, without a page to draw."""

from typing import Any

import pytest
from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

VIEW = {"table": "T1", "players": {"2": "Ann"}, "round": None, "offered": ["ante", "odds"]}
FOLD = """async ({ messages, question }) => {
  const state = await import("/lib/state.js");
  let now = { ...state.goTo(state.INITIAL, "T1"), person: { name: "Ann" } };
  for (const message of messages) now = state.receive(now, message);
  return question ? state[question](now) : now;
}"""


async def fold(page: Page, *messages: Any, question: str = "") -> Any:
    return await page.evaluate(FOLD, {"messages": list(messages), "question": question})


def shown(index: int, **view: Any) -> dict[str, Any]:
    posted = {"labels": {"ante": "Ante"}}
    return {
        "type": "shown", "table": "T1", "index": index, "view": {**VIEW, "posted": posted, **view}
    }  # fmt: skip


def happened(index: int, *events: str, **view: Any) -> dict[str, Any]:
    items = [{"event": event} for event in events]
    return {
        "type": "happened", "table": "T1", "index": index, "events": items, "view": {**VIEW, **view}
    }  # fmt: skip


def round(number: int, phase: str, **more: Any) -> dict[str, Any]:
    return {"number": number, "phase": phase, "seats": {}, **more}


@pytest.mark.parametrize(
    ("typed", "cents"),
    [("12.5", 1250), ("12.05", 1205), (" 12 ", 1200), ("0.99", 99), ("12.345", None), ("-5", None),
     ("1e3", None), ("", None)],
)  # fmt: skip
async def test_typed_amounts_are_read_to_the_cent(
    page: Page, typed: str, cents: int | None
) -> None:
    read = "async (text) => (await import('/lib/money.js')).parseCents(text)"
    assert await page.evaluate(read, typed) == cents


async def test_posted_rules_stay_when_a_message_omits_them(page: Page) -> None:
    now = await fold(page, shown(3), happened(4, "RoundOpened"))
    assert now["posted"] == {"labels": {"ante": "Ante"}}
    assert now["index"] == 4
    assert now["events"] == [{"event": "RoundOpened"}]


async def test_a_repeated_message_is_ignored(page: Page) -> None:
    first = happened(4, "RoundOpened", round=round(1, "betting"))
    stale = happened(4, "RoundClosed", round=round(1, "closed"))
    now = await fold(page, shown(3), first, stale)
    assert now["view"]["round"]["phase"] == "betting"


async def test_messages_of_other_tables_are_ignored(page: Page) -> None:
    other = {**happened(9, "RoundOpened"), "table": "T2"}
    now = await fold(page, shown(3), other)
    assert now["index"] == 3


async def test_results_stay_until_the_next_cards(page: Page) -> None:
    results = {"2": {"net": "5.00", "wagers": {}}}
    settled = happened(4, "HandResolved", round=round(1, "settled", results=results))
    betting = happened(5, "RoundOpened", round=round(2, "betting"))
    dealt = happened(6, "CardsDealt", round=round(2, "pocket"))
    messages = [shown(3), settled, betting]
    results_round = await fold(page, *messages, question="shownResults")
    assert results_round["number"] == 1
    assert await fold(page, *messages, dealt, question="shownResults") is None


async def test_a_refusal_stays_until_a_command_succeeds(page: Page) -> None:
    no = {"type": "declined", "id": "1", "code": "late", "message": "too late"}
    yes = {"type": "answered", "id": "2", "index": 4}
    assert (await fold(page, shown(3), no))["refusal"] == "too late"
    assert (await fold(page, shown(3), no, yes))["refusal"] == ""


async def test_the_players_seat_and_choices_come_from_the_view(page: Page) -> None:
    legal = [{"action": "check"}]
    now = [shown(3, you=2, legal=legal, round=round(1, "pocket"))]
    assert await fold(page, *now, question="mySeat") == 2
    assert await fold(page, *now, question="choices") == legal
    assert await fold(page, *now, question="mayBet") is False


MOMENT = """async (view) => {
  const { INITIAL } = await import("/lib/state.js");
  const now = { ...INITIAL, status: "open", person: { name: "Ann" }, table: "T1", view };
  return (await import("/table/moments.js")).currentMoment(now).more;
}"""


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        (("hidden", "check", "hidden"), "Waiting for everyone to decide"),
        (("hidden", "raise 3 pocket", "hidden"), "Waiting for everyone to decide"),
        (("raise 3 pocket", "check", "hidden"), "Waiting for Cleo"),  # only one possible
        (("hidden void", "check", "hidden"), "Waiting for Cleo"),
        (("owes", "check", "owes"), "Waiting for Bob, Cleo"),  # in turn, so decisions are visible
    ],
)
async def test_r34_players_are_named_as_waiting_only_if_that_is_known(
    page: Page, decisions: tuple[str, ...], expected: str
) -> None:
    seats = {
        str(seat): {
            "decision": text.removesuffix(" void"),
            "void": text[-4:] == "void",
            "raises": [],
        }
        for seat, text in enumerate(decisions, 1)
    }
    players = {"1": "Bob (automatic)", "2": "Ann", "3": "Cleo"}
    view = {**VIEW, "players": players, "round": round(1, "flop", seats=seats)}
    assert await page.evaluate(MOMENT, view) == expected
