"""Records of a house: audited, exported, anchored, backed up and restored."""

import asyncio
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text, update

from headsup.game.record.chain import GENESIS, Head, Link, make_link_from_text
from headsup.game.record.journal import Journal
from headsup.game.refusal import Refused
from headsup.game.table.state import DealingMode, ReportingThresholds
from headsup.house.audit.floor import audit_floor
from headsup.house.cash.books import reconcile
from headsup.house.floor.host import Acceptance
from headsup.house.history.exports import csv_row
from headsup.house.integrity.backup import copy_database
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import FLOORS
from headsup.house.store.settings import unmark_restored
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.databases import sqlite_database
from tests.support.house.houses import FLOOR, NOON, all_done, decided, opened, wallets, with_wallets
from tests.support.house.tampering import put_back_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import CHIPS, SEATS, scripted_commands

SCRIPT = scripted_commands(rounds=2)
RECORDS = ("entries", "wallet_moves", "rounds", "rounds_ended", "hands", "incidents")


@dataclass
class StoredHouse:
    """A house that was open for an evening: its database, its anchors and the end of its log."""

    file: Path
    anchors: Path
    journal: Journal

    @property
    def address(self) -> str:
        return f"sqlite:///{self.file}"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def evening_house(tmp_path_factory: pytest.TempPathFactory) -> StoredHouse:
    folder = tmp_path_factory.mktemp("evening")
    file, anchors = folder / "house.db", folder / "anchors.jsonl"
    database = sqlite_database(file)
    with_wallets(database)
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[:30])
        await house.anchor()
        await all_done(host, SCRIPT[30:])
        journal = host.journal
    database.close()  # the last to go writes all of it into the one file
    return StoredHouse(file, anchors, journal)


@pytest.fixture
def house_copy(evening_house: StoredHouse, tmp_path: Path) -> StoredHouse:
    """A copy that a test may change."""
    file = shutil.copy(evening_house.file, tmp_path)
    anchors = shutil.copy(evening_house.anchors, tmp_path)
    return StoredHouse(Path(file), Path(anchors), evening_house.journal)


def anchors_of(house_copy: StoredHouse, floor: str) -> list[dict[str, Any]]:
    anchors = [json.loads(line) for line in house_copy.anchors.read_text().splitlines()]
    return [anchor for anchor in anchors if anchor["floor"] == floor]


def change_database(house_copy: StoredHouse, *statements: str) -> None:
    """Change the database with SQL, behind the program's back."""
    database = Database(house_copy.address)
    with database.engine.begin() as connection:
        for name in RECORDS:
            for act in ("update", "delete"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS {name}_no_{act}"))
        for statement in statements:
            connection.execute(text(statement))
        put_back_triggers(connection)
    database.close()


def rewrite_log(house_copy: StoredHouse) -> None:
    """Replace the whole log by another possible one with a valid chain."""
    database = Database(house_copy.address)
    links: list[Link] = []
    head = Head()
    for _, entry_text in database.entry_texts(FLOOR):
        links.append(make_link_from_text(head, entry_text.replace("T12:00:00Z", "T13:00:00Z")))
        head = links[-1].head
    database.close()
    rows = [
        f"""UPDATE entries SET hash = '{link.hash}', entry = replace(entry, 'T12:', 'T13:')
            WHERE "index" = {link.index} AND floor = 'F' """
        for link in links
    ]
    beside = ("rounds", "rounds_ended", "hands", "incidents", "wallet_moves")
    rows += [
        f"""UPDATE {name} SET at = replace(at, 'T12:', 'T13:') WHERE floor = 'F' """
        for name in beside
    ]
    change_database(house_copy, *rows, f"UPDATE floors SET hash = '{head.hash}' WHERE id = 'F'")


# Audit.


def test_a_house_is_audited_in_its_database(house_copy: StoredHouse) -> None:
    done = headsup("audit", "--database", house_copy.address)
    assert (done.code, done.err) == (0, "")
    for line in (
        "Floor F",
        "The log is intact.",
        "3 rounds, 1 table",
        "Wallets, floors and meters",
    ):
        assert line in done.out
    assert "Without an anchor" in done.out
    anchored = headsup("audit", "--database", house_copy.address, "--anchors", house_copy.anchors)
    assert anchored.code == 0
    assert "Without an anchor" not in anchored.out
    for floor in (FLOOR, ""):  # the house's own log names none
        count = len({anchor["count"] for anchor in anchors_of(house_copy, floor)})
        assert f"\n{count} of {count} anchor" in anchored.out
    assert re.search(
        r"Significant events\n.*  staff override +1  last 2026-01-31", anchored.out, re.DOTALL
    )


def test_an_audit_of_a_house_as_json(house_copy: StoredHouse) -> None:
    report = headsup("audit", "--database", house_copy.address, "--floor", FLOOR, "--json").json
    assert report["holds"]
    assert report["floors"][FLOOR]["entries"] == house_copy.journal.head.count
    assert not report["floors"][FLOOR]["anchored"]
    assert report["books"] == {
        "paid_in": "12000.00",
        "in_wallets": report["books"]["in_wallets"],
        "on_floors": report["books"]["on_floors"],
        "differences": [],
        "remarks": [],
    }
    inside = float(report["books"]["in_wallets"]) + float(report["books"]["on_floors"])
    assert inside == 12000
    assert set(report["events"]) == {kind.value for kind in IncidentKind}
    assert report["events"]["data_loss"] == {"count": 0, "last": None}
    assert report["events"]["configuration"]["count"] >= 2  # the program, and a table that opened
    assert report["events"]["override"] == {"count": 1, "last": NOON}


def test_a_changed_entry_is_reported(house_copy: StoredHouse) -> None:
    change_database(
        house_copy, """UPDATE entries SET entry = replace(entry, 'P2', 'P7') WHERE "index" = 4"""
    )
    done = headsup("audit", "--database", house_copy.address)
    assert done.code == 1
    assert "The log is broken at entry 4." in done.out


def test_the_floors_row_reveals_a_truncated_log(house_copy: StoredHouse) -> None:
    change_database(house_copy, """DELETE FROM entries WHERE "index" >= 50""")
    answer = headsup("audit", "--database", house_copy.address, "--json")
    assert answer.code == 1
    assert answer.json["floors"][FLOOR]["difference"]["fault"] == "truncated"


def test_anchors_reveal_a_rewritten_database(house_copy: StoredHouse) -> None:
    rewrite_log(house_copy)
    assert headsup("audit", "--database", house_copy.address).code == 0
    answer = headsup(
        "audit", "--database", house_copy.address, "--anchors", house_copy.anchors, "--json"
    )
    assert answer.code == 1
    floor = answer.json["floors"][FLOOR]
    difference = floor["difference"]
    assert (difference["fault"], difference["entry"]) == ("anchor", 30)
    assert floor["anchors"]["met"] < floor["anchors"]["kept"]


def test_a_missing_floor_that_was_anchored_is_reported(house_copy: StoredHouse) -> None:
    change_database(
        house_copy, "DELETE FROM entries", "DELETE FROM floors", "DELETE FROM wallet_moves"
    )
    answer = headsup(
        "audit", "--database", house_copy.address, "--anchors", house_copy.anchors, "--json"
    )
    assert answer.code == 1
    assert answer.json["floors"][FLOOR]["difference"]["fault"] == "floor"


GONE = {
    "its row": ("DELETE FROM floors WHERE id = 'F'",),
    "its row and its log": ("DELETE FROM floors WHERE id = 'F'", "DELETE FROM entries"),
}


@pytest.mark.parametrize("acts", GONE.values(), ids=GONE)
def test_the_money_of_a_missing_floor_is_reported(
    house_copy: StoredHouse, acts: tuple[str, ...]
) -> None:
    change_database(house_copy, *acts)
    bought = 12000 - float(books_of(house_copy)["in_wallets"])
    for words in ((), ("--anchors", house_copy.anchors), ("--floor", FLOOR)):
        done = headsup("audit", "--database", house_copy.address, *words)
        assert done.code == 1
        assert "is broken" in done.out
        assert f"floor F is gone: {bought:.2f} was bought in there" in done.out
        assert "Wallets, floors and meters agree" not in done.out
    assert not books_of(house_copy, "--floor", FLOOR)["remarks"]


def books_of(house_copy: StoredHouse, *words: str) -> dict[str, Any]:
    books = headsup("audit", "--database", house_copy.address, *words, "--json").json
    assert isinstance(books["books"], dict)
    return books["books"]


async def test_an_audit_of_one_floor_names_the_money_on_others(house_copy: StoredHouse) -> None:
    database = Database(house_copy.address)
    async with opened(database) as (house, _):
        await house.open_floor("G")
    database.close()
    done = headsup("audit", "--database", house_copy.address, "--floor", "G")
    assert done.code == 0
    assert "floor F was not checked: " in done.out


def test_every_anchor_matches_the_log(house_copy: StoredHouse) -> None:
    anchors = anchors_of(house_copy, FLOOR)
    counts = [anchor["count"] for anchor in anchors]  # a slow machine anchors in between as well
    assert {31, house_copy.journal.head.count} <= {*counts}
    assert counts == sorted(counts)
    assert anchors[-1]["hash"] == house_copy.journal.head.hash


def test_invalid_anchors_are_refused(house_copy: StoredHouse) -> None:
    with house_copy.anchors.open("a") as file:
        file.write('{"count":1}\n')
    last = len(house_copy.anchors.read_text().splitlines())
    done = headsup("audit", "--database", house_copy.address, "--anchors", house_copy.anchors)
    assert done.code == 2
    assert f"line {last}:" in done.err


def test_a_truncated_anchor_is_skipped(house_copy: StoredHouse) -> None:
    """The disk was full, or the line is still being written."""
    written = house_copy.anchors.read_text().splitlines(keepends=True)
    house_copy.anchors.write_text("".join([written[0], written[0][:50], "\n", *written[1:], "{"]))
    done = headsup("audit", "--database", house_copy.address, "--anchors", house_copy.anchors)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ("audit",),
        ("audit", "log.jsonl", "--database", "sqlite:///x.db"),
        ("audit", "--database", "sqlite:///there/is/none.db"),
        ("audit", "--database", "oracle://x"),
        ("audit", "--database", "nothing at all"),
        ("export", "--database", "sqlite:///there/is/none.db", "--floor", "F"),
        ("restore", "none.db", "--database", "sqlite:///x.db"),
    ],
)
def test_unreadable_input_is_refused_in_one_sentence(words: tuple[str, ...]) -> None:
    done = headsup(*words)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert not Path("x.db").exists()


def test_an_unknown_floor_is_refused(house_copy: StoredHouse) -> None:
    for command in ("audit", "export"):
        done = headsup(command, "--database", house_copy.address, "--floor", "G")
        assert (done.code, done.out) == (2, "")
        assert "there is no floor 'G'" in done.err


async def test_any_kind_of_database_is_audited(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, SCRIPT)
        audited = audit_floor(database, FLOOR)
        assert audited.holds, audited
        assert audited.report.journal == host.journal
        books = reconcile(database, {FLOOR: host.journal})
        assert books.differences == ()
        assert books.paid_in == 2 * CHIPS * len(SEATS)
        assert books.in_wallets == sum(wallets(database))
        assert books.in_wallets + books.on_floors == books.paid_in


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("UPDATE wallets SET cents = cents + 1 WHERE person = 'P1'", "wallet P1 holds"),
        (
            "DELETE FROM wallet_moves WHERE floor = 'F' AND person = 'P2'",
            "wallet P2: moves with floor F add up to 0.00",
        ),
    ],
)
def test_money_moved_without_an_entry_is_reported(
    house_copy: StoredHouse, act: str, message: str
) -> None:
    change_database(house_copy, act)
    done = headsup("audit", "--database", house_copy.address)
    assert done.code == 1
    assert message in done.out


# Export.


def test_an_exported_log_is_audited_as_a_file(house_copy: StoredHouse, tmp_path: Path) -> None:
    exported = headsup("export", "--database", house_copy.address, "--floor", FLOOR)
    log = tmp_path / "log.jsonl"
    log.write_text(exported.out)
    head = house_copy.journal.head
    assert headsup("audit", log, "--anchor", f"{head.count}:{head.hash}").code == 0
    assert headsup("audit", log, "--anchors", house_copy.anchors).code == 0
    assert headsup("replay", log, "--as", "seat 1").code == 0


def test_every_event_is_a_row_of_csv_and_a_line_of_json(house_copy: StoredHouse) -> None:
    words = ("export", "--database", house_copy.address, "--floor", FLOOR, "--format")
    rows = list(csv.DictReader(io.StringIO(headsup(*words, "csv").out)))
    lines = headsup(*words, "json").lines
    assert [(row["index"], row["event"]) for row in rows] == [
        (str(line["index"]), line["event"]) for line in lines
    ]
    bought = [row for row in rows if row["event"] == "BoughtIn"]
    assert [row["seat"] for row in bought] == ["1", "2", "3", "4", "5", "6"]
    assert json.loads(bought[0]["data"]) == {"amount": CHIPS}


def test_text_that_looks_like_a_formula_stays_text_in_csv() -> None:
    assert csv_row(("=1+1", "Ann", "@x")) == "'=1+1,Ann,'@x\n"
    for blank in "\t\r\n":
        cells = (f"{blank}=1+1", f"Ann{blank}=1+1", "3")
        (row,) = csv.reader(io.StringIO(csv_row(cells), newline=""))
        assert row == [f"'{cells[0]}", *cells[1:]]


def test_every_settled_round_is_exported_in_notation(
    house_copy: StoredHouse, tmp_path: Path
) -> None:
    done = headsup(
        "export", "--database", house_copy.address, "--floor", FLOOR, "--format", "notation"
    )
    first, *others = done.out.split('# "T1", round ')[1:]
    assert len(others) == 2
    round = tmp_path / "round.toml"
    round.write_text(first.partition("\n")[2])
    assert headsup("replay", round).code == 0


# Copies.


def test_a_copy_is_valid_elsewhere(house_copy: StoredHouse, tmp_path: Path) -> None:
    copied, elsewhere = tmp_path / "house.backup", tmp_path / "elsewhere.db"
    done = headsup("backup", copied, "--database", house_copy.address)
    assert (done.code, done.err) == (0, "")
    assert f"1 floor with {house_copy.journal.head.count} entries" in done.out
    assert headsup("restore", copied, "--database", f"sqlite:///{elsewhere}").code == 0
    audited = headsup(
        "audit", "--database", f"sqlite:///{elsewhere}", "--anchors", house_copy.anchors
    )
    assert audited.code == 0
    assert not list(tmp_path.glob(".*"))


async def test_a_restored_house_continues(house_copy: StoredHouse, tmp_path: Path) -> None:
    copy_database(house_copy.file, tmp_path / "copy.db")
    database = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    async with opened(database) as (_, host):
        assert host.journal == house_copy.journal
        assert await host.submit(SCRIPT[3]) == Acceptance(4)
    database.close()


@dataclass
class Early:
    """A backup of a house that played on: it wrote more anchors and opened another table."""

    backup: Path
    anchors: Path

    @property
    def words(self) -> tuple[str, ...]:
        return "audit", "--database", f"sqlite:///{self.backup}", "--anchors", str(self.anchors)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def early_house(tmp_path_factory: pytest.TempPathFactory) -> Early:
    folder = tmp_path_factory.mktemp("early")
    backup, anchors, address = folder / "backup", folder / "anchors", folder / "house.db"
    database = sqlite_database(address)
    with_wallets(database)
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[:30])
        await house.anchor()
        words = "backup", backup, "--database", f"sqlite:///{address}"
        assert (await asyncio.to_thread(headsup, *words)).code == 0
        await all_done(host, SCRIPT[30:])
        await house.set_dealing_mode("T1", DealingMode(paused="a break"))
        other = replace(SCRIPT[0], table="T2", id="opening-of-another")
        assert isinstance(await house.open_table("G", other), Acceptance)
        await house.set_thresholds(ReportingThresholds(win=100), "Ada / Sue")
    database.close()
    return Early(backup, anchors)


@pytest.fixture
def early(early_house: Early, tmp_path: Path) -> Early:
    backup, anchors = tmp_path / "backup", tmp_path / "anchors"
    shutil.copy(early_house.backup, backup)
    shutil.copy(early_house.anchors, anchors)
    return Early(backup, anchors)


def last_anchored(early: Early) -> int:
    """The index of the floor's last anchored entry."""
    anchors = [json.loads(line) for line in early.anchors.read_text().splitlines()]
    return int(max(anchor["count"] for anchor in anchors if anchor["floor"] == FLOOR)) - 1


def unmarked(early: Early) -> None:
    """Remove the mark, as in a copy made by other tools."""
    database = Database(f"sqlite:///{early.backup}")
    unmark_restored(database.engine)
    database.close()


def test_a_backup_that_ends_before_the_last_anchors_is_valid(early: Early) -> None:
    done = headsup(*early.words)
    assert done.code == 1
    assert "is broken" not in done.out
    assert "The log is intact as far as it goes, but ends before its last anchors." in done.out
    assert f"  Entries 31 to {last_anchored(early)} are missing (anchored at {NOON})." in done.out
    assert "The house's log is intact as far as it goes, but ends before" in done.out
    assert "Wallets, floors and meters agree." in done.out
    assert "as a backup, or as restored from one, so its logs" in " ".join(done.out.split())
    assert re.search(
        r"Floor G\nThe log is intact as far.*\n  Entries 0 to \d+ are missing", done.out
    )


def test_what_a_backup_lacks_is_in_the_json(early: Early) -> None:
    done = headsup(*early.words, "--json")
    assert done.code == 1
    report, floor = done.json, done.json["floors"][FLOOR]
    assert (report["holds"], report["ends_before"], floor["holds"]) == (False, True, False)
    assert report["backup"] is not None
    last = last_anchored(early)
    expected = {"expected": f"{last + 1} entries as anchored", "found": "31"}
    assert floor["difference"] == {"entry": 31, "fault": "truncated", **expected}
    assert floor["ends_before"] == {"first": 31, "last": last, "since": NOON, "until": NOON}
    assert report["floors"]["G"]["ends_before"]["first"] == 0
    assert report["house"]["ends_before"]["first"] == report["house"]["head"]["count"]
    unmarked(early)
    again = headsup(*early.words, "--json")
    assert (again.code, again.json["backup"]) == (1, None)
    whole = headsup(*early.words[:3], "--json")  # without anchors nobody can see it
    assert (whole.code, whole.json["holds"], whole.json["ends_before"]) == (0, True, False)


def test_a_truncated_log_is_not_mistaken_for_a_backup(early: Early) -> None:
    unmarked(early)
    done = headsup(*early.words)
    assert done.code == 1
    assert "this database is not marked as a backup" in " ".join(done.out.split())


def test_a_backup_that_contradicts_an_anchor_is_broken(early: Early) -> None:
    written = early.anchors.read_text()
    head = next(
        anchor["hash"] for anchor in map(json.loads, written.splitlines()) if anchor["count"] == 31
    )
    early.anchors.write_text(written.replace(head, "0" * 64))
    done = headsup(*early.words)
    assert done.code == 1
    assert "The log is broken at entry 30." in done.out


def test_an_exported_log_that_ends_before_its_anchors_is_reported(
    early: Early, tmp_path: Path
) -> None:
    exported = headsup("export", "--database", f"sqlite:///{early.backup}", "--floor", FLOOR)
    log = tmp_path / "log.jsonl"
    log.write_text(exported.out)
    words = ("audit", log, "--floor", FLOOR, "--anchors", early.anchors)
    done = headsup(*words)
    assert done.code == 1
    assert f"Entries 31 to {last_anchored(early)} are missing" in done.out
    assert headsup(*words, "--json").json["ends_before"]["first"] == 31


async def test_anchors_of_another_house_are_recognised(
    house_copy: StoredHouse, tmp_path: Path
) -> None:
    """They are reported: a database that was rewritten as a whole is another house, too."""
    other, anchors = sqlite_database(tmp_path / "other.db"), tmp_path / "others"
    async with opened(other, "elsewhere", anchors=anchors) as (_, host):
        with_wallets(other)
        await all_done(host, SCRIPT[:20])
    other.close()
    with (tmp_path / "mixed").open("a") as file:  # both have added to one
        file.write(house_copy.anchors.read_text() + anchors.read_text())
    for path in (anchors, tmp_path / "mixed"):
        words = ("audit", "--database", house_copy.address, "--anchors", path)
        done = headsup(*words)
        output = " ".join(done.out.split())
        assert output.startswith("These anchors belong to another house than the database (or the")
        assert done.code == 1
        answer = headsup(*words, "--json")
        assert (answer.code, answer.json["holds"], answer.json["anchors_of_others"]) == (
            1,
            False,
            True,
        )


def test_a_row_with_a_different_end_than_the_log_is_found(house_copy: StoredHouse) -> None:
    """Even if the row matches the entry that it says is the last."""
    for length in (0, 20):
        database = Database(house_copy.address)
        hashes = [GENESIS, *(hash for hash, _ in database.entry_texts(FLOOR))]
        with database.engine.begin() as connection:
            values = {"length": length, "hash": hashes[length]}
            connection.execute(update(FLOORS).where(FLOORS.c.id == FLOOR).values(**values))
        database.close()
        done = headsup("audit", "--database", house_copy.address)
        assert (done.code, f"is broken at entry {length}." in done.out) == (1, True)
        assert f"found     {len(hashes) - 1 - length} more" in done.out


def test_nothing_is_overwritten(house_copy: StoredHouse, tmp_path: Path) -> None:
    copied = tmp_path / "house.backup"
    copied.write_text("something else")
    assert headsup("backup", copied, "--database", house_copy.address).code == 2
    assert copied.read_text() == "something else"
    assert headsup("restore", house_copy.file, "--database", house_copy.address).code == 2


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_nothing_is_restored_beside_remains_of_another_database(
    house_copy: StoredHouse, tmp_path: Path, end: str
) -> None:
    """SQLite would read the leftovers as pages of the restored database."""
    place = tmp_path / "new.db"
    left = Path(f"{place}{end}")
    left.write_bytes(b"pages of another")
    done = headsup("restore", str(house_copy.file), "--database", f"sqlite:///{place}")
    assert done.code == 2
    assert f"{left.name} is left over from another database" in " ".join(done.err.split())
    assert not place.exists()
    assert left.read_bytes() == b"pages of another"
    left.unlink()
    copy_database(house_copy.file, place)
    assert [path.name for path in tmp_path.glob("*new.db*")] == ["new.db"]


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_name_that_is_too_long_is_one_sentence(
    house_copy: StoredHouse, tmp_path: Path, command: str
) -> None:
    long, short = tmp_path / ("x" * 5_000), tmp_path / "copy.db"
    tried = {
        "backup": [("backup", long, "--database", house_copy.address)],
        "restore": [
            ("restore", long, "--database", f"sqlite:///{short}"),
            ("restore", house_copy.file, "--database", f"sqlite:///{long}"),
        ],
    }
    for words in tried[command]:
        assert "too long" in refusal_sentence(headsup(*words))


def test_a_copy_that_was_killed_leaves_nothing_that_stops_a_server(
    house_copy: StoredHouse, tmp_path: Path
) -> None:
    """Killed between its two names, or before it had the second."""
    folder = tmp_path / "there"
    folder.mkdir()
    target = folder / "floors.db"
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    hidden, running = (folder / f".floors.db.{number}" for number in (gone.pid, os.getppid()))
    for path in (hidden, Path(f"{hidden}-journal"), running):
        path.touch()
    restored = headsup("restore", house_copy.file, "--database", f"sqlite:///{target}")
    assert (restored.code, running.exists()) == (0, True), "another process writes it"
    assert not [path for path in folder.iterdir() if str(gone.pid) in path.name]
    os.link(target, hidden)
    database = Database(f"sqlite:///{target}")
    database.claim()
    database.close()
    assert not hidden.exists()


def test_a_broken_log_is_not_copied(house_copy: StoredHouse, tmp_path: Path) -> None:
    change_database(
        house_copy, """UPDATE entries SET entry = replace(entry, 'P2', 'P7') WHERE "index" = 4"""
    )
    done = headsup("backup", tmp_path / "house.backup", "--database", house_copy.address)
    assert done.code == 2
    assert "entry 4 does not match its hash" in done.err
    assert not (tmp_path / "house.backup").exists()


def test_a_file_that_is_not_a_database_is_not_copied(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("not a database at all, but long enough to be taken for one" * 50)
    with pytest.raises(Refused):
        copy_database(other, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.slow(seconds=8)
async def test_a_copy_under_load_is_consistent_and_loses_nothing_stored_before_it(
    tmp_path: Path,
) -> None:
    """Everything answered before the copy began is in it, and wallets and floors agree."""
    file = tmp_path / "house.db"
    database = Database(f"sqlite:///{file}")
    database.migrate()
    with_wallets(database)
    script = scripted_commands(rounds=6)

    async with opened(database) as (_, host):
        await all_done(host, script[:20])
        playing = asyncio.create_task(all_done(host, script[20:]))
        copies = 0
        while not playing.done():
            entries, copies = host.journal.head.count, copies + 1
            target = tmp_path / f"copy {copies}.db"
            copied = await asyncio.to_thread(copy_database, file, target)
            assert copied.entries >= entries
            copy = Database(f"sqlite:///{target}")
            audited = audit_floor(copy, FLOOR)
            assert audited.holds, audited
            assert reconcile(copy, {FLOOR: audited.report.journal}).differences == ()
            copy.close()
            target.unlink()
        await playing
        assert copies > 1
    assert len(decided(database)) == len(script)
    database.close()


def test_a_database_server_is_copied_with_its_own_tools() -> None:
    address = "postgresql://house:secret@db.example/floors"
    done = headsup("backup", "floors.dump", "--database", address)
    assert done.code == 2
    assert "pg_dump --format=custom --file=floors.dump" in done.err
    assert "secret" not in done.err
    assert "pg_restore" in headsup("restore", "floors.dump", "--database", address).err


async def test_a_dump_of_a_database_server_is_valid_elsewhere(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """With the commands that `headsup backup` and `headsup restore` recommend."""
    here, there = Database(postgres.new_database()), Database(postgres.new_database())
    here.migrate()
    with_wallets(here)
    async with opened(here) as (_, host):
        await all_done(host, SCRIPT)
        journal = host.journal
    dump, programs = tmp_path / "floors.dump", postgres.programs
    for program, *words in (
        ("pg_dump", "--format=custom", f"--file={dump}", _plain_text(here)),
        ("pg_restore", "--no-owner", f"--dbname={_plain_text(there)}", str(dump)),
    ):
        subprocess.run([str(programs / program), *words], check=True)
    audited = audit_floor(there, FLOOR, [journal.head])
    assert audited.holds, audited
    assert reconcile(there, {FLOOR: audited.report.journal}).differences == ()
    async with opened(there) as (_, host):
        assert host.journal == journal
    here.close()
    there.close()


def _plain_text(database: Database) -> str:
    """The address in the form of PostgreSQL's own tools."""
    return database.engine.url.set(drivername="postgresql").render_as_string()


def test_a_database_and_its_copies_are_readable_only_by_their_owner(
    evening_house: StoredHouse, tmp_path: Path
) -> None:
    """They contain password hashes and the secret of the shuffles."""
    fresh, backup, back = (tmp_path / name for name in ("fresh.db", "backup.db", "back.db"))
    database = Database(f"sqlite:///{fresh}")
    database.migrate()
    beside = [path.name for path in tmp_path.iterdir()]
    assert len(beside) > 1, "what was committed last is in a file of its own"
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    database.close()
    assert headsup("backup", backup, "--database", evening_house.address).code == 0
    assert headsup("restore", backup, "--database", f"sqlite:///{back}").code == 0
    assert {path.stat().st_mode & 0o777 for path in (backup, back)} == {0o600}
