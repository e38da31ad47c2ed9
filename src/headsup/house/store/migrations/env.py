"""Alembic's entry: the server hands over its own connection, and its transaction."""

from alembic import context

from headsup.house.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
