"""Attacks: forged, replayed, foreign and oversized requests, auditors who write, supervisors who
approve themselves, tokens used for another purpose. Nothing is done, and answers reveal little."""

from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from headsup.house.people.person import AccountRefusal, LogIn
from headsup.house.store.incidents import iterate_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.web.api import login as coming_in
from headsup.web.server.security import SESSION_COOKIE, is_same_origin
from headsup.web.server.settings import public_origins
from tests.support.web.office import PASSWORD, RICH, office
from tests.support.web.requests import asked_by, cash, state, stranger

OTHER = "another good password"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coming_in, "ATTEMPT_BURST", 1000)


async def test_an_auditor_reads_but_cannot_write(tmp_path: Path) -> None:
    writes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/api/people", {"name": "Pia", "role": "supervisor", "password": PASSWORD}),
        ("/api/people/Ann/lock", {}),
        ("/api/people/Dee/unlock", {}),
        ("/api/people/Sue/invitation", {}),
        ("/api/people/Ann/deposit", cash(100)),
        ("/api/people/Ann/payout", cash(100)),
        ("/api/tables/T1/commands", {"id": "command-1", "command": {
            "command": "FreezeMeter", "reason": "dark"}}),
        ("/api/tables/T1/cards", {"id": "command-2", "text": "AsKd"}),
        ("/api/tables/T1/due", {"id": "command-3", "key": "x"}),
        ("/api/tables/T1/attendance", {"paused": "mine", "by_hand": True}),
    )  # fmt: skip
    async with office(tmp_path) as at, asked_by(at, "Art") as http:
        before = state(at)
        for url, body in writes:
            answer = await http.post(url, json=body)
            assert answer.status_code == 403, url
        for verb in ("PUT", "PATCH", "DELETE"):
            for url in ("/api/incidents", "/api/books", "/api/rounds", "/api/people/Ann"):
                answer = await http.request(verb, url)
                assert answer.status_code in (404, 405), (verb, url)
        assert state(at) == before


async def test_requests_from_a_foreign_page_are_refused(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        before = state(at)
        async with asked_by(at, "Ada", origin="https://evil.example") as http:
            for url, body in (
                ("/api/people", {"name": "Eve", "role": "administrator", "password": PASSWORD}),
                ("/api/people/Ann/deposit", cash(100)),
                ("/api/password", {"old": PASSWORD, "new": OTHER}),
                ("/api/logout/everywhere", {}),
                ("/api/first", {"token": "x", "name": "Eve", "password": PASSWORD}),
                ("/api/invitations", {"token": "x", "password": PASSWORD}),
            ):
                answer = await http.post(url, json=body)
                assert (answer.status_code, answer.json()["error"]["code"]) == (
                    403,
                    "foreign_origin",
                )
        assert state(at) == before


async def test_unreadable_headers_are_refused_and_not_recorded(tmp_path: Path) -> None:
    """Without a log-in, nobody can write anything into the house's records."""
    torn = (
        "http://[",
        "http://]",
        "http://[::1",
        "http://[x]",
        "http://test:99999999",
        "http:////",
    )
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        http.cookies.clear()
        entering: dict[str, dict[str, Any]] = {
            "/api/login": {"name": "Ann", "password": "not the one"},
            "/api/displays/ticket": {"key": "x"},
            "/api/ticket": {},
        }
        for origin in torn:
            for url, body in entering.items():
                answer = await http.post(url, json=body, headers={"origin": origin})
                error = answer.json()["error"]
                assert (answer.status_code, error["code"]) == (403, "foreign_origin"), origin
        for host in ("[", "]", "[::1", "x:y", "a/b", "a b"):
            for path in ("/", "/api/me", "/console", "/no/page", "/health"):
                answer = await http.get(path, headers={"host": host})
                assert answer.status_code < 500, (host, path)
        for name, value in {
            "range": f"bytes={'9' * 5000}-",
            "if-modified-since": "9" * 5000,
            "content-length": "9" * 5000,
            "content-type": "application/json; charset=[",
            "cookie": "headsup=[; =;;",
            "x-forwarded-for": "[",
        }.items():
            answer = await http.get("/", headers={name: value})
            assert answer.status_code < 500, name
        await at.house.incident_queue.flush()
        noted = {one.kind for one in iterate_incidents(at.house.database)}
        assert IncidentKind.PROGRAM_ERROR.value not in noted


@pytest.mark.parametrize(
    ("public", "origin", "own"),
    [
        ((), "http://house.example", True),
        ((), "https://house.example", True),  # behind a proxy that was not configured
        ((), "HTTP://House.Example", True),
        ((), "ftp://house.example", False),
        ((), "//house.example", False),
        ((), "house.example", False),
        ((), "http://house.example/", False),
        ((), "http://house.example:80", False),
        (("https://house.example",), "https://house.example", True),
        (("https://house.example:443/",), "https://house.example", True),
        (("https://house.example",), "http://house.example", False),
        (("https://house.example",), "https://house.example:444", False),
        (("https://other.example",), "https://house.example", False),
    ],
)
def test_a_page_is_ours_by_its_whole_address(
    public: tuple[str, ...], origin: str, own: bool
) -> None:
    headers = [(b"host", b"house.example"), (b"origin", origin.encode())]
    asked = HTTPConnection({"type": "http", "headers": headers})
    assert is_same_origin(asked, public_origins(public)) is own


async def test_a_token_has_one_purpose(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        dee = at.people["Dee"]
        invitation = at.accounts.invite(dee, "Ada")
        log_in = at.accounts.log_in_as(dee).token
        ticket = at.accounts.ticket(dee, "table", log_in)
        display = at.accounts.display_key(dee)
        for token in (invitation, ticket, display):
            assert at.accounts.person_for_token(token) is None
        for token in (invitation, display, log_in):
            assert at.accounts.redeem_ticket(token, "table") is None
        for token in (ticket, display, log_in, "", "x" * 100):
            assert at.accounts.accept_invitation(token, PASSWORD) is AccountRefusal.BAD_INVITATION
            assert (
                at.accounts.create_first_administrator(token, "Eve", PASSWORD)
                is AccountRefusal.BAD_INVITATION
            )
        async with stranger(at) as http:
            http.cookies.set(SESSION_COOKIE, invitation)
            assert (await http.get("/api/me")).status_code == 401
        assert isinstance(at.accounts.accept_invitation(invitation, PASSWORD), LogIn)


async def test_a_first_link_is_worthless_once_there_is_an_administrator(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert at.accounts.first_invitation() is None
        token = at.accounts._issue(
            "", "first administrator", 1_000
        )  # issued before there was an administrator
        assert (
            at.accounts.create_first_administrator(token, "Eve", PASSWORD)
            is AccountRefusal.BAD_INVITATION
        )
        assert "Eve" not in {person.name for person in at.accounts.people()}


async def test_money_is_moved_only_by_valid_numbers(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        for cents in (0, -100, 1.5, "100", None, True, 10**13, 1e308, [100]):
            for url in ("/api/people/Ann/deposit", "/api/people/Ann/payout"):
                answer = await http.post(url, json={"id": "cash-0001", "cents": cents})
                assert answer.status_code == 400, cents
        assert at.house.database.wallet("Ann") == RICH


async def test_a_locked_account_can_do_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        at.accounts.deactivate(at.people["Sue"].id, "Ada")
        for url in ("/api/incidents", "/api/people", "/api/me"):
            assert (await http.get(url)).status_code == 401
        assert (await http.post("/api/people/Ann/deposit", json=cash(100))).status_code == 401
