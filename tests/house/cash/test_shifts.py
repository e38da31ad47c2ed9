"""An evening at a table with real chips: slips, reports, books and audit, also after every kill."""

from pathlib import Path

import pytest

from headsup.game.round.commands import (
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
)
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.table.chips.felt import FeltSettings
from headsup.game.table.chips.held_awards import PayAward, PayWay, RefuseAward, VerifyAward
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
)
from headsup.game.table.commands import Command, Staff
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import DECK
from headsup.house.audit.house import audit_house
from headsup.house.cash.books import audit_books
from headsup.house.cash.gaming_days import GamingDay
from headsup.house.cash.shifts import ShiftLine, Span, report_lines, shift_lines
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import Slip, SlipKind
from headsup.house.store.wallets import read_slips
from tests.support.cli.run import headsup
from tests.support.databases import sqlite_database
from tests.support.house.houses import FLOOR, opened
from tests.support.scripted import ScriptRecorder
from tests.support.tables import opening, stakes

TWO = ("Dee", "Sue")
UTC = GamingDay("UTC")
EVENING: tuple[Command, ...] = (
    opening("galaxy", paytables={"progressive": "none"}, shuffle=ShuffleSource.ENTERED),
    OpenShift(2_000_000, TWO),
    SitGuest(1, "Tom"),
    BuyIn(1, 400_000),
    FillTray(500_000, TWO),
    OpenRound(),
    PlaceBets(1, stakes()),
    CloseBets(),
    DealCards(DECK),
    TimeOut(1, None),
    Proceed(),
    TimeOut(1, None),
    Proceed(),
    Fold(1),
    Proceed(),
    Proceed(),
    Proceed(),
    Proceed(),
    BuyIn(1, 330_000),
    CorrectPayout(1, -213_000, "recount", "Dee", "Sue"),
    PullBox(TWO),
    CreditTray(0, TWO, {500: 10}),
    CloseShift(1_977_500, TWO),
    CountBox(3, 730_000, ("Sue", "Sam")),
    OpenShift(1_977_400, TWO),
)


async def submit(host: FloorHost, number: int, command: Command) -> None:
    request = CommandRequest(f"evening-{number}", "T1", Staff("Dee / Sue"), command)
    reply = await host.submit(request)
    assert isinstance(reply, Acceptance), (command, reply)


def lines(database: Database, span: Span, day: GamingDay = UTC, **days: str) -> list[ShiftLine]:
    with database.read_connection() as connection:
        return shift_lines(read_slips(connection), span, day, **days)


async def test_a1_killed_at_every_commit_of_an_evening_nothing_is_lost(database: Database) -> None:
    for number, command in enumerate(EVENING):
        async with opened(database) as (_, host):
            await submit(host, number, command)
        async with opened(database) as (house, host):  # the same id again changes nothing
            await submit(host, number, command)
            table = host.journal.floor.tables["T1"]
            assert table.round is None or table.round.phase in (*STREET_BY_PHASE, *Phase)
            books = audit_books(database, {FLOOR: host.journal})
            assert books.differences == (), command
    assert house is not None
    audit = audit_house(database, {})
    assert audit.differences == ()
    assert audit.books.differences == ()
    first, second = lines(database, Span.SHIFT)
    assert (first.opening, first.fills, first.credits, first.drop) == (
        2_000_000,
        500_000,
        5_000,
        730_000,
    )
    assert first.recorded == 215_000
    assert (first.win, first.variance) == (212_500, -2_500)
    assert first.hold is not None
    assert f"{float(first.hold):.1%}" == "29.1%"
    assert (second.open, second.opening, second.opening_variance) == (True, 1_977_400, -100)
    assert [slip.kind for _, slip in read(database)] == [
        SlipKind.OPENING,
        SlipKind.FILL,
        SlipKind.BOX,
        SlipKind.CREDIT,
        SlipKind.CLOSING,
        SlipKind.BOX_COUNT,
        SlipKind.OPENING,
    ]


def read(database: Database) -> list[tuple[str, Slip]]:
    with database.read_connection() as connection:
        return read_slips(connection)


@pytest.mark.parametrize(
    ("at", "zone", "hour", "day"),
    [
        ("2026-02-01T05:59:59Z", "UTC", 6, "2026-01-31"),
        ("2026-02-01T06:00:00Z", "UTC", 6, "2026-02-01"),
        ("2026-02-01T04:59:59Z", "America/New_York", 0, "2026-01-31"),
        ("2026-03-29T03:59:00Z", "Europe/Berlin", 6, "2026-03-28"),  # the clocks went forward
        ("2026-03-29T04:00:00Z", "Europe/Berlin", 6, "2026-03-29"),
    ],
)
def test_r110_a_gaming_day_begins_at_the_houses_hour(
    at: str, zone: str, hour: int, day: str
) -> None:
    assert GamingDay(zone, hour).day_of(at) == day


def award_evening() -> list[CommandRequest]:
    """A guest wins two held awards: one is verified and paid from the tray, one is refused."""
    play = ScriptRecorder()
    play.does(opening("galaxy", shuffle=ShuffleSource.ENTERED), SitGuest(1, "Tom"))
    play.does(SetFelt(FeltSettings(True, 100_000), TWO), OpenShift(5_000_000, TWO))
    for last in (VerifyAward(1, TWO), RefuseAward(2, "marked card", TWO)):
        play.bets({1: stakes(progressive=100)})
        play.deals({1: "AsKs"}, board="QsJsTs4d2c", dealer="9h9c")
        play.does(Raise(1, 3))
        play.reaches(Phase.SETTLED)
        play.does(last, Proceed())
    play.does(PayAward(1, PayWay.TRAY, TWO), CloseShift(3_000_000, TWO))
    return play.requests


async def test_a1_killed_at_every_commit_of_held_awards_nothing_is_lost(
    database: Database,
) -> None:
    for request in award_evening():
        async with opened(database) as (_, host):
            reply = await host.submit(request)
            assert isinstance(reply, Acceptance), (request.command, reply)
        async with opened(database) as (_, host):
            assert await host.submit(request) == reply
            floor = host.journal.floor
            assert audit_books(database, {FLOOR: host.journal}).differences == ()
    (meter,) = floor.meters.values()
    assert meter.pool == 10_000_000_000 + 250_000
    assert meter.pending == ()
    audit = audit_house(database, {})
    assert audit.differences == ()
    assert [slip.kind for _, slip in read(database)] == [
        SlipKind.OPENING,
        SlipKind.AWARD,
        SlipKind.CLOSING,
    ]
    (line,) = lines(database, Span.SHIFT)
    assert line.credits == 1_000_025


async def test_reports_add_up_by_day_month_and_year(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    async with opened(database) as (_, host):
        for number, command in enumerate(EVENING):
            await submit(host, number, command)
        await submit(host, 100, CloseShift(1_977_400, TWO))
    for span, name in ((Span.DAY, "2026-01-31"), (Span.MONTH, "2026-01"), (Span.YEAR, "2026")):
        (line,) = lines(database, span)
        assert (line.span, line.shifts, line.win, line.variance) == (name, 2, 212_500, -2_500)
        assert line.opening_variance == -100
    (line,) = lines(database, Span.DAY, GamingDay("Pacific/Kiritimati"))
    assert line.span == "2026-02-01"
    assert lines(database, Span.DAY, since="2026-02-01") == []
    assert lines(database, Span.DAY, until="2026-01-31") == []
    found = headsup("shifts", "--database", f"sqlite:///{tmp_path / 'house.db'}", "--by", "day")
    assert found.code == 0, found.err
    assert found.out.splitlines()[1].split() == [
        *("T1", "2026-01-31", "39774.00", "5000.00", "50.00", "7300.00", "39549.00"),
        *("2125.00", "-25.00", "29.1%"),
    ]
    as_csv = list(report_lines(lines(database, Span.YEAR), as_csv=True))
    assert as_csv[1].startswith("F,T1,2026,2,False,39774.00,")
    database.close()
