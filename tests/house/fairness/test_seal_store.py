"""The seals of a house: nobody's twice, and found again by whichever server deals the round."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from headsup.game.round.commands import Proceed
from headsup.game.table.commands import OpenRound, OpenShuffle, SealShuffle
from headsup.game.table.sealing import Sealed, write_published
from headsup.game.table.shuffle import Shuffle
from headsup.game.table.state import Table
from headsup.house.fairness import verifier
from headsup.house.fairness.seal_store import KeptSeals, LostSeal
from headsup.house.fairness.sealed_shuffles import Seal, Sealer, fresh_secret
from headsup.house.floor.host import Asked, Host
from headsup.house.integrity.backup import copy
from headsup.house.store.database import Database
from headsup.house.store.schema import SECRETS
from tests.databases import in_a_file
from tests.house.houses import FLOOR, all_done, opened
from tests.tables import STAFF, opening


async def sealed_table(host: Host) -> Table:
    command = replace(opening("galaxy"), shuffle=Shuffle.SEALED)
    await all_done(host, [Asked("opening", "T1", STAFF, command)])
    return table(host)


def table(host: Host) -> Table:
    return host.journal.floor.tables["T1"]


def as_sealed(table: Table, seal: Seal) -> Table:
    return table._replace(sealed=Sealed(seal.round, seal.commitment))


def kept_names(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.execute(select(SECRETS.c.name)).scalars())


async def test_another_server_finds_what_was_sealed(database: Database) -> None:
    async with opened(database) as (_, host):
        at = await sealed_table(host)
        seal = await KeptSeals(database, FLOOR).fresh(at)
        assert (seal.table, seal.round) == ("T1", 1)
        address = database.engine.url.render_as_string(hide_password=False)
        other = Database(address)
        assert await KeptSeals(other, FLOOR).kept(as_sealed(at, seal)) == seal
        other.close()


async def test_a_house_from_a_backup_seals_nothing_that_was_published(tmp_path: Path) -> None:
    """It opens the seal that was in the backup, and goes on with others than the house it was made
    of; so does a copy that is served beside it."""
    live = in_a_file(tmp_path / "live.db")
    async with opened(live) as (_, host):
        at = await sealed_table(host)
        before = await KeptSeals(live, FLOOR).fresh(at)
        copy(tmp_path / "live.db", tmp_path / "backup.db")
        copy(tmp_path / "backup.db", tmp_path / "again.db")
        restored = Database(f"sqlite:///{tmp_path / 'again.db'}")
        assert await KeptSeals(restored, FLOOR).kept(as_sealed(at, before)) == before
        later = at._replace(rounds=1)
        seals = [
            await KeptSeals(database, FLOOR).fresh(later) for database in (live, restored, live)
        ]
        assert len({one.server_seed for one in (before, *seals)}) == 4
        restored.close()
    live.close()


async def test_what_an_older_version_sealed_is_dealt_and_opened(database: Database) -> None:
    """It made every seed from one secret."""
    secret = fresh_secret()
    async with opened(database) as (_, host):
        at = await sealed_table(host)
        with database.engine.begin() as connection:
            connection.execute(insert(SECRETS), {"name": "shuffles", "secret": secret})
        old = Sealer(secret, FLOOR).seal("T1", 1)
        seals = KeptSeals(database, FLOOR)
        assert await seals.kept(as_sealed(at, old)) == old
        assert (await seals.fresh(at)).server_seed != old.server_seed


async def test_a_seal_that_nobody_knows_is_no_other(database: Database) -> None:
    async with opened(database) as (_, host):
        at = await sealed_table(host)
        seals = KeptSeals(database, FLOOR)
        await seals.fresh(at)
        stranger = Seal("T1", 1, fresh_secret())
        with pytest.raises(LostSeal):
            await seals.kept(as_sealed(at, stranger))
        with pytest.raises(LostSeal):
            await seals.kept(at)


async def test_a_seed_is_forgotten_once_it_is_published_and_the_next_is_sealed(
    database: Database,
) -> None:
    async with opened(database) as (_, host):
        await sealed_table(host)
        seals, commitments = KeptSeals(database, FLOOR), []
        for number in range(3):
            seal = await seals.fresh(table(host))
            commitments.append(seal.commitment)
            ids = iter(f"{number}-{step}" for step in range(9))
            seal_it = Asked(next(ids), "T1", STAFF, SealShuffle(seal.commitment))
            await all_done(host, [seal_it, Asked(next(ids), "T1", STAFF, OpenRound())])
            assert kept_names(database) == [f"seal {seal.commitment}"]
            await all_done(host, [Asked(next(ids), "T1", STAFF, Proceed())])  # nobody has bet
            seed = (await KeptSeals(database, FLOOR).kept(table(host))).server_seed.hex()
            await all_done(host, [Asked(next(ids), "T1", STAFF, OpenShuffle(seed))])
            published = table(host).opened
            assert published is not None
            verifier.verify(write_published(published))
        assert len(set(commitments)) == 3


def test_no_seed_is_shown_by_accident(tmp_path: Path) -> None:
    database = in_a_file(tmp_path / "house.db")
    seals = KeptSeals(database, FLOOR)
    seals._last = Seal("T1", 1, fresh_secret())
    assert seals._last.server_seed.hex() not in repr(seals)
    database.close()
