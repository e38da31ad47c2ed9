"""What stands beside the logs is what the logs give: an auditor names every row that is not."""

import asyncio
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest
from sqlalchemy import text

from headsup.house.audit.differences import Differences
from headsup.house.audit.floor import FloorAudit, audit_floor
from headsup.house.audit.house_chain import audit_house_chain
from headsup.house.audit.incidents import IncidentsAudit
from headsup.house.audit.orphans import find_orphans
from headsup.house.audit.rounds import RoundsAudit
from headsup.house.audit.takings import TakingsAudit
from headsup.house.audit.wallet_moves import WalletMovesAudit
from headsup.house.cash.thresholds import ReportingThresholds
from headsup.house.house import House
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import Projection
from headsup.house.store.protocol import Append
from headsup.house.store.settings import put_reporting_thresholds
from tests.cli.run import headsup
from tests.databases import in_a_file, on_a_server
from tests.house.houses import FLOOR, all_done, opened, with_wallets
from tests.house.longhouse import DAYS, LongLog, keep, long_log, played
from tests.house.tampering import Changing, without_triggers
from tests.postgres import Server
from tests.scripted import evening


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Whoever changes something puts it back."""
    if request.param == "sqlite":
        database = in_a_file(tmp_path_factory.mktemp("house") / "house.db")
    else:
        server: Server = request.getfixturevalue("postgres")
        database = on_a_server(server)
    keep(database, played())
    without_triggers(database)
    yield database
    database.close()


def audited(database: Database) -> FloorAudit:
    found = audit_floor(database, FLOOR)
    assert found.report.holds
    return found


def test_an_untouched_house_is_what_its_log_gives(house: Database) -> None:
    found = audited(house)
    assert (found.differences, found.remarks) == ((), ())
    assert list(find_orphans(house, {FLOOR})) == []
    kinds = {one.kind.value for note in notes_of(played()) for one in note.incidents}
    assert {"configuration", "override", "large_transaction", "adjustment"} <= kinds
    assert any(note.blocks for note in notes_of(played()))
    assert {move.reason for append in played().appends for move in append.moves} == {
        "buy_in",
        "cash_out",
        "correction",
    }


def notes_of(log: LongLog) -> list[Projection]:
    return [note for append in log.appends for note in append.notes]


BUY_IN = "person = 'P1' AND reason = 'buy_in'"
OVERRIDE = "number = (SELECT min(number) FROM incidents WHERE kind = 'override')"
OPENED = "number = (SELECT min(number) FROM incidents WHERE kind = 'configuration' AND floor = 'F')"
BLOCK = "height = 6 AND place = 0"
TAKEN = f"day = '{DAYS[1]}' AND what = 'ante'"

TAMPERED = {
    "the beginning of a round is another entry": (
        """UPDATE rounds SET "index" = "index" + 1 WHERE number = 3""",
        "floor F, table T1: the beginning of round 3 was altered: index is ",
    ),
    "the beginning of a round is gone": (
        "DELETE FROM rounds WHERE number = 1",
        "floor F, table T1: the beginning of round 1 is not there",
    ),
    "a round begins that never did": (
        "INSERT INTO rounds VALUES ('F', 'T1', 999, 12, '2026-01-31T12:00:00Z')",
        "floor F, table T1: the beginning of round 999 is there, and the log does not give it",
    ),
    "a round begins before the first": (
        "INSERT INTO rounds VALUES ('F', 'T1', 0, 12, '2026-01-31T12:00:00Z')",
        "floor F, table T1: the beginning of round 0 is there",
    ),
    "a round begins at a table that is none": (
        "INSERT INTO rounds VALUES ('F', 'T9', 1, 12, '2026-01-31T12:00:00Z')",
        "floor F, table T9: the beginning of round 1 is there",
    ),
    "the end of a round has another sum": (
        "UPDATE rounds_ended SET net = net - 1 WHERE number = 70",
        "floor F, table T1: the end of round 70 was altered: net is ",
    ),
    "the end of a round is gone": (
        "DELETE FROM rounds_ended WHERE number = 70",
        "floor F, table T1: the end of round 70 is not there",
    ),
    "a round ends that never began": (
        "INSERT INTO rounds_ended VALUES ('F', 'T1', 71, 12, 'now', '', 0, 0, 0, 0)",
        "floor F, table T1: the end of round 71 is there",
    ),
    "a hand was another player's": (
        "UPDATE hands SET player = 'P9' WHERE number = 5 AND seat = 4",
        "floor F, table T1: the hand of seat 4 in round 5 was altered: player is 'P9' and not 'P4'",
    ),
    "a hand is gone": (
        "DELETE FROM hands WHERE number = 6 AND seat = 1",
        "floor F, table T1: the hand of seat 1 in round 6 is not there",
    ),
    "a hand that nobody held": (
        "INSERT INTO hands VALUES ('F', 'T1', 6, 3, 'P3', 'now', 1, 1, 0, '', 'win')",
        "floor F, table T1: the hand of seat 3 in round 6 is there",
    ),
    "a day took less": (
        f"UPDATE takings SET amount = amount - 100 WHERE {TAKEN}",
        "floor F, table T1: what it took on 2026-02-01 under ante was altered: amount is ",
    ),
    "a day took nothing": (
        f"DELETE FROM takings WHERE {TAKEN}",
        "floor F, table T1: what it took on 2026-02-01 under ante is not there",
    ),
    "a day between took something": (
        "INSERT INTO takings VALUES ('F', 'T1', '2026-01-30', 'ante', 1, 1, 1, 1, 1)",
        "floor F, table T1: what it took on 2026-01-30 under ante is there",
    ),
    "a day to come took something": (
        "INSERT INTO takings VALUES ('F', 'T1', 'later', 'ante', 1, 1, 1, 1, 1)",
        "floor F, table T1: what it took on later under ante is there",
    ),
    "a day took under another heading": (
        f"INSERT INTO takings VALUES ('F', 'T1', '{DAYS[1]}', 'gifts', 1, 1, 1, 1, 1)",
        "floor F, table T1: what it took on 2026-02-01 under gifts is there",
    ),
    "a hash of a past is another": (
        f"UPDATE past_blocks SET hash = 'other' WHERE {BLOCK}",
        "floor F, table T1: hash 0 of height 6 of its past was altered: hash is 'other' and not",
    ),
    "a hash of a past that is not played yet": (
        "INSERT INTO past_blocks VALUES ('F', 'T1', 6, 1, 128, 'other')",
        "floor F, table T1: hash 1 of height 6 of its past is there",
    ),
    "an event of a decision tells something else": (
        f"UPDATE incidents SET what = replace(what, 'Ann', 'Eve') WHERE {OVERRIDE}",
        "the event override of entry ",
    ),
    "an event of a decision is gone": (
        f"DELETE FROM incidents WHERE {OVERRIDE}",
        "the event override of entry ",
    ),
    "an event of a decision is of another kind": (
        f"UPDATE incidents SET kind = 'unavailable' WHERE {OVERRIDE}",
        "the event unavailable of entry ",
    ),
    "an event of a decision is of none any more": (
        f'UPDATE incidents SET "index" = 0 WHERE {OPENED}',
        "floor F, table T1: the event configuration of entry 1 is not there",
    ),
    "an event of a decision that was none": (
        """INSERT INTO incidents (at, kind, who, place, what, floor, "table", round, "index")
        VALUES ('now', 'jackpot', 'Eve', 'T1', '{}', 'F', 'T1', 0, 9)""",
        "floor F, table T1: the event jackpot of entry 9 is there",
    ),
    "an event of an entry to come": (
        """INSERT INTO incidents (at, kind, who, place, what, floor, "table", round, "index")
        VALUES ('now', 'jackpot', 'Eve', 'T1', '{}', 'F', 'T1', 0, 1000000)""",
        "floor F, table T1: the event jackpot of entry 1000000 is there",
    ),
    "a buy-in was of less": (
        f"UPDATE wallet_moves SET cents = cents + 1 WHERE {BUY_IN}",
        "floor F, table T1: buy_in of P1, -1000000.00 with entry 3, was altered: cents is",
    ),
    "a buy-in was somebody else's": (
        f"UPDATE wallet_moves SET person = 'P4' WHERE {BUY_IN}",
        "floor F, table T1: buy_in of P1, -1000000.00 with entry 3, was altered: person is 'P4'",
    ),
    "a buy-in was later": (
        f"UPDATE wallet_moves SET at = '2026-02-01T12:00:00Z' WHERE {BUY_IN}",
        "with entry 3, was altered: at is '2026-02-01T12:00:00Z'",
    ),
    "a buy-in is gone": (
        f"DELETE FROM wallet_moves WHERE {BUY_IN}",
        "floor F, table T1: buy_in of P1, -1000000.00 with entry 3, is not there",
    ),
    "a correction is gone": (
        "DELETE FROM wallet_moves WHERE reason = 'correction'",
        "floor F, table T1: correction of P4, 5.00 with entry ",
    ),
    "a cash-out that never was": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", at, "table", "by")
        VALUES ('P1', 100, 'cash_out', 'F', 40, 'now', 'T1', '')""",
        "floor F, table T1: cash_out of P1, 1.00 with entry 40, is there",
    ),
    "a cash-out of an entry to come": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", at, "table", "by")
        VALUES ('P1', 100, 'cash_out', 'F', 1000000, 'now', 'T1', '')""",
        "floor F, table T1: cash_out of P1, 1.00 with entry 1000000, is there",
    ),
}


@pytest.mark.parametrize(("act", "said"), TAMPERED.values(), ids=TAMPERED)
def test_every_row_that_is_not_what_the_log_gives_is_named(
    house: Database, act: str, said: str
) -> None:
    with Changing(house, act):
        found = audited(house).differences
    assert any(said in one for one in found), found
    assert len(found) <= 2  # and no other row with it
    assert audited(house).differences == ()


def test_a_hash_of_a_past_that_is_gone_is_a_remark(house: Database) -> None:
    """It is made anew: an older server that plays beside a newer one keeps none."""
    with Changing(house, f"DELETE FROM past_blocks WHERE {BLOCK}"):
        found = audited(house)
    assert found.differences == ()
    assert "1 hash of the past of table T1 not kept" in found.remarks[0]


@pytest.mark.parametrize(
    "table", ["rounds", "rounds_ended", "hands", "takings", "past_blocks", "incidents"]
)
def test_notes_of_a_floor_that_there_is_none_of_are_named(house: Database, table: str) -> None:
    moved = {
        "rounds": "number = 3",
        "rounds_ended": "number = 3",
        "hands": "number = 5 AND seat = 4",
        "takings": TAKEN,
        "past_blocks": BLOCK,
        "incidents": OVERRIDE,
    }
    with Changing(house, f"UPDATE {table} SET floor = 'G' WHERE {moved[table]}"):
        (said,) = find_orphans(house, {FLOOR})
    assert said.startswith("floor G: 1 ")
    assert said.endswith(" there, and there is no such floor")


def test_of_thousands_of_rows_a_hundred_are_named_and_the_others_counted(house: Database) -> None:
    with Changing(house), house.engine.begin() as connection:
        connection.execute(text("DELETE FROM hands"))
        connection.execute(text("DELETE FROM rounds"))
        connection.commit()
        found = audited(house).differences
    assert len(found) == 101
    assert found[-1].startswith("floor F: ")
    assert found[-1].endswith(" more rows not as the log gives them")


def test_notes_are_compared_as_far_as_the_log_holds(house: Database) -> None:
    held = 'SELECT entry FROM entries WHERE "index" = 50'
    with house.engine.begin() as connection:
        before = connection.execute(text(held)).scalar_one()
        connection.execute(text("""UPDATE entries SET entry = '{}' WHERE "index" = 50"""))
    try:
        with Changing(house, "UPDATE takings SET floor = 'F2' WHERE what = 'buy_in'"):
            found = audit_floor(house, FLOOR)
    finally:
        with house.engine.begin() as connection:
            put = text("""UPDATE entries SET entry = :entry WHERE "index" = 50""")
            connection.execute(put, {"entry": before})
    assert found.report.finding is not None
    assert found.report.finding.index == 50
    assert not found.holds
    assert found.differences == ()


# Which amounts were large.

LOW = ReportingThresholds(win=100, wager=600, transaction=100)
WAGERED = "SELECT min(number) FROM incidents WHERE kind = 'large_wager'"


@pytest.fixture
def lowered(database: Database) -> Database:
    """From the second day on nearly every wager is large."""
    keep(database, long_log(rounds=6, second=LOW))
    without_triggers(database)
    return database


def test_what_is_large_is_judged_by_what_counted_then(lowered: Database) -> None:
    put_reporting_thresholds(lowered.engine, LOW, "Ann", f"{DAYS[1]}T10:00:00.123456Z")
    assert audited(lowered).differences == ()
    assert list(find_orphans(lowered, {FLOOR})) == []
    with Changing(lowered, f"DELETE FROM incidents WHERE number = ({WAGERED})"):
        (found,) = audited(lowered).differences
    assert "the event large_wager of entry " in found
    assert "is not there" in found


def test_events_for_which_nothing_counted_as_large_are_named(lowered: Database) -> None:
    found = audited(lowered).differences
    assert found
    assert all("the event large_w" in one and "is there" in one for one in found)


def test_within_an_hour_of_a_change_what_is_large_by_one_may_be_there_or_not(
    lowered: Database,
) -> None:
    put_reporting_thresholds(lowered.engine, LOW, "Ann", f"{DAYS[1]}T12:30:00Z")
    assert audited(lowered).differences == ()
    with Changing(lowered, f"DELETE FROM incidents WHERE number = ({WAGERED})"):
        assert audited(lowered).differences == ()
    told = f"UPDATE incidents SET what = replace(what, 'seat', 'chair') WHERE number = ({WAGERED})"
    with Changing(lowered, told):
        (found,) = audited(lowered).differences
    assert "the event large_wager of entry " in found


def test_thresholds_that_no_event_tells_of_are_named(lowered: Database) -> None:
    put_reporting_thresholds(lowered.engine, LOW, "Ann", f"{DAYS[1]}T10:00:00Z")
    with lowered.engine.begin() as connection:
        connection.execute(text("UPDATE settings SET value = replace(value, '600', '700')"))
    assert any(
        "which amounts are large is set otherwise" in one for one in find_orphans(lowered, {FLOOR})
    )


# Older servers, other clocks, long logs.


def test_a_move_of_an_older_server_stands_with_the_first_that_was_decided_with_it(
    database: Database,
) -> None:
    log = played()
    appends = [
        replace(one, moves=tuple(replace(move, index=0) for move in one.moves))
        for one in log.appends
    ]
    keep(database, replace_appends(log, appends))
    assert audited(database).differences == ()
    without_triggers(database)
    with Changing(database, f"DELETE FROM wallet_moves WHERE {BUY_IN}"):
        (found,) = audited(database).differences
    assert "buy_in of P1, -1000000.00 with entry 3, is not there" in found


def replace_appends(log: LongLog, appends: list[Append]) -> LongLog:
    other = LongLog()
    other.journal, other.appends = log.journal, appends
    return other


async def test_a_house_is_audited_while_it_plays(database: Database) -> None:
    with_wallets(database)
    audits = 0
    async with opened(database) as (_, host):
        playing = asyncio.create_task(all_done(host, evening(rounds=4)))
        while not playing.done():
            found = await asyncio.to_thread(audit_floor, database, FLOOR)
            assert found.holds, found
            assert await asyncio.to_thread(audit_chain_differences, database) == ()
            audits += 1
        await playing
    assert audits > 1
    assert audited(database).report.journal == host.journal


def audit_chain_differences(database: Database) -> tuple[str, ...]:
    return (*audit_house_chain(database).differences, *find_orphans(database, {FLOOR}))


async def test_a_clock_that_was_put_back_is_no_difference(database: Database) -> None:
    """A move has the clock's time, the log the one before again."""
    hours = chain(repeat(12, 20), repeat(11))

    def clock() -> str:
        return f"{DAYS[0]}T{next(hours)}:00:00Z"

    with_wallets(database)
    house = House(database, "one", clock)
    await house.start()
    host = await house.open_floor(FLOOR)
    assert host is not None
    await all_done(host, evening())
    await house.stop()
    assert audited(database).differences == ()


def peak_of_audit(database: Database, log: LongLog) -> int:
    """The most bytes held by what compares notes; the log itself is another's."""
    differences = Differences(f"floor {FLOOR}")
    with database.at_one_moment() as connection:
        place = connection, FLOOR, differences
        tracemalloc.start()
        rounds, takings = RoundsAudit(*place), TakingsAudit(*place)
        incidents, moves = IncidentsAudit(*place), WalletMovesAudit(*place)
        for append in log.appends:
            (note,) = append.notes
            index = append.links[-1].index
            rounds.take(note)
            takings.take(note.takings)
            incidents.take(index, note.incidents, lambda: ())
            moves.take(index, append.at, append.moves)
        for one in (rounds, takings, incidents, moves):
            one.finish()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert differences.sentences == ()
    return peak


def test_an_audit_holds_little_of_a_long_log_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headsup.house.audit.rounds.ROWS_PER_BATCH", 20)
    peaks = []
    for rounds in (30, 240):
        database, log = in_a_file(tmp_path / f"{rounds}.db"), long_log(rounds)
        keep(database, log)
        peak_of_audit(database, log)  # statements are made once
        peaks.append(peak_of_audit(database, log))
        database.close()
    assert peaks[1] < peaks[0] * 2, peaks  # of a log eight times as long


# The command.


def test_the_command_names_what_differs_and_ends_with_1(tmp_path: Path) -> None:
    database = in_a_file(tmp_path / "house.db")
    keep(database, long_log(rounds=2))
    without_triggers(database)
    address = f"sqlite:///{tmp_path / 'house.db'}"
    done = headsup("audit", "--database", address, "--json")
    assert done.json["notes"] == {"differences": [], "remarks": []}
    said = headsup("audit", "--database", address).out
    assert "Rounds, hands, takings, moves and events are what the logs give." in said
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE hands SET net = 12345 WHERE number = 2 AND seat = 1"))
        connection.execute(text("UPDATE takings SET floor = 'G' WHERE what = 'round'"))
    database.close()
    done = headsup("audit", "--database", address)
    assert done.code == 1
    assert "floor F, table T1: the hand of seat 1 in round 2 was altered: net is 12345" in done.out
    assert "floor G: " in done.out
    assert "are what the logs give" not in done.out
    told = headsup("audit", "--database", address, "--json")
    assert told.code == 1
    assert not told.json["holds"]
    assert any("the hand of seat 1 in round 2" in one for one in told.json["notes"]["differences"])
