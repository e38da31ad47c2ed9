"""The log file: whole decisions or none, one writer, and nothing added to a broken log."""

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Head
from headsup.game.refusal import Refused
from headsup.house.store.log_file import MAX_LINE_CHARS, Logbook, UnwritableLog, read_lines
from tests.support.logs import record_rounds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.jsonl"


LOG = record_rounds(2, seed=3, books=("galaxy",))


def write_log(path: Path) -> Path:
    with Logbook(path) as book:
        book.append(LOG.links)
    return path


def test_a_new_log_starts_empty(path: Path) -> None:
    with Logbook(path) as book:
        assert (book.head(book.floor), dict(book.journal.floor.tables)) == (Head(), {})
    assert path.read_bytes() == b""


def test_appended_entries_are_on_disk_at_once(path: Path) -> None:
    with Logbook(path) as book:
        for i, link in enumerate(LOG.links, 1):
            book.append([link])
            assert path.read_text() == "".join(LOG.lines[:i])


def test_a_log_is_continued_where_it_ended(path: Path) -> None:
    half = len(LOG.links) // 2
    for part in (LOG.links[:half], LOG.links[half:]):
        with Logbook(path) as book:
            book.append(part)
    report = audit(read_lines(path))
    assert report.journal.head == LOG.journal.head
    with Logbook(path) as book:
        assert book.journal.head == LOG.journal.head
        assert book.journal.floor.ledger == LOG.journal.floor.ledger


def test_nothing_is_added_to_a_broken_log(path: Path) -> None:
    write_log(path)
    text = path.read_text().replace('"T galaxy"', '"T galaxx"', 1)
    path.write_text(text)
    with pytest.raises(Refused) as refused:
        Logbook(path)
    assert refused.value.code == "broken_log"
    assert "entry 1" in refused.value.message
    assert path.read_text() == text


@pytest.mark.parametrize("cut", [1, 10, 400])
def test_nothing_is_added_to_a_truncated_log(path: Path, cut: int) -> None:
    os.truncate(write_log(path), path.stat().st_size - cut)
    with pytest.raises(Refused, match="cannot add to a broken log"):
        Logbook(path)


def test_a_log_has_one_writer_at_a_time(path: Path) -> None:
    with Logbook(path), pytest.raises(Refused) as refused:
        Logbook(path)
    assert refused.value.code == "log_in_use"
    Logbook(path).close()


def test_a_link_that_does_not_follow_is_a_bug(path: Path) -> None:
    with Logbook(path) as book, pytest.raises(ValueError, match="does not follow"):
        book.append(LOG.links[1:])
    assert path.read_bytes() == b""


def test_a_full_disk_leaves_no_half_decision(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_log(path)
    whole = path.read_bytes()
    more = record_rounds(3, seed=3, books=("galaxy",)).links[len(LOG.links) :]

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Logbook(path) as book:
        monkeypatch.setattr(os, "fsync", fails)
        with pytest.raises(Refused, match="No space left on device"):
            book.append(more[:3])
    assert path.read_bytes() == whole


def test_a_folder_is_not_a_log(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        Logbook(tmp_path)
    assert refused.value.code == "unwritable_log"


def test_a_byte_that_is_not_text_makes_a_bad_entry(path: Path) -> None:
    write_log(path)
    path.write_bytes(path.read_bytes().replace(b"galaxy", b"gal\xffxy", 1))
    report = audit(read_lines(path))
    assert report.finding is not None
    assert report.finding.index == 1


def test_a_log_that_failed_once_takes_no_more_entries(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Logbook(path) as book:
        book.append(LOG.links[:1])
        monkeypatch.setattr(os, "fsync", fails)
        for _ in range(2):
            with pytest.raises(UnwritableLog, match="No space left on device"):
                book.append(LOG.links[1:2])
        assert book.head(book.floor) == LOG.links[0].head
    monkeypatch.undo()
    assert path.read_text() == LOG.lines[0]
    with Logbook(path) as book:
        book.append(LOG.links[1:])
    assert audit(read_lines(path)).is_valid


def test_half_a_line_that_cannot_be_removed_is_found(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stuck:
        """Writes only half of what it is given."""

        def __init__(self, file: BinaryIO) -> None:
            self.file, self.full = file, False

        def write(self, data: bytes) -> int:
            if self.full:
                raise OSError(28, "No space left on device")
            self.full = True
            return self.file.write(data[: len(data) // 2])

        def truncate(self, _: int) -> int:
            raise OSError(5, "Input/output error")

        def __getattr__(self, name: str) -> object:
            return getattr(self.file, name)

    with Logbook(path) as book:
        book.append(LOG.links[:1])
        monkeypatch.setattr(book, "_file", Stuck(book._file))
        with pytest.raises(UnwritableLog, match="No space left on device"):
            book.append(LOG.links[1:2])
    with pytest.raises(Refused, match="cannot add to a broken log: entry 1"):
        Logbook(path)


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero"])
def test_a_device_is_not_a_log(device: str) -> None:
    with pytest.raises(Refused, match="it is not a file"):
        Logbook(Path(device))


def test_an_endless_line_is_not_read_into_memory(path: Path) -> None:
    path.write_text("{" + MAX_LINE_CHARS * "1")
    assert [len(part) for part in read_lines(path)] == [MAX_LINE_CHARS, 1]
    finding = audit(read_lines(path)).finding
    assert finding is not None
    assert finding.index == 0
