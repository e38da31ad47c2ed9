"""Replays over HTTP: players see their own last rounds, staff any round, marked as replays."""

import json
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from headsup.game.notation.reader import read_written_round
from headsup.game.record.journal import Journal
from headsup.game.record.replay import AppliedEvent, replay_steps, write_step
from headsup.game.round.events import CardsDealt
from headsup.game.table.opening import OpenTable
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.seating import Leave
from headsup.game.values.cards import format_cards
from headsup.game.views.viewers import parse_viewer
from headsup.game.words.english import ENGLISH
from headsup.house.floor.host import Acceptance
from headsup.house.floor.log_reader import apply_entries as followed
from headsup.house.history.recall import replay_round
from headsup.house.store.rounds import locate_round
from headsup.web.server.app import create_app
from headsup.web.server.security import MESSAGE_BURST, SESSION_COOKIE
from headsup.web.server.settings import Settings
from tests.support.scripted import scripted_commands
from tests.support.web.office import PASSWORD, PEOPLE, TABLE, Office, office
from tests.support.web.requests import ADDRESS, got

ROUNDS = 2  # settled rounds of the evening; one more is void


@asynccontextmanager
async def house_with_rounds(folder: Path) -> AsyncIterator[Office]:
    async with office(folder) as at:
        for asked in scripted_commands(rounds=ROUNDS):
            if not isinstance(asked.command, OpenTable):
                reply = await at.host.submit(asked)
                assert isinstance(reply, Acceptance), (asked, reply)
        yield at


async def test_a22_players_see_their_own_rounds_newest_first(tmp_path: Path) -> None:
    async with house_with_rounds(tmp_path) as at:
        found = await got(at, "P2", "/api/rounds/mine")
        assert [one["round"] for one in found] == [3, 2, 1]
        assert {(one["table"], one["seat"], one["player"]) for one in found} == {(TABLE, 2, "P2")}
        assert [one["result"] for one in found] == ["void", "fold", "fold"]
        assert found[0]["net"] == "0.00"
        assert float(found[1]["staked"]) > 20
        assert await got(at, "P2", "/api/rounds/mine?seat=1") == []
        assert await got(at, "Ann", "/api/rounds/mine") == []


async def test_r95_corrections_are_listed_with_their_round(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for asked in scripted_commands(rounds=1)[1:]:
            if not isinstance(asked.command, Leave):
                await at.host.submit(asked)
        await at.does("Dee", CorrectPayout(2, -100, "paid twice", "", ""), ("Sue", PASSWORD))
        corrected = {
            one["round"]: [(each["amount"], each["reason"]) for each in one["corrections"]]
            for one in await got(at, "P2", "/api/rounds/mine")
        }
        last = max(corrected)
        assert corrected.pop(last) == [("-1.00", "paid twice")]
        assert not any(corrected.values())
        (hand,) = (await got(at, "P2", f"/api/tables/T1/rounds/{last}"))["hands"]
        assert [one["amount"] for one in hand["corrections"]] == ["-1.00"]
        others = await got(at, "P1", "/api/rounds/mine")
        assert not any(one["corrections"] for one in others)


async def test_a22_players_see_at_most_ten_rounds(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for asked in scripted_commands("sugarhouse", rounds=11)[1:]:
            if not isinstance(asked.command, Leave):
                await at.host.submit(asked)
        found = await got(at, "P1", "/api/rounds/mine")
        assert [one["round"] for one in found] == list(range(12, 2, -1))


async def test_a_replay_is_marked_and_shows_each_step_as_the_viewer_saw_it(tmp_path: Path) -> None:
    """It equals the log replayed from its first entry for the same viewer."""
    async with house_with_rounds(tmp_path) as at:
        moments = happenings(at)
        for number in (1, 2, 3):
            for who, viewer in (("P2", "seat 2"), ("Sue", "seat 5"), ("Dee", "dealer"),
                                ("Dee", "rail"), ("Art", "tablevision")):  # fmt: skip
                url = f"/api/tables/T1/rounds/{number}?viewer={viewer}"
                shown = await got(at, who, url)
                assert shown["replay"] is True
                assert (shown["round"], shown["viewer"]) == (number, viewer)
                expected = [
                    json.loads(json.dumps(write_step(one, ENGLISH)))
                    for one in replay_steps(iter(moments), parse_viewer(viewer), TABLE, number)
                ]
                for place, (one, due) in enumerate(zip(shown["steps"], expected, strict=True)):
                    assert (one["step"], one["event"]) == (place + 1, due["event"])
                    assert one["say"] == due["say"]
                    posted = due["view"].pop("posted")
                    assert one["view"].pop("posted", None) == (None if place else posted)
                    assert one["view"] == due["view"]


def happenings(at: Office) -> list[AppliedEvent]:
    found = []
    for step in followed(TABLE, Journal(), at.house.database.entry_texts(TABLE)):
        for event, floor in step.steps:
            found.append(AppliedEvent(step.table, event, floor, step.time))
    return found


async def test_a14_a_replay_has_no_card_that_the_player_could_not_see(tmp_path: Path) -> None:
    """Seat 2's face-down folded cards appear nowhere in seat 1's replay."""
    async with house_with_rounds(tmp_path) as at:
        dealt = [one for one in happenings(at) if isinstance(one.event, CardsDealt)]
        for number, moment in enumerate(dealt, 1):
            round = moment.floor.tables[TABLE].round
            assert round is not None
            folded = format_cards(round.seats[2].hole)
            shown = await got(at, "P1", f"/api/tables/T1/rounds/{number}")
            assert shown["viewer"] == "seat 1"
            for step in shown["steps"]:
                view = step["view"]["round"]
                if view["phase"] not in ("resolving", "settled", "closed"):
                    assert all(not held["hole"] for at, held in view["seats"].items() if at != "1")
            assert [hand["seat"] for hand in shown["hands"]] == [1]
            assert [hand["player"] for hand in shown["hands"]] == ["P1"]
            if not shown["steps"][-1]["view"]["round"]["seats"]["2"]["hole"]:
                assert folded not in json.dumps(shown)


async def test_players_cannot_replay_rounds_of_others(tmp_path: Path) -> None:
    async with house_with_rounds(tmp_path) as at:
        for viewer in ("seat 2", "dealer", "rail", "tablevision", "seat 9"):
            answer = await got(at, "P1", f"/api/tables/T1/rounds/1?viewer={viewer}", 403)
            assert answer["error"]["code"] == "not_your_view"
        for url in ("/api/tables/T1/rounds/1", "/api/tables/T1/rounds/1?viewer=seat 1"):
            assert (await got(at, "Ann", url, 404))["error"]["code"] == "no_such_round"
        for url in ("/api/rounds", "/api/tables/T1/rounds/1/notation"):
            assert (await got(at, "P1", url, 403))["error"]["code"] == "not_allowed"
        assert (await got(at, "Dee", "/api/tables/T1/rounds/1?viewer=seat 1", 403))["error"]


async def test_an_open_round_cannot_be_replayed_from_a_seat(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        script = scripted_commands()
        upto = next(i for i, asked in enumerate(script) if "DealCards" in repr(asked.command))
        for asked in script[1 : upto + 1]:
            await at.host.submit(asked)
        assert await got(at, "P1", "/api/rounds/mine") == []
        await got(at, "P1", "/api/tables/T1/rounds/1", 404)
        for who in ("Sue", "Art", "Ada"):
            await got(at, who, "/api/tables/T1/rounds/1?viewer=seat 1", 403)
            shown = await got(at, who, "/api/tables/T1/rounds/1")
            assert (shown["viewer"], shown["last"], shown["closed_at"]) == ("dealer", None, None)
            assert shown["steps"][-1]["event"]["event"] == "CardsDealt"
            assert all(not held["hole"] for held in seats(shown["steps"][-1]))
        await got(at, "Art", "/api/tables/T1/rounds/1/notation", 409)
        await got(at, "Art", "/api/tables/T1/rounds/2", 404)


def seats(step: Any) -> Any:
    return step["view"]["round"]["seats"].values()


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [3, 2, 1]),
        ("table=T1", [3, 2, 1]),
        ("table=T2", []),
        ("number=2", [2]),
        ("player=P3", [3, 2, 1]),
        ("player=Ann", []),
        ("result=fold", [2, 1]),
        ("result=void", [3]),
        ("irregular=true", [3]),
        ("irregular=false", [2, 1]),
        ("jackpot=true", []),
        ("category=royal_flush", []),
        ("since=2000-01-01T00:00:00Z", [3, 2, 1]),
        ("before=2000-01-01T00:00:00Z", []),
        ("least=100000000", []),
        ("least=1", [2, 1]),
        ("limit=1", [3]),
        ("player=P1&result=fold", []),
    ],
)
async def test_staff_search_rounds_by_every_criterion(
    evening_house: Office, query: str, numbers: list[int]
) -> None:
    found = await got(evening_house, "Dee", f"/api/rounds?{query}")
    assert [one["round"] for one in found] == numbers


@pytest.fixture
async def evening_house(tmp_path: Path) -> AsyncIterator[Office]:
    async with house_with_rounds(tmp_path) as at:
        yield at


async def test_the_notation_of_a_round_can_be_read_again(tmp_path: Path) -> None:
    async with house_with_rounds(tmp_path) as at:
        for number in (1, 3):
            text = await got(at, "Art", f"/api/tables/T1/rounds/{number}/notation")
            written = read_written_round(tomllib.loads(text))
            assert written.table == TABLE
        assert "galaxy" in text


async def test_a_replay_starts_from_the_nearest_snapshot(tmp_path: Path) -> None:
    """It starts from the nearest snapshot, so the number of entries read does not grow with the
    log."""
    async with office(tmp_path) as at:
        for asked in scripted_commands(rounds=25)[1:]:
            await at.host.submit(asked)
        database, read = at.house.database, []
        texts = database.entry_texts

        def counted(floor: str, start: int = 0, end: int | None = None) -> Any:
            for one in texts(floor, start, end):
                read.append(1)
                yield one

        database.entry_texts = counted  # type: ignore[method-assign]
        place = locate_round(database, TABLE, 24)
        assert place is not None
        assert place.first > 700
        shown = replay_round(database, place, parse_viewer("rail"))
        assert len(shown.steps) > 15
        assert len(read) < 560


async def test_all_staff_can_search_and_nobody_can_write(tmp_path: Path) -> None:
    async with house_with_rounds(tmp_path) as at:
        before = at.host.journal.head
        for name, role in PEOPLE.items():
            await got(at, name, "/api/rounds/mine")
            await got(at, name, "/api/rounds", 403 if role == "player" else 200)
        assert at.host.journal.head == before


async def test_replays_are_limited_per_person(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        app = create_app(at.house, at.accounts, Settings("", "server"))
        url = f"/api/tables/{TABLE}/rounds/1"

        async def asks(name: str, times: int) -> set[int]:
            cookies = {SESSION_COOKIE: at.accounts.log_in_as(at.people[name]).token}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url=ADDRESS, cookies=cookies
            ) as http:
                return {(await http.get(url)).status_code for _ in range(times)}

        assert await asks("Sue", MESSAGE_BURST) == {404}
        assert 429 in await asks("Sue", MESSAGE_BURST)
        assert await asks("Sam", 1) == {404}
