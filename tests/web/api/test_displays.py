"""Display links: made by staff, good for TableVision only, ended with their maker's account."""

import unicodedata
from pathlib import Path

from pydantic import ValidationError

from headsup.game.table.seating import Sit
from headsup.game.views.viewers import SeatViewer, Watcher
from headsup.house.people.permissions import permission_refusal
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.settings import put_display_pages
from headsup.web.api.displays import DisplayPages
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.visibility import is_display, make_display_person, may_view
from tests.support.house.houses import NOON
from tests.support.web.office import TABLE, office
from tests.support.web.requests import asked_by, stranger

URL = "/api/displays"


async def test_staff_make_a_link_and_it_ends_when_their_account_is_locked(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        async with asked_by(at, "Ann") as http:
            assert (await http.post(URL, json={"table": TABLE})).status_code == 403
        async with asked_by(at, "Dee") as http:
            assert (await http.post(URL, json={"table": "T9"})).status_code == 404
            key = (await http.post(URL, json={"table": TABLE})).json()["key"]
            given = await http.post(f"{URL}/ticket", json={"key": key})
            ticket = given.json()["ticket"]
            assert at.accounts.redeem_ticket(ticket, "table") is None  # valid for a display only
            assert at.accounts.person_for_token(key) is None  # the key is no log-in
            assert at.accounts.redeem_ticket(ticket, "display") is not None
            assert at.accounts.redeem_ticket(ticket, "display") is None  # once
            at.accounts.deactivate(at.people["Dee"].id)
            ended = await http.post(f"{URL}/ticket", json={"key": key})
            assert (ended.status_code, ended.json()["error"]["code"]) == (401, "not_logged_in")


async def test_a_display_sees_tablevision_and_gives_no_commands(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        floor = at.host.journal.floor
        screen = make_display_person("a link")
        assert is_display(screen)
        assert not any(map(is_display, at.people.values()))
        viewers = (*Watcher, SeatViewer(1))
        seen = [viewer for viewer in viewers if may_view(screen, viewer, floor, TABLE)]
        assert seen == [Watcher.TABLEVISION]
        for command in (*EXAMPLES, Sit(1, screen.name)):
            assert permission_refusal(screen, floor.tables[TABLE], command) is not None


async def test_r89_the_house_sets_its_display_pages_within_limits_and_it_is_recorded(
    tmp_path: Path,
) -> None:
    mine = ["Welcome to the Grand.", "Seven-card stud on Friday, 8 p.m."]
    async with office(tmp_path) as at:
        async with asked_by(at, "Dee") as http:
            key = (await http.post(URL, json={"table": TABLE})).json()["key"]
            assert (await http.get(f"{URL}/pages")).json() == {"pages": []}
            assert (await http.post(f"{URL}/pages", json={"pages": mine})).status_code == 403
        async with asked_by(at, "Sue") as http:
            for wrong in (["x"] * 9, ["x" * 201], [""], [" x"], ["two\nlines"], ["\x1b[2J"]):
                assert (await http.post(f"{URL}/pages", json={"pages": wrong})).status_code == 400
            answer = await http.post(f"{URL}/pages", json={"pages": mine})
            assert (answer.status_code, answer.json()) == (200, {"pages": mine})
        async with stranger(at) as http:
            shown = await http.post(f"{URL}/pages/shown", json={"key": key})
            assert shown.json() == {"pages": mine}
            assert (await http.post(f"{URL}/pages/shown", json={"key": "x"})).status_code == 401
        change, *_ = find_incidents(at.house.database, IncidentQuery(IncidentKind.CONFIGURATION))
        assert (change.who, mine[0] in change.what) == ("Sue", True)
    async with office(tmp_path) as again, asked_by(again, "Ann") as http:
        assert (await http.get(f"{URL}/pages")).json() == {"pages": mine}


def fits(line: str) -> bool:
    try:
        return DisplayPages(pages=[line]).pages == [line]
    except ValidationError:
        return False


def test_r89_a_page_is_one_line_shown_as_written() -> None:
    """It contains no line breaks and no invisible or direction-changing characters."""
    unseen = [
        chr(point)
        for point in range(0x110000)
        if unicodedata.category(chr(point)) in {"Cc", "Cf", "Zl", "Zp"}
    ]
    assert {"\u2028", "\u2029", "\x85", "\u202e", "\u2066", "\u200b"} <= {*unseen}
    assert [hex(ord(one)) for one in unseen if fits(f"a{one}b") or fits(one)] == []
    assert not any(fits(blank) for blank in ("\xa0", "\u3000", "\u3164", "\u2800", "\ufe0f"))
    for line in ("Poker à minuit – 20 % !", "牌 ♠", "שלום", "❤\ufe0f", "a\xa0b", "x" * 200):
        assert fits(line)


async def test_r89_a_stored_page_that_would_be_refused_now_is_not_shown(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ann") as http:
        put_display_pages(at.house.database.engine, ["Stud\u2028on Friday", "Welcome"], "Sue", NOON)
        assert (await http.get(f"{URL}/pages")).json() == {"pages": ["Welcome"]}
