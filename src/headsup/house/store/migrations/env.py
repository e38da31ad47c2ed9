"""Entry point for Alembic; uses the connection and transaction of the server."""

from alembic import context

from headsup.house.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
