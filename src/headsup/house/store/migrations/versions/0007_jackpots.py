"""An index of the few rounds in which a progressive pool paid."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    paid = sa.text("award > 0")
    op.create_index(
        "rounds_ended_award", "rounds_ended", ["at"], sqlite_where=paid, postgresql_where=paid
    )
