"""The anchor file: whose it is, who else writes to it, and how that is reported."""

import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from headsup.game.record.chain import GENESIS, Head
from headsup.game.refusal import Refused
from headsup.house.house import House
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.integrity.anchor_file import AnchorWriter
from headsup.house.integrity.anchors import LAST_BYTES, Anchor, AnchorFile
from headsup.house.integrity.backup import copy_database
from headsup.house.store.database import Database
from headsup.house.store.schema import INCIDENTS
from headsup.web.server.operations import Metrics
from tests.support.databases import postgres_database, sqlite_database
from tests.support.house.houses import FLOOR, NOON, all_done, noon, opened, started, with_wallets
from tests.support.house.tampering import without_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands

SCRIPT = scripted_commands()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def remove_identities(path: Path) -> None:
    """Remove the house's identity from every anchor."""
    anchors = [
        {key: anchor[key] for key in ("at", "count", "floor", "hash")} for anchor in lines(path)
    ]
    path.write_text("".join(f"{json.dumps(anchor)}\n" for anchor in anchors))


def refusal_at_start(database: Database, path: Path) -> str:
    """Why a server refuses to start with that file, "" if it starts."""
    try:
        AnchorWriter(path, database, IncidentQueue(database, "next", noon)).check()
    except Refused as refusal:
        return str(refusal)
    return ""


async def open_house(folder: Path, server: str, entries: int = 20) -> tuple[Database, Path]:
    """The database and anchor file of a house that was open for a while."""
    database, anchors = sqlite_database(folder / f"{server}.db"), folder / f"{server}.anchors"
    async with opened(database, server, anchors=anchors) as (_, host):
        with_wallets(database)
        await all_done(host, SCRIPT[:entries])
    return database, anchors


def events(database: Database) -> list[dict[str, Any]]:
    """The details of all events about altered data."""
    row = INCIDENTS.c
    with database.read_connection() as connection:
        query = select(row.what).where(row.kind == "data_changed").order_by(row.number)
        return [json.loads(what) for what in connection.execute(query).scalars()]


# The file.


def test_a_new_anchor_file_is_private_and_an_existing_one_keeps_its_mode(tmp_path: Path) -> None:
    created, existing = tmp_path / "made", tmp_path / "given"
    existing.touch(0o640)
    existing.chmod(0o640)
    for path in (created, existing):
        for floor in ("main", ""):
            AnchorFile(path).append([Anchor(NOON, floor, Head(1, GENESIS))])
        assert path.read_text("ascii").count("\n") == 2
    assert [path.stat().st_mode & 0o777 for path in (created, existing)] == [0o600, 0o640]


def test_only_the_ends_of_a_file_and_new_lines_are_read(
    tmp_path: Path,
) -> None:
    path, hash = tmp_path / "anchors", "a" * 64
    line = json.dumps({"at": NOON, "count": 7, "floor": "F", "hash": hash}) + "\n"
    many = 3 * LAST_BYTES // len(line)
    path.write_text(line * many)
    file = AnchorFile(path)
    assert 0 < len(file.read_new()) < many / 2
    assert file.read_new() == []
    with path.open("a") as other:
        other.write(line[:20])  # somebody is writing
        other.flush()
        assert file.read_new() == []
        other.write(line[20:])
    assert file.read_new() == [Anchor(NOON, "F", Head(7, hash))]


async def test_after_half_a_line_anchors_start_on_a_new_line(tmp_path: Path) -> None:
    database, anchors = await open_house(tmp_path, "one")
    with anchors.open("a") as file:
        file.write('{"at":"2026-')
    assert refusal_at_start(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:25])
        await house.anchor()
        assert house.anchor_writer is not None
        assert house.anchor_writer.mismatches == 0
    assert json.loads(anchors.read_text().splitlines()[-1])["house"] == database.identity()
    database.close()


# Whose it is.


async def test_every_anchor_names_its_house(tmp_path: Path) -> None:
    (one, anchors), (two, others) = (
        await open_house(tmp_path, "one"),
        await open_house(tmp_path, "two"),
    )
    assert {line["house"] for line in lines(anchors)} == {one.identity()}
    assert {line["house"] for line in lines(others)} == {two.identity()}
    assert one.identity() != two.identity()
    copy_database(tmp_path / "one.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert copied.identity() == one.identity()
    for database in (one, two, copied):
        database.close()


@pytest.mark.parametrize("older", [False, True])
async def test_a_server_does_not_start_with_the_anchors_of_another_house(
    tmp_path: Path, older: bool
) -> None:
    (one, anchors), (two, others) = (
        await open_house(tmp_path, "one"),
        await open_house(tmp_path, "two", 25),
    )
    for path in (anchors, others) if older else ():
        remove_identities(path)
    assert (refusal_at_start(one, anchors), refusal_at_start(two, others)) == ("", "")
    for database, path in ((one, others), (two, anchors)):
        before = path.read_bytes()
        assert refusal_at_start(database, path).startswith(
            f"{path}: these anchors belong to another house"
        )
        assert path.read_bytes() == before
        database.close()


async def test_a_file_of_an_older_version_is_continued(tmp_path: Path) -> None:
    database, anchors = await open_house(tmp_path, "one")
    remove_identities(anchors)
    before = anchors.read_bytes()
    assert refusal_at_start(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:25])
        await house.anchor()
        assert house.anchor_writer is not None
        assert house.anchor_writer.mismatches == 0
    assert anchors.read_bytes().startswith(before)
    assert lines(anchors)[-1]["house"] == database.identity()
    assert refusal_at_start(database, anchors) == ""
    database.close()


@pytest.mark.parametrize("older", [False, True])
async def test_a_new_database_is_not_served_with_the_anchors_of_a_house(
    tmp_path: Path, older: bool
) -> None:
    (one, anchors), new = await open_house(tmp_path, "one"), sqlite_database(tmp_path / "new.db")
    if older:
        remove_identities(anchors)
    assert "the database is empty: check --database" in refusal_at_start(new, anchors)
    for database in (one, new):
        database.close()


async def test_a_house_whose_chain_was_emptied_is_not_new(tmp_path: Path) -> None:
    database, anchors = await open_house(tmp_path, "one")
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM entries WHERE floor = ''"))
        connection.execute(text("DELETE FROM floors WHERE id = ''"))
    message = refusal_at_start(database, anchors)
    assert "the database is empty" not in message
    assert "entries are lost" in message
    database.close()


def test_the_database_is_refused_as_an_anchor_file(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "one.db")
    assert "is the database itself" in refusal_at_start(database, tmp_path / "one.db")
    database.close()


async def test_a_pipe_without_a_reader_does_not_block(tmp_path: Path) -> None:
    database, anchors = sqlite_database(tmp_path / "one.db"), tmp_path / "pipe"
    os.mkfifo(anchors)
    assert refusal_at_start(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, _):
        await house.anchor()
    database.close()


UNNAMED = json.dumps({"at": NOON, "count": 7, "floor": "\ud800\0", "hash": GENESIS}) + "\n"


@pytest.mark.parametrize(
    "content", [None, "", "\n", "no anchor\n", "no ancho", "{}\n[1]\n" * 9, UNNAMED, "é\x00\n"]
)
async def test_a_file_without_anchors_is_accepted(tmp_path: Path, content: str | None) -> None:
    database, anchors = sqlite_database(tmp_path / "house.db"), tmp_path / "anchors"
    if content is not None:
        anchors.write_text(content)
    assert refusal_at_start(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, _):
        await house.anchor()
        assert house.anchor_writer is not None
        assert house.anchor_writer.mismatches == 0
    assert json.loads(anchors.read_text().splitlines()[-1])["house"] == database.identity()
    database.close()


async def test_an_unreadable_file_does_not_keep_a_house_closed(tmp_path: Path) -> None:
    database, folder = sqlite_database(tmp_path / "house.db"), tmp_path / "anchors"
    folder.mkdir()
    assert refusal_at_start(database, folder) == ""
    async with opened(database, anchors=folder) as (house, host):
        await house.anchor()
        await all_done(host, SCRIPT[:1])
    database.close()


# Another that goes on elsewhere.


async def test_a_restored_house_starts_a_new_file(tmp_path: Path) -> None:
    """The old file has anchors of what the house did after the backup."""
    database, anchors = await open_house(tmp_path, "one")
    database.close()
    copy_database(tmp_path / "one.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert refusal_at_start(copied, anchors) == ""  # nothing has happened since
    database = sqlite_database(tmp_path / "one.db")
    async with opened(database, anchors=anchors) as (_, host):
        await all_done(host, SCRIPT[20:25])
    message = refusal_at_start(copied, anchors)
    assert (
        f"26 entries of floor {FLOOR} were anchored at {NOON}, and some of them are missing"
        in message
    )
    assert "name a new file" in message
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE entries SET hash = '{GENESIS}' WHERE \"index\" = 25"))
    assert f"entry 25 of floor {FLOOR} was different at {NOON}" in refusal_at_start(
        database, anchors
    )
    for house_database in (database, copied):
        house_database.close()


@asynccontextmanager
async def side_by_side(folder: Path, alike: bool) -> AsyncIterator[tuple[House, House, Path]]:
    """Two houses with one anchor file: the original and its restored copy, or strangers."""
    database, anchors = await open_house(folder, "one")
    database.close()
    if alike:
        copy_database(folder / "one.db", folder / "two.db")
    else:
        (await open_house(folder, "two"))[0].close()
    one, two = sqlite_database(folder / "one.db"), sqlite_database(folder / "two.db")
    async with (
        opened(one, "first", anchors=anchors) as (first, here),
        opened(two, "second", anchors=anchors) as (second, there),
    ):
        await all_done(here, SCRIPT[20:24])
        await all_done(there, SCRIPT[20:26])
        yield first, second, anchors
    for each in (one, two):
        each.close()


@pytest.mark.parametrize(
    ("alike", "message"),
    [
        (True, "the anchor file has more entries than the database: the house is running"),
        (False, "another house writes to this anchor file"),
    ],
)
async def test_two_houses_with_one_file_are_reported(
    tmp_path: Path, alike: bool, message: str
) -> None:
    async with side_by_side(tmp_path, alike) as (first, second, anchors):
        for house in (first, second, first, second, first):
            await house.anchor()
            await house.incident_queue.flush()
        reports = events(first.database)
        assert any(report["why"].startswith(message) for report in reports), reports
        assert {report["file"] for report in reports} == {str(anchors)}
        metrics = Metrics()
        metrics.update(first)
        assert (metrics.registry.get_sample_value("headsup_anchors_unmet") or 0) > 0
        before = len(reports)
        await second.anchor()
        await first.anchor()
        await first.incident_queue.flush()
        assert len(events(first.database)) == before, "each log and reason once"


async def test_servers_of_one_house_share_a_file_or_have_their_own(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    database = postgres_database(postgres)
    with_wallets(database)
    shared, own = tmp_path / "shared", tmp_path / "own"
    async with (
        opened(database, "one", anchors=shared) as (one, host),
        started(database, "two", anchors=shared) as two,
        started(database, "three", anchors=own) as three,
    ):
        for entry in range(0, 20, 2):
            await all_done(host, SCRIPT[entry : entry + 2])
            for house in (one, two, three):
                await house.maintain()
                await house.anchor()
        for house in (one, two, three):
            assert house.anchor_writer is not None
            assert house.anchor_writer.mismatches == 0
    for path in (shared, own):
        assert refusal_at_start(database, path) == ""
        assert {line["house"] for line in lines(path)} == {database.identity()}
        assert FLOOR in {line["floor"] for line in lines(path)}
    database.close()


async def test_a_file_that_shrinks_is_reported(tmp_path: Path) -> None:
    database, anchors = await open_house(tmp_path, "one")
    before = shutil.copy(anchors, tmp_path / "before")
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:24])
        await house.anchor()
        shutil.copy(before, anchors)
        await all_done(host, SCRIPT[24:26])
        await house.anchor()
        await house.incident_queue.flush()
        assert [event["why"] for event in events(database)] == [
            "lines were removed from the anchor file"
        ]
        anchors.unlink()
        await all_done(host, SCRIPT[26:28])
        await house.anchor()
        assert {line["floor"] for line in lines(anchors)} == {FLOOR, ""}
    database.close()
