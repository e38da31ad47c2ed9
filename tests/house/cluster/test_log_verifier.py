"""One server decides again what the others have written."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from headsup.house.cluster import log_verifier
from headsup.house.cluster.log_verifier import LogVerifier
from headsup.house.floor.host import Acceptance
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from tests.support.databases import postgres_database
from tests.support.house.houses import FLOOR, opened, with_wallets
from tests.support.house.tampering import without_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands

SCRIPT = scripted_commands()


@pytest.fixture
def database(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(log_verifier, "PAGE_REST_SECONDS", 0)
    database = postgres_database(postgres)
    with_wallets(database)
    yield database
    database.close()


async def test_entries_that_somebody_changes_are_found_once(database: Database) -> None:
    found: list[tuple[IncidentKind, str]] = []

    async def always() -> bool:
        return True

    verifier = LogVerifier(
        database, always, lambda kind, details, _floor: found.append((kind, str(details["why"])))
    )
    async with opened(database) as (_, host):
        for request in SCRIPT[:10]:
            assert isinstance(await host.submit(request), Acceptance)
        await verifier.verify_all()
        for request in SCRIPT[10:15]:
            assert isinstance(await host.submit(request), Acceptance)
        await verifier.verify_all()
        assert found == []
    without_triggers(database)
    with database.engine.begin() as connection:
        changed = "UPDATE entries SET entry = replace(entry, 'BuyIn', 'CashOut')"
        connection.execute(text(f"{changed} WHERE floor = '{FLOOR}'"))
        connection.execute(text("DELETE FROM snapshots"))
        connection.execute(text(f"UPDATE floors SET fence = 9, hash = 'x' WHERE id = '{FLOOR}'"))
    for _ in range(2):
        await verifier.verify_all()
    assert len(found) == 1
    assert found[0][0] is IncidentKind.DATA_CHANGED


async def test_entries_that_disappear_are_found(database: Database) -> None:
    found: list[IncidentKind] = []

    async def always() -> bool:
        return True

    verifier = LogVerifier(database, always, lambda kind, *_: found.append(kind))
    async with opened(database) as (_, host):
        for request in SCRIPT[:10]:
            assert isinstance(await host.submit(request), Acceptance)
        await verifier.verify_all()
        before = list(database.entry_texts(FLOOR))[6][0]
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"DELETE FROM entries WHERE floor = '{FLOOR}' AND index > 6"))
        connection.execute(text(f"UPDATE floors SET length = 7, hash = '{before}'"))
    await verifier.verify_all()
    assert found == [IncidentKind.DATA_LOSS]
