"""A23: the contents of a log, and that it replays to the same floor."""

import json
from functools import cache
from hashlib import sha256
from typing import Any

import pytest

from headsup import __version__
from headsup.game.bank.ledger import AccountKind
from headsup.game.record.audit.auditor import Auditor, audit
from headsup.game.record.chain import Head, canonical_json, format_link, parse_link
from headsup.game.record.floor_text import digest, floor_text, read_floor
from headsup.game.record.journal import AT_HOME, Header, Journal, Origin, record_command, start_log
from headsup.game.record.message_codec import read_event
from headsup.game.refusal import Code, Refusal
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.evolve import evolve
from headsup.game.table.opening import OpenTable
from headsup.game.table.seating import Leave, Sit
from headsup.game.table.state import Floor
from headsup.game.values.dates import is_utc_time
from tests.support.logs import DEALER, NOON, Recorder, open_table, record_rounds

Entry = dict[str, Any]


@cache
def log() -> Recorder:
    """Twelve rounds, two of each book, including irregularities and corrections."""
    return record_rounds(12, seed=26)


# Replay.


def assert_same_after_replay(rounds: int, seed: int, books: tuple[str, ...]) -> None:
    """An audit leads to the same floor as when the log was written."""
    written = record_rounds(rounds, seed, books)
    report = audit(written.lines)
    assert report.finding is None
    assert report.rounds == rounds
    assert report.journal.head == written.journal.head
    assert floor_text(report.journal.floor) == floor_text(written.journal.floor)


@pytest.mark.slow
def test_300_recorded_rounds_replay_identically() -> None:
    assert_same_after_replay(300, 300, SHIPPED_BOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_10000_recorded_rounds_replay_identically(book: str, part: int) -> None:
    assert_same_after_replay(167, part, (book,))


def test_a_digest_is_the_hash_of_the_floors_canonical_json() -> None:
    seen, floor = set(), Floor()
    for entry in [link.entry for link in log().links[1:]]:
        for event in entry.get("events", ()):
            floor = evolve(floor, entry["table"], read_event(event))
        text = floor_text(floor)
        assert text == canonical_json(json.loads(text))
        assert digest(floor) == sha256(text.encode("ascii")).hexdigest()
        assert entry.get("state") in (None, digest(floor))
        seen.add(text)
    assert len(seen) > 200


@pytest.mark.parametrize("id", ["T", "T!", 'T"', "T\\", "Tü", "T a", "Ta"])
def test_names_are_sorted_as_they_are_and_not_as_they_are_written(id: str) -> None:
    """A quotation mark sorts after a blank and before a letter."""
    recorder = Recorder()
    for table in {"T", id}:
        recorder.do(table, DEALER, OpenTable("galaxy-wpt"))
    text = floor_text(recorder.journal.floor)
    assert text == canonical_json(json.loads(text))
    assert read_floor(text) == recorder.journal.floor


def test_a_checkpoint_has_the_digest_of_the_floor() -> None:
    journal, link, text = log().checkpoints[-1]
    assert link.entry == {"at": NOON, "state": digest(journal.floor)}
    assert (journal.head, journal.checked) == (link.head, link.head.count)
    assert text == floor_text(journal.floor)


def test_the_first_entry_is_a_header_with_format_and_program() -> None:
    header = {"floor": "", "format": 1, "house": "", "program": __version__}
    assert log().links[0].entry == header
    assert log().links[0].head == Head(1, log().links[0].hash)


def test_a_header_says_whose_log_it_is() -> None:
    """So that the logs of two floors or houses cannot be swapped."""
    journal, link = start_log(Header("main", "5f0c2a9e41d7b836"))
    assert (link.entry["floor"], link.entry["house"]) == ("main", "5f0c2a9e41d7b836")
    journal, links = record_command(journal, NOON, "T1", DEALER, OpenTable("galaxy-wpt"))
    assert not isinstance(links, Refusal)
    lines = [format_link(one) for one in (link, *links)]
    assert audit(lines).is_valid
    for other in (AT_HOME, Header("main"), Header("annex", "5f0c2a9e41d7b836")):
        auditor = Auditor(header=other)
        assert not [*auditor.verify_entries(lines)]
        finding = auditor.report.finding
        assert finding is not None
        assert (finding.index, "'main'" in finding.found) == (0, True)


def test_an_entry_names_time_table_person_command_and_events() -> None:
    first = log().links[1].entry
    assert set(first) == {"at", "table", "by", "command", "events"}
    assert (first["at"], first["table"], first["by"]) == (NOON, "T galaxy", "dealer")
    assert (first["command"]["command"], first["command"]["rules"]) == ("OpenTable", "galaxy")
    assert [event["event"] for event in first["events"]] == ["TableOpened"]


def test_a_decision_is_one_entry_with_all_its_events() -> None:
    log = Recorder()
    open_table(log, "galaxy", "T1", seats=(1,))
    before = len(log.links)
    log.do("T1", PlayerAt(1), Leave(1))
    assert len(log.links) == before + 1
    events = log.links[-1].entry["events"]
    assert [event["event"] for event in events] == ["CashedOut", "PlayerLeft"]


def test_entries_are_written_as_canonical_json() -> None:
    assert all(canonical_json(link.entry) == link.text for link in log().links)


def test_books_balance_at_the_end() -> None:
    floor = audit(log().lines).journal.floor
    assert floor.ledger.total() == 0
    on_felt = [account for account, _ in floor.ledger if account.kind is AccountKind.WAGER]
    assert not on_felt


def test_an_entry_of_a_player_has_the_players_name_and_seat() -> None:
    log = Recorder()
    log.do("T1", DEALER, OpenTable("galaxy-wpt"))
    log.do("T1", PlayerAt(3), Sit(3, "Ann"))
    log.do("T1", PlayerAt(3), Leave(3))
    written = [link.entry for link in log.links[1:]]
    named = [(entry["by"], entry.get("seat")) for entry in written]
    assert named == [("dealer", None), ("Ann", 3), ("Ann", 3)]


def test_an_entry_has_what_its_sender_sent() -> None:
    origin = Origin("56a5fdb4", due="deal 7", typed="As Kd")
    command = OpenTable("galaxy-wpt")
    _, links = record_command(Journal(), NOON, "T1", DEALER, command, origin)
    assert not isinstance(links, Refusal)
    entry = links[-1].entry
    assert (entry["id"], entry["due"], entry["typed"]) == ("56a5fdb4", "deal 7", "As Kd")
    assert audit(map(format_link, links)).is_valid
    assert canonical_json(entry) == links[-1].text


@pytest.mark.parametrize("name", ["seat 2", "", "  ", " Ann", "two\nlines"])
def test_staff_may_not_have_a_seats_name_or_none(name: str) -> None:
    journal, answer = record_command(Journal(), NOON, "T1", Staff(name), OpenTable("galaxy-wpt"))
    assert isinstance(answer, Refusal)
    assert (answer.code, journal) == (Code.BAD_NAME, Journal())


@pytest.mark.parametrize("table", ["", "  ", " T1", "T\n1"])
def test_a_table_has_a_name(table: str) -> None:
    assert not Recorder().ask(table, DEALER, OpenTable("galaxy-wpt"))


NO_TIMES = [
    *("", "noon", "2026-01-31 12:00:00", "2026-01-31T12:00:00+01:00"),
    *("2026-01-31T12:00:00.1234567Z", "0000-01-01T00:00:00Z", "2026-01-00T12:00:00Z"),
    *("2026-13-01T12:00:00Z", "2026-00-01T12:00:00Z", "2026-02-30T12:00:00Z"),
    *("2026-02-29T12:00:00Z", "2100-02-29T12:00:00Z"),
    *("2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z"),
]  # fmt: skip


@pytest.mark.parametrize("at", NO_TIMES)
def test_only_utc_is_written(at: str) -> None:
    with pytest.raises(ValueError, match="is not a time"):
        record_command(Journal(), at, "T1", DEALER, OpenTable("galaxy-wpt"))


@pytest.mark.parametrize("at", ["2024-02-29T00:00:00Z", "2000-02-29T23:59:59.5Z"])
def test_a_leap_day_is_a_valid_date(at: str) -> None:
    assert is_utc_time(at)


def test_a_clock_that_was_set_back_repeats_the_last_time() -> None:
    journal, written = Journal(), []
    times = ["12:00:00.5Z", "11:59:59Z", "12:00:00Z", "12:00:00.500001Z"]
    for number, time in enumerate(times):
        opening = OpenTable("galaxy-wpt")
        journal, links = record_command(
            journal, f"2026-01-31T{time}", f"T{number}", DEALER, opening
        )
        assert not isinstance(links, Refusal)
        written += [format_link(link) for link in links]
    assert audit(written).is_valid
    logged = [parse_link(line).entry["at"][11:] for line in written[1:]]
    assert logged == ["12:00:00.5Z"] * 3 + ["12:00:00.500001Z"]
