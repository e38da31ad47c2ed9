"""Demo staff: one click away in a demonstration and nowhere else. Commands for two still need two,
and no demo log-in leads into a real house."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.table.meter_control import CorrectMeter
from headsup.house.people.person import Role
from headsup.web.demo.house import DEMO_APPROVER_NAME, DEMO_STAFF_NAMES
from headsup.web.server.app import create_app
from headsup.web.server.settings import Settings
from tests.support.tables import opening
from tests.support.web.live_server import live
from tests.support.web.office import TABLE, Office, office

HERE = "http://127.0.0.1:8433"


@asynccontextmanager
async def visitor(
    at: Office, demo: bool = True, url: str = HERE, address: str = "127.0.0.1", **headers: str
) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(at.house, at.accounts, Settings("", "server", demo=demo))
    transport = httpx.ASGITransport(app, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url=url, headers=headers) as http:
        yield http


async def test_a_visitor_becomes_staff_and_the_same_guest_again(tmp_path: Path) -> None:
    async with office(tmp_path) as at, visitor(at) as http:
        guest = (await http.post("/api/demo")).json()
        for role, name in DEMO_STAFF_NAMES.items():
            one = (await http.post("/api/demo/staff", json={"role": role.value})).json()
            assert (one["name"], one["role"]) == (name, role.value)
            assert (await http.get("/api/me")).json()["name"] == name
        assert (await http.get("/api/people")).status_code == 200
        assert (await http.post("/api/demo")).json() == guest
        assert (await http.get("/api/people")).status_code == 403
        player = await http.post("/api/demo/staff", json={"role": "player"})
        assert player.status_code == 400


@pytest.mark.parametrize("path", ["/api/demo/staff", "/api/demo/second"])
async def test_demo_staff_exist_only_in_a_demonstration_on_this_machine(
    tmp_path: Path, path: str
) -> None:
    async with office(tmp_path) as at:

        async def status(**how: str | bool) -> int:
            async with visitor(at, **how) as http:  # type: ignore[arg-type]
                token = at.accounts.log_in_as(at.people["Dee"]).token
                http.cookies.set("headsup", token)
                if path.endswith("staff"):
                    return (await http.post(path, json={"role": "dealer"})).status_code
                return (await http.get(path)).status_code

        assert await status(demo=False) == 403
        assert await status(address="192.168.1.7") == 403
        assert await status(url="http://tables.example:8433") == 403
        assert await status(**{"x-forwarded-for": "1.2.3.4"}) == 403
        assert await status(origin="https://evil.example") == 403
        assert all(
            at.accounts.find_by_name(name) is None
            for name in (*DEMO_STAFF_NAMES.values(), DEMO_APPROVER_NAME)
        )


async def test_two_person_commands_need_two_in_the_demonstration(tmp_path: Path) -> None:
    """Even after a visitor has locked the second person or changed their password."""
    table = opening("galaxy", meter_seed=1_000_000)
    async with office(tmp_path, table) as at, visitor(at) as http:
        await http.post("/api/demo/staff", json={"role": "dealer"})

        async def corrects(approval: dict[str, str] | None) -> str:
            body = {
                "id": f"correct-{time.monotonic_ns()}",
                "command": write_command(CorrectMeter(100, "counted", ("", ""))),
                "approval": approval,
            }
            answer = await http.post(f"/api/tables/{TABLE}/commands", json=body)
            return str(answer.json().get("code", ""))

        assert await corrects(None) == "needs_two_people"
        second = (await http.get("/api/demo/second")).json()
        assert second["name"] == DEMO_APPROVER_NAME
        assert await corrects(second) == ""
        own = {**second, "name": DEMO_STAFF_NAMES[Role.DEALER]}
        assert await corrects(own) == "needs_two_people"
        held = at.accounts.find_by_name(DEMO_APPROVER_NAME)
        assert held is not None
        at.accounts.invite(held, "a visitor")
        at.accounts.deactivate(held.id, "a visitor")
        assert (await http.get("/api/demo/second")).json() == second
        assert await corrects(second) == ""


async def test_only_demo_staff_see_the_approver(tmp_path: Path) -> None:
    async with office(tmp_path) as at, visitor(at) as http:
        await http.post("/api/demo")
        assert (await http.get("/api/demo/second")).status_code == 403
        http.cookies.set("headsup", at.accounts.log_in_as(at.people["Dee"]).token)
        assert (await http.get("/api/demo/second")).status_code == 403


async def test_the_demo_dealer_may_open_the_console(
    tmp_path: Path,
) -> None:
    async with (
        live(tmp_path) as server,
        httpx.AsyncClient(base_url=server.address, timeout=30) as http,
    ):
        await http.post("/api/demo/staff", json={"role": "dealer"})
        assert (await http.post("/api/ticket")).status_code == 200
        assert (await http.get("/api/orders")).status_code == 200
