"""A database that is a file: one server at a time, and its owner's alone, whatever it is called."""

from pathlib import Path

import pytest

from headsup.house.store.database import Database
from headsup.house.store.engine import UnusableDatabase


def linked(folder: Path) -> tuple[Path, Path]:
    """A database that is not there yet, and a link to it from another folder."""
    for name in ("here", "there"):
        (folder / name).mkdir()
    link, file = folder / "here" / "house.db", folder / "there" / "kept.db"
    link.symlink_to(file)
    return link, file


def test_a_database_is_for_one_server_also_by_another_name(tmp_path: Path) -> None:
    link, file = linked(tmp_path)
    one, other = Database(f"sqlite:///{link}"), Database(f"sqlite:///{file}")
    one.claim()
    with pytest.raises(UnusableDatabase, match="open in another server"):
        other.claim()
    one.close()
    other.claim()
    other.close()


def test_a_database_behind_a_link_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    link, file = linked(tmp_path)
    database = Database(f"sqlite:///{link}")
    database.claim()
    with database.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
    made = list(file.parent.iterdir())
    assert {file.name, f"{file.name}.lock"} <= {path.name for path in made}
    assert {path.stat().st_mode & 0o777 for path in made} == {0o600}
    database.close()
    file.chmod(0o640)  # as its owner wants it
    with database.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
    assert file.stat().st_mode & 0o777 == 0o640
    database.close()


def test_a_file_with_two_names_is_for_no_server_by_either(tmp_path: Path) -> None:
    """Each name would have a lock of its own, and a write-ahead log of its own."""
    (tmp_path / "there").mkdir()
    file, second = tmp_path / "house.db", tmp_path / "there" / "kept.db"
    running = Database(f"sqlite:///{file}")
    running.claim()
    running.migrate()
    second.hardlink_to(file)
    other = Database(f"sqlite:///{second}")
    with pytest.raises(UnusableDatabase, match=r"kept\.db has 2 names"):
        other.claim()
    assert running.floors() == []  # who was first goes on
    running.close()
    with pytest.raises(UnusableDatabase, match=r"house\.db has 2 names"):
        running.claim()
    second.unlink()
    running.claim()
    running.close()
