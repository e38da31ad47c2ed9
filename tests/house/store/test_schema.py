"""The migrations create exactly the tables that queries expect; other schemas are refused."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from headsup.house.store.database import Database
from headsup.house.store.schema import METADATA
from headsup.house.store.sqlite_file import UnusableDatabase
from tests.support.cli.run import headsup
from tests.support.databases import sqlite_database


def test_the_migrations_make_the_tables_that_the_program_expects(database: Database) -> None:
    with database.read_connection() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, METADATA) == []


@pytest.mark.parametrize("revision", ["0014", "9.0.0"], ids=["development", "later"])
def test_a_database_of_another_version_is_refused(tmp_path: Path, revision: str) -> None:
    file = tmp_path / "house.db"
    database = sqlite_database(file)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    with pytest.raises(UnusableDatabase, match=f"another version of headsup .schema {revision}"):
        database.migrate()
    database.close()
    for words in (("audit",), ("restore",), ("backup", tmp_path / "copy.db")):
        done = headsup(*words, "--database", f"sqlite:///{file}")
        assert (done.code, done.out) == (2, ""), words
        assert "use that version, or start with a new database" in done.err
