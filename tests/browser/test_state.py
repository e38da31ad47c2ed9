"""The page's state, folded from messages without anything to draw on."""

from typing import Any

import pytest
from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

VIEW = {"table": "T1", "players": {"2": "Ann"}, "round": None, "offered": ["ante", "odds"]}
FOLD = """async ({ messages, asked }) => {
  const state = await import("/state.js");
  let now = { ...state.at(state.INITIAL, "T1"), person: { name: "Ann" } };
  for (const message of messages) now = state.received(now, message);
  return asked ? state[asked](now) : now;
}"""


async def folded(page: Page, *messages: Any, asked: str = "") -> Any:
    return await page.evaluate(FOLD, {"messages": list(messages), "asked": asked})


def shown(index: int, **view: Any) -> dict[str, Any]:
    posted = {"labels": {"ante": "Ante"}}
    return {
        "type": "shown", "table": "T1", "index": index, "view": {**VIEW, "posted": posted, **view}
    }  # fmt: skip


def happened(index: int, *events: str, **view: Any) -> dict[str, Any]:
    told = [{"event": event} for event in events]
    return {
        "type": "happened", "table": "T1", "index": index, "events": told, "view": {**VIEW, **view}
    }  # fmt: skip


def round(number: int, phase: str, **more: Any) -> dict[str, Any]:
    return {"number": number, "phase": phase, "seats": {}, **more}


async def test_what_is_posted_stays_when_a_message_leaves_it_out(page: Page) -> None:
    now = await folded(page, shown(3), happened(4, "RoundOpened"))
    assert now["posted"] == {"labels": {"ante": "Ante"}}
    assert now["index"] == 4
    assert now["events"] == [{"event": "RoundOpened"}]


async def test_what_is_told_twice_happens_once(page: Page) -> None:
    first = happened(4, "RoundOpened", round=round(1, "betting"))
    stale = happened(4, "RoundClosed", round=round(1, "closed"))
    now = await folded(page, shown(3), first, stale)
    assert now["view"]["round"]["phase"] == "betting"


async def test_what_happens_at_another_table_is_not_ours(page: Page) -> None:
    other = {**happened(9, "RoundOpened"), "table": "T2"}
    now = await folded(page, shown(3), other)
    assert now["index"] == 3


async def test_results_stay_until_the_next_cards(page: Page) -> None:
    results = {"2": {"net": "5.00", "wagers": {}}}
    settled = happened(4, "HandResolved", round=round(1, "settled", results=results))
    betting = happened(5, "RoundOpened", round=round(2, "betting"))
    dealt = happened(6, "CardsDealt", round=round(2, "pocket"))
    heard = [shown(3), settled, betting]
    kept = await folded(page, *heard, asked="resultsOf")
    assert kept["number"] == 1
    assert await folded(page, *heard, dealt, asked="resultsOf") is None


async def test_a_refusal_is_kept_until_something_is_done(page: Page) -> None:
    no = {"type": "declined", "id": "1", "code": "late", "message": "too late"}
    yes = {"type": "answered", "id": "2", "index": 4}
    assert (await folded(page, shown(3), no))["refused"] == "too late"
    assert (await folded(page, shown(3), no, yes))["refused"] == ""


async def test_the_own_seat_and_choices_come_from_the_view(page: Page) -> None:
    legal = [{"action": "check"}]
    now = [shown(3, you=2, legal=legal, round=round(1, "pocket"))]
    assert await folded(page, *now, asked="mySeat") == 2
    assert await folded(page, *now, asked="choices") == legal
    assert await folded(page, *now, asked="mayBet") is False


MOMENT = """async (view) => {
  const { INITIAL } = await import("/state.js");
  const now = { ...INITIAL, status: "open", person: { name: "Ann" }, table: "T1", view };
  return (await import("/moments.js")).moment(now).more;
}"""


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        (("hidden", "check", "hidden"), "Waiting until everyone has decided"),
        (("hidden", "raise 3 pocket", "hidden"), "Waiting until everyone has decided"),
        (("raise 3 pocket", "check", "hidden"), "Waiting for Cleo"),  # nobody else can be meant
        (("hidden void", "check", "hidden"), "Waiting for Cleo"),
        (("owes", "check", "owes"), "Waiting for Bob, Cleo"),  # in turn, where all is open
    ],
)
async def test_r34_who_is_waited_for_is_named_only_where_it_is_known(
    page: Page, decisions: tuple[str, ...], said: str
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
    assert await page.evaluate(MOMENT, view) == said


SAID = """async ({ event, you }) =>
  (await import("/words.js")).sentence(event, { view: { you, players: {} } })"""


@pytest.mark.parametrize(
    ("amount", "you", "said"),
    [
        (-500, 2, "$5.00 is taken from your chips"),
        (1250, 2, "$12.50 goes to your chips"),
        (1250, None, "$12.50 goes to Ann’s chips"),
    ],
)
async def test_r95_a_correction_is_said_with_amount_and_reason(
    page: Page, amount: int, you: int | None, said: str
) -> None:
    event = {
        "event": "PayoutCorrected", "seat": 1, "amount": amount, "round": 3, "player": "Ann",
        "reason": "paid twice",
    }  # fmt: skip
    heard = await page.evaluate(SAID, {"event": event, "you": you})
    assert heard == f"The payout of round 3 is corrected: {said}. Reason: paid twice."


async def test_r34_what_others_chose_is_said_with_the_cards_that_follow(page: Page) -> None:
    chosen = {"1": "raise 3 pocket", "2": "check", "3": "check"}
    event = {"event": "FlopRevealed", "cards": "Kd9c5h", "chosen": chosen}
    heard = await page.evaluate(SAID, {"event": event, "you": 2})
    assert heard.startswith("Seat 1: Raise 3×, Seat 3 checks. Flop: ")
    event = {"event": "DealerRevealed", "cards": "AsAh"}
    heard = await page.evaluate(SAID, {"event": event, "you": 2})
    assert heard.startswith("The dealer has ")
