"""Who is looking at which table, on which server."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Unlogged: the rows are valid for seconds only.
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "presence",
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("watching", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        prefixes=unlogged,
    )
