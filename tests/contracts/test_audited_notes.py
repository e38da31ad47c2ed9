"""The audit finds every projection row that does not follow from the log."""

import asyncio
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest
from sqlalchemy import text

from headsup.game.table.commands import PlayerAt
from headsup.game.table.seating import BuyIn
from headsup.game.table.state import ReportingThresholds
from headsup.house.audit.differences import Differences
from headsup.house.audit.floor import FloorAudit, audit_floor
from headsup.house.audit.house import find_orphans
from headsup.house.audit.house_log import audit_house_log
from headsup.house.house import House
from headsup.house.store import rebuild
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind, Projection
from headsup.house.store.rebuild import Rebuild
from headsup.house.store.settings import put_reporting_thresholds
from tests.support.cli.run import headsup
from tests.support.databases import DATABASES, postgres_database, sqlite_database
from tests.support.house.houses import FLOOR, all_done, opened, with_wallets
from tests.support.house.longhouse import DAYS, LongLog, keep, long_log, played
from tests.support.house.tampering import Changing, without_triggers
from tests.support.logs import open_table
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands


@pytest.fixture(scope="module", params=DATABASES)
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Shared by several tests; each restores what it changes."""
    if request.param == "sqlite":
        database = sqlite_database(tmp_path_factory.mktemp("house") / "house.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        database = postgres_database(server)
    keep(database, played())
    without_triggers(database)
    yield database
    database.close()


def audit_house(database: Database) -> FloorAudit:
    report = audit_floor(database, FLOOR)
    assert report.report.is_valid
    return report


def test_an_untouched_house_matches_its_log(house: Database) -> None:
    report = audit_house(house)
    assert (report.differences, report.remarks) == ((), ())
    assert list(find_orphans(house, {FLOOR})) == []
    kinds = {incident.kind.value for note in notes_of(played()) for incident in note.incidents}
    assert {"configuration", "override", "large_transaction", "adjustment"} <= kinds
    assert {move.reason for append in played().appends for move in append.moves} == {
        "buy_in",
        "cash_out",
        "correction",
    }


def notes_of(log: LongLog) -> list[Projection]:
    return [note for append in log.appends for note in append.projections]


BUY_IN = "person = 'P1' AND reason = 'buy_in'"
ANSWER = "command = 'command 3'"
OVERRIDE = "number = (SELECT min(number) FROM incidents WHERE kind = 'override')"
OPENED = "number = (SELECT min(number) FROM incidents WHERE kind = 'configuration' AND floor = 'F')"

TAKEN = f"day = '{DAYS[1]}' AND what = 'ante'"

# What is done, and the table and key of the row that the audit must name.
TAMPERED = {
    "a round starts at another entry": (
        """UPDATE rounds SET "index" = "index" + 1 WHERE number = 3""",
        "rounds, table T1 round 3 was altered: index is ",
    ),
    "a command led to another entry": (
        f'UPDATE answers SET "index" = 7 WHERE {ANSWER}',
        "answers, command 3 was altered: index is 7, should be 3",
    ),
    "a command may be sent again": (
        f"DELETE FROM answers WHERE {ANSWER}",
        "answers, command 3 is missing",
    ),
    "a command to come is answered already": (
        "INSERT INTO answers VALUES ('F', 'command 99999', 3)",
        "answers, command 99999 is not supported by the log",
    ),
    "the start of a round is gone": (
        "DELETE FROM rounds WHERE number = 1",
        "rounds, table T1 round 1 is missing",
    ),
    "a round starts that was never played": (
        "INSERT INTO rounds VALUES ('F', 'T1', 999, 12, '2026-01-31T12:00:00Z')",
        "rounds, table T1 round 999 is not supported by the log",
    ),
    "a round starts before the first": (
        "INSERT INTO rounds VALUES ('F', 'T1', 0, 12, '2026-01-31T12:00:00Z')",
        "rounds, table T1 round 0 is not supported",
    ),
    "a round starts at no table": (
        "INSERT INTO rounds VALUES ('F', 'T9', 1, 12, '2026-01-31T12:00:00Z')",
        "rounds, table T9 round 1 is not supported",
    ),
    "the end of a round has another sum": (
        "UPDATE rounds_ended SET net = net - 1 WHERE number = 70",
        "rounds_ended, table T1 round 70 was altered: net is ",
    ),
    "the end of a round is gone": (
        "DELETE FROM rounds_ended WHERE number = 70",
        "rounds_ended, table T1 round 70 is missing",
    ),
    "a round ends that was never played": (
        "INSERT INTO rounds_ended VALUES ('F', 'T1', 71, 12, 'now', '', 0, 0, 0, 0)",
        "rounds_ended, table T1 round 71 is not supported",
    ),
    "a hand is another player's": (
        "UPDATE hands SET player = 'P9' WHERE number = 5 AND seat = 4",
        "hands, table T1 round 5 seat 4 was altered: player is 'P9', should be 'P4'",
    ),
    "a hand is gone": (
        "DELETE FROM hands WHERE number = 6 AND seat = 1",
        "hands, table T1 round 6 seat 1 is missing",
    ),
    "a hand that nobody held": (
        "INSERT INTO hands VALUES ('F', 'T1', 6, 3, 'P3', 'now', 1, 1, 0, '', 'win')",
        "hands, table T1 round 6 seat 3 is not supported",
    ),
    "a day took less": (
        f"UPDATE takings SET amount = amount - 100 WHERE {TAKEN}",
        "takings, table T1 day 2026-02-01 ante was altered: amount is ",
    ),
    "a day took nothing": (
        f"DELETE FROM takings WHERE {TAKEN}",
        "takings, table T1 day 2026-02-01 ante is missing",
    ),
    "an earlier day took something": (
        "INSERT INTO takings VALUES ('F', 'T1', '2026-01-30', 'ante', 1, 1, 1, 1, 1, 1)",
        "takings, table T1 day 2026-01-30 ante is not supported",
    ),
    "a day to come took something": (
        "INSERT INTO takings VALUES ('F', 'T1', 'later', 'ante', 1, 1, 1, 1, 1, 1)",
        "takings, table T1 day later ante is not supported",
    ),
    "a day took under another heading": (
        f"INSERT INTO takings VALUES ('F', 'T1', '{DAYS[1]}', 'gifts', 1, 1, 1, 1, 1, 1)",
        "takings, table T1 day 2026-02-01 gifts is not supported",
    ),
    "an event says something else": (
        f"UPDATE incidents SET what = replace(what, 'Ann', 'Eve') WHERE {OVERRIDE}",
        "incidents, entry {override} part 0 was altered: what is ",
    ),
    "an event is gone": (
        f"DELETE FROM incidents WHERE {OVERRIDE}",
        "incidents, entry {override} part 0 is missing",
    ),
    "an event is of another kind": (
        f"UPDATE incidents SET kind = 'unavailable' WHERE {OVERRIDE}",
        "incidents, entry {override} part 0 was altered: kind is 'unavailable'",
    ),
    "an event belongs to another log": (
        f"UPDATE incidents SET log = 'G' WHERE {OPENED}",
        "incidents, entry 1 part 0 is missing",
    ),
    "an event that nothing caused": (
        """INSERT INTO incidents
        (at, kind, who, place, what, log, floor, "table", round, "index", part)
        VALUES ('now', 'jackpot', 'Eve', 'T1', '{}', 'F', 'F', 'T1', 0, 9, 7)""",
        "incidents, entry 9 part 7 is not supported",
    ),
    "an event of an entry to come": (
        """INSERT INTO incidents
        (at, kind, who, place, what, log, floor, "table", round, "index", part)
        VALUES ('now', 'jackpot', 'Eve', 'T1', '{}', 'F', 'F', 'T1', 0, 1000000, 0)""",
        "incidents, entry 1000000 part 0 is not supported",
    ),
    "a buy-in was of less": (
        f"UPDATE wallet_moves SET cents = cents + 1 WHERE {BUY_IN}",
        "wallet_moves, entry 3 part 0 was altered: cents is",
    ),
    "a buy-in was somebody else's": (
        f"UPDATE wallet_moves SET person = 'P4' WHERE {BUY_IN}",
        "wallet_moves, entry 3 part 0 was altered: person is 'P4', should be 'P1'",
    ),
    "a buy-in was later": (
        f"UPDATE wallet_moves SET at = '2026-02-01T12:00:00Z' WHERE {BUY_IN}",
        "wallet_moves, entry 3 part 0 was altered: at is '2026-02-01T12:00:00Z'",
    ),
    "a buy-in is gone": (
        f"DELETE FROM wallet_moves WHERE {BUY_IN}",
        "wallet_moves, entry 3 part 0 is missing",
    ),
    "a correction is gone": (
        "DELETE FROM wallet_moves WHERE reason = 'correction'",
        "wallet_moves, entry {correction} part 0 is missing",
    ),
    "a cash-out that never was": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", part, at, "table", "by")
        VALUES ('P1', 100, 'cash_out', 'F', 40, 5, 'now', 'T1', '')""",
        "wallet_moves, entry 40 part 5 is not supported",
    ),
    "a cash-out of an entry to come": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", part, at, "table", "by")
        VALUES ('P1', 100, 'cash_out', 'F', 1000000, 0, 'now', 'T1', '')""",
        "wallet_moves, entry 1000000 part 0 is not supported",
    ),
}


@pytest.mark.parametrize(("act", "expected"), TAMPERED.values(), ids=TAMPERED)
def test_every_row_that_differs_from_the_log_is_named(
    house: Database, act: str, expected: str
) -> None:
    with house.read_connection() as connection:
        override = connection.execute(text(f'SELECT "index" FROM incidents WHERE {OVERRIDE}'))
        correction = connection.execute(
            text("""SELECT "index" FROM wallet_moves WHERE reason = 'correction'""")
        )
        entries = {"override": override.scalar_one(), "correction": correction.scalar_one()}
    with Changing(house, act):
        (difference,) = audit_house(house).differences  # and no other row is reported
    assert difference.startswith(f"floor F, {expected.format(**entries)}"), difference
    assert audit_house(house).differences == ()


def test_a_command_that_a_forged_log_carries_out_twice_is_named(database: Database) -> None:
    """The key of the stored answers never lets a server do that."""
    log = LongLog()
    open_table(log, "galaxy", "T1", (1,))
    log.id = "command 1"
    for _ in range(2):
        log.do("T1", PlayerAt(1), BuyIn(1, 500))
    *before, last = log.appends
    (notes,) = last.projections
    log.appends = [*before, replace(last, projections=(replace(notes, answers=()),))]
    keep(database, log)
    (difference,) = audit_house(database).differences
    assert difference.startswith("floor F, answers, command 1 is missing")


@pytest.mark.parametrize("name", ["hands", "wallet_moves"])
def test_an_exact_copy_of_a_row_is_counted(database: Database, name: str) -> None:
    """It can be there only without the key, and a set of rows does not show it."""
    keep(database, long_log(rounds=2))
    with database.engine.begin() as connection:
        for statement in (
            f"ALTER TABLE {name} RENAME TO {name}_before",
            f"CREATE TABLE {name} AS SELECT * FROM {name}_before",
            f"INSERT INTO {name} SELECT * FROM {name}_before LIMIT 1",
        ):
            connection.execute(text(statement))
        stored = connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
    (difference,) = audit_house(database).differences
    assert difference == f"floor F, {name}: {stored} rows stored, {stored - 1} in the log"


def test_a_stray_row_of_an_earlier_day_leaves_the_row_of_today_as_it_is(house: Database) -> None:
    stray = "INSERT INTO takings VALUES ('F', 'T1', '2026-01-30', 'ante', 1, 1, 1, 1, 1, 1)"
    with Changing(house, stray):
        (difference,) = audit_house(house).differences
    assert "takings, table T1 day 2026-01-30 ante is not supported" in difference


@pytest.mark.parametrize(
    "table",
    ["answers", "rounds", "rounds_ended", "hands", "takings", "wallet_moves", "incidents"],
)
def test_notes_of_a_missing_floor_are_named(house: Database, table: str) -> None:
    moved = {
        "answers": ANSWER,
        "rounds": "number = 3",
        "rounds_ended": "number = 3",
        "hands": "number = 5 AND seat = 4",
        "takings": TAKEN,
        "wallet_moves": BUY_IN,
        "incidents": OVERRIDE,
    }
    log = "log" if table == "incidents" else "floor"
    with Changing(house, f"UPDATE {table} SET {log} = 'G' WHERE {moved[table]}"):
        (difference,) = find_orphans(house, {FLOOR})
    assert difference.startswith("floor G: 1 ")
    assert difference.endswith(" but no such floor exists")


def test_a_hundred_differences_are_named_and_the_others_counted(house: Database) -> None:
    with Changing(house), house.engine.begin() as connection:
        connection.execute(text("DELETE FROM hands"))
        connection.execute(text("DELETE FROM rounds"))
        connection.commit()
        differences = audit_house(house).differences
    assert len(differences) == 101
    assert differences[-1].startswith("floor F: ")
    assert differences[-1].endswith(" more rows do not match the log")


def test_rows_beside_a_log_that_does_not_hold_are_not_compared(house: Database) -> None:
    held = 'SELECT entry FROM entries WHERE "index" = 50'
    with house.engine.begin() as connection:
        before = connection.execute(text(held)).scalar_one()
        connection.execute(text("""UPDATE entries SET entry = '{}' WHERE "index" = 50"""))
    try:
        with Changing(house, "UPDATE takings SET floor = 'F2' WHERE what = 'buy_in'"):
            report = audit_floor(house, FLOOR)
    finally:
        with house.engine.begin() as connection:
            put = text("""UPDATE entries SET entry = :entry WHERE "index" = 50""")
            connection.execute(put, {"entry": before})
    assert report.report.finding is not None
    assert report.report.finding.index == 50
    assert not report.holds
    assert report.differences == ()
    assert report.remarks == (
        "floor F: its log does not hold, so the tables beside it were not read",
    )


# Reporting thresholds.

LOW = ReportingThresholds(win=100, wager=600, transaction=100)
WAGERED = "SELECT min(number) FROM incidents WHERE kind = 'large_wager'"


@pytest.fixture
def sensitive_house(database: Database) -> Database:
    """From the second day on, nearly every wager exceeds its threshold."""
    keep(database, long_log(rounds=6, second=LOW))
    without_triggers(database)
    return database


def test_large_amounts_are_judged_by_the_thresholds_of_their_time(
    sensitive_house: Database,
) -> None:
    assert audit_house(sensitive_house).differences == ()
    with Changing(sensitive_house, f"DELETE FROM incidents WHERE number = ({WAGERED})"):
        (difference,) = audit_house(sensitive_house).differences
    assert difference.startswith("floor F, incidents, entry ")
    assert "is missing" in difference


def test_thresholds_without_an_event_are_named(sensitive_house: Database) -> None:
    put_reporting_thresholds(sensitive_house.engine, LOW, "Ann", f"{DAYS[1]}T10:00:00Z")
    with sensitive_house.engine.begin() as connection:
        connection.execute(text("UPDATE settings SET value = replace(value, '600', '700')"))
    assert any(
        "the reporting thresholds differ" in difference
        for difference in find_orphans(sensitive_house, {FLOOR})
    )


def test_the_last_change_of_thresholds_is_found_however_its_json_is_spaced(
    sensitive_house: Database,
) -> None:
    put_reporting_thresholds(sensitive_house.engine, LOW, "Ann", f"{DAYS[1]}T10:00:00Z")
    change = (
        """UPDATE incidents SET what = replace(what, '": ', '":') WHERE what LIKE '%thresholds%'"""
    )
    with Changing(sensitive_house, change):
        assert list(find_orphans(sensitive_house, {FLOOR})) == []


async def test_new_thresholds_stand_in_the_log_before_the_next_decision(database: Database) -> None:
    with_wallets(database)
    script = scripted_commands()
    async with opened(database) as (house, host):
        await all_done(host, script[:3])
        await house.set_thresholds(LOW, "Ada / Sue")
        await all_done(host, script[3:6])
    async with opened(database) as (house, host):  # nothing changes at a restart
        await all_done(host, script[6:])
        assert host.journal.floor.tables["T1"].thresholds == LOW
    entries = [json.loads(entry) for _, entry in database.entry_texts(FLOOR)]
    changes = [
        (index, entry["by"], [event["event"] for event in entry["events"]])
        for index, entry in enumerate(entries[1:], 1)
        if "ThresholdsSet" in str(entry)
    ]
    assert changes == [(4, "house", ["ThresholdsSet"])]
    assert find_incidents(database, IncidentQuery(IncidentKind.LARGE_WAGER))
    assert audit_house(database).differences == ()


# Running houses, other clocks, long logs.


async def test_a_house_can_be_audited_while_it_plays(database: Database) -> None:
    with_wallets(database)
    audits = 0
    async with opened(database) as (_, host):
        playing = asyncio.create_task(all_done(host, scripted_commands(rounds=4)))
        while not playing.done():
            report = await asyncio.to_thread(audit_floor, database, FLOOR)
            assert report.holds, report
            assert await asyncio.to_thread(audit_chain_differences, database) == ()
            audits += 1
        await playing
    assert audits > 1
    assert audit_house(database).report.journal == host.journal


def audit_chain_differences(database: Database) -> tuple[str, ...]:
    return (*audit_house_log(database).differences, *find_orphans(database, {FLOOR}))


async def test_a_clock_that_was_set_back_is_not_a_difference(database: Database) -> None:
    """A wallet move has its entry's time; the log repeats the time before."""
    hours = chain(repeat(12, 20), repeat(11))

    def clock() -> str:
        return f"{DAYS[0]}T{next(hours)}:00:00Z"

    with_wallets(database)
    house = House(database, "one", clock)
    await house.start()
    host = await house.open_floor(FLOOR)
    assert host is not None
    await all_done(host, scripted_commands())
    await house.stop()
    assert audit_house(database).differences == ()


def peak_of_rebuild(database: Database, log: LongLog) -> int:
    """The peak memory of rebuilding and comparing, without the log itself."""
    differences = Differences(f"floor {FLOOR}")
    with database.consistent_connection() as connection:
        tracemalloc.start()
        rows = Rebuild(connection, FLOOR)
        for projection in notes_of(log):
            rows.add(projection)
        differences.compare_tables(rows)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert differences.sentences == ()
    return peak


@pytest.mark.slow
def test_an_audit_holds_little_of_a_long_log_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "PROJECTIONS_PER_BATCH", 50)
    peaks = []
    for rounds in (30, 240):
        database, log = sqlite_database(tmp_path / f"{rounds}.db"), long_log(rounds)
        keep(database, log)
        peak_of_rebuild(database, log)  # so that statements are compiled
        peaks.append(peak_of_rebuild(database, log))
        database.close()
    assert peaks[1] < peaks[0] * 2, peaks  # the log is eight times as long


# The command.


def test_the_command_names_differences_and_exits_with_1(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    keep(database, long_log(rounds=2))
    address = f"sqlite:///{tmp_path / 'house.db'}"
    done = headsup("audit", "--database", address, "--json")
    assert done.json["notes"] == {"differences": [], "remarks": []}
    output = headsup("audit", "--database", address).out
    assert "Rounds, hands, takings, moves and events agree with the logs." in output
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE hands SET net = 12345 WHERE number = 2 AND seat = 1"))
        connection.execute(text("UPDATE takings SET floor = 'G' WHERE what = 'round'"))
    database.close()
    done = headsup("audit", "--database", address)
    assert done.code == 1
    assert "floor F, hands, table T1 round 2 seat 1 was altered: net is 12345" in done.out
    assert "floor G: " in done.out
    assert "are what the logs give" not in done.out
    result = headsup("audit", "--database", address, "--json")
    assert result.code == 1
    assert not result.json["holds"]
    assert any(
        "hands, table T1 round 2 seat 1" in difference
        for difference in result.json["notes"]["differences"]
    )
