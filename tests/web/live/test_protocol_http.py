"""Commands over HTTP have the same bodies, answers and rules as over a socket."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.people.person import LogIn
from headsup.web.demo.tables import Demo, DemoTable
from headsup.web.live.examples import EXAMPLES, OPENING
from headsup.web.live.protocol import SubmitCommandRequest
from headsup.web.live.schemas import command_kinds
from headsup.web.server.app import create_app
from headsup.web.server.errors import ERRORS
from headsup.web.server.security import MAX_BODY_BYTES, MESSAGE_BURST, READ_BURST, SESSION_COOKIE
from headsup.web.server.settings import Settings
from headsup.web.workers.strategist import Strategist
from tests.support.web.office import TABLE, office
from tests.support.web.requests import ADDRESS, APPROVAL, asked_by, said


async def test_a_command_is_answered_as_over_a_socket(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ann") as http:
        url = "/api/tables/T1/commands"
        first = await http.post(url, json=said(Sit(1, "Ann")))
        index = at.host.journal.head.count - 1
        assert (first.status_code, first.json()) == (
            200,
            {"type": "reply", "id": "command-1", "index": index},
        )
        again = await http.post(url, json=said(Sit(1, "Ann")))
        assert again.json() == first.json()
        other = await http.post(url, json=said(BuyIn(1, 1_000)))
        assert (other.status_code, other.json()["code"]) == (409, "id_used")
        assert other.json()["type"] == "refusal"


async def test_every_refusal_has_its_status(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        for url, body, status, code in (
            ("T1", said(Sit(1, "Ann")), 403, "not_allowed"),
            ("T1", said(FreezeMeter("")), 403, "needs_two_people"),
            ("T9", said(FreezeMeter("dark")), 404, "no_such_table"),
            ("T1", {"id": "command-1", "command": {}}, 400, "bad_command"),
        ):
            answer = await http.post(f"/api/tables/{url}/commands", json=body)
            assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_an_invalid_request_reveals_little(tmp_path: Path) -> None:
    url = "/api/tables/T1/commands"
    async with office(tmp_path) as at:
        async with asked_by(at, "Ann") as http:
            for content in (
                b"",
                b"{",
                b"[]",
                b"null",
                b"\xff",
                b'{"id": "command-1"}',
                b'{"id": "command-1", "command": NaN}',
                b'{"id": "command-1", "command": {}, "\\ud800": 1}',
                b'{"id": "command-1", "command": {}, "type": "ask"}',
                b"[" * 20_000,
                b"9" * 20_000,
                b'{"id": 7, "command": {}}',
            ):
                headers = {"content-type": "application/json"}
                answer = await http.post(url, content=content, headers=headers)
                assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
                assert "Traceback" not in answer.text
            large = await http.post(url, content=b" " * (MAX_BODY_BYTES + 1))
            assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")

            async def endless() -> AsyncIterator[bytes]:
                while True:
                    yield b" " * 1000

            large = await http.post(url, content=endless())
            assert large.status_code == 413
            assert (await http.get(url)).status_code == 405
            assert (await http.get("/api/nothing")).status_code == 404
        async with asked_by(at, "Ann", origin="https://evil.example") as http:
            answer = await http.post(url, json=said(Sit(1, "Ann")))
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")
        async with asked_by(at, "Ann") as http:
            http.cookies.clear()
            assert (await http.post(url, json=said(Sit(1, "Ann")))).status_code == 401


async def test_a17_commands_are_limited_per_person(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Art") as http:
        statuses = []
        for i in range(MESSAGE_BURST + 5):
            body = said(Sit(1, "Art"), id=f"command-{i}")
            statuses.append((await http.post("/api/tables/T1/commands", json=body)).status_code)
        assert statuses[:MESSAGE_BURST] == [403] * MESSAGE_BURST
        assert statuses[-1] == 429


@pytest.mark.parametrize(
    ("who", "verb", "path", "most"),
    [
        ("Ann", "POST", "/api/ticket", MESSAGE_BURST),
        ("Ann", "GET", "/api/tables", READ_BURST),
        ("Ann", "GET", "/api/rounds/mine", READ_BURST),
        ("Ann", "GET", "/api/wallet", READ_BURST),
        ("Sue", "GET", "/api/people/Ann/wallet", READ_BURST),
        ("Dee", "POST", "/api/displays", MESSAGE_BURST),
    ],
)
async def test_lists_and_tickets_are_limited_per_person(
    tmp_path: Path, who: str, verb: str, path: str, most: int
) -> None:
    body = {"table": "T1"} if path == "/api/displays" else None
    async with office(tmp_path) as at, asked_by(at, who) as http:
        statuses: list[int] = []
        while len(statuses) < most or (statuses[-1] == 200 and len(statuses) < 10 * most):
            statuses.append((await http.request(verb, path, json=body)).status_code)
        assert set(statuses[:most]) == {200}  # as often as any page
        assert statuses[-1] == 429


async def test_a_table_is_opened_and_linked_to_a_meter(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        body = {"floor": "F2", "table": "T2", **said(OPENING, approval=APPROVAL)}
        assert (await http.post("/api/tables", json=body)).status_code == 200
        meter = at.house.tables()[-1].meter
        linked = {**write_command(OPENING), "meter": meter, "options": {}}
        body = {"floor": "F2", "table": "T3", "id": "command-2", "command": linked}
        assert (await http.post("/api/tables", json=body)).status_code == 403
        answer = await http.post("/api/tables", json={**body, "approval": APPROVAL})
        assert answer.status_code == 200, answer.text
        assert {table.id: table.meter for table in at.house.tables()}["T3"] == meter
        wrong = {**body, "id": "command-3", "command": write_command(Sit(1, "Ada"))}
        assert (await http.post("/api/tables", json=wrong)).status_code == 400


async def test_the_schema_has_every_command_with_an_example(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ann") as http:
        schema = (await http.get("/openapi.json")).json()
    command = schema["components"]["schemas"][SubmitCommandRequest.__name__]["properties"][
        "command"
    ]
    assert [one["title"] for one in command["oneOf"]] == [kind.__name__ for kind in command_kinds()]
    assert command["examples"] == [write_command(one) for one in EXAMPLES]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path.startswith("/api"):
                assert {str(status) for status in ERRORS} <= operation["responses"].keys()
            assert "422" not in operation["responses"]


async def test_automatic_players_are_announced_only_where_they_come(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        app = create_app(at.house, at.accounts, Settings("", "server"))
        entered = at.accounts.log_in_as(at.people["Ann"])
        assert isinstance(entered, LogIn)
        transport, cookies = httpx.ASGITransport(app), {SESSION_COOKIE: entered.token}
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, cookies=cookies
        ) as http:
            for own in ((), (DemoTable(TABLE, "galaxy", ("Robin",)),)):
                app.state.demo = Demo(
                    at.house,
                    at.accounts,
                    app.state.sockets,
                    ADDRESS,
                    Strategist([], app.state.solver),
                    tables=own,
                )
                (shown,) = (await http.get("/api/tables")).json()
                assert shown["attended"] is bool(own)
