"""The page's state after messages, without a page to draw."""

from typing import Any

import pytest
from playwright.async_api import Page

from headsup.game.round.state import Phase
from headsup.game.views.parts import TableMoment, changed_parts, sum_of, viewer_parts
from headsup.game.views.viewers import SeatViewer
from headsup.game.words.english import ENGLISH
from headsup.game.words.german import GERMAN
from tests.support.tables import table_at

pytestmark = pytest.mark.asyncio(loop_scope="session")

WAGERS = [{"key": "ante", "label": "Ante"}, {"key": "odds", "label": "Odds"}]
PARTS: dict[str, Any] = {
    "table": {"id": "T1", "rules": "galaxy", "title": "Galaxy", "seats": 6},
    "wagers": WAGERS,
    "posted": {"limits": [], "notices": []},
    "players": {"2": "Ann"},
}
FOLD = """async ({ messages, question }) => {
  const state = await import("/lib/state.js");
  let now = { ...state.goTo(state.INITIAL, "T1"), person: { name: "Ann" } };
  for (const message of messages) now = state.receive(now, message);
  return question ? state[question](now) : now;
}"""


async def fold(page: Page, *messages: Any, question: str = "") -> Any:
    return await page.evaluate(FOLD, {"messages": list(messages), "question": question})


def shown(index: int, *events: str, **parts: Any) -> dict[str, Any]:
    """A view or a change, as the connection hands it on: with all parts."""
    items = [{"event": event, "say": event} for event in events]
    every = {**PARTS, **{name.replace("__", "."): part for name, part in parts.items()}}
    return {
        "type": "change", "table": "T1", "index": index, "at": 0, "events": items, "parts": every
    }  # fmt: skip


def round(number: int, phase: str, **more: Any) -> dict[str, Any]:
    return {"number": number, "phase": phase, "text": phase, **more}


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


async def test_a_message_gives_the_view_and_what_happened(page: Page) -> None:
    now = await fold(page, shown(3), shown(4, "RoundOpened"))
    assert now["posted"]["labels"] == {"ante": "Ante", "odds": "Odds"}
    assert now["view"]["offered"] == ["ante", "odds"]
    assert now["index"] == 4
    assert now["events"] == [{"event": "RoundOpened", "say": "RoundOpened"}]


async def test_messages_of_other_tables_are_ignored(page: Page) -> None:
    other = {**shown(9, "RoundOpened"), "table": "T2"}
    now = await fold(page, shown(3), other)
    assert now["index"] == 3


async def test_results_stay_until_the_next_cards(page: Page) -> None:
    result = {"result": "win", "net": 500, "lines": []}
    settled = shown(4, "HandResolved", round=round(1, "settled", dealt=True), result__2=result)
    betting = shown(5, "RoundOpened", round=round(2, "betting", open=True))
    dealt = shown(6, "CardsDealt", round=round(2, "pocket", dealt=True))
    messages = [shown(3), settled, betting]
    results_round = await fold(page, *messages, question="shownResults")
    assert results_round["number"] == 1
    assert results_round["results"]["2"]["net"] == "5.00"
    assert await fold(page, *messages, dealt, question="shownResults") is None


async def test_a_refusal_stays_until_a_command_succeeds(page: Page) -> None:
    no = {"type": "refusal", "id": "1", "code": "late", "say": "too late"}
    yes = {"type": "reply", "id": "2", "index": 4, "wallet": 1250}
    assert (await fold(page, shown(3), no))["refusal"] == "too late"
    now = await fold(page, shown(3), no, yes)
    assert now["refusal"] == ""
    assert now["person"]["wallet"] == "12.50"


async def test_the_players_seat_and_choices_come_from_the_view(page: Page) -> None:
    check = {"command": {"command": "Check", "seat": 2}, "label": "Check", "keys": ["c"]}
    leave = {"command": {"command": "Leave", "seat": 2}, "label": "Stand up"}
    you = {"seat": 2, "chips": 1000}
    now = [shown(3, you=you, may=[check, leave], round=round(1, "pocket", dealt=True))]
    assert await fold(page, *now, question="mySeat") == 2
    (choice,) = await fold(page, *now, question="choices")
    assert (choice["action"], choice["label"], choice["keys"]) == ("check", "Check", ["c"])
    assert await fold(page, *now, question="mayBet") is False


HELD = """async ({ view, changes }) => {
  const { holdView, applyChange } = await import("/lib/parts.js");
  let held = holdView(view, "seat 1");
  for (const change of changes) held = held && applyChange(held, change);
  return held && held.parts;
}"""


async def test_the_page_checks_what_it_holds_like_the_server(page: Page) -> None:
    """A change that does not fit is found, also where texts are not ASCII."""
    floor = table_at(Phase.POCKET, "new-york", seats=(1, 2)).floor
    before = viewer_parts(SeatViewer(1), TableMoment(floor, "T1", ENGLISH))
    after = viewer_parts(SeatViewer(1), TableMoment(floor, "T1", GERMAN))
    change: dict[str, Any] = {"version": 2, "index": 4, "set": changed_parts(before, after)}
    view: dict[str, Any] = {"table": "T1", "version": 1, "index": 3, "at": 0}
    view["parts"] = {name: part.value for name, part in before.items()}
    right = {**change, "sum": sum_of(after.values())}
    held = await page.evaluate(HELD, {"view": view, "changes": [right]})
    assert held == {name: part.value for name, part in after.items()}
    assert "Überlegt" in str(held) or "überlegt" in str(held)
    for wrong in (
        {**right, "sum": right["sum"] ^ 1},
        {**right, "version": 3},
        {**right, "set": {}},
    ):
        assert await page.evaluate(HELD, {"view": view, "changes": [wrong]}) is None


MOMENT = """async (view) => {
  const { INITIAL } = await import("/lib/state.js");
  const now = { ...INITIAL, status: "open", person: { name: "Ann" }, table: "T1", view };
  return (await import("/table/moments.js")).currentMoment(now).more;
}"""


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        (("hidden", "check", "hidden"), "Waiting for everyone to decide"),
        (("hidden", "raise", "hidden"), "Waiting for everyone to decide"),
        (("raise", "check", "hidden"), "Waiting for Cleo"),  # only one possible
        (("hidden void", "check", "hidden"), "Waiting for Cleo"),
        (("owes", "check", "owes"), "Waiting for Bob, Cleo"),  # in turn, so decisions are visible
    ],
)
async def test_r34_players_are_named_as_waiting_only_if_that_is_known(
    page: Page, decisions: tuple[str, ...], expected: str
) -> None:
    seats = {
        f"seat__{seat}": {
            "stakes": {"ante": 500},
            "decision": {"action": text.removesuffix(" void"), "text": text},
            **({"void_text": "foul deck"} if text.endswith(" void") else {}),
        }
        for seat, text in enumerate(decisions, 1)
    }
    players = {"1": "Bob (automatic)", "2": "Ann", "3": "Cleo"}
    message = shown(3, players=players, round=round(1, "flop", dealt=True), **seats)
    now = await fold(page, message)
    assert await page.evaluate(MOMENT, now["view"]) == expected
