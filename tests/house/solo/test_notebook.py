"""Notebooks: the same contract for the file and the database."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from headsup.house.store.database import Database
from headsup.house.store.notebooks import NotebookTable
from headsup.house.training.notebook import MAX_LINES, Notebook, NotebookFile


@pytest.fixture(params=["file", "database"])
def notebook(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Notebook]:
    if request.param == "file":
        yield NotebookFile(tmp_path / "deep" / "notes.jsonl")
        return
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    yield NotebookTable(database)
    database.close()


def test_the_last_lines_are_read_in_order(notebook: Notebook) -> None:
    assert notebook.lines("ann") == []
    notebook.add("ann", ["one", "two ♠"])
    notebook.add("ann", [])
    notebook.add("ann", ["three"])
    assert notebook.lines("ann") == ["one", "two ♠", "three"]
    notebook.add("ann", [str(number) for number in range(MAX_LINES)])
    assert notebook.lines("ann") == [str(number) for number in range(MAX_LINES)]


def test_deleted_notes_are_gone(notebook: Notebook) -> None:
    notebook.forget("ann")
    notebook.add("ann", ["one"])
    notebook.forget("ann")
    assert notebook.lines("ann") == []


def test_several_programs_may_write_at_once(notebook: Notebook) -> None:
    def add_lines(name: str) -> None:
        for number in range(50):
            notebook.add("ann", [f"{name} {number}"] * 3)

    threads = [Thread(target=add_lines, args=(name,)) for name in "xyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = notebook.lines("ann")
    assert len(lines) == 450
    for name in "xyz":
        own = [line for line in lines if line.startswith(name)]
        assert own == [f"{name} {number}" for number in range(50) for _ in range(3)]


def test_each_account_has_its_own_notes(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'house.db'}")
    database.migrate()
    table = NotebookTable(database)
    table.add("ann", ["one"])
    table.add("bob", ["two"])
    table.forget("bob")
    assert (table.lines("ann"), table.lines("bob")) == (["one"], [])
    database.close()
