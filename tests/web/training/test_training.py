"""Training over HTTP: exact values of the player's own hand only, drills, stored decisions."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
)
from headsup.game.round.dealing import ALL_6, BOARD, build_deck, deal_order, seat_place
from headsup.game.round.dealing import DEALER as DEALER_PLACE
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.cards import Cards, format_cards, parse_cards
from headsup.house.floor.request import Acceptance, CommandRequest
from headsup.house.training.notebook import Notebook, NotebookFile
from headsup.web.server.app import create_app
from headsup.web.server.security import SESSION_COOKIE
from headsup.web.server.settings import Settings
from headsup.web.workers.solver import Solver
from tests.support.cli.run import headsup
from tests.support.tables import opening
from tests.support.web.office import TABLE, Office, office

DEALER = Staff("dealer")
TIME = 240  # seconds for the solver's first answer, compiling included


@dataclass
class Room:
    """A table with Ann at seat 1 and Bob at seat 2, and an HTTP client for each."""

    at: Office
    solver: Solver
    ann: httpx.AsyncClient
    bob: httpx.AsyncClient

    async def does(self, by: Actor, command: Command) -> None:
        answer = await self.at.host.submit(CommandRequest(uuid4().hex, TABLE, by, command))
        assert isinstance(answer, Acceptance), answer

    async def deal(self, deck: Cards) -> None:
        await self.does(DEALER, OpenRound())
        for seat in (1, 2):
            stakes = {Wager.ANTE: 1_000, Wager.ODDS: 1_000}
            await self.does(PlayerAt(seat), PlaceBets(seat, stakes))
        await self.does(DEALER, CloseBets())
        await self.does(DEALER, DealCards(deck))

    async def both(self, command: type[Check]) -> None:
        """Both give the command, and the dealer reveals the next cards."""
        for seat in (1, 2):
            await self.does(PlayerAt(seat), command(seat))
        await self.does(DEALER, Proceed())

    async def settle(self) -> None:
        while self.at.host.journal.floor.tables[TABLE].is_playing:
            await self.does(DEALER, Proceed())


@asynccontextmanager
async def room(
    folder: Path, book: str = "galaxy", notebook: Notebook | None = None
) -> AsyncIterator[Room]:
    async with office(folder, opening(book)) as at:
        app = create_app(at.house, at.accounts, Settings("", "server"))
        app.state.trainer.notebook = notebook or app.state.trainer.notebook
        clients = []
        for name in ("Ann", "Bob"):
            cookies = {SESSION_COOKIE: at.accounts.log_in_as(at.people[name]).token}
            transport = httpx.ASGITransport(app)
            base = "http://house.test/api/training"
            clients.append(httpx.AsyncClient(transport=transport, base_url=base, cookies=cookies))
        here = Room(at, app.state.solver, *clients)
        for seat, name in ((1, "Ann"), (2, "Bob")):
            await at.does(name, Sit(seat, name))
            await at.does(name, BuyIn(seat, 100_000))
        try:
            yield here
        finally:
            for client in clients:
                await client.aclose()
            await app.state.trainer.stop()
            await app.state.solver.stop()


async def ready(client: httpx.AsyncClient, method: str, url: str, **how: Any) -> Any:
    """The answer, once the solver has it."""
    async with asyncio.timeout(TIME):
        while True:
            answer = await client.request(method, url, **how)
            if answer.status_code == 429:
                await asyncio.sleep(0.5)  # rate limit: try again a moment later
                continue
            assert answer.status_code == 200, answer.text
            if answer.json().get("ready", True):
                return answer.json()


async def coached(client: httpx.AsyncClient, mode: str) -> Any:
    return await ready(client, "POST", "/coach", json={"table": TABLE, "mode": mode})


def deck(own: str, other: str, dealer: str, board: str, at: Room) -> Cards:
    """A deck that deals these cards at this table."""
    rules = at.at.host.journal.floor.tables[TABLE].rules
    order = deal_order(rules.dealing, (1, 2), rules.offers(Wager.ALL_6))
    wanted = {seat_place(1): own, seat_place(2): other, DEALER_PLACE: dealer, BOARD: board}
    wanted[ALL_6] = "8c8d8h8s"
    return build_deck(order, {place: parse_cards(text) for place, text in wanted.items()})


@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington"])
async def test_values_are_those_of_headsup_advise(tmp_path: Path, book: str) -> None:
    async with room(tmp_path) as at:
        for hole, board in (("AsKd", ""), ("JhTh", "9h2c3h"), ("7h2s", "KdKcKhAsQs")):
            asked = {"game": book, "hole": hole, "board": board}
            found = (await ready(at.ann, "POST", "/values", json=asked))["hand"]
            words = ["--rules", book, "--hole", hole, *(["--board", board] if board else [])]
            said = headsup("advise", *words, "--json").json
            options = [(one["action"], one["multiple"], one["ev"]) for one in found["options"]]
            assert options == [
                (one["action"], one.get("multiple"), one["ev"]) for one in said["options"]
            ]
            assert found["options"][found["best"]]["ev"] == said["best"]["ev"]
            assert found["showdown"] == said["showdown"]


async def test_the_chart_agrees_with_headsup_solve(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        shown = await ready(at.ann, "GET", "/chart", params={"game": TABLE})
        cells = [cell for row in shown["rows"] for cell in row]
        assert (len(shown["rows"]), len(cells)) == (13, 169)
        assert [shown["rows"][0][0]["name"], shown["rows"][0][1]["name"]] == ["AA", "AKs"]
        solved = headsup("solve", "--json").json["pocket"]
        for cell in cells:
            best = cell["options"][cell["best"]]
            assert best["action"] == solved[cell["name"]]["best"].split()[0]
            check = next(one for one in cell["options"] if one["action"] == "check")
            assert check["ev"]["decimal"] == solved[cell["name"]]["check"]


async def test_the_coach_advises_each_player_before_their_decision(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        await coached(at.ann, "before")
        await at.deal(deck("AsKd", "7h2s", "QcQd", "Kh7c2d9s3c", at))
        shown = await coached(at.ann, "before")
        assert (shown["open"]["hole"], shown["open"]["board"]) == ("AsKd", "")
        assert [one["name"] for one in shown["open"]["options"]] == ["Raise 3×", "Check"]
        assert shown["open"]["best"] == 0
        assert shown["open"]["options"][1]["dollars"] == "2.97"
        assert (await coached(at.ann, "after"))["open"] is None
        assert (await coached(at.ann, "off"))["open"] is None
        assert (await coached(at.bob, "before"))["open"]["hole"] == "7h2s"
        await at.both(Check)
        assert (await coached(at.ann, "before"))["open"]["board"] == "Kh7c2d"


async def test_the_coach_knows_only_the_cards_of_its_seat(tmp_path: Path) -> None:
    """If only hidden cards differ, its answers are the same byte for byte and name none of them."""
    said: list[list[str]] = []
    hidden = (("7h2s", "QcQd", "9s3c"), ("AhAc", "KsKc", "4d5d"))
    for number, (other, dealer, turn_and_river) in enumerate(hidden):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with room(folder) as at:
            await coached(at.ann, "before")
            await at.deal(deck("AsKd", other, dealer, f"Kh7c2d{turn_and_river}", at))
            texts = [json.dumps((await coached(at.ann, "before"))["open"])]
            await at.both(Check)
            shown = await coached(at.ann, "before")
            for made in shown["made"]:
                made.pop("at")
            texts.append(json.dumps(shown))
            for text in texts:
                unknown = parse_cards(other + dealer + turn_and_river)
                assert not any(f'"{format_cards([card])}' in text for card in unknown)
            said.append(texts)
    assert said[0] == said[1]


async def test_decisions_are_judged_stored_and_counted(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        await coached(at.ann, "after")
        await at.deal(deck("AsKd", "7h2s", "QcQd", "Kh7c2d9s3c", at))
        await at.both(Check)  # a mistake with ace-king
        shown = await coached(at.ann, "after")
        assert [one["street"] for one in shown["made"]] == ["pocket"]
        assert shown["made"][0]["verdict"] == "Raise 3× was better by 0.297 Antes ($2.97)."
        await coached(at.ann, "before")  # from here on she sees the values before deciding
        await at.does(PlayerAt(1), Raise(1, 2))
        await at.does(PlayerAt(2), Check(2))
        await at.does(DEALER, Proceed())
        await at.does(PlayerAt(2), Fold(2))
        await at.settle()
        made = (await coached(at.ann, "before"))["made"]
        assert [one["told"] for one in made] == [False, True]
        score = await ready(at.ann, "GET", "/score")
        assert (score["score"]["decisions"], score["score"]["best"]) == (2, 1)
        assert score["score"]["dollars"] == "2.97"
        assert score["score"]["by_street"]["flop"]["best"] == 1
        assert [one["hole"] for one in score["mistakes"]] == ["AsKd"]
        assert (await ready(at.bob, "GET", "/score"))["score"]["decisions"] == 0  # never coached
        rounds = (await ready(at.bob, "GET", "/rounds"))["rounds"]
        assert [one["street"] for one in rounds[0]["decisions"]] == ["pocket", "flop", "river"]
        assert rounds[0]["net"] == "-20.00"
        assert (await at.ann.delete("/notes")).status_code == 204
        assert (await ready(at.ann, "GET", "/score"))["score"]["decisions"] == 0


async def test_a_drill_repeats_missed_questions(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        wanted = {"game": "galaxy", "street": "flop"}
        first = (await ready(at.ann, "POST", "/drill", json=wanted))["question"]
        assert (first["street"], len(first["board"]), first["repeated"]) == ("flop", 6, False)
        assert '"ev"' not in json.dumps(first)
        judged = await answered(at.ann, first, best=False)
        missed, gap = judged["hand"], judged["comes_back"]
        assert gap == 3
        for _ in range(gap):
            other = (await ready(at.ann, "POST", "/drill", json=wanted))["question"]
            assert (other["hole"], other["board"]) != (missed["hole"], missed["board"])
            await answered(at.ann, other)
        again = (await ready(at.ann, "POST", "/drill", json=wanted))["question"]
        assert again["repeated"]
        assert (again["hole"], again["board"]) == (missed["hole"], missed["board"])
        assert (await answered(at.ann, again))["comes_back"] == 8


async def answered(client: httpx.AsyncClient, question: Any, best: bool = True) -> Any:
    asked = {"game": question["rules"], "hole": question["hole"], "board": question["board"]}
    hand = (await ready(client, "POST", "/values", json=asked))["hand"]
    place = hand["best"] if best else 1 - hand["best"]
    option = hand["options"][place]
    answer = {"id": question["id"], "action": option["action"], "multiple": option["multiple"]}
    judged = await ready(client, "POST", "/drill/answer", json=answer)
    assert judged["right"] is best
    return judged


async def test_each_guest_has_their_own_memory(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        await coached(at.ann, "after")
        await at.deal(deck("AsKd", "7h2s", "QcQd", "Kh7c2d9s3c", at))
        await at.both(Check)
        await coached(at.ann, "after")
        assert (await ready(at.ann, "GET", "/score"))["score"]["decisions"] == 1
        assert (await ready(at.bob, "GET", "/score"))["score"]["decisions"] == 0


async def test_a_server_that_stops_does_not_wait_for_the_solver(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        chart = asyncio.create_task(at.ann.get("/chart", params={"game": "sugarhouse"}))
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await at.solver.stop()
            await asyncio.wait([chart])


async def test_coaching_goes_on_if_notes_cannot_be_stored(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    async with room(
        tmp_path, notebook=NotebookFile(tmp_path / "no folder" / "decisions.jsonl")
    ) as at:
        await coached(at.ann, "after")
        await at.deal(deck("AsKd", "7h2s", "QcQd", "Kh7c2d9s3c", at))
        await at.both(Check)
        shown = await coached(at.ann, "after")
        assert [one["street"] for one in shown["made"]] == ["pocket"]
        assert (await ready(at.ann, "GET", "/score"))["score"]["decisions"] == 0
        question = (await ready(at.ann, "POST", "/drill", json={"game": "galaxy"}))["question"]
        await answered(at.ann, question)


async def test_a_summary_is_a_self_contained_file(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        for params, kind in (({}, "text/html"), ({"picture": "true"}, "image/svg+xml")):
            answer = await at.ann.get("/summary", params=params)
            assert answer.headers["content-type"].startswith(kind)
            assert answer.headers["content-disposition"].startswith("attachment")
            assert "Ann" in answer.text
            assert "<script" not in answer.text


async def test_invalid_requests_are_refused(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        for url, body, status, code in (
            ("/values", {"game": "poker", "hole": "AsKd"}, 404, "no_such_game"),
            ("/drill", {"game": "galaxy", "kind": "quads"}, 400, "bad_request"),
            ("/drill", {"game": "galaxy", "street": "turn"}, 400, "bad_request"),
            ("/drill/answer", {"id": "x", "action": "fold"}, 409, "no_such_question"),
            ("/coach", {"table": "T9", "mode": "off"}, 404, "no_such_table"),
            ("/coach", {"table": TABLE, "mode": "loud"}, 400, "bad_request"),
        ):
            answer = await at.ann.post(url, json=body)
            assert answer.status_code == status, answer.text
            assert answer.json()["error"]["code"] == code
        for hole, board, said in (
            ("As", "", "2 cards expected, 1 given"),
            ("AsAs", "", "As"),
            ("AsKd", "As2c3c", "As"),
            ("AsKd", "2c3c4c5c", "no card, 3 or 5 expected, 4 given"),
            ("AsXx", "", "Xx"),
        ):
            body = {"game": "galaxy", "hole": hole, "board": board}
            answer = await at.ann.post("/values", json=body)
            assert said in answer.json()["refused"]
            assert answer.json()["hand"] is None
        stranger = httpx.AsyncClient(
            transport=at.ann._transport, base_url="http://house.test/api/training"
        )
        assert (await stranger.get("/score")).status_code == 401
