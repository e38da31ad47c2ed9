"""The file of anchors: which house it is of, who else adds to it, and what is done then."""

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
from headsup.house.integrity.anchors import LAST_BYTES, Anchor, AnchorsFile
from headsup.house.integrity.backup import copy_database
from headsup.house.store.database import Database
from headsup.house.store.schema import INCIDENTS
from headsup.web.server.operations import Metrics
from tests.databases import in_a_file, on_a_server
from tests.house.houses import FLOOR, NOON, all_done, noon, opened, started, with_wallets
from tests.house.tampering import without_triggers
from tests.postgres import Server
from tests.scripted import evening

SCRIPT = evening()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def as_older_versions_write(path: Path) -> None:
    """They do not say whose an anchor is."""
    said = [{key: one[key] for key in ("at", "count", "floor", "hash")} for one in lines(path)]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in said))


def checked(database: Database, path: Path) -> str:
    """What is said to who starts a server with that file; nothing where it starts."""
    try:
        AnchorWriter(path, database, IncidentQueue(database, "next", noon)).check()
    except Refused as told:
        return str(told)
    return ""


async def kept(folder: Path, server: str, entries: int = 20) -> tuple[Database, Path]:
    """A house that was open for a while, by a server of that name, and its anchors."""
    database, anchors = in_a_file(folder / f"{server}.db"), folder / f"{server}.anchors"
    async with opened(database, server, anchors=anchors) as (_, host):
        with_wallets(database)
        await all_done(host, SCRIPT[:entries])
    return database, anchors


def events(database: Database) -> list[dict[str, Any]]:
    """Those about data that was changed, as they are told."""
    row = INCIDENTS.c
    with database.reading() as connection:
        query = select(row.what).where(row.kind == "data_changed").order_by(row.number)
        return [json.loads(what) for what in connection.execute(query).scalars()]


# The file.


def test_the_file_of_anchors_is_its_owners_alone_and_stays_as_it_was_given(tmp_path: Path) -> None:
    made, given = tmp_path / "made", tmp_path / "given"
    given.touch(0o640)
    given.chmod(0o640)
    for path in (made, given):
        for floor in ("main", ""):
            AnchorsFile(path).append([Anchor(NOON, floor, Head(1, GENESIS))])
        assert path.read_text("ascii").count("\n") == 2
    assert [path.stat().st_mode & 0o777 for path in (made, given)] == [0o600, 0o640]


def test_however_long_a_file_is_only_its_ends_are_read_and_then_what_is_added(
    tmp_path: Path,
) -> None:
    path, hash = tmp_path / "anchors", "a" * 64
    line = json.dumps({"at": NOON, "count": 7, "floor": "F", "hash": hash}) + "\n"
    many = 3 * LAST_BYTES // len(line)
    path.write_text(line * many)
    file = AnchorsFile(path)
    assert 0 < len(file.unread()) < many / 2
    assert file.unread() == []
    with path.open("a") as other:
        other.write(line[:20])  # somebody is writing
        other.flush()
        assert file.unread() == []
        other.write(line[20:])
    assert file.unread() == [Anchor(NOON, "F", Head(7, hash))]


async def test_after_half_a_line_anchors_are_whole_again(tmp_path: Path) -> None:
    database, anchors = await kept(tmp_path, "one")
    with anchors.open("a") as file:
        file.write('{"at":"2026-')
    assert checked(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:25])
        await house.anchor()
        assert house.anchoring is not None
        assert house.anchoring.unmet == 0
    assert json.loads(anchors.read_text().splitlines()[-1])["house"] == database.identity()
    database.close()


# Whose it is.


async def test_every_anchor_says_whose_it_is(tmp_path: Path) -> None:
    (one, anchors), (two, others) = await kept(tmp_path, "one"), await kept(tmp_path, "two")
    assert {line["house"] for line in lines(anchors)} == {one.identity()}
    assert {line["house"] for line in lines(others)} == {two.identity()}
    assert one.identity() != two.identity()
    copy_database(tmp_path / "one.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert copied.identity() == one.identity()
    for database in (one, two, copied):
        database.close()


@pytest.mark.parametrize("older", [False, True])
async def test_a_server_is_not_started_with_the_anchors_of_another_house(
    tmp_path: Path, older: bool
) -> None:
    (one, anchors), (two, others) = await kept(tmp_path, "one"), await kept(tmp_path, "two", 25)
    for path in (anchors, others) if older else ():
        as_older_versions_write(path)
    assert (checked(one, anchors), checked(two, others)) == ("", "")
    for database, path in ((one, others), (two, anchors)):
        before = path.read_bytes()
        assert checked(database, path).startswith(f"{path}: these anchors are of another house")
        assert path.read_bytes() == before
        database.close()


async def test_a_file_of_an_older_version_is_added_to(tmp_path: Path) -> None:
    database, anchors = await kept(tmp_path, "one")
    as_older_versions_write(anchors)
    before = anchors.read_bytes()
    assert checked(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:25])
        await house.anchor()
        assert house.anchoring is not None
        assert house.anchoring.unmet == 0
    assert anchors.read_bytes().startswith(before)
    assert lines(anchors)[-1]["house"] == database.identity()
    assert checked(database, anchors) == ""
    database.close()


@pytest.mark.parametrize("older", [False, True])
async def test_a_new_database_is_not_served_with_the_anchors_of_a_house(
    tmp_path: Path, older: bool
) -> None:
    (one, anchors), new = await kept(tmp_path, "one"), in_a_file(tmp_path / "new.db")
    if older:
        as_older_versions_write(anchors)
    assert "nothing is kept in the database: look at --database" in checked(new, anchors)
    for database in (one, new):
        database.close()


async def test_a_house_whose_own_chain_was_emptied_is_not_called_new(tmp_path: Path) -> None:
    database, anchors = await kept(tmp_path, "one")
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM house_entries"))
        connection.execute(text("DELETE FROM house_head"))
    said = checked(database, anchors)
    assert "nothing is kept" not in said
    assert "or the database was written anew" in said
    database.close()


def test_the_database_is_no_file_of_anchors(tmp_path: Path) -> None:
    database = in_a_file(tmp_path / "one.db")
    assert "is the database itself" in checked(database, tmp_path / "one.db")
    database.close()


async def test_nobody_waits_for_a_pipe_that_nobody_reads(tmp_path: Path) -> None:
    database, anchors = in_a_file(tmp_path / "one.db"), tmp_path / "pipe"
    os.mkfifo(anchors)
    assert checked(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, _):
        await house.anchor()
    database.close()


UNNAMED = json.dumps({"at": NOON, "count": 7, "floor": "\ud800\0", "hash": GENESIS}) + "\n"


@pytest.mark.parametrize(
    "content", [None, "", "\n", "no anchor\n", "no ancho", "{}\n[1]\n" * 9, UNNAMED, "é\x00\n"]
)
async def test_what_holds_no_anchor_is_begun(tmp_path: Path, content: str | None) -> None:
    database, anchors = in_a_file(tmp_path / "house.db"), tmp_path / "anchors"
    if content is not None:
        anchors.write_text(content)
    assert checked(database, anchors) == ""
    async with opened(database, anchors=anchors) as (house, _):
        await house.anchor()
        assert house.anchoring is not None
        assert house.anchoring.unmet == 0
    assert json.loads(anchors.read_text().splitlines()[-1])["house"] == database.identity()
    database.close()


async def test_a_file_that_cannot_be_read_keeps_no_house_shut(tmp_path: Path) -> None:
    database, folder = in_a_file(tmp_path / "house.db"), tmp_path / "anchors"
    folder.mkdir()
    assert checked(database, folder) == ""
    async with opened(database, anchors=folder) as (house, host):
        await house.anchor()
        await all_done(host, SCRIPT[:1])
    database.close()


# Another that goes on elsewhere.


async def test_a_restored_house_begins_a_new_file(tmp_path: Path) -> None:
    """With the old one it would be mixed with what the house did after the backup."""
    database, anchors = await kept(tmp_path, "one")
    database.close()
    copy_database(tmp_path / "one.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert checked(copied, anchors) == ""  # nothing has happened since
    database = in_a_file(tmp_path / "one.db")
    async with opened(database, anchors=anchors) as (_, host):
        await all_done(host, SCRIPT[20:25])
    said = checked(copied, anchors)
    assert f"26 entries of floor {FLOOR} were anchored at {NOON}, and are not all there" in said
    assert "name a new file" in said
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE entries SET hash = '{GENESIS}' WHERE \"index\" = 25"))
    assert f"entry 25 of floor {FLOOR} was another at {NOON}" in checked(database, anchors)
    for one in (database, copied):
        one.close()


@asynccontextmanager
async def side_by_side(folder: Path, alike: bool) -> AsyncIterator[tuple[House, House, Path]]:
    """Two houses that were told of one file: the old and the restored, or strangers."""
    database, anchors = await kept(folder, "one")
    database.close()
    if alike:
        copy_database(folder / "one.db", folder / "two.db")
    else:
        (await kept(folder, "two"))[0].close()
    one, two = in_a_file(folder / "one.db"), in_a_file(folder / "two.db")
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
    ("alike", "said"),
    [
        (True, "the file of anchors has more entries than the database: the house goes on"),
        (False, "another house adds to the file of anchors"),
    ],
)
async def test_two_that_go_on_side_by_side_are_told(tmp_path: Path, alike: bool, said: str) -> None:
    async with side_by_side(tmp_path, alike) as (first, second, anchors):
        for house in (first, second, first, second, first):
            await house.anchor()
            await house.diary.write()
        told = events(first.database)
        assert any(one["why"].startswith(said) for one in told), told
        assert {one["file"] for one in told} == {str(anchors)}
        metrics = Metrics()
        metrics.look(first)
        assert (metrics.registry.get_sample_value("headsup_anchors_unmet") or 0) > 0
        before = len(told)
        await second.anchor()
        await first.anchor()
        await first.diary.write()
        assert len(events(first.database)) == before, "each log and reason once"


async def test_servers_of_one_house_share_a_file_or_have_their_own(
    postgres: Server, tmp_path: Path
) -> None:
    database = on_a_server(postgres)
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
                await house.tend()
                await house.anchor()
        for house in (one, two, three):
            assert house.anchoring is not None
            assert house.anchoring.unmet == 0
    for path in (shared, own):
        assert checked(database, path) == ""
        assert {line["house"] for line in lines(path)} == {database.identity()}
        assert FLOOR in {line["floor"] for line in lines(path)}
    database.close()


async def test_a_file_that_becomes_shorter_is_told(tmp_path: Path) -> None:
    database, anchors = await kept(tmp_path, "one")
    before = shutil.copy(anchors, tmp_path / "before")
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, SCRIPT[20:24])
        await house.anchor()
        shutil.copy(before, anchors)
        await all_done(host, SCRIPT[24:26])
        await house.anchor()
        await house.diary.write()
        assert [one["why"] for one in events(database)] == [
            "the file of anchors is shorter than it was"
        ]
        anchors.unlink()
        await all_done(host, SCRIPT[26:28])
        await house.anchor()
        assert {line["floor"] for line in lines(anchors)} == {FLOOR, ""}
    database.close()
