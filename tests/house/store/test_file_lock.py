"""One server at a time can use a SQLite file, by whatever name, and only its owner can read it."""

from pathlib import Path

import pytest

from headsup.house.store.database import Database
from headsup.house.store.sqlite_file import UnusableDatabase


def linked_paths(folder: Path) -> tuple[Path, Path]:
    """A path for a new database, and a link to it from another folder."""
    for name in ("here", "there"):
        (folder / name).mkdir()
    link, file = folder / "here" / "house.db", folder / "there" / "kept.db"
    link.symlink_to(file)
    return link, file


def test_one_server_at_a_time_may_use_a_database_under_any_name(tmp_path: Path) -> None:
    link, file = linked_paths(tmp_path)
    one, other = Database(f"sqlite:///{link}"), Database(f"sqlite:///{file}")
    one.claim()
    with pytest.raises(UnusableDatabase, match="in use by another server"):
        other.claim()
    one.close()
    other.claim()
    other.close()


def test_a_database_behind_a_link_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    link, file = linked_paths(tmp_path)
    database = Database(f"sqlite:///{link}")
    database.claim()
    with database.read_connection() as connection:
        connection.exec_driver_sql("SELECT 1")
    made = list(file.parent.iterdir())
    assert {file.name, f"{file.name}.lock"} <= {path.name for path in made}
    assert {path.stat().st_mode & 0o777 for path in made} == {0o600}
    database.close()
    file.chmod(0o640)  # the owner's own choice stays
    with database.read_connection() as connection:
        connection.exec_driver_sql("SELECT 1")
    assert file.stat().st_mode & 0o777 == 0o640
    database.close()


def test_a_file_with_two_hard_links_is_refused_under_either_name(tmp_path: Path) -> None:
    """Each name would have its own lock and write-ahead log."""
    (tmp_path / "there").mkdir()
    file, second = tmp_path / "house.db", tmp_path / "there" / "kept.db"
    running = Database(f"sqlite:///{file}")
    running.claim()
    running.migrate()
    second.hardlink_to(file)
    other = Database(f"sqlite:///{second}")
    with pytest.raises(UnusableDatabase, match=r"kept\.db has 2 hard links"):
        other.claim()
    assert running.floors() == []  # the first server goes on
    running.close()
    with pytest.raises(UnusableDatabase, match=r"house\.db has 2 hard links"):
        running.claim()
    second.unlink()
    running.claim()
    running.close()
