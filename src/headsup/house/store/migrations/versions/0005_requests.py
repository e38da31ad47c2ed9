"""Commands forwarded to the server that owns the floor."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Unlogged, so that it does not wait for the disk: commands that were carried out are in the
    # log, and others are sent again.
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "requests",
        sa.Column("number", sa.Text, primary_key=True),
        sa.Column("floor", sa.Text, nullable=False, index=True),
        sa.Column("asker", sa.Text, nullable=False, index=True),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        prefixes=unlogged,
    )
