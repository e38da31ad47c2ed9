"""Tables that are paused or dealt by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "attendances",
        sa.Column("table", sa.Text, primary_key=True),
        sa.Column("paused", sa.Text, nullable=False),
        sa.Column("by_hand", sa.Boolean, nullable=False),
    )
