"""A commit is on disk when it returns, whatever the database server is set to."""

import pytest
from sqlalchemy import text

from headsup.house.store.database import Database
from headsup.house.store.sqlite_file import UnusableDatabase
from tests.support.postgres import running_server


@pytest.mark.slow
def test_commits_wait_for_the_disk_although_the_server_would_not() -> None:
    with running_server() as server:
        address = server.new_database()
        database = Database(address)
        database.migrate()
        with database.engine.connect() as connection:
            setting = connection.execute(text("SHOW synchronous_commit")).scalar_one()
            assert setting == "on"
            connection.rollback()
            autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
            autocommit.execute(text("ALTER SYSTEM SET synchronous_commit = off"))
            autocommit.execute(text("SELECT pg_reload_conf()"))
        for again in (database, Database(address)):  # connections from before and after
            with again.engine.connect() as connection, again.floor_engine.connect() as other:
                for one in (connection, other):
                    assert one.execute(text("SHOW synchronous_commit")).scalar_one() == "on"
            again.close()


@pytest.mark.slow
def test_a_server_that_may_lose_what_it_wrote_is_refused() -> None:
    with running_server() as server:
        address = server.new_database()
        database = Database(address)
        with database.engine.connect() as connection:
            autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
            autocommit.execute(text("ALTER SYSTEM SET full_page_writes = off"))
            autocommit.execute(text("SELECT pg_reload_conf()"))
        database.close()
        database = Database(address)
        with pytest.raises(UnusableDatabase, match="full_page_writes = off"):
            database.migrate()
        database.close()
