"""The bankroll survives the end of the program, and a damaged file is never overwritten."""

import json
from pathlib import Path

import pytest

from headsup.house.solo.bankroll import (
    STARTING_CENTS,
    Bankroll,
    BankrollFile,
    default_bankroll_path,
)


@pytest.fixture
def file(tmp_path: Path) -> BankrollFile:
    return BankrollFile(tmp_path / "data" / "bankroll.json")


def test_a_new_player_has_the_first_bankroll(file: BankrollFile) -> None:
    assert file.load() == (Bankroll(STARTING_CENTS), "")


def test_a_saved_bankroll_is_loaded(file: BankrollFile) -> None:
    purse = Bankroll(123_45, 7, {"galaxy": {"ante": 1000, "trips_plus": 500}})
    assert file.save(purse) == ""
    assert file.load() == (purse, "")
    assert [path.name for path in file.path.parent.iterdir()] == ["bankroll.json"]
    assert json.loads(file.path.read_text())["bankroll"] == "123.45"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "null",
        '{"bankroll": "lots"}',
        '{"bankroll": "-5"}',
        '{"bankroll": 1.5e400}',
        '{"bankroll": "10", "rounds": "many"}',
        '{"bankroll": "10", "bets": 5}',
        '{"bankroll": "10", "bets": {"galaxy": {"ante": "x"}}}',
        "[" * 100_000,
        '{"bankroll": NaN}',
    ],
)
def test_a_damaged_file_is_set_aside(file: BankrollFile, text: str) -> None:
    file.path.parent.mkdir()
    file.path.write_text(text)
    purse, trouble = file.load()
    assert purse == Bankroll(STARTING_CENTS)
    assert "starting over" in trouble
    assert file.path.with_name("bankroll.json.unreadable").read_text() == text
    assert file.load() == (Bankroll(STARTING_CENTS), "")


def test_a_file_that_is_not_text_is_set_aside(file: BankrollFile) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(b"\xff\xfe\x00")
    assert file.load()[0] == Bankroll(STARTING_CENTS)


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trouble = BankrollFile(tmp_path / "file" / "bankroll.json").save(Bankroll())
    assert trouble.startswith("the bankroll was not saved")


def test_the_file_is_in_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_bankroll_path().name == "bankroll.json"
    assert default_bankroll_path().parent.name == "headsup"


def test_damaged_files_are_never_overwritten(file: BankrollFile) -> None:
    file.path.parent.mkdir()
    for text in ("{first", "{second", "{third"):
        file.path.write_text(text)
        file.load()
    contents = sorted(path.read_text() for path in file.path.parent.iterdir())
    assert contents == ["{first", "{second", "{third"]


def test_only_one_game_can_use_a_bankroll(file: BankrollFile) -> None:
    other = BankrollFile(file.path)
    assert file.lock()
    assert not other.lock()
    file.release()
    assert other.lock()
    other.release()


def test_saving_without_room_for_a_lock_reports_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert BankrollFile(tmp_path / "file" / "bankroll.json").lock()
