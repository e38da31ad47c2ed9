"""Seals are never repeated, and every server can find them."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from headsup.game.round.commands import Proceed
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import OpenShuffle, SealShuffle
from headsup.game.table.sealing import SealedShuffle, write_published
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.fairness import verifier
from headsup.house.fairness.seal_store import DatabaseSealer
from headsup.house.fairness.sealed_shuffles import LostSeal, Seal, fresh_secret
from headsup.house.floor.host import CommandRequest, FloorHost
from headsup.house.integrity.backup import copy_database
from headsup.house.store.database import Database
from headsup.house.store.schema import SECRETS
from tests.support.databases import sqlite_database
from tests.support.house.houses import FLOOR, all_done, opened
from tests.support.tables import STAFF, opening


async def sealed_table(host: FloorHost) -> Table:
    command = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
    await all_done(host, [CommandRequest("opening", "T1", STAFF, command)])
    return table(host)


def table(host: FloorHost) -> Table:
    return host.journal.floor.tables["T1"]


def as_sealed(table: Table, seal: Seal) -> Table:
    return table._replace(sealed=SealedShuffle(seal.round, seal.commitment))


def kept_names(database: Database) -> list[str]:
    with database.read_connection() as connection:
        return list(connection.execute(select(SECRETS.c.name)).scalars())


async def test_another_server_finds_what_was_sealed(database: Database) -> None:
    async with opened(database) as (_, host):
        at = await sealed_table(host)
        seal = await DatabaseSealer(database, FLOOR).seal_next(at)
        assert (seal.table, seal.round) == ("T1", 1)
        address = database.engine.url.render_as_string(hide_password=False)
        other = Database(address)
        assert await DatabaseSealer(other, FLOOR).current_seal(as_sealed(at, seal)) == seal
        other.close()


async def test_a_house_from_a_backup_repeats_no_published_seal(tmp_path: Path) -> None:
    """It opens the seal from the backup, and then makes other seals than the original house. So
    does a copy that runs beside it."""
    live = sqlite_database(tmp_path / "live.db")
    async with opened(live) as (_, host):
        at = await sealed_table(host)
        before = await DatabaseSealer(live, FLOOR).seal_next(at)
        copy_database(tmp_path / "live.db", tmp_path / "backup.db")
        copy_database(tmp_path / "backup.db", tmp_path / "again.db")
        restored = Database(f"sqlite:///{tmp_path / 'again.db'}")
        assert await DatabaseSealer(restored, FLOOR).current_seal(as_sealed(at, before)) == before
        later = at._replace(rounds=1)
        seals = [
            await DatabaseSealer(database, FLOOR).seal_next(later)
            for database in (live, restored, live)
        ]
        assert len({one.server_seed for one in (before, *seals)}) == 4
        restored.close()
    live.close()


async def test_an_unknown_seal_is_not_replaced_by_another(database: Database) -> None:
    async with opened(database) as (_, host):
        at = await sealed_table(host)
        seals = DatabaseSealer(database, FLOOR)
        await seals.seal_next(at)
        stranger = Seal("T1", 1, fresh_secret())
        with pytest.raises(LostSeal):
            await seals.current_seal(as_sealed(at, stranger))


async def test_a_seed_is_forgotten_once_it_is_published_and_the_next_is_sealed(
    database: Database,
) -> None:
    async with opened(database) as (_, host):
        await sealed_table(host)
        seals, commitments = DatabaseSealer(database, FLOOR), []
        for number in range(3):
            seal = await seals.seal_next(table(host))
            commitments.append(seal.commitment)
            ids = iter(f"{number}-{step}" for step in range(9))
            seal_it = CommandRequest(next(ids), "T1", STAFF, SealShuffle(seal.commitment))
            await all_done(host, [seal_it, CommandRequest(next(ids), "T1", STAFF, OpenRound())])
            assert kept_names(database) == [f"seal {seal.commitment}"]
            await all_done(
                host, [CommandRequest(next(ids), "T1", STAFF, Proceed())]
            )  # nobody has bet
            seed = (
                await DatabaseSealer(database, FLOOR).current_seal(table(host))
            ).server_seed.hex()
            await all_done(host, [CommandRequest(next(ids), "T1", STAFF, OpenShuffle(seed))])
            published = table(host).opened
            assert published is not None
            verifier.verify(write_published(published))
        assert len(set(commitments)) == 3


def test_no_seed_is_shown_by_accident(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    seals = DatabaseSealer(database, FLOOR)
    seals._last = Seal("T1", 1, fresh_secret())
    assert seals._last.server_seed.hex() not in repr(seals)
    database.close()
