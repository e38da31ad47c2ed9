"""Training notebooks."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "memories",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.create_index("ix_memories_person", "memories", ["person"])
