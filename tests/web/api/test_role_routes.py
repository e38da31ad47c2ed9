"""A20: every role, and nobody, against every operation of the API. A route missing from the table
fails the test, so that nobody forgets to decide about a new one."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.meter_control import FreezeMeter
from headsup.house.people.person import Role
from headsup.web.api import login as coming_in
from headsup.web.demo import house
from headsup.web.live.examples import OPENING
from headsup.web.server import app as server_app
from headsup.web.server.app import create_app
from headsup.web.server.security import SESSION_COOKIE
from headsup.web.server.settings import Settings
from tests.support.web.office import PASSWORD, PEOPLE, Office, office
from tests.support.web.requests import REAL

HERE = "http://127.0.0.1:8433"

# P: players, D: dealers, S: supervisors, U: auditors, A: administrators. * is everybody logged in,
# ! is anybody at all, - is nobody in the house.
WHO = {
    "POST /api/login": "!",
    "POST /api/logout": "*",
    "GET /api/me": "*",
    "GET /api/people": "SUA",
    "POST /api/people": "A",
    "POST /api/people/{name}/lock": "A",
    "POST /api/people/{name}/unlock": "A",
    "POST /api/people/{name}/invitation": "A",
    "POST /api/invitations": "!",
    "POST /api/first": "!",
    "POST /api/password": "*",
    "POST /api/logout/everywhere": "*",
    "GET /api/wallet": "*",
    "GET /api/people/{name}/wallet": "SUA",
    "POST /api/people/{name}/deposit": "SA",
    "POST /api/people/{name}/payout": "SA",
    "GET /api/here": "!",
    "GET /api/tables": "*",
    "POST /api/tables": "SA",
    "POST /api/ticket": "*",
    "POST /api/tables/{table}/commands": "DS",  # freezing a meter; test_roles.py has all commands
    "GET /api/tables/{table}/payouts": "DS",
    "GET /api/tables/{table}/meters": "DSUA",
    "GET /api/rulebooks": "*",
    "GET /api/rulebooks/{id}": "*",
    "POST /api/rulebooks": "SA",
    "POST /api/tables/check": "SA",
    "GET /api/rounds/mine": "*",
    "GET /api/rounds/mine/fair": "*",
    "GET /api/rounds": "DSUA",
    "GET /api/tables/{table}/rounds/{number}": "DSUA",  # players only their own, otherwise 404
    "GET /api/tables/{table}/rounds/{number}/notation": "SUA",
    "GET /api/incidents": "SUA",
    "GET /api/incidents/kinds": "SUA",
    "GET /api/incidents/export": "UA",
    "GET /api/books": "SUA",
    "GET /api/floors/{floor}/export": "UA",
    "GET /api/floors": "SUA",
    "GET /api/program": "SUA",
    "GET /api/thresholds": "SUA",
    "POST /api/thresholds": "A",
    "GET /api/takings": "SUA",
    "GET /api/shifts": "SUA",
    "GET /api/shifts/export": "SUA",
    "GET /api/gaming-day": "SUA",
    "POST /api/gaming-day": "A",
    "GET /api/tables/{table}/felt": "DSUA",
    "GET /api/tables/{table}/slips": "DSUA",
    "GET /api/tables/{table}/theory": "SUA",
    "POST /api/demo": "!",
    "POST /api/demo/money": "*",
    "POST /api/demo/staff": "!",
    "GET /api/demo/second": "-",  # for demo staff only
    "GET /api/tables/{table}/due": "DS",
    "POST /api/tables/{table}/due": "DS",
    "POST /api/tables/{table}/attendance": "DS",
    "GET /api/tables/{table}/pace": "DSUA",
    "POST /api/tables/{table}/pace": "SA",
    "POST /api/displays": "DSUA",
    "POST /api/displays/ticket": "!",
    "POST /api/displays/lately": "!",
    "GET /api/displays/pages": "*",
    "POST /api/displays/pages": "SA",
    "POST /api/displays/pages/shown": "!",
    "GET /api/tables/{table}/lately": "*",
    "GET /api/orders": "*",
    "POST /api/tables/{table}/cards/preview": "DS",
    "POST /api/tables/{table}/cards": "DS",
    "GET /api/tables/{table}/deal": "DS",
    "POST /api/tables/{table}/deal/preview": "DS",
    "POST /api/tables/{table}/deal": "DS",
    "GET /api/tables/{table}/irregularities": "DS",
    "GET /api/training/games": "*",
    "POST /api/training/coach": "*",
    "POST /api/training/values": "*",
    "GET /api/training/chart": "*",
    "POST /api/training/drill": "*",
    "POST /api/training/drill/answer": "*",
    "GET /api/training/score": "*",
    "GET /api/training/rounds": "*",
    "GET /api/training/summary": "*",
    "DELETE /api/training/notes": "*",
    "POST /api/edges": "DSUA",
    "GET /health": "!",
    "GET /ready": "!",
    "GET /metrics": "!",
}
LETTERS = {
    Role.PLAYER: "P",
    Role.DEALER: "D",
    Role.SUPERVISOR: "S",
    Role.AUDITOR: "U",
    Role.ADMINISTRATOR: "A",
}
ID = "command-0001"
APPROVAL = {"name": "Sam", "password": PASSWORD}
BODIES: dict[str, dict[str, Any]] = {
    "POST /api/people": {"name": "Pia", "role": "player", "password": PASSWORD},
    "POST /api/password": {"old": PASSWORD, "new": PASSWORD},
    "POST /api/people/{name}/deposit": {"id": ID, "cents": 100, "approval": APPROVAL},
    "POST /api/people/{name}/payout": {"id": ID, "cents": 100, "approval": APPROVAL},
    "POST /api/tables": {
        "id": ID,
        "floor": "F2",
        "table": "T2",
        "command": write_command(OPENING),
        "approval": APPROVAL,
    },
    "POST /api/tables/{table}/commands": {
        "id": ID,
        "command": write_command(FreezeMeter("dark")),
        "approval": APPROVAL,
    },
    "POST /api/rulebooks": {"text": 'extends = "galaxy"'},
    "POST /api/tables/check": {"floor": "F3", "table": "T3", "command": write_command(OPENING)},
    "POST /api/tables/{table}/due": {"id": ID, "key": "x"},
    "POST /api/tables/{table}/attendance": {"paused": "", "by_hand": False},
    "POST /api/tables/{table}/pace": {"seconds": None},
    "POST /api/gaming-day": {"zone": "UTC", "hour": 6},
    "POST /api/thresholds": {"win": 1, "wager": 1, "transaction": 1, "approval": APPROVAL},
    "POST /api/displays": {"table": "T1"},
    "POST /api/displays/pages": {"pages": []},
    "POST /api/tables/{table}/cards/preview": {"text": ""},
    "POST /api/tables/{table}/cards": {"id": ID, "text": ""},
    "POST /api/tables/{table}/deal/preview": {"text": "a"},
    "POST /api/tables/{table}/deal": {"id": ID, "key": "", "text": "a"},
    "POST /api/demo/staff": {"role": "dealer"},
    # Unknown games: refused after the permission check, and nothing is solved.
    "POST /api/edges": {"rules": "nothing", "paytables": {}, "options": {}},
    "POST /api/training/coach": {"table": "T1", "mode": "off"},
    "POST /api/training/values": {"game": "nothing", "hole": "AsKd"},
    "POST /api/training/drill": {"game": "nothing"},
    "POST /api/training/drill/answer": {"id": "none", "action": "check"},
}
QUERIES = {"GET /api/training/chart": "?game=nothing"}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coming_in, "ATTEMPT_BURST", 1000)
    monkeypatch.setattr(house, "GUEST_BURST", 1000)
    monkeypatch.setattr(server_app, "MESSAGE_BURST", 1000)


def _client(at: Office) -> httpx.AsyncClient:
    app = create_app(at.house, at.accounts, Settings("", "server", demo=True))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE)


def _url(path: str) -> str:
    named = {"{name}": "Bob", "{table}": "T1", "{number}": "1", "{id}": "galaxy", "{floor}": "T1"}
    for part, value in named.items():
        path = path.replace(part, value)
    return path


async def test_the_table_knows_every_operation(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        app = create_app(at.house, at.accounts, Settings("", "server", demo=True))
        paths = app.openapi()["paths"]
        there = {f"{verb.upper()} {path}" for path, verbs in paths.items() for verb in verbs}
        assert there == set(WHO)


@pytest.mark.parametrize("name", ["", "Ann", "Dee", "Sue", "Art", "Ada"])
async def test_a20_every_role_against_every_operation(tmp_path: Path, name: str) -> None:
    async with office(tmp_path, REAL) as at, _client(at) as http:
        letter = LETTERS[PEOPLE[name]] if name else ""
        for operation, who in WHO.items():
            verb, path = operation.split()
            http.cookies.clear()
            if name:  # a new log-in each time: some operations end it
                http.cookies.set(SESSION_COOKIE, at.accounts.log_in_as(at.people[name]).token)
            where = _url(path) + QUERIES.get(operation, "")
            answer = await http.request(verb, where, json=BODIES.get(operation))
            if not name:
                # An invalid body is refused before the permission check.
                unread = answer.status_code == 400 and operation not in BODIES
                assert who == "!" or unread or answer.status_code == 401, operation
            elif who in "*!" or letter in who:
                assert answer.status_code not in (401, 403), (operation, answer.text)
            elif name == "Ann" and operation.endswith("/rounds/{number}"):
                assert answer.status_code == 404
            else:
                assert answer.status_code == 403, (operation, answer.status_code)
