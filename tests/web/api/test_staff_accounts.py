"""Staff accounts need two people. Somebody who could create a supervisor alone, or take one over
with a new password, could approve their own commands."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from headsup.house.people.permissions import ApproverCount, StaffChange, needs_second_person
from headsup.house.people.person import Role
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import PEOPLE
from headsup.web.api import login as coming_in
from tests.support.web.office import PASSWORD, Office, office
from tests.support.web.requests import asked_by, code, incidents, state, stranger

STAFF = sorted(set(Role) - {Role.PLAYER})


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coming_in, "ATTEMPT_BURST", 1000)


def approval(name: str, password: str = PASSWORD) -> dict[str, Any]:
    return {"approval": {"name": name, "password": password}}


def leave_alone(at: Office, *names: str) -> None:
    """Remove these accounts, as if they had never existed."""
    with at.house.database.engine.begin() as connection:
        connection.execute(delete(PEOPLE).where(PEOPLE.c.name.in_(names)))


def recorded_changes(at: Office) -> list[tuple[str, dict[str, Any]]]:
    """The recorded account changes, oldest first."""
    found = incidents(at, IncidentKind.PERSONAL_DATA)
    return [(one.who, json.loads(one.what)) for one in reversed(found)]


@pytest.mark.parametrize("change", StaffChange)
@pytest.mark.parametrize("role", Role)
def test_staff_changes_need_a_second_person_once_there_is_one(
    role: Role, change: StaffChange
) -> None:
    staff = role is not Role.PLAYER
    assert needs_second_person(role, change, ApproverCount(1, 1)) == staff
    assert not needs_second_person(role, change, ApproverCount(0, 0))
    all_locked = staff and change is not StaffChange.UNLOCKED
    assert needs_second_person(role, change, ApproverCount(1, 0)) == all_locked


async def test_an_administrator_cannot_create_staff_alone(tmp_path: Path) -> None:
    """Neither alone, nor with somebody who may not approve, nor by resetting a password."""
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "needs_two_people"),
        (approval("Ada"), "needs_two_people"),
        (approval("Sue", "wrong password"), "bad_approval"),
        (approval("Dee"), "bad_approval"),
        (approval("Art"), "bad_approval"),
        (approval("Ann"), "bad_approval"),
        (approval("Nobody"), "bad_approval"),
    )
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        at.accounts.deactivate(at.people["Sam"].id)
        before = state(at)
        for said, why in refused:
            made = await http.post("/api/people", json={"name": "Eve", "role": "dealer", **said})
            assert await code(made) == (403, why), said
        for role in STAFF:
            made = await http.post("/api/people", json={"name": "Eve", "role": role})
            assert await code(made) == (403, "needs_two_people"), role
        for url in ("Sue/invitation", "Sam/invitation", "Sam/unlock", "Dee/invitation"):
            assert await code(await http.post(f"/api/people/{url}")) == (403, "needs_two_people")
            answer = await http.post(f"/api/people/{url}", json=approval("Art"))
            assert await code(answer) == (403, "bad_approval")
        assert state(at) == before


async def test_a_supervisor_or_another_administrator_approves_and_both_sign(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http, stranger(at) as other:
        bea = {"name": "Bea", "role": "administrator", "password": PASSWORD}
        made = await http.post("/api/people", json={**bea, **approval("Sue")})
        assert made.status_code == 201
        answer = await http.post("/api/people/Dee/invitation", json=approval("Bea"))
        taken = {"token": answer.json()["token"], "password": "another good password"}
        assert (await other.post("/api/invitations", json=taken)).status_code == 200
        assert (
            await http.post("/api/people/Dee/lock")
        ).status_code == 204  # locking is urgent and needs no second person
        unlocked = await http.post("/api/people/Dee/unlock", json=approval("Sue"))
        assert unlocked.status_code == 204
        acts = [(who, what["act"], what["name"]) for who, what in recorded_changes(at)]
        assert acts == [
            ("Ada / Sue", "created", "Bea"),
            ("Ada / Bea", "invited", "Dee"),
            ("Dee", "password set", "Dee"),
            ("Ada / Sue", "unlocked", "Dee"),
        ]
        assert not any("alone" in what for _, what in recorded_changes(at))


async def test_the_first_administrator_sets_up_the_house_alone_and_this_is_recorded(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http, stranger(at) as other:
        leave_alone(at, "Sue", "Sam")
        eve = {"name": "Eve", "role": "supervisor"}
        made = await http.post("/api/people", json=eve)
        again = await http.post("/api/people/Eve/invitation")  # the link was lost
        assert (made.status_code, again.status_code) == (201, 200)
        assert [(who, what["act"], what["alone"]) for who, what in recorded_changes(at)] == [
            ("Ada", "created", "nobody else could approve"),
            ("Ada", "invited", "nobody else could approve"),
            ("Ada", "invited", "nobody else could approve"),
        ]
        taken = {"token": again.json()["token"], "password": PASSWORD}
        assert (await other.post("/api/invitations", json=taken)).status_code == 200
        more = {"name": "Pia", "role": "supervisor"}
        assert await code(await http.post("/api/people", json=more)) == (403, "needs_two_people")
        made = await http.post("/api/people", json={**more, **approval("Eve")})
        assert made.status_code == 201


async def test_player_accounts_need_no_second_person(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        made = await http.post("/api/people", json={"name": "Pia", "role": "player"})
        assert made.status_code == 201
        assert (await http.post("/api/people/Ann/invitation")).status_code == 200
        assert not any("alone" in what for _, what in recorded_changes(at))


async def test_locking_all_others_does_not_make_one_the_first_administrator(tmp_path: Path) -> None:
    """They can unlock one person alone, who then approves with their own password."""
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        for name in ("Sue", "Sam"):
            assert (await http.post(f"/api/people/{name}/lock")).status_code == 204
        eve = {"name": "Eve", "role": "supervisor"}
        assert await code(await http.post("/api/people", json=eve)) == (403, "needs_two_people")
        locked = await http.post("/api/people", json={**eve, **approval("Sue")})
        assert await code(locked) == (403, "bad_approval")
        reset = await http.post("/api/people/Sue/invitation")
        assert await code(reset) == (403, "needs_two_people")
        assert (await http.post("/api/people/Sue/unlock")).status_code == 204
        assert recorded_changes(at)[-1][1]["alone"] == "nobody else could approve"
        unlock = await http.post("/api/people/Sam/unlock")
        assert await code(unlock) == (403, "needs_two_people")
        made = await http.post("/api/people", json={**eve, **approval("Sue")})
        assert made.status_code == 201
