"""A25, A4 and item 7: significant events, books, win and hold, exports. Authorized people can read
them, nobody can change them."""

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Head
from headsup.game.round.commands import PlaceBets, Raise, ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.meter_control import CorrectMeter
from headsup.game.table.opening import OpenTable, SetBonusCell
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.state import DEFAULT_THRESHOLDS
from headsup.house import clock
from headsup.house.cash.books import reconcile
from headsup.house.cash.cashier import CashMove, move_cash
from headsup.house.cash.expected_win import expected_win
from headsup.house.cash.takings import TableTakings, WagerTakings
from headsup.house.floor.host import Acceptance
from headsup.house.house import House
from headsup.house.incidents.system_events import ClockWatch
from headsup.house.people.person import AccountRefusal
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.web.api.takings import describe_expectation
from tests.support.house.houses import lose_store
from tests.support.house.tampering import put_back_triggers
from tests.support.scripted import ScriptRecorder, scripted_commands
from tests.support.tables import TRIPS_6, opening, stakes
from tests.support.web.office import PASSWORD, PEOPLE, RICH, TABLE, Office, office
from tests.support.web.requests import asked_by, got

SAM = ("Sam", PASSWORD)
NOW = "2026-01-31T12:00:00Z"
# Identifiers, which no sentence may contain except in file names.
A_KEY = re.compile(r"(?<![\w.])\w*(?:[a-z]_[a-z]|[a-z][A-Z])\w*(?!\.py|\w)|[{}]")
OVERSIGHT = ("Sue", "Sam", "Art", "Ada")


@asynccontextmanager
async def played(folder: Path, book: str = "galaxy", rounds: int = 2) -> AsyncIterator[Office]:
    async with office(folder, opening(book)) as at:
        for asked in scripted_commands(book, rounds=rounds):
            if not isinstance(asked.command, OpenTable):
                reply = await at.host.submit(asked)
                assert isinstance(reply, Acceptance), (asked, reply)
        yield at


def kinds(at: Office) -> set[str]:
    return {one.kind for one in find_incidents(at.house.database, IncidentQuery())}


def found(at: Office, kind: IncidentKind) -> Any:
    return find_incidents(at.house.database, IncidentQuery(kind))


# Significant events.


async def test_a25_all_eighteen_kinds_are_provoked_and_found(tmp_path: Path) -> None:
    """Each has who, when, where and what, and can be found by its kind."""
    book = opening("washington", **TRIPS_6)
    async with office(tmp_path, book) as at:
        await _what_commands_bring(at)
        await _what_people_bring(at)
    await _what_went_wrong(tmp_path, book)
    async with office(tmp_path, book) as at:
        seen = kinds(at)
        assert seen == {kind.value for kind in IncidentKind}
        assert len(seen) == 18
        for kind in IncidentKind:
            told = await got(at, "Art", f"/api/incidents?kind={kind.value}")
            assert told, kind
            for one in told:
                assert one["kind"] == kind.value
                assert one["at"].endswith("Z")
                assert one["what"]
                assert not A_KEY.search(f"{one['said']}; {one['details']}"), one
                assert one["who"] or kind is IncidentKind.FAILED_LOG_IN


async def _what_commands_bring(at: Office) -> None:
    """The events recorded in the same transaction as a log entry: configuration, large wager, win
    and transaction, override, adjustment, jackpot, game parameters."""
    dee, sue = "Dee", ("Sue", PASSWORD)
    await at.does("Ann", Sit(1, "Ann"))
    await at.does("Ann", BuyIn(1, 4 * DEFAULT_THRESHOLDS.transaction))
    await at.does("Sue", SetBonusCell("trips_plus", "flush", "6", "a promotion", ("", "")), SAM)
    await at.does(dee, CorrectMeter(1_000_000, "counted twice", ("", "")), sue)
    await at.does(dee, OpenRound())
    await at.does("Ann", PlaceBets(1, stakes(DEFAULT_THRESHOLDS.wager // 4)))
    await _dealt(at, "AsAh", "AdAcKs9h2c")
    await at.does("Ann", Raise(1, 3))
    await _to_the_end(at)
    await at.does(dee, CorrectPayout(1, 100, "paid short", "", ""), sue)
    await at.does(dee, OpenRound())
    await at.does("Ann", PlaceBets(1, stakes()))
    await _dealt(at, "AsAh", "AdAcKs9h2c")
    await at.does(dee, ReportIrregularity(Cause.FOUL_DECK, "", ""), sue)
    wanted = {"large_transaction", "large_wager", "large_win", "override", "adjustment", "jackpot",
              "game_parameters", "configuration"}  # fmt: skip
    assert wanted <= kinds(at)
    (bets,) = found(at, IncidentKind.LARGE_WAGER)
    assert (bets.who, bets.table, bets.round) == ("Ann", TABLE, 1)
    entry = list(at.house.database.entry_texts(TABLE))[bets.index][1]
    assert '"Raised"' in entry
    (override,) = found(at, IncidentKind.OVERRIDE)
    assert override.who == "Dee / Sue"


async def _dealt(at: Office, hole: str, board: str) -> None:
    play = ScriptRecorder(at.host.journal.floor)
    play.bets_close()
    play.deals({1: hole}, board=board, dealer="QcJh")
    for asked in play.requests:
        id = f"{asked.id}-{at.host.journal.head.count}"
        assert isinstance(await at.host.submit(replace(asked, id=id)), Acceptance)


async def _to_the_end(at: Office) -> None:
    play = ScriptRecorder(at.host.journal.floor)
    play.reaches(Phase.CLOSED)
    for asked in play.requests:
        id = f"{asked.id}-{at.host.journal.head.count}"
        assert isinstance(await at.host.submit(replace(asked, id=id)), Acceptance)


async def _what_people_bring(at: Office) -> None:
    assert at.accounts.log_in("Dee", "wrong password") is AccountRefusal.WRONG
    at.accounts.deactivate(at.people["P6"].id, "Ada")
    at.accounts.unlock(at.people["P6"].id, "Ada")
    await at.does("Bob", Sit(2, "Bob"))
    assert (
        move_cash(at.house.database, CashMove("cash-0001", "Bob", -RICH, "", "Sue", True), NOW) == 0
    )
    assert await at.code("Bob", BuyIn(2, 1_000)) == "wallet_short"
    assert {"failed_log_in", "deactivation", "personal_data"} <= kinds(at)


async def _what_went_wrong(folder: Path, book: OpenTable) -> None:
    """The events that the house itself reports: program error, interruption, time, program, data
    changed or lost."""
    async with office(folder, book) as at:
        at.house.incident_queue._clock = ClockWatch(
            chain((0.0,), repeat(3_600.0)).__next__, lambda: 0.0
        )
        await at.house.incident_queue.flush()
        async with asked_by(at, "Sue") as http:
            at.house.database.wallets = _broken  # type: ignore[method-assign]
            with pytest.raises(ZeroDivisionError):
                await http.get("/api/people")
        lose_store(at.host)
        await at.house.maintain()
        await at.house.incident_queue.flush()
        assert {"program_error", "unavailable", "time_changed"} <= kinds(at)
        (turned,) = found(at, IncidentKind.TIME_CHANGED)
        assert json.loads(turned.what)["seconds"] == 3_600.0
    _tampered(
        folder, """UPDATE incidents SET what = replace(what, '"digest": "', '"digest": "x')"""
    )
    _tampered(folder, "UPDATE entries SET entry = replace(entry, '\"Ann\"', '\"Eve\"')")
    assert {"authentication_mismatch", "data_changed"} <= await _opened(folder)
    _tampered(folder, "UPDATE entries SET entry = replace(entry, '\"Eve\"', '\"Ann\"')")
    last = 'SELECT max("index") FROM entries'
    _tampered(folder, f'DELETE FROM entries WHERE "index" = ({last})')
    assert "data_loss" in await _opened(folder)
    # In reality lost entries come back from a copy; here the floor's row is set to the log's end.
    _tampered(
        folder,
        f"UPDATE floors SET length = ({last}) + 1, "
        f'hash = (SELECT hash FROM entries WHERE "index" = ({last}))',
    )


def _broken() -> dict[str, int]:
    raise ZeroDivisionError


def _tampered(folder: Path, statement: str) -> None:
    database = Database(f"sqlite:///{folder / 'house.db'}")
    with database.engine.begin() as connection:
        for act in ("update", "delete"):
            for table in ("entries", "incidents"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{act}"))
        connection.execute(text("DELETE FROM snapshots"))
        connection.execute(text(statement))
        put_back_triggers(connection)
    database.close()


async def _opened(folder: Path) -> set[str]:
    """Open a house on the damaged database; its one floor stays shut."""
    database = Database(f"sqlite:///{folder / 'house.db'}")
    house = House(database, "server", clock.now)
    await house.start()
    assert house.hosts == {}
    await house.stop()
    told = {one.kind for one in find_incidents(database, IncidentQuery())}
    database.close()
    return told


async def test_a25_every_kind_is_listed_with_its_own_name(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        offered = await got(at, "Art", "/api/incidents/kinds")
    assert [one["kind"] for one in offered] == [kind.value for kind in IncidentKind]
    assert len({one["said"] for one in offered}) == len(IncidentKind)


async def test_only_oversight_sees_incidents_and_nobody_changes_them(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        for name in PEOPLE:
            status = 200 if name in OVERSIGHT else 403
            await got(at, name, "/api/incidents", status)
            await got(at, name, "/api/books", status)
            await got(at, name, "/api/takings", status)
            status = 200 if name in ("Art", "Ada") else 403
            await got(at, name, "/api/incidents/export", status)
            await got(at, name, f"/api/floors/{TABLE}/export", status)
        for statement in ("UPDATE incidents SET who = ''", "DELETE FROM incidents"):
            with (
                pytest.raises((DBAPIError, IntegrityError)),
                at.house.database.engine.begin() as connection,
            ):
                connection.execute(text(statement))


async def test_incidents_are_filtered_and_paged(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        all_of_them = await got(at, "Art", "/api/incidents")
        numbers = [one["number"] for one in all_of_them]
        assert numbers == sorted(numbers, reverse=True)
        (void,) = await got(at, "Art", "/api/incidents?kind=override")
        assert (void["table"], void["round"]) == (TABLE, 3)
        assert void["what"]["cause"] == "foul_deck"
        first = await got(at, "Art", "/api/incidents?limit=1")
        rest = await got(at, "Art", f"/api/incidents?before={first[0]['number']}")
        assert first + rest == all_of_them
        assert await got(at, "Art", "/api/incidents?until=2000-01-01T00:00:00Z") == []
        assert await got(at, "Art", "/api/incidents?who=Nobody") == []
        # Part of a name is enough, in any case; the approver is listed beside the sender.
        for who in (void["who"], void["who"].lower(), void["who"][1:]):
            assert void in await got(at, "Art", f"/api/incidents?who={who}")
        assert await got(at, "Art", f"/api/incidents?table={TABLE.lower()}&kind=override") == [void]
        assert await got(at, "Art", "/api/incidents?who=%25") == []
        await got(at, "Art", "/api/incidents?since=yesterday", 400)
        await got(at, "Art", "/api/incidents?kind=nothing", 400)
        lines = (await got(at, "Art", "/api/incidents/export?format=json")).splitlines()
        assert [json.loads(line)["number"] for line in lines] == numbers[::-1]
        rows = list(csv.DictReader(io.StringIO(
            await got(at, "Art", "/api/incidents/export?format=csv"))))  # fmt: skip
        assert [int(row["number"]) for row in rows] == numbers[::-1]


# The books.


@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington", "sugarhouse"])
async def test_a4_the_books_agree_and_say_where_the_money_is(tmp_path: Path, book: str) -> None:
    async with played(tmp_path, book) as at:
        shown = await got(at, "Art", "/api/books")
        ours = [one for one in shown["differences"] if not one.startswith("wallet ")]
        assert ours == []  # these tests create the money in wallets out of nothing
        (floor,) = shown["floors"]
        assert Fraction(floor["total"]) == 0
        assert sum(Fraction(held) for held in floor["accounts"].values()) == 0
        head = at.host.journal.head
        assert (floor["entries"], floor["hash"]) == (head.count, head.hash)
        for meter in floor["meters"].values():
            parts = {name: Fraction(meter[name]) for name in (
                "pool", "reserve", "seeded", "contributed", "awarded", "adjusted")}  # fmt: skip
            due = parts["seeded"] + parts["contributed"] - parts["awarded"] + parts["adjusted"]
            assert parts["pool"] + parts["reserve"] == due
        (taken,) = await got(at, "Art", "/api/takings")
        assert taken["rounds"] == 3
        assert Fraction(taken["drop"]) == 6_000
        tray = Fraction(floor["tables"][0]["accounts"]["bank"])
        assert Fraction(taken["win"]) == tray - Fraction(taken["contributed"])
        assert Fraction(taken["hold"]["exact"]) == Fraction(taken["win"]) / 6_000
        by_wager = sum(Fraction(one["handle"]) for one in taken["wagers"].values())
        assert by_wager == Fraction(taken["handle"])
        assert await got(at, "Art", "/api/takings?until=2000-01-01") == []
        await got(at, "Art", "/api/takings?since=x", 400)


async def test_a_table_without_rounds_is_not_judged(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.does("P1", Sit(1, "P1"))
        await at.does("P1", BuyIn(1, 50_000))
        (taken,) = await got(at, "Art", "/api/takings")
        assert (taken["rounds"], taken["drop"]) == (0, "500.00")
        await got(at, "Art", f"/api/tables/{TABLE}/theory", 404)


def test_stakes_below_a_dollar_widen_the_band_too() -> None:
    """10,000 Antes of 50 ¢ with a deviation of 4 Antes: 4 × $0.50 × √10,000."""
    ante = WagerTakings(10_000, 500_000, 10_000 * 50**2, 0, 0)
    taken = TableTakings("F", "T1", 10_000, 500_000, 0, 0, 0, {Wager.ANTE: ante})
    found = describe_expectation(expected_win(taken, {Wager.ANTE: (Fraction(1, 50), Fraction(16))}))
    assert found.standard_deviation == "200"


def test_the_expected_win_follows_from_the_stakes_placed() -> None:
    """100 Antes of $10 at 2 % with a deviation of 4 Antes, and 100 side wagers of $5 at 10 %."""
    ante = WagerTakings(100, 100_000, 10_000 * 10_000, -30_000, 0)
    side = WagerTakings(100, 50_000, 2_500 * 10_000, 20_000, 5_000)
    taken = TableTakings(
        "F", "T1", 100, 500_000, 0, 1_000, 2_500_000, {Wager.ANTE: ante, Wager.TRIPS_PLUS: side}
    )
    edges = {
        Wager.ANTE: (Fraction(1, 50), Fraction(16)),
        Wager.TRIPS_PLUS: (Fraction(1, 10), Fraction(9)),
    }
    found = describe_expectation(expected_win(taken, edges))
    # $300 won on Antes, less $150 paid on side wagers, $10 of corrections and $2.50 for the meter.
    assert found.taken.win == "137.50"
    assert found.expected == "67.5"  # 20 + 50 − 2.50
    assert found.standard_deviation == "427.2"  # √(16 × 10,000 + 9 × 2,500)
    assert float(found.low) == pytest.approx(67.5 - 1.96 * 427.2, abs=0.05)
    assert float(found.high) == pytest.approx(67.5 + 1.96 * 427.2, abs=0.05)
    assert found.within
    assert found.judged
    assert found.taken.hold is not None
    assert Fraction(found.taken.hold.exact) == Fraction(13_750, 500_000)


@pytest.mark.parametrize(("rounds", "judged"), [(1, False), (29, False), (30, True)])
def test_a_table_is_judged_by_its_band_after_enough_rounds(rounds: int, judged: bool) -> None:
    lost = WagerTakings(rounds, 1_000 * rounds, 1_000_000 * rounds, 10_000_000, 0)
    taken = TableTakings("F", "T1", rounds, 10_000_000, 0, 0, 0, {Wager.ANTE: lost})
    found = describe_expectation(expected_win(taken, {Wager.ANTE: (Fraction(1, 50), Fraction(16))}))
    assert (found.within, found.judged, found.judged_from) == (False, judged, 30)


@pytest.mark.slow
async def solved(at: Office, url: str) -> Any:
    """Ask again while the answer is `being_solved`, as it is on a busy machine."""
    async with asked_by(at, "Sue") as http, asyncio.timeout(300):
        while (answer := await http.get(url, timeout=60)).status_code == 503:
            assert answer.json()["error"]["code"] == "being_solved"
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_theory_of_a_table_is_exact(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        found = await solved(at, f"/api/tables/{TABLE}/theory")
        assert found["wagers"]["ante"]["house_edge"]["decimal"] == "0.0235842316"
        assert found["taken"]["rounds"] == 3
        await got(at, "Sue", "/api/tables/T9/theory", 404)
        await got(at, "Dee", f"/api/tables/{TABLE}/theory", 403)


async def test_a_floor_that_is_gone_is_named_in_the_books(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        with at.house.database.engine.begin() as connection:
            connection.execute(text("DELETE FROM floors"))
        books = await got(at, "Sue", "/api/books")
        assert not books["agree"]
        assert any(one.startswith(f"floor {TABLE} is gone: ") for one in books["differences"])


async def test_a_wrong_tray_is_found(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        database = at.house.database
        with database.engine.begin() as connection:
            change = "UPDATE takings SET net = net + 1 WHERE what = 'ante'"
            connection.execute(text(change))
        books = reconcile(database, {TABLE: at.host.journal})
        assert any("its tray gained" in one for one in books.differences)


async def test_r95_a_correction_for_a_player_who_left_goes_to_the_wallet(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        before = at.house.database.wallet("P6")
        correction = {
            "command": "CorrectPayout", "seat": 6, "amount": 700, "reason": "paid short",
            "dealer": "", "supervisor": "", "player": "P6", "round": 1,
        }  # fmt: skip
        answer = await at.ask("Dee", correction, ("Sue", PASSWORD))
        assert answer.type == "reply", answer
        assert at.house.database.wallet("P6") == before + 700
        books = reconcile(at.house.database, {TABLE: at.host.journal})
        assert [one for one in books.differences if not one.startswith("wallet ")] == []


# Exports.


async def test_a23_an_export_is_audited_as_a_file(tmp_path: Path) -> None:
    async with played(tmp_path) as at:
        url = f"/api/floors/{TABLE}/export"
        log = await got(at, "Art", url)
        head: Head = at.host.journal.head
        report = audit(log.splitlines(keepends=True), head)
        assert report.is_valid
        assert report.rounds == 3
        events = (await got(at, "Art", f"{url}?format=json")).splitlines()
        rows = list(csv.DictReader(io.StringIO(await got(at, "Art", f"{url}?format=csv"))))
        assert len(events) == len(rows) > 100
        notation = await got(at, "Art", f"{url}?format=notation")
        assert notation.count('# "T1", round') == 3
        await got(at, "Art", "/api/floors/nothing/export", 404)
        await got(at, "Art", f"{url}?format=xml", 400)


async def test_a14_an_export_has_no_card_of_an_open_round(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        script = scripted_commands()[1:]
        for asked in script:
            await at.host.submit(asked)
            table = at.host.journal.floor.tables[TABLE]
            if table.round is not None and table.round.phase is Phase.FLOP:
                break
        for format in ("log", "json", "csv", "notation"):
            exported = await got(at, "Art", f"/api/floors/{TABLE}/export?format={format}")
            assert "CardsDealt" not in exported
            assert "RoundOpened" not in exported
        assert isinstance(script[-1].command, Leave)


@pytest.mark.clause("WA App. D note 5 language")
async def test_wa_app_d_note_5_the_notice_stands_beside_the_prize_in_the_books(
    tmp_path: Path,
) -> None:
    bonus = opening("washington", jackpot_regime="bonus", meter_contribution="0")
    async with office(tmp_path, bonus) as at:
        (floor,) = (await got(at, "Art", "/api/books"))["floors"]
        (meter,) = floor["meters"].values()
        assert [notice.split(" are paid")[0] for notice in meter["notices"]] == [
            "Bonus Jackpot prizes"
        ]
